import math

import numpy as np
import pytest
from scipy.stats import ttest_rel

from eval_pipeline.metrics.comparisons.judged import judged_differences
from eval_pipeline.metrics.comparisons.rows import (
    ComparisonTerms,
    comparison_rows,
    item_differences,
    nothing_to_compare,
)
from eval_pipeline.metrics.measures.item_values import item_values
from eval_pipeline.metrics.registry import METRICS
from eval_pipeline.metrics.samples import Items, Samples
from eval_pipeline.statistics.multiplicity import adjusted
from eval_pipeline.warehouse.schemas import TABLES
from eval_pipeline_tests.metrics.recorded import items_table, scores_table

NAMED = {"checkpoint": "b", "baseline": "a", "role": "parent", "metric": "accuracy"}


def compared(candidate, baseline, *, slices=None, macro=None, draws=1):
    """The rows by slice; both are marks by item."""
    items = Items.from_table(items_table(sorted(candidate | baseline), slices=slices))
    values = [
        item_values(
            METRICS["accuracy"],
            None,
            items,
            Samples.from_table(scores_table(marks), items),
            draws_per_item=draws,
        )
        for marks in (candidate, baseline)
    ]
    names = sorted({name for labels in (slices or {}).values() for name in labels})
    terms = ComparisonTerms(0.95, "holm", macro, tuple(names))
    rows = comparison_rows(items, item_differences(*values), terms)
    TABLES["paired_comparisons"].from_rows([{**NAMED, **row} for row in rows])
    return {row["slice"]: row for row in rows}


def marks(right, n=40):
    return {f"i{i:02}": "+" if right(i) else "-" for i in range(n)}


def test_the_difference_is_candidate_minus_baseline_on_the_same_items():
    better, worse = marks(lambda i: i % 4), marks(lambda i: i % 2)
    row = compared(better, worse)["all"]
    a, b = ([int(m == "+") for m in side.values()] for side in (better, worse))
    theirs = ttest_rel(a, b)
    assert row["difference"] == pytest.approx(0.25)
    assert row["p_value"] == pytest.approx(theirs.pvalue)
    assert (row["n_shared"], row["n_unshared"], row["n_clusters"]) == (40, 0, 40)
    assert row["items_won"] == [f"i{i:02}" for i in range(40) if i % 4 == 2]
    assert row["items_lost"] == []


def test_only_shared_items_count_and_the_others_widen_the_bounds():
    candidate, baseline = marks(lambda i: i % 3), marks(lambda i: i % 2)
    del candidate["i00"]
    baseline["i01"] = "x"
    row = compared(candidate, baseline)["all"]
    assert (row["n_shared"], row["n_unshared"]) == (38, 2)
    assert row["reason"] == "left out: 2 of 40 items without a score on both sides"
    shared = [i for i in range(40) if i > 1]
    total = sum(bool(i % 3) - bool(i % 2) for i in shared)
    assert row["difference"] == pytest.approx(total / 38)
    # i00: the baseline was wrong; i01: the candidate was right
    assert row["bound_low"] == pytest.approx((total + 0 - 0 + 1 - 1) / 40)
    assert row["bound_high"] == pytest.approx((total + 1 - 0 + 1 - 0) / 40)


def test_slices_are_adjusted_together_and_the_whole_is_not():
    slices = {f"i{i:02}": {"topic": "xyz"[i % 3]} for i in range(40)}
    rows = compared(marks(lambda i: i % 4), marks(lambda i: i % 2), slices=slices)
    assert rows["all"]["p_adjusted"] == rows["all"]["p_value"]
    assert rows["all"]["adjustment"] == "none"
    sliced = [rows[f"topic={value}"] for value in "xyz"]
    expected = adjusted([row["p_value"] for row in sliced], "holm")
    np.testing.assert_allclose([row["p_adjusted"] for row in sliced], expected)
    assert {row["adjustment"] for row in sliced} == {"holm over 3 slices"}
    assert sum(row["n_shared"] for row in sliced) == 40


def test_nothing_shared_is_undefined_and_no_tie():
    row = compared({"a": "x", "b": "+"}, {"a": "+", "b": "x"})["all"]
    assert math.isnan(row["difference"])
    assert (row["status"], row["reason"], row["n_unshared"]) == ("undefined", "no shared items", 2)
    assert (row["bound_low"], row["bound_high"]) == (-0.5, 0.5)


def test_macro_differences_weigh_groups_alike():
    slices = {f"i{i:02}": {"topic": "x" if i < 30 else "y"} for i in range(40)}
    row = compared(
        marks(lambda i: i >= 30 or i % 2), marks(lambda i: i % 2), slices=slices, macro="topic"
    )["all"]
    assert row["difference"] == pytest.approx(0.25)


def test_a_row_about_nothing_has_every_column_and_the_reason():
    row = nothing_to_compare("a was never judged against b", 0.95)
    TABLES["paired_comparisons"].from_rows([{**NAMED, **row}])
    assert row["status"] == "undefined"


def outcomes(rows):
    names = ("item_id", "model_a", "model_b", "score_a")
    return {name: [row[i] for row in rows] for i, name in enumerate(names)}


def test_a_win_rate_is_turned_to_the_candidate_and_centred_on_one_half():
    items = Items.from_table(items_table(["p", "q", "r", "s"]))
    rows = [
        ("p", "a", "b", 1.0),
        ("q", "a", "b", 0.5),
        ("r", "a", "b", None),
        ("s", "a", "c", 1.0),
    ]
    forward = judged_differences(items, outcomes(rows), "a", "b")
    backward = judged_differences(items, outcomes(rows), "b", "a")
    np.testing.assert_array_equal(forward.value, [0.5, 0.0, np.nan, np.nan])
    np.testing.assert_array_equal(backward.value, [-0.5, 0.0, np.nan, np.nan])
    np.testing.assert_array_equal(forward.sampled, [True, True, True, False])
    row = comparison_rows(items, forward, ComparisonTerms(0.95, "holm", None, ()))[0]
    assert row["difference"] == 0.25
    assert (row["n_shared"], row["n_unshared"]) == (2, 1)
    assert (row["bound_low"], row["bound_high"]) == (0.0, pytest.approx(1 / 3))


def test_a_pair_that_was_never_judged_is_no_tie():
    items = Items.from_table(items_table(["p"]))
    assert judged_differences(items, outcomes([]), "a", "b") is None


@pytest.mark.parametrize(
    ("rows", "said"),
    [
        ([("p", "a", "b", 1.0), ("p", "b", "a", 1.0)], "stand twice"),
        ([("z", "a", "b", 1.0)], "hold item 'z'"),
    ],
)
def test_bad_outcomes_are_named(rows, said):
    items = Items.from_table(items_table(["p"]))
    with pytest.raises(ValueError, match=said):
        judged_differences(items, outcomes(rows), "a", "b")
