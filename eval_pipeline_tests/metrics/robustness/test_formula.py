"""Drops under perturbation: relative to before, and beside a panel's."""

import numpy as np
import pytest

from eval_pipeline.metrics.robustness.formula import calibrated_drop, drop_sums, perturbation_drop
from eval_pipeline.metrics.robustness.rows import robustness_rows
from eval_pipeline.statistics.jackknife import jackknife
from eval_pipeline.statistics.randomness import generator
from eval_pipeline.warehouse.schemas import TABLES
from eval_pipeline_tests.metrics.described import described


def test_the_drop_is_relative_to_what_was_scored_before() -> None:
    found = perturbation_drop([1, 1, 1, 0], [1, 1, 0, 0])
    assert (found.before, found.after, found.absolute) == (0.75, 0.5, 0.25)
    assert found.relative == pytest.approx(1 / 3)
    assert drop_sums([1, 1, 1, 0], [1, 1, 0, 0]).value == found.relative


def test_a_gain_is_a_negative_drop_and_from_nothing_it_is_undefined() -> None:
    assert perturbation_drop([1, 0], [1, 1]).relative == -1.0
    assert np.isnan(perturbation_drop([0, 0], [1, 0]).relative)


def test_what_hurts_the_whole_panel_is_difficulty() -> None:
    before = [[1, 1, 1, 1], [1, 1, 0, 0]]
    after = [[1, 1, 0, 0], [1, 0, 0, 0]]
    found = calibrated_drop([1, 1, 1, 1], [1, 0, 0, 0], before, after)
    assert (found.own, found.difficulty, found.excess) == (0.75, 0.5, 0.25)


@pytest.mark.parametrize(
    ("call", "told"),
    [
        (lambda: perturbation_drop([1, np.nan], [1, 1]), r"before\[1\] is undefined"),
        (lambda: perturbation_drop([1, 0], [1, 2]), r"after\[1\] is 2"),
        (lambda: perturbation_drop([True], [1]), r"before\[0\] is True"),
        (lambda: perturbation_drop([1], [1, 1]), "one value of each"),
        (lambda: perturbation_drop([], []), "before is empty"),
        (lambda: calibrated_drop([1], [1], [[0]], [[0]]), "model 0 of the panel"),
        (lambda: calibrated_drop([1], [1], [[1, 1]], [[1, 1]]), "models x 1 items"),
    ],
)
def test_drops_refuse_and_name_the_place(call, told) -> None:
    with pytest.raises(ValueError, match=told):
        call()


PAIRS = [f"p{i:02}" for i in range(30)]


def answered(right_before, right_after, *, absent=0):
    """Thirty originals, one version each, of which the first so many are right."""
    drawn, items = {}, {}
    for i, pair in enumerate(PAIRS):
        drawn[pair] = "+" if i < right_before else "-"
        drawn[f"{pair}-typo"] = "" if i < absent else "+" if i < right_after else "-"
        items[pair] = {"cluster_id": pair}
        items[f"{pair}-typo"] = {"cluster_id": pair, "original": pair}
    clusters = {name: one["cluster_id"] for name, one in items.items()}
    return described(drawn, {}, items, clusters=clusters)


def rows_of_checkpoints(**made):
    items = next(iter(made.values()))[0]
    samples = {name: samples for name, (_, samples) in made.items()}
    rows = robustness_rows(items, samples, generator(1, "test"), 0.95)
    TABLES["robustness_drops"].from_rows(rows)
    return {row["checkpoint"]: row for row in rows}


def test_each_checkpoint_is_held_against_the_others_on_the_same_pairs():
    counts = {"a": (24, 12), "b": (30, 24), "c": (20, 18)}
    rows = rows_of_checkpoints(**{name: answered(*n) for name, n in counts.items()})
    drops = {name: 1 - after / before for name, (before, after) in counts.items()}
    for name, row in rows.items():
        others = [drops[other] for other in drops if other != name]
        assert row["own_drop"] == pytest.approx(drops[name])
        assert row["panel_drop"] == pytest.approx(np.mean(others))
        assert row["excess"] == pytest.approx(drops[name] - np.mean(others))
        assert (row["n_panel"], row["n_pairs"], row["n_units"]) == (2, 30, 30)
        without = []
        for out in range(30):  # one pair after the other left out
            left = {n: 1 - (a - (out < a)) / (b - (out < b)) for n, (b, a) in counts.items()}
            without.append(left[name] - np.mean([left[n] for n in left if n != name]))
        naive = jackknife(row["excess"], without, n_clusters=30)
        assert (row["ci_low"], row["ci_high"]) == pytest.approx((naive.low, naive.high))
    assert rows["a"]["ci_low"] > 0 > rows["c"]["ci_high"]


def test_who_cannot_be_held_against_others_is_left_out_with_the_reason():
    rows = rows_of_checkpoints(
        a=answered(24, 12), b=answered(30, 24), few=answered(30, 30, absent=4), none=answered(0, 9)
    )
    assert "26 of 30 perturbed items" in rows["few"]["reason"]
    assert rows["none"]["reason"].startswith("none of its originals was right")
    assert [rows[name]["n_panel"] for name in ("a", "b", "few", "none")] == [1, 1, 0, 0]
    alone = rows_of_checkpoints(a=answered(24, 12), none=answered(0, 9))["a"]
    assert (alone["status"], alone["own_drop"]) == ("undefined", pytest.approx(0.5))
    assert alone["reason"] == "no other checkpoint to hold it against"
    plain = described(dict.fromkeys(PAIRS, "+"), {})
    assert rows_of_checkpoints(a=plain)["a"]["reason"].startswith("no item names its original")
