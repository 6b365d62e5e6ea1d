"""What people's labels are worth, and that nothing is said where nothing can be."""

import numpy as np
import pyarrow as pa
import pytest
from statsmodels.stats.inter_rater import cohens_kappa

from eval_pipeline.judging.people.raters import (
    agreement_rows,
    dispute_rows,
    measures_for,
    quality_rows,
    ratings_of,
    without_raters,
)
from eval_pipeline.warehouse.schemas import TABLES

A, B, TIE = "model_a", "model_b", "tie"


def labels(
    said: dict[str, list[str | None]], honeypots: dict[str, list[str]] | None = None
) -> pa.Table:
    """said: rater -> label of each item or None; honeypots: what was answered, A being right."""
    rows = [
        {"rater": rater, "item_id": f"i{i:03d}", "label": label, "honeypot": False}
        for rater, given in said.items()
        for i, label in enumerate(given)
        if label is not None
    ]
    rows += [
        {"rater": rater, "item_id": f"h{i}", "label": label, "honeypot": True, "expected": A}
        for rater, given in (honeypots or {}).items()
        for i, label in enumerate(given)
    ]
    same = {"annotation_set": "s", "model_a": "m1", "model_b": "m2", "file": "f", "line": 1}
    return TABLES["annotations"].from_rows(
        [{**same, "cluster_id": row["item_id"], **row} for row in rows]
    )


def drawn(n: int, raters: int, seed: int = 1) -> dict[str, list[str | None]]:
    rng = np.random.default_rng(seed)
    truth = rng.choice([A, B, TIE], n, p=[0.5, 0.4, 0.1])
    return {
        f"r{r}": [str(t) if rng.random() < 0.8 else str(rng.choice([A, B, TIE])) for t in truth]
        for r in range(raters)
    }


def agreement(said: dict[str, list[str | None]]) -> dict[str, dict[str, object]]:
    return {row["measure"]: row for row in agreement_rows(labels(said), 1, 200, 0.95)}


def test_the_design_of_the_labels_picks_the_measure() -> None:
    two, three = drawn(30, 2), drawn(30, 3)
    gaps = {**drawn(30, 3), "r2": [None] * 10 + list(three["r2"][10:])}
    chosen = [measures_for(ratings_of(labels(one)))[0] for one in (two, three, gaps)]
    assert chosen == [("cohen_kappa", "weighted_kappa"), ("fleiss_kappa",), ("krippendorff_alpha",)]


def test_two_raters_agree_as_another_library_says() -> None:
    said = drawn(60, 2)
    found = agreement(said)
    order = {A: 0, TIE: 1, B: 2}
    one, other = ([order[str(label)] for label in said[r]] for r in ("r0", "r1"))
    table = np.zeros((3, 3))
    np.add.at(table, (one, other), 1)
    assert found["cohen_kappa"]["estimate"] == pytest.approx(cohens_kappa(table).kappa)
    weighted = cohens_kappa(table, wt="linear").kappa
    assert found["weighted_kappa"]["estimate"] == pytest.approx(weighted)
    assert found["raw"]["estimate"] == pytest.approx(np.mean(np.equal(one, other)))
    row = found["cohen_kappa"]
    assert row["ci_low"] < row["estimate"] < row["ci_high"]  # type: ignore[operator] # numbers


@pytest.mark.parametrize(
    ("said", "measure", "reason"),
    [
        ({"r0": [A, B, A]}, "krippendorff_alpha", "one rater: nobody to agree with"),
        (
            {"r0": [A, B, None, None], "r1": [None, None, A, B]},
            "krippendorff_alpha",
            "no pair was labelled by two raters",
        ),
        ({"r0": [A] * 9, "r1": [A] * 9}, "cohen_kappa", "only one label occurs"),
        ({"r0": [TIE] * 9, "r1": [TIE] * 9, "r2": [TIE] * 9}, "fleiss_kappa", "only one label"),
    ],
)
def test_undefined_agreement_has_a_status_and_a_reason(
    said: dict[str, list[str | None]], measure: str, reason: str
) -> None:
    row = agreement(said)[measure]
    assert row["status"] == "undefined"
    assert np.isnan(row["estimate"])  # type: ignore[call-overload] # a number
    assert str(row["reason"]).startswith(reason)


def test_all_equal_labels_agree_fully_and_have_no_interval() -> None:
    row = agreement({"r0": [A] * 9, "r1": [A] * 9})["raw"]
    assert row["estimate"] == 1.0
    assert row["ci_method"] is None
    assert row["reason"] == "no interval: no resample differs from another"


def test_unknown_labels_and_second_labels_are_refused_by_name() -> None:
    odd = labels({"r0": [A, B]})
    words = pa.array(["model_a", "first"])
    with pytest.raises(ValueError, match=r"item_id 'i001'.*label 'first' is none of"):
        ratings_of(odd.set_column(odd.schema.get_field_index("label"), "label", words))
    twice = pa.concat_tables([odd, odd])
    with pytest.raises(ValueError, match="rater 'r0' has 2 labels on item 'i000'"):
        ratings_of(twice)


def test_a_rater_who_fails_the_honeypots_is_left_out_and_one_untested_is_kept() -> None:
    table = labels(drawn(20, 3), {"r0": [A] * 9 + [B], "r1": [A, B, B, B, B]})
    rows = {row["rater"]: row for row in quality_rows(table, 0.7)}
    outcomes = {name: row["outcome"] for name, row in rows.items()}
    assert outcomes == {"r0": "kept", "r1": "left_out", "r2": "not_tested"}
    assert rows["r1"]["reason"] == "1 of 5 honeypots right, below 0.7"
    assert rows["r0"]["accuracy_low"] < 0.9 < rows["r0"]["accuracy_high"]
    kept = without_raters(table, list(rows.values()))
    assert set(kept["rater"].to_pylist()) == {"r0", "r2"}
    assert all(row["outcome"] != "left_out" for row in quality_rows(table, None))


def test_a_rater_who_agrees_with_nobody_shows_it() -> None:
    said = drawn(200, 3)
    said["r2"] = [str(w) for w in np.random.default_rng(9).choice([A, B], 200)]
    rows = {row["rater"]: row for row in quality_rows(labels(said), None)}
    assert abs(rows["r2"]["pool_kappa"]) < 0.2 < rows["r0"]["pool_kappa"]


def test_disputes_are_listed_the_most_divided_first() -> None:
    said: dict[str, list[str | None]] = {"r0": [A, A, A], "r1": [A, A, B], "r2": [A, B, TIE]}
    rows = dispute_rows(labels(said))
    assert [(row["item_id"], row["split"]) for row in rows] == [
        ("i002", 1.0),
        ("i001", pytest.approx(2 / 3)),
    ]
