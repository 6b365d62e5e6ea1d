"""Flagged against clean items of one difficulty: by hand, by simulation, and where undefined."""

import math

import numpy as np
import pytest

from eval_pipeline.metrics.contamination_delta.formula_matched import (
    facility,
    matched_delta,
    others_of,
)


def test_the_difference_is_taken_within_difficulty() -> None:
    hard, easy = [0.1] * 30, [0.9] * 30
    difficulty = np.array(hard + easy)
    clean = np.array([i % 3 > 0 for i in range(30)] + [i % 6 > 0 for i in range(30)])
    values = np.where(clean, difficulty, difficulty + 0.05)
    values[::7] += 0.01
    found = matched_delta(values, np.arange(60), clean, difficulty)
    parts = []
    for group in (slice(0, 30), slice(30, 60)):
        x, keep = values[group], clean[group]
        parts.append((np.sum(~keep), x[~keep].mean() - x[keep].mean()))
    expected = sum(n * d for n, d in parts) / sum(n for n, _ in parts)
    assert found.difference.value == pytest.approx(expected)
    assert (found.n_flagged, found.n_unmatched, found.n_strata) == (15, 0, 2)


def test_a_gap_of_difficulty_alone_is_matched_away_and_the_interval_holds_the_truth() -> None:
    rng, held = np.random.default_rng(5), 0
    for _ in range(200):
        difficulty = rng.random(300)
        clean = rng.random(300) > 0.4 * difficulty  # easy items leak more often
        values = (rng.random((300, 8)) < (difficulty + 0.1 * ~clean)[:, None]).mean(axis=1)
        seen = (rng.random((300, 400)) < difficulty[:, None]).mean(axis=1)
        d = matched_delta(values, np.arange(300), clean, seen).difference
        held += d.low <= 0.0905 <= d.high  # what is cut off above 1 takes a little of 0.1
    assert held >= 0.92 * 200


def test_flagged_items_without_a_like_are_counted() -> None:
    difficulty = np.r_[np.full(40, 0.2), np.full(20, 0.9), np.nan]
    clean = np.r_[np.arange(40) % 2 == 0, np.zeros(20, bool), False]
    values = np.r_[np.linspace(0, 1, 60), 1.0]
    found = matched_delta(values, np.arange(61), clean, difficulty)
    assert (found.n_flagged, found.n_unmatched) == (41, 21)
    assert found.difference.has_interval


@pytest.mark.parametrize(
    ("clean", "difficulty", "reason"),
    [
        (np.ones(30, bool), np.full(30, 0.5), "no scored item is flagged"),
        (np.zeros(30, bool), np.full(30, 0.5), "no scored item is clean"),
        (np.arange(30) > 5, np.full(30, np.nan), "no other checkpoint has scores"),
        (np.arange(30) > 2, np.full(30, 0.5), "no interval: 27 clusters"),
    ],
)
def test_what_cannot_be_matched_says_why(clean, difficulty, reason) -> None:
    found = matched_delta(np.linspace(0, 1, 30), np.arange(30), clean, difficulty)
    assert not found.difference.has_interval
    assert reason in (found.difference.reason or "")


def test_difficulty_comes_from_checkpoints_that_show_no_gain() -> None:
    names = ["a@1", "a@2", "b@1", "b@2"]
    families = {name: name[0] for name in names}
    assert others_of("a@1", names, families, set()) == (
        ["b@1", "b@2"],
        "facility over 2 of other families",
    )
    taken, how = others_of("a@1", names, families, {"b@1", "a@1"})
    assert taken == ["b@2"]
    assert how.endswith("; 1 left out that gain on flagged items")
    assert others_of("a@1", names[:2], families, set())[0] == ["a@2"]
    assert others_of("a@1", ["a@1"], {}, set())[0] == []
    np.testing.assert_array_equal(
        facility([[1.0, np.nan, np.nan], [0.0, 0.5, np.nan]]), [0.5, 0.5, math.nan]
    )
    with pytest.raises(ValueError, match="no checkpoint"):
        facility([])
