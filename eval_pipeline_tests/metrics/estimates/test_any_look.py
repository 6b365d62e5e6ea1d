"""Intervals for people who look early: at every look, or not at all."""

import math

import numpy as np
import pytest
from scipy.stats import binomtest

from eval_pipeline.metrics.comparisons.rows import ComparisonTerms, Differences, comparison_rows
from eval_pipeline.metrics.estimates.any_look import at_any_look
from eval_pipeline.metrics.estimates.row import Design
from eval_pipeline.metrics.estimates.rows import estimate_rows
from eval_pipeline.metrics.samples import Items, Samples
from eval_pipeline.statistics.randomness import generator
from eval_pipeline.statistics.sequential import any_time_interval, betting_sequence
from eval_pipeline_tests.metrics.recorded import items_table, scores_table

PLANNED = 200
ITEMS = Items.from_table(items_table([f"i{i:03}" for i in range(PLANNED)]))


def row_of(gain, sequential):
    """The row `all` of a comparison whose first items have arrived."""
    value = np.concatenate([gain, np.full(PLANNED - len(gain), np.nan)])
    unknown = np.isnan(value)
    found = Differences(
        value,
        np.where(unknown, -1.0, value),
        np.where(unknown, 1.0, value),
        np.zeros(PLANNED, dtype=bool),
        np.ones(PLANNED, dtype=bool),
    )
    return comparison_rows(ITEMS, found, ComparisonTerms(0.95, "holm", None, (), sequential))[0]


def test_many_looks_break_the_plain_promise_and_not_the_other():
    rng, runs = generator(11, "looks"), 100
    missed = dict.fromkeys((False, True), 0)
    for _ in range(runs):
        gain = rng.choice([-1.0, 0.0, 1.0], PLANNED, p=[0.2, 0.6, 0.2])
        for sequential in missed:
            rows = [row_of(gain[:seen], sequential) for seen in range(40, PLANNED + 1, 20)]
            missed[sequential] += any(row["ci_low"] > 0 or row["ci_high"] < 0 for row in rows)
            for row in rows:  # the test says what the interval says
                out = row["ci_low"] > 0 or row["ci_high"] < 0
                assert (row["p_value"] < 0.05) == (row["p_adjusted"] < 0.05) == out
    assert missed[False] > 0.1 * runs
    assert binomtest(missed[True], runs, 0.05, alternative="greater").pvalue > 1e-3


def test_the_interval_is_the_sequence_planned_for_all_items():
    gain = np.tile([1.0, 0.0, 0.0, -1.0, 1.0], 20)
    plain, row = row_of(gain, False), row_of(gain, True)
    assert (row["difference"], row["se"]) == (plain["difference"], plain["se"])
    ends = any_time_interval(plain["difference"], plain["se"], 100, PLANNED)
    assert (row["ci_low"], row["ci_high"]) == pytest.approx(ends)
    assert row["ci_method"] == "any_time"


def test_what_holds_at_one_look_only_is_withheld_with_the_reason():
    few = row_of(np.tile([1.0, 0.0, -1.0], 6), True)
    assert (few["status"], few["ci_method"]) == ("ok", None)
    assert (math.isnan(few["ci_low"]), math.isfinite(few["difference"])) == (True, True)
    assert math.isnan(few["p_value"])
    assert "no interval that holds at any look: 18 clusters, 30 needed" in few["reason"]
    seldom = row_of(np.concatenate([np.ones(3), np.zeros(97)]), True)
    assert "too few clusters differ" in seldom["reason"]
    same = row_of(np.zeros(100), True)
    assert same["ci_method"] is None


def test_estimates_near_their_ends_stay_inside():
    marks = {f"i{i:03}": "-" if i % 40 == 0 else "+" for i in range(PLANNED)}
    samples = Samples.from_table(scores_table(marks), ITEMS)
    rows = {
        sequential: next(
            row
            for row in estimate_rows(
                ITEMS,
                samples,
                Design(("accuracy",), 1, 0.95, "item_id", None, (), sequential=sequential),
            )
            if row["policy"] == "primary"
        )
        for sequential in (False, True)
    }
    assert rows[True]["ci_method"] == "any_time_wilson"
    assert rows[True]["ci_low"] < rows[False]["ci_low"] < rows[True]["value"]
    assert rows[False]["ci_high"] < rows[True]["ci_high"] <= 1


@pytest.mark.parametrize("n", [1, 10, 60])
@pytest.mark.parametrize(("value", "least", "most"), [(0.0, 0.0, 1.0), (1.0, 0.0, 1.0), (5, 1, 9)])
def test_where_all_clusters_say_the_same_the_ends_are_those_of_the_bets(n, value, least, most):
    row = {"value": value, "se": 0.0, "n_units": n, "confidence": 0.95, "ci_method": "wilson"}
    made = at_any_look(row, 200, value="value", clusters="n_units", least=least, most=most)
    low, high = betting_sequence(np.full(n, (value - least) / (most - least)), 0.95)
    assert made["ci_low"] == least + low[-1] * (most - least)
    assert made["ci_high"] == least + high[-1] * (most - least)
    assert made["ci_low"] <= value <= made["ci_high"]
    assert made["ci_method"] == "betting"


def test_a_bar_can_be_cleared_where_nothing_ever_happened():
    ends = []
    for n in (20, 60, 200):
        row = {"value": 0.0, "se": 0.0, "n_units": n, "confidence": 0.95, "ci_method": "wilson"}
        made = at_any_look(row, 200, value="value", clusters="n_units", least=0.0, most=1.0)
        ends.append(made["ci_high"])
    assert ends == sorted(ends, reverse=True)
    assert ends[-1] < 0.05


def test_a_row_without_an_interval_gets_none():
    bare = {"v": 0.5, "se": 0.1, "ci_method": None, "n": 100, "confidence": 0.95, "reason": "few"}
    found = at_any_look(bare, 100, value="v", clusters="n", least=0, most=1)
    assert found == bare
