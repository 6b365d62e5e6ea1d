"""Labels and scores of two classes and more, fields of documents."""

import math

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy.stats import mannwhitneyu

from eval_pipeline.metrics.classification.formula_classes import class_report, classification_sums
from eval_pipeline.metrics.classification.formula_ranks import (
    auprc_influence,
    auroc_influence,
    delong_standard_error,
    discrimination,
)
from eval_pipeline.metrics.field_extraction.formula import field_report, field_sums
from eval_pipeline.statistics.clustered import standard_error

labelled = st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3)), min_size=1, max_size=25)
scored = st.lists(st.tuples(st.integers(0, 1), st.integers(0, 5)), min_size=2, max_size=20)


@given(labelled)
def test_each_class_is_counted_by_definition(case):
    truth, answer = zip(*case, strict=True)
    found = class_report(truth, answer)
    assert found.classes == tuple(sorted(set(truth) | set(answer)))
    f1s = []
    for i, label in enumerate(found.classes):
        hits = sum(t == a == label for t, a in case)
        answers, truths = answer.count(label), truth.count(label)
        precision, recall = found.precision[i], found.recall[i]
        assert math.isnan(precision) if not answers else precision == hits / answers
        assert math.isnan(recall) if not truths else recall == hits / truths
        f1s.append(2 * hits / (answers + truths))
    assert found.macro_f1 == pytest.approx(np.mean(f1s))
    assert found.accuracy == found.micro_f1 == pytest.approx(np.mean(np.equal(truth, answer)))
    assert found.support.sum() == found.n == len(case)


def test_who_never_names_the_rare_class_has_half_a_macro_f1():
    found = class_report([1] + [0] * 99, [0] * 100)
    assert found.accuracy == 0.99
    assert found.macro_f1 == pytest.approx(0.99 / 1.99)
    assert found.prevalence.tolist() == [0.99, 0.01]


@pytest.mark.parametrize(
    ("truth", "answer", "complaint"),
    [
        ([], [], "y_true is empty"),
        ([1, 0], [1], "2 of y_true, 1 of y_pred"),
        ([1], ["1"], r"y_true\[0\] is 1 and y_pred\[0\] is '1'"),
        ([True], [False], r"y_true\[0\] is True: give labels"),
        ([1, None], [1, 1], r"y_true\[1\] is None"),
        ([0.5], [1], r"y_true\[0\] is 0\.5"),
    ],
)
def test_bad_labels_are_named(truth, answer, complaint):
    with pytest.raises(ValueError, match=complaint):
        class_report(truth, answer)


def test_an_unknown_average_is_refused():
    with pytest.raises(ValueError, match="unknown average 'weighted': use accuracy, macro_f1"):
        classification_sums([1], [1], "weighted")


def naive(y, score, weight):
    """AUROC over pairs and average precision over events, from their definitions."""
    events, others = np.flatnonzero(y == 1), np.flatnonzero(y == 0)
    pairs = [(i, j) for i in events for j in others]
    mass = sum(weight[i] * weight[j] for i, j in pairs)
    right = {1: 1.0, 0: 0.5, -1: 0.0}
    auroc = sum(weight[i] * weight[j] * right[int(np.sign(score[i] - score[j]))] for i, j in pairs)
    precisions = [
        np.sum((weight * y)[score >= score[i]]) / np.sum(weight[score >= score[i]]) for i in events
    ]
    return auroc / mass, np.sum(weight[events] * precisions) / weight[events].sum()


@given(scored)
def test_auroc_and_auprc_are_their_definitions(case):
    y, score = (np.array(x, dtype=float) for x in zip(*case, strict=True))
    assume(0 < y.sum() < len(y))
    found = discrimination(y, score)
    auroc, auprc = naive(y, score, np.ones(len(y)))
    assert found.auroc == pytest.approx(auroc)
    assert found.auprc == pytest.approx(auprc)
    u = mannwhitneyu(score[y == 1], score[y == 0], method="asymptotic").statistic
    assert found.auroc == pytest.approx(u / (y.sum() * (len(y) - y.sum())))
    assert found.prevalence == y.mean()


@given(scored)
def test_influences_are_the_derivatives_by_a_samples_weight(case):
    y, score = (np.array(x, dtype=float) for x in zip(*case, strict=True))
    assume(0 < y.sum() < len(y))
    n, h = len(y), 1e-6
    slopes = np.empty((n, 2))
    for i in range(n):
        more, less = np.ones(n), np.ones(n)
        more[i], less[i] = 1 + h, 1 - h
        slopes[i] = np.subtract(naive(y, score, more), naive(y, score, less)) / (2 * h)
    np.testing.assert_allclose(auroc_influence(y, score), slopes[:, 0], atol=1e-6)
    np.testing.assert_allclose(auprc_influence(y, score), slopes[:, 1], atol=1e-6)


