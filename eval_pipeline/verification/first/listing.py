"""`set@1`, `tuple@1` and `interval@1`: answers of several numbers, or of ranges of them."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from eval_pipeline.verification.first.elements import Listing, dressed_down, read_listing
from eval_pipeline.verification.first.numeric import Numeric
from eval_pipeline.verification.verdict import Item, Verdict

Bound = tuple[Fraction | None, bool]  # a finite end and whether it belongs; None is infinite


@dataclass(frozen=True)
class Several(Numeric):
    """Options: those of numeric@1, for each part; what is no number is compared as words.

    Where commas belong to numbers too, see `elements.read_listing`.
    """

    def listing(self, text: str) -> Listing | None:
        """The parts of a text; None where it has none that can be read."""
        found = read_listing(text, "," in self.thousands, self.decimal == ",")
        return found if found and (found.parts or found.brackets) else None

    def same(self, said: str, wanted: str) -> bool:
        """Whether two parts mean the same number, or are the same words."""
        inner = [read_listing(text) for text in (said, wanted)]
        if all(one and one.brackets for one in inner):
            a, b = inner
            if a is None or b is None or len(a.parts) != len(b.parts):
                return False
            return all(self.same(x, y) for x, y in zip(a.parts, b.parts, strict=True))
        found = self.equivalent(said, wanted)
        return " ".join(said.split()).casefold() == " ".join(wanted.split()).casefold() or (
            found is True
        )

    def check(self, item: Item) -> None:
        if self.listing(item.reference) is None:
            raise ValueError(f"item {item.item_id!r}: its answer {item.reference!r} is no list")


@dataclass(frozen=True)
class Set(Several):
    """1 where both hold the same elements, in any order, however often each is said.

    Braces may be left out; round or square brackets are no set.
    """

    def verify(self, item: Item, answer: str) -> Verdict:
        found, wanted = self.listing(answer), self.listing(item.reference)
        if found is None or wanted is None or found.brackets not in ("", "{}"):
            return Verdict.unreadable("not_a_set", f"{answer[:200]!r} is no set", answer)
        missing = _unmatched(self, wanted.parts, found.parts)
        extra = _unmatched(self, found.parts, wanted.parts)
        said = f"the set of {len(found.parts)}"
        if missing or extra:
            said += f" lacks {_few(missing)} and has {_few(extra)} beyond the reference"
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
            said = f"{len(found.parts)} parts, and the reference has {len(wanted.parts)}"
            return Verdict.judged(0.0, answer.strip(), said)
        pairs = enumerate(zip(found.parts, wanted.parts, strict=True), start=1)
        apart = [(i, a, b) for i, (a, b) in pairs if not self.same(a, b)]
        if not apart:
            return Verdict.judged(1.0, answer.strip(), f"all {len(found.parts)} parts equal")
        i, a, b = apart[0]
        said = f"part {i} is {a[:80]!r}; the reference has {b[:80]!r}"
        return Verdict.judged(0.0, answer.strip(), said)


@dataclass(frozen=True)
class Interval(Several):
    r"""1 where both are the same range of numbers: [1, 2), (-\infty, 3] \cup [5, 6], x >= 3.

    A bracket says whether an end belongs. Ranges that touch are one. Ends are exact: a tolerance
    would change what belongs, so rel_tol and abs_tol are refused.
    """

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.rel_tol or self.abs_tol:
            raise ValueError("interval@1 takes no tolerance: whether an end belongs is exact")

    def check(self, item: Item) -> None:
        if read_ranges(item.reference, self) is None:
            raise ValueError(f"item {item.item_id!r}: its answer {item.reference!r} is no interval")

    def verify(self, item: Item, answer: str) -> Verdict:
        found, wanted = read_ranges(answer, self), read_ranges(item.reference, self)
        if found is None or wanted is None:
            return Verdict.unreadable("not_an_interval", f"{answer[:200]!r} is no interval", answer)
        relation = "is" if found == wanted else "is not"
        said = f"{answer.strip()[:200]!r} {relation} the range {item.reference[:200]!r}"
        return Verdict.judged(float(found == wanted), answer.strip(), said)


def read_ranges(text: str, form: Numeric) -> tuple[tuple[Bound, Bound], ...] | None:
    """The ranges of a text, sorted, none of which touch; None where it is no interval.

    An empty range (2, 2) is dropped, so that the empty set is the empty tuple.
    """
    text = _SIGNS.sub(lambda m: _SAID[m[0]], dressed_down(text))
    ranges: list[tuple[Bound, Bound]] = []
    for piece in _UNION.split(text):
        if piece.strip() == "{}":
            continue
        if without := _UNEQUAL.fullmatch(piece):
            point = _end(without[1], False, form)
            if point is None or point[0] is None:
                return None
            ranges += [((None, False), point), (point, (None, False))]
            continue
        found = _inequality(piece, form) or _bracketed(piece, form)
        if found is None:
            return None
        low, high = found
        if low[0] is None or high[0] is None or low[0] < high[0]:
            ranges.append(found)
        elif low[0] == high[0]:
            if low[1] and high[1]:
                ranges.append(found)
        else:
            return None
    return tuple(_joined(ranges))


_SAID = {"\\cup": " U ", "\\infty": "inf", "∞": "inf", "infinity": "inf", "\\leq": "<=",
         "\\geq": ">=", "\\le": "<=", "\\ge": ">=", "≤": "<=", "≥": ">=", "\\lt": "<",
         "\\gt": ">", "\\in": " in ", "\\neq": "!=", "\\ne": "!=", "≠": "!="}  # fmt: skip
_SIGNS = re.compile(
    r"\\(?:cup|infty|leq|geq|neq|le|ge|lt|gt|ne|in)(?![A-Za-z])|[∞≤≥≠]|\binfinity\b"
)
_VARIABLE = r"[A-Za-z](?:_\w)?"
_UNION = re.compile(r"\s+[uU]\s+|(?<=[)\]\[}])[uU](?=[(\]\[{])|∪|\bor\b")
_TURNED = {"<": ">", ">": "<", "<=": ">=", ">=": "<="}
_ONE_SIDED = re.compile(rf"\s*{_VARIABLE}\s*(<=|>=|<|>)\s*([^<>=]+)")
_FROM_BEHIND = re.compile(rf"\s*([^<>=]+?)\s*(<=|>=|<|>)\s*({_VARIABLE})\s*")
_UNEQUAL = re.compile(rf"\s*{_VARIABLE}\s*!=\s*([^<>=!]+)")
_TWO_SIDED = re.compile(
    rf"\s*([^<>=]+?)\s*(?:(<=?)\s*{_VARIABLE}\s*(<=?)|(>=?)\s*{_VARIABLE}\s*(>=?))\s*([^<>=]+)"
)


def _bracketed(piece: str, form: Numeric) -> tuple[Bound, Bound] | None:
    piece = re.sub(rf"^\s*{_VARIABLE}\s+in\s+", "", piece)
    found = form.listing(piece) if isinstance(form, Several) else read_listing(piece)
    if found is None:
        return None
    if found.brackets == "{}" and len(found.parts) == 1:
        point = _end(found.parts[0], True, form)
        return (point, point) if point and point[0] is not None else None
    if len(found.parts) != 2 or found.opening not in "([]" or found.closing not in ")][":
        return None
    if not found.brackets:
        return None
    low = _end(found.parts[0], found.opening == "[", form, "-")
    high = _end(found.parts[1], found.closing == "]", form, "+")
    return (low, high) if low and high else None


def _inequality(piece: str, form: Numeric) -> tuple[Bound, Bound] | None:
    if both := _TWO_SIDED.fullmatch(piece):
        first = _end(both[1], "=" in (both[2] or both[4]), form)
        last = _end(both[6], "=" in (both[3] or both[5]), form)
        low, high = (first, last) if both[2] else (last, first)
        return (low, high) if low and high else None
    if turned := _FROM_BEHIND.fullmatch(piece):  # 1 <= x
        piece = f"{turned[3]}{_TURNED[turned[2]]}{turned[1]}"
    if one := _ONE_SIDED.fullmatch(piece):
        end = _end(one[2], "=" in one[1], form)
        if end is None:
            return None
        return (end, (None, False)) if one[1].startswith(">") else ((None, False), end)
    return None


def _end(text: str, belongs: bool, form: Numeric, side: str = "") -> Bound | None:
    """An end; infinity only on its own side, where it never belongs."""
    text = text.strip()
    if text.lstrip("+-").strip() == "inf":
        return (None, False) if side and text.startswith("-") == (side == "-") else None
    quantity = form.read(text)
    return None if quantity is None else (Fraction(quantity.number.value), belongs)


def _joined(ranges: Sequence[tuple[Bound, Bound]]) -> list[tuple[Bound, Bound]]:
    """Sorted ranges, those that overlap or touch joined."""
    waiting = sorted(ranges, key=lambda one: (one[0][0] is not None, one[0][0] or 0, not one[0][1]))
    done: list[tuple[Bound, Bound]] = []
    for low, high in waiting:
        if done and _touch(done[-1][1], low):
            done[-1] = (done[-1][0], _further(done[-1][1], high))
        else:
            done.append((low, high))
    return done


def _touch(high: Bound, low: Bound) -> bool:
    if high[0] is None or low[0] is None:
        return True
    return low[0] < high[0] or (low[0] == high[0] and (low[1] or high[1]))


def _further(a: Bound, b: Bound) -> Bound:
    if a[0] is None or b[0] is None:
        return (None, False)
    return (a[0], a[1] or b[1]) if a[0] == b[0] else max(a, b)


def _unmatched(form: Several, parts: Sequence[str], others: Sequence[str]) -> list[str]:
    return [part for part in parts if not any(form.same(part, other) for other in others)]


def _few(parts: Sequence[str]) -> str:
    shown = ", ".join(part[:40] for part in parts[:3])
    return (shown + ("..." if len(parts) > 3 else "")) or "nothing"
