"""FID beside the linear algebra that it cannot do without, and neighbours beside their products.

Both run on one BLAS thread and are compared by CPU time, which other work on the machine does not
stretch. EVAL_PIPELINE_BENCHMARK_IMAGES and EVAL_PIPELINE_BENCHMARK_FEATURES set another size; the
bar is for 50,000 images a set and 2,048 features, which take about a minute.
"""

import os
import time
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from eval_pipeline.metrics.images.formula_frechet import frechet_distance, moments
from eval_pipeline.metrics.images.formula_neighbours import precision_recall
from eval_pipeline.statistics.randomness import generator
from eval_pipeline.statistics.threads import one_blas_thread
from eval_pipeline_tests.benchmarks.figure import Figure

IMAGES = int(os.environ.get("EVAL_PIPELINE_BENCHMARK_IMAGES", "50000"))
FEATURES = int(os.environ.get("EVAL_PIPELINE_BENCHMARK_FEATURES", "2048"))
FID_BAR = 1.3  # times the floor
NEIGHBOURS = 5_000  # images a set
NEIGHBOUR_BAR = 4.0  # times the products of features: each distance is also looked at

Features = NDArray[np.float32]


def measure() -> Iterator[Figure]:
    rng = generator(1, "benchmark", "image features")
    real = rng.standard_normal((IMAGES, FEATURES), dtype=np.float32)
    fake = rng.standard_normal((IMAGES, FEATURES), dtype=np.float32) * np.float32(1.1)
    yield _fid(real, fake)
    yield _neighbours(real[:NEIGHBOURS], fake[:NEIGHBOURS])


def _fid(real: Features, fake: Features) -> Figure:
    wall, cpu = _taken(lambda: frechet_distance(moments(real), moments(fake), "random"))
    _, floor = _taken(lambda: _floor(real, fake))
    return Figure(
        f"FID of 2 x {IMAGES:,} images, {FEATURES:,} features",
        cpu,
        "s CPU",
        "means, covariances, 2 eigen",
        floor,
        f"<= {FID_BAR} x floor",
        cpu <= FID_BAR * floor,
        cpu,
        wall,
    )


def _floor(real: Features, fake: Features) -> None:
    """Mean and product of each whole matrix in float64, one eigh and one eigvalsh."""
    with one_blas_thread():
        products = []
        for features in (real, fake):
            x = features.astype(np.float64)
            x.mean(axis=0)
            products.append(x.T @ x)
        np.linalg.eigh(products[0])
        np.linalg.eigvalsh(products[1])


def _neighbours(real: Features, fake: Features) -> Figure:
    wall, cpu = _taken(lambda: precision_recall(real, fake, "random"))
    _, floor = _taken(lambda: _products(real.astype(np.float64), fake.astype(np.float64)))
    return Figure(
        f"neighbours of 2 x {len(real):,} images",
        cpu,
        "s CPU",
        "4 products of features",
        floor,
        f"<= {NEIGHBOUR_BAR:g} x floor",
        cpu <= NEIGHBOUR_BAR * floor,
        cpu,
        wall,
    )


def _products(real: NDArray[np.float64], fake: NDArray[np.float64]) -> None:
    """Distances within each set, and between them both ways."""
    with one_blas_thread():
        for one, other in ((real, real), (fake, fake), (real, fake), (fake, real)):
            one @ other.T


def _taken(work: Callable[[], Any]) -> tuple[float, float]:
    """Wall and CPU time of one run, seconds."""
    wall, cpu = time.perf_counter(), time.process_time()
    work()
    return time.perf_counter() - wall, time.process_time() - cpu
