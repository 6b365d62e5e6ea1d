"""`audit`: people check a sample of a verifier's verdicts."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING, TypedDict

import click

from eval_pipeline.cli.reading.project import chosen, evaluation
from eval_pipeline.cli.showing.examples import example
from eval_pipeline.cli.showing.printing import (
    counted,
    interval_text,
    note,
    print_csv,
    print_json,
    print_table,
)

if TYPE_CHECKING:
    from eval_pipeline.cli.reading.project import Chosen
    from eval_pipeline.orchestration.evaluation import Evaluation
    from eval_pipeline.verification.audits.audit import ErrorRates

VERSION = click.option("--version", type=click.IntRange(1), help="Version; the highest one else.")


class RateRow(TypedDict):
    """An error rate with its interval; the reason where it has none."""

    rate: str
    value: float
    low: float
    high: float
    events: int
    n: int
    reason: str | None


@click.group(epilog=example("audit export arithmetic_words --checkpoint heron@step2000"))
def command() -> None:
    """Have people check a verifier's verdicts, and estimate how often it errs."""


@command.command(epilog=example("audit export arithmetic_words --checkpoint heron@step2000"))
@click.argument("contract")
@VERSION
@click.option("--checkpoint", required=True, help="Whose replies are sampled.")
@click.option("--n", type=click.IntRange(1), default=100, show_default=True, help="Rows at most.")
def export(contract: str, version: int | None, checkpoint: str, n: int) -> None:
    """Print a CSV sheet with a random sample of verdicts.

    Fill the column verifier_is with right or wrong; leave it empty to say nothing. Of a reply in
    which no answer was found, the verifier is wrong if a right answer stands there.
    """
    from eval_pipeline.cli.sheets.audit_sheet import COLUMNS, sheet

    found = evaluation("audit")
    one = chosen(found.world, contract, version)
    rows = sheet(found, one, checkpoint, n)
    print_csv(COLUMNS, ([row[name] for name in COLUMNS] for row in rows))
    note(f"{counted(len(rows), 'verdict')}, one a cluster: fill verifier_is with right or wrong")


@command.command(name="import", epilog=example("audit import arithmetic_words audit.csv --by ada"))
@click.argument("contract")
@click.argument("sheet", type=click.Path(path_type=Path, dir_okay=False))
@VERSION
@click.option("--by", required=True, help="Who decided.")
@click.option("--json", "as_json", is_flag=True, help="JSON for programs.")
def import_(contract: str, sheet: Path, version: int | None, by: str, as_json: bool) -> None:
    """Keep the decisions of a filled sheet, with who decided and when.

    A row whose verdict has changed since the sheet was made is not kept, and is named. Exits 1
    where a row is refused; the others are kept.
    """
    from eval_pipeline.cli.sheets.audit_sheet import keep

    found = evaluation("audit")
    one = chosen(found.world, contract, version)
    kept = keep(found, one, sheet, by)
    for fault in kept.refused:
        note(fault)
    if not as_json:
        click.echo(
            f"{counted(kept.kept, 'decision')} of {by} kept, {kept.empty} left empty, "
            f"{len(kept.refused)} refused"
        )
    _show(found, one, as_json, {"kept": kept.kept, "empty": kept.empty, "refused": kept.refused})
    sys.exit(1 if kept.refused else 0)


@command.command(epilog=example("audit rates arithmetic_words"))
@click.argument("contract")
@VERSION
@click.option("--json", "as_json", is_flag=True, help="JSON for programs.")
def rates(contract: str, version: int | None, as_json: bool) -> None:
    """Show the verifier's false-negative and false-positive rate from all decisions."""
    found = evaluation("audit")
    _show(found, chosen(found.world, contract, version), as_json, {})


def _show(found: "Evaluation", one: "Chosen", as_json: bool, further: dict[str, object]) -> None:
    from eval_pipeline.verification.audits.audit import error_rates
    from eval_pipeline.verification.audits.audit_file import decisions

    kept = decisions(found.root.verifier_audit(*one.home))
    estimated = error_rates(kept, one.contract.confidence)
    rows = _rows(estimated)
    if as_json:
        counts = {"decided": estimated.n, "disputed": estimated.disputed}
        print_json({"contract": one.title, **further, **counts, "rates": rows})
        return
    shown = [
        {**row, "estimate": row["reason"] or interval_text(row["value"], row["low"], row["high"])}
        for row in rows
    ]
    headings = {
        "rate": "Rate",
        "estimate": f"Estimate [{estimated.confidence:.0%}, Clopper-Pearson]",
        "events": "Events",
        "n": "Of",
    }
    title = f"{one.title}: {counted(estimated.n, 'verdict')} checked by people"
    print_table(shown, headings, title)
    if estimated.disputed:
        note(f"{counted(estimated.disputed, 'verdict')} left out: people disagree")


def _rows(estimated: "ErrorRates") -> list[RateRow]:
    named = {
        "false negative": estimated.false_negative,
        "false positive": estimated.false_positive,
        "any error": estimated.error,
    }
    return [
        {
            "rate": name,
            "value": rate.value,
            "low": rate.low,
            "high": rate.high,
            "events": rate.events,
            "n": rate.n,
            "reason": rate.reason,
        }
        for name, rate in named.items()
    ]
