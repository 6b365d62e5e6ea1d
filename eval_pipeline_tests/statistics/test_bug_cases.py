"""Failing inputs of public issue threads, areas bootstrap and report: what we return instead."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from eval_pipeline.metrics.estimates.missing import missing_report
from eval_pipeline.statistics.bootstrap import bootstrap_difference, bootstrap_mean
from eval_pipeline.statistics.clustered import influence, item_weights, mean, standard_error
from eval_pipeline.statistics.paired import paired_difference
from eval_pipeline.statistics.randomness import generator

Case = Callable[[str], tuple[dict[str, Any], dict[str, Any]]]


@pytest.fixture
def case(golden_vectors: Callable[[str], Any]) -> Case:
    def found(name: str) -> tuple[dict[str, Any], dict[str, Any]]:
        (one,) = [c for c in golden_vectors("bug_cases.jsonl") if c["id"] == name]
        return one["minimal_input"], one["right_behaviour"]

    return found


def test_games_and_weights_of_one_prompt_are_drawn_with_it(case: Case) -> None:
    given, right = case("PB096")
    rng = generator(1, "PB096")
    n, games, weight = given["prompts"], given["games"], given["weight"]
    won = rng.random(n) < 0.6  # a consistent judge: both games of a prompt agree
    rows = np.repeat(won.astype(float), games)
    counted = np.repeat(rows, np.where(rng.random(n * games) < 0.5, weight, 1))
    prompts = np.repeat(np.arange(n), games)
    by_row = bootstrap_mean(counted, np.arange(len(counted)), rng, confidence=0.9).percentiles
    by_prompt = bootstrap_mean(rows, prompts, rng, confidence=0.9).percentiles
    ratio = (by_prompt.high - by_prompt.low) / (by_row.high - by_row.low)
    assert ratio > 1.5
    assert right["rule"] == "resample prompts"


def test_one_value_has_no_standard_error_and_three_have_the_right_one(case: Case) -> None:
    given, right = case("PB098")
    alone = mean(given["scores"], [0])
    assert (alone.method, alone.reason) == (right["se"], "no interval: one cluster")
    x = np.array([1.0, 0.0, 1.0])
    weights, group, n_groups = item_weights(None, 3)
    se = standard_error(influence(x, weights, group, n_groups), np.arange(3), 3)
    assert se == pytest.approx(right["n3_[1,0,1]"], abs=1e-4)


def test_items_without_a_cluster_are_refused(case: Case) -> None:
    given, _ = case("PB100")
    for estimate in (mean, lambda x, c: bootstrap_mean(x, c, generator(1, "PB100"))):
        with pytest.raises(ValueError, match=r"item 1 has no cluster \(2 such items\): name each"):
            estimate(given["scores"], given["cluster"])


def test_equal_answers_differ_by_nothing(case: Case) -> None:
    given, right = case("PB102")
    found = bootstrap_difference(given["a"], given["b"], np.arange(4), generator(1, "PB102"))
    assert [found.percentiles.low, found.percentiles.high] == right["diff_ci"]
    assert found.degenerate  # which the width says nothing about
    assert not paired_difference(given["a"], given["b"], np.arange(4)).estimate.has_interval


def test_runs_that_broke_are_no_successes_of_the_attack(case: Case) -> None:
    given, right = case("PB140")
    outcomes = given["outcomes"]
    found = missing_report(
        outcomes.count("yes"), outcomes.count("no"), {"infra_error": outcomes.count("error")}
    )
    assert found.valid_only == right["attack_rate_scored"]
    assert [found.bound_low, found.bound_high] == pytest.approx(right["bounds"], abs=1e-4)
    assert sum(found.counts.values()) == right["errors"]