def test_delong_is_the_influence_with_unbiased_variances():
    rng = np.random.default_rng(3)
    y, score = np.repeat([0, 1], [40, 25]), rng.normal(size=65)
    pairs = np.sign(score[y == 1][:, None] - score[y == 0]) / 2 + 0.5
    by_event, by_other = pairs.mean(axis=1), pairs.mean(axis=0)
    expected = math.sqrt(np.var(by_event, ddof=1) / 25 + np.var(by_other, ddof=1) / 40)
    assert delong_standard_error(y, score) == pytest.approx(expected)
    plain = math.sqrt(np.var(by_event) / 25 + np.var(by_other) / 40)
    units = np.arange(65)
    alone = standard_error(auroc_influence(y, score), units, 65, correction="CR0")
    assert alone == pytest.approx(plain)
    assert math.isnan(delong_standard_error([0, 1, 1], [1, 2, 3]))


@pytest.mark.slow
def test_clustered_standard_errors_are_those_of_repeated_sampling():
    """Clusters that share class and part of the score: the spread of 600 draws is what is said."""
    rng = np.random.default_rng(11)
    values, said = [], []
    for _ in range(600):
        clusters = np.repeat(np.arange(150), 4)
        y = np.repeat(rng.random(150) < 0.3, 4).astype(float)
        score = y + np.repeat(rng.normal(size=150), 4) + 0.5 * rng.normal(size=600)
        found = discrimination(y, score)
        values.append((found.auroc, found.auprc))
        said.append(
            [
                standard_error(of(y, score), clusters, 150)
                for of in (auroc_influence, auprc_influence)
            ]
        )
    np.testing.assert_allclose(np.mean(said, axis=0), np.std(values, axis=0), rtol=0.1)


@pytest.mark.parametrize("label", [0, 1])
def test_one_class_has_no_discrimination(label):
    found = discrimination([label] * 3, [0.1, 0.2, 0.3])
    assert math.isnan(found.auroc)
    assert math.isnan(found.auprc)
    assert found.prevalence == label
    assert found.reason == f"all 3 samples are of class {label}"
    with pytest.raises(ValueError, match=f"all 3 samples are of class {label}"):
        auroc_influence([label] * 3, [0.1, 0.2, 0.3])


@pytest.mark.parametrize(
    ("y", "score", "complaint"),
    [
        ([0, 2], [0.1, 0.2], r"y\[1\] is 2"),
        ([0, True], [0.1, 0.2], r"y\[1\] is True"),
        ([0, 1], [0.1, None], r"score\[1\] is undefined"),
        ([0, 1], [0.1], "2 of y, 1 of score"),
    ],
)
def test_bad_scores_are_named(y, score, complaint):
    with pytest.raises(ValueError, match=complaint):
        discrimination(y, score)


def test_fields_are_counted_apart_and_a_task_needs_all():
    said = [[1, 1, 0], [1, 1, 0]]
    wanted = [[1, 1, 0], [1, 0, 1]]
    right = [[1, 1, 0], [0, 0, 0]]
    found = field_report(["name", "price", "date"], said, wanted, right)
    assert found.precision[:2].tolist() == [0.5, 0.5]
    assert found.recall.tolist() == [0.5, 1.0, 0.0]
    assert math.isnan(found.precision[2])
    assert found.f1.tolist() == pytest.approx([0.5, 2 / 3, 0.0])
    assert found.macro_f1 == pytest.approx((0.5 + 2 / 3) / 3)
    assert found.micro_f1 == pytest.approx(4 / 8)
    assert found.task_success == 0.5


@pytest.mark.parametrize(
    ("said", "wanted", "right", "complaint"),
    [
        ([[1]], [[1]], [[2]], "document 0, field 'name': 2 right of 1 said and 1 wanted"),
        ([[1], [1]], [[1]], [[1]], "2 documents in said, 1 in wanted, 1 in right"),
        ([[True]], [[1]], [[1]], "said must hold counts"),
        ([[1, 1]], [[1]], [[1]], r"said must have shape \(documents, 1\), got \(1, 2\)"),
        ([[-1]], [[1]], [[0]], "said must hold counts"),
    ],
)
def test_impossible_fields_are_named(said, wanted, right, complaint):
    with pytest.raises(ValueError, match=complaint):
        field_report(["name"], said, wanted, right)


def test_an_unknown_mean_of_fields_is_refused():
    with pytest.raises(ValueError, match="unknown metric 'f1': use one of precision"):
        field_sums(["name"], [[1]], [[1]], [[1]], "f1")
