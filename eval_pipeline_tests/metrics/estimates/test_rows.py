import math

import pytest

from eval_pipeline.metrics.estimates.row import Design
from eval_pipeline.metrics.estimates.rows import estimate_rows
from eval_pipeline.statistics.intervals import wilson
from eval_pipeline.warehouse.schemas import TABLES
from eval_pipeline_tests.metrics.recorded import recorded


def estimates(marks, labels, *, draws=None, macro=None, sliced_by=(), **more):
    """The rows, by (metric, slice, policy)."""
    items, samples = recorded(marks, **more)
    design = Design(tuple(labels), draws, 0.95, "item_id", macro, tuple(sliced_by))
    rows = estimate_rows(items, samples, design)
    TABLES["metric_estimates"].from_rows(rows)  # every column, nothing else
    return {(row["metric"], row["slice"], row["policy"]): row for row in rows}


TWENTY = {f"i{n:02}": "+-" if n % 2 else "++" for n in range(20)}


def test_a_row_says_what_it_rests_on():
    row = estimates(TWENTY, ["pass@1"], draws=2)["pass@1", "all", "primary"]
    assert row["value"] == pytest.approx(0.75)
    assert (row["n_items"], row["n_units"], row["n_samples"], row["n_excluded"]) == (20, 20, 40, 0)
    assert row["ci_low"] < 0.75 < row["ci_high"]
    assert (row["ci_method"], row["status"], row["reason"]) == ("cr1_t", "ok", None)
    assert (row["bound_low"], row["bound_high"]) == (pytest.approx(0.75), pytest.approx(0.75))
    assert row["aggregation"] == "unbiased over draws, micro over items"
    assert row["instrument"] == "pass_at_k@1"


def test_failures_are_read_in_three_ways_beside_each_other():
    marks = {f"i{n:02}": "++xr" for n in range(12)}
    rows = estimates(marks, ["pass@1"])
    value = {
        policy: rows["pass@1", "all", policy]["value"]
        for policy in ("primary", "all_wrong", "valid_only")
    }
    assert value == {
        "primary": pytest.approx(2 / 3),
        "all_wrong": pytest.approx(0.5),
        "valid_only": pytest.approx(1.0),
    }
    primary = rows["pass@1", "all", "primary"]
    assert (primary["n_samples"], primary["n_excluded"]) == (36, 12)
    assert (primary["bound_low"], primary["bound_high"]) == (0.5, 0.75)


def test_scored_of_four_with_one_error_gives_bounds_and_no_hidden_denominator():
    """Right, right, error, wrong: 2/3 of the scored, and between 1/2 and 3/4 of all."""
    marks = {"a": "+", "b": "+", "c": "x", "d": "-"}
    row = estimates(marks, ["accuracy"])["accuracy", "all", "primary"]
    assert row["value"] == pytest.approx(2 / 3)
    assert (row["n_items"], row["n_samples"], row["n_excluded"]) == (3, 3, 1)
    assert (row["bound_low"], row["bound_high"]) == (0.5, 0.75)
    assert row["ci_method"] == "clopper_pearson"
    assert row["reason"] == "left out: 1 of 4 items have no scored draw left by the failure policy"


def test_items_with_too_few_draws_on_record_make_pass_at_k_undefined():
    """Draws 10 with 3 right, and 2 with none: no pass@5 of the set; the first alone has one."""
    rows = estimates({"a": "+++-------", "b": "--"}, ["pass@5"])
    row = rows["pass@5", "all", "primary"]
    assert math.isnan(row["value"])
    assert row["status"] == "undefined"
    assert row["reason"] == "1 of 2 items have fewer than 5 draws on record: see missing_draws"
    alone = rows["pass@5", "all", "complete_items"]
    assert alone["value"] == pytest.approx(0.9166666666666667)
    assert alone["n_items"] == 1
    assert "1 of 2 items have fewer than 5 draws" in alone["reason"]


def test_items_whose_draws_the_policy_excludes_leave_the_estimate_and_are_counted():
    marks = {**TWENTY, "z": "+x"}
    row = estimates(marks, ["pass@2"], draws=2)["pass@2", "all", "primary"]
    assert row["status"] == "ok"
    assert row["n_items"] == 20
    assert (row["n_samples"], row["n_excluded"]) == (40, 2)
    assert row["reason"] == (
        "left out: 1 of 21 items have fewer than 2 scored draws left by the failure policy"
    )
    assert row["bound_low"] < row["value"] < row["bound_high"] or row["value"] == 1.0


