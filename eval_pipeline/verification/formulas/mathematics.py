"""`math@2`: whether two mathematical answers mean the same.

Both are read whole, by one reader (`formulas`): what is not understood is never passed over, and
then nothing is judged. Most is settled here, by exact normal forms and by values that set two
formulas apart (engine `exact`); what they leave open goes to sympy, in children that live as long
as this process and work within a limit of CPU (engine `sympy`).
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

from eval_pipeline.verification.bounded import Stopped, shared
from eval_pipeline.verification.formulas.comparison import StatementComparison
from eval_pipeline.verification.formulas.dress import bare, side
from eval_pipeline.verification.formulas.moments import read_date, read_time
from eval_pipeline.verification.formulas.quantities import read_measure
from eval_pipeline.verification.formulas.statements import Statement, read_statement
from eval_pipeline.verification.formulas.terms import Term, UnreadError, wired
from eval_pipeline.verification.numbers.numeric import Numeric
from eval_pipeline.verification.patterns import stopped
from eval_pipeline.verification.verdict import Item, Verdict

EXACT, SYMBOLIC = "exact", "sympy"
LISTS = ("any_order", "in_order")
Pair = tuple[Term, Term]


class UntoldError(ValueError):
    """Nobody can tell whether two answers are the same; the message is one word."""


@dataclass(frozen=True)
class Mathematics(Numeric):
    """1 where answer and reference mean the same mathematics, 0 where they do not.

    Options: those of numeric@2; `cpu_seconds`, what one formula may cost (5 unless declared): one
    that costs more has the status timeout and is never counted as wrong in silence; `lists`,
    whether a list without brackets holds the same in any order (`any_order`, the default) or only
    `in_order`. `x = 5` is 5, 3:2 is 3/2, an inequality is its interval, an equation any multiple of
    it; dates, times of day and numerals of another base (101_2) are compared as such. What is not
    understood, or can neither be proved nor refuted, is undecided. Proofs need the extra `math`.
    """

    thousands: str = ", '"
    number_words: bool = True
    cpu_seconds: float = 5.0
    lists: str = "any_order"

    def __post_init__(self) -> None:
        super().__post_init__()
        seconds = self.cpu_seconds
        if isinstance(seconds, bool) or not isinstance(seconds, int | float) or not seconds > 0:
            raise ValueError(f"cpu_seconds must be a number above 0, got {seconds!r}")
        if self.lists not in LISTS:
            raise ValueError(f"lists must be one of {LISTS}, got {self.lists!r}")

    def check(self, item: Item) -> None:
        if not item.reference.strip():
            raise ValueError(f"item {item.item_id!r}: its answer is empty; mend items.jsonl")
        fault = _unread(side(item.reference), self)
        if fault is not None:
            raise ValueError(
                f"item {item.item_id!r}: its answer {item.reference[:200]!r} cannot be read as "
                f"mathematics: {fault}; mend items.jsonl"
            )

    def verify_all(self, answers: Sequence[tuple[Item, str]], workers: int) -> list[Verdict]:
        judged = {
            (answer, item.reference): _Judged(self, answer, item.reference)
            for item, answer in answers
        }
        asked = dict.fromkeys(pair for one in judged.values() for pair in one.open)
        if asked:
            said = shared(workers).ask_all(
                [{"task": "terms", "answer": wired(a), "reference": wired(b)} for a, b in asked],
                self.cpu_seconds,
                workers,
            )
            asked = dict(zip(asked, said, strict=True))
        verdicts = {pair: one.verdict(asked) for pair, one in judged.items()}
        return [verdicts[answer, item.reference] for item, answer in answers]

    def equal(self, said: str, wanted: str) -> bool | None:
        """Whether two texts mean the same; None where that cannot be told in this process.

        Raises UntoldError where nobody can.
        """
        judged = _Judged(self, said, wanted)
        if judged.equal is None and not judged.open:
            raise UntoldError(judged.why)
        return judged.equal


class _Judged:
    """One comparison: what it says at once, and which pairs of terms it leaves open."""

    def __init__(self, form: Mathematics, answer: str, reference: str) -> None:
        self.form = form
        self.answer = answer
        self.reference = reference
        self.sides = side(answer), side(reference)
        self.open: dict[Pair, Any] = {}
        self.why = "not_told"
        self.said = ""
        self.is_reference_unread = False
        self.equal = self.compared({})

    def compared(self, known: dict[Pair, Any]) -> bool | None:
        """True, False or None, with what a child has said of pairs so far."""
        said, wanted = self.sides
        if said.split() == wanted.split() and said:
            return True
        for settled in (_moments, _in_bases):
            try:
                found = settled(said, wanted)
            except UntoldError as untold:
                self.why = str(untold)
                return None
            if found is not None:
                return found
        found = self.by_form(self.form, said, wanted, known)
        if found is False and any(map(_MAY_GROUP.search, self.sides)):
            apart = replace(self.form, thousands=self.form.thousands.replace(",", ""))
            if self.by_form(apart, said, wanted, known):
                self.why = "thousands_or_list"
                return None
        if found is False and any(map(_LENGTH_OF.search, self.sides)):
            said, wanted = (_LENGTH_OF.sub(r"\1", text) for text in self.sides)
            if self.by_form(self.form, said, wanted, known):
                self.why = "length_or_absolute_value"
                return None
        if found and _is_of_other_power(self.sides, self.form):
            self.why = "unit_on_one_side"
            return None
        return found

    def by_form(
        self, form: Mathematics, said: str, wanted: str, known: dict[Pair, Any]
    ) -> bool | None:
        statements: list[Statement] = []
        for text in (wanted, said):
            read = _read(text, form)
            if isinstance(read, UnreadError):
                self.why, self.said = read.detail, str(read)
                self.is_reference_unread = text == wanted
                return None
            statements.append(read)

        def oracle(a: Term, b: Term) -> bool | None:
            if (a, b) in known:
                found = known[a, b]
                return None if isinstance(found, Stopped) else found
            self.open[a, b] = None
            return None

        comparison = StatementComparison(form, oracle, form.lists == "in_order")
        try:
            found = comparison.same(statements[1], statements[0])
        except UnreadError as unread:
            self.why, self.said = unread.detail, str(unread)
            return None
        if found is None:
            self.why = comparison.why[0] if comparison.why else "not_told"
        return found

    def verdict(self, known: dict[Pair, Any]) -> Verdict:
        engine = EXACT
        equal = self.equal
        shown = f"{self.answer.strip()[:200]!r}"
        if equal is None and self.open:
            engine = SYMBOLIC
            equal = self.compared(known)
            if equal is None:
                ended = [known[pair] for pair in self.open if isinstance(known[pair], Stopped)]
                if ended:
                    found = stopped(ended[0], "the comparison of formulas", self.answer)
                    return replace(found, engine=SYMBOLIC)
        if equal is None:
            return replace(self.untold(shown), engine=engine)
        relation = "equals" if equal else "differs from"
        how = "exactly" if engine == EXACT else "by symbolic work"
        explanation = f"{shown} {relation} {self.reference[:200]!r} {how}"
        return Verdict.judged(float(equal), self.answer.strip(), explanation, engine)

    def untold(self, shown: str) -> Verdict:
        if self.is_reference_unread:
            explanation = f"the reference {self.reference[:200]!r} cannot be read: {self.said}"
            return Verdict("infra_error", None, self.answer, explanation, "unread_reference")
        if self.said:
            explanation = f"{shown} cannot be read as mathematics: {self.said}"
        else:
            explanation = f"whether {shown} is {self.reference[:200]!r} cannot be told: {self.why}"
        return Verdict.undecided(self.why, explanation, self.answer.strip()[:2000])


@lru_cache(maxsize=8192)
def _read(text: str, form: Mathematics) -> Statement | UnreadError:
    try:
        return read_statement(text, form)
    except UnreadError as unread:
        return unread


def _unread(text: str, form: Mathematics) -> UnreadError | None:
    """Why a text cannot be read at all, or None."""
    if read_date(bare(text)) or read_time(bare(text)) or _base_of(text) is not None:
        return None
    read = _read(text, form)
    return read if isinstance(read, UnreadError) else None


def _is_of_other_power(sides: Sequence[str], form: Mathematics) -> bool:
    """Whether one side is in square or cubic units, and the other's unit is none of those."""
    for text, other in (sides, sides[::-1]):
        if (unnamed := _UNNAMED.search(text)) and not _UNNAMED.search(other):
            power = 3 if unnamed["of"].startswith("cu") else 2
            unit = read_measure(other, form).unit
            if unit and unit.dimension != (("m", power),):
                return True
    return False


