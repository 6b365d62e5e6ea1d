"""`export`: results in the forms that other tools take."""

from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

import click

from eval_pipeline.cli.reading.project import Chosen, chosen, evaluation, unknown
from eval_pipeline.cli.reading.tables import rows_read
from eval_pipeline.cli.showing.examples import example
from eval_pipeline.cli.showing.printing import counted, note

if TYPE_CHECKING:
    from eval_pipeline.orchestration.evaluation import Evaluation
    from eval_pipeline.reporting.exports.export import Export, Publisher, SampleRows

NAMES = (
    "csv",
    "every_eval_ever",
    "hf_eval_results",
    "hf_model_index",
    "junit",
    "lm_eval",
    "markdown",
    "parquet",
)
FOLDER_TABLES = ("leaderboard", "metric_estimates", "paired_comparisons", "decisions")
RELATIONSHIPS = ("first_party", "third_party", "collaborative", "other")


@click.command(epilog=example("export markdown arithmetic_words"))
@click.argument("form", type=click.Choice(NAMES))
@click.argument("contract")
@click.option("--version", type=click.IntRange(1), help="Version; the highest one else.")
@click.option("--checkpoint", multiple=True, help="Only this checkpoint; may be repeated.")
@click.option(
    "--out", type=click.Path(path_type=Path), help="Folder; a single file else goes to the screen."
)
@click.option("--samples", is_flag=True, help="With the replies themselves.")
@click.option("--draft", is_flag=True, help="Export a draft, which is then said in the file.")
@click.option("--organization", help="Who publishes, where the form says it.")
@click.option(
    "--relationship", type=click.Choice(RELATIONSHIPS), help="Of who publishes to the models."
)
def command(
    form: str,
    contract: str,
    version: int | None,
    checkpoint: tuple[str, ...],
    out: Path | None,
    samples: bool,
    draft: bool,
    organization: str | None,
    relationship: str | None,
) -> None:
    """Write the results of CONTRACT in FORM.

    Numbers go with their interval, n, what was excluded, and the contract's identity wherever the
    form has room. A draft is exported with --draft only, and replies with --samples only.
    """
    from eval_pipeline.reporting.exports.export import Publisher

    found = evaluation("export")
    one = chosen(found.world, contract, version)
    if one.contract.status == "draft" and not draft:
        raise ValueError(
            f"{one.title} is a draft and decides nothing: freeze it, or export it with --draft"
        )
    if (organization is None) != (relationship is None):
        raise click.UsageError("--organization and --relationship go together")
    publisher = (
        Publisher(organization, relationship)
        if organization is not None and relationship is not None
        else None
    )
    export = _export(found, one, checkpoint, samples, publisher)
    if form == "parquet":
        files = _tables(found, one, export)
        single = False
    else:
        from eval_pipeline.reporting.exports.forms import FORMS

        kind = FORMS[form]
        if samples and not kind.takes_samples:
            raise click.UsageError(f"{form} has no place for replies: leave --samples out")
        files = {name: text.encode() for name, text in kind.written(export).items()}
        single = kind.single
    if not files:
        raise ValueError(f"{one.title}: no checkpoint has a number that {form} could hold")
    if out is None and not single:
        raise click.UsageError(f"{form} is several files: name a folder with --out")
    if out is None:
        click.echo(next(iter(files.values())).decode(), nl=False)
        return
    _put(out, files)
    note(f"{counted(len(files), 'file')} written below {out}")


def _export(
    found: "Evaluation",
    one: Chosen,
    checkpoints: tuple[str, ...],
    with_samples: bool,
    publisher: "Publisher | None",
) -> "Export":
    from eval_pipeline import __version__
    from eval_pipeline.orchestration import terms
    from eval_pipeline.orchestration.boards import board
    from eval_pipeline.reporting.exports.export import Export

    contract = one.contract
    made = board(found.root, found.warehouse, contract)
    if made is None or not made.rows:
        run = f"`eval-pipeline run --contract {one.home[0]}` computes it"
        raise ValueError(f"{one.title} has no leaderboard yet: {run}")
    known = [row["checkpoint"] for row in made.rows]
    for name in checkpoints:
        if name not in known:
            raise ValueError(unknown("checkpoint", name, known))
    rows = [row for row in made.rows if not checkpoints or row["checkpoint"] in checkpoints]
    metric = terms.primary(contract)
    return Export(
        contract=one.home[0],
        version=one.home[1],
        identity=made.identity,
        written_at=made.written_at,
        question=contract.question.text,
        benchmark=contract.task.benchmark,
        population=contract.task.population,
        least=metric.least,
        most=metric.most,
        draft=contract.status == "draft",
        release=__version__,
        rows=rows,
        publisher=publisher,
        samples=_samples(found, one, [row["checkpoint"] for row in rows]) if with_samples else {},
    )


def _samples(found: "Evaluation", one: Chosen, names: list[str]) -> "Mapping[str, SampleRows]":
    from eval_pipeline.reporting.exports.export import SampleRows
    from eval_pipeline.rows.samples import GenerationsRow, ItemsRow, VerifierScoresRow

    if one.contract.verification is None:
        raise ValueError(f"{one.title} has no verifier whose samples could be written")
    items = rows_read(found, one.home, ItemsRow)
    return {
        name: SampleRows(
            items,
            rows_read(found, one.home, GenerationsRow, name),
            rows_read(found, one.home, VerifierScoresRow, name),
        )
        for name in names
    }


def _tables(found: "Evaluation", one: Chosen, export: "Export") -> dict[str, bytes]:
    from eval_pipeline.reporting.exports.parquet_folder import written
    from eval_pipeline.warehouse.errors import NotMaterialised

    tables = {}
    for name in FOLDER_TABLES:
        try:
            stored = found.warehouse.read(name, *one.home)
        except NotMaterialised:
            continue  # the contract has no such table
        if stored.pointers:
            tables[name] = stored.table()
    return written(export, tables)


def _write(content: bytes, file: BinaryIO) -> None:
    file.write(content)


def _put(out: Path, files: Mapping[str, bytes]) -> None:
    """Every file of the export, or none: nothing that is there is replaced."""
    from eval_pipeline.warehouse.durable import write_file

    if out.exists() and not out.is_dir():
        raise ValueError(f"--out {out} is a file: name a folder")
    if there := [name for name in sorted(files) if (out / name).exists()]:
        raise ValueError(f"{out / there[0]} is there already: name another folder with --out")
    done: list[Path] = []
    try:
        for name, content in sorted(files.items()):
            write_file(out / name, partial(_write, content))
            done.append(out / name)
    except OSError:
        for path in done:
            path.unlink(missing_ok=True)
        raise
