"""`import`: the files of another tool, as benchmarks, checkpoints and draft contracts."""

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import click

from eval_pipeline.cli.showing.examples import example
from eval_pipeline.cli.showing.printing import counted, note, print_fields, print_json, print_table
from eval_pipeline.layout import DataRoot

if TYPE_CHECKING:
    from eval_pipeline.cli.drafting.imported_task import JudgedTask
    from eval_pipeline.ingest.imports.landing import ImportRecord
    from eval_pipeline.ingest.imports.staging import StagedTask, Staging
    from eval_pipeline.ingest.peers.glance import Glance

MOST_REJECTED = 0.01  # of the rows, above which an import exits 1 unless it is allowed


@dataclass(frozen=True)
class Asked:
    """What a person says of the files."""

    form: str | None
    benchmark: str | None
    judge: str | None
    renamed: Mapping[str, str]
    keys: Mapping[str, str]

    @property
    def said(self) -> dict[str, str | None]:
        """All of it; a judge only where one is named, so that imports keep their names."""
        judge = {"judge": self.judge} if self.judge else {}
        keys = {f"key {part}": key for part, key in self.keys.items()}
        return {"form": self.form, "benchmark": self.benchmark, **judge, **keys, **self.renamed}


@click.command(
    name="import",
    epilog=example("import runs/samples_sums_2026.jsonl runs/results_2026.json"),
)
@click.argument("paths", nargs=-1)
@click.option("--form", help="The form of the files, where it is not to be found by itself.")
@click.option("--benchmark", help="Name of the benchmark, where the files hold a single task.")
@click.option("--judge", help="Whose votes they are, where the files hold judgments of pairs.")
@click.option("--rename", multiple=True, metavar="MODEL=NAME", help="Name of a model's checkpoint.")
@click.option(
    "--key",
    multiple=True,
    metavar="PART=KEY",
    help="Key of a part of plain rows, such as question=doc.question; PART= where there is none.",
)
@click.option(
    "--map",
    "mapping",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="YAML with a line `part: key` for each part of plain rows; --key goes first.",
)
@click.option("--allow-rejected", is_flag=True, help="Exit 0 though many rows were rejected.")
@click.option("--undo", metavar="ID", help="Take away what an import brought.")
@click.option("--list", "listing", is_flag=True, help="List the imports of this data folder.")
@click.option("--json", "as_json", is_flag=True, help="JSON for programs.")
def command(
    paths: tuple[str, ...],
    form: str | None,
    benchmark: str | None,
    judge: str | None,
    rename: tuple[str, ...],
    key: tuple[str, ...],
    mapping: Path | None,
    allow_rejected: bool,
    undo: str | None,
    listing: bool,
    as_json: bool,
) -> None:
    """Bring the result files of another tool into this project.

    PATHS are files, folders, patterns such as 'runs/*.jsonl', archives (.zip, .gz), or - for the
    standard input; their form is recognised. Items, replies, the publisher's verdicts
    and numbers are taken over, and a draft contract is made for each task. The published numbers
    are computed again from the verdicts, and an import that does not give them is refused. Files
    of judgments (the forms of `votes`) bring items, both models' replies, votes and labels. It
    lands whole or not at all, and the same files change nothing. Any other JSON lines, JSON, CSV
    or Parquet are read as plain rows of question, answer and reply, several files as one
    benchmark; which key was taken for which part is kept in mapping.yaml beside the import.
    """
    root = DataRoot.from_environment()
    if undo is not None or listing:
        _kept(root, undo, as_json)
        return
    if not paths:
        raise click.UsageError("name the files or folders to import (or --list, or --undo ID)")
    from eval_pipeline.cli.drafting.import_files import given_files
    from eval_pipeline.cli.drafting.key_map import said_keys
    from eval_pipeline.cli.showing.pairs import named_pairs
    from eval_pipeline.ingest.imports.landing import importing

    keys = said_keys(mapping, key)
    if keys:
        form = form or "plain"
    renamed = named_pairs("--rename", rename)
    root.path.mkdir(parents=True, exist_ok=True)
    with importing(root):
        asked = Asked(form, benchmark, judge, renamed, keys)
        with given_files(paths) as files:
            _bring(root, files, asked, allow_rejected, as_json)


