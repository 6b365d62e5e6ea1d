"""Judge against people on the same pairs: what is left of a score when quality cancels.

A longer reply, or one of the judge's own family, may really be better; so a judge's mere liking
for it shows nothing. The people who labelled the same pairs saw the same quality, and the
difference of the two scores of model_a is
    y = gamma x + alpha_p + noise,
x: length of model_a's reply minus model_b's in hundreds of tokens; alpha_p: the judge's liking,
beyond the people's, for one model of pair p over the other whatever the lengths. Estimated by
least squares with a term for every pair of models. Position cancels, as both orders enter.

Scores of single replies are held against people's in the same way, a term for each checkpoint:
then model_b is `NOBODY`, and differences and liking are in points of the scale.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass, fields

import numpy as np
from scipy.special import stdtr, stdtrit

from eval_pipeline.judging.labels import LabelledPairs
from eval_pipeline.judging.rows import Bools, Floats, Ints, Strings, grouped
from eval_pipeline.judging.swap import JudgedPairs
from eval_pipeline.statistics.clustered import (
    FEW_CLUSTERS,
    Estimate,
    cluster_codes,
    standard_error,
    undefined,
)

NOBODY = ""  # stands where a single reply has no opponent
CHARACTERS_PER_TOKEN = 4  # lengths are recorded in code points: 100 tokens stand for 400 of them


@dataclass(frozen=True)
class Contrast:
    """One row a pair that a judge saw in both orders and people labelled."""

    cluster_id: Strings | Ints  # names, or their numbers
    model_a: Strings
    model_b: Strings
    difference: Floats  # judge's score of model_a minus the people's: a share, or points
    length: Floats  # model_a's reply minus model_b's, hundreds of tokens; NaN where unknown
    n_votes: Ints  # usable votes of the judge, and labels

    def __len__(self) -> int:
        return len(self.difference)

    def where(self, mask: Bools) -> "Contrast":
        """The rows that the mask keeps."""
        return Contrast(**{f.name: getattr(self, f.name)[mask] for f in fields(self)})


def contrast(
    pairs: JudgedPairs, labels: LabelledPairs, n_chars: Mapping[tuple[str, str], int]
) -> Contrast:
    """The pairs of one judge that people labelled too.

    n_chars: length of the reply of (model, item), code points.
    """
    both, place = labels.matched(pairs)
    seen = pairs.both_orders[both]
    both, place = both[seen], place[seen]
    items = pairs.item_id[both]
    lengths = [
        np.array(
            [n_chars.get((m, i), math.nan) for m, i in zip(models[both], items, strict=True)],
            dtype=np.float64,
        )
        for models in (pairs.model_a, pairs.model_b)
    ]
    return Contrast(
        pairs.cluster_id[both],
        pairs.model_a[both],
        pairs.model_b[both],
        pairs.score[both] - labels.score[place],
        (lengths[0] - lengths[1]) / (100 * CHARACTERS_PER_TOKEN),
        pairs.usable[both].sum(axis=1) + labels.n_labels[place],
    )


@dataclass(frozen=True)
class ContrastFit:
    """The least-squares fit of a contrast, with what each row adds to a coefficient."""

    rows: Contrast
    pair: Ints  # each row's pair of models, numbered
    slope: float  # gamma
    intercepts: Floats  # alpha of each pair
    residuals: Floats
    within: Floats  # x minus its pair's mean

    @property
    def n_parameters(self) -> int:
        return 1 + len(self.intercepts)

    def slope_influence(self) -> Floats:
        """What each row adds to the slope, shape (rows,)."""
        return np.asarray(self.within * self.residuals / (self.within**2).sum())

    def intercept_influence(self, weights: Floats) -> Floats:
        """What each row adds to the weighted sum of intercepts; weights of shape (pairs,)."""
        sizes = np.bincount(self.pair, minlength=len(weights))
        lengths = np.bincount(self.pair, self.rows.length, len(weights)) / sizes
        own = weights[self.pair] * self.residuals / sizes[self.pair]
        return np.asarray(own - float(weights @ lengths) * self.slope_influence())


def fit(rows: Contrast) -> ContrastFit | str:
    """Least squares of difference on length with a term for each pair of models.

    Rows of unknown length are left out. Returns the reason where no slope exists.
    """
    rows = rows.where(~np.isnan(rows.length))
    if not len(rows):
        return "nothing judged and labelled whose replies' lengths are known"
    _, pair = grouped([rows.model_a, rows.model_b])
    n_pairs = int(pair.max()) + 1
    sizes = np.bincount(pair, minlength=n_pairs)
    x_mean = np.bincount(pair, rows.length, n_pairs) / sizes
    y_mean = np.bincount(pair, rows.difference, n_pairs) / sizes
    within = rows.length - x_mean[pair]
    spread = float((within**2).sum())
    if spread < 1e-12 * len(rows):
        return "lengths do not vary within a pair of models, or within a checkpoint"
    slope = float((within * (rows.difference - y_mean[pair])).sum() / spread)
    residuals = rows.difference - y_mean[pair] - slope * within
    return ContrastFit(rows, pair, slope, y_mean - slope * x_mean, residuals, within)


def coefficient(
    fitted: ContrastFit, value: float, influence: Floats, confidence: float
) -> tuple[Estimate, float]:
    """A coefficient with its CR1 interval, t(Q - 1), and the p-value of 0.

    The variance carries Q / (Q - 1) x (N - 1) / (N - K), K parameters.
    Source: Cameron and Miller 2015, section II.C.
    """
    codes, n_clusters = cluster_codes(fitted.rows.cluster_id)
    n, k = len(fitted.rows), fitted.n_parameters
    if n_clusters < FEW_CLUSTERS or n <= k:
        reason = f"no interval: {n_clusters} clusters, {n} rows for {k} terms"
        return undefined(reason, confidence, n_clusters, value), math.nan
    se = standard_error(influence, codes, n_clusters) * math.sqrt((n - 1) / (n - k))
    if not se > 0:  # a width of zero would pass every bar without having shown anything
        reason = "no interval: the judge and people differ by the same throughout"
        return undefined(reason, confidence, n_clusters, value), math.nan
    df = n_clusters - 1
    half = float(stdtrit(df, 0.5 + confidence / 2)) * se
    p_value = float(2 * stdtr(df, -abs(value) / se))
    return (
        Estimate(value, se, value - half, value + half, "cr1_t", confidence, n_clusters, df),
        p_value,
    )
