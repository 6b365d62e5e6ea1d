"""Power without a formula: the whole experiment drawn again and again, and analysed as it will be.

A formula takes a normal limit and clusters of one size; this takes the very analysis, few clusters
and ragged ones included. It is also the check on the formulas.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from eval_pipeline.statistics.clustered import Floats, Ints
from eval_pipeline.statistics.intervals import Interval, clopper_pearson
from eval_pipeline.statistics.paired import mean_difference

Experiment = Callable[[np.random.Generator], tuple[Floats, Ints]]  # differences, clusters


@dataclass(frozen=True)
class SimulatedPower:
    """The share of simulated experiments that show the difference, and how sure that share is."""

    power: float
    interval: Interval
    simulations: int


def simulated_power(
    experiment: Experiment,
    rng: np.random.Generator,
    *,
    simulations: int = 1000,
    confidence: float = 0.95,
    bar: float = 0.0,
) -> SimulatedPower:
    """How often the interval of `mean_difference` lies above the bar.

    bar: 0 for superiority, the negative margin for non-inferiority. An experiment without an
    interval shows nothing.
    """
    if simulations < 1:
        raise ValueError(f"at least one simulation is needed, got {simulations}")
    shown = 0
    for _ in range(simulations):
        estimate = mean_difference(*experiment(rng), confidence=confidence).estimate
        shown += estimate.has_interval and estimate.low > bar
    return SimulatedPower(
        shown / simulations, clopper_pearson(shown, simulations, 0.95), simulations
    )


def paired_experiment(
    difference: float, discordant: float, sizes: ArrayLike, correlation: float = 0.0
) -> Experiment:
    """Paired 0/1 scores in clusters: gains with chance (psi + d) / 2, losses with (psi - d) / 2.

    sizes: items of each cluster, shape (clusters,). correlation: of two differences in a cluster;
    an item takes its cluster's common outcome with chance sqrt(correlation), else one of its own.
    Raises ValueError for shares that cannot be.
    """
    m = np.asarray(sizes)
    if m.ndim != 1 or not m.size or m.dtype.kind not in "iu" or not (m >= 1).all():
        raise ValueError("sizes must be whole numbers of 1 or more, one a cluster")
    if not abs(difference) <= discordant <= 1 or not 0 <= correlation <= 1:
        raise ValueError(
            f"a difference of {difference} needs a discordant share between it and 1, and a "
            f"correlation in [0, 1]: got {discordant}, {correlation}"
        )
    gains, losses = (discordant + difference) / 2, (discordant - difference) / 2
    clusters = np.repeat(np.arange(m.size), m)
    outcomes: Sequence[float] = (1.0, -1.0, 0.0)
    chances = (gains, losses, 1 - gains - losses)

    def experiment(rng: np.random.Generator) -> tuple[Floats, Ints]:
        own = rng.choice(outcomes, clusters.size, p=chances)
        common = rng.choice(outcomes, m.size, p=chances)[clusters]
        return np.where(rng.random(clusters.size) ** 2 < correlation, common, own), clusters

    return experiment
