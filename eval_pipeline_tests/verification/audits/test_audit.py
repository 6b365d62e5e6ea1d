"""The verifier's error rates: from a random sample, with exact intervals."""

import math

import pytest
from scipy.stats import binomtest

from eval_pipeline.verification.audits.audit import (
    AuditDecision,
    audit_sample,
    decided_by,
    error_rates,
    row_key,
)


def row(item: str, draw: int = 0, verdict: float | None = 1.0, status: str = "ok"):
    return {
        "item_id": item, "draw": draw, "cluster_id": item[0], "status": status,
        "verdict": verdict, "extracted": "5", "verifier": "numeric@2",
    }  # fmt: skip


def said(*given: tuple[bool, str, int]) -> list[AuditDecision]:
    """passed, what the verifier is, how many such rows."""
    made = [(p, word) for p, word, count in given for _ in range(count)]
    return [AuditDecision(f"r{i}", p, word, "ann") for i, (p, word) in enumerate(made)]


def test_rates_are_shares_of_what_is_true():
    rates = error_rates(
        said((True, "right", 40), (True, "wrong", 2), (False, "right", 50), (False, "wrong", 8))
    )
    for rate, events, n in (
        (rates.false_negative, 8, 48),
        (rates.false_positive, 2, 52),
        (rates.error, 10, 100),
    ):
        exact = binomtest(events, n).proportion_ci(0.95, "exact")
        assert (rate.events, rate.n, rate.value) == (events, n, events / n)
        assert (rate.low, rate.high) == pytest.approx((exact.low, exact.high))


def test_without_a_right_reply_there_is_no_false_negative_rate():
    rates = error_rates(said((False, "right", 3)))
    assert math.isnan(rates.false_negative.value)
    assert rates.false_negative.reason == "no reply of the sample is right"
    assert (rates.false_positive.events, rates.false_positive.n) == (0, 3)
    assert math.isnan(error_rates([]).error.value)


def test_the_last_word_counts_and_a_dispute_is_left_out():
    rates = error_rates(
        [
            AuditDecision("a", True, "wrong", "ann"),
            AuditDecision("a", True, "right", "ann"),
            AuditDecision("b", True, "right", "ann"),
            AuditDecision("b", True, "wrong", "bob"),
        ]
    )
    assert (rates.n, rates.disputed, rates.error.events) == (1, 1, 0)
    with pytest.raises(ValueError, match="row a"):
        error_rates([AuditDecision("a", True, "maybe", "ann")])


def test_a_sample_is_one_judged_row_a_cluster_and_depends_on_the_seed_only():
    rows = [row(f"{c}{i}", draw) for c in "abcdef" for i in range(2) for draw in range(3)]
    rows.append(row("z0", status="infra_error", verdict=None))
    picked = audit_sample(rows, 4, seed=1)
    assert len({r["cluster_id"] for r in picked}) == 4
    assert audit_sample(rows[::-1], 4, seed=1) == picked
    assert audit_sample(rows, 4, seed=2) != picked
    assert len(audit_sample(rows, 100, seed=1)) == 6
    with pytest.raises(ValueError, match="n must be"):
        audit_sample(rows, 0, seed=1)


def test_another_verdict_has_another_key():
    one = row("a")
    assert row_key("k", one) == row_key("k", dict(one))
    assert row_key("k", one) != row_key("k", {**one, "verdict": 0.0})
    assert row_key("k", one) != row_key("j", one)


def test_each_person_is_counted_by_verdicts_not_by_words():
    twice = [AuditDecision("a", True, "right", "bo"), AuditDecision("a", True, "wrong", "bo")]
    assert decided_by([*twice, AuditDecision("a", True, "right", "ann")]) == {"ann": 1, "bo": 1}
