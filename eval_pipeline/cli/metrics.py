"""`metrics`: what a contract may ask for, and what each of them means."""

import textwrap
from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import TYPE_CHECKING

import click

from eval_pipeline.cli.showing.examples import example
from eval_pipeline.cli.showing.printing import (
    counted,
    note,
    print_fields,
    print_json,
    terminal_width,
)

if TYPE_CHECKING:
    from eval_pipeline.metrics.entry import Metric
    from eval_pipeline.metrics.registry import ChosenMetric

INDENT = "    "  # of a source that gets a line of its own


@click.command(epilog=example("metrics pass@4"))
@click.argument("name", required=False)
@click.option("--family", help="Only the metrics of one family, such as calibration.")
@click.option("--json", "as_json", is_flag=True, help="JSON for programs.")
def command(name: str | None, family: str | None, as_json: bool) -> None:
    """List the metrics that a contract may ask for, or explain the one called NAME.

    NAME is a metric, or a label with its k or options: pass@4, ece_event(bins=20).
    """
    from eval_pipeline.metrics.registry import (
        METRICS,
        ChosenMetric,
        asked,
        installed,
        lookup,
        plugin_metrics,
    )
    from eval_pipeline.reporting.escaping import for_terminal

    if name is not None:
        if family is not None:
            raise click.UsageError("give a NAME or a --family, not both")
        found = lookup(name)
        _explain(ChosenMetric(found, None, {}) if found else asked(name), as_json)
        return
    every = [*METRICS.values(), *plugin_metrics().values()]
    shown = [one for one in every if family in (None, one.family)]
    for fault in installed().faults:
        note(fault)
    if not shown:
        from eval_pipeline.cli.reading.project import unknown

        families = dict.fromkeys(one.family for one in every)
        raise ValueError(unknown("family", family or "", families))
    if as_json:
        print_json([_fields(one) for one in shown])
        return
    click.echo(f"{counted(len(shown), 'metric')}: name, unit, which way is better, source")
    for line in _listed(shown):
        click.echo(for_terminal(line))
    click.echo()
    click.echo("`eval-pipeline metrics NAME` explains one: columns, options, range, meaning.")


def _listed(metrics: "Sequence[Metric]") -> Iterator[str]:
    """A heading a family, then a line a metric; a source that does not fit stands below it."""
    name, unit, better = (
        max(len(one) for one in column)
        for column in zip(*((m.name, m.unit, m.direction) for m in metrics), strict=True)
    )
    for family, members in groupby(metrics, key=lambda one: one.family):
        yield ""
        yield family.replace("_", " ")
        for one in members:
            line = f"  {one.name:<{name}}  {one.unit:<{unit}}  {one.direction:<{better}}"
            if len(line) + 2 + len(one.source) <= terminal_width():
                yield f"{line}  {one.source}"
                continue
            yield line.rstrip()
            yield from textwrap.wrap(
                one.source,
                terminal_width(),
                initial_indent=INDENT,
                subsequent_indent=INDENT,
            )


def _explain(wanted: "ChosenMetric", as_json: bool) -> None:
    from eval_pipeline.metrics.entry import KINDS

    metric = wanted.metric
    if as_json:
        print_json(_fields(metric) | {"in_a_contract": request(wanted)})
        return
    said: dict[str, object] = {
        "means": metric.meaning,
        "family": metric.family,
        "unit": metric.unit,
        "range": f"{metric.least:g} to {metric.most:g}",
        "better": metric.direction,
        "source": metric.source,
        "compared by item": "yes" if metric.per_item else "no: it has no value of a single item",
    }
    if metric.needs_k:
        said["k"] = "needed"
    if metric.diagnostic:
        said["decides"] = "never: for diagnosis only"
    if metric.note:
        said["note"] = metric.note
    for column in metric.columns:
        need = "" if column.needed else ", where there is one"
        said[column.name] = f"{KINDS[column.kind]}{need}"
    for option in metric.options:
        choices = f" ({', '.join(option.choices)})" if option.choices else ""
        default = "must be given" if option.required else f"{option.default} if not given"
        said[f"option {option.name}"] = f"{option.meaning}{choices}; {default}"
    print_fields(said, metric.instrument)
    click.echo()
    click.echo(textwrap.indent(request(wanted), "  "), nl=False)


def request(wanted: "ChosenMetric") -> str:
    """How a contract asks for the metric, as YAML: with a k, and a value for each option."""
    import yaml

    metric = wanted.metric
    made: dict[str, object] = {"name": metric.name}
    if metric.needs_k:
        made["k"] = [1, 4] if wanted.k is None else wanted.k
    if metric.options:
        made["options"] = {one.name: one.default for one in metric.options} | dict(wanted.options)
    return yaml.safe_dump({"metrics": [made]}, default_flow_style=None, sort_keys=False, width=90)


def _fields(metric: "Metric") -> dict[str, object]:
    from eval_pipeline.metrics.registry import ChosenMetric

    return {
        "name": metric.name,
        "version": metric.version,
        "family": metric.family,
        "meaning": metric.meaning,
        "made_from": metric.made_from,
        "columns": [
            {"name": column.name, "kind": column.kind, "needed": column.needed}
            for column in metric.columns
        ],
        "unit": metric.unit,
        "least": metric.least,
        "most": metric.most,
        "higher_is_better": metric.higher_is_better,
        "needs_k": metric.needs_k,
        "per_item": metric.per_item,
        "diagnostic": metric.diagnostic,
        "options": [
            {
                "name": option.name,
                "default": None if option.required else option.default,
                "meaning": option.meaning,
                "choices": option.choices,
                "least": option.least,
                "most": option.most,
            }
            for option in metric.options
        ],
        "note": metric.note or None,
        "in_a_contract": request(ChosenMetric(metric, None, {})),
        "source": metric.source,
    }
