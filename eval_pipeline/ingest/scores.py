"""Recorded scores of a judge on single replies: one row a reply and repeat.

Status: `judge_error` where the row has an `error`; else `judge_unknown` where its scores are null
or not whole; else ok. A row with both scores and an error says two things and is rejected.
"""

from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

import pyarrow as pa

from eval_pipeline.ingest.forms import INT32, Form, Text, Whole, taken
from eval_pipeline.ingest.lines import LineReader
from eval_pipeline.ingest.objects import Object, read_batches
from eval_pipeline.ingest.rejects import Rejects, RowFault
from eval_pipeline.ingest.table_builder import TableBuilder
from eval_pipeline.layout import FileRead
from eval_pipeline.warehouse.schemas import TABLES

FORMS: dict[str, Form] = {
    "item_id": Text(required=True),
    "repeat": Whole(0, INT32),
    "reply": Text(whole=False),
}

UNKNOWN_REPLIES: Mapping[str, str] = {}


class Said(Protocol):
    """What a row says of each criterion: criterion, status, score, detail.

    shown: the reply that was scored, if it is known.
    """

    def __call__(
        self, row: Object, /, *, shown: Sequence[str]
    ) -> Sequence[Mapping[str, object]]: ...


@dataclass(frozen=True)
class ScoresRead:
    """What a file of scores holds: rows of scores, and a reject for each line that gave none."""

    judge_scores: pa.Table
    rejected_scores: pa.Table
    file: FileRead


def read_scores(
    path: Path,
    name: str,
    judge: str,
    clusters: Mapping[str, str],
    due: Container[str],
    said: Said,
    replies: Mapping[str, str] = UNKNOWN_REPLIES,
) -> ScoresRead:
    """Reads the scores of one judge on the replies of one checkpoint.

    name: the file's path below the data root. clusters: each item's cluster. due: the items whose
    replies are scored; a score of another is rejected. said: reads the scores of a row.
    replies: item to the reply that was scored, which a judge's own text may quote.
    Raises ValueError that names the file where it is damaged.
    """
    scores = TableBuilder(TABLES["judge_scores"])
    rejects = Rejects(TABLES["rejected_scores"])
    seen: set[tuple[str, int]] = set()
    reader = LineReader(path)
    for batch in read_batches(reader):
        for i, row in enumerate(batch.objects):
            line, byte_offset = batch.lines.place(i)
            try:
                if i in batch.faults:
                    raise batch.faults[i]
                key = _key(row, clusters, due)
                if key in seen:
                    raise RowFault("duplicate", "this score was read before; number the repeats")
            except RowFault as fault:
                rejects.add(name, line, byte_offset, fault, batch.lines.contents[i])
                continue
            seen.add(key)
            item_id, repeat = key
            shown = [replies[item_id]] if item_id in replies else []
            for one in said(row, shown=shown):
                told = (one["criterion"], one["status"], one["score"], one["detail"])
                scores.add_row((judge, item_id, clusters[item_id], repeat, *told, name, line))
    return ScoresRead(scores.finish(), rejects.finish(), reader.file_read(name))


def _key(row: Object, clusters: Mapping[str, str], due: Container[str]) -> tuple[str, int]:
    """Item and repeat of a row whose scores can be read."""
    told = taken(row, FORMS)
    item_id = told["item_id"]
    if item_id not in clusters:
        raise RowFault("unknown_item", f"the benchmark has no item {item_id!r:.80}")
    if item_id not in due:
        raise RowFault("not_planned", f"the reply to {item_id} is not to be scored")
    scores, reply = row.get("scores"), told["reply"]
    if scores is not None and not isinstance(scores, dict):
        raise RowFault("wrong_type", f"scores must be an object, got {scores!r:.80}")
    if scores is not None and reply is not None:
        raise RowFault("ambiguous_form", "scores and reply both stand there: keep one of them")
    if row.get("error") is not None:
        if scores is not None or reply is not None:
            raise RowFault("contradictory", "the row has scores and an error: keep one of them")
    elif "scores" not in row and "reply" not in row:
        raise RowFault("missing_key", "scores is absent: write null where the judge gave none")
    return item_id, told["repeat"] or 0
