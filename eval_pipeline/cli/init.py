"""`init`: from a plain file of answers to a draft contract that `run` gives a number."""

from pathlib import Path

import click

from eval_pipeline.cli.showing.examples import example
from eval_pipeline.cli.showing.pairs import named_pairs
from eval_pipeline.cli.showing.printing import counted, print_fields, print_json, print_table
from eval_pipeline.ingest.plain.keys import NEEDED, SYNONYMS
from eval_pipeline.layout import DataRoot, checked_name

KEYS = "\n\n".join(
    f"{part}{' (needed)' if part in NEEDED else ''}: {', '.join(keys)}"
    for part, keys in SYNONYMS.items()
)


@click.command(
    epilog=example(
        "init --from answers.jsonl --contract first",
        before=f"Parts of a row, and the keys that each may have:\n\n{KEYS}",
    )
)
@click.option(
    "--from",
    "source",
    required=True,
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="Rows of question, answer and reply: .jsonl, .json, .csv, .tsv, .parquet; .gz.",
)
@click.option("--contract", help="Name of the contract; the file's name else.")
@click.option("--benchmark", help="Name of the benchmark; the contract's name else.")
@click.option("--checkpoint", help="Name for replies without a model; the contract's name else.")
@click.option("--rename", multiple=True, metavar="MODEL=NAME", help="Name of a model's checkpoint.")
@click.option(
    "--key",
    multiple=True,
    metavar="PART=KEY",
    help="Key of a part, such as reply=text; PART= where the file has none.",
)
@click.option("--json", "as_json", is_flag=True, help="JSON for programs.")
def command(
    source: Path,
    contract: str | None,
    benchmark: str | None,
    checkpoint: str | None,
    rename: tuple[str, ...],
    key: tuple[str, ...],
    as_json: bool,
) -> None:
    """Make items, checkpoints and a draft contract from a plain file of answers.

    A row holds a question, its reference answer and a reply; it may hold the item's id, the
    model, the number of the draw, and the options of a choice. Whatever is guessed is printed,
    and marked in the contract. Nothing is overwritten; what is new is added to what is there,
    and the data folder is made where it is missing.
    """
    from eval_pipeline.cli.drafting.draft_files import write_draft
    from eval_pipeline.cli.drafting.first_draft import first_draft
    from eval_pipeline.ingest.plain.rows import read_plain, reasons

    name = _checked(contract or source.name.partition(".")[0], "contract")
    items = _checked(benchmark or name, "benchmark")
    model = _checked(checkpoint or name, "checkpoint")
    keys = named_pairs("--key", key, none_too=True)
    if strange := sorted(keys.keys() - SYNONYMS.keys()):
        raise click.UsageError(f"--key {strange[0]}=...: the parts are {', '.join(SYNONYMS)}")
    file = read_plain(source, keys)
    draft = first_draft(file, model, named_pairs("--rename", rename))
    root = DataRoot.from_environment()
    written = write_draft(root, draft, file.name, name, items)

    taken = sum(len(samples) for samples in draft.samples.values())
    said = {
        "rows read": taken + len(draft.rejected),
        "rows taken": taken,
        "rows rejected": reasons(draft.rejected) or 0,
        "keys": {part: column for part, column in file.keys.items() if column != part}
        or "as named",
        "items": len(draft.items),
        "draws": draft.draws,
        "checkpoints": list(draft.samples),
        "verifier": draft.chosen.verifier,
        "extraction": draft.chosen.extraction,
        "because": draft.chosen.reason,
        "not covered": draft.chosen.uncovered,
    }
    if as_json:
        rejected = [vars(one) for one in draft.rejected]
        print_json({**said, "guesses": draft.guesses, "rejected": rejected, "written": written})
        return
    print_fields(said, f"{name}/v1, a draft, from {file.name}")
    for guess in draft.guesses:
        click.echo(f"  guessed: {guess}")
    if draft.rejected:
        rows = [vars(one) for one in draft.rejected[:SHOWN_REJECTS]]
        headings = {"line": "Line", "reason": "Rejected for", "detail": "Detail"}
        print_table(rows, headings, wide="detail")
        if beyond := len(draft.rejected) - len(rows):
            click.echo(f"and {counted(beyond, 'row')} more, in {_rejected_file(written)}")
    click.echo(f"{counted(len(written), 'file')} written below {root.path}:")
    for path in written:
        click.echo(f"  {path}")
    click.echo(f"next: eval-pipeline run --contract {name}; eval-pipeline ls {name}")


SHOWN_REJECTS = 10


def _checked(name: str, kind: str) -> str:
    try:
        return checked_name(name, kind)
    except ValueError as error:
        raise ValueError(f"{error}; choose a name with --{kind}") from None


def _rejected_file(written: list[str]) -> str:
    from eval_pipeline.cli.drafting.draft_files import REJECTED_ROWS

    return next(path for path in written if path.endswith(REJECTED_ROWS))
