"""Rows of `metric_estimates` for metrics that have no value of a single item."""

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from eval_pipeline.metrics.estimates.row import Design, Row, joined, lacking_words, standing
from eval_pipeline.metrics.estimates.set_estimates import set_estimate
from eval_pipeline.metrics.measures.column_values import nowhere, once, shared
from eval_pipeline.metrics.measures.forms import OfSums, Options, SetMeasure, depends_on_policy
from eval_pipeline.metrics.measures.lookup import set_measure_of
from eval_pipeline.metrics.registry import ChosenMetric
from eval_pipeline.metrics.samples import POLICIES, Bools, Items, Labels, Samples
from eval_pipeline.metrics.sums import Sums
from eval_pipeline.metrics.view import Participation, View, participation, view_of
from eval_pipeline.statistics.clustered import Estimate, undefined


def set_rows(
    items: Items,
    samples: Samples,
    wanted: ChosenMetric,
    slices: list[tuple[str, Bools]],
    design: Design,
    groups: Labels | None,
) -> Iterator[Row]:
    """Each slice and policy. A value that cannot be read leaves the row undefined, and named."""
    measure = set_measure_of(wanted.metric)
    policies = POLICIES if depends_on_policy(measure) else POLICIES[:1]
    for policy in policies:
        try:
            fault = nowhere(wanted.metric, samples)
            who = participation(wanted.metric, samples, policy, measure.on_failure)
        except ValueError as unreadable:  # one column that cannot be read leaves the other metrics
            fault = str(unreadable)
            none = np.zeros(len(samples.item), dtype=bool)
            who = Participation(none, none, none, {})
        view = view_of(wanted.metric, samples, policy, who)
        for name, mask in slices:
            of_slice = view.among(mask[samples.item[view.rows]])
            estimate, remark = _estimate(
                measure, view, of_slice, items, samples, wanted.options, design, groups, fault
            )
            yield {
                "slice": name,
                "policy": policy,
                **standing(estimate),
                **_counts(items, samples, of_slice, mask, design, measure),
                "bound_low": float("nan"),
                "bound_high": float("nan"),
                "reason": joined(
                    estimate.reason,
                    None if fault else _left_out(samples, who, mask),
                    remark,
                    None if fault else wanted.metric.note,
                ),
            }


def _sums(measure: OfSums, view: View, of_slice: View, samples: Samples, options: Options) -> Sums:
    """The sums of the slice's samples: made once for all slices, and for all policies if it may."""
    if measure.separable:
        made, taken = shared(
            measure, of_slice, samples, options, lambda v: measure.sums(v, options)
        )
    else:
        made = once(view, options, "rows", lambda: measure.sums(view, options))
        taken = np.isin(view.rows, of_slice.rows, assume_unique=True)
    return replace(made, terms=made.terms[taken])


def _estimate(
    measure: SetMeasure,
    view: View,
    of_slice: View,
    items: Items,
    samples: Samples,
    options: Options,
    design: Design,
    groups: Labels | None,
    fault: str | None,
) -> tuple[Estimate, str | None]:
    """The estimate of a slice of the view, and the measure's remark on it."""
    if fault is not None:
        return undefined(fault, design.confidence), None
    if not len(of_slice):
        return undefined("no sample takes part", design.confidence), None
    try:
        sums = None
        if isinstance(measure, OfSums):
            sums = _sums(measure, view, of_slice, samples, options)
        estimate = set_estimate(
            measure,
            of_slice,
            items,
            options,
            confidence=design.confidence,
            seed=design.seed,
            groups=groups,
            sums=sums,
        )
        return estimate, measure.remark(of_slice, options)
    except ValueError as unreadable:  # names the sample; the other metrics stand
        return undefined(str(unreadable), design.confidence), None


def _counts(
    items: Items, samples: Samples, view: View, mask: Bools, design: Design, measure: SetMeasure
) -> Row:
    item = samples.item[view.rows]
    recorded = int(np.sum(mask[samples.item]))
    weighted = isinstance(measure, OfSums) and not measure.pooled
    by = "draws weighted within items" if weighted else "samples pooled"
    return {
        "unit": design.unit,
        "n_units": len(np.unique(items.clusters[item])),
        "n_items": len(np.unique(item)),
        "n_samples": len(view),
        "n_excluded": recorded - len(view),
        "aggregation": f"{by}, {design.over_items}",
    }


def _left_out(samples: Samples, who: Participation, mask: Bools) -> str | None:
    """How many samples the value does not cover, and why."""
    inside = mask[samples.item]
    total = int(inside.sum())
    parts = []
    if excluded := int(np.sum(who.excluded & inside)):
        parts.append(f"{excluded} of {total} samples by the failure policy")
    lacking = {column: int(np.sum(absent & inside)) for column, absent in who.lacking.items()}
    parts += lacking_words(lacking, total)
    return "left out: " + ", ".join(parts) if parts else None
