"""`numeric@1`: whether two numerals mean the same number, in exact rational arithmetic."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import lru_cache
from typing import Any

from eval_pipeline.verification.numerals import (
    Number,
    NumberForm,
    canonical,
    find_numerals,
    plain,
    read_number,
)
from eval_pipeline.verification.verdict import Item, Verdict

PERCENT_POLICIES = ("same", "ignore", "hundredth")
_WORDS_ONLY = re.compile(r"\\[A-Za-z]+|[\\{}$*`=:.,;()]")


@dataclass(frozen=True)
class Quantity:
    """A number and the words around it, such as `cm` or `dollars`."""

    number: Number
    words: str = ""


@dataclass(frozen=True)
class Numeric:
    """Equal values score 1, different ones 0; what is no single number is a parser failure.

    Options: `thousands`, `decimal` (how numbers are written), `percent` (`same`: 60% differs from
    60; `ignore`: they are equal; `hundredth`: 60% is 0.6), `rel_tol` and `abs_tol` (numbers or
    text; |answer - reference| <= max(abs_tol, rel_tol * |reference|); both 0 unless declared).
    Words and currencies count only where the reference has its own: 5 m is not 5 cm.
    """

    thousands: str = ""
    decimal: str = "."
    percent: str = "same"
    rel_tol: Any = 0
    abs_tol: Any = 0
    form: NumberForm = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "form", NumberForm(self.thousands, self.decimal))
        if self.percent not in PERCENT_POLICIES:
            raise ValueError(f"percent must be one of {PERCENT_POLICIES}, got {self.percent!r}")
        for name in ("rel_tol", "abs_tol"):
            object.__setattr__(self, name, _tolerance(name, getattr(self, name)))

    def check(self, item: Item) -> None:
        if read_quantity(item.reference, self.form) is None:
            raise ValueError(
                f"item {item.item_id!r}: its answer {item.reference!r} is no single number; "
                "mend items.jsonl, or declare thousands or decimal in verification.options"
            )

    def verify_all(self, answers: Sequence[tuple[Item, str]], workers: int) -> list[Verdict]:
        return [self.verify(item, answer) for item, answer in answers]

    def verify(self, item: Item, answer: str) -> Verdict:
        found = read_quantity(answer, self.form)
        if found is None:
            return Verdict.unreadable("not_a_number", f"{answer[:200]!r} is no single number")
        wanted = _reference(item.reference, self.form)
        difference = self.difference(found, wanted)
        read, reference = canonical(found.number), canonical(wanted.number)
        said = f"{answer.strip()[:200]!r} is {read}; the reference is {reference}"
        if difference:
            return Verdict.judged(0.0, read, f"{said}: {difference}")
        return Verdict.judged(1.0, read, f"{said}: equal")

    def equivalent(self, answer: str, reference: str) -> bool | None:
        """Whether two texts are the same number; None where either is none."""
        found, wanted = read_quantity(answer, self.form), read_quantity(reference, self.form)
        if found is None or wanted is None:
            return None
        return self.difference(found, wanted) is None

    def difference(self, found: Quantity, wanted: Quantity) -> str | None:
        """What sets an answer apart from the reference, in one word, or None."""
        if wanted.words and found.words and wanted.words != found.words:
            return "other unit"
        a, b = found.number, wanted.number
        if a.currency and b.currency and a.currency != b.currency:
            return "other currency"
        value, target = a.value, b.value
        if a.percent or b.percent:
            if self.percent == "same" and a.percent != b.percent:
                return "percent on one side"
            if self.percent == "hundredth":
                value = Fraction(value, 100) if a.percent else value
                target = Fraction(target, 100) if b.percent else target
        if value == target:
            return None
        if not (self.rel_tol or self.abs_tol):
            return "different"
        within = abs(value - target) <= max(self.abs_tol, self.rel_tol * abs(target))
        return None if within else "different"


def read_quantity(text: str, form: NumberForm) -> Quantity | None:
    """The one number of a short text, with its words; None for no number or several."""
    number = read_number(text, form)
    if number is not None:
        return Quantity(number)
    text = plain(text).strip().strip("*`_ ")
    number = read_number(text.rstrip(".").rstrip(), form)
    if number is not None:
        return Quantity(number)
    places = find_numerals(text, form)
    if len(places) != 1:
        return None
    start, end = places[0]
    number = read_number(text[start:end], form)
    if number is None:
        return None
    words = _WORDS_ONLY.sub(" ", text[:start] + " " + text[end:]).casefold()
    return Quantity(number, " ".join(words.split()))


@lru_cache(maxsize=4096)
def _reference(text: str, form: NumberForm) -> Quantity:
    quantity = read_quantity(text, form)
    if quantity is None:
        raise ValueError(f"the reference {text!r} is no single number")
    return quantity


def _tolerance(name: str, given: Any) -> Fraction:
    try:
        value = Fraction(str(given)) if not isinstance(given, bool | Fraction) else Fraction(given)
    except (ValueError, ZeroDivisionError):
        value = Fraction(-1)
    if value < 0 or isinstance(given, bool):
        raise ValueError(f"{name} must be a number of 0 or more, such as 1e-6, got {given!r}")
    return value
