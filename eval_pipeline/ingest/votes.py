"""Recorded votes of a judge on pairs of replies.

Which model won and which was shown first are two things and never one column: the verdict names
a model, `slot_order` says who sat where.

Status: `judge_error` where the row has an `error`; else `judge_unknown` where the verdict is null
or no label of this pair (a slot such as "A", a word, a third model); else ok. A row with both a
verdict and an error says two things and is rejected.
"""

from collections.abc import Container, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa

from eval_pipeline.ingest.forms import INT32, Form, Number, Text, Whole, taken
from eval_pipeline.ingest.lines import LineReader
from eval_pipeline.ingest.objects import Object, read_batches
from eval_pipeline.ingest.pairs import Pair, pair_of
from eval_pipeline.ingest.rejects import Rejects, RowFault
from eval_pipeline.ingest.table_builder import TableBuilder
from eval_pipeline.layout import FileRead
from eval_pipeline.warehouse.schemas import TABLES

FORMS: dict[str, Form] = {
    "item_id": Text(required=True),
    "model_a": Text(required=True),
    "model_b": Text(required=True),
    "shown_first": Text(required=True),
    "repeat": Whole(0, INT32),
    "verdict": Text(),
    "prob_first": Number(0, 1),
}

Planned = Container[tuple[str, str, str]]  # item, model_a, model_b


@dataclass(frozen=True)
class VotesRead:
    """What a file of votes holds: votes + rejects = lines, blank ones left out."""

    judge_votes: pa.Table
    rejected_votes: pa.Table
    file: FileRead


def read_votes(
    path: Path, name: str, judge: str, clusters: Mapping[str, str], planned: Planned
) -> VotesRead:
    """Reads the votes of one judge.

    name: the file's path below the data root. clusters: each item's cluster. planned: the pairs
    that are to be judged; a vote on another pair is rejected.
    Raises ValueError that names the file where it is damaged.
    """
    votes = TableBuilder(TABLES["judge_votes"])
    rejects = Rejects(TABLES["rejected_votes"])
    seen: set[tuple[Any, ...]] = set()
    reader = LineReader(path)
    for batch in read_batches(reader):
        for i, row in enumerate(batch.objects):
            line, byte_offset = batch.lines.place(i)
            try:
                if i in batch.faults:
                    raise batch.faults[i]
                vote = _vote(row, clusters, planned)
                if vote.key in seen:
                    raise RowFault("duplicate", "this vote was read before; number the repeats")
            except RowFault as fault:
                rejects.add(name, line, byte_offset, fault, batch.lines.contents[i])
            else:
                seen.add(vote.key)
                votes.add_row((judge, *vote.values, name, line))
    return VotesRead(votes.finish(), rejects.finish(), reader.file_read(name))


@dataclass(frozen=True, slots=True)
class _Vote:
    key: tuple[str, str, str, str, int]
    values: tuple[Any, ...]  # as judge_votes has them, from item_id to prob_a


def _vote(row: Object, clusters: Mapping[str, str], planned: Planned) -> _Vote:
    said = taken(row, FORMS)
    item_id = said["item_id"]
    if item_id not in clusters:
        raise RowFault("unknown_item", f"the benchmark has no item {item_id!r:.80}")
    pair = pair_of(said["model_a"], said["model_b"])
    if (item_id, pair.model_a, pair.model_b) not in planned:
        named = f"{pair.model_a} and {pair.model_b}"
        raise RowFault("not_planned", f"{named} are not to be judged on {item_id}")
    first = pair.side(said["shown_first"])
    if first is None:
        raise RowFault("unknown_slot", f"shown_first {said['shown_first']!r:.80} is neither model")
    status, verdict = _outcome(row, said["verdict"], pair)
    slot_order = "a_first" if first == "model_a" else "b_first"
    repeat = said["repeat"] or 0
    prob = said["prob_first"]
    prob_a = prob if prob is None or first == "model_a" else 1 - prob
    models = (pair.model_a, pair.model_b)
    return _Vote(
        key=(item_id, *models, slot_order, repeat),
        values=(
            item_id,
            clusters[item_id],
            *models,
            slot_order,
            repeat,
            status,
            verdict,
            None if prob_a is None else float(prob_a),
        ),
    )


def _outcome(row: Object, said: str | None, pair: Pair) -> tuple[str, str | None]:
    """Status and verdict."""
    if row.get("error") is not None:
        if said is not None:
            raise RowFault("contradictory", "the row has a verdict and an error: keep one of them")
        return "judge_error", None
    if "verdict" not in row:
        raise RowFault("missing_key", "verdict is absent: write null where the judge gave none")
    verdict = None if said is None else pair.verdict(said)
    return ("judge_unknown", None) if verdict is None else ("ok", verdict)