def _kept(root: DataRoot, undo: str | None, as_json: bool) -> None:
    from eval_pipeline.ingest.imports.landing import importing, records
    from eval_pipeline.ingest.imports.landing import undo as take_away

    if undo is not None and not root.path.is_dir():
        raise ValueError(f"there is no import {undo!r} (there are: none)")
    if undo is not None:
        with importing(root):
            record = take_away(root, undo)
        click.echo(
            f"import {record.name} is undone: {counted(len(record.files), 'file')} taken away"
        )
        return
    rows: list[dict[str, object]] = [
        {
            "import": one.name,
            "form": ", ".join(one.forms),
            "files": ", ".join(one.sources),
            "state": one.state,
        }
        for one in records(root)
    ]
    if as_json:
        print_json(rows)
    elif rows:
        headings = {"import": "Import", "form": "Form", "state": "State", "files": "Files"}
        print_table(rows, headings, wide="files")
    else:
        click.echo("nothing was imported yet")


def _bring(
    root: DataRoot,
    files: Sequence[Path],
    asked: "Asked",
    allow_rejected: bool,
    as_json: bool,
) -> None:
    from eval_pipeline.cli.drafting.draft_files import put
    from eval_pipeline.cli.drafting.import_files import digest_of, told_apart
    from eval_pipeline.cli.drafting.imported_page import tell
    from eval_pipeline.cli.drafting.key_map import MAPPING, mapping_text
    from eval_pipeline.ingest.imports.joining import join
    from eval_pipeline.ingest.imports.landing import (
        FOLDER,
        ImportRecord,
        finish_cut,
        import_id,
        land,
        records,
        stage_of,
    )
    from eval_pipeline.ingest.imports.names import Names, known_names
    from eval_pipeline.ingest.imports.staging import VERSION, Staging
    from eval_pipeline.ingest.peers.glance import glances_of
    from eval_pipeline.ingest.peers.recognition import claimed

    for name in finish_cut(root):
        note(f"import {name}, which was cut short, is finished")
    sources = {name: digest_of(file) for name, file in told_apart(files).items()}
    named = import_id(sources, asked.said)
    if named in {one.name for one in records(root)}:
        click.echo(f"import {named} is there already: nothing was changed")
        return
    glances = [glance for file in files for glance in glances_of(file)]
    if judgments := _judgments(glances, asked.form):
        record = ImportRecord(named, "", sources, (judgments,))
        _bring_votes(root, glances, asked, record, allow_rejected, as_json)
        return
    read = claimed(glances, asked.form, asked.keys)
    names = Names(asked.renamed, known_names(root))
    staging = Staging(stage_of(root, named), names, asked.benchmark)
    for one, parts in read:
        for entry in one.read(parts):
            staging.take(entry)
    staging.close()
    if not staging.tasks:
        raise ValueError(_nothing(staging, glances))
    if faults := staging.recomputed.faults(staging.numbers):
        raise ValueError(_unequal(faults, staging))
    workers = len(os.sched_getaffinity(0))
    told = {}
    forms = tuple(one.name for one, _ in read)
    for task in staging.tasks.values():
        told[task.benchmark] = _draft(root, staging, task, ", ".join(forms), sources, workers)
        join(root, staging.stage, f"{task.benchmark}@{VERSION}")
    if staging.keys:
        put(staging.stage.path / FOLDER / named / MAPPING, mapping_text(staging.keys))
    staging.close()
    record = land(root, staging.stage, ImportRecord(named, "", sources, forms))
    tell(record, staging, told, as_json)
    rejected = sum(staging.rejected.values())
    taken = sum(sum(task.replies.values()) for task in staging.tasks.values())
    if rejected > MOST_REJECTED * (taken + rejected) and not allow_rejected:
        raise SystemExit(1)


def _judgments(glances: "Sequence[Glance]", form: str | None) -> str | None:
    """The form of judgments that the files have; None for files of replies."""
    from eval_pipeline.cli.drafting.imported_votes import vote_form

    return vote_form(glances, form)


