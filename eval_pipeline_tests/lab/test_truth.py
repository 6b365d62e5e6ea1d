"""The truth: it survives its file, and is held against the tables that it names."""

from pathlib import Path

import pyarrow as pa
import pytest

from eval_pipeline.lab.truth import Planted, Truth, of_contract, read_truth, recovered, write_truth

SCORE = Planted(
    "pass@1 of a", 0.5, "metric_estimates", {"checkpoint": "a", "metric": "pass@1"}, "value"
)
TRUTH = Truth(
    seed=3,
    values=(SCORE,),
    leaks_of="c",
    leaks={"i1": "verbatim", "i2": "format"},
    licences_of="h",
    licences={"stern": True, "kindly": False},
    background={"judges": [{"name": "stern", "position": 0.1 + 0.2}]},
)


def estimates(*rows: tuple[str, float | None, float | None, float | None]) -> pa.Table:
    names = ("checkpoint", "value", "ci_low", "ci_high")
    return pa.Table.from_pylist(
        [{"metric": "pass@1", **dict(zip(names, row, strict=True))} for row in rows]
    )


def test_a_truth_survives_its_file(tmp_path: Path) -> None:
    path = tmp_path / "truth.yaml"
    write_truth(TRUTH, path)
    again = read_truth(path)
    assert (again.values, again.leaks, again.licences) == (
        TRUTH.values,
        TRUTH.leaks,
        TRUTH.licences,
    )
    assert again.background["judges"][0]["position"] == 0.3  # at nine digits
    first = path.read_bytes()
    write_truth(again, path)
    assert path.read_bytes() == first


def test_a_file_that_is_no_truth_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "truth.yaml"
    path.write_text("seed: 3\n")
    with pytest.raises(ValueError, match=r"truth\.yaml: not a truth of the lab"):
        read_truth(path)


def test_a_value_is_covered_where_its_interval_holds_it() -> None:
    for low, high, covered in ((0.4, 0.6, True), (0.51, 0.6, False)):
        found = recovered(TRUTH, {"metric_estimates": estimates(("a", 0.55, low, high))})[0]
        assert (found.planted, found.estimate, found.covered) == (0.5, 0.55, covered)


def test_without_an_estimate_or_an_interval_nothing_is_claimed() -> None:
    assert recovered(TRUTH, {})[0].covered is None
    assert (
        recovered(TRUTH, {"metric_estimates": estimates(("b", 0.5, 0.4, 0.6))})[0].covered is None
    )
    no_interval = estimates(("a", 0.5, None, None))
    assert recovered(TRUTH, {"metric_estimates": no_interval})[0].covered is None


def test_a_value_that_picks_two_rows_is_refused() -> None:
    twice = estimates(("a", 0.5, 0.4, 0.6), ("a", 0.5, 0.4, 0.6))
    with pytest.raises(ValueError, match="pass@1 of a: metric_estimates holds 2 such rows"):
        recovered(TRUTH, {"metric_estimates": twice})


def test_leaks_are_counted_by_mechanism_and_clean_items_too() -> None:
    verdicts = pa.Table.from_pylist(
        [
            {"contract": "c", "item_id": item, "status": status}
            for item, status in (("i1", "contaminated"), ("i2", "clean"), ("i3", "review"))
        ]
    )
    rows = {r.name: r for r in recovered(TRUTH, {"contamination_items": verdicts})}
    assert (rows["leaks found, verbatim"].estimate, rows["leaks found, verbatim"].covered) == (
        1,
        True,
    )
    assert (rows["leaks found, format"].estimate, rows["leaks found, format"].covered) == (0, False)
    assert rows["clean items taken for leaks"].estimate == 0


def test_licences_are_held_against_who_deserves_one() -> None:
    given = pa.Table.from_pylist(
        [
            {"contract": "h", "judge": judge, "slice": "all", "outcome": outcome}
            for judge, outcome in (("stern", "not_enough_labels"), ("kindly", "refused"))
        ]
    )
    rows = {r.name: r for r in recovered(TRUTH, {"judge_licences": given})}
    assert rows["licence of stern"].covered is False
    assert rows["licence of kindly"].covered is True
    assert {r.covered for r in recovered(TRUTH, {})} == {None}


def test_the_part_of_one_contract_is_about_nothing_else() -> None:
    assert of_contract(TRUTH, "c").leaks == TRUTH.leaks
    assert of_contract(TRUTH, "c").licences == {}
    assert of_contract(TRUTH, "h").licences == TRUTH.licences
    assert recovered(of_contract(TRUTH, "d"), {}) == []
