"""`plan licence`: what each bar of each judge still needs."""

import textwrap
from typing import Any, TypedDict

import click

from eval_pipeline.cli.reading.project import chosen, evaluation
from eval_pipeline.cli.showing.printing import (
    WIDTH,
    cell_text,
    interval_text,
    note,
    print_json,
    print_table,
)
from eval_pipeline.layout import DataRoot
from eval_pipeline.reporting.escaping import for_terminal

HEADINGS = {
    "judge": "Judge",
    "audit": "Audit",
    "shown": "Estimate",
    "bar": "Bar",
    "outcome": "Outcome",
    "units": "Units",
    "needed": "Needed",
    "labels": "Labels",
}


class Needs(TypedDict):
    """A contract with its licences, and what each bar of each judge needs."""

    contract: str
    licences: list[Any]
    needs: list[Any]


def show_licence_needs(
    root: DataRoot,
    contract: str | None,
    raters: int,
    usd_per_label: float | None,
    as_json: bool,
) -> None:
    """Prints what every bar of the active contracts, or of one, still needs."""
    from eval_pipeline.judging.licences.licence_plan import licence_needs
    from eval_pipeline.warehouse.errors import NotMaterialised

    found = evaluation("plan", root)
    homes = [chosen(found.world, contract).home] if contract else []
    homes = homes or [active.home for active in found.world.active]
    documents: list[Needs] = []
    for name, version in homes:
        title = f"{name}/v{version}"
        try:
            audits = found.warehouse.read("judge_audits", name, version).table().to_pylist()
        except NotMaterialised:
            if contract:
                raise ValueError(
                    f"{title} has no audits yet: `eval-pipeline run` makes them, where the "
                    "contract has judges"
                ) from None
            continue
        licences = found.warehouse.read("judge_licences", name, version).table().to_pylist()
        needs = licence_needs(audits, raters, usd_per_label)
        held = [row for row in licences if row["slice"] == "all"]
        documents.append({"contract": title, "licences": held, "needs": needs})
    if as_json:
        print_json(documents)
        return
    if not documents:
        click.echo("no judge has been audited: `eval-pipeline run` audits them")
    for document in documents:
        _show(document, raters, usd_per_label)


def _show(document: Needs, raters: int, usd_per_label: float | None) -> None:
    rows = []
    for need in document["needs"]:
        shown = interval_text(need["estimate"], need["ci_low"], need["ci_high"])
        outcome = need["outcome"].replace("_", " ")
        rows.append({**need, "shown": shown, "outcome": outcome, "bar": f"{need['bar']:g}"})
    print_table(rows, HEADINGS, f"{document['contract']}: what each bar needs", wide="audit")
    for row in document["licences"]:
        until = f", to be audited again by {row['reaudit_by']}" if row["reaudit_by"] else ""
        outcome = row["outcome"].replace("_", " ")
        click.echo(for_terminal(f"{row['judge']}: {outcome}{until}"))
    made = {need["made_of"] for need in document["needs"]}
    units = f"units are the clusters of: {'; '.join(sorted(made))}"
    click.echo(textwrap.fill(units, WIDTH, subsequent_indent="  "))
    labels = max((need["labels"] or 0 for need in document["needs"]), default=0)
    if labels:  # one set of labels serves every judge and every bar
        cost = "" if usd_per_label is None else f", {cell_text(labels * usd_per_label)} USD"
        open_ = [need for need in document["needs"] if need["outcome"] not in ("within", "outside")]
        bars = (
            "each bar that has a number" if any(n["needed"] is None for n in open_) else "every bar"
        )
        click.echo(f"labels of {raters} raters that would decide {bars}: {labels}{cost}")
    for need in document["needs"]:
        if need["note"] and need["outcome"] not in ("within", "outside"):
            note(f"{need['judge']}, {need['audit']}: {need['note']}")
