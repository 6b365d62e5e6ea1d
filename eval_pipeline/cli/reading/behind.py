"""What stands behind a status: the samples, votes or rejected lines of every table that has it."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from eval_pipeline.cli.reading.project import Home, unknown
from eval_pipeline.reporting.escaping import shortened

if TYPE_CHECKING:
    import pyarrow as pa

    from eval_pipeline.orchestration.evaluation import Evaluation
    from eval_pipeline.warehouse.place import Place

EXCERPT_CHARACTERS = 200
WRONG = "wrong"  # no status: a reply that scores nothing, whatever its status


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
SCORED = Source(
    "score", "reply", "{item_id}, draw {draw}", ("status", "detail", "extracted", "explanation")
)


RELATIONS = {
    "agrees": "our verdict and the recorded one agree",
    "differs": "our verdict and the recorded one differ",
    "only_ours": "only our verifier judged it",
    "only_recorded": "only the recorded verdict is there",
    "neither": "nobody judged it",
    "between": "a score lies between right and wrong, and no threshold is declared",
}


def source_of(table: str, status: str) -> Source:
    """How the rows of a table that have the status are told."""
    return SCORED if status == WRONG else SOURCES[table]


def places(
    found: "Evaluation", home: Home | None, checkpoint: str | None, status: str
) -> "Iterator[Place]":
    """Where such rows stand; samples after verification where there is one."""
    standing = sorted(found.warehouse.standing(), key=lambda place: place.sort_key)
    verified = {
        (place.contract, place.version, place.checkpoint)
        for place in standing
        if place.table == "verifier_scores"
    }
    for table in ("verifier_scores",) if status == WRONG else SOURCES:
        for place in standing:
            if place.table != table or home not in (None, (place.contract, place.version)):
                continue
            if checkpoint is not None and place.checkpoint not in (None, checkpoint):
                continue
            whose = (place.contract, place.version, place.checkpoint)
            if table != "generations" or whose not in verified:
                yield place


def behind(
    found: "Evaluation", place: "Place", status: str, room: int | None
) -> tuple[int, list[dict[str, Any]]]:
    """How many rows of a place have the status, and the first of them, `room` at most."""
    import pyarrow.compute as pc

    source = source_of(place.table, status)
    stored = found.warehouse.read(
        place.table, place.contract, place.version, checkpoint=place.checkpoint
    )
    is_it = pc.equal(stored.table([source.column])[source.column], _sought(status))
    number = pc.sum(is_it).as_py() or 0
    if not number or room == 0:
        return number, []
    those = stored.table().filter(is_it)
    picked = (_judged_first(those) if status == WRONG else those).slice(0, room).to_pylist()
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


def _sought(status: str) -> str | float:
    return 0.0 if status == WRONG else status


def _judged_first(samples: "pa.Table") -> "pa.Table":
    """Replies that the verifier read and judged, then those that failed before."""
    import pyarrow as pa
    import pyarrow.compute as pc

    judged = pc.equal(samples["status"], "ok")
    return pa.concat_tables([samples.filter(judged), samples.filter(pc.invert(judged))])


def _beside(
    found: "Evaluation", place: "Place", source: Source, picked: Sequence[Mapping[str, Any]]
) -> list[dict[str, Any]]:
    """What other tables and files say of each row."""
    if place.table == "recorded_verdicts" or source is SCORED:
        from eval_pipeline.cli.comparing.differences import placed

        samples = [(row["item_id"], row["draw"]) for row in picked]
        return placed(found, place, samples, EXCERPT_CHARACTERS)
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


def check_word(status: str) -> None:
    """Raises ValueError for a word that no table ever holds."""
    from eval_pipeline.ingest.rejects import REASONS
    from eval_pipeline.warehouse.schemas import vocabulary as words

    known = dict.fromkeys(
        (
            WRONG,
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
