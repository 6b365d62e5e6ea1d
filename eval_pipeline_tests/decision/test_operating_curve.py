"""What a rule does before any result: against formulas, and against itself."""

from dataclasses import replace

import numpy as np
import pytest
from scipy.stats import binomtest

from eval_pipeline.decision.guardrails import Bar
from eval_pipeline.decision.item_chances import chance_variance, spread_in_logits, true_score
from eval_pipeline.decision.operating_curve import (
    Experiment,
    Guardrail,
    Population,
    _experiments,
    operating_curve,
)
from eval_pipeline.decision.rule import Estimated
from eval_pipeline.statistics.randomness import generator


def experiment(rule="superior", margin=0.0, n=120, size=2, draws=4, kind="any of k", k=1):
    return Experiment(np.arange(n) // size, None, draws, kind, k, rule, margin, 0.95)


POPULATION = Population(0.6, 0.5, 0.8)


def test_identical_checkpoints_are_superior_in_half_of_alpha():
    found = operating_curve(experiment(), POPULATION, 1, 800)
    shipped = round(found.identical.ship * 800)
    assert binomtest(shipped, 800, 0.025).pvalue > 1e-3
    assert found.identical == found.at_bar


def test_a_candidate_at_the_bar_of_non_inferiority_ships_in_half_of_alpha():
    found = operating_curve(experiment("non_inferior", 0.05), POPULATION, 2, 800)
    assert found.at_bar.difference == -0.05
    assert binomtest(round(found.at_bar.ship * 800), 800, 0.025).pvalue > 1e-3
    assert found.identical.ship > 0.2


def test_the_curve_is_that_of_its_standard_error():
    """At the bar plus 2.8 standard errors the power is 0.8, as planning by formula says."""
    found = operating_curve(experiment(), POPULATION, 3, 600)
    ships = {point.difference: point.ship for point in found.points}
    two, three = (ships[round(k * found.standard_error, 4)] for k in (2, 3))
    assert two == pytest.approx(0.516, abs=0.1)
    assert three == pytest.approx(0.85, abs=0.08)


def test_outcomes_add_up_and_the_seed_decides():
    one, other = (operating_curve(experiment(), POPULATION, 4, 100) for _ in range(2))
    assert one == other
    assert one != operating_curve(experiment(), POPULATION, 5, 100)
    for point in one.points:
        assert point.ship + point.reject + point.not_enough_data == pytest.approx(1)


def test_equivalence_is_shown_between_its_bars_only():
    found = operating_curve(experiment("equivalent", 0.1, n=300), POPULATION, 6, 200)
    ships = {point.difference: point.ship for point in found.points}
    assert ships[-0.1] < 0.08
    assert ships[0.1] < 0.08
    assert found.identical.ship > 0.9


def test_votes_on_identical_checkpoints_are_even():
    votes = experiment(kind="win rate", draws=6, size=1)
    found = operating_curve(votes, Population(0.5, 0.0, 1.0), 7, 400)
    assert found.identical.ship == pytest.approx(0.025, abs=0.025)


@pytest.mark.parametrize(("kind", "k"), [("any of k", 3), ("all of k", 2)])
def test_a_true_score_is_what_many_items_give(kind, k):
    sd = spread_in_logits(0.4, 0.05)
    rng = generator(8, "items")
    found = true_score(0.4, sd, kind, k)
    centre = np.log(0.4 / 0.6) * np.sqrt(1 + sd**2 / 2.9)  # about
    logits = centre + sd * rng.standard_normal(200_000)
    p = 1 / (1 + np.exp(-logits))
    assert p.var() == pytest.approx(0.05, abs=0.004)
    by_hand = p**k if kind == "all of k" else 1 - (1 - p) ** k
    assert found == pytest.approx(by_hand.mean(), abs=0.02)


def test_what_is_missing_and_guardrails_hold_the_same_checkpoints_back():
    plain = experiment("non_inferior", 0.05, n=80)
    whole = operating_curve(plain, POPULATION, 2, 100)
    lossy = operating_curve(replace(plain, missing=0.1), POPULATION, 2, 100)
    assert lossy.identical.ship < whole.identical.ship / 2  # the missing could reverse it
    risk = Estimated(0.04, 0.02, 0.06, 100, 0.95)
    safe, at_bar, unsafe = (
        operating_curve(
            replace(plain, guardrails=(Guardrail(Bar("risk", at_most=bar), risk),)),
            POPULATION,
            2,
            100,
        )
        for bar in (0.3, 0.04, 0.001)
    )
    assert safe == whole
    assert at_bar.identical.ship < 0.06  # shown by chance only
    assert at_bar.identical.not_enough_data > 0.9
    assert unsafe.identical.ship == 0
    assert unsafe.identical.reject > 0.95


def test_lost_draws_leave_unbiased_scores_and_drop_items_without_enough():
    lossy = replace(experiment(draws=4, k=3, n=400), missing=0.3)
    drawn = list(_experiments(lossy, POPULATION, 0.1, 3, 40))
    assert max(one.kept.size for one in drawn) < 400
    means = [one.difference.mean() for one in drawn]
    assert np.mean(means) == pytest.approx(0.1, abs=3 * np.std(means) / 40**0.5)
    for one in drawn:
        assert one.worst < one.difference.mean() < one.best


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda: Population(1.0, 0.1, 0.1), "a true score between 0 and 1"),
        (lambda: experiment(n=0), "needs items"),
        (lambda: replace(experiment(), missing=1.0), r"must lie in \[0, 1\)"),
        (lambda: experiment(draws=2, k=4), "4 or more draws"),
        (lambda: spread_in_logits(0.5, 0.25), "cannot have a variance"),
        (lambda: operating_curve(experiment(), POPULATION, 1, 0), "at least one simulation"),
        (
            lambda: operating_curve(experiment(margin=0.5), POPULATION, 1, 100),
            "leaves no room for a difference of",
        ),
    ],
)
def test_impossible_experiments_are_refused(call, said):
    with pytest.raises(ValueError, match=said):
        call()


def test_the_spread_of_votes_is_told_apart_from_their_noise():
    """What the votes' own noise adds is taken out, and the simulated experiment gives it back."""
    share, draws = 0.5, 12
    for observed in (0.05, 0.2):
        variance = chance_variance(share, observed, draws)
        sd = spread_in_logits(share, variance)
        rng = generator(9, "votes")
        p = 1 / (1 + np.exp(-sd * rng.standard_normal(200_000)))
        assert (rng.binomial(draws, p) / draws).var() == pytest.approx(observed, rel=0.03)
    assert chance_variance(0.5, 0.01, 4) == 0
    with pytest.raises(ValueError, match="two draws of an item or more"):
        chance_variance(0.5, 0.1, 1)
