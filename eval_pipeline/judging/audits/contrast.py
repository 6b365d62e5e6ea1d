"""Judge against people on the same pairs: what is left of a score when quality cancels.

A longer reply, or one of the judge's own family, may really be better; so a judge's mere liking
for it shows nothing. The people who labelled the same pairs saw the same quality, and the
difference of the two scores of model_a is
    y = gamma x + alpha_p + noise,
x: length of model_a's reply minus model_b's in hundreds of tokens; alpha_p: the judge's liking,
beyond the people's, for one model of pair p over the other whatever the lengths. Estimated by
least squares with a term for every pair of models. Position cancels where both orders enter;
where one order is judged by design, its seat is a term beside the length.

Scores of single replies are held against people's in the same way, a term for each checkpoint:
then model_b is `NOBODY`, and differences and liking are in points of the scale.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass, fields

import numpy as np
from scipy.special import stdtr, stdtrit

from eval_pipeline.judging.pairs.swap import JudgedPairs
from eval_pipeline.judging.people.labels import LabelledPairs
from eval_pipeline.judging.rows import Bools, Floats, Ints, Strings, grouped
from eval_pipeline.statistics.clustered import FEW_CLUSTERS, Estimate, standard_error, undefined
from eval_pipeline.statistics.clusters import cluster_codes

NOBODY = ""  # stands where a single reply has no opponent
NOT_BOTH = "nothing has both people's labels and usable votes in the orders that are due"
CHARACTERS_PER_TOKEN = 4  # lengths are recorded in code points: 100 tokens stand for 400 of them


@dataclass(frozen=True)
class Contrast:
    """One row a pair that a judge saw, in each order that is due, and people labelled."""

    cluster_id: Strings | Ints  # names, or their numbers
    model_a: Strings
    model_b: Strings
    difference: Floats  # judge's score of model_a minus the people's: a share, or points
    length: Floats  # model_a's reply minus model_b's, hundreds of tokens; NaN where unknown
    n_votes: Ints  # usable votes of the judge, and labels
    seat: Floats  # +1 where model_a was shown first only, -1 second only, 0 both

    def __len__(self) -> int:
        return len(self.difference)

    def where(self, mask: Bools) -> "Contrast":
        """The rows that the mask keeps."""
        return Contrast(**{f.name: getattr(self, f.name)[mask] for f in fields(self)})

    @property
    def seat_is_model(self) -> bool:
        """Whether rows were seen from one seat only, and no pair of models from more than one."""
        if not self.seat.any():
            return False
        firsts, pair = grouped([self.model_a, self.model_b])
        return not _within(self.seat, pair, len(firsts))[0].any()


def contrast(
    pairs: JudgedPairs, labels: LabelledPairs, n_chars: Mapping[tuple[str, str], int]
) -> Contrast:
    """The pairs of one judge that people labelled too.

    n_chars: length of the reply of (model, item), code points.
    """
    both, place = labels.matched(pairs)
    seen = pairs.heard[both]
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
        pairs.heard_score[both] - labels.score[place],
        (lengths[0] - lengths[1]) / (100 * CHARACTERS_PER_TOKEN),
        pairs.usable[both].sum(axis=1) + labels.n_labels[place],
        pairs.seat[both],
    )


@dataclass(frozen=True)
class ContrastFit:
    """The least-squares fit of a contrast, with what each row adds to a coefficient."""

    rows: Contrast
    pair: Ints  # each row's pair of models, numbered
    slope: float  # gamma
    intercepts: Floats  # alpha of each pair
    residuals: Floats
    means: Floats  # of each pair: its terms' means, shape (pairs, terms)
    lever: Floats  # what a unit of each row's residual adds to each term, shape (rows, terms)

    @property
    def n_parameters(self) -> int:
        return int(self.lever.shape[1]) + len(self.intercepts)

    def slope_influence(self) -> Floats:
        """What each row adds to the slope, shape (rows,)."""
        return np.asarray(self.lever[:, 0] * self.residuals)

    def intercept_influence(self, weights: Floats) -> Floats:
        """What each row adds to the weighted sum of intercepts; weights of shape (pairs,)."""
        sizes = np.bincount(self.pair, minlength=len(weights))
        own = weights[self.pair] / sizes[self.pair]
        return np.asarray((own - self.lever @ (weights @ self.means)) * self.residuals)


def fit(rows: Contrast) -> ContrastFit | str:
    """Least squares of difference on length, and on the seat where some were seen from one only.

    Each pair of models has a term of its own. Rows of unknown length are left out. Returns the
    reason where no slope exists.
    """
    if not len(rows):
        return NOT_BOTH
    rows = rows.where(~np.isnan(rows.length))
    if not len(rows):
        return "nothing judged and labelled whose replies' lengths are known"
    _, pair = grouped([rows.model_a, rows.model_b])
    n_pairs = int(pair.max()) + 1
    seat = _within(rows.seat, pair, n_pairs)[0]
    terms = [rows.length, rows.seat] if seat.any() else [rows.length]
    apart, means = (
        np.column_stack(each)
        for each in zip(*(_within(term, pair, n_pairs) for term in terms), strict=True)
    )
    if float((apart[:, 0] ** 2).sum()) < 1e-12 * len(rows):
        return "lengths do not vary within a pair of models, or within a checkpoint"
    if np.linalg.matrix_rank(apart) < len(terms):
        return "the reply shown first is the longer one throughout: seat and length are one"
    y, y_mean = _within(rows.difference, pair, n_pairs)
    lever = apart @ np.linalg.inv(apart.T @ apart)
    effects = lever.T @ y
    intercepts, residuals = y_mean - means @ effects, y - apart @ effects
    return ContrastFit(rows, pair, float(effects[0]), intercepts, residuals, means, lever)


def _within(values: Floats, pair: Ints, n_pairs: int) -> tuple[Floats, Floats]:
    """Each row's value minus its pair's mean, and the means, shape (pairs,)."""
    means = np.bincount(pair, values, n_pairs) / np.bincount(pair, minlength=n_pairs)
    return values - means[pair], means


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
