"""A staged task made ready for its contract: which instruments, and what is set aside for them."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from eval_pipeline.ingest.imports.staging import VERSION, StagedTask, Staging, row_text
from eval_pipeline.ingest.peers.entries import PeerReject

if TYPE_CHECKING:
    from eval_pipeline.verification.choosing.choice import Choice
    from eval_pipeline.verification.choosing.reading import Reply
    from eval_pipeline.verification.choosing.reference_type import Asked, ReferenceType

ENOUGH_AGREE = 0.98  # of the replies on which the publisher and we agree
READABLE = ("read", "read, in part")


@dataclass(frozen=True)
class JudgedTask:
    """How a task is judged: by our instruments, by the publisher's verdicts, or both.

    headline: the publisher's metric, None where nothing was published. agreement: the share of
    replies that both judge on which they agree, None where they share none. ours: whether our
    instruments make the primary number.
    """

    choice: "Choice | None"
    headline: str | None
    agreement: float | None
    ours: bool
    why: str

    @property
    def is_judged(self) -> bool:
        """Whether there is anything that gives a number."""
        return self.ours or self.headline is not None

    @property
    def by(self) -> str:
        """Who judges, for a person to read."""
        if self.ours and self.choice is not None:
            return f"{self.choice.kind.verifier} on {self.choice.extraction}"
        return "nothing" if self.headline is None else f"the recorded {self.headline}"

    @property
    def state(self) -> str:
        """How far the primary number may be trusted: recorded, or the state of our instruments."""
        if not self.ours or self.choice is None:
            return "recorded" if self.headline is not None else "cannot tell"
        return self.choice.state


def judged(staging: Staging, task: StagedTask, workers: int) -> JudgedTask:
    """Chooses how the task is judged, and writes its items as the verifier compares them.

    Items whose reference the verifier cannot hold are set aside, with their replies, and counted.
    """
    from eval_pipeline.cli.drafting.imported_code import code_choice
    from eval_pipeline.verification.choosing.choice import choose, unlooked
    from eval_pipeline.verification.choosing.reference_type import reference_type

    headline = next(iter(task.metrics), None)
    if task.with_tests == task.n_items:
        coded = code_choice(_coded(staging, task), workers)
        ours, why = _who_judges(coded, headline, None)
        return JudgedTask(coded, headline, None, ours or headline is None, why)
    if task.unreferenced:
        why = f"{task.unreferenced} of {task.n_items} items have no reference"
        return JudgedTask(None, headline, None, False, why)
    kind = reference_type(list(_asked(_items_file(staging, task))))
    replies = list(_replies(staging, task, kind))
    if not replies and any(task.replies.values()):
        choice = unlooked(kind)
        _write_answers(staging, task, kind)
        return JudgedTask(
            choice, headline, None, True, "every call failed: there is no reply to look at"
        )
    if not any(reply.text.strip() for reply in replies):
        why = "the files hold no text of a reply, only what was made of it"
        return JudgedTask(None, headline, None, False, why)
    choice = choose(kind, replies, workers)
    agreement = None if headline is None else _agreement(staging, task, choice, headline, workers)
    ours, why = _who_judges(choice, headline, agreement)
    if ours:
        _write_answers(staging, task, kind)
    return JudgedTask(choice, headline, agreement, ours, why)


def _who_judges(
    choice: "Choice", headline: str | None, agreement: float | None
) -> tuple[bool, str]:
    """Whether our instruments make the primary number; what was published does where in doubt."""
    if headline is None and choice.state != "cannot tell":
        return True, choice.reason
    if choice.state not in READABLE:
        tried = ", ".join(f"{name} {share:.0%}" for name, share in choice.tried.items())
        return False, f"our own reading of the replies is {choice.state!r} (read at: {tried})"
    if agreement is not None and agreement < ENOUGH_AGREE:
        return False, f"our verdicts agree with {headline} on {agreement:.1%} of the replies only"
    return True, choice.reason


def _items_file(staging: Staging, task: StagedTask) -> Path:
    return staging.stage.items(f"{task.benchmark}@{VERSION}")


def _rows(path: Path) -> Iterator[dict[str, Any]]:
    with path.open(encoding="utf-8") as file:
        for line in file:
            yield json.loads(line)


def _asked(path: Path) -> "Iterator[Asked]":
    from eval_pipeline.verification.choosing.reference_type import Asked

    for row in _rows(path):
        right = row.get("right_answers") or [row["answer"]]
        options = tuple(row["options"]) if "options" in row else None
        yield Asked(row["item_id"], row["question"], tuple(right), options)


def _samples(staging: Staging, task: StagedTask) -> Iterator[tuple[str, dict[str, Any]]]:
    for checkpoint in sorted(task.replies):
        path = staging.stage.checkpoint(checkpoint) / f"{task.benchmark}.jsonl"
        for row in _rows(path):
            yield checkpoint, row


def _replies(staging: Staging, task: StagedTask, kind: "ReferenceType") -> "Iterator[Reply]":
    """The replies as a verifier sees them, of items that it can hold."""
    from eval_pipeline.reply_text import spoken
    from eval_pipeline.verification.choosing.reading import Reply
    from eval_pipeline.verification.verdict import Item

    items = {
        asked.item_id: Item(
            asked.item_id, asked.question, kind.answers[asked.item_id], asked.options
        )
        for asked in _asked(_items_file(staging, task))
        if asked.item_id in kind.answers
    }
    for checkpoint, row in _samples(staging, task):
        if row["item_id"] in items and row.get("status", "ok") == "ok":
            yield Reply(items[row["item_id"]], checkpoint, spoken(row.get("text", "")).text)


def _coded(staging: Staging, task: StagedTask) -> "Iterator[Reply]":
    """The replies to items with tests."""
    from eval_pipeline.verification.choosing.reading import Reply
    from eval_pipeline.verification.verdict import Item

    items = {
        row["item_id"]: Item(
            row["item_id"], row["question"], entry_point=row["entry_point"], test=row["test"]
        )
        for row in _rows(_items_file(staging, task))
    }
    for checkpoint, row in _samples(staging, task):
        if row.get("status", "ok") == "ok":
            yield Reply(items[row["item_id"]], checkpoint, row.get("text", ""))


def _agreement(
    staging: Staging, task: StagedTask, choice: "Choice", metric: str, workers: int
) -> float | None:
    """The share of replies that both judge on which our verdicts are the publisher's."""
    from eval_pipeline.verification.registry import instruments
    from eval_pipeline.verification.verdict import find_all

    said = [
        (row["published"] or {}).get(metric)
        for _, row in _samples(staging, task)
        if row["item_id"] in choice.kind.answers
        and row.get("status", "ok") == "ok"
        and "published" in row
    ]
    replies = list(_replies(staging, task, choice.kind))
    if len(said) != len(replies):
        return None  # some replies have no verdicts at all: nothing to hold ours against
    extraction, verifier = instruments(choice.kind.verifier, choice.extraction, choice.options)
    found = find_all(extraction, [(reply.item, reply.text) for reply in replies], workers)
    answers = [
        (reply.item, one.answer)
        for reply, one in zip(replies, found, strict=True)
        if one.answer is not None
    ]
    verdicts = iter(verifier.verify_all(answers, workers))
    pairs = [
        (next(verdicts).score if one.answer is not None else 0.0, theirs)
        for one, theirs in zip(found, said, strict=True)
    ]
    both = [(ours, theirs) for ours, theirs in pairs if ours is not None and theirs in (0.0, 1.0)]
    return sum(ours == theirs for ours, theirs in both) / len(both) if both else None


