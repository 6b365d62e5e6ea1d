"""Calibration through the chain: from columns to rows of `metric_estimates`."""

import math

import numpy as np
import pytest

from eval_pipeline.metrics.calibration.rows import diagrams, reliability_rows
from eval_pipeline.statistics.clustered import mean
from eval_pipeline.statistics.randomness import generator
from eval_pipeline_tests.metrics.described import described, rows_of

PRIMARY = ("all", "primary")


def stated(marks, confidences, **more):
    """confidences: a number (or None) a draw."""
    generations = {
        item: [{} if p is None else {"confidence": p} for p in given]
        for item, given in confidences.items()
    }
    return described(marks, generations, **more)


def many(n=60, seed=1):
    rng = generator(seed, "calibration rows")
    p = np.round(rng.uniform(0, 1, (n, 2)), 2)
    right = rng.random((n, 2)) < p
    marks = {f"i{i:03}": "".join("-+"[int(one)] for one in right[i]) for i in range(n)}
    return p, right, marks, {f"i{i:03}": p[i].tolist() for i in range(n)}


def test_brier_is_the_mean_of_squared_gaps_over_draws_and_items():
    p, right, marks, confidences = many()
    row = rows_of(*stated(marks, confidences), ["brier_binary"])["brier_binary", *PRIMARY]
    of_items = ((p - right) ** 2).mean(axis=1)
    expected = mean(of_items, list(marks))
    assert row["value"] == pytest.approx(expected.value)
    assert (row["ci_low"], row["ci_high"]) == pytest.approx((expected.low, expected.high))
    assert (row["n_items"], row["n_samples"], row["n_excluded"]) == (60, 120, 0)
    assert (row["measured_in"], row["higher_is_better"]) == ("squared error", False)
    assert (row["bound_low"], row["bound_high"]) == pytest.approx((row["value"],) * 2)
    assert row["instrument"] == "brier_binary@1"


def test_failed_draws_are_wrong_or_left_out_as_the_contract_says():
    """r counts as wrong and keeps its confidence, x is excluded, one draw states none."""
    marks = {"a": "+r", "b": "-x", "c": "+"}
    given = {"a": [0.9, 0.5], "b": [0.2, 0.9], "c": [None]}
    rows = rows_of(*stated(marks, given), ["brier_binary"])
    row = rows["brier_binary", *PRIMARY]
    assert row["value"] == pytest.approx(((0.01 + 0.25) / 2 + 0.04) / 2)
    assert (row["n_items"], row["n_samples"], row["n_excluded"]) == (2, 3, 2)
    assert "1 of 5 samples have no generations.confidence" in row["reason"]
    assert row["bound_low"] < row["value"] < row["bound_high"]
    wrong = rows["brier_binary", "all", "all_wrong"]
    assert wrong["value"] == pytest.approx(((0.01 + 0.25) / 2 + (0.04 + 0.81) / 2) / 2)
    assert rows["brier_binary", "all", "valid_only"]["n_samples"] == 2


def test_the_calibration_error_is_the_one_of_its_bins_with_items_weighed_alike():
    p, right, marks, confidences = many()
    for label, bins in (("ece_event", 10), ("ece_event(bins=4)", 4)):
        row = rows_of(*stated(marks, confidences), [label])[label, *PRIMARY]
        index = np.minimum((p * bins + 1e-9).astype(int), bins - 1)
        gaps = [abs((p - right)[index == k].sum()) for k in range(bins)]
        assert row["value"] == pytest.approx(sum(gaps) / p.size)
        assert row["ci_low"] < row["value"] < row["ci_high"]
        assert row["ci_method"] == "inverted_t"
        assert "biased upwards" in row["reason"]
        assert math.isnan(row["bound_low"])


def test_an_item_with_more_draws_does_not_weigh_more():
    marks = {"a": "++++", "b": "-"} | {f"z{i:02}": "+" for i in range(10)}
    given = {name: [0.5] * len(drawn) for name, drawn in marks.items()}
    row = rows_of(*stated(marks, given), ["ece_event"])["ece_event", *PRIMARY]
    assert row["value"] == pytest.approx(abs(0.5 - 11 / 12))


def test_murphys_five_terms_make_the_brier_score():
    _, _, marks, confidences = many()
    terms = ["reliability", "resolution", "uncertainty", "within_variance", "within_covariance"]
    labels = [f"murphy_{term}" for term in terms]
    rows = rows_of(*stated(marks, confidences), [*labels, "brier_binary"])
    value = [rows[label, *PRIMARY]["value"] for label in labels]
    signs = [1, -1, 1, 1, -1]
    assert np.dot(signs, value) == pytest.approx(rows["brier_binary", *PRIMARY]["value"])


