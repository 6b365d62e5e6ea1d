"""How much of a score's spread comes from each source: prompt, decoding, judge, annotator, seed.

Sources may be crossed (every judge reads every prompt) or nested (draws of a prompt: `within`),
balanced or not. A component may come out negative, which says that it is not above noise.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from eval_pipeline.statistics.clustered import Floats, Ints
from eval_pipeline.statistics.clusters import cluster_codes

Labels = ArrayLike | Sequence[Any]

_SINGULAR = 1e-9  # smallest singular value, as a share of the largest, of sources told apart


@dataclass(frozen=True)
class RandomEffects:
    """Components of variance by source, of what is left (`residual`), and of the mean.

    levels: how many levels of each source were seen. balanced: whether every source has the same
    number of scores at each level, and every two sources at each pair of levels that occurs; where
    not, the estimates stay unbiased but other unbiased ones exist. se_mean: of the mean over new
    levels of every source; NaN where the components make its variance negative.
    """

    mean: float
    se_mean: float
    components: dict[str, float]
    residual: float
    levels: dict[str, int]
    n_scores: int
    balanced: bool

    def standard_error(self, levels: Mapping[str, int], n_scores: int) -> float:
        """Of the mean of a balanced design with so many levels of each source; NaN if negative.

        sqrt(sum of component / levels + residual / n_scores). A negative component counts as
        it is: cutting it off at 0 would bias the sum. Raises ValueError for a missing source.
        """
        if set(levels) != set(self.components) or min([*levels.values(), n_scores]) < 1:
            raise ValueError(
                f"name how many levels each source gets, 1 or more: {', '.join(self.components)}"
            )
        square = self.residual / n_scores
        square += sum(self.components[name] / count for name, count in levels.items())
        return math.sqrt(square) if square >= 0 else math.nan


def within(*sources: Labels) -> list[tuple[str, ...]]:
    """The labels of a nested source: the second draw of one prompt is not that of another.

    The same combination of crossed sources gives their interaction.
    """
    if len({len(np.asarray(one)) for one in sources}) != 1:
        raise ValueError("the sources must have as many labels as there are scores")
    return list(zip(*(np.asarray(one).astype(str).tolist() for one in sources), strict=True))


def random_effects(scores: ArrayLike, sources: Mapping[str, Labels]) -> RandomEffects:
    """Variance of each source by the quadratic forms of its level means (Henderson's method 1).

    scores: shape (n,), finite; sources: name -> label of each score. The sum over levels of
    n_i (mean_i - mean)^2 has an expectation that is linear in the components whatever the counts;
    as many equations as components are solved. For balanced data these are the estimates of the
    analysis of variance.
    Raises ValueError for fewer than two levels of a source, and for sources that the data cannot
    tell apart from each other or from what is left, such as a source with one score a level.
    Source: Henderson 1953, Biometrics 9:226; Searle, Casella and McCulloch 1992, section 5.3.
    """
    y = np.asarray(scores, dtype=np.float64)
    if y.ndim != 1 or not y.size or not np.isfinite(y).all():
        raise ValueError("scores must be a vector of finite numbers: leave out what is missing")
    if not sources:
        raise ValueError("name at least one source of variance")
    codes = {name: _levels(name, labels, y.size) for name, labels in sources.items()}
    names = list(codes)
    apart = y - y.mean()
    forms, expected = _equations(apart, [codes[name] for name in names])
    scale = np.linalg.svd(expected, compute_uv=False)
    if scale[-1] < _SINGULAR * scale[0]:
        raise ValueError(
            f"the sources {', '.join(names)} cannot be told apart from each other or from what is "
            "left: give each level several scores, or leave one source out"
        )
    found = np.linalg.solve(expected, forms)
    components = dict(zip(names, found[:-1].tolist(), strict=True))
    residual = float(found[-1])
    square = residual / y.size
    for name in names:
        counts = np.bincount(codes[name])
        square += components[name] * float(np.sum((counts / y.size) ** 2))
    return RandomEffects(
        float(y.mean()),
        math.sqrt(square) if square >= 0 else math.nan,
        components,
        residual,
        {name: int(codes[name].max()) + 1 for name in names},
        y.size,
        _balanced(list(codes.values())),
    )


def _levels(name: str, labels: Labels, n_scores: int) -> Ints:
    if isinstance(labels, list) and labels and isinstance(labels[0], tuple):
        labels = ["\x1f".join(one) for one in labels]
    try:
        codes, count = cluster_codes(labels)
    except ValueError as error:
        raise ValueError(f"source {name}: {error}".replace("cluster", "label")) from error
    if len(codes) != n_scores:
        raise ValueError(f"source {name}: {len(codes)} labels but {n_scores} scores")
    if count < 2:
        raise ValueError(f"source {name}: one level has no variance to be seen")
    return codes


def _equations(apart: Floats, codes: Sequence[Ints]) -> tuple[Floats, Floats]:
    """Quadratic forms about the mean, and what each expects of (components..., residual)."""
    n = apart.size
    counts = [np.bincount(one).astype(np.float64) for one in codes]
    spread = [float(np.sum(count**2)) / n for count in counts]  # what the mean itself holds
    size = len(codes) + 1
    forms, expected = np.empty(size), np.empty((size, size))
    for i, (one, count) in enumerate(zip(codes, counts, strict=True)):
        sums = np.bincount(one, apart, count.size)
        forms[i] = np.sum(sums**2 / count)
        for j, other in enumerate(codes):
            expected[i, j] = _overlap(one, other, count) - spread[j]
        expected[i, -1] = count.size - 1
    forms[-1] = np.sum(apart**2)
    expected[-1, :-1] = [n - one for one in spread]
    expected[-1, -1] = n - 1
    return forms, expected


def _overlap(one: Ints, other: Ints, count: Floats) -> float:
    """Sum over the levels of one, and of the other, of n_ij^2 / n_i."""
    cells, n_ij = _cells(one, other)
    return float(np.sum(n_ij.astype(np.float64) ** 2 / count[cells // (int(other.max()) + 1)]))


def _cells(one: Ints, other: Ints) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The pairs of levels that occur, as one number, and how often."""
    places = int(other.max()) + 1
    pairs = one * places + other
    if (int(one.max()) + 1) * places > one.size:  # mostly empty: sorted rather than counted
        cells, n_ij = np.unique(pairs, return_counts=True)
        return cells, n_ij.astype(np.int64)
    counts = np.bincount(pairs)
    cells = np.flatnonzero(counts)
    return cells, counts[cells].astype(np.int64)


def _balanced(codes: Sequence[Ints]) -> bool:
    return all(len(set(_cells(one, other)[1].tolist())) == 1 for one in codes for other in codes)
