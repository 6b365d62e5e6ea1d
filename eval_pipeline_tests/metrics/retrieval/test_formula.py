"""What was found, apart from what was made of it; claims and their sources."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from eval_pipeline.metrics.factuality.formula_claims import (
    CheckedClaim,
    factuality_report,
    factuality_sums,
)
from eval_pipeline.metrics.factuality.formula_faithfulness import faithfulness
from eval_pipeline.metrics.retrieval.formula import (
    ndcg_at_k,
    precision_at_k,
    recall_at_k,
    reciprocal_rank,
)

grades = st.lists(st.integers(0, 3), min_size=1, max_size=8)


@given(grades, st.integers(1, 8), st.randoms())
def test_a_query_is_scored_by_definition(judged, k, random):
    known = {f"d{i}": g for i, g in enumerate(judged)}
    ranking = [*known, "unjudged"]
    random.shuffle(ranking)
    top = [known.get(d, 0) for d in ranking[:k]]
    relevant = sum(g > 0 for g in judged)
    query = ([ranking], [known], k)
    found = {
        "recall": recall_at_k(*query, exhausted=True)[0],
        "precision": precision_at_k(*query, exhausted=True)[0],
        "mrr": reciprocal_rank(*query, exhausted=True)[0],
        "linear": ndcg_at_k(*query, "linear", exhausted=True)[0],
        "exponential": ndcg_at_k(*query, "exponential", exhausted=True)[0],
    }
    if not relevant:
        assert all(map(math.isnan, found.values()))
        return
    assert found["recall"] == sum(g > 0 for g in top) / relevant
    assert found["precision"] == sum(g > 0 for g in top) / k
    assert found["mrr"] == next((1 / (i + 1) for i, g in enumerate(top) if g), 0)
    for name, gain in (("linear", lambda g: g), ("exponential", lambda g: 2**g - 1)):
        got = sum(gain(g) / math.log2(i + 2) for i, g in enumerate(top))
        best = sorted(judged, reverse=True)[:k]
        ideal = sum(gain(g) / math.log2(i + 2) for i, g in enumerate(best))
        assert found[name] == pytest.approx(got / ideal)


def test_a_published_ranking_has_its_published_ndcg():
    """The ranking 3, 2, 3, 0, 1, 2 of an encyclopaedia's article on discounted gain: 0.9608."""
    ranking = ["a", "b", "c", "d", "e", "f"]
    known = dict(zip(ranking, [3, 2, 3, 0, 1, 2], strict=True))
    assert ndcg_at_k([ranking], [known], 6, "linear")[0] == pytest.approx(0.9608, abs=5e-5)


def test_the_ideal_order_counts_what_was_not_found():
    assert ndcg_at_k([["b"]], [{"a": 3, "b": 1}], 1, "linear").tolist() == [1 / 3]
    assert ndcg_at_k([["b"]], [{"a": 3, "b": 1}], 1, "exponential").tolist() == [1 / 7]


@pytest.mark.parametrize(
    ("ranked", "known", "k", "complaint"),
    [
        ([["a"]], [{"a": 1}], 2, "query 0 has 1 documents, fewer than k = 2"),
        ([["a", "b", "a"]], [{"a": 1}], 2, "query 0: document 'a' stands twice"),
        ([["a"]], [{"a": True}], 1, "grade of 'a'"),
        ([["a"]], [{"a": -1}], 1, "grade of 'a'"),
        ([["a"]], [{"a": float("nan")}], 1, "grade of 'a'"),
        ([["a"]], [{"a": 1}], 0, "k must be at least 1"),
        ([["a"]], [{"a": 1}], True, "k must be a whole number"),
        ([["a"]], [], 1, "1 of ranked, 0 of grades"),
        ([], [], 1, "ranked is empty"),
        (["abc"], [{"a": 1}], 1, "query 0: 'abc' is a text"),
    ],
)
def test_bad_queries_are_named(ranked, known, k, complaint):
    for metric in (recall_at_k, precision_at_k, reciprocal_rank):
        with pytest.raises(ValueError, match=complaint):
            metric(ranked, known, k)


def test_an_unknown_gain_is_refused():
    with pytest.raises(ValueError, match="unknown gain 'log': use linear or exponential"):
        ndcg_at_k([["a"]], [{"a": 1}], 1, "log")


def test_claims_and_answers_are_two_means_of_faithfulness():
    found = faithfulness([1, 3, 0], [1, 9, 0])
    assert found.by_claim == 0.4
    assert found.by_answer == pytest.approx((1 + 1 / 3) / 2)
    assert (found.n_answers, found.n_without) == (3, 1)
    assert math.isnan(faithfulness([0], [0]).by_claim)
    with pytest.raises(ValueError, match="answer 1: 3 supported of 2 claims"):
        faithfulness([1, 3], [1, 2])
    with pytest.raises(ValueError, match=r"n_claims\[0\] is 1\.5: it must be a whole number"):
        faithfulness([1], [1.5])


def test_what_cannot_be_decided_is_in_no_precision_but_in_the_rate():
    found = factuality_report(
        [
            [CheckedClaim("supported", True, True), CheckedClaim("unsupported", True, False)],
            [CheckedClaim("unknown", False), CheckedClaim("supported", False)],
        ]
    )
    assert found.support_precision == pytest.approx(2 / 3)
    assert found.decidable_rate == 0.75
    assert found.citation_completeness == 0.5
    assert found.citation_precision == 0.5
    assert (found.n_claims, found.n_answers) == (4, 2)


def test_without_a_decided_claim_there_is_no_precision():
    found = factuality_report([[CheckedClaim("unknown", True)]])
    assert math.isnan(found.support_precision)
    assert math.isnan(found.citation_precision)
    assert found.decidable_rate == 0.0


@pytest.mark.parametrize(
    ("answers", "complaint"),
    [
        ([], "answers is empty"),
        ([[]], "no answer makes a claim"),
        (
            [[CheckedClaim("Supported", True)]],
            "answer 0, claim 0: verdict 'Supported' must be one of",
        ),
        ([[], [CheckedClaim("supported", 1)]], "answer 1, claim 0: cited is 1: give true or false"),
        ([[CheckedClaim("supported", True, 1)]], "link_supports is 1"),
        ([[CheckedClaim("supported", False, True)]], "is not cited"),
    ],
)
def test_bad_claims_are_named(answers, complaint):
    with pytest.raises(ValueError, match=complaint):
        factuality_report(answers)


def test_an_unknown_share_of_claims_is_refused():
    with pytest.raises(ValueError, match="unknown metric 'precision': use support_precision"):
        factuality_sums([[CheckedClaim("supported", True)]], "precision")
    assert np.isnan(factuality_sums([[]], "decidable_rate").value)
