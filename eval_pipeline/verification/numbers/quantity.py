"""A short text read as one number with what it counts, or the reason why it is none."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from eval_pipeline.verification.numbers.arithmetic import value_of
from eval_pipeline.verification.numbers.numerals import (
    Number,
    NumberForm,
    find_numerals,
    plain,
    read_number,
)
from eval_pipeline.verification.numbers.scale import KELVIN, is_factor
from eval_pipeline.verification.numbers.sides import operands_before
from eval_pipeline.verification.numbers.surroundings import surroundings
from eval_pipeline.verification.numbers.units import Unit, read_unit

NO_NUMERAL = "not_a_number"
SAID = {  # reasons, and what each says was not read
    "bound": "it is a bound and no value",
    "dash": "a dash before it may be a sign",
    "equation": "the other side of its equation is a formula",
    "formula": "it stands within a formula",
    "letters": "letters at its digits are no unit",
    "modulus": "it stands between bars",
    "multiplier": "a word beside it multiplies it",
    "name": "its digits belong to a name",
    "negation": "it is denied",
    "operation": "an operation beside it was not computed",
    "percent_before": "a percent sign stands before it",
    "relation": "it stands beside a relation",
    "several_numbers": "there are several",
    "sign": "it has two signs",
    "variable": "a variable stands beside it",
}


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
class Unread:
    """Why a text is no single number: one word, and what stands in the way."""

    reason: str


def read_quantity(text: str, form: NumberForm) -> Quantity | None:
    """The one number of a short text, with what it counts; None for no number or several.

    A number within mathematics (\\sqrt{2}, 2\\pi, x/2, 3x, 5!, +-5) is not the whole answer: None.
    Parts of one measure (1 hour 30 minutes) are one number, in the unit of the last.
    """
    found = quantity_or_reason(text, form)
    return found if isinstance(found, Quantity) else None


def quantity_or_reason(text: str, form: NumberForm) -> Quantity | Unread:
    """As `read_quantity`, with the reason where it is None."""
    text = plain(text).strip().strip("*`_ ")
    number = read_number(text.rstrip(".").rstrip(), form)
    if number is not None:
        return Quantity(number)
    text = in_brackets(text)
    places = find_numerals(text, form)
    if not places:
        return Unread(NO_NUMERAL)
    if len(places) == 1:
        return _alone(text, *places[0], form)
    return (
        _measured_in_parts(text, places, form)
        or _with_an_aside(text, form)
        or _worked_out(text, form)
        or Unread("several_numbers")
    )


def has_formula(text: str, at: int) -> bool:
    """Whether a power of a name stands behind a place (14 birds, so k^2), and is no unit."""
    power = _POWER.search(text, at)
    return power is not None and read_unit(power[1]) is None


def in_brackets(text: str) -> str:
    r"""The text with the dollar signs of formulas as \( and \): those are no money."""
    return _FORMULA.sub(r"\\(\1\\)", text) if text.count("$") > 1 else text


def _alone(text: str, start: int, end: int, form: NumberForm) -> Quantity | Unread:
    number = read_number(text[start:end], form)
    if number is None:
        return Unread(NO_NUMERAL)
    beside = surroundings(text, start, end)
    before, after = text[: beside.start], text[beside.end :]
    if beside.fault or _COMMAND.search(before + " " + after) or has_formula(text, end):
        return Unread(beside.fault or "formula")
    said = _WORD.findall(_WRAPPING.sub(" ", text[beside.factor.end :]).casefold())
    if any(map(is_factor, said)):
        return Unread("multiplier")
    factor = beside.factor
    is_kelvin = factor.value != 1 and text[factor.end - 1] == KELVIN
    if factor.end > end or beside.sign < 0:
        number = replace(
            number,
            value=factor.value * beside.sign * number.value,
            percent=number.percent or factor.is_percent,
        )
    unit = read_unit(KELVIN) if is_kelvin else beside.unit
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


def _with_an_aside(text: str, form: NumberForm) -> Quantity | None:
    """9 of `9 jars (4 honey and 5 jam)`: what stands in brackets must come to the same."""
    match = _ASIDE.fullmatch(text)
    if match is None or len(find_numerals(match[1], form)) != 1:
        return None
    said = quantity_or_reason(match[1], form)
    if isinstance(said, Quantity) and comes_to(match[2], Fraction(said.number.value), form):
        return said
    return None


def comes_to(aside: str, value: Fraction, form: NumberForm, summed: bool = True) -> bool:
    """Whether an aside repeats a value, works it out, or has parts that add up to it."""
    inside = _INTRODUCED.sub("", aside, count=1)
    if value_of(inside) == value:
        return True
    places = find_numerals(inside, form)
    if len(places) == 1:
        same = quantity_or_reason(inside, form)
        return isinstance(same, Quantity) and same.number.value == value
    if not summed or not _BREAKDOWN.fullmatch(inside):
        return False
    parts = [read_number(inside[start:end], form) for start, end in places]
    return len(parts) > 1 and sum(Fraction(p.value) if p else Fraction(0) for p in parts) == value


def _worked_out(text: str, form: NumberForm) -> Quantity | None:
    """24 of `He sold 48/2 = 24 clips`: each side that has numbers must come to the last."""
    *sides, said = text.split("=")
    if not sides or len(sides) > _MOST_SIDES or len(find_numerals(said, form)) != 1:
        return None
    read = quantity_or_reason(said, form)
    if not isinstance(read, Quantity) or read.scale != 1 or read.number.percent:
        return None
    for side in sides:
        side = _MONEY.sub("", side)
        if "," in form.thousands:
            side = _GROUPED.sub("", side)
        begun = operands_before(side, len(side))
        if _NAMED_VALUE.fullmatch(side, begun) and not any(map(str.isdigit, side[:begun])):
            continue
        work = _PRODUCT.sub("*", _WRAPPING_BUT_ROUND.sub(" ", _unopened(side[begun:])))
        is_same = value_of(work) == read.number.value
        if not is_same and any(sign.isdigit() for sign in side):
            return None
        if is_same and any(sign.isdigit() for sign in side[:begun]):
            return None
    return read


def _unopened(side: str) -> str:
    """A side without a bracket of a formula or a label that closes only behind it."""
    while side.startswith("(") and side.count("(") > side.count(")"):
        side = side[1:]
    return side


_MOST_SIDES = 5
_MONEY = re.compile(r"[$€£¥₹](?=\s?\d)")
_GROUPED = re.compile(r"(?<=\d),(?=\d{3}(?!\d))")
# f(3), S_{10}: what has a value, and no work that comes to it
_NAMED_VALUE = re.compile(r"[\s(]{0,3}[A-Za-z](?:_\{?\d{1,6}\}?|\(\d{1,6}\))\s{0,3}")
_POWER = re.compile(r"(?<![^\W\d_])([^\W\d_]{1,20}\^-?\d)")
_FORMULA = re.compile(r"\${1,2}(?=[^\s$])([^$\n]{1,200}?)(?<=[^\s$])\${1,2}(?!\d)")
_COMMAND = re.compile(  # a LaTeX command that is more than dress
    r"\\(?!(?:boxed|fbox|displaystyle|[Ll]arge|LARGE|[Hh]uge|bigg?|Bigg?|quad|qquad|ldots|dots|therefore|approx|centerdot|implies|to|blacksquare|square|qed"
    r"|[Rr]ightarrow|boldsymbol|bm|bf|textsf|texttt|mathsf)(?![A-Za-z]))"
    r"[A-Za-z]+"
)
_WRAPPING = re.compile(r"\\[A-Za-z]+|[\\{}$`()\[\]]|(?<![\w°])\*+|\*+(?!\w)")
_WRAPPING_BUT_ROUND = re.compile(r"[\\{}$`\[\]]")
_PRODUCT = re.compile(r"(?<=[\d)])\s?x\s?(?=[\d(])")
_JOINED = re.compile(r"\s*[,;.]?\s*(?:\b(?:and|und|et|y|e|и)\b)?\s*$")
_ASIDE = re.compile(r"([^()]{1,200})(?<=\s)\(([^()]{1,200})\)[\s.!*]{0,9}")
_INTRODUCED = re.compile(
    r"\s{0,9}(?:check|because|since|as|that is|i\.e\.,?|so|namely|or|=|:|from|being)?[\s:=]{0,9}"
)
_BREAKDOWN = re.compile(r"[^<>≤≥≠±|^√*/=%-]*")
_WORD = re.compile(r"[^\W\d_]+")
_FILLER_WORDS = """
a an and are as at altogether answer because by each every for from has have here in is it its left
long of on or per s so that the then there they this thus to total was we were which with
"""
_FILLERS = frozenset(_FILLER_WORDS.split())


def _singular(word: str) -> str:
    return word[:-1] if len(word) > 3 and word.endswith("s") else word