_UNNAMED = re.compile(r"\b(?P<of>square|sq\.?|cubic|cu\.?)\s+units?\b")
_LENGTH_OF = re.compile(r"\|\s?(?:\\overline\s?\{\s?)?([A-Z]{2})(?:\s?\})?\s?\|")  # |AB|
_MAY_GROUP = re.compile(r"\d,\d{3}(?!\d)")
_RATIO = re.compile(r"\s*(\d{1,18})\s*:\s*([1-9]\d{0,17})\s*")
_BASED = re.compile(r"\s*([0-9A-Za-z]{1,60})(?:_\{?(\d{1,2})\}?)?\s*")


def _moments(said: str, wanted: str) -> bool | None:
    """As `equal`, of dates and times; a date is never a difference of numbers."""
    dates = [read_date(bare(text)) for text in (said, wanted)]
    if dates[0] or dates[1]:
        return bool(dates[0] and dates[1] and dates[0].same(dates[1]))
    times = [read_time(bare(text)) for text in (said, wanted)]
    if times[0] is None or times[1] is None:
        return None
    if times[0].same(times[1]):
        return True
    ratios = [_RATIO.fullmatch(text) for text in (said, wanted)]
    if all(ratios):
        (a, b), (c, d) = ((int(found[1]), int(found[2])) for found in ratios if found)
        if a * d == b * c:
            raise UntoldError("ratio_or_time")
    return False


