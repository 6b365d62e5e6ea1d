"""`last_number@2`: the last number of a reply, with all that changes its value."""

import re
from dataclasses import dataclass, field
from fractions import Fraction

from eval_pipeline.verification.extractions.stop_words import stop_pattern
from eval_pipeline.verification.numbers.joined import is_half_of
from eval_pipeline.verification.numbers.numerals import (
    NumberForm,
    find_numerals,
    plain,
    read_number,
)
from eval_pipeline.verification.numbers.quantity import (
    Quantity,
    comes_to,
    has_formula,
    in_brackets,
    quantity_or_reason,
)
from eval_pipeline.verification.numbers.surroundings import Surroundings, surroundings
from eval_pipeline.verification.numbers.units import unit_after
from eval_pipeline.verification.verdict import EMPTY, Found, Item

_SPACED = re.compile(r"(?<![\w.,])\d{1,3}(?: \d{3})* $")  # groups of digits before the last one
_GROUP = re.compile(r"\d{3}(?:[.,]\d+)?")
_QUOTED = re.compile(r"^[ \t]{0,9}>+[ \t]?", re.MULTILINE)
_DIGIT_OF_LINE = re.compile(r"\d[^\n]*\Z")
_ASIDE = re.compile(r"\s{0,3}(?:[^\W\d_]{1,30}\s{1,3}){0,4}(?<=\s)\(([^()\n]{1,200})\)[\s.!*]{0,9}")
# between the parts of one measure, after a unit
_PARTED = re.compile(r"\.?[ \t]{0,3}(?:,[ \t]{0,3})?(?:(?:and|und|et|y|e|и)[ \t]{1,3})?")
_ENDS = re.compile(r"[.!?*_`]{0,6}\s*+(?:\n|\Z)")
AMBIGUOUS = Found(None, "ambiguous_number")


@dataclass(frozen=True)
class LastNumber:
    """`last_number@2`: the last numeral of the reply, with all beside it that changes its value.

    A sign, also apart from the digits, a factor in words and a unit belong to it: negative 5,
    1.2 million, 7 kg. Where a relation, an operation, a negation or a variable stands beside it,
    that is given with it, and a verifier sees it. Digits within a word (x2, H2O, 2nd) are no
    number. Options: `thousands` and `decimal` as for numeric@2; `stop`, as for answer_line@2, but
    none unless declared. A last numeral that cannot be read (1.234,5 or 10 000 where such a
    separator is not declared), that is half of something (3-5, 2024-05-03, 75 out of 100, 4 or 5),
    or that begins a line after a dash where nothing else does, is a failure: neither a piece of it
    nor an earlier one is taken. A bracket behind a number that repeats it or works it out is no
    other number, and the parts of one measure (1 hour 30 minutes) are one.
    """

    thousands: str = ""
    decimal: str = "."
    stop: tuple[str, ...] = ()
    form: NumberForm = field(init=False)
    _stop: re.Pattern[str] | None = field(init=False, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "form", NumberForm(self.thousands, self.decimal))
        object.__setattr__(self, "_stop", stop_pattern(self.stop))

    def extract(self, reply: str, item: Item) -> Found:
        if not reply.strip():
            return EMPTY
        text = _without_quotation(in_brackets(plain(reply)))
        places, is_stopped = self._places(text)
        if not places:
            return Found(None, "no_number")
        found = self._last(text, places)
        if isinstance(found, Found):
            return found
        return Found(found, "truncated_runon" if is_stopped else None)

    def _places(self, text: str) -> tuple[list[tuple[int, int]], bool]:
        """The last numerals, and whether a word of `stop` ended the search."""
        if self._stop is None:
            return last_numerals(text, self.form), False
        places = find_numerals(text, self.form)
        stop = self._stop.search(text, places[0][1]) if places else None
        if stop is None:
            return places, False
        return [place for place in places if place[1] <= stop.start()], True

    def _last(self, text: str, places: list[tuple[int, int]]) -> str | Found:
        start, end = places[-1]
        undeclared = " " not in self.thousands and _SPACED.search(text[max(0, start - 40) : start])
        if read_number(text[start:end], self.form) is None or (
            undeclared and _GROUP.fullmatch(text, start, end)
        ):
            return AMBIGUOUS
        beside = surroundings(text, start, end)
        if len(places) > 1:
            if (measured := _in_parts(text, places, self.form)) is not None:
                return measured
            if is_half_of(text, places[-2], start, beside.end):
                return AMBIGUOUS
            settled = self._before_an_aside(text, places)
            if settled is not None:
                return settled
        if beside.fault:
            return _balanced(text, beside.start, beside.end)
        if has_formula(text, end):
            return AMBIGUOUS
        sign = text[beside.start : start].strip()
        if sign in ("-", "+") and _begins_a_line(text, beside.start):
            if _is_only_dash(text, beside.start):
                return AMBIGUOUS
            beside = surroundings(text[start:], 0, end - start).moved(start)
        return _written(text, start, beside)

    def _before_an_aside(self, text: str, places: list[tuple[int, int]]) -> str | Found | None:
        """The number before a bracket that holds the last one, where it says the same again."""
        opening = text.rfind("(", max(0, places[-1][0] - 200), places[-1][0])
        outside = [place for place in places if place[1] <= opening]
        if not outside:
            return None
        start, end = outside[-1]
        beside = surroundings(text, start, end)
        aside = _ASIDE.match(text, beside.end)
        number = read_number(text[start:end], self.form)
        if aside is None or number is None or beside.fault or beside.end > opening:
            return None
        value = Fraction(number.value) * beside.sign * beside.factor.value
        if comes_to(aside[1], value, self.form, summed=False):
            return _written(text, start, beside)
        return AMBIGUOUS if comes_to(aside[1], value, self.form) else None


