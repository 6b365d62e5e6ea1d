"""What an extraction finds, what a verifier says, and what both may know of an item."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol, runtime_checkable

_LONE_SURROGATE = re.compile("[\ud800-\udfff]")


@dataclass(frozen=True)
class Item:
    """The parts of a benchmark item that an instrument may look at."""

    item_id: str
    question: str = ""
    answer: str | None = None
    options: tuple[str, ...] | None = None
    entry_point: str | None = None
    test: str | None = None

    @property
    def reference(self) -> str:
        """The reference answer; raises ValueError where the item has none."""
        if self.answer is None:
            raise ValueError(f"item {self.item_id!r} has no answer: add it to items.jsonl")
        return self.answer


@dataclass(frozen=True)
class Found:
    """What stands as the answer in a reply; `answer` is None where there is none, `detail` why.

    `status` is what the sample then is; `place` where the answer stands in what was read, from
    and to, where the extraction says it; `step` how a chain of extractions came to it.
    """

    answer: str | None
    detail: str | None = None
    status: str = "parser_failure"
    place: tuple[int, int] | None = field(default=None, compare=False)
    step: str | None = None


EMPTY = Found(None, "empty")


@dataclass(frozen=True)
class Verdict:
    """What the instruments say of one reply.

    `score` is in [0, 1] where `status` is ok, else None. `detail` is one word (or some, joined by
    "; ") for counting, `explanation` a sentence for reading. `engine` says what decided where an
    instrument has more than one way: `exact`, or `sympy`.
    """

    status: str
    score: float | None
    extracted: str | None
    explanation: str
    detail: str | None = None
    engine: str | None = None

    def __post_init__(self) -> None:
        """Half a character, which a program or a JSON escape can say, is stored as U+FFFD."""
        for name in ("extracted", "explanation"):
            text = getattr(self, name)
            if text is not None and not text.isascii():
                object.__setattr__(self, name, _LONE_SURROGATE.sub("\ufffd", text))

    @classmethod
    def judged(
        cls, score: float, extracted: str, explanation: str, engine: str | None = None
    ) -> "Verdict":
        """A verdict on an answer that could be read; a score of 0 has the detail `wrong`."""
        return cls("ok", score, extracted, explanation, None if score > 0 else "wrong", engine)

    @classmethod
    def unreadable(cls, detail: str, explanation: str, extracted: str | None = None) -> "Verdict":
        """A verdict on a reply without a usable answer."""
        return cls("parser_failure", None, extracted, explanation, detail)

    @classmethod
    def undecided(cls, detail: str, explanation: str, extracted: str | None = None) -> "Verdict":
        """A verdict where an answer was found and nobody can tell from it: neither 1 nor 0.

        `detail` names what was not read; the contract's policy says what it counts as.
        """
        return cls("undecided", None, extracted, explanation, detail)


class Extraction(Protocol):
    """Finds the answer in a reply."""

    def extract(self, reply: str, item: Item) -> Found:
        """Never raises on a reply: what cannot be read is a `Found` without an answer."""
        ...


@runtime_checkable
class BatchExtraction(Protocol):
    """An extraction that does better with many replies at once: it starts a child process."""

    def extract_all(self, replies: Sequence[tuple[Item, str]], workers: int) -> list[Found]:
        """What `extract` finds in each, in order; `workers` only changes how long it takes."""
        ...


def find_all(
    extraction: Extraction, replies: Sequence[tuple[Item, str]], workers: int
) -> list[Found]:
    """What the extraction finds in each reply, in order."""
    if isinstance(extraction, BatchExtraction):
        return extraction.extract_all(replies, workers)
    return [extraction.extract(reply, item) for item, reply in replies]


class Verifier(Protocol):
    """Holds an answer against an item's reference."""

    def check(self, item: Item) -> None:
        """Raises ValueError that names the item where it cannot be judged at all."""
        ...

    def verify_all(self, answers: Sequence[tuple[Item, str]], workers: int) -> list[Verdict]:
        """A verdict for each answer, in order; `workers` only changes how long it takes."""
        ...


@runtime_checkable
class RowVerifier(Protocol):
    """A verifier that takes its verdict from the row of a sample, and judges no reply."""

    def verdict_of(self, extra: str | None, extracted: str | None) -> Verdict:
        """The verdict of one sample.

        extra: further keys of its row, JSON. extracted: what the extraction finds in the reply,
        for reading only.
        """
        ...


@runtime_checkable
class Noted(Protocol):
    """A verifier that has something to say of how it worked."""

    def notes(self) -> Mapping[str, str | int | float]:
        """For the lineage; never part of a verdict."""
        ...