def _base_of(text: str) -> int | None:
    """The value of a numeral that names its base: 101_2."""
    found = _BASED.fullmatch(_base_in_digits(text))
    if found is None or not found[2] or not _is_numeral(found[1]):
        return None
    try:
        return int(found[1], int(found[2]))
    except ValueError:  # a digit that the base does not have
        return None


def _base_in_digits(text: str) -> str:
    r"""101_{\text{two}}, (101)_2 and \text{101}_2 as 101_2."""
    if "_" not in text:
        return text
    text = re.sub(r"\\(?:text|mathrm)\s*\{\s*([\w()]+)\s*\}|\\,|\\!", r"\1", text)
    number, _, base = text.partition("_")
    if found := _IN_BRACKETS.fullmatch(number):
        number = found[1]
    base = base.strip("{}() ")
    return f"{number}_{{{_BASES.get(base.casefold(), base)}}}"


_IN_BRACKETS = re.compile(r"\s*\(\s*([0-9A-Fa-f]{1,60})\s*\)\s*")
_BASES = {"two": "2", "three": "3", "four": "4", "five": "5", "six": "6", "seven": "7",
          "eight": "8", "nine": "9", "ten": "10", "twelve": "12", "sixteen": "16"}  # fmt: skip


def _is_numeral(text: str) -> bool:
    """Whether a text has the form of a numeral: with a digit, or of capitals (FF)."""
    return any(map(str.isdigit, text)) or (len(text) > 1 and text.isupper())


def _in_bases(said: str, wanted: str) -> bool | None:
    """As `equal`, of numerals of which one at least names its base: 101_2."""
    found = [_BASED.fullmatch(_base_in_digits(text)) for text in (said, wanted)]
    if not found[0] or not found[1] or not (found[0][2] or found[1][2]):
        return None
    if not all(one is not None and _is_numeral(one[1]) for one in found):  # a_{12} is a name
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
