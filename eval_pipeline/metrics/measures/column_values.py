"""Metrics made from columns, before they are averaged: a value an item, or terms a sample."""

import hashlib
import re
from collections.abc import Callable, Mapping
from typing import Any, TypeVar

import numpy as np

from eval_pipeline.metrics.entry import Metric
from eval_pipeline.metrics.measures.forms import Measure, Options, PerSample
from eval_pipeline.metrics.samples import Bools, Floats, Ints, Policy, Samples
from eval_pipeline.metrics.view import SCORE, Participation, View, participation, view_of

T = TypeVar("T")


def item_means(
    metric: Metric,
    measure: PerSample,
    options: Options,
    samples: Samples,
    policy: Policy,
    n_items: int,
) -> tuple[Floats, Ints, Mapping[str, Ints], str | None]:
    """Sum of the values of each item's samples, how many they are, which lack a column, a remark.

    All of shape (items,), the third by column; a sample whose value is NaN has none. Raises
    ValueError for values outside the entry's range and whatever the measure refuses, with the
    sample's name.
    """
    who = participation(metric, samples, policy, measure.on_failure)
    view = view_of(metric, samples, policy, who)
    values = np.zeros(0)
    if len(view):
        made, taken = shared(
            measure, view, samples, options, lambda v: _checked(measure.values(v, options), v)
        )
        values = made[taken]
    item = samples.item
    known = ~np.isnan(values)
    rows = view.rows[known]
    total: Floats = np.bincount(item[rows], values[known], n_items).astype(np.float64)
    n = np.bincount(item[rows], minlength=n_items)
    if who.worst.any():
        worst = metric.least if metric.higher_is_better else metric.most
        failed = np.bincount(item[who.worst], minlength=n_items)
        total, n = total + worst * failed, n + failed
    remark = measure.remark(view, options) if len(view) else None
    lacking = lacking_by_item(who, item, n_items)
    if not known.all():
        lost = np.bincount(item[view.rows[~known]], minlength=n_items)
        lacking[f"value of {metric.name}"] = lost.astype(np.int64)
    return total, n.astype(np.int64), lacking, remark


def lacking_by_item(who: Participation, item: Ints, n_items: int) -> dict[str, Ints]:
    """Samples of each item that lack a column, by column, where any does."""
    return {
        column: np.bincount(item[absent], minlength=n_items).astype(np.int64)
        for column, absent in who.lacking.items()
        if absent.any()
    }


def nowhere(metric: Metric, samples: Samples) -> str | None:
    """Why the metric cannot be made at all: a column that no sample has; None where each is."""
    columns = samples.further()
    needed = [c for c in metric.columns if c.needed and c.name != SCORE]
    for column in needed if len(columns) else ():
        if not columns.present(column).any():
            owner = "item" if column.table == "items" else "sample"
            return f"no {owner} has {column.name}: record it, or take {metric.name} out of metrics"
    return None


def shared(
    measure: Measure,
    view: View,
    samples: Samples,
    options: Options,
    make: Callable[[View], T],
) -> tuple[T, Bools]:
    """What `make` makes of all samples that any policy takes, and which of them are in the view.

    For measures that read each sample alone: a sample says the same under every policy that takes
    it. Where one that this policy leaves out cannot be read, it is made for the view itself.
    """
    who = participation(view.metric, samples, "all_wrong", measure.on_failure)
    widest = view_of(view.metric, samples, "all_wrong", who)
    try:
        made = once(widest, options, "rows", lambda: make(widest))
    except ValueError:
        widest = view
        made = once(view, options, "rows", lambda: make(view))
    return made, np.isin(widest.rows, view.rows, assume_unique=True)


def once(view: View, options: Options, what: str, make: Callable[[], T]) -> T:
    """What `make` gives, made once for the same samples: policies often keep the same ones."""
    digest = hashlib.blake2b(view.rows.tobytes(), digest_size=16)
    digest.update(view.score.tobytes())
    key = (what, view.metric.name, tuple(sorted(options.items())), digest.digest())
    made: dict[Any, Any] = view.columns.made
    if key not in made:
        try:
            made[key] = make()
        except ValueError as fault:
            raise ValueError(_located(view, str(fault))) from fault
    found: T = made[key]
    return found


def _located(view: View, fault: str) -> str:
    """A pure function names a place in what it was given: here its sample is known."""
    place = re.search(r"\[([0-9]+)\]|(?:answer|query) ([0-9]+)", fault)
    at = int(place[1] or place[2]) if place else len(view)
    return f"{view.name(at)}: {fault}" if at < len(view) and "draw " not in fault else fault


def _checked(values: Floats, view: View) -> Floats:
    metric = view.metric
    outside = (values < metric.least) | (values > metric.most)
    if (bad := np.flatnonzero(outside)).size:
        raise ValueError(
            f"{view.name(bad[0])}: {metric.name} is {values[bad[0]]:g}, outside "
            f"{metric.least:g} to {metric.most:g} ({bad.size} such samples)"
        )
    return values
