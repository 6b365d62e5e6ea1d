"""Sentinels: a judge that stays is left alone, one that moves is suspended."""

import numpy as np
import pytest

from eval_pipeline.judging.audits.drift import Night, judge_drift, sentinel_pairs
from eval_pipeline.judging.licences.licence import licence_rows
from eval_pipeline.judging.pairs.swap import JudgedPairs

N = 80


def judged(chances: tuple[float, float], repeats: int, rng: np.random.Generator) -> JudgedPairs:
    """Votes of a judge with these chances of model_a, shown first and second."""
    items = np.array([f"i{i:03d}" for i in range(N)], dtype=object)
    same = [np.full(N, word, dtype=object) for word in ("judge", "A", "B")]
    wins = np.stack([rng.binomial(repeats, p, N) for p in chances], axis=1)
    counts = np.stack([wins, repeats - wins, np.zeros_like(wins)], axis=2).astype(np.int64)
    asked = np.full((N, 2), repeats, dtype=np.int64)
    return JudgedPairs(same[0], items, items, same[1], same[2], counts, asked)


def drifted(
    then: tuple[float, float], now: tuple[float, float], seed: int, nights: int
) -> set[str]:
    rng = np.random.default_rng(seed)
    audit = judged(then, 2, rng)
    made = [Night(f"2026-03-{d + 1:02d}", judged(now, 1, rng)) for d in range(nights)]
    rows = judge_drift("judge", audit, made, 0.95)
    return {row["measure"] for row in rows if row["outcome"] == "drifted"}


def test_a_judge_that_moves_is_found_out() -> None:
    assert "position_shift" in drifted((0.5, 0.5), (0.8, 0.2), seed=1, nights=1)
    assert "changed_votes" in drifted((0.95, 0.95), (0.1, 0.1), seed=1, nights=1)


@pytest.mark.slow
def test_thirty_nights_suspend_a_steady_judge_no_more_often_than_said() -> None:
    false = sum(bool(drifted((0.6, 0.5), (0.6, 0.5), seed, nights=30)) for seed in range(200))
    assert false <= 18, false  # 5 % of 200, and three standard deviations


def test_a_night_on_other_pairs_decides_nothing_and_says_why() -> None:
    rng = np.random.default_rng(1)
    audit = judged((0.5, 0.5), 2, rng)
    other = judged((0.5, 0.5), 1, rng)
    renamed = np.array([f"x{i}" for i in range(N)], dtype=object)
    night = Night("2026-03-01", JudgedPairs(**{**vars(other), "item_id": renamed}))
    rows = judge_drift("judge", audit, [night], 0.95)
    assert {row["outcome"] for row in rows} == {"undecided"}
    assert {row["reason"] for row in rows} == {"no sentinel was voted on at the audit"}


def test_drift_suspends_the_licence_and_names_the_night() -> None:
    audits = [
        {
            "judge": "judge",
            "slice": "all",
            "audit": audit,
            "bar": 0.1,
            "outcome": "within",
            "estimate": 0.0,
            "ci_low": -0.01,
            "ci_high": 0.01,
            "ci_method": "cr1_t",
            "n_needed": None,
            "n_votes": 10,
            "status": "undefined" if audit == "human_ratio" else "ok",
            "reason": "no labels",
        }
        for audit in ("position_effect", "human_ratio")
    ]
    rng = np.random.default_rng(1)
    nights = [
        Night("2026-03-01", judged((0.5, 0.5), 1, rng)),
        Night("2026-03-02", judged((0.9, 0.1), 1, rng)),
    ]
    drift = judge_drift("judge", judged((0.5, 0.5), 2, rng), nights, 0.95)
    (steady,) = licence_rows(audits, drift=[row for row in drift if row["night"] < "2026-03-02"])
    (one,) = licence_rows(audits, drift=drift)
    assert (steady["outcome"], steady["suspended_on"]) == ("licensed", None)
    assert (one["outcome"], one["suspended_on"]) == ("refused", "2026-03-02")
    assert one["reason"].startswith("suspended: ")


def test_sentinels_are_the_same_whatever_order_the_plan_has() -> None:
    plan = [(f"i{i}", "A", "B") for i in range(50)]
    assert sentinel_pairs(plan, 10, 3) == sentinel_pairs(plan[::-1], 10, 3)
    assert len(sentinel_pairs(plan, 10, 3)) == 10
    assert sentinel_pairs(plan[:4], 10, 3) == sorted(plan[:4])
    with pytest.raises(ValueError, match="at least one pair"):
        sentinel_pairs(plan, 0, 3)
