"""What each place of a reply holds, read as the type of the references, and nothing more.

Whether something is read never depends on what is right: the reference is not looked at.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction

from eval_pipeline.verification.choosing.places import AnswerPlace
from eval_pipeline.verification.choosing.reference_type import (
    THOUSANDS,
    ReferenceType,
    is_formula,
)
from eval_pipeline.verification.registry import instruments
from eval_pipeline.verification.verdict import Item, find_all

LONGEST_TEXT = 80  # characters of a text that may be an answer as a whole


@dataclass(frozen=True)
class Reply:
    """One reply to read: the item it belongs to, the model that gave it, and its text."""

    item: Item
    model: str
    text: str


@dataclass(frozen=True)
class Readings:
    """What one place holds in each reply, in their order.

    found: whether something stands there, or is broken. values: as the type reads it, None where
    it is unread.
    """

    place: AnswerPlace
    found: tuple[bool, ...]
    values: tuple[str | None, ...]

    @property
    def n_read(self) -> int:
        return sum(value is not None for value in self.values)


def readings(
    place: AnswerPlace, kind: ReferenceType, replies: Sequence[Reply], workers: int
) -> Readings:
    """The place in every reply."""
    extraction, _ = instruments(kind.verifier, place.extraction, {**kind.options, **place.options})
    pairs = [(reply.item, reply.text) for reply in replies]
    there = find_all(extraction, pairs, workers)
    read = _reader(kind)
    values = tuple(None if one.answer is None else read(one.answer) for one in there)
    found = tuple(
        one.answer is not None or not (one.detail or "empty").startswith(("no_", "empty"))
        for one in there
    )
    return Readings(place, found, values)


def _reader(kind: ReferenceType) -> Callable[[str], str | None]:
    if kind.kind == "number":
        return _number
    if kind.kind == "maths":
        return _Formula(kind)
    if kind.kind == "closed":
        return lambda text: _label(text, kind.labels)
    if kind.kind == "choice":
        return lambda text: text.strip() or None
    return _text


def _number(text: str) -> str | None:
    from eval_pipeline.verification.numbers.numeric import Numeric

    read = Numeric(thousands=THOUSANDS["thousands"]).read(text)
    return None if read is None else str(Fraction(read.number.value))


class _Formula:
    """A formula that the verifier can hold, as it is written: equality is not the matter here."""

    def __init__(self, kind: ReferenceType) -> None:
        _, self._judge = instruments(kind.verifier, "whole_text@2", kind.options)

    def __call__(self, text: str) -> str | None:
        if (number := _number(text)) is not None:
            return number
        if len(text.strip()) > 1 and not is_formula(text):
            return None
        try:
            self._judge.check(Item("", answer=text))
        except ValueError:
            return None
        return "".join(text.split())


def _label(text: str, labels: tuple[str, ...]) -> str | None:
    said = text.strip(" \t\r\n.!,;:*_`\"'()[]").casefold()
    return said if said in labels else None


def _text(text: str) -> str | None:
    said = " ".join(text.casefold().split())
    return said if 0 < len(said) <= LONGEST_TEXT and "\n" not in text.strip() else None