def _bring_votes(
    root: DataRoot,
    files: "Sequence[Glance]",
    asked: "Asked",
    record: "ImportRecord",
    allow_rejected: bool,
    as_json: bool,
) -> None:
    """Judgments of pairs: what the votes are about lands beside them."""
    from eval_pipeline.cli.drafting.imported_votes import stage_votes
    from eval_pipeline.ingest.imports.landing import land, stage_of
    from eval_pipeline.ingest.imports.names import Names, known_names

    stage, names = stage_of(root, record.name), Names(asked.renamed, known_names(root))
    (form,) = record.forms
    staged = stage_votes(root, stage, files, form, names, asked.benchmark, asked.judge)
    landed = land(root, stage, record)
    draft, refused = staged.draft, staged.imported.refused
    votes, lost = sum(staged.imported.kept.values()), sum(refused.counts.values())
    told = {
        "contract": f"{draft.contract}/v1, a draft",
        "items": len(draft.questions),
        "checkpoints": len(draft.models),
        "judge": staged.judge,
        "votes": votes,
        "judged pairs": len(draft.shown),
        "orders": draft.orders,
        "labels": len(draft.labels),
        "pairs": f"all against {draft.reference}" if draft.anchored else "as recorded",
    }
    if as_json:
        print_json(
            {
                "import": landed.name,
                "forms": landed.forms,
                **told,
                "rejected": refused.counts,
                "written": sorted(landed.files),
            }
        )
    else:
        print_fields(told, f"{files[0].name}, read as {form}")
        for reason, n in refused.counts.items():
            click.echo(f"{counted(n, 'row')} rejected: {reason}, first {refused.first[reason]}")
        click.echo(
            f"import {landed.name}: {counted(len(landed.files), 'file')} (--undo takes them away)"
        )
        click.echo(f"next: eval-pipeline run --contract {draft.contract}; eval-pipeline ls")
    if lost > MOST_REJECTED * (votes + lost) and not allow_rejected:
        raise SystemExit(1)


def _draft(
    root: DataRoot,
    staging: "Staging",
    task: "StagedTask",
    form: str,
    sources: dict[str, str],
    workers: int,
) -> "JudgedTask":
    """The files beside the rows: data sheet, manifests, the draft contract."""
    from eval_pipeline.cli.drafting.draft_files import datasheet, manifest, put, quoted
    from eval_pipeline.cli.drafting.imported_contract import contract_text
    from eval_pipeline.cli.drafting.imported_task import judged
    from eval_pipeline.ingest.imports.names import PUBLISHED_AS
    from eval_pipeline.ingest.imports.staging import VERSION

    how = judged(staging, task, workers)
    files = next(iter(sources)) + (f" and {len(sources) - 1} more" if len(sources) > 1 else "")
    sheet = staging.stage.items(f"{task.benchmark}@{VERSION}").with_name("datasheet.yaml")
    put(sheet, datasheet(task.benchmark, task.n_items, files, "import"))
    published = {name: model for model, name in staging.names.given.items()}
    for checkpoint in task.replies:
        path = staging.stage.checkpoint(checkpoint) / "checkpoint.yaml"
        if not root.checkpoint(checkpoint).exists() and not path.exists():
            line = f"{PUBLISHED_AS}: {quoted(published[checkpoint])}\n"
            put(path, manifest(files, "import") + line)
    reference = next(iter(task.replies))
    if how.is_judged and not root.contract_file(task.benchmark, VERSION).exists():
        text = contract_text(task, how, form, files, reference)
        put(staging.stage.contract_file(task.benchmark, VERSION), text)
    return how


def _unequal(faults: Sequence[str], staging: "Staging") -> str:
    """Which number is not what the verdicts give, and the row that may be why."""
    more = f" (and {len(faults) - 1} more)" if len(faults) > 1 else ""
    n_rejected = sum(staging.rejected.values())
    first = next(iter(staging.first_rejected.values()), "")
    rejected = f"; {counted(n_rejected, 'row')} could not be taken, first {first}" if first else ""
    return f"{faults[0]}{more}{rejected}"


def _nothing(staging: "Staging", glances: "Sequence[Glance]") -> str:
    first = next(iter(staging.first_rejected.values()), "it holds no reply")
    return f"{', '.join(one.name for one in glances[:3])}: nothing can be taken: {first}"
