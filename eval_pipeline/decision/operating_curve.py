"""How often a contract's rule ships, against the true difference: the rule before any result.

Whole experiments are drawn with the contract's items, clusters and draws, and go through the same
interval, the same guardrails and the same decision as real ones. A rule that ships identical
checkpoints often, or a good one seldom, shows it here.
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from eval_pipeline.decision.decide import DecisionEvidence, DecisionTerms, decide
from eval_pipeline.decision.guardrails import Bar, BarCheck, check
from eval_pipeline.decision.item_chances import Kind, centre_of, chance
from eval_pipeline.decision.rule import Estimated, Rule
from eval_pipeline.metrics.draws.formula_at_k import pass_at_k, pass_hat_k
from eval_pipeline.metrics.estimates.any_look import at_any_look
from eval_pipeline.statistics.clustered import Estimate, item_weights
from eval_pipeline.statistics.intervals import Interval, clopper_pearson
from eval_pipeline.statistics.paired import mean_difference
from eval_pipeline.statistics.randomness import generator

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

STEPS = 4  # points on either side of the bar, one standard error apart
_PILOT = 200  # experiments that tell the standard error


@dataclass(frozen=True)
class Population:
    """What the items are like for the reference: assumed, or learnt from a pilot.

    share: the reference's true score. cluster_sd, item_sd: logits by which the chance of one draw
    varies between clusters, and between the items of one.
    """

    share: float
    cluster_sd: float
    item_sd: float

    def __post_init__(self) -> None:
        if not 0 < self.share < 1 or not min(self.cluster_sd, self.item_sd) >= 0:
            raise ValueError(
                "a true score between 0 and 1 and spreads of 0 or more are needed: "
                f"{self.share}, {self.cluster_sd}, {self.item_sd}"
            )

    @property
    def sd(self) -> float:
        return math.hypot(self.cluster_sd, self.item_sd)


@dataclass(frozen=True)
class Guardrail:
    """A bar, and the estimate of its metric for the reference, whose true value candidates share.

    Their estimates scatter about it by its standard error, on their own.
    """

    bar: Bar
    finding: Estimated

    def drawn(self, rng: np.random.Generator) -> BarCheck:
        """How the estimate of one candidate lies to the bar."""
        moved = self.finding.spread * rng.standard_normal() if self.finding.has_interval else 0.0
        one = self.finding
        return check(
            self.bar,
            replace(one, value=one.value + moved, low=one.low + moved, high=one.high + moved),
        )


@dataclass(frozen=True)
class Experiment:
    """What the contract fixes: items and their clusters, draws, metric, rule.

    clusters: number of each item's cluster, shape (items,); groups: of the macro mean, or None;
    draws: of each item, or votes on it; k: of the metric, 1 for a mean of draws. missing: share of
    draws, or of judged items, that are lost by chance. guardrails: those that are simulated.
    sequential: whether the interval must hold at any look, this being one of them.
    """

    clusters: Ints
    groups: NDArray[np.object_] | None
    draws: int
    kind: Kind
    k: int
    rule: Rule
    margin: float
    confidence: float
    missing: float = 0.0
    guardrails: tuple[Guardrail, ...] = ()
    sequential: bool = False

    def __post_init__(self) -> None:
        if not 0 <= self.missing < 1:
            raise ValueError(f"the share that is missing must lie in [0, 1): {self.missing}")
        if not self.clusters.size or not 1 <= self.k <= self.draws:
            raise ValueError(
                f"an experiment needs items, and {self.k} or more draws of each: got "
                f"{self.clusters.size} items and {self.draws} draws"
            )

    @cached_property
    def weights(self) -> Floats:
        """Of each item in the mean, shape (items,)."""
        return item_weights(self.groups, self.clusters.size)[0]

    @cached_property
    def bar(self) -> float:
        """The true difference at which the rule's promise is put to the test."""
        return self.margin if self.rule == "superior" else -self.margin