def _in_parts(text: str, places: list[tuple[int, int]], form: NumberForm) -> str | Found | None:
    """A measure that the last numerals make together, each of a smaller unit: 1 hour 30 minutes."""
    last = unit_after(text, places[-1][1])
    if last is None:  # 1 h 30
        before = unit_after(text, places[-2][1])
        is_bare = before and _ENDS.match(text, places[-1][1])
        return AMBIGUOUS if before and is_bare and before[1] + 1 == places[-1][0] else None
    begun, unit = len(places) - 1, last[0]
    while begun:
        before = unit_after(text, places[begun - 1][1])
        if before is None or not _PARTED.fullmatch(text, before[1], places[begun][0]):
            break
        if before[0].dimension != unit.dimension or before[0].factor <= unit.factor:
            break
        begun, unit = begun - 1, before[0]
    if begun == len(places) - 1:
        return None
    said = text[places[begun][0] : last[1]]
    read = quantity_or_reason(said, form)
    is_whole = surroundings(text, *places[begun]).start == places[begun][0]
    return said if isinstance(read, Quantity) and read.in_parts and is_whole else AMBIGUOUS


def _written(text: str, start: int, beside: Surroundings) -> str:
    """A number with a sign before it, its factor and its unit, without the dress between."""
    words = text[beside.start : start].strip()
    sign = "-" if beside.sign < 0 and not words[-1:].isalpha() else ""
    before = f"{words} " if words[-1:].isalpha() else sign
    number = text[start : beside.factor.end]
    if beside.unit is None:
        return before + number
    unit = text[beside.factor.end : beside.end].lstrip(" \t*_`$})]({\"'\\")
    return f"{before}{number}{'' if text[beside.factor.end] == unit[0] else ' '}{unit}"


def _balanced(text: str, start: int, end: int) -> str:
    """A formula on one line, with the brackets that close it, and without one that only opens."""
    for opening, closing in ("{}", "()"):
        while text[start:end].count(opening) > text[start:end].count(closing):
            if text[end : end + 1] == closing:
                end += 1
            elif text[start] == opening:
                start += 1
            else:
                break
    return " ".join(text[start:end].split())


def last_numerals(text: str, form: NumberForm) -> list[tuple[int, int]]:
    """The numerals of the last line that has one, and of the line before."""
    end = len(text)
    while end > 0:
        begun = text.rfind("\n", 0, end) + 1
        line = text[begun:end]
        if any(sign.isdigit() for sign in line) and find_numerals(line, form):
            first = text.rfind("\n", 0, max(0, begun - 1)) + 1
            return [(first + a, first + b) for a, b in find_numerals(text[first:end], form)]
        end = begun - 1
    return []


def _without_quotation(text: str) -> str:
    """The text without the marks of a quotation, where all its lines are quoted."""
    if ">" not in text or "\n" not in text:
        return text
    is_quoted = all(_QUOTED.match(line) for line in text.splitlines() if line.strip())
    return _QUOTED.sub("", text) if is_quoted else text


def _begins_a_line(text: str, at: int) -> bool:
    return not text[text.rfind("\n", 0, at) + 1 : at].strip() and text[at + 1 : at + 2].isspace()


def _is_only_dash(text: str, at: int) -> bool:
    """Whether no other line begins with a dash, so that this one may be a sign."""
    return len(re.findall(r"^[ \t]{0,9}[-+*•][ \t]", text, re.MULTILINE)) < 2
