"""What must hold of the metrics that a contract names: rules that `rules.RULES` gathers."""

import math
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from eval_pipeline.contracts.faults import Path, nearest, shown
from eval_pipeline.contracts.model import Budget, Contract, Targets
from eval_pipeline.contracts.shape import Problem
from eval_pipeline.metrics.entry import Metric
from eval_pipeline.metrics.registry import lookup, mend_of

# Table -> the section of a contract that makes it.
COMPARED = ("verifier", "columns")  # what a metric that compares two replies is made from
SECTIONS = {"verifier_scores": "verification", "contamination_items": "contamination"}


@dataclass(frozen=True)
class _Named:
    """A metric where the contract names it: the path of its section, and the key of its name."""

    section: Path
    key: str
    name: str
    k: int | list[int] | None
    options: Mapping[str, Any]

    @property
    def path(self) -> Path:
        return (*self.section, self.key)


def metrics_are_known(contract: Contract) -> Iterator[Problem]:
    """Each metric has an entry, a k where it needs one, and options that it knows."""
    for one in _named_metrics(contract):
        name, metric = one.name, lookup(one.name)
        if metric is None:
            yield Problem(one.path, f"is {shown(name)}, which is no metric", mend_of(name))
            continue
        if metric.needs_k and one.k is None:
            yield Problem(one.path, f"is {name}, which needs a k", "write k beside it")
        elif one.k is not None and not metric.needs_k:
            yield Problem(one.path, f"is {name}, which has no k", "take k out")
        yield from _wrong_options(one, metric)


def metrics_can_be_made(contract: Contract) -> Iterator[Problem]:
    """The section that a metric rests on is there."""
    for one in _named_metrics(contract):
        yield from _needs_of_metric(contract, one.path, one.name)


def primary_endpoint_can_decide(contract: Contract) -> Iterator[Problem]:
    """A decision compares two checkpoints item by item, in one direction."""
    name = contract.question.primary_endpoint.metric
    if (metric := lookup(name)) is None:
        return
    path: Path = ("question", "primary_endpoint", "metric")
    mend = "ask for it in metrics, and let another metric decide"
    if metric.diagnostic:
        yield Problem(path, f"is {name}, which is for diagnosis only", mend)
    elif metric.higher_is_better is None:
        yield Problem(path, f"is {name}, of which neither more nor less is better", mend)
    elif not metric.per_item:
        yield Problem(path, f"is {name}, which has no value of a single item to compare", mend)


def range_of_primary(contract: Contract) -> float | None:
    """How far two values of the primary metric can lie apart; None where nothing bounds it."""
    endpoint = contract.question.primary_endpoint
    metric = lookup(endpoint.metric)
    if metric is None:
        return None
    if metric.scale is not None:
        defaults = {option.name: option.default for option in metric.options}
        try:
            metric = metric.on_scale({**defaults, **endpoint.options})
        except (TypeError, ValueError):  # a fault of the options, which has a rule of its own
            return None
    width = metric.most - metric.least
    return width if math.isfinite(width) else None


def metric_is_asked_once(contract: Contract) -> Iterator[Problem]:
    """No two requests have one label."""
    labels = [label for request in contract.metrics for label in request.labels]
    for label in [label for label, n in Counter(labels).items() if n > 1]:
        yield Problem(("metrics",), f"ask for {label} twice", "keep one")


def k_is_within_the_draws(contract: Contract) -> Iterator[Problem]:
    """No k is larger than the draws that the budget gives an item."""
    if not isinstance(contract.budget, Budget):
        return
    draws = contract.budget.draws_per_item
    endpoint = contract.question.primary_endpoint
    asked: list[tuple[Path, int]] = []
    if endpoint.k is not None:
        asked.append((("question", "primary_endpoint", "k"), endpoint.k))
    for i, request in enumerate(contract.metrics):
        if isinstance(request.k, list):
            asked += [(("metrics", i, "k", j), k) for j, k in enumerate(request.k)]
        elif request.k is not None:
            asked.append((("metrics", i, "k"), request.k))
    for path, k in asked:
        if k > draws:
            yield Problem(
                path,
                f"is {k}, but budget.draws_per_item is {draws}",
                f"lower k to {draws} or draw more",
            )


def analyses_have_what_they_need(contract: Contract) -> Iterator[Problem]:
    """The tables over several checkpoints rest on metrics, or scores, that the contract makes."""
    if contract.item_analysis is not None and contract.verification is None:
        mend = "add verification, or take item_analysis out"
        yield Problem(("item_analysis",), "needs the section verification", mend)
    asked = {one.name for one in _named_metrics(contract)}
    if contract.safety_frontier is not None:
        for name in ("attack_success_rate", "false_refusal_rate"):
            if name not in asked:
                mend = f"add {{name: {name}}} to metrics"
                yield Problem(("safety_frontier",), f"needs the metric {name}", mend)
    if contract.metric_validity is not None:
        found = [lookup(name) for name in asked]
        compared = [one for one in found if one and one.per_item and one.made_from in COMPARED]
        if not any(one.higher_is_better is not None for one in compared):
            mend = "ask for a metric with a value of each item, such as rouge"
            yield Problem(("metric_validity",), "has no metric to hold against people", mend)