def _write_answers(staging: Staging, task: StagedTask, kind: "ReferenceType") -> None:
    """The items with the answers that are compared; those of another kind are set aside."""
    path = _items_file(staging, task)
    odd = set(kind.odd)
    rows = list(_rows(path))
    with path.open("w", encoding="utf-8", newline="\n") as file:
        for row in rows:
            if row["item_id"] in odd:
                detail = f"{kind.verifier} cannot hold the answer {str(row['answer'])[:80]!r}"
                staging.take(PeerReject(f"item {row['item_id']}", "unreadable_reference", detail))
                continue
            answer = kind.answers[row["item_id"]]
            if answer != row["answer"]:
                row = {**row, "answer": answer, "given_answer": row["answer"]}
            file.write(row_text(row))
    if odd:
        for checkpoint in sorted(task.replies):
            _without(staging, task, checkpoint, odd)
        for item in odd:
            task.places.pop(item)


def _without(staging: Staging, task: StagedTask, checkpoint: str, odd: set[str]) -> None:
    path = staging.stage.checkpoint(checkpoint) / f"{task.benchmark}.jsonl"
    kept = [row for row in _rows(path) if row["item_id"] not in odd]
    path.write_text("".join(map(row_text, kept)), encoding="utf-8", newline="\n")
    task.replies[checkpoint] = len(kept)
