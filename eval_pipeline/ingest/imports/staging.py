"""Entries of a peer's files, written beside the data root as items and generations.

A row is written as soon as it is read, so memory does not grow with the replies; of an item a
digest is kept, so that another text under the same id is found.
"""

import hashlib
import json
import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TextIO

from eval_pipeline.ingest.imports.equality import Recomputed
from eval_pipeline.ingest.imports.names import Names, proposed_name
from eval_pipeline.ingest.peers.entries import (
    Entry,
    Json,
    PeerGuess,
    PeerReject,
    PeerReply,
    PublishedNumber,
)
from eval_pipeline.layout import DataRoot, checked_name

VERSION = 1
REJECTED = "rejected.jsonl"
FROM = "imported_from"  # the key of a row that leads to the line of the peer's own file
_SURROGATE = re.compile("[\ud800-\udfff]")
_RESERVED_OF_ITEM = {"item_id", "question", "answer", "options"}


@dataclass
class StagedTask:
    """One benchmark as it was staged. replies: by checkpoint. metrics: published, in order.

    unreferenced: items without a reference. n_options: of the items that have some, the most.
    """

    task: str
    benchmark: str
    places: dict[str, int] = field(default_factory=dict)  # item -> its place, from 0
    digests: list[bytes] = field(default_factory=list)
    replies: Counter[str] = field(default_factory=Counter)
    metrics: dict[str, None] = field(default_factory=dict)
    draws: int = 1
    unreferenced: int = 0
    with_options: int = 0
    with_tests: int = 0
    seen: set[tuple[str, int, int]] = field(default_factory=set)  # checkpoint, item, draw

    @property
    def n_items(self) -> int:
        return len(self.places)


class Staging:
    """Takes entries one after the other; `tasks` and `rejected` tell what came of them."""

    def __init__(self, stage: DataRoot, names: Names, benchmark: str | None = None) -> None:
        """stage: where everything is written. benchmark: the name for a single task."""
        self.stage, self.names = stage, names
        self.tasks: dict[str, StagedTask] = {}
        self.numbers: list[PublishedNumber] = []
        self.guesses: list[str] = []
        self.keys: dict[str, str] = {}  # part of a plain row -> its key
        self.rejected: Counter[str] = Counter()
        self.first_rejected: dict[str, str] = {}
        self.recomputed = Recomputed()
        self._named = benchmark
        self._files: dict[Path, TextIO] = {}

    def take(self, entry: Entry) -> None:
        """Writes a reply with its item, notes a number, counts a reject."""
        if isinstance(entry, PeerReject):
            self._reject(entry)
        elif isinstance(entry, PublishedNumber):
            self.numbers.append(entry)
        elif isinstance(entry, PeerGuess):
            self.guesses.append(entry.text)
            self.keys |= entry.keys
        else:
            self._take_reply(entry)

    def close(self) -> None:
        """Ends every file that was begun."""
        for file in self._files.values():
            file.close()
        self._files.clear()

    def _take_reply(self, reply: PeerReply) -> None:
        task = self._task(reply.task)
        digest = _digest(reply)
        place = task.places.setdefault(reply.item_id, len(task.places))
        if place == len(task.digests):
            task.digests.append(digest)
            task.unreferenced += not reply.references
            task.with_options += reply.options is not None
            task.with_tests += "test" in reply.item_columns
            self._write(self.stage.items(f"{task.benchmark}@{VERSION}"), _item_row(reply))
        elif task.digests[place] != digest:
            detail = f"item {reply.item_id} has another question, reference or options than before"
            self._reject(PeerReject(reply.place, "other_item", detail))
            return
        checkpoint = self.names.of(reply.model)
        key = (checkpoint, place, reply.draw)
        if key in task.seen:
            detail = f"draw {reply.draw} of item {reply.item_id} by {reply.model} stood before"
            self._reject(PeerReject(reply.place, "duplicate", detail))
            return
        task.seen.add(key)
        task.replies[checkpoint] += 1
        task.draws = max(task.draws, reply.draw + 1)
        task.metrics.update(dict.fromkeys(reply.said))
        self.recomputed.add(reply, place)
        folder = self.stage.checkpoint(checkpoint)
        self._write(folder / f"{task.benchmark}.jsonl", _sample_row(reply))

    def _task(self, name: str) -> StagedTask:
        if name not in self.tasks:
            if self._named is not None and self.tasks:
                raise ValueError(
                    f"the files hold several tasks ({', '.join([*self.tasks, name])}): "
                    "--benchmark names a single one"
                )
            benchmark = checked_name(self._named or proposed_name(name), "benchmark")
            other = next((t for t in self.tasks.values() if t.benchmark == benchmark), None)
            if other is not None:
                raise ValueError(f"{other.task!r} and {name!r} would both be {benchmark}")
            self.tasks[name] = StagedTask(name, benchmark)
        return self.tasks[name]

    def _reject(self, reject: PeerReject) -> None:
        self.rejected[reject.reason] += 1
        self.first_rejected.setdefault(reject.reason, f"{reject.place}: {reject.detail}")
        row: dict[str, Json] = {
            "place": reject.place,
            "reason": reject.reason,
            "detail": reject.detail,
        }
        self._write(self.stage.path / REJECTED, row)

    def _write(self, path: Path, row: Mapping[str, Json]) -> None:
        file = self._files.get(path)
        if file is None:
            path.parent.mkdir(parents=True, exist_ok=True)
            file = self._files[path] = path.open("w", encoding="utf-8", newline="\n")
        file.write(row_text(row))


def row_text(row: Mapping[str, Json]) -> str:
    """A row as a line of JSON that is UTF-8 whatever it holds."""
    text = json.dumps(row, ensure_ascii=False)
    # half a character cannot be written as UTF-8; as an escape it reaches ingest, which says so
    return (json.dumps(row) if _SURROGATE.search(text) else text) + "\n"


def _digest(reply: PeerReply) -> bytes:
    said = json.dumps([reply.question, reply.references, reply.options])
    return hashlib.sha256(said.encode()).digest()[:16]


def _item_row(reply: PeerReply) -> dict[str, Json]:
    """The item; where several answers are right they are listed, and the first one is compared."""
    row: dict[str, Json] = {"item_id": reply.item_id, "question": reply.question}
    if reply.references:
        row["answer"] = reply.references[0]
    if len(reply.references) > 1:
        row["right_answers"] = list(reply.references)
    if reply.options is not None:
        row["options"] = list(reply.options)
    for key, value in reply.item_columns.items():
        row[f"given_{key}" if key in _RESERVED_OF_ITEM else key] = value
    return row


def _sample_row(reply: PeerReply) -> dict[str, Json]:
    """The reply as a row of generations, with the publisher's verdicts and where it came from."""
    row: dict[str, Json] = {"item_id": reply.item_id, "draw": reply.draw}
    if reply.text is not None:
        row["text"] = reply.text
    if reply.status != "ok":
        row["status"] = reply.status
    known: dict[str, Json] = {
        "detail": reply.detail,
        "finish_reason": reply.finish_reason,
        "tokens_in": reply.tokens_in,
        "tokens_out": reply.tokens_out,
        "latency_ms": reply.latency_ms,
        "cost_usd": reply.cost_usd,
    }
    row |= {key: value for key, value in known.items() if value is not None}
    if reply.said:
        row["published"] = dict(reply.said)
    row[FROM] = reply.place
    for key, value in reply.columns.items():
        row[f"given_{key}" if key in row else key] = value
    return row
