"""A paired bootstrap of ten thousand replicates; its memory; components of variance."""

import time
import tracemalloc
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.stats import bootstrap as scipy_bootstrap

from eval_pipeline.statistics.bootstrap import bootstrap_difference
from eval_pipeline.statistics.random_effects import random_effects
from eval_pipeline.statistics.randomness import generator
from eval_pipeline_tests.benchmarks.figure import Figure

ITEMS = 100_000
CLUSTERS = 1_000
REPLICATES = 10_000
BOOTSTRAP_BAR = 2.0  # seconds
MEMORY_BAR = 16.0  # MB; an index matrix of replicates x items takes 8,000
EFFECTS_BAR = 1.0  # seconds
SCORES = 1_000_000

Floats = NDArray[np.float64]


def measure() -> Iterator[Figure]:
    a, b, clusters = _paired()
    for method in ("percentile", "bca", "studentised"):
        yield _bootstrap(a, b, clusters, method)
    yield _memory(a, b, clusters)
    yield _random_effects()


def _paired() -> tuple[Floats, Floats, NDArray[np.int64]]:
    rng = generator(1, "benchmark", "paired")
    clusters = rng.integers(0, CLUSTERS, ITEMS)
    chance = rng.beta(4, 2, CLUSTERS)[clusters]
    a, b = ((rng.random(ITEMS) < chance + gain).astype(float) for gain in (0.02, 0.0))
    return a, b, clusters


def _bootstrap(a: Floats, b: Floats, clusters: NDArray[np.int64], method: Any) -> Figure:
    """scipy is given 1,000 cluster means: the item-weighted mean is not to be had of it."""
    rng = generator(1, "benchmark", method)
    wall, cpu = _timed(
        lambda: bootstrap_difference(a, b, clusters, rng, replicates=REPLICATES, method=method)
    )
    peer = None
    if method != "studentised":
        means = np.bincount(clusters, a - b) / np.bincount(clusters)
        peer, _ = _timed(
            lambda: scipy_bootstrap(
                (means,),
                np.mean,
                n_resamples=REPLICATES,
                batch=1,
                method="percentile" if method == "percentile" else "BCa",
                rng=rng,
            )
        )
    return Figure(
        f"paired bootstrap, {method}, {REPLICATES:,} x {CLUSTERS:,} clusters of {ITEMS:,} items",
        wall,
        "s",
        "scipy, equal clusters" if peer else "nothing to hold it against",
        peer,
        f"<= {BOOTSTRAP_BAR:g} s",
        wall <= BOOTSTRAP_BAR,
        cpu,
        wall,
    )


def _memory(a: Floats, b: Floats, clusters: NDArray[np.int64]) -> Figure:
    """Beyond the input; the same with a tenth of the replicates is the floor."""

    def peak(replicates: int) -> float:
        tracemalloc.start()
        rng = generator(1, "benchmark", "memory")
        bootstrap_difference(a, b, clusters, rng, replicates=replicates)
        _, most = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        return most / 1e6

    began, used = time.perf_counter(), time.process_time()
    some, many = peak(REPLICATES // 10), peak(REPLICATES)
    return Figure(
        f"memory of {REPLICATES:,} replicates",
        many,
        "MB",
        "a tenth of the replicates",
        some,
        f"<= {MEMORY_BAR:g} MB",
        many <= MEMORY_BAR,
        time.process_time() - used,
        time.perf_counter() - began,
    )


def _random_effects() -> Figure:
    rng = generator(1, "benchmark", "effects")
    sources = {
        "prompt": rng.integers(0, 20_000, SCORES),
        "judge": rng.integers(0, 5, SCORES),
        "seed": rng.integers(0, 50, SCORES),
    }
    scores = rng.normal(size=SCORES)
    wall, cpu = _timed(lambda: random_effects(scores, sources))
    floor, _ = _timed(lambda: [np.unique(one, return_inverse=True) for one in sources.values()])
    return Figure(
        f"variance of three sources, {SCORES:,} scores",
        wall,
        "s",
        "sorting the labels",
        floor,
        f"<= {EFFECTS_BAR:g} s",
        wall <= EFFECTS_BAR,
        cpu,
        wall,
    )


def _timed(work: Callable[[], Any]) -> tuple[float, float]:
    began, used = time.perf_counter(), time.process_time()
    work()
    return time.perf_counter() - began, time.process_time() - used
