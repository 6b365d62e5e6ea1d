"""Whether two models differ, where clusters are too few for a standard error.

If two models are equally strong, then on each cluster either is as likely to be ahead: the sums of
what one took beyond one half are symmetric about 0, and flipping their signs gives the exact
chance of as large a total. Only pairs of the two themselves count, in both orders, so that no
fitted strength enters. It is a test and leaves no interval: the strengths of third models move the
difference, and no exact set of differences is known.

The leave-one-out error (CR3) stands beside strengths and is no basis for an interval here: with
fewer than ten clusters t quantiles do not repair it. CR2, which lies between CR1 and CR3, is not
given: its point is degrees of freedom of its own, and those take the working covariance for true,
which half wins contradict.
"""

import numpy as np
from numpy.typing import NDArray

from eval_pipeline.ranking.encode import Battles
from eval_pipeline.statistics.clustered import FEW_CLUSTERS
from eval_pipeline.statistics.sign_flip import sign_flip_p

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


def direct_tests(pairs: Battles, i: Ints, j: Ints) -> tuple[Floats, Ints]:
    """Exact two-sided p-value of each contrast, and the clusters that it rests on; shape (i,).

    pairs: battles without seats, one a judged pair. NaN where the two never met, or met in
    `FEW_CLUSTERS` clusters or more, where a standard error does.
    Source: Fisher 1935, The Design of Experiments, section 21.
    """
    n = len(pairs.models)
    low, high = np.minimum(pairs.first, pairs.second), np.maximum(pairs.first, pairs.second)
    beyond = pairs.weight * (pairs.score - 0.5) * np.where(pairs.first == low, 1.0, -1.0)
    key = (low * n + high) * pairs.n_clusters + pairs.cluster
    cells, cell = np.unique(key, return_inverse=True)
    sums = np.bincount(cell, beyond, len(cells))
    p_values, counted = np.full(len(i), np.nan), np.zeros(len(i), dtype=np.int64)
    wanted = (np.minimum(i, j) * n + np.maximum(i, j)) * pairs.n_clusters
    for k, start in enumerate(wanted.tolist()):
        begin, end = np.searchsorted(cells, [start, start + pairs.n_clusters])
        counted[k] = end - begin
        if 0 < end - begin < FEW_CLUSTERS:
            p_values[k] = sign_flip_p(sums[begin:end])
    return p_values, counted
