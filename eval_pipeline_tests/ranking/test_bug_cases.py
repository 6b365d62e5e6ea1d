"""Failing inputs from public issue threads, and others of their kinds, with what we do instead."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from scipy.optimize import brentq
from scipy.special import expit, logit

from eval_pipeline.length_control.model import length_controlled_win_rate
from eval_pipeline.ranking.bradley_terry import BradleyTerryFit, fit_bradley_terry
from eval_pipeline.ranking.counts import pair_counts
from eval_pipeline.ranking.encode import encode_battles
from eval_pipeline.ranking.leaderboard import leaderboard
from eval_pipeline.ranking.pairs import PairTally
from eval_pipeline.ranking.rows import rating_rows
from eval_pipeline.ranking.uncertainty import all_contrasts, cluster_covariance
from eval_pipeline.statistics.randomness import generator

AREAS = {"bt", "length-control"}
TESTED = {"PB082", "PB085", "PB086", "PB088", "PB090", "PB092", "PB094"}
Case = Callable[[str], tuple[Any, Any]]


@pytest.fixture(scope="module")
def case(golden_vectors: Callable[[str], Any]) -> Case:
    cases = {one["id"]: one for one in golden_vectors("bug_cases.jsonl")}
    return lambda name: (cases[name]["minimal_input"], cases[name]["right_behaviour"])


def test_every_case_of_the_areas_is_tested(golden_vectors: Callable[[str], Any]) -> None:
    there = {c["id"] for c in golden_vectors("bug_cases.jsonl") if c["area"] in AREAS}
    assert there <= TESTED


def fitted(battles: Sequence[Any], models: Sequence[str] = ()) -> BradleyTerryFit:
    """Rows [a, b, how often a won] or [a, b, "tie"]."""
    first, second, said = zip(*battles, strict=True)
    score = [0.5 if one == "tie" else 1.0 for one in said]
    weight = [1.0 if one == "tie" else float(one) for one in said]
    return fit_bradley_terry(
        pair_counts(encode_battles(first, second, score, weight=weight, models=models))
    )


def gap(fit: BradleyTerryFit, a: str, b: str) -> float:
    return float(fit.theta[fit.models.index(a)] - fit.theta[fit.models.index(b)])


def test_no_annotations_are_no_score(case: Case) -> None:
    given, right = case("PB082")
    found = length_controlled_win_rate(given["annotations"], given["annotations"])
    assert f"error: {found.reason}" == right["status"]
    assert np.isnan([found.raw, found.length_controlled]).all()


def test_a_rate_that_moved_far_is_told_beside_the_raw_one(case: Case) -> None:
    given, _ = case("PB085")
    delta = np.tile([-300.0, 0.0, 300.0, 600.0], 200)
    term = np.tanh(delta / np.std(delta, ddof=1))
    raw, controlled = given["raw"] / 100, given["lc"] / 100

    def preferences(effect: float) -> np.ndarray:
        return expit(logit(controlled) + effect * term)

    effect = brentq(lambda x: preferences(x).mean() - raw, 0, 20)
    found = length_controlled_win_rate(delta, preferences(effect))
    assert (found.raw, found.length_controlled) == pytest.approx((raw, controlled), abs=1e-8)
    assert found.length_coefficient == pytest.approx(effect, abs=1e-7)
    assert found.extreme_change
    assert found.converged
    assert found.gradient_max < 1e-8
    assert found.iterations > 0


@pytest.mark.parametrize("n", [100, 400, 1600])
def test_the_error_holds_that_of_the_fit(case: Case, n: int) -> None:
    given, _ = case("PB086")
    assert "n=100" in given["prefs"]
    rng = np.random.default_rng(n)
    found = length_controlled_win_rate(
        rng.normal(0, 100, n),
        rng.integers(0, 2, n).astype(float),
        replicates=300,
        rng=generator(1, "refits"),
    )
    assert found.se == pytest.approx(0.5 / np.sqrt(n), rel=0.1)
    assert found.se_bootstrap == pytest.approx(0.5 / np.sqrt(n), rel=0.15)


def test_a_model_without_a_win_leaves_the_others(case: Case) -> None:
    given, right = case("PB088")
    fit = fitted(given["battles"])
    assert gap(fit, "A", "B") == pytest.approx(right["gap_A_B_logit"], abs=1e-9)
    assert fit.standing[fit.models.index("C")] == "winless"
    assert np.isnan(fit.theta[fit.models.index("C")])
    upside_down = fitted([(b, a, n) for a, b, n in given["battles"]])
    assert upside_down.standing[fit.models.index("C")] == "undefeated"
    assert gap(upside_down, "B", "A") == pytest.approx(right["gap_A_B_logit"], abs=1e-9)


@pytest.mark.parametrize("more", [[], [["A", "C", "tie"]], [["C", "D", "tie"], ["A", "D", "tie"]]])
def test_ties_alone_make_all_equal(case: Case, more: list[Any]) -> None:
    given, right = case("PB090")
    assert right["ratings"] == "all equal"
    fit = fitted([*given["battles"], *more])
    np.testing.assert_array_equal(fit.theta, np.zeros(len(fit.models)))


def test_a_model_that_never_met_the_others_moves_nothing(case: Case) -> None:
    given, _ = case("PB092")
    before = gap(fitted(given["battles"]), "A", "B")
    unjudged = fitted(given["battles"], models=["C"])
    assert gap(unjudged, "A", "B") == before
    assert unjudged.standing == ("ok", "ok", "unjudged")
    island = fitted([*given["battles"], ["C", "D", 2], ["D", "C", 5]])
    assert gap(island, "A", "B") == pytest.approx(before, abs=1e-12)
    assert np.isnan(island.win_probability[0, 2])


@pytest.mark.parametrize("number", [1, 7, 10_000])
def test_battles_that_one_model_won_give_no_gap(case: Case, number: int) -> None:
    given, _ = case("PB094")
    ((a, b, _),) = given["battles"]
    fit = fitted([[a, b, number]])
    assert fit.standing == ("undefeated", "winless")
    assert np.isnan([*fit.theta, gap(fit, a, b), fit.win_probability[0, 1]]).all()
    battles = encode_battles([a] * 30, [b] * 30, [1.0] * 30)
    alone = fit_bradley_terry(pair_counts(battles))
    interval = all_contrasts(alone, cluster_covariance(alone, battles), 0.95).interval
    assert np.isnan([interval.value[0], interval.se[0], interval.low[0], interval.high[0]]).all()


# The bad inputs of the field, through the whole analysis: undefined with a reason, never a number.


def board_of(battles: Any, **options: Any) -> list[dict[str, Any]]:
    asked: dict[str, Any] = {"order_effect": False, "prior_sd": None} | options
    found = leaderboard(
        battles, confidence=0.95, replicates=200, rng=generator(1, "board"), **asked
    )
    n = len(battles.models)
    counts = PairTally(*(np.zeros(n, dtype=np.int64) for _ in range(4)))
    return [dict(row) for row in rating_rows(found, counts, None)]


def test_a_million_prompts_with_one_battle_each_are_no_trouble() -> None:
    rng = np.random.default_rng(1)
    n = 1_000_000
    one = rng.integers(0, 6, n)
    two = (one + rng.integers(1, 6, n)) % 6
    theta = np.linspace(0.5, -0.5, 6)
    won = (rng.random(n) < expit(theta[one] - theta[two])).astype(float)
    names = np.array([f"m{k}" for k in range(6)])
    battles = encode_battles(names[one].tolist(), names[two].tolist(), won)
    assert battles.n_clusters == n
    fit = fit_bradley_terry(pair_counts(battles))
    clustered = cluster_covariance(fit, battles)
    interval = all_contrasts(fit, clustered, 0.95).interval
    assert (np.abs(interval.value - (theta[0] - theta[np.triu_indices(6, 1)[1]]))[:5] < 0.02).all()
    assert (interval.se < 0.006).all()


def test_one_cluster_gives_strengths_without_intervals() -> None:
    rng = np.random.default_rng(2)
    battles = encode_battles("AB" * 40, "BA" * 40, rng.integers(0, 2, 80), cluster=["p"] * 80)
    for row in board_of(battles):
        assert row["status"] == "ok"
        assert row["reason"] == "no interval: 1 cluster, 10 needed"
        undefined = ("se", "ci_low", "ci_high", "se_battle", "se_jackknife")
        assert np.isnan([row[name] for name in undefined]).all()


def test_all_ties_give_equal_strengths_without_intervals() -> None:
    battles = encode_battles("ABC" * 20, "BCA" * 20, [0.5] * 60)
    for row in board_of(battles):
        assert row["theta"] == 0
        assert row["reason"] == "no interval: the clusters do not differ"
        assert np.isnan(row["se"])


@pytest.mark.parametrize("score", [1.0, 0.0])
def test_two_islands_and_an_undefeated_model_have_no_common_scale(score: float) -> None:
    rng = np.random.default_rng(3)
    first = ["A"] * 40 + ["C"] * 40 + ["E"] * 40
    second = ["B"] * 40 + ["D"] * 40 + ["A"] * 40
    won = [*rng.integers(0, 2, 80).tolist(), *[score] * 40]
    cluster = [f"p{k % 20}" for k in range(120)]
    rows = {
        row["model"]: row for row in board_of(encode_battles(first, second, won, cluster=cluster))
    }
    assert rows["E"]["standing"] == ("undefeated" if score else "winless")
    assert np.isnan(rows["E"]["theta"])
    assert np.isfinite(rows["E"]["bound_low" if score else "bound_high"])
    assert rows["A"]["component"] != rows["C"]["component"]
    assert all(np.isnan(row["elo"]) for row in rows.values())
    assert rows["A"]["reason"] == "no Elo: several components and no anchor"


def test_no_battles_are_an_error() -> None:
    with pytest.raises(ValueError, match="there is no battle between any two models"):
        board_of(encode_battles([], [], [], models=["A", "B"]))


def test_a_prompt_that_decides_is_named() -> None:
    said = [1.0, 0.0] * 12
    battles = encode_battles("AB" * 12, "BA" * 12, said, cluster=[f"p{k:02}" for k in range(24)])
    heavy = replace(battles, weight=np.where(battles.cluster == 7, 9.0, 1.0))
    row = board_of(replace(heavy, score=np.where(heavy.cluster == 7, 1 - heavy.score, heavy.score)))
    assert {one["largest_cluster"] for one in row} == {"p07"}
    assert all(one["largest_share"] > 0.5 for one in row)
