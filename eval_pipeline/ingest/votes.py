"""Recorded votes of a judge on pairs of replies.

Which model won and which was shown first are two things and never one column: `shown_first` says
who sat where, and the verdict names a model or a seat, by its form (`judging.reading.recorded`).

Status: `judge_error` where the row has an `error`, or a game says so; else `judge_unknown` where
the verdict is null or no label of this pair and form; else ok. A row with both a verdict and an
error says two things and is rejected.
"""

from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Protocol

import pyarrow as pa

from eval_pipeline.ingest.forms import INT32, Bounded, Form, Text, Whole, taken
from eval_pipeline.ingest.lines import LineReader
from eval_pipeline.ingest.objects import Object, parse_object, read_batches
from eval_pipeline.ingest.pairs import Pair, pair_of
from eval_pipeline.ingest.rejects import Rejects, RowFault
from eval_pipeline.ingest.table_builder import TableBuilder
from eval_pipeline.judging.reading.recorded import (
    AmbiguousFormError,
    NoVerdictKeyError,
    SaidVote,
    recorded_votes,
)
from eval_pipeline.layout import FileRead
from eval_pipeline.warehouse.schemas import TABLES

FORMS: dict[str, Form] = {
    "item_id": Text(required=True),
    "model_a": Text(required=True),
    "model_b": Text(required=True),
    "shown_first": Text(),
    "repeat": Whole(0, INT32),
    "prob_first": Bounded(0, 1),
    "prob_a": Bounded(0, 1),
}

Planned = Container[tuple[str, str, str]]  # item, model_a, model_b
Replies = Mapping[tuple[str, str], str]  # (model, item) -> the reply that was judged
UNKNOWN_REPLIES: Replies = {}


class Verdicts(Protocol):
    """Reads what a row says; shown: the replies that the judge saw, those that are known."""

    def __call__(self, row: Object, /, *, shown: Sequence[str]) -> list[SaidVote]: ...


@dataclass(frozen=True)
class VotesRead:
    """What a file of votes holds: votes + rejects = lines, blank ones left out."""

    judge_votes: pa.Table
    rejected_votes: pa.Table
    file: FileRead


def read_votes(
    path: Path,
    name: str,
    judge: str,
    clusters: Mapping[str, str],
    planned: Planned,
    verdicts: Verdicts = recorded_votes,
    replies: Replies = UNKNOWN_REPLIES,
    *,
    orders_lack: bool = False,
) -> VotesRead:
    """Reads the votes of one judge.

    name: the file's path below the data root. clusters: each item's cluster. planned: the pairs
    that are to be judged; a vote on another pair is rejected. verdicts: reads what a row says, by
    the form that the contract declares, else by the row's own keys. replies: what was judged, for
    verdicts that are read from a judge's text. orders_lack: votes that do not say which reply was
    shown first are taken, if they name a model.
    Raises ValueError that names the file where it is damaged.
    """
    votes = TableBuilder(TABLES["judge_votes"])
    rejects = Rejects(TABLES["rejected_votes"])
    seen: set[tuple[Any, ...]] = set()
    reader = LineReader(path)
    for batch in read_batches(reader):
        for i, row in enumerate(batch.objects):
            line, byte_offset = batch.lines.place(i)
            content = batch.lines.contents[i]
            try:
                if i in batch.faults:
                    row = _with_constants(content, batch.faults[i])
                read = _votes(row, clusters, planned, verdicts, replies, orders_lack)
                if any(vote.key in seen for vote in read):
                    raise RowFault("duplicate", "this vote was read before; number the repeats")
            except RowFault as fault:
                rejects.add(name, line, byte_offset, fault, content)
                continue
            for vote in read:
                seen.add(vote.key)
                votes.add_row((judge, *vote.values, name, line, vote.detail))
    return VotesRead(votes.finish(), rejects.finish(), reader.file_read(name))


@dataclass(frozen=True, slots=True)
class _Vote:
    key: tuple[str, str, str, str, int]
    values: tuple[Any, ...]  # as judge_votes has them, from item_id to prob_a
    detail: str | None


def _with_constants(content: bytes, fault: RowFault) -> Object:
    """A row with NaN or Infinity: a preference that is not there, a token without a chance."""
    if fault.reason != "not_finite":
        raise fault
    return parse_object(content, constants=True)