def test_items_without_a_draw_are_left_out_counted_and_bounded():
    row = estimates(TWENTY, ["pass@1"], draws=2, absent=["z"])["pass@1", "all", "primary"]
    assert row["status"] == "ok"
    assert row["reason"] == "left out: 1 of 21 items have no draw on record"
    assert row["bound_low"] == pytest.approx(0.75 * 20 / 21)
    assert row["bound_high"] == pytest.approx((0.75 * 20 + 1) / 21)


def test_nothing_scored_is_undefined_and_never_zero():
    row = estimates({"a": "x", "b": "x"}, ["pass@1"])["pass@1", "all", "primary"]
    assert math.isnan(row["value"])
    assert row["status"] == "undefined"
    assert row["reason"].startswith("no item has enough scored draws; left out: 2 of 2 items")
    assert (row["bound_low"], row["bound_high"]) == (0.0, 1.0)


def test_all_right_gets_wilsons_interval():
    marks = {f"i{n:02}": "+" for n in range(20)}
    row = estimates(marks, ["accuracy"])["accuracy", "all", "primary"]
    assert (row["ci_low"], row["ci_high"]) == pytest.approx(wilson(20, 20))
    assert row["ci_method"] == "wilson_constant"


def test_a_value_without_an_interval_is_a_value_and_says_why_it_has_none():
    clusters = {name: f"c{int(name[1:]) % 4}" for name in TWENTY}
    row = estimates(TWENTY, ["pass@1"], clusters=clusters)["pass@1", "all", "primary"]
    assert (row["status"], row["ci_method"]) == ("ok", None)
    assert row["reason"] == "no interval: 4 clusters are too few at confidence 0.95"
    assert row["value"] == pytest.approx(0.75)
    assert math.isnan(row["ci_low"])


def test_undefined_means_that_there_is_no_number_and_what_lacks_has_its_reason():
    marks = {"a": "+-x", "b": "---", "c": "+"}
    rows = estimates(marks, ["pass@1", "pass@2", "majority@3", "refusal_rate"]).values()
    for row in rows:
        ends = {math.isnan(row["ci_low"]), math.isnan(row["ci_high"]), row["ci_method"] is None}
        assert len(ends) == 1
        assert (row["status"] == "undefined") == math.isnan(row["value"])
        assert not ends.pop() or row["reason"]
    assert {row["status"] for row in rows} == {"ok", "undefined"}


def test_slices_have_rows_of_their_own():
    slices = {name: {"topic": "x" if n < 12 else "y"} for n, name in enumerate(TWENTY)}
    slices["i19"] = {}
    rows = estimates(TWENTY, ["pass@1"], slices=slices, sliced_by=("topic", "level"), draws=2)
    found = {name: row["n_items"] for (_, name, policy), row in rows.items() if policy == "primary"}
    assert found == {"all": 20, "topic=x": 12, "topic=y": 7}


def test_a_macro_mean_weighs_groups_alike_and_says_so():
    marks = {f"i{n:02}": "+" if n < 30 or n % 2 else "-" for n in range(40)}
    slices = {name: {"topic": "easy" if n < 30 else "hard"} for n, name in enumerate(marks)}
    row = estimates(marks, ["accuracy"], macro="topic", slices=slices)["accuracy", "all", "primary"]
    assert row["value"] == pytest.approx((1.0 + 0.5) / 2)
    assert row["aggregation"] == "unbiased over draws, macro over topic"
    assert (row["bound_low"], row["bound_high"]) == (pytest.approx(0.75), pytest.approx(0.75))


def test_failure_rates_stand_beside_every_score_once():
    marks = {f"i{n:02}": "r+" if n < 3 else "++" for n in range(20)}
    rows = estimates(marks, ["refusal_rate"])
    assert set(rows) == {("refusal_rate", "all", "primary")}
    row = rows["refusal_rate", "all", "primary"]
    assert row["value"] == pytest.approx(3 / 40)
    assert row["ci_method"] == "wilson_effective_n"


def test_the_order_of_the_rows_is_fixed():
    rows = estimates(TWENTY, ["pass@2", "accuracy"], draws=2)
    assert list(rows) == sorted(rows)
