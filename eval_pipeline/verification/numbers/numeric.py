"""`numeric@2`: whether two numerals mean the same number, in exact rational arithmetic."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import lru_cache
from typing import Any

from eval_pipeline.verification.first.number_words import figures
from eval_pipeline.verification.numbers.measures import alike
from eval_pipeline.verification.numbers.numerals import NumberForm, canonical, read_number
from eval_pipeline.verification.numbers.quantity import (
    NO_NUMERAL,
    SAID,
    Quantity,
    Unread,
    quantity_or_reason,
)
from eval_pipeline.verification.numbers.quantity import read_quantity as read_quantity
from eval_pipeline.verification.numbers.scale import KELVIN
from eval_pipeline.verification.numbers.units import Unit, read_unit
from eval_pipeline.verification.verdict import Item, Verdict

PERCENT_POLICIES = ("same", "ignore", "hundredth")
ONE_SIDED = "scale on one side"  # 5 million beside 5, 1 h 30 min beside 1.5: nobody can tell
UNSETTLED = "unit that settles nothing"  # a ton beside 1000 kg, 18 days beside 18 apples
# differences that settle nothing, and the word for them
UNTOLD = {ONE_SIDED: "scale_on_one_side", UNSETTLED: "unsettled_unit"}


@dataclass(frozen=True)
class Numeric:
    """Equal values score 1, different ones 0; what was not read whole is undecided.

    A text without a number is a parser failure. One whose number stands beside a relation, an
    operation, a negation, a variable or a word that multiplies and is not known, or that has
    several numbers, is undecided; as a reference it is a fault of its item.

    Options: `thousands`, `decimal` (how numbers are written), `percent` (`same`: 60% differs from
    60; `ignore`: they are equal; `hundredth`: 60% is 0.6), `rel_tol` and `abs_tol` (numbers or
    text; |answer - reference| <= max(abs_tol, rel_tol * |reference|); both 0 unless declared).
    Units count only where both have one: 5 m is not 5 cm, and is 500 cm, 30 °C is 86 °F; an answer
    without a unit is taken to be in the reference's, and a unit of several sizes (a ton, a month)
    settles no equality. 1.2 million is 1200000; where only one side has such a word
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
        found = _read_reference(item.reference, self.form, self.number_words)
        if isinstance(found, Unread):
            raise ValueError(
                f"item {item.item_id!r}: its answer {item.reference!r} is no single number "
                f"({found.reason}); "
                "mend items.jsonl, or declare thousands or decimal in verification.options"
            )

    def verify_all(self, answers: Sequence[tuple[Item, str]], workers: int) -> list[Verdict]:
        return [self.verify(item, answer) for item, answer in answers]

    def verify(self, item: Item, answer: str) -> Verdict:
        found = _read(answer, self.form, self.number_words)
        if isinstance(found, Unread):
            return _unread(answer, found)
        wanted = _reference(item.reference, self.form, self.number_words)
        difference = self.difference(found, wanted)
        read, reference = canonical(found.number), canonical(wanted.number)
        said = f"{answer.strip()[:200]!r} is {read}; the reference is {reference}"
        if difference in UNTOLD:
            return Verdict.undecided(UNTOLD[difference], f"{said}: {difference}", read)
        if difference:
            return Verdict.judged(0.0, read, f"{said}: {difference}")
        is_near = (self.rel_tol or self.abs_tol) and found.number.value != wanted.number.value
        relation = "equal within the tolerance" if is_near else "equal"
        return Verdict.judged(1.0, read, f"{said}: {relation}")

    def read(self, text: str) -> Quantity | None:
        """The one number of a short text; None for no number or several."""
        found = _read(text, self.form, self.number_words)
        return found if isinstance(found, Quantity) else None

    def read_reference(self, text: str) -> Quantity | None:
        """As `read`; what is no number in the declared form may be one with a decimal point."""
        found = _read_reference(text, self.form, self.number_words)
        return found if isinstance(found, Quantity) else None

    def equivalent(self, answer: str, reference: str) -> bool | None:
        """Whether two texts are the same number; None where either is none or nobody can tell."""
        found, wanted = self.read(answer), self.read_reference(reference)
        if found is None or wanted is None:
            return None
        difference = self.difference(found, wanted)
        return None if difference in UNTOLD else difference is None

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
        is_settled = True
        if found.words or wanted.words or found.unit or wanted.unit or a.currency or b.currency:
            ours, theirs = _measured(found, wanted), _measured(wanted, found)
            if ours and theirs:
                same = alike(value, ours, target, theirs)
                if same is None:
                    return "other currency" if a.currency and b.currency else "other unit"
                value, target, is_settled = same
            elif found.words and not theirs and not wanted.words <= found.words:
                if not ours:
                    return "other unit"
                is_settled = False
        if a.percent or b.percent:
            if self.percent == "same" and a.percent != b.percent:
                return "percent on one side"
            if self.percent == "hundredth":
                value = Fraction(value, 100) if a.percent else value
                target = Fraction(target, 100) if b.percent else target
        equal = None if is_settled else UNSETTLED
        if value == target:
            return equal
        if not (self.rel_tol or self.abs_tol):
            return "different"
        within = abs(value - target) <= max(self.abs_tol, self.rel_tol * abs(target))
        return equal if within else "different"


