"""`report`: the HTML report of a contract as a file."""

from pathlib import Path

import click

from eval_pipeline.cli.reading.project import chosen, evaluation, moment
from eval_pipeline.cli.reading.standing import not_current
from eval_pipeline.cli.showing.examples import example
from eval_pipeline.cli.showing.printing import note, print_json


@click.command(epilog=example("report arithmetic_words --out report.html"))
@click.argument("contract")
@click.option("--version", type=click.IntRange(1), help="Version; the highest one else.")
@click.option(
    "--out",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Where to write it; report_<contract>_v<N>.html in this folder else.",
)
@click.option("--as-of", metavar="WHEN", help="As it was: 2026-01-31T12:00Z, or a record's id.")
@click.option("--json", "as_json", is_flag=True, help="JSON for programs.")
def command(
    contract: str, version: int | None, out: Path | None, as_of: str | None, as_json: bool
) -> None:
    """Write the HTML report of a contract, as `run` last made it, and print its path."""
    if out is not None and not out.parent.is_dir():
        raise ValueError(f"--out {out}: there is no folder {out.parent}: make it, or name another")
    found = evaluation("report")
    one = chosen(found.world, contract, version)
    when = None if as_of is None else moment(as_of)
    stored = found.warehouse.read("report", *one.home, as_of=when)
    (row,) = stored.table(["title", "html"]).to_pylist()
    path = out or Path(f"report_{one.home[0]}_v{one.home[1]}.html")
    path.write_text(row["html"], encoding="utf-8", newline="\n")
    pointer = stored.pointers[0]
    stale = None if when is not None else not_current(found.plan(), one, "report")
    if as_json:
        print_json(
            {
                "path": str(path),
                "title": row["title"],
                "digest": pointer.digest,
                "made": pointer.written_at,
                "stale": stale,
                "retired": one.retired and one.retired.reason,
            }
        )
        return
    click.echo(str(path))
    if one.retired:
        note(f"{one.title} was retired on {one.retired.date}: {one.retired.reason}")
    elif stale:
        note(f"the report is not up to date ({stale}): `eval-pipeline run` renews it")
