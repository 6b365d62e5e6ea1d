"""Brier scores, log-likelihood, bins, calibration errors and Murphy's terms."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.special import rel_entr

from eval_pipeline.metrics.calibration.bins import bin_index
from eval_pipeline.metrics.calibration.formula_ece import (
    calibration_error,
    reliability,
    top_label,
    top_label_binary,
)
from eval_pipeline.metrics.calibration.formula_murphy import murphy_decomposition
from eval_pipeline.metrics.calibration.formula_scoring import (
    brier_binary,
    brier_sum,
    calibration_report,
    nll,
    nll_binary,
)
from eval_pipeline.statistics.intervals import wilson

samples = st.lists(
    st.tuples(st.floats(0, 1) | st.sampled_from([0.0, 0.1, 0.3, 0.5, 1.0]), st.integers(0, 1)),
    min_size=1,
    max_size=30,
)


def naive_bin(p, bins):
    """By definition: the last i with i / bins <= p."""
    return max(i for i in range(bins) if i / bins <= p)


@given(samples, st.integers(1, 12))
def test_ece_is_its_definition(case, bins):
    expected = 0.0
    for k in range(bins):
        inside = [(p, y) for p, y in case if naive_bin(p, bins) == k]
        if inside:
            confidence, accuracy = np.mean(inside, axis=0)
            expected += len(inside) / len(case) * abs(confidence - accuracy)
    p, y = zip(*case, strict=True)
    assert calibration_error(p, y, bins) == pytest.approx(expected, abs=1e-12)


@given(samples, st.integers(1, 12), st.sampled_from(["equal_width", "equal_mass"]))
def test_murphy_with_the_terms_within_bins_is_the_brier_score(case, bins, rule):
    p, y = zip(*case, strict=True)
    found = murphy_decomposition(p, y, bin_index(p, bins, rule))
    whole = found.three_term_sum + found.within_bin_variance - found.within_bin_covariance
    assert whole == pytest.approx(brier_binary(p, y), abs=1e-12)
    assert found.brier == pytest.approx(brier_binary(p, y), abs=1e-15)
    assert min(found.reliability, found.resolution, found.within_bin_variance) >= 0


def test_without_bins_every_distinct_forecast_is_one_and_three_terms_are_exact():
    p, y = [0.2, 0.2, 0.7, 0.7, 0.7], [0, 1, 1, 1, 0]
    found = murphy_decomposition(p, y)
    assert found.within_bin_variance == pytest.approx(0, abs=1e-15)
    assert found.three_term_sum == pytest.approx(brier_binary(p, y), abs=1e-15)


@given(samples)
def test_two_classes_sum_to_twice_the_binary_score(case):
    p, y = (np.array(x) for x in zip(*case, strict=True))
    table = np.column_stack([1 - p, p])
    assert brier_sum(table, y) == pytest.approx(2 * brier_binary(p, y), abs=1e-12)
    assert nll(table, y).value == pytest.approx(nll_binary(p, y).value, abs=1e-12)


def test_the_log_likelihood_counts_what_it_clips():
    found = nll_binary([0.0, 1.0, 0.5], [1, 1, 0], clip=1e-6)
    assert found.n_clipped == 1
    assert found.value == pytest.approx((-math.log(1e-6) + math.log(2)) / 3)
    assert math.copysign(1, nll_binary([1.0], [1]).value) == 1
    assert nll([[0, 1, 0]], [0]).n_clipped == 1


def test_the_log_likelihood_is_the_divergence_from_what_happened():
    p, y = np.array([[0.2, 0.5, 0.3], [0.6, 0.3, 0.1]]), np.array([1, 0])
    assert nll(p, y).value == pytest.approx(rel_entr(np.eye(3)[y], p).sum(axis=1).mean())


def test_a_draw_counts_as_one_half_only_where_that_is_said():
    assert brier_binary([0.7, 0.2], [0.5, 0], graded=True) == pytest.approx(0.04)
    with pytest.raises(ValueError, match=r"y\[0\] is 0\.5: it must be the number 0 or 1"):
        brier_binary([0.7, 0.2], [0.5, 0])


@pytest.mark.parametrize("clip", [0, 0.5, -1, True])
def test_a_clip_is_small_and_above_0(clip):
    with pytest.raises(ValueError, match="clip"):
        nll_binary([0.5], [1], clip)


def test_edges_belong_to_the_bin_above_and_1_to_the_last():
    p = [0.0, 0.1, 0.29, 0.3, 0.57, 1.0]
    assert bin_index(p, 10).tolist() == [0, 1, 2, 3, 5, 9]
    assert bin_index(p, 10, "equal_width_right").tolist() == [0, 0, 2, 2, 5, 9]
    assert bin_index([0.29, 0.57, 0.58], 100).tolist() == [29, 57, 58]


@given(samples, st.integers(1, 12))
def test_bins_of_equal_mass_part_no_equal_forecasts_and_keep_the_order(case, bins):
    p = np.array([p for p, _ in case])
    index = bin_index(p, bins, "equal_mass")
    order = np.argsort(p, kind="stable")
    assert (np.diff(index[order]) >= 0).all()
    assert all(len(set(index[p == value])) == 1 for value in p)
    if len(set(p)) == len(p):
        assert np.ptp(np.bincount(index, minlength=bins)) <= 1


def test_cases_that_others_got_wrong(golden_vectors):
    cases = {c["id"]: c for c in golden_vectors("bug_cases.jsonl") if c["area"] == "calibration"}
    assert set(cases) == {"PB104", "PB106"}
    edge, ties = cases["PB104"], cases["PB106"]
    given_ = edge["minimal_input"]
    found = calibration_error(given_["conf"], given_["correct"], given_["bins"])
    assert found == pytest.approx(edge["right_behaviour"]["ece"])
    given_ = ties["minimal_input"]
    for rule in ("equal_mass", "equal_width", "equal_width_right"):
        found = calibration_error(given_["conf"], given_["correct"], 10, rule)
        assert found == pytest.approx(ties["right_behaviour"]["ece"])


def test_the_two_kinds_of_ece_differ_on_the_same_forecasts():
    p, y = [0.2, 0.8], [0, 0]
    assert calibration_error(p, y, 5) == pytest.approx(0.5)
    assert calibration_error(*top_label_binary(p, y), 5) == pytest.approx(0.3)
    table = np.column_stack([1 - np.array(p), p])
    for one, other in zip(top_label(table, y), top_label_binary(p, y), strict=True):
        np.testing.assert_allclose(one, other)


@pytest.mark.parametrize("bins", [0, -1, 2.0, True, None])
def test_bins_are_a_whole_number_above_0(bins):
    with pytest.raises(ValueError, match="bins must be"):
        calibration_report([0.5], [1], bins)


def test_an_unknown_rule_is_refused_with_the_known_ones():
    with pytest.raises(ValueError, match="unknown rule 'width' of binning: use equal_width,"):
        calibration_error([0.5], [1], 10, "width")


def test_a_reliability_diagram_shows_each_bin_with_its_interval():
    p, y = [0.05, 0.15, 0.12, 0.95, 1.0], [0, 1, 0, 1, 1]
    found = reliability(p, y, 10)
    assert found.n.tolist() == [1, 2, 0, 0, 0, 0, 0, 0, 0, 2]
    assert found.confidence[[0, 1, 9]].tolist() == pytest.approx([0.05, 0.135, 0.975])
    assert found.accuracy[[0, 1, 9]].tolist() == [0, 0.5, 1]
    assert np.isnan(found.accuracy[2])
    assert (found.ci_low[1], found.ci_high[1]) == wilson(1, 2)
    assert found.method[:3] == ("wilson", "wilson", None)
    assert (found.low[1], found.high[1]) == (0.1, 0.2)
    weighed = np.nansum(found.n * np.abs(found.confidence - found.accuracy)) / found.n.sum()
    assert weighed == pytest.approx(calibration_error(p, y, 10))


def test_a_clustered_interval_is_wider_where_clusters_agree():
    rng = np.random.default_rng(0)
    clusters = np.repeat(np.arange(40), 10)
    y = np.repeat(rng.integers(0, 2, 40), 10)
    alone, together = (
        reliability(np.full(400, 0.5), y, 1, clusters=units) for units in (None, clusters)
    )
    width = [d.ci_high[0] - d.ci_low[0] for d in (alone, together)]
    assert together.method == ("cr1_t",)
    assert width[1] == pytest.approx(width[0] * math.sqrt(10), rel=0.1)
    few = reliability([0.1, 0.1], [0, 1], 2, clusters=["a", "a"])
    assert few.method == (None, None)
    assert np.isnan(few.ci_low[0])


def test_a_bin_of_equal_mass_is_named_by_the_forecasts_in_it():
    found = reliability([0.1, 0.2, 0.8, 0.9], [0, 0, 1, 1], 2, "equal_mass")
    assert found.low.tolist() == [0.1, 0.8]
    assert found.high.tolist() == [0.2, 0.9]


def test_a_report_never_shows_an_ece_alone():
    found = calibration_report([0.4] * 5, [1, 1, 0, 0, 0])
    assert found.ece == pytest.approx(0)
    assert found.murphy.resolution == pytest.approx(0)
    assert found.brier == pytest.approx(0.24)
    assert (found.n, found.bins, found.rule) == (5, 10, "equal_width")


@pytest.mark.parametrize(
    ("p", "y", "complaint"),
    [
        ([0.5], [0.9], r"y\[0\] is 0\.9: it must be the number 0 or 1"),
        ([0.5], [True], r"y\[0\] is True"),
        ([None], [0], r"p\[0\] is undefined"),
        ([0.1, 0.2], [1], "2 of p, 1 of y"),
        ([], [], "p is empty"),
    ],
)
def test_bad_input_is_named(p, y, complaint):
    for metric in (brier_binary, nll_binary, calibration_report, murphy_decomposition):
        with pytest.raises(ValueError, match=complaint):
            metric(p, y)


def test_the_published_brier_score_of_real_forecasts(reference_data):
    from eval_pipeline_tests.reproduce.nfl_brier import rows

    assert not [row for row in rows() if not abs(row.difference) <= row.allowed]
