"""`review`: people look at the items that the contamination rule leaves to them."""

import sys
from pathlib import Path

import click

from eval_pipeline.cli.reading.project import chosen, evaluation
from eval_pipeline.cli.showing.examples import example
from eval_pipeline.cli.showing.printing import counted, note, print_csv, print_json, print_table
from eval_pipeline.warehouse.schemas.vocabulary import CONTAMINATION_STATUSES

VERSION = click.option("--version", type=click.IntRange(1), help="Version; the highest one else.")
QUEUED = ("review", "short_exact", "low_information")


@click.group(epilog=example("review export arithmetic_words"))
def command() -> None:
    """Have people look at what the contamination rule leaves to them, and keep what they say.

    Later runs put a person's decision in the place of the rule's verdict, as long as the item's
    text and what was found are those that the person saw.
    """


@command.command(epilog=example("review export arithmetic_words"))
@click.argument("contract")
@VERSION
@click.option(
    "--status",
    "statuses",
    type=click.Choice(CONTAMINATION_STATUSES),
    metavar="VERDICT",
    multiple=True,
    default=QUEUED,
    show_default=True,
    help=f"{', '.join(CONTAMINATION_STATUSES)}; may be given several times.",
)
@click.option("--all", "decided_too", is_flag=True, help="Also what was decided already.")
def export(
    contract: str, version: int | None, statuses: tuple[str, ...], decided_too: bool
) -> None:
    """Print a CSV sheet of the items to look at, with the text of both sides.

    Fill the column decision with contaminated or clean; leave it empty to say nothing.
    """
    from eval_pipeline.cli.sheets.review_sheet import COLUMNS, left_out, sheet

    found = evaluation("review")
    one = chosen(found.world, contract, version)
    rows = sheet(found, one, statuses, decided_too)
    print_csv(COLUMNS, ([row[name] for name in COLUMNS] for row in rows))
    fill = ": fill decision with contaminated or clean" if rows else ""
    note(f"{counted(len(rows), 'field')} to look at{fill}")
    for status, n in left_out(found, one, statuses).items():
        note(f"{counted(n, 'field')} more: {status}; --status {status} shows what is so")


@command.command(
    name="import", epilog=example("review import arithmetic_words review.csv --by ada")
)
@click.argument("contract")
@click.argument("sheet", type=click.Path(path_type=Path, dir_okay=False))
@VERSION
@click.option("--by", required=True, help="Who decided.")
@click.option("--json", "as_json", is_flag=True, help="JSON for programs.")
def import_(contract: str, sheet: Path, version: int | None, by: str, as_json: bool) -> None:
    """Keep the decisions of a filled sheet, with who decided and when; `run` uses them.

    A row whose text or evidence has changed since the sheet was made is not kept, and is named.
    Exits 1 where a row is refused; the others are kept.
    """
    from eval_pipeline.cli.sheets.review_sheet import keep

    found = evaluation("review")
    one = chosen(found.world, contract, version)
    kept = keep(found, one, sheet, by)
    for fault in kept.refused:
        note(fault)
    if as_json:
        print_json({"contract": one.title, **vars(kept)})
    else:
        again = f"{kept.again} kept before, " if kept.again else ""
        click.echo(
            f"{counted(kept.kept, 'decision')} of {by} kept, {again}{kept.empty} left empty, "
            f"{len(kept.refused)} refused"
        )
    if kept.kept and not as_json:
        note(f"`eval-pipeline run` puts them in the place of the rule's verdicts of {one.title}")
    sys.exit(1 if kept.refused else 0)


@command.command(epilog=example("review standing arithmetic_words"))
@click.argument("contract")
@VERSION
@click.option("--json", "as_json", is_flag=True, help="JSON for programs.")
def standing(contract: str, version: int | None, as_json: bool) -> None:
    """Show how many verdicts wait for people, and what became of their decisions."""
    from eval_pipeline.cli.sheets.review_sheet import standing_rows

    found = evaluation("review")
    one = chosen(found.world, contract, version)
    rows, unused = standing_rows(found, one)
    if as_json:
        print_json({"contract": one.title, "fields": rows, "decisions_after_last_run": unused})
        return
    headings = {"rule_status": "Rule says", "review": "Review", "status": "Verdict", "n": "Fields"}
    print_table(rows, headings, f"{one.title}: fields of items, by verdict")
    if unused:
        note(f"{counted(unused, 'decision')} since the last run: `eval-pipeline run` uses them")
