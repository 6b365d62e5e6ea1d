"""Metrics of several draws, against enumeration; and bounds that hold whatever was missing."""

import math
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from eval_pipeline.metrics.draws.formula_at_k import pass_at_k, pass_at_k_plugin
from eval_pipeline.metrics.measures.item_values import item_values
from eval_pipeline.metrics.registry import METRICS
from eval_pipeline_tests.metrics.described import rows_of
from eval_pipeline_tests.metrics.recorded import recorded

OF_DRAWS = [name for name, one in METRICS.items() if one.needs_k]


def values_of(name, k, marks, draws=None, **more):
    items, samples = recorded(marks, **more)
    return item_values(METRICS[name], k, items, samples, draws_per_item=draws)


@given(st.text("+-", min_size=1, max_size=7), st.integers(1, 4))
def test_first_draws_are_what_running_k_times_would_have_shown(drawn, k):
    direct = values_of("pass_at_k_direct", k, {"a": drawn}).value[0]
    by_run = values_of("pass_hat_k_by_run", k, {"a": drawn}).value[0]
    if len(drawn) < k:
        assert math.isnan(direct)
        assert math.isnan(by_run)
    else:
        assert direct == ("+" in drawn[:k])
        assert by_run == ("-" not in drawn[:k])


@given(st.permutations("++--x-"), st.integers(1, 3))
def test_first_draws_over_all_orders_average_to_the_unbiased_estimates(drawn, k):
    """What makes direct estimates unbiased; failed draws that are excluded leave no hole."""
    scored = [mark for mark in drawn if mark != "x"]
    value = values_of("pass_at_k_direct", k, {"a": "".join(drawn)}).value[0]
    assert value == ("+" in scored[:k])
    choices = list(combinations("++---", k))
    assert np.mean(["+" in one for one in choices]) == pytest.approx(pass_at_k([5], [2], k)[0])


@given(st.lists(st.sampled_from(["A", "B", "C", None]), min_size=1, max_size=6), st.integers(1, 4))
def test_the_gap_is_what_enumeration_of_choices_gives(said, k):
    marks = {"a": "".join("r" if one is None else "+" if one == "A" else "-" for one in said)}
    letters = {"a": "".join(one or "?" for one in said)}
    found = values_of("pass_majority_gap", k, marks, answers=letters).value[0]
    gaps = []
    for drawn in combinations(said, k):
        votes = {one: drawn.count(one) for one in drawn if one is not None}
        modes = [one for one, n in votes.items() if n == max(votes.values())]
        gaps.append(("A" in drawn) - ("A" in modes) / max(len(modes), 1))
    if gaps:
        assert found == pytest.approx(np.mean(gaps))
    else:
        assert math.isnan(found)


def test_the_plug_in_is_low_and_never_mistaken_for_the_estimate():
    n, c = [5, 20, 3], [1, 10, 3]
    plugin, unbiased = pass_at_k_plugin(n, c, 3), pass_at_k(n, c, 3)
    assert plugin == pytest.approx([1 - 0.8**3, 1 - 0.5**3, 1.0])
    assert (plugin <= unbiased).all()
    assert math.isnan(pass_at_k_plugin([2], [1], 3)[0])
    row = rows_of(*recorded({"a": "+-", "b": "--"}), ["pass_at_k_plugin@2"])
    assert "diagnostic only" in row["pass_at_k_plugin@2", "all", "primary"]["reason"]


@given(
    st.dictionaries(st.sampled_from("abcde"), st.text("+-xrg", max_size=4), min_size=1),
    st.sampled_from(OF_DRAWS),
    st.integers(1, 3),
    st.sampled_from([None, 4]),
)
def test_bounds_hold_every_value_and_every_way_the_missing_could_have_ended(marks, name, k, draws):
    """`x` is excluded and may have been right or wrong; absent draws as well."""
    stem = {"pass_at_k": "pass@", "pass_hat_k": "pass^", "majority_vote": "majority@"}
    label = f"{stem.get(name, name + '@')}{k}"
    for row in rows_of(*recorded(marks), [label], draws=draws).values():
        low, high = row["bound_low"], row["bound_high"]
        if not math.isnan(row["value"]) and not math.isnan(low):
            assert low - 1e-12 <= row["value"] <= high + 1e-12
    if name in ("majority_vote", "pass_majority_gap") or "g" in "".join(marks.values()):
        return
    found = values_of(name, k, marks, draws)
    for mark in "+-":
        filled = {item: drawn.replace("x", mark) for item, drawn in marks.items()}
        ended = values_of(name, k, filled, draws).value
        known = ~np.isnan(ended) & ~np.isnan(found.low)
        assert (found.low[known] - 1e-12 <= ended[known]).all()
        assert (ended[known] <= found.high[known] + 1e-12).all()


def test_bounds_hold_a_value_of_fewer_items_and_complete_items_have_their_own():
    """b can only be wrong at pass^2, and leaves the estimate: left out is one reading as well."""
    marks = {"a": "++", "b": "-x"}
    row = rows_of(*recorded(marks), ["pass^2"])["pass^2", "all", "primary"]
    assert row["value"] == 1.0
    assert (row["bound_low"], row["bound_high"]) == (0.5, 1.0)
    short = rows_of(*recorded({"a": "+++", "b": "-"}), ["pass@2"])
    assert short["pass@2", "all", "complete_items"]["bound_low"] == 1.0
    assert math.isnan(short["pass@2", "all", "primary"]["value"])


def test_a_truth_value_among_counts_is_refused():
    with pytest.raises(ValueError, match="item 1: n_draws is True"):
        pass_at_k([3, True], [1, 1], 1)
