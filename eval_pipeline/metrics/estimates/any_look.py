"""Rows whose intervals hold at whatever look they are read, where the contract asks for it."""

import math

import numpy as np

from eval_pipeline.metrics.estimates.row import Row, joined
from eval_pipeline.statistics.intervals import Interval, score_interval
from eval_pipeline.statistics.sequential import (
    FEWEST_AT_ANY_LOOK,
    any_time_p_value,
    any_time_quantile,
    betting_sequence,
)

METHOD, NEAR_THE_ENDS, NO_SPREAD = "any_time", "any_time_wilson", "betting"


def at_any_look(
    row: Row, planned: int, *, value: str, clusters: str, least: float, most: float
) -> Row:
    """The row with the interval of a confidence sequence in place of that of one planned look.

    planned: clusters of all the contract's items, which are known before the first look. value,
    clusters: names of the estimate's column and of its number of clusters. least, most: of the
    estimate; the ends are held within. A p-value becomes that of the sequence. Where all clusters
    say the same, as where an event never happened, the ends are those of a betting sequence, exact
    for their mean at any number of them. An interval that stands on exact counts or on too few
    clusters has no such form: there is none then.
    """
    n, se, estimate = row[clusters], row["se"], row[value]
    p = {"p_value": math.nan} if "p_value" in row else {}
    if row["ci_method"] is None:
        return {**row, **p}
    if se == 0 and math.isfinite(most - least) and not p:
        share = (estimate - least) / (most - least)
        low, high = betting_sequence(np.full(n, share), row["confidence"])
        wide = {"ci_low": least + low[-1] * (most - least)}
        wide["ci_high"] = least + high[-1] * (most - least)
        return {**row, **wide, "ci_method": NO_SPREAD}
    if (why := _why_not(row["ci_method"], n, se)) is not None:
        nowhere = {"ci_low": math.nan, "ci_high": math.nan, "ci_method": None}
        reason = joined(f"no interval that holds at any look: {why}", row["reason"])
        return {**row, **nowhere, **p, "reason": reason}
    quantile = any_time_quantile(n, planned, row["confidence"])
    if row["ci_method"] == "wilson_effective_n":
        ends = score_interval(estimate, estimate * (1 - estimate) / se**2, quantile)
        method = NEAR_THE_ENDS
    else:
        ends = Interval(max(estimate - quantile * se, least), min(estimate + quantile * se, most))
        method = METHOD
    if p:
        p["p_value"] = any_time_p_value(estimate, se, n, planned, row["confidence"])
    return {**row, **p, "ci_low": ends.low, "ci_high": ends.high, "ci_method": method}


def _why_not(method: str, n_clusters: int, se: float) -> str | None:
    if n_clusters < FEWEST_AT_ANY_LOOK:
        return f"{n_clusters} clusters, {FEWEST_AT_ANY_LOOK} needed"
    if method == "wilson_mover":
        return "too few clusters differ"
    return None if se > 0 else "the clusters do not differ"