@dataclass(frozen=True)
class Point:
    """What the rule did in the experiments of one true difference; `interval`: of `ship`, 95 %."""

    difference: float
    ship: float
    interval: Interval
    reject: float
    not_enough_data: float


@dataclass(frozen=True)
class OperatingCurve:
    """Points by true difference; `identical` is that at 0, `at_bar` that at the rule's bar.

    standard_error: of the difference between identical checkpoints, as simulated.
    """

    points: tuple[Point, ...]
    identical: Point
    at_bar: Point
    standard_error: float
    simulations: int


def operating_curve(
    experiment: Experiment, population: Population, seed: int, simulations: int = 1000
) -> OperatingCurve:
    """P(ship) at the bar, at 0, and at steps of a standard error around them.

    The candidate moves the chance of every draw by the same logits; at 0 the two are identical,
    and each draws anew. Differences that the score leaves no room for are left out. The same seed
    gives the same curve, and more points move none.
    """
    if simulations < 1:
        raise ValueError(f"at least one simulation is needed, got {simulations}")
    pilot = [
        drawn.compared(experiment)
        for drawn in _experiments(experiment, population, 0.0, seed, _PILOT)
    ]
    spread = float(np.std([found.value for found in pilot], ddof=1))
    bars = (
        {experiment.bar, -experiment.bar} if experiment.rule == "equivalent" else {experiment.bar}
    )
    steps = range(-STEPS, STEPS + 1)
    wanted = {0.0, *bars, *(round(bar + step * spread, 4) for bar in bars for step in steps)}
    points = {
        difference: _point(experiment, population, difference, seed, simulations)
        for difference in sorted(wanted)
        if _has_room(experiment, population, difference)
    }
    if experiment.bar not in points:
        raise ValueError(
            f"a true score of {population.share:g} leaves no room for a difference of "
            f"{experiment.bar:+g}, which is the rule's bar"
        )
    ordered = tuple(points.values())
    return OperatingCurve(ordered, points[0.0], points[experiment.bar], spread, simulations)


@dataclass(frozen=True)
class _Drawn:
    """One experiment: differences of the items with scores on both sides, and what is missing.

    kept: place of each such item; worst, best: the mean over all items, as in `DecisionEvidence`.
    """

    difference: Floats
    kept: Ints
    worst: float
    best: float

    def compared(self, experiment: Experiment) -> Estimate:
        groups = None if experiment.groups is None else experiment.groups[self.kept]
        most = _most(experiment)
        found = mean_difference(
            self.difference,
            experiment.clusters[self.kept],
            confidence=experiment.confidence,
            groups=groups,
            most=most,
        ).estimate
        if not experiment.sequential:
            return found
        names = ("value", "se", "confidence", "n_clusters", "reason")
        row = {name: getattr(found, name) for name in names}
        row |= {"ci_low": found.low, "ci_high": found.high, "ci_method": found.method}
        planned = int(np.unique(experiment.clusters).size)
        told = at_any_look(
            row, planned, value="value", clusters="n_clusters", least=-most, most=most
        )
        return replace(
            found,
            low=told["ci_low"],
            high=told["ci_high"],
            method=told["ci_method"],
            reason=told["reason"],
        )


def _point(
    experiment: Experiment, population: Population, difference: float, seed: int, simulations: int
) -> Point:
    outcomes = {"ship": 0, "reject": 0, "not_enough_data": 0}
    aside = generator(seed, "operating curve", "guardrails", repr(difference))
    bars = tuple(one.bar for one in experiment.guardrails)
    terms = DecisionTerms(
        "", True, experiment.rule, experiment.margin, experiment.confidence, bars, draft=False
    )
    for drawn in _experiments(experiment, population, difference, seed, simulations):
        found = drawn.compared(experiment)
        finding = Estimated(
            found.value, found.low, found.high, drawn.kept.size, found.confidence, found.reason
        )
        lost = experiment.clusters.size - drawn.kept.size
        bounds = (drawn.worst, drawn.best) if experiment.missing else None
        evidence = DecisionEvidence(
            "", "", finding, found.se, found.method, {}, None, bounds=bounds, n_unshared=lost
        )
        said = decide(evidence, terms, [one.drawn(aside) for one in experiment.guardrails])
        outcomes[said.outcome] += 1
    ship = outcomes["ship"]
    return Point(
        difference,
        ship / simulations,
        clopper_pearson(ship, simulations),
        outcomes["reject"] / simulations,
        outcomes["not_enough_data"] / simulations,
    )


