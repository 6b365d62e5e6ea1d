"""The swap report against closed forms."""

import math

import numpy as np
import pytest

from eval_pipeline.judging.audits.swap_report import CATEGORIES, preference_findings, swap_findings
from eval_pipeline.judging.findings import Finding
from eval_pipeline.judging.pairs.swap import JudgedPairs, combine_votes
from eval_pipeline_tests.judging.votes import TIE, UNKNOWN, A, B, vote_rows, vote_table


def report(pairs: JudgedPairs) -> dict[str, Finding]:
    found = [*swap_findings(pairs, 0.95), *preference_findings(pairs, 0.95)]
    return {one.audit: one for one in found}


def counted(both_a: int, first: int, second: int, both_b: int, per_cluster: int = 1) -> JudgedPairs:
    slots = [(A, A)] * both_a + [(A, B)] * first + [(B, A)] * second + [(B, B)] * both_b
    return combine_votes(
        vote_table(
            vote_rows("stern", f"i{i:04d}", [one], [two], cluster=f"c{i // per_cluster:04d}")
            for i, (one, two) in enumerate(slots)
        )
    )


def test_a_hundred_pairs_are_a_hundred_units() -> None:
    found = report(counted(40, 20, 4, 36))
    debiased = found["debiased_win_rate"].estimate
    assert debiased.value == pytest.approx(0.52)
    assert debiased.se == pytest.approx(0.04376244411766229)
    assert debiased.n_clusters == 100
    assert found["debiased_win_rate"].n_votes == 200


def test_flips_tell_of_the_seat_and_consistent_pairs_of_the_models() -> None:
    found = report(counted(40, 20, 4, 36))
    assert found["mcnemar_position"].p_value == pytest.approx(0.001543879508972168)
    assert found["sign_preference"].p_value == pytest.approx(0.7310088822226056)
    assert found["flip_rate"].estimate.value == pytest.approx(0.24)
    assert found["position_effect"].estimate.value == pytest.approx(0.08)


def test_pairs_of_one_cluster_are_one_unit() -> None:
    """Five copies of each pair in one cluster carry no more than one copy does."""
    single = counted(40, 20, 5, 35)
    copied = counted(200, 100, 25, 175, per_cluster=5)
    for name in ("position_effect", "debiased_win_rate", "flip_rate"):
        one, five = (report(pairs)[name].estimate for pairs in (single, copied))
        assert one.value == pytest.approx(five.value)
        assert one.se == pytest.approx(five.se)
    assert report(copied)["mcnemar_position"].p_value == pytest.approx(
        report(single)["mcnemar_position"].p_value
    )


def test_rates_of_all_categories_add_up_to_all_pairs() -> None:
    rows = [
        vote_rows("stern", "i1", [A], [A]),
        vote_rows("stern", "i2", [B], [B]),
        vote_rows("stern", "i3", [TIE], [TIE]),
        vote_rows("stern", "i4", [A], [B]),
        vote_rows("stern", "i5", [A], [TIE]),
        vote_rows("stern", "i6", [A], [UNKNOWN]),
        vote_rows("stern", "i7", [UNKNOWN], [UNKNOWN]),
    ]
    found = report(combine_votes(vote_table(rows)))
    rates = [found[f"rate_{name}"].estimate.value for name in CATEGORIES]
    assert rates == pytest.approx([1 / 7] * 7)
    assert found["missing_rate"].estimate.value == pytest.approx(3 / 14)


def test_without_repeats_flips_cannot_be_told_from_noise() -> None:
    excess = report(counted(40, 20, 4, 36))["flip_excess"].estimate
    assert math.isnan(excess.value)
    assert (excess.reason or "").startswith("no pair was repeated in both orders")


def test_a_coin_flips_half_the_time_and_shows_no_excess() -> None:
    rng = np.random.default_rng(11)
    rows = [
        vote_rows("coin", f"i{i}", list(rng.choice([A, B], 2)), list(rng.choice([A, B], 2)))
        for i in range(800)
    ]
    found = report(combine_votes(vote_table(rows)))
    assert found["flip_rate"].estimate.value == pytest.approx(0.5, abs=0.04)
    excess = found["flip_excess"].estimate
    assert excess.low < 0 < excess.high


def test_a_judge_without_votes_has_reasons_and_no_numbers() -> None:
    none = counted(0, 0, 0, 0)
    for name, finding in report(none).items():
        assert math.isnan(finding.estimate.value), name
        assert finding.estimate.reason, name