def groups_are_apart(contract: Contract) -> Iterator[Problem]:
    """No family is in both groups, and each is one of the targets."""
    groups = contract.item_analysis.groups if contract.item_analysis else None
    if groups is None:
        return
    known = contract.targets.families if isinstance(contract.targets, Targets) else []
    for side in ("reference", "focal"):
        for i, family in enumerate(getattr(groups, side)):
            path: Path = ("item_analysis", "groups", side, i)
            if side == "focal" and family in groups.reference:
                yield Problem(path, f"is {family}, which is in reference too", "keep one")
            if known and family not in known:
                mend = nearest(family, known)
                yield Problem(path, f"is {shown(family)}, which targets.families lacks", mend)


def item_columns(contract: Contract) -> Iterator[tuple[Path, str, tuple[str, ...]]]:
    """Where a metric is named, its name, and keys of an item of which it must read one."""
    for one in _named_metrics(contract):
        metric = lookup(one.name)
        for column in metric.columns if metric else ():
            if column.table == "items" and column.needed:
                yield one.path, one.name, tuple(filter(None, (column.key, column.instead)))


def score_criteria(contract: Contract) -> Iterator[tuple[Path, str]]:
    """Where a metric of judges' scores names a criterion, and which."""
    for one in _named_metrics(contract):
        metric = lookup(one.name)
        if metric is not None and metric.made_from == "scores" and "criterion" in one.options:
            yield (*one.section, "options", "criterion"), str(one.options["criterion"])


def early_looks_are_at_means(contract: Contract) -> Iterator[Problem]:
    """A rate at equal length is fitted: its interval is that of one planned look."""
    name = contract.question.primary_endpoint.metric
    if contract.statistics.sequential and name == "length_controlled_win_rate":
        yield Problem(
            ("statistics", "sequential"),
            f"does not reach the primary endpoint {name}, whose interval is of one planned look",
            "let win_rate decide, or take it out",
        )


def _wrong_options(one: _Named, metric: Metric) -> Iterator[Problem]:
    known = {option.name: option for option in metric.options}
    for option in metric.options:
        if option.required and option.name not in one.options:
            yield Problem(
                one.path,
                f"is {metric.name}, which needs the option {option.name}",
                f"write it under options: {option.meaning}",
            )
    for key, value in one.options.items():
        path = (*one.section, "options", key)
        if key not in known:
            mend = nearest(key, known) or f"{metric.name} takes no options: take it out"
            yield Problem(path, f"is no option of {metric.name}", mend)
        elif fault := known[key].fault(value):
            yield Problem(path, *fault)
    yield from _empty_scale(one, metric)


def _empty_scale(one: _Named, metric: Metric) -> Iterator[Problem]:
    """A scale whose ends are numbers, but in the wrong order."""
    chosen = {option.name: option.default for option in metric.options} | dict(one.options)
    if metric.scale is None or any(o.fault(chosen[o.name]) for o in metric.options):
        return
    low, high = (chosen[name] for name in metric.scale)
    if not low < high:
        told = f"go from {metric.scale[0]} {low} to {metric.scale[1]} {high}, which is no scale"
        mend = f"let {metric.scale[1]} lie above {metric.scale[0]}"
        yield Problem((*one.section, "options"), told, mend)


def _needs_of_metric(contract: Contract, path: Path, name: str) -> Iterator[Problem]:
    if (metric := lookup(name)) is None:
        return
    if metric.made_from == "scores":
        if contract.judging is None or not contract.judging.pointwise:
            mend = "name one in judging, with form: pointwise"
            yield Problem(path, f"is {name}, which needs a judge that scores single replies", mend)
        return
    needs = [section for table, section in SECTIONS.items() if metric.reads(table)]
    for section in ["length_control"] if metric.made_from == "judge" else needs:
        if getattr(contract, section) is None:
            yield Problem(path, f"is {name}, which needs the section {section}", f"add {section}")


def _named_metrics(contract: Contract) -> Iterator[_Named]:
    endpoint = contract.question.primary_endpoint
    section: Path = ("question", "primary_endpoint")
    yield _Named(section, "metric", endpoint.metric, endpoint.k, endpoint.options)
    for i, request in enumerate(contract.metrics):
        yield _Named(("metrics", i), "name", request.name, request.k, request.options)
