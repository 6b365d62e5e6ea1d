"""`label`: people compare replies, blindly."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from eval_pipeline.cli.reading.judged import VERSION, judged
from eval_pipeline.cli.reading.project import evaluation
from eval_pipeline.cli.reading.tables import RowType, rows_read
from eval_pipeline.cli.showing.examples import example
from eval_pipeline.cli.showing.printing import (
    counted,
    interval_text,
    note,
    print_csv,
    print_json,
    print_table,
)
from eval_pipeline.rows.calibration import LabelDisputesRow, RaterAgreementRow, RaterQualityRow
from eval_pipeline.rows.judgments import RejectedAnnotationsRow
from eval_pipeline.rows.reading import table_of

if TYPE_CHECKING:
    from eval_pipeline.cli.reading.project import Chosen
    from eval_pipeline.orchestration.evaluation import Evaluation

RATER = click.option("--rater", required=True, help="Who labels; the sheet is theirs alone.")
JSON = click.option("--json", "as_json", is_flag=True, help="JSON for programs.")


@click.group(epilog=example("label export helpful_replies --rater ada --n 5"))
def command() -> None:
    """Have people compare replies blindly, and say what their labels are worth."""


@command.command(epilog=example("label export helpful_replies --rater ada --n 5"))
@click.argument("contract")
@VERSION
@RATER
@click.option("--n", type=click.IntRange(1), default=100, show_default=True, help="Pairs at most.")
@click.option("--honeypots", type=click.IntRange(0), help="Rows more; one in ten of n else.")
@click.option(
    "--html",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Write a page for the browser there; a CSV sheet is printed else.",
)
def export(
    contract: str,
    version: int | None,
    rater: str,
    n: int,
    honeypots: int | None,
    html: Path | None,
) -> None:
    """Make a rater's sheet: pairs of replies without names, in random order and on random sides.

    The column answer takes 1, 2, tie or unsure. All raters get the same pairs. The page works
    without a network: its answers are kept in the browser and saved as CSV.
    """
    from eval_pipeline.cli.sheets.label_files import COLUMNS, AskedPair, sheet

    found = evaluation("label")
    one = judged(found, contract, version)
    rows = sheet(found, one, AskedPair(rater, n, honeypots))
    if html is None:
        print_csv(COLUMNS, ([row[name] for name in COLUMNS] for row in rows))
        note(f"{counted(len(rows), 'row')} for {rater}: fill answer with 1, 2, tie or unsure")
        return
    from eval_pipeline.reporting.labelling.label_page import label_page
    from eval_pipeline.warehouse.durable import write_text

    question = "Which reply would you rather have, had you asked this?"  # names no checkpoint
    title = f"Comparison of replies, sheet of {rater}"
    write_text(html, label_page(title, rater, question, rows, f"{one.title} {rater} {n}"))
    click.echo(f"{html}: {counted(len(rows), 'row')} for {rater}; open it in a browser")


@command.command(
    name="import",
    epilog=example("label import helpful_replies labels.csv --rater ada --set ours"),
)
@click.argument("contract")
@click.argument("sheet", type=click.Path(path_type=Path, dir_okay=False, exists=True))
@VERSION
@RATER
@click.option("--set", "name", required=True, help="Annotation set that the labels are added to.")
@JSON
def import_(
    contract: str, sheet: Path, version: int | None, rater: str, name: str, as_json: bool
) -> None:
    """Keep the answers of a filled sheet as labels.

    A label is final: what the rater said of a pair before stays. Rows that are on no sheet of the
    rater are not kept, and are named. Exits 1 where a row is refused; the others are kept.
    """
    from eval_pipeline.cli.sheets.label_files import keep

    found = evaluation("label")
    one = judged(found, contract, version)
    kept = keep(found, one, sheet, rater, name)
    for fault in kept.refused:
        note(fault)
    if as_json:
        print_json({"contract": one.title, "set": name, **vars(kept)})
    else:
        click.echo(
            f"{counted(kept.kept, 'label')} of {rater} kept ({kept.honeypots} on honeypots), "
            f"{kept.unsure} unsure, {kept.empty} left empty, {kept.known} known before, "
            f"{kept.n_refused} refused"
        )
    judging = one.contract.judging
    if judging is not None and name not in judging.annotations:
        note(f"{one.title} does not read {name}: name it in judging.annotations of a new version")
    sys.exit(1 if kept.refused else 0)


@command.command(epilog=example("label raters helpful_replies"))
@click.argument("contract")
@VERSION
@JSON
def raters(contract: str, version: int | None, as_json: bool) -> None:
    """Show how far raters agree, and what each one's labels are worth."""
    found = evaluation("label")
    one = judged(found, contract, version)
    agreement = _rows(found, one, RaterAgreementRow)
    quality = _rows(found, one, RaterQualityRow)
    if not quality:
        raise ValueError(_no_labels(found, one))
    if as_json:
        print_json({"contract": one.title, "agreement": agreement, "raters": quality})
        return
    shown = [
        {
            **row,
            "shown": interval_text(row["estimate"], row["ci_low"], row["ci_high"]),
            "why": row["reason"] or row["chosen_because"],
        }
        for row in agreement
    ]
    headings = {"annotation_set": "Set", "measure": "Measure", "shown": "Agreement", "why": "Why"}
    print_table(shown, headings, f"{one.title}: agreement among raters", wide="why")
    columns = {
        "annotation_set": "Set",
        "rater": "Rater",
        "n_labels": "Labels",
        "right": "Honeypots right",
        "pool_agreement": "With others",
        "pool_kappa": "Kappa",
        "outcome": "Outcome",
    }
    right = [{**row, "right": f"{row['n_right']} of {row['n_honeypots']}"} for row in quality]
    print_table(right, columns)


