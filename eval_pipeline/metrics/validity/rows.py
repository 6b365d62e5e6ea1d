"""Whether a contract's metrics order pairs of replies as people do, a row a metric."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from eval_pipeline.metrics.estimates.row import Row, status_of
from eval_pipeline.metrics.samples import Floats, Items
from eval_pipeline.metrics.validity.formula import Coefficient, rank_correlation


@dataclass(frozen=True)
class PeopleSay:
    """Pairs of replies that people labelled, all of shape (pairs,).

    item: its name; model_a, model_b: the checkpoints; score: model_a's mean score, a tie one half.
    """

    item: Sequence[str]
    model_a: Sequence[str]
    model_b: Sequence[str]
    score: Floats


def validity_row(
    items: Items,
    values: Mapping[str, Floats],
    people: PeopleSay,
    rng: np.random.Generator,
    *,
    higher_is_better: bool,
    coefficient: Coefficient,
    replicates: int,
    confidence: float,
    at_least: float | None,
) -> Row:
    """Rank correlation of the metric's difference between two replies with what people prefer.

    values: of each item, by checkpoint. Above 0 the metric points where people point, whichever
    way of it is better. Each pair stands in both directions, for which reply is named first means
    nothing. Clusters are those of the items.
    """
    place = {name: i for i, name in enumerate(items.ids)}
    none = np.full(len(items), np.nan)
    index = np.array([place[name] for name in people.item], dtype=np.int64)
    first, second = (
        np.array([values.get(name, none)[i] for name, i in zip(models, index, strict=True)])
        for models in (people.model_a, people.model_b)
    )
    difference = (first - second) * (1.0 if higher_is_better else -1.0)
    known = ~np.isnan(difference) if len(difference) else np.zeros(0, dtype=bool)
    row: Row = {
        "coefficient": coefficient,
        "confidence": confidence,
        "at_least": at_least,
        "n_pairs": int(known.sum()),
        "n_unscored": int(len(known) - known.sum()),
    }
    if known.sum() < 3:
        reason = f"{int(known.sum())} labelled pairs have a value of both replies: 3 are needed"
        nothing = {"value": np.nan, "ci_low": np.nan, "ci_high": np.nan, "ci_method": None}
        judged = _outcome(np.nan, np.nan, at_least)
        return {**row, **nothing, "n_units": 0, "status": "undefined", "reason": reason, **judged}
    moved, preferred = difference[known], people.score[known] - 0.5
    clusters = items.clusters[index[known]]
    correlation = rank_correlation(
        np.concatenate([moved, -moved]),
        np.concatenate([preferred, -preferred]),
        np.concatenate([clusters, clusters]),
        rng,
        coefficient=coefficient,
        replicates=replicates,
        confidence=confidence,
    )
    low, high = correlation.interval.low, correlation.interval.high
    has_interval = not np.isnan(low)
    return {
        **row,
        "value": correlation.value,
        "ci_low": low,
        "ci_high": high,
        "ci_method": "cluster bootstrap, percentile" if has_interval else None,
        "n_units": correlation.n_clusters,
        "status": status_of(correlation.value),
        "reason": correlation.reason or correlation.interval.reason,
        **_outcome(low, high, at_least),
    }


def _outcome(low: float, high: float, at_least: float | None) -> Row:
    """How the interval lies to the bar."""
    if at_least is None:
        return {"outcome": "descriptive"}
    if low >= at_least:
        return {"outcome": "within"}
    return {"outcome": "outside" if high < at_least else "undecided"}
