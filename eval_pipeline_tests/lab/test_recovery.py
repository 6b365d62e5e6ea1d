"""What was planted is found: the chain ran over the bundled data, held against the truth."""

from collections.abc import Mapping
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest

from eval_pipeline.lab.expected import EXTREMES
from eval_pipeline.lab.planted import CHECKPOINTS, JUDGES, MARKERS, NIGHTS, PROBLEMS_PER_STORY, SEED
from eval_pipeline.lab.samples import word_difficulties
from eval_pipeline.lab.truth import Recovery, read_truth, recovered
from eval_pipeline.lab.words import problems
from eval_pipeline.layout import DataRoot
from eval_pipeline.warehouse.store import Warehouse
from eval_pipeline_tests.conftest import PROJECT

BUNDLED = DataRoot(PROJECT / "data")


@pytest.fixture(scope="module")
def tables(finished_bundle: Path) -> Mapping[str, pa.Table]:
    """Every table of the bundled contracts, as a run of the whole chain left it."""
    warehouse = Warehouse(DataRoot(finished_bundle).warehouse)
    parts: dict[str, list[pa.Table]] = {}
    for place in sorted(warehouse.standing(), key=lambda place: place.sort_key):
        home = (place.table, place.contract, place.version)
        stored = warehouse.read(*home, checkpoint=place.checkpoint)
        parts.setdefault(place.table, []).append(stored.table())
    return {name: pa.concat_tables(tables) for name, tables in parts.items()}


@pytest.fixture(scope="module")
def found(tables: Mapping[str, pa.Table]) -> dict[str, Recovery]:
    return {row.name: row for row in recovered(read_truth(BUNDLED.truth), tables)}


def test_every_leak_is_found_and_no_clean_item_is_taken_for_one(found: dict[str, Recovery]) -> None:
    counts = [row for name, row in found.items() if "leaks" in name]
    assert len(counts) == 4
    assert all(row.covered for row in counts)


def test_the_judges_that_deserve_a_licence_get_it(found: dict[str, Recovery]) -> None:
    licences = [row for name, row in found.items() if name.startswith("licence of")]
    assert len(licences) == 5
    assert all(row.covered for row in licences)


def test_the_worth_of_the_leaks_is_seen_where_it_was_planted(found: dict[str, Recovery]) -> None:
    for checkpoint in CHECKPOINTS:
        row = found[f"arithmetic_words: pass@1 of {checkpoint.name}, all items minus clean"]
        assert (row.ci_low > 0) == checkpoint.remembers_leaks


def test_offset_and_biases_of_scores_are_seen_where_they_were_planted(
    found: dict[str, Recovery],
) -> None:
    for marker in MARKERS:
        for audit in ("score_offset", "score_verbosity_per_100_tokens", "score_self_preference"):
            assert found[f"helpful_replies: {audit} of {marker.name}"].covered
        for checkpoint in CHECKPOINTS:
            row = found[f"helpful_replies: judge_score of {checkpoint.name} by {marker.name}"]
            assert row.covered


def test_intervals_hold_the_planted_values_about_as_often_as_they_say(
    found: dict[str, Recovery],
) -> None:
    held = [
        row.covered
        for row in found.values()
        if row.covered is not None and np.isfinite(row.ci_low) and "python" not in row.name
    ]
    assert len(held) > 70
    assert np.mean(held) >= 0.9


def test_nothing_that_was_planted_goes_without_an_estimate(found: dict[str, Recovery]) -> None:
    lacking = [name for name, row in found.items() if np.isnan(row.estimate)]
    assert all(name.startswith("python_functions") for name in lacking)  # needs a person's leave
    open_ended = [name for name, row in found.items() if row.covered is None]
    assert all("facility" in name or name in lacking for name in open_ended)


def test_the_judge_that_changed_is_suspended_from_that_night_on_and_no_other(
    tables: Mapping[str, pa.Table],
) -> None:
    drifted = {
        (row["judge"], row["night"])
        for row in tables["judge_drift"].to_pylist()
        if row["outcome"] == "drifted"
    }
    changes = {judge.name: judge.change for judge in JUDGES if judge.change is not None}
    expected = {
        (judge, night)
        for judge, change in changes.items()
        for night in NIGHTS
        if night >= change.night
    }
    assert drifted == expected
    assert {judge for judge, _ in drifted} == {
        row["judge"] for row in tables["judge_licences"].to_pylist() if row["suspended_on"]
    }


def test_the_judge_that_obeys_its_replies_is_found_by_the_attacks(
    found: dict[str, Recovery],
) -> None:
    for judge in JUDGES:
        row = found[f"helpful_replies: injection_lift of {judge.name}"]
        assert (row.ci_low > 0.15) == (judge.taste.obeys > 0.15)


def test_items_are_as_hard_as_they_were_planted(
    found: dict[str, Recovery], tables: Mapping[str, pa.Table]
) -> None:
    ends = [row for name, row in found.items() if "facility of" in name]
    assert len(ends) == 2 * EXTREMES
    assert all(abs(row.estimate - row.planted) < 0.25 for row in ends)  # 32 draws: 3 sd
    facility = tables["item_analysis"]["facility"].to_numpy()
    asked = problems(SEED, PROBLEMS_PER_STORY)
    assert tables["item_analysis"]["item_id"].to_pylist() == [one.item_id for one in asked]
    assert np.corrcoef(facility, word_difficulties(asked, SEED))[0, 1] < -0.85


def test_remembered_items_favour_the_family_that_remembers_them_on_average(
    tables: Mapping[str, pa.Table],
) -> None:
    """Sixteen draws a family are too few to say so of a single item."""
    rows = tables["differential_functioning"].to_pylist()
    assert all(row["p_adjusted"] > 0.05 for row in rows if row["p_adjusted"] is not None)
    leaks = read_truth(BUNDLED.truth).leaks
    delta = {row["item_id"]: row["ets_delta"] for row in rows if row["ets_delta"] is not None}
    leaked, clean = (
        np.array([value for item, value in delta.items() if (item in leaks) == is_leak])
        for is_leak in (True, False)
    )
    error = np.sqrt(leaked.var() / leaked.size + clean.var() / clean.size)
    assert leaked.mean() - clean.mean() > 2.5 * error
