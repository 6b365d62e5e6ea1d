"""`why`: the samples, votes or rejected lines behind a status."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import click

from eval_pipeline.cli.reading.project import Home, chosen, evaluation, unknown
from eval_pipeline.cli.showing.printing import Below, counted, print_json, print_table
from eval_pipeline.reporting.escaping import shortened

if TYPE_CHECKING:
    from eval_pipeline.orchestration.evaluation import Evaluation
    from eval_pipeline.warehouse.place import Place

SHOWN = 20
EXCERPT_CHARACTERS = 200


@dataclass(frozen=True)
class Source:
    """A table in which statuses or reasons stand.

    column: holds them. where: what names a row to a person. told: the columns that explain it.
    """

    column: str
    thing: str
    where: str
    told: tuple[str, ...]


REJECTS = Source("reason", "rejected line", "{file}:{line}", ("detail", "excerpt"))
SOURCES: Mapping[str, Source] = {
    "verifier_scores": Source(
        "status", "sample", "{item_id}, draw {draw}", ("detail", "explanation")
    ),
    "generations": Source("status", "sample", "{item_id}, draw {draw}", ("detail",)),
    "recorded_verdicts": Source(
        "relation",
        "pair of verdicts",
        "{item_id}, draw {draw}",
        ("ours", "recorded", "extracted", "explanation", "recorded_explanation"),
    ),
    "rejected_lines": REJECTS,
    "missing_draws": Source("reason", "missing draw", "{item_id}, draw {draw}", ()),
    "judge_votes": Source(
        "status",
        "vote",
        "{judge} on {item_id}: {model_a}, {model_b}, {slot_order}, repeat {repeat}",
        ("verdict",),
    ),
    "rejected_votes": REJECTS,
    "rejected_annotations": REJECTS,
    "contamination_items": Source("status", "verdict", "{item_id}, {field}", ("reason",)),
}


RELATIONS = {
    "agrees": "our verdict and the recorded one agree",
    "differs": "our verdict and the recorded one differ",
    "only_ours": "only our verifier judged it",
    "only_recorded": "only the recorded verdict is there",
    "neither": "nobody judged it",
    "between": "a score lies between right and wrong, and no threshold is declared",
}
COMPARED = ("question", "reference", "reply", "extracted", "ours", "recorded", "read from")


@click.command()
@click.argument("status")
@click.option("--contract", help="Only this contract.")
@click.option("--version", type=click.IntRange(1), help="Version of it.")
@click.option("--checkpoint", help="Only this checkpoint.")
@click.option(
    "--limit", type=click.IntRange(0), default=SHOWN, show_default=True, help="0 for all."
)
@click.option("--json", "as_json", is_flag=True, help="JSON for programs.")
def command(
    status: str,
    contract: str | None,
    version: int | None,
    checkpoint: str | None,
    limit: int,
    as_json: bool,
) -> None:
    """Show what stands behind a STATUS of samples, votes or items, or a reason of rejects.

    Such as parser_failure, undecided, judge_unknown, duplicate, absent or contaminated; `differs`
    shows the samples on which our verdict is another than the recorded one.
    """
    if version is not None and contract is None:
        raise click.UsageError("--version needs --contract")
    found = evaluation("why")
    home = None if contract is None else chosen(found.world, contract, version).home
    places = _places(found, home, checkpoint)
    counts: dict[tuple[str, str, str | None], int] = {}
    rows: list[dict[str, Any]] = []
    for place in places:
        room = None if limit == 0 else max(limit - len(rows), 0)
        number, shown = _behind(found, place, status, room)
        if number:
            key = (f"{place.contract}/v{place.version}", place.table, place.checkpoint)
            counts[key] = number
            rows += shown
    if not counts:
        _check_word(status)
        known = {*found.world.facts, *(place.checkpoint for place in found.warehouse.standing())}
        if checkpoint is not None and checkpoint not in known:
            raise ValueError(unknown("checkpoint", checkpoint, sorted(found.world.facts)))
    if as_json:
        counted_rows = [
            {"contract": title, "table": table, "checkpoint": name, "n": number}
            for (title, table, name), number in counts.items()
        ]
        print_json({"status": status, "counts": counted_rows, "rows": rows})
        return
    if not counts:
        _say_nothing_has_it(found, home, status)
        return
    for (title, table, name), number in counts.items():
        of = f" of {name}" if name else ""
        if SOURCES[table].column == "relation":
            click.echo(f"{title}: {counted(number, 'sample')}{of}: {RELATIONS[status]}")
        else:
            click.echo(f"{title}: {counted(number, SOURCES[table].thing)}{of} with {status}")
    headings = {
        "contract": "Contract",
        "checkpoint": "Checkpoint",
        "where": "Where",
        "told": "What",
    }
    print_table([{**row, "told": _told(row)} for row in rows], headings, wide="told")
    total = sum(counts.values())
    if len(rows) < total:
        click.echo(f"{len(rows)} of {total} shown: --limit 0 shows all")


def _say_nothing_has_it(found: "Evaluation", home: Home | None, status: str) -> None:
    """No row has the status; no row could have it where no recorded verdict was compared."""
    is_compared = any(
        place.table == "recorded_verdicts" and home in (None, (place.contract, place.version))
        for place in found.warehouse.standing()
    )
    if status in RELATIONS and not is_compared:
        click.echo(
            "no verdict of ours was held against a recorded one: declare verification.recorded in "
            "a contract, and run"
        )
        return
    click.echo(f"nothing has the status {status}")


def _places(found: "Evaluation", home: Home | None, checkpoint: str | None) -> "Iterator[Place]":
    """Where such rows stand; samples after verification where there is one."""
    standing = sorted(found.warehouse.standing(), key=lambda place: place.sort_key)
    verified = {
        (place.contract, place.version, place.checkpoint)
        for place in standing
        if place.table == "verifier_scores"
    }
    for table in SOURCES:
        for place in standing:
            if place.table != table or home not in (None, (place.contract, place.version)):
                continue
            if checkpoint is not None and place.checkpoint not in (None, checkpoint):
                continue
            whose = (place.contract, place.version, place.checkpoint)
            if table != "generations" or whose not in verified:
                yield place


def _behind(
    found: "Evaluation", place: "Place", status: str, room: int | None
) -> tuple[int, list[dict[str, Any]]]:
    """How many rows of a place have the status, and the first of them, `room` at most."""
    import pyarrow.compute as pc

    source = SOURCES[place.table]
    stored = found.warehouse.read(
        place.table, place.contract, place.version, checkpoint=place.checkpoint
    )
    is_it = pc.equal(stored.table([source.column])[source.column], status)
    number = pc.sum(is_it).as_py() or 0
    if not number or room == 0:
        return number, []
    picked = stored.table().filter(is_it).slice(0, room).to_pylist()
    return number, [
        {
            "contract": f"{place.contract}/v{place.version}",
            "checkpoint": place.checkpoint,
            "where": source.where.format_map(row),
            **{name: row[name] for name in source.told},
            **beside,
        }
        for row, beside in zip(picked, _beside(found, place, source, picked), strict=True)
    ]


def _beside(
    found: "Evaluation", place: "Place", source: Source, picked: Sequence[Mapping[str, Any]]
) -> list[dict[str, Any]]:
    """What other tables and files say of each row."""
    if place.table == "recorded_verdicts":
        from eval_pipeline.cli.comparing.differences import placed

        return placed(found, place, picked, EXCERPT_CHARACTERS)
    read = {"sample": _replies, "vote": _votes}.get(source.thing)
    excerpts = read(found, place, picked) if read else [None] * len(picked)
    return [
        {} if text is None else {"excerpt": shortened(text, EXCERPT_CHARACTERS)}
        for text in excerpts
    ]


def _replies(
    found: "Evaluation", place: "Place", samples: Sequence[Mapping[str, Any]]
) -> list[str | None]:
    """The reply of each sample."""
    import pyarrow as pa
    import pyarrow.compute as pc

    stored = found.warehouse.read(
        "generations", place.contract, place.version, checkpoint=place.checkpoint
    )
    replies = stored.table(["item_id", "draw", "text"])
    wanted = pa.array(sorted({row["item_id"] for row in samples}))
    near = replies.filter(pc.is_in(replies["item_id"], wanted)).to_pylist()
    texts = {(row["item_id"], row["draw"]): row["text"] for row in near}
    return [texts.get((row["item_id"], row["draw"])) for row in samples]


def _votes(
    found: "Evaluation", place: "Place", votes: Sequence[Mapping[str, Any]]
) -> list[str | None]:
    """What the judge said in each vote, as it lies on disk now; None where its file is gone."""
    import gzip

    lines: dict[tuple[str, int], str] = {}
    for file in sorted({vote["file"] for vote in votes}):
        path = found.root.path / file
        wanted = {vote["line"] for vote in votes if vote["file"] == file}
        if not path.exists():
            continue
        with gzip.open(path) if path.suffix == ".gz" else path.open("rb") as stream:
            for number, line in enumerate(stream, start=1):
                if number in wanted:
                    lines[file, number] = _raw_reply(line)
    return [lines.get((vote["file"], vote["line"])) for vote in votes]


def _raw_reply(line: bytes) -> str:
    """The judge's own words, where the line keeps them; else the whole line."""
    import json

    try:
        said = json.loads(line).get("raw")
    except (ValueError, AttributeError):
        said = None
    return said if isinstance(said, str) else line.decode(errors="backslashreplace")