def _votes(
    row: Object,
    clusters: Mapping[str, str],
    planned: Planned,
    verdicts: Verdicts,
    replies: Replies,
    orders_lack: bool,
) -> list[_Vote]:
    taken_row = taken(row, FORMS)
    item_id = taken_row["item_id"]
    if item_id not in clusters:
        raise RowFault("unknown_item", f"the benchmark has no item {item_id!r:.80}")
    pair = pair_of(taken_row["model_a"], taken_row["model_b"])
    if (item_id, pair.model_a, pair.model_b) not in planned:
        named = f"{pair.model_a} and {pair.model_b}"
        raise RowFault("not_planned", f"{named} are not to be judged on {item_id}")
    first = _shown_first(taken_row["shown_first"], pair, orders_lack)
    models = (pair.model_a, pair.model_b)
    shown = [replies[model, item_id] for model in models if (model, item_id) in replies]
    said = _said(row, verdicts, shown)
    if first is None:
        _needs_no_order(said, taken_row)
    return [
        _vote(one, taken_row, clusters[item_id], pair, _other(first) if one.exchanged else first)
        for one in said
    ]


def _shown_first(said: str | None, pair: Pair, orders_lack: bool) -> str | None:
    """model_a or model_b as the table has them; None where the row does not say, and need not."""
    if said is None:
        if orders_lack:
            return None
        raise RowFault(
            "missing_key",
            "shown_first is absent or null: where nobody recorded it, write orders: unrecorded "
            "in the contract's judging",
        )
    first = pair.side(said)
    if first is None:
        raise RowFault("unknown_slot", f"shown_first {said!r:.80} is neither model")
    return first


def _needs_no_order(said: Sequence[SaidVote], row: Object) -> None:
    """Raises RowFault where a vote speaks of seats, and nothing says who sat there."""
    for one in said:
        seat = one.winner in ("first", "second") and not one.of_name
        if seat or one.exchanged or (one.prob is not None and not one.of_model):
            raise RowFault("unknown_slot", "the verdict is about a seat, and shown_first is null")
    if row["prob_first"] is not None:
        raise RowFault("unknown_slot", "prob_first is about a seat, and shown_first is null")


def _vote(said: SaidVote, row: Object, cluster_id: str, pair: Pair, first: str | None) -> _Vote:
    """A vote as the table has it; `first`: which model was shown first in it, where known."""
    verdict = _verdict(said, pair, first)
    status = "judge_error" if said.failed else "ok" if verdict else "judge_unknown"
    detail = said.detail if verdict or said.detail else "unknown_label"
    prob_a = _prob_a(said, row, pair, first)
    key = (
        row["item_id"],
        pair.model_a,
        pair.model_b,
        "unrecorded" if first is None else "a_first" if first == "model_a" else "b_first",
        row["repeat"] or 0,
    )
    values = (key[0], cluster_id, *key[1:], status, verdict, prob_a)
    return _Vote(key, values, detail)


def _verdict(said: SaidVote, pair: Pair, first: str | None) -> str | None:
    if said.winner is None:
        return None
    if said.winner in ("first", "second") and not said.of_name:
        return first if said.winner == "first" else _other(first)
    return pair.verdict(said.winner)


def _prob_a(said: SaidVote, row: Object, pair: Pair, first: str | None) -> float | None:
    """Chance of the table's model_a; what the verdict's own form says goes before the row's keys.

    Those are prob_a, of the row's model_a, and prob_first.
    """
    prob: float | None
    if said.prob is None and row["prob_a"] is not None:
        turned, prob = pair.turned, row["prob_a"]
    elif said.prob is None:
        turned = first != "model_a"
        prob = row["prob_first"]
    else:
        turned = pair.turned if said.of_model else first != "model_a"
        prob = said.prob
    return None if prob is None else float(1 - prob if turned else prob)


def _other(side: str | None) -> str | None:
    return None if side is None else "model_b" if side == "model_a" else "model_a"


def _said(row: Object, verdicts: Verdicts, shown: Sequence[str]) -> list[SaidVote]:
    """What the row's votes say; a row with an `error` is a call that failed."""
    failed = row.get("error") is not None
    try:
        said = verdicts(row, shown=shown)
    except NoVerdictKeyError as error:
        if failed:
            return [SaidVote(None, "error", failed=True)]
        raise RowFault("missing_key", str(error)) from None
    except AmbiguousFormError as error:
        raise RowFault("ambiguous_form", str(error)) from None
    except ValueError as error:
        raise RowFault("wrong_type", str(error)) from None
    if not failed:
        return said
    if any(one.winner is not None for one in said):
        raise RowFault("contradictory", "the row has a verdict and an error: keep one of them")
    return [replace(one, detail="error", failed=True) for one in said]