def test_slices_and_macro_are_those_of_the_group():
    _, _, marks, confidences = many()
    slices = {name: {"topic": "xy"[i % 3 == 0]} for i, name in enumerate(marks)}
    items, samples = stated(marks, confidences, slices=slices)
    labels = ["brier_binary", "ece_event", "risk_coverage_area"]
    micro = rows_of(items, samples, labels, slices=["topic"])
    macro = rows_of(items, samples, labels, macro="topic")
    for label in labels:
        groups = [micro[label, f"topic={name}", "primary"]["value"] for name in "xy"]
        assert macro[label, *PRIMARY]["value"] == pytest.approx(np.mean(groups))
        assert micro[label, "topic=x", "primary"]["n_items"] == 40


@pytest.mark.parametrize("label", ["brier_binary", "ece_event", "risk_coverage_area"])
def test_a_column_that_nobody_recorded_leaves_an_undefined_row_with_its_name(label):
    row = rows_of(*stated({"a": "+", "b": "-"}, {}), [label])[label, *PRIMARY]
    assert math.isnan(row["value"])
    assert row["status"] == "undefined"
    assert row["reason"] == (
        f"no sample has generations.confidence: record it, or take {label} out of metrics"
    )
    assert (row["n_samples"], row["n_excluded"]) == (0, 2)


@pytest.mark.parametrize("label", ["brier_binary", "ece_event"])
def test_a_verdict_between_wrong_and_right_leaves_an_undefined_row_that_names_it(label):
    row = rows_of(*stated({"a": "+", "b": "h"}, {"a": [0.5], "b": [0.5]}), [label])[label, *PRIMARY]
    assert math.isnan(row["value"])
    assert "item 'b', draw 0: score 0.5 lies between wrong and right" in row["reason"]


def test_probabilities_of_options_know_the_right_one_by_text_or_letter():
    items = {
        "a": {"options": ["red", "blue"], "answer": "blue"},
        "b": {"options": ["1", "2", "3"], "answer": "A"},
    }
    given = {"a": [{"probabilities": [0.3, 0.7]}], "b": [{"probabilities": [0.5, 0.25, 0.25]}]}
    rows = rows_of(*described({"a": "+", "b": "-"}, given, items), ["brier_sum", "nll_options"])
    assert rows["brier_sum", *PRIMARY]["value"] == pytest.approx((0.18 + 0.375) / 2)
    surprise = -(math.log(0.7) + math.log(0.5)) / 2
    assert rows["nll_options", *PRIMARY]["value"] == pytest.approx(surprise)
    given["b"] = [{"probabilities": [0.5, 0.25]}]
    row = rows_of(*described({"a": "+", "b": "-"}, given, items), ["brier_sum"])
    assert "item 'b', draw 0: 2 probabilities for 3" in row["brier_sum", *PRIMARY]["reason"]


def test_clips_are_counted_beside_the_value():
    given = {"a": [0.0], "b": [0.5]}
    row = rows_of(*stated({"a": "+", "b": "+"}, given), ["nll_binary"])["nll_binary", *PRIMARY]
    assert row["value"] == pytest.approx((-math.log(1e-12) + math.log(2)) / 2)
    assert "1 of 2 probabilities of what happened were raised to 1e-12" in row["reason"]


def test_a_diagram_holds_each_sample_once_and_one_way_of_binning_has_one_diagram():
    p, right, marks, confidences = many()
    labels = diagrams(["brier_binary", "ece_event", "ece_event(bins=4)", "murphy_resolution"])
    assert labels == ("ece_event", "ece_event(bins=4)")
    items, samples = stated(marks, confidences)
    rows = [r for r in reliability_rows(items, samples, labels, 0.95) if r["metric"] == labels[1]]
    assert sum(row["n_samples"] for row in rows) == p.size
    first = rows[0]
    assert first["share_right"] == pytest.approx(right[p < 0.25].mean())
    assert first["ci_low"] <= first["share_right"] <= first["ci_high"]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("label", "truth"),
    [
        ("brier_binary", None),
        ("ece_event", 0.15),
        ("ece_event(bins=5, rule=equal_mass)", 0.0),
        ("murphy_reliability", 0.0225),
        ("risk_coverage_area", None),
    ],
)
def test_intervals_hold_the_truth_as_often_as_they_say(label, truth):
    """Chances overstated by .15 or not, two draws an item that go together; 250 checkpoints."""
    rng = generator(7, "coverage", label)
    overstated = 0.0 if truth == 0 else 0.15

    def checkpoint(n):
        stated_p = rng.uniform(0.35, 0.95, n)
        both = rng.random(n) < 0.5
        draws = rng.random((n, 2))
        draws[both, 1] = draws[both, 0]
        right = draws < (stated_p - overstated)[:, None]
        marks = {f"i{i:05}": "".join("-+"[int(o)] for o in right[i]) for i in range(n)}
        return stated(marks, {name: [stated_p[i]] * 2 for i, name in enumerate(marks)})

    if truth is None:
        truth = rows_of(*checkpoint(40_000), [label])[label, *PRIMARY]["value"]
    held = 0
    for _ in range(250):
        row = rows_of(*checkpoint(200), [label])[label, *PRIMARY]
        held += row["ci_low"] <= truth <= row["ci_high"]
    assert 0.91 <= held / 250 <= (1.0 if truth == 0 else 0.99)
