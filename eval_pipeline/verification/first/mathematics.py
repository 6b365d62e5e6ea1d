"""`math@1`: whether two mathematical answers mean the same.

What can be settled exactly is settled here, in rational arithmetic: numbers, constants, sets,
tuples, intervals and words (engine `exact`). Only what is left, formulas with symbols, roots and
functions, goes to math-verify, in a child process with a limit of CPU (engine `sympy`).
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from eval_pipeline.verification.bounded import Request, Stopped, children
from eval_pipeline.verification.first.arithmetic import value_of
from eval_pipeline.verification.first.dress import (
    as_formula,
    bare,
    measured,
    scaled,
    side,
    unnamed,
    words_of,
)
from eval_pipeline.verification.first.elements import Listing, read_listing
from eval_pipeline.verification.first.listing import Interval, read_ranges
from eval_pipeline.verification.first.numeric import ONE_SIDED, Numeric
from eval_pipeline.verification.formulas.moments import read_date, read_time
from eval_pipeline.verification.patterns import stopped
from eval_pipeline.verification.verdict import Item, Verdict

EXACT, SYMBOLIC = "exact", "sympy"
MAX_FORMULA = 2000  # characters that are handed on; a longer answer is no formula


class UntoldError(ValueError):
    """Nobody can tell whether two answers are the same; the message is one word."""


@dataclass(frozen=True)
class Mathematics(Numeric):
    """1 where answer and reference mean the same mathematics, 0 where they do not.

    Options: those of numeric@1; `cpu_seconds`, what one formula may cost (5 unless declared): one
    that costs more has the status timeout and is never counted as wrong in silence. `x = 5` is 5,
    and 3:2 is 3/2; dates, times of day and numerals of another base (101_2) are compared as such.
    Where nobody can tell, nothing is judged. Formulas need the extra `math`.
    """

    thousands: str = ", '"
    number_words: bool = True
    cpu_seconds: float = 5.0

    def __post_init__(self) -> None:
        super().__post_init__()
        seconds = self.cpu_seconds
        if isinstance(seconds, bool) or not isinstance(seconds, int | float) or not seconds > 0:
            raise ValueError(f"cpu_seconds must be a number above 0, got {seconds!r}")

    def check(self, item: Item) -> None:
        if not item.reference.strip():
            raise ValueError(f"item {item.item_id!r}: its answer is empty; mend items.jsonl")

    def verify_all(self, answers: Sequence[tuple[Item, str]], workers: int) -> list[Verdict]:
        verdicts = [self._exactly(answer, item.reference) for item, answer in answers]
        formulas: dict[tuple[str, str], Any] = {
            (answer, item.reference): None
            for (item, answer), verdict in zip(answers, verdicts, strict=True)
            if verdict is None
        }
        if formulas:
            with children(workers) as pool:
                said = pool.ask_all([_request(*pair) for pair in formulas], self.cpu_seconds)
            formulas = dict(zip(formulas, said, strict=True))
        return [
            verdict or _symbolic(answer, item.reference, formulas[answer, item.reference])
            for (item, answer), verdict in zip(answers, verdicts, strict=True)
        ]

    def equal(self, said: str, wanted: str) -> bool | None:
        """Whether two texts mean the same; None where exact arithmetic cannot tell.

        Raises UntoldError where nobody can.
        """
        said, wanted = unnamed(side(said), side(wanted))
        if said == wanted:
            return True
        for settled in (_moments, _in_bases, self._numbers):
            found = settled(said, wanted)
            if found is not None:
                return found
        if _says_interval(said) or _says_interval(wanted):
            form = Interval(self.thousands, self.decimal)
            ranges = read_ranges(said, form), read_ranges(wanted, form)
            if None not in ranges:
                return ranges[0] == ranges[1]
        a, b = (self._listing(text) for text in (said, wanted))
        is_matrix = any("\\begin" in text for text in (said, wanted))
        if a and b and not is_matrix and (_is_several(a) or _is_several(b)):
            return self._several(a, b)
        if _is_words(said) and _is_words(wanted):
            return _words(said) == _words(wanted)
        units = measured(said).unit, measured(wanted).unit
        if units[0] and units[1] and units[0].dimension != units[1].dimension:
            return False
        return None

    def _listing(self, text: str) -> Listing | None:
        return read_listing(text, "," in self.thousands, self.decimal == ",")

    def _numbers(self, said: str, wanted: str) -> bool | None:
        """As `equal`, of two numbers or constants; None where either is none."""
        found, reference = self.read(_ratio(said)), self.read(_ratio(wanted))
        if found and reference:
            difference = self.difference(found, reference)
            if difference == ONE_SIDED:
                raise UntoldError("scale_on_one_side")
            return difference is None
        values = [value_of(text) for text in (said, wanted)]
        for i, quantity in enumerate((found, reference)):
            if (
                quantity
                and values[i] is None
                and not quantity.words
                and not quantity.number.percent
            ):
                values[i] = value_of(str(quantity.number.value))
        a, b = values
        if a is None or b is None:
            return None
        return a == b or abs(a - b) <= max(self.abs_tol, self.rel_tol * abs(b))

    def _several(self, a: Listing, b: Listing) -> bool | None:
        kinds = [_kind(one) for one in (a, b)]
        if kinds[0] != kinds[1] and "bare" not in kinds:
            return False if {*kinds} == {"set", "tuple"} else None
        if "set" not in kinds and "tuple" not in kinds:  # two lists without brackets: any order
            kinds = ["set", "set"]
        if "tuple" in kinds:
            if len(a.parts) != len(b.parts):
                return False
            return _all(self.equal(x, y) for x, y in zip(a.parts, b.parts, strict=True))
        return _same_elements(self, a.parts, b.parts)

    def _exactly(self, answer: str, reference: str) -> Verdict | None:
        try:
            equal = self.equal(answer, reference)
        except UntoldError as untold:
            said = f"whether {answer.strip()[:200]!r} is {reference[:200]!r} cannot be told"
            return replace(Verdict.unreadable(str(untold), said, answer.strip()), engine=EXACT)
        if equal is None:
            if len(answer) <= MAX_FORMULA:
                return None
            said = f"an answer of {len(answer)} characters is no formula"
            return Verdict.unreadable("too_long", said, answer[:MAX_FORMULA])
        relation = "equals" if equal else "differs from"
        explanation = f"{answer.strip()[:200]!r} {relation} {reference[:200]!r} exactly"
        return Verdict.judged(float(equal), answer.strip(), explanation, EXACT)


def _request(answer: str, reference: str) -> Request:
    """Both as formulas, in one unit where both have one."""
    said, wanted = unnamed(side(answer), side(reference))
    ours, theirs = measured(said), measured(wanted)
    factors = [Fraction(1), Fraction(1)]
    if ours.unit and theirs.unit:
        factors = [ours.unit.factor, theirs.unit.factor]
    return {
        "task": "formulas",
        "answer": scaled(as_formula(ours.formula, theirs.formula), factors[0]),
        "reference": scaled(as_formula(theirs.formula, ours.formula), factors[1]),
    }


def _symbolic(answer: str, reference: str, said: Any) -> Verdict:
    if isinstance(said, Stopped):
        found = stopped(said, "the comparison of formulas", answer)
        return replace(found, engine=SYMBOLIC)
    if said["equal"] is None:
        if said["unread"] == "reference":
            explanation = f"the reference {reference[:200]!r} cannot be read as a formula"
            return Verdict(
                "infra_error", None, answer, explanation, "unread_reference", engine=SYMBOLIC
            )
        explanation = f"{answer[:200]!r} cannot be read as mathematics"
        if "why" in said:
            explanation += f": {said['why']}"
        found = Verdict.unreadable("not_mathematics", explanation, answer)
        return replace(found, engine=SYMBOLIC)
    if said["equal"] and _MISREAD.search(answer) and not _MISREAD.search(reference):
        explanation = f"{answer[:200]!r} cannot be read as one formula"
        return replace(Verdict.unreadable("not_mathematics", explanation, answer), engine=SYMBOLIC)
    if not said["equal"] and (words := words_of(answer) - words_of(reference)):
        explanation = f"{answer[:200]!r} has words beside its formula ({', '.join(sorted(words))})"
        found = Verdict.unreadable("words_in_formula", explanation, answer.strip())
        return replace(found, engine=SYMBOLIC)
    relation = "equals" if said["equal"] else "differs from"
    explanation = (
        f"{answer.strip()[:200]!r}, read as {said['read']}, {relation} {reference[:200]!r}"
    )
    return Verdict.judged(float(said["equal"]), answer.strip(), explanation, SYMBOLIC)


# what the reader of formulas adds up or passes over: two numbers side by side, an index, a prime
_MISREAD = re.compile(
    r"(?<![\w.,/}])\d+(?:\.\d+)?(?:\s|~|\\[ ,;:]|\\q?quad(?![A-Za-z]))+\d+(?:\.\d+)?(?!\s*/|[\w.])"
    r"|\d_\{?\d|\w['′]|\\prime"
)
_RATIO = re.compile(r"\s*(\d{1,18})\s*:\s*([1-9]\d{0,17})\s*")
_BASED = re.compile(r"\s*([0-9A-Za-z]{1,60})(?:_\{?(\d{1,2})\}?)?\s*")
_WORDS = re.compile(r"[^\W\d_]{2,}(?:[\s'’,.-]+[^\W\d_]+)*")


def _moments(said: str, wanted: str) -> bool | None:
    """As `equal`, of dates and times; a date is never a difference of numbers."""
    dates = [read_date(bare(text)) for text in (said, wanted)]
    if dates[0] or dates[1]:
        return bool(dates[0] and dates[1] and dates[0].same(dates[1]))
    times = [read_time(bare(text)) for text in (said, wanted)]
    if times[0] is None or times[1] is None:
        return None
    ratios = [_ratio(text) for text in (said, wanted)]
    if times[0].same(times[1]):
        return True
    if all(map(_RATIO.fullmatch, (said, wanted))) and value_of(ratios[0]) == value_of(ratios[1]):
        raise UntoldError("ratio_or_time")
    return False


def _in_bases(said: str, wanted: str) -> bool | None:
    """As `equal`, of numerals of which one at least names its base: 101_2."""
    found = [_BASED.fullmatch(text) for text in (said, wanted)]
    if not found[0] or not found[1] or not (found[0][2] or found[1][2]):
        return None
    try:
        values = [int(one[1], int(one[2] or 10)) for one in found if one]
    except ValueError:  # x_1, or a digit that the base does not have
        return None
    if found[0][2] and found[1][2]:
        return values[0] == values[1]
    if found[0][1] == found[1][1]:  # the base that was asked for is left out
        return True
    if values[0] == values[1]:
        raise UntoldError("base_on_one_side")
    return False


def _ratio(text: str) -> str:
    found = _RATIO.fullmatch(text)
    return f"{found[1]}/{found[2]}" if found else text


def _is_several(one: Listing) -> bool:
    return len(one.parts) > 1 or one.brackets in ("{}", "[]")


def _kind(one: Listing) -> str:
    if one.brackets == "{}":
        return "set"
    return "bare" if not one.brackets else "tuple" if one.brackets in ("()", "[]") else "interval"


def _says_interval(text: str) -> bool:
    return any(sign in text for sign in "[]<>≤≥∞∪") or any(
        command in text for command in ("\\infty", "\\cup", "\\le", "\\ge", "\\lt", "\\gt")
    )


def _all(said: Any) -> bool | None:
    """Whether all are equal; False where one is not, None where one cannot be told."""
    results = list(said)
    return False if False in results else None if None in results else True


def _same_elements(form: Mathematics, a: Sequence[str], b: Sequence[str]) -> bool | None:
    """Whether each element of one equals one of the other; None where a formula must decide."""
    unsure = False
    for parts, others in ((a, b), (b, a)):
        for part in parts:
            results = [form.equal(part, other) for other in others]
            if True not in results:
                if None not in results:
                    return False
                unsure = True
    return None if unsure else True


def _is_words(text: str) -> bool:
    return _WORDS.fullmatch(bare(text)) is not None


def _words(text: str) -> str:
    return " ".join(re.findall(r"[^\W_]+", bare(text).casefold()))
