"""`numeric@1`: whether two numerals mean the same number, in exact rational arithmetic."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import lru_cache
from typing import Any

from eval_pipeline.verification.first.number_words import figures
from eval_pipeline.verification.first.numerals import (
    Number,
    NumberForm,
    canonical,
    find_numerals,
    plain,
    read_number,
)
from eval_pipeline.verification.first.scale import KELVIN, factor_after, is_factor, sign_before
from eval_pipeline.verification.first.units import Unit, leading_unit, read_unit
from eval_pipeline.verification.verdict import Item, Verdict

PERCENT_POLICIES = ("same", "ignore", "hundredth")
ONE_SIDED = "scale on one side"  # 5 million beside 5, 1 h 30 min beside 1.5: nobody can tell


@dataclass(frozen=True)
class Quantity:
    """A number and the words after it, such as `cm` or `apples`; the unit where they name one.

    scale: the factor that was said in words and is in the number: 10^6 of 1.2 million. in_parts:
    whether it was said in several units, of which its own is the last.
    """

    number: Number
    words: frozenset[str] = frozenset()
    unit: Unit | None = None
    scale: Fraction = Fraction(1)
    in_parts: bool = False

    @property
    def unscaled(self) -> "Quantity":
        """What its figures alone say."""
        number = replace(self.number, value=Fraction(self.number.value) / self.scale)
        return replace(self, number=number, scale=Fraction(1))


@dataclass(frozen=True)
class Numeric:
    """Equal values score 1, different ones 0; what is no single number is a parser failure.

    Options: `thousands`, `decimal` (how numbers are written), `percent` (`same`: 60% differs from
    60; `ignore`: they are equal; `hundredth`: 60% is 0.6), `rel_tol` and `abs_tol` (numbers or
    text; |answer - reference| <= max(abs_tol, rel_tol * |reference|); both 0 unless declared).
    Units count only where both have one: 5 m is not 5 cm, and is 500 cm; an answer without a unit
    is taken to be in the reference's. 1.2 million is 1200000; where only one side has such a word
    and the figures are the same, nothing is judged. `number_words`: true reads twenty-one as 21. A
    reference may be written in the declared form, or plainly (1234.5).
    """

    thousands: str = ""
    decimal: str = "."
    percent: str = "same"
    rel_tol: Any = 0
    abs_tol: Any = 0
    number_words: bool = False
    form: NumberForm = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "form", NumberForm(self.thousands, self.decimal))
        if self.percent not in PERCENT_POLICIES:
            raise ValueError(f"percent must be one of {PERCENT_POLICIES}, got {self.percent!r}")
        if not isinstance(self.number_words, bool):
            raise ValueError(f"number_words must be true or false, got {self.number_words!r}")
        for name in ("rel_tol", "abs_tol"):
            object.__setattr__(self, name, _tolerance(name, getattr(self, name)))

    def check(self, item: Item) -> None:
        if self.read_reference(item.reference) is None:
            raise ValueError(
                f"item {item.item_id!r}: its answer {item.reference!r} is no single number; "
                "mend items.jsonl, or declare thousands or decimal in verification.options"
            )

    def verify_all(self, answers: Sequence[tuple[Item, str]], workers: int) -> list[Verdict]:
        return [self.verify(item, answer) for item, answer in answers]

    def verify(self, item: Item, answer: str) -> Verdict:
        found = self.read(answer)
        if found is None:
            return Verdict.unreadable("not_a_number", f"{answer[:200]!r} is no single number")
        wanted = _reference(item.reference, self.form, self.number_words)
        difference = self.difference(found, wanted)
        read, reference = canonical(found.number), canonical(wanted.number)
        said = f"{answer.strip()[:200]!r} is {read}; the reference is {reference}"
        if difference == ONE_SIDED:
            return Verdict.unreadable("scale_on_one_side", f"{said}: {difference}", read)
        if difference:
            return Verdict.judged(0.0, read, f"{said}: {difference}")
        is_near = (self.rel_tol or self.abs_tol) and found.number.value != wanted.number.value
        relation = "equal within the tolerance" if is_near else "equal"
        return Verdict.judged(1.0, read, f"{said}: {relation}")

    def read(self, text: str) -> Quantity | None:
        """The one number of a short text; None for no number or several."""
        return _read(text, self.form, self.number_words)

    def read_reference(self, text: str) -> Quantity | None:
        """As `read`; what is no number in the declared form may be one with a decimal point."""
        return self.read(text) or _read(text, NumberForm(), self.number_words)

    def equivalent(self, answer: str, reference: str) -> bool | None:
        """Whether two texts are the same number; None where either is none or nobody can tell."""
        found, wanted = self.read(answer), self.read_reference(reference)
        if found is None or wanted is None:
            return None
        difference = self.difference(found, wanted)
        return None if difference == ONE_SIDED else difference is None

    def difference(self, found: Quantity, wanted: Quantity) -> str | None:
        """What sets an answer apart from the reference, in one word, or None."""
        if found.scale == wanted.scale:
            difference = self._difference(found, wanted)
            bare = (found.in_parts and not wanted.unit) or (wanted.in_parts and not found.unit)
            return ONE_SIDED if difference and bare else difference
        found, wanted = _in_kelvin(found, wanted), _in_kelvin(wanted, found)
        difference = self._difference(found, wanted)
        if difference and found.scale != wanted.scale:
            plainly = self._difference(found.unscaled, wanted.unscaled)
            return ONE_SIDED if plainly is None else difference
        return difference

    def _difference(self, found: Quantity, wanted: Quantity) -> str | None:
        a, b = found.number, wanted.number
        value, target = a.value, b.value
        if found.words or wanted.words or a.currency or b.currency:
            ours, theirs = _measured(found, b), _measured(wanted, a)
            if ours and theirs:
                if ours.dimension != theirs.dimension:
                    return "other currency" if a.currency and b.currency else "other unit"
                value, target = value * ours.factor, target * theirs.factor
            elif found.words and not theirs and not wanted.words <= found.words:
                return "other unit"
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
    """The one number of a short text, with what it counts; None for no number or several.

    A number within mathematics (\\sqrt{2}, 2\\pi, x/2, 3x, 5!, +-5) is not the whole answer: None.
    Parts of one measure (1 hour 30 minutes) are one number, in the unit of the last.
    """
    text = plain(text).strip().strip("*`_ ")
    number = read_number(text.rstrip(".").rstrip(), form)
    if number is not None:
        return Quantity(number)
    places = find_numerals(text, form)
    if len(places) != 1:
        return _measured_in_parts(text, places, form)
    start, end = places[0]
    number = read_number(text[start:end], form)
    if number is None:
        return None
    factor = factor_after(text, end, bool(number.currency))
    is_kelvin = factor.value != 1 and text[factor.end - 1] == KELVIN
    sign = sign_before(text, start)
    if factor.end > end or sign is not None:
        number = replace(
            number,
            value=factor.value * (number.value if sign is None else -number.value),
            percent=number.percent or factor.is_percent,
        )
    before, after = text[: start if sign is None else sign], text[factor.end :]
    if _COMMAND.search(before + " " + after):
        return None
    before, after = _WRAPPING.sub(" ", before), _WRAPPING.sub(" ", after)
    if _OPERATED.search(before) or (_OPERATOR.match(after) and not before.strip()):
        return None
    unit = read_unit(KELVIN) if is_kelvin else leading_unit(after)
    if unit is None and (_VARIABLE.match(after) or _OPERATOR.match(after.rstrip("! "))):
        return None
    said = _WORD.findall(after.casefold())
    if any(map(is_factor, said)):
        return None
    words = frozenset(map(_singular, said)) - _FILLERS
    return Quantity(number, words, unit, Fraction(1) if factor.is_percent else factor.value)


def _measured_in_parts(
    text: str, places: Sequence[tuple[int, int]], form: NumberForm
) -> Quantity | None:
    """The sum of parts, each of a smaller unit of the same kind than the one before."""
    total, last = Fraction(0), None
    ends = [*(start for start, _ in places[1:]), len(text)]
    if not places or text[: places[0][0]].strip():
        return None
    for (start, end), until in zip(places, ends, strict=True):
        number = read_number(text[start:end], form)
        unit = read_unit(_JOINED.sub("", text[end:until]))
        if number is None or unit is None or number.value < 0 or number.percent or number.currency:
            return None
        if last and (unit.dimension != last.dimension or unit.factor >= last.factor):
            return None
        total, last = total + number.value * unit.factor, unit
    return Quantity(Number(total / last.factor), unit=last, in_parts=True) if last else None


def _in_kelvin(one: Quantity, other: Quantity) -> Quantity:
    """300K beside a temperature is one; beside anything else it is 300 thousand."""
    kelvin = read_unit(KELVIN)
    if one.unit != kelvin or one.scale == 1:
        return one
    return one.unscaled if other.unit == kelvin else replace(one, unit=None)


_COMMAND = re.compile(  # a LaTeX command that is more than dress
    r"\\(?!(?:boxed|fbox|displaystyle|quad|qquad|ldots|dots|therefore|approx|centerdot)(?![A-Za-z]))"
    r"[A-Za-z]+"
)
_WRAPPING = re.compile(r"\\[A-Za-z]+|[\\{}$`()\[\]]|(?<![\w°])\*+|\*+(?!\w)")
_OPERATED = re.compile(r"(?:[/^√∛∜⌊⌈∑∏∫π±<>≤≥≠|]|[π∞\w][*+])\s*$|(?:^|\s)[—―]$|[+-]{2}$")
_JOINED = re.compile(r"\s*(?:,|;|\band\b|\.)?\s*$")
_OPERATOR = re.compile(r"\s*(?:[/^√∛∜⌋⌉π∞±<>≤≥|!]|[*+]\s*\w|[+-]\s*$)")
_VARIABLE = re.compile(r"[A-Za-z](?![A-Za-z])")
_WORD = re.compile(r"[^\W\d_]+")
_FILLER_WORDS = """
a an and are as at altogether answer because by each every for from has have here in is it its left
long of on or per s so that the then there they this thus to total was we were which with
"""
_FILLERS = frozenset(_FILLER_WORDS.split())


def _singular(word: str) -> str:
    return word[:-1] if len(word) > 3 and word.endswith("s") else word


def _measured(quantity: Quantity, other: Number) -> Unit | None:
    """The unit of a quantity, a currency's sign among them; pounds are money beside money."""
    currency = quantity.number.currency
    if other.currency == "£" and "pound" in quantity.words:
        currency = "£"
    return Unit(((currency, 1),), Fraction(1)) if currency else quantity.unit


def _read(text: str, form: NumberForm, number_words: bool) -> Quantity | None:
    number = read_number(text, form)
    if number is not None:
        return Quantity(number)
    return read_quantity(figures(text) if number_words else text, form)


@lru_cache(maxsize=4096)
def _reference(text: str, form: NumberForm, number_words: bool) -> Quantity:
    quantity = _read(text, form, number_words) or _read(text, NumberForm(), number_words)
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
