"""The error model: additive and exact, whatever shapes agreement and flips."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import kstest

from eval_pipeline.lab.bias_lab import contest, standing
from eval_pipeline.lab.judges import (
    Bias,
    Voter,
    additive_probability,
    expected_win_rate,
    flip_threshold,
    jury_majority,
    logit_probability,
    majority_probability,
    opinions,
    verdicts,
)

small = st.floats(-0.1, 0.1)


@given(st.floats(0.4, 0.6), small, small, small, st.floats(-100, 100), st.sampled_from((-1, 0, 1)))
def test_effects_add_up(q: float, b: float, gamma: float, s: float, dlen: float, own: int) -> None:
    bias = Bias(b, gamma, s)
    first, second = (additive_probability(q, bias, pos, dlen, own) for pos in (1, -1))
    assert (first - second) / 2 == pytest.approx(b)
    assert (first + second) / 2 == pytest.approx(q + gamma * dlen / 100 + s * own)


def test_an_effect_that_would_be_clipped_is_refused() -> None:
    with pytest.raises(ValueError, match=r"vote 1: .* is 1\.05, outside 0\.\.1 \(1 such votes\)"):
        additive_probability([0.5, 0.95], Bias(position=0.1), pos=1)


def test_the_logit_form_gives_the_rate_of_equal_replies_back() -> None:
    b = np.log(0.7 / 0.3)
    assert logit_probability(0.0, Bias(position=b), pos=1) == pytest.approx(0.7)
    assert logit_probability(800.0, Bias(), pos=1) == 1.0


def test_both_orders_cancel_an_additive_bias_and_not_one_in_logits() -> None:
    assert expected_win_rate(0.55, Bias(position=0.1)) == pytest.approx(0.55)
    delta, bias = np.log(0.55 / 0.45), Bias(position=np.log(0.7 / 0.3))
    rates = [float(logit_probability(delta, bias, pos)) for pos in (1, -1)]
    assert np.mean(rates) == pytest.approx(0.54206731, abs=1e-8)


def test_the_better_model_loses_beyond_the_threshold() -> None:
    b = flip_threshold(0.55)
    assert expected_win_rate(0.55, Bias(position=b), "A_second") == pytest.approx(0.5)
    assert expected_win_rate(0.55, Bias(position=1.1 * b), "A_second") < 0.5


def test_an_unknown_layout_is_refused() -> None:
    with pytest.raises(ValueError, match="layout 'left' is unknown"):
        expected_win_rate(0.5, Bias(), "left")  # type: ignore[arg-type]  # the mistake under test


@given(st.lists(st.floats(0, 1), min_size=3, max_size=3))
def test_a_majority_of_three_is_the_sum_over_its_outcomes(p: list[float]) -> None:
    a, b, c = p
    by_hand = a * b * (1 - c) + a * (1 - b) * c + (1 - a) * b * c + a * b * c
    assert majority_probability(p) == pytest.approx(by_hand)


def test_a_jury_keeps_the_bias_of_one_member() -> None:
    jury = jury_majority(0.55, 1, 0.2, 3)
    assert jury["majority_one_biased"] < 0.5 < jury["majority_unbiased"]


def test_an_even_jury_has_no_majority() -> None:
    with pytest.raises(ValueError, match="odd number of judges"):
        majority_probability([0.5, 0.5])


@pytest.mark.parametrize("voter", [Voter(0.95, 0.05, 0.04), Voter(0.2, 0.5, 0.0)])
def test_every_vote_is_uniform_whatever_the_voter(voter: Voter) -> None:
    rng = np.random.default_rng(3)
    votes = opinions(voter, rng.random(4000), 2, rng)
    assert min(kstest(votes[:, column], "uniform").pvalue for column in (0, 1)) > 1e-3


def test_consensus_and_noise_are_the_shares_that_they_say() -> None:
    rng = np.random.default_rng(4)
    deserved = rng.random(20_000)
    votes = opinions(Voter(0.8, 0.1, 0.0), deserved, 2, rng)
    assert np.mean(votes[:, 0] == deserved) == pytest.approx(0.8 * 0.9, abs=0.02)
    assert np.mean(votes[:, 0] == votes[:, 1]) == pytest.approx(0.9**2, abs=0.02)


def test_ties_leave_the_mean_score_alone() -> None:
    u = np.linspace(0, 1, 100_001)
    said = verdicts(u, np.full(u.size, 0.62), tie_share=0.2)
    score = np.select([said == "model_a", said == "tie"], [1.0, 0.5], 0.0)
    assert score.mean() == pytest.approx(0.62, abs=1e-4)
    assert np.mean(said == "tie") == pytest.approx(0.2, abs=1e-4)


def test_a_contest_finds_its_closed_form() -> None:
    bias = Bias(position=0.1, self_preference=0.05)
    found = contest(0.55, bias, 20_000, seed=5, layout="A_second", own=-1)
    assert found.estimate == pytest.approx(
        expected_win_rate(0.55, bias, "A_second", own=-1), abs=0.015
    )
    assert found.standing == "confidently_wrong"


def test_few_pairs_are_noisy_and_many_trustworthy() -> None:
    assert contest(0.55, Bias(), 40, seed=6).standing == "noisy"
    assert contest(0.55, Bias(), 20_000, seed=6).standing == "trustworthy"


def test_equal_models_are_trustworthy_only_where_one_half_is_held() -> None:
    assert standing(0.5, 0.4, 0.6) == "trustworthy"
    assert standing(0.5, 0.51, 0.6) == "confidently_wrong"
    assert standing(0.4, 0.3, 0.45) == "trustworthy"
