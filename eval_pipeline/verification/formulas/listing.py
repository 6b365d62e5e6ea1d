"""`set@2`, `tuple@2` and `interval@2`: answers of several parts, or of ranges of numbers.

Parts are read by the reader of math@2, and compared in this process: what it does not understand,
or cannot tell apart, is undecided.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from eval_pipeline.verification.formulas.comparison import StatementComparison
from eval_pipeline.verification.formulas.elements import Listing, read_listing
from eval_pipeline.verification.formulas.ranges import Ranges, read_ranges
from eval_pipeline.verification.formulas.statements import (
    PlainWords,
    Relation,
    Statement,
    Value,
    read_statement,
)
from eval_pipeline.verification.formulas.statements import (
    Several as Parts,
)
from eval_pipeline.verification.formulas.terms import Term, UnreadError
from eval_pipeline.verification.numbers.numeric import Numeric
from eval_pipeline.verification.verdict import Item, Verdict

MAX_PARTS = 200
_MAY_GROUP = re.compile(r"\d,\d{3}(?!\d)")
_SEVERAL = (Parts, Relation)  # 2 or 3, y = 2: no part says so much


@dataclass(frozen=True)
class Several(Numeric):
    """Options: those of numeric@2, for each part; formulas and words are compared as such.

    Where commas belong to numbers too, see `elements.read_listing`.
    """

    def listing(self, text: str) -> Listing | None:
        """The parts of a text; None where it has none that can be read."""
        found = read_listing(text, "," in self.thousands, self.decimal == ",")
        return found if found and (found.parts or found.brackets) else None

    def same(self, said: str, wanted: str) -> bool | None:
        """Whether two parts mean the same; None where that cannot be told."""
        if " ".join(said.split()).casefold() == " ".join(wanted.split()).casefold():
            return True
        inner = [read_listing(text) for text in (said, wanted)]
        if all(one and one.brackets for one in inner):
            a, b = inner
            if a is None or b is None or len(a.parts) != len(b.parts):
                return False
            return _all([self.same(x, y) for x, y in zip(a.parts, b.parts, strict=True)])
        read = [_read(text, self) for text in (said, wanted)]
        if read[0] is None or read[1] is None:
            return None
        try:
            same = StatementComparison(self, _unasked).same(read[0], read[1])
        except UnreadError:
            return None
        is_several = [isinstance(one, _SEVERAL) for one in read]
        return None if same is False and is_several[0] != is_several[1] else same

    def whole(self, answer: str, reference: str, brackets: str) -> bool | None:
        """Whether two answers mean the same as math@2 reads them: x = ±3, (x, y) = (1, 2).

        None where that cannot be told; a reference without brackets has those given.
        """
        said, wanted = _read(answer, self), _read(reference, self)
        if said is None or wanted is None:
            return None
        if isinstance(wanted, Parts) and not wanted.brackets:
            wanted = replace(wanted, brackets=brackets)
        try:
            return StatementComparison(self, _unasked).same(said, wanted)
        except UnreadError:
            return None

    def check(self, item: Item) -> None:
        found = self.listing(item.reference)
        if found is None:
            raise ValueError(f"item {item.item_id!r}: its answer {item.reference!r} is no list")
        if len(found.parts) > MAX_PARTS:
            raise ValueError(
                f"item {item.item_id!r}: its answer has {len(found.parts)} parts; at most "
                f"{MAX_PARTS} are compared"
            )

    def undecided(self, part: str, answer: str) -> Verdict:
        """The verdict where one part cannot be told."""
        said = f"whether {part[:80]!r} is in the reference cannot be told"
        return Verdict.undecided("part_not_told", said, answer.strip()[:2000])


@dataclass(frozen=True)
class Set(Several):
    """1 where both hold the same elements, in any order, however often each is said.

    Braces may be left out; round or square brackets are no set.
    """

    def verify(self, item: Item, answer: str) -> Verdict:
        found = self._held(item, answer)
        if found.score == 0.0 and any(map(_MAY_GROUP.search, (answer, item.reference))):
            other = "" if "," in self.thousands else ","
            if replace(self, thousands=other)._held(item, answer).score == 1.0:
                said = "commas may part elements, or group the digits of one"
                return Verdict.undecided("thousands_or_list", said, answer.strip())
        return found

    def _held(self, item: Item, answer: str) -> Verdict:
        found, wanted = self.listing(answer), self.listing(item.reference)
        if found is None or wanted is None or found.brackets not in ("", "{}"):
            return Verdict.unreadable("not_a_set", f"{answer[:200]!r} is no set", answer)
        if len(found.parts) > MAX_PARTS:
            return Verdict.undecided("too_many_parts", f"a set of {len(found.parts)}", answer[:200])
        table = [[self.same(part, other) for other in wanted.parts] for part in found.parts]
        extra = _unmatched(found.parts, table)
        columns = [[row[i] for row in table] for i in range(len(wanted.parts))]
        missing = _unmatched(wanted.parts, columns)
        if (missing or extra) and not found.brackets:
            whole = self.whole(answer, item.reference, "{}")
            if whole:
                extra, missing = [], []
            elif whole is None and len(found.parts) == 1 and _is_composed(answer, self):
                return self.undecided(found.parts[0], answer)
        said = f"the set of {len(found.parts)}"
        if surely := [part for part, is_sure in missing + extra if is_sure]:
            said += f" differs from the reference by {_few(surely)}"
        elif missing or extra:
            return self.undecided((extra or missing)[0][0], answer)
        else:
            said += " equals the reference"
        return Verdict.judged(float(not missing and not extra), answer.strip(), said)


@dataclass(frozen=True)
class Tuple(Several):
    """1 where both hold the same parts in the same order.

    Brackets may be left out; a set in braces is no tuple.
    """

    def verify(self, item: Item, answer: str) -> Verdict:
        found, wanted = self.listing(answer), self.listing(item.reference)
        if found is None or wanted is None or "{" in found.brackets:
            return Verdict.unreadable("not_a_tuple", f"{answer[:200]!r} is no tuple", answer)
        if len(found.parts) != len(wanted.parts):
            whole = self.whole(answer, item.reference, "()")
            if whole:
                return Verdict.judged(1.0, answer.strip(), f"all {len(wanted.parts)} parts equal")
            if whole is None and len(found.parts) == 1:
                return self.undecided(found.parts[0], answer)
            said = f"{len(found.parts)} parts, and the reference has {len(wanted.parts)}"
            return Verdict.judged(0.0, answer.strip(), said)
        pairs = zip(found.parts, wanted.parts, strict=True)
        told = [(i, a, b, self.same(a, b)) for i, (a, b) in enumerate(pairs, start=1)]
        for i, a, b, same in told:
            if same is False:
                said = f"part {i} is {a[:80]!r}; the reference has {b[:80]!r}"
                return Verdict.judged(0.0, answer.strip(), said)
        for _, a, _, same in told:
            if same is None:
                return self.undecided(a, answer)
        return Verdict.judged(1.0, answer.strip(), f"all {len(found.parts)} parts equal")


@dataclass(frozen=True)
class Interval(Several):
    r"""1 where both are the same range of numbers: [1, 2), (-\infty, 3] \cup [5, 6], x >= 3.

    A bracket says whether an end belongs. Ranges that touch are one. Ends are exact: a tolerance
    would change what belongs, so rel_tol and abs_tol are refused.
    """

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.rel_tol or self.abs_tol:
            raise ValueError("interval@2 takes no tolerance: whether an end belongs is exact")

    def check(self, item: Item) -> None:
        if self.ranges(item.reference) is None:
            raise ValueError(f"item {item.item_id!r}: its answer {item.reference!r} is no interval")

    def ranges(self, text: str) -> Ranges | None:
        """The ranges of a text, or None."""
        read = _read(text, self)
        try:
            return read_ranges(read) if read else None
        except UnreadError:
            return None

    def verify(self, item: Item, answer: str) -> Verdict:
        found, wanted = self.ranges(answer), self.ranges(item.reference)
        if found is None or wanted is None:
            return Verdict.unreadable("not_an_interval", f"{answer[:200]!r} is no interval", answer)
        equal = StatementComparison(self, _unasked).equal_ranges(found.ranges, wanted.ranges)
        shown = f"{answer.strip()[:200]!r}"
        if equal is None:
            return Verdict.undecided("end_not_told", f"an end of {shown} cannot be told", answer)
        if equal and found.name and wanted.name and found.name != wanted.name:
            said = f"{shown} is of {found.name}, and the reference of {wanted.name}"
            return Verdict.undecided("other_name", said, answer.strip())
        relation = "is" if equal else "is not"
        said = f"{shown} {relation} the range {item.reference[:200]!r}"
        return Verdict.judged(float(equal), answer.strip(), said)


@lru_cache(maxsize=4096)
def _read(text: str, form: Several) -> Statement | None:
    try:
        return read_statement(text.strip().removesuffix("."), form)
    except UnreadError:
        return None


def _is_composed(text: str, form: Several) -> bool:
    """Whether a text says more than one value: ±3, x = 1 or x = 2."""
    return not isinstance(_read(text, form), Value | PlainWords | None)


def _unasked(a: Term, b: Term) -> bool | None:
    """No proof beyond this process: lists are judged without one."""
    return None


def _all(results: Sequence[bool | None]) -> bool | None:
    return False if False in results else None if None in results else True


def _unmatched(
    parts: Sequence[str], table: Sequence[Sequence[bool | None]]
) -> list[tuple[str, bool]]:
    """The parts that equal no other, and whether that is sure."""
    return [
        (part, None not in row) for part, row in zip(parts, table, strict=True) if True not in row
    ]


def _few(parts: Sequence[str]) -> str:
    return ", ".join(part[:40] for part in parts[:3]) + ("..." if len(parts) > 3 else "")
