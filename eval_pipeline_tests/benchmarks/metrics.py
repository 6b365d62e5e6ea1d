"""pass@k of a million items; interval and bootstrap of a hundred thousand in clusters."""

import time
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.stats import bootstrap as scipy_bootstrap

from eval_pipeline.metrics.draws.formula_at_k import pass_at_k
from eval_pipeline.statistics.bootstrap import bootstrap_mean
from eval_pipeline.statistics.clustered import mean
from eval_pipeline.statistics.randomness import generator
from eval_pipeline_tests.benchmarks.figure import Figure

ITEMS = 1_000_000
K = 100
PEER_ITEMS = 10_000
PASS_AT_K_BAR = 0.3  # seconds
MEAN_BAR = 4.0  # times the floor
CLUSTERS = 20_000
REPLICATES = 200
BOOTSTRAP_BAR = 3.0  # times the peer, which sums one array where we sum two
REPEATS = 5


def measure() -> Iterator[Figure]:
    yield _pass_at_k()
    yield _clustered_mean()
    yield _cluster_bootstrap()


def _pass_at_k() -> Figure:
    rng = generator(1, "benchmark", "pass_at_k")
    n = rng.integers(K, 2 * K, ITEMS)
    c = rng.binomial(n, rng.beta(1, 2, ITEMS))
    wall, cpu = _best(lambda: pass_at_k(n, c, K))
    some = list(zip(n[:PEER_ITEMS].tolist(), c[:PEER_ITEMS].tolist(), strict=True))
    peer, _ = _best(lambda: [_one_item(draws, right) for draws, right in some], repeats=1)
    return Figure(
        "pass@100 of 1,000,000 items",
        wall,
        "s",
        "item by item (scaled)",
        peer * ITEMS / PEER_ITEMS,
        f"<= {PASS_AT_K_BAR} s",
        wall <= PASS_AT_K_BAR,
        cpu,
        wall,
    )


def _clustered_mean() -> Figure:
    """The floor is one sort of the clusters' numbers, which any clustered estimate needs."""
    values, clusters = _clustered()
    wall, cpu = _best(lambda: mean(values, clusters))
    floor, _ = _best(lambda: np.unique(clusters, return_inverse=True))
    return Figure(
        "clustered interval of 100,000 items",
        wall,
        "s",
        "sorting the clusters",
        floor,
        f"<= {MEAN_BAR:g} x sorting",
        wall <= MEAN_BAR * floor,
        cpu,
        wall,
    )


def _cluster_bootstrap() -> Figure:
    """scipy's draws are of 20,000 numbers, as many as there are clusters."""
    values, clusters = _clustered()
    rng = generator(1, "benchmark", "resample")
    wall, cpu = _best(
        lambda: bootstrap_mean(values, clusters, rng, replicates=REPLICATES), repeats=2
    )
    peer, _ = _best(
        lambda: scipy_bootstrap(
            (values[:CLUSTERS],),
            np.mean,
            n_resamples=REPLICATES,
            batch=1,
            method="percentile",
            rng=rng,
        ),
        repeats=2,
    )
    return Figure(
        f"{REPLICATES} cluster replicates of 100,000 items",
        wall,
        "s",
        "scipy, items as units",
        peer,
        f"<= {BOOTSTRAP_BAR:g} x scipy",
        wall <= BOOTSTRAP_BAR * peer,
        cpu,
        wall,
    )


def _clustered() -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    rng = generator(1, "benchmark", "clustered")
    return rng.random(100_000), rng.integers(0, CLUSTERS, 100_000)


def _one_item(n: int, c: int) -> float:
    """The estimator as it is usually written: a product over numbers of one item."""
    if n - c < K:
        return 1.0
    return float(1.0 - np.prod(1.0 - K / np.arange(n - c + 1, n + 1)))


def _best(work: Callable[[], Any], repeats: int = REPEATS) -> tuple[float, float]:
    """Shortest wall time of some runs, and the CPU time of that run, seconds."""
    times = []
    for _ in range(repeats):
        wall, cpu = time.perf_counter(), time.process_time()
        work()
        times.append((time.perf_counter() - wall, time.process_time() - cpu))
    return min(times)