@command.command(epilog=example("label disputes helpful_replies --n 5"))
@click.argument("contract")
@VERSION
@click.option("--n", type=click.IntRange(1), default=20, show_default=True, help="Rows at most.")
@JSON
def disputes(contract: str, version: int | None, n: int, as_json: bool) -> None:
    """List the pairs on which raters differ, the most divided first, for a person to settle."""
    found = evaluation("label")
    one = judged(found, contract, version)
    rows = sorted(_rows(found, one, LabelDisputesRow), key=lambda row: -row["split"])
    if as_json:
        print_json({"contract": one.title, "disputes": len(rows), "rows": rows[:n]})
        return
    columns = {
        "item_id": "Item",
        "model_a": "A",
        "model_b": "B",
        "n_model_a": "For A",
        "n_model_b": "For B",
        "n_tie": "Ties",
        "split": "Split",
    }
    if rows:
        print_table(rows[:n], columns, f"{one.title}: {counted(len(rows), 'dispute')}")
        click.echo("a further rater's label settles a pair: `eval-pipeline label export`")
        return
    agreement = _rows(found, one, RaterAgreementRow)
    if not agreement:
        raise ValueError(_no_labels(found, one))
    for row in agreement:
        if row["measure"] == "raw":
            told = row["estimate"] is not None
            said = "raters agree on every pair that two labelled" if told else row["reason"]
            click.echo(f"{one.title}, {row['annotation_set']}: no dispute: {said}")


def _no_labels(found: "Evaluation", one: "Chosen") -> str:
    """That no label could be taken, and what was wrong with the rows that there are."""
    refused = _rows(found, one, RejectedAnnotationsRow)
    if not refused:
        return f"{one.title}: its annotation sets hold no labels: `eval-pipeline label import`"
    first = min(refused, key=lambda row: (row["file"], row["line"]))
    return (
        f"{one.title}: no label could be taken, {counted(len(refused), 'row')} were refused, first "
        f"{first['file']}, line {first['line']}: {first['detail']} ({first['reason']}): mend the "
        "file and run again"
    )


def _rows(found: "Evaluation", one: "Chosen", kind: type[RowType]) -> list[RowType]:
    from eval_pipeline.warehouse.errors import NotMaterialised

    if one.contract.judging is None or not one.contract.judging.annotations:
        raise ValueError(f"{one.title} names no labels: give judging.annotations in a new version")
    try:
        return rows_read(found, one.home, kind)
    except NotMaterialised:
        name = f"{table_of(kind)} of {one.title}"
        raise ValueError(f"{name} is not computed: `eval-pipeline run`") from None
