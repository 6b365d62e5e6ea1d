"""What must hold of the metrics that a contract names: rules that `rules.RULES` gathers."""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from eval_pipeline.contracts.faults import Path, nearest, shown
from eval_pipeline.contracts.model import Budget, Contract
from eval_pipeline.contracts.shape import Problem
from eval_pipeline.metrics.catalogue.entry import Metric
from eval_pipeline.metrics.registry import METRICS, lookup

# Table -> the section of a contract that makes it.
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
            yield Problem(one.path, f"is {shown(name)}, which is no metric", nearest(name, METRICS))
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


def item_columns(contract: Contract) -> Iterator[tuple[Path, str, tuple[str, ...]]]:
    """Where a metric is named, its name, and keys of an item of which it must read one."""
    for one in _named_metrics(contract):
        metric = lookup(one.name)
        for column in metric.columns if metric else ():
            if column.table == "items" and column.needed:
                yield one.path, one.name, tuple(filter(None, (column.key, column.instead)))


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


def _needs_of_metric(contract: Contract, path: Path, name: str) -> Iterator[Problem]:
    if (metric := lookup(name)) is None:
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