def _told(row: Mapping[str, Any]) -> str | Below:
    """What explains a row, in a line; two verdicts one below the other, each with its reason."""
    if "recorded_explanation" in row:
        given = {**row, "reply": row["excerpt"], "read from": f"{row['file']}, line {row['line']}"}
        ours, recorded = row["explanation"], row["recorded_explanation"]
        given |= {"ours": f"{_score(row['ours'])}: {ours}"}
        given |= {"recorded": f"{_score(row['recorded'])}: {recorded}"}
        return Below(f"{name}: {given[name]}" for name in COMPARED if given[name] is not None)
    named = ("contract", "checkpoint", "where")
    parts = [str(value) for key, value in row.items() if key not in named and value is not None]
    return "; ".join(parts)


def _score(value: float | None) -> str:
    return "none" if value is None else f"{value:g}"


def _check_word(status: str) -> None:
    """Raises ValueError for a word that no table ever holds."""
    from eval_pipeline.ingest.rejects import REASONS
    from eval_pipeline.warehouse.schemas import vocabulary as words

    known = dict.fromkeys(
        (
            *words.SAMPLE_STATUSES,
            *words.VERDICT_RELATIONS,
            *words.VOTE_STATUSES,
            *words.CONTAMINATION_STATUSES,
            *REASONS,
            "absent",
            "retry",
        )
    )
    if status not in known:
        raise ValueError(unknown("status or reason", status, known))