def _experiments(
    experiment: Experiment, population: Population, difference: float, seed: int, simulations: int
) -> Iterator[_Drawn]:
    """Item values, candidate minus reference, of each simulated experiment."""
    rng = generator(seed, "operating curve", repr(difference))
    losing = generator(seed, "operating curve", "missing", repr(difference))
    centre = centre_of(
        _reference_share(experiment, population), population.sd, *_metric(experiment)
    )
    shift = _shift(experiment, population, difference)
    n_items = experiment.clusters.size
    n_clusters = int(experiment.clusters.max()) + 1
    for _ in range(simulations):
        own = population.item_sd * rng.standard_normal(n_items)
        common = population.cluster_sd * rng.standard_normal(n_clusters)
        logits = centre + common[experiment.clusters] + own
        if experiment.kind == "win rate":
            yield _judged(experiment, logits + shift, rng, losing)
            continue
        new = _verified(experiment, logits + shift, rng, losing)
        old = _verified(experiment, logits, rng, losing)
        kept = np.flatnonzero(~np.isnan(new.value) & ~np.isnan(old.value))
        yield _Drawn(
            (new.value - old.value)[kept],
            kept,
            float(experiment.weights @ (new.worst - old.best)),
            float(experiment.weights @ (new.best - old.worst)),
        )


def _judged(
    experiment: Experiment, logits: Floats, rng: np.random.Generator, losing: np.random.Generator
) -> _Drawn:
    won = rng.binomial(experiment.draws, chance(logits)) / experiment.draws - 0.5
    lost = losing.random(won.size) < experiment.missing
    kept = np.flatnonzero(~lost)
    worst, best = (float(experiment.weights @ np.where(lost, end, won)) for end in (-0.5, 0.5))
    return _Drawn(won[kept], kept, worst, best)


@dataclass(frozen=True)
class _Values:
    """Of each item: its score, NaN with too few draws, and what the lost ones could make of it."""

    value: Floats
    worst: Floats
    best: Floats


def _verified(
    experiment: Experiment, logits: Floats, rng: np.random.Generator, losing: np.random.Generator
) -> _Values:
    whole = np.full(logits.size, experiment.draws)
    lost = losing.binomial(experiment.draws, experiment.missing, logits.size)
    right = rng.binomial(whole - lost, chance(logits))
    rule = pass_at_k if experiment.kind == "any of k" else pass_hat_k
    return _Values(
        rule(whole - lost, right, experiment.k),
        rule(whole, right, experiment.k),
        rule(whole, right + lost, experiment.k),
    )


def _shift(experiment: Experiment, population: Population, difference: float) -> float:
    """Logits by which the candidate differs, so that the mean score differs by `difference`."""
    if difference == 0:
        return 0.0
    share = _reference_share(experiment, population)
    return centre_of(share + difference, population.sd, *_metric(experiment)) - centre_of(
        share, population.sd, *_metric(experiment)
    )


def _reference_share(experiment: Experiment, population: Population) -> float:
    """Against itself the reference wins half of the votes."""
    return 0.5 if experiment.kind == "win rate" else population.share


def _has_room(experiment: Experiment, population: Population, difference: float) -> bool:
    return 0.002 < _reference_share(experiment, population) + difference < 0.998


def _metric(experiment: Experiment) -> tuple[Kind, int]:
    return experiment.kind, experiment.k


def _most(experiment: Experiment) -> float:
    return 0.5 if experiment.kind == "win rate" else 1.0
