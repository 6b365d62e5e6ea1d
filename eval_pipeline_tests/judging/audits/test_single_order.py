"""The seat's effect where each pair was judged once, and the judges against each other."""

import numpy as np
import pytest
from scipy.stats import binom

from eval_pipeline.judging.audits.self_preference import (
    family_win_rates,
    panel_scores,
    self_preference_over_panel,
)
from eval_pipeline.judging.audits.single_order import seat_effect, single_order_effect
from eval_pipeline.judging.pairs.swap import combine_votes
from eval_pipeline.lab.judges import Bias
from eval_pipeline_tests.judging.planted import FAMILY, planted
from eval_pipeline_tests.judging.votes import A, B, vote_rows, vote_table


def one_order(n: int, rng: np.random.Generator, b: float) -> tuple[np.ndarray, ...]:
    model = rng.integers(0, 3, n)
    first = rng.random(n) < 0.5
    chance = np.array([0.2, 0.5, 0.7])[model] + b * np.where(first, 1, -1)
    return (rng.random(n) < chance).astype(float), first, model.astype(np.int64)


@pytest.mark.slow
def test_the_interval_holds_the_seat_as_often_as_it_says() -> None:
    rng = np.random.default_rng(4)
    held = 0
    for _ in range(400):
        score, first, model = one_order(90, rng, 0.1)
        found, _ = seat_effect(score, first, model, np.arange(90) // 2, 0.95)
        held += found.low <= 0.1 <= found.high
    low, high = binom.interval(0.999, 400, 0.95)
    assert low <= held <= high, held


def test_the_effect_is_half_the_difference_of_the_seats_within_models() -> None:
    score, first, _ = one_order(400, np.random.default_rng(1), 0.15)
    found, p_value = seat_effect(score, first, np.zeros(400, dtype=np.int64), np.arange(400), 0.95)
    assert found.value == pytest.approx((score[first].mean() - score[~first].mean()) / 2)
    assert p_value < 0.01


def test_a_seat_that_follows_the_model_is_no_estimate() -> None:
    rows = [vote_rows("judge", f"i{i}", [A if i % 2 else B], []) for i in range(20)]
    found = single_order_effect(combine_votes(vote_table(rows)), 0.95)
    assert np.isnan(found.estimate.value)
    assert "shown in one order throughout" in (found.estimate.reason or "")


def test_a_seat_seen_on_a_few_clusters_gives_no_interval() -> None:
    """The two second seats agree, so that a naive interval would be far too narrow."""
    score = np.r_[np.arange(98) % 2, 1.0, 1.0]
    seat = np.arange(100) < 98
    found, _ = seat_effect(score, seat, np.zeros(100, dtype=np.int64), np.arange(100), 0.95)
    assert found.value == pytest.approx(-0.25)
    assert not found.has_interval
    assert found.reason == "no interval: 2 clusters show the rarer order, 10 are needed"


def test_scores_outside_the_scale_are_refused() -> None:
    with pytest.raises(ValueError, match=r"vote 1: 1\.5"):
        seat_effect([0.0, 1.5], [True, False], np.zeros(2, dtype=np.int64), ["a", "b"], 0.95)


def test_a_liking_for_ones_own_shows_against_the_panel_without_any_label() -> None:
    rng = np.random.default_rng(2)
    made = [planted(bias, 200, rng).pairs for bias in (Bias(self_preference=0.1), Bias(), Bias())]
    names = ("own", "one", "other")
    both = {
        name: np.concatenate([getattr(one, name) for one in made])
        for name in ("item_id", "cluster_id", "model_a", "model_b", "counts", "asked")
    }
    judge = np.concatenate(
        [np.full(len(one), name, object) for one, name in zip(made, names, strict=True)]
    )
    pairs = type(made[0])(judge=judge, **both)
    families = {"own": "tern", "one": "gull", "other": "wren"}
    panel = panel_scores(pairs, families, FAMILY)
    mine = pairs.judge == "own"
    found = self_preference_over_panel(pairs.where(mine), panel[mine], "tern", FAMILY, 0.95)
    assert found.estimate.low < 0.1 < found.estimate.high
    assert found.estimate.low > 0
    crossed = dict(family_win_rates(pairs.where(mine), FAMILY, 0.95))
    total = crossed["tern"].estimate.value + crossed["heron"].estimate.value
    assert total == pytest.approx(1.0)


def test_a_judge_alone_has_no_panel() -> None:
    pairs = planted(Bias(), 20, np.random.default_rng(1)).pairs
    panel = panel_scores(pairs, {"judge": "tern"}, FAMILY)
    found = self_preference_over_panel(pairs, panel, "tern", FAMILY, 0.95)
    assert "was judged by a judge of neither model's family too" in (found.estimate.reason or "")


def test_a_judge_of_the_opponents_family_makes_no_honest_judge_partial() -> None:
    rng = np.random.default_rng(3)
    made = [planted(bias, 200, rng).pairs for bias in (Bias(), Bias(self_preference=-0.2))]
    both = {
        name: np.concatenate([getattr(one, name) for one in made])
        for name in ("item_id", "cluster_id", "model_a", "model_b", "counts", "asked")
    }
    judge = np.concatenate([np.full(len(made[0]), one, object) for one in ("honest", "partial")])
    pairs = type(made[0])(judge=judge, **both)
    panel = panel_scores(pairs, {"honest": "tern", "partial": "heron"}, FAMILY)
    mine = pairs.judge == "honest"
    found = self_preference_over_panel(pairs.where(mine), panel[mine], "tern", FAMILY, 0.95)
    assert np.isnan(found.estimate.value)