def _in_kelvin(one: Quantity, other: Quantity) -> Quantity:
    """300K beside a temperature is one; beside anything else it is 300 thousand."""
    kelvin = read_unit(KELVIN)
    if one.unit != kelvin or one.scale == 1:
        return one
    return one.unscaled if other.unit == kelvin else replace(one, unit=None)


def _measured(quantity: Quantity, other: Quantity) -> Unit | None:
    """The unit of a quantity, a currency's sign among them; pounds are money beside money.

    A rate counts where both have one: $5 a day is not $5 a week.
    """
    currency = quantity.number.currency
    if other.number.currency == "£" and "pound" in quantity.words:
        currency = "£"
    if not currency:
        return quantity.unit
    money = Unit(((currency, 1),), Fraction(1))
    if quantity.unit and other.unit and quantity.unit.dimension != money.dimension:
        return money.times(quantity.unit)
    return money


def _unread(answer: str, found: Unread) -> Verdict:
    said = f"{answer[:200]!r} is no single number"
    if found.reason == NO_NUMERAL:
        return Verdict.unreadable(NO_NUMERAL, said)
    return Verdict.undecided(found.reason, f"{said}: {SAID[found.reason]}", answer.strip())


def _read(text: str, form: NumberForm, number_words: bool) -> Quantity | Unread:
    number = read_number(text, form)
    if number is not None:
        return Quantity(number)
    return quantity_or_reason(figures(text) if number_words else text, form)


def _read_reference(text: str, form: NumberForm, number_words: bool) -> Quantity | Unread:
    found = _read(text, form, number_words)
    if isinstance(found, Quantity):
        return found
    plainly = _read(text, NumberForm(), number_words)
    return plainly if isinstance(plainly, Quantity) else found


@lru_cache(maxsize=4096)
def _reference(text: str, form: NumberForm, number_words: bool) -> Quantity:
    found = _read_reference(text, form, number_words)
    if isinstance(found, Unread):
        raise ValueError(f"the reference {text!r} is no single number ({found.reason})")
    return found


def _tolerance(name: str, given: Any) -> Fraction:
    try:
        value = Fraction(str(given)) if not isinstance(given, bool | Fraction) else Fraction(given)
    except (ValueError, ZeroDivisionError):
        value = Fraction(-1)
    if value < 0 or isinstance(given, bool):
        raise ValueError(f"{name} must be a number of 0 or more, such as 1e-6, got {given!r}")
    return value
