"""Ranges of numbers: what inequalities, intervals, unions and points mean as sets.

An end is exact where it is rational, else a term with its value for the order. Where no order can
be told (ends with variables), ranges stand as they were written.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from eval_pipeline.verification.formulas.evaluation import NoValueError, value_at
from eval_pipeline.verification.formulas.normal import Normal
from eval_pipeline.verification.formulas.polynomials import ONE, Poly, TooLargeError
from eval_pipeline.verification.formulas.specials import Special
from eval_pipeline.verification.formulas.statements import (
    Relation,
    Several,
    Statement,
    Union,
    Value,
)
from eval_pipeline.verification.formulas.terms import (
    INFINITY,
    Term,
    UnreadError,
    negative,
    number,
    symbols,
)

TURNED = {"<": ">", ">": "<", "<=": ">=", ">=": "<=", "!=": "!=", "=": "="}


@dataclass(frozen=True)
class End:
    """An end: its term (None where infinite), where it stands in the order, whether it belongs."""

    term: Term | None
    at: Fraction | float
    belongs: bool


Range = tuple[End, End]


@dataclass(frozen=True)
class Ranges:
    """Ranges in order; the name of the variable where one was said."""

    name: str | None
    ranges: tuple[Range, ...]


_BELOW = End(None, -math.inf, False)
_ABOVE = End(None, math.inf, False)


def read_ranges(said: Statement) -> Ranges | None:
    """The ranges that a statement means; None where it means no set of numbers in one variable."""
    if isinstance(said, Special):
        if said.name == "reals":
            return Ranges(None, ((_BELOW, _ABOVE),))
        return Ranges(None, ()) if said.name == "empty" else None
    if isinstance(said, Several):
        return _of_several(said)
    if isinstance(said, Union):
        return _of_union(said)
    if isinstance(said, Relation):
        return _of_relation(said)
    return None


def is_range(said: Statement) -> bool:
    """Whether a statement can only be meant as a set of numbers."""
    if isinstance(said, Union):
        return True
    if isinstance(said, Special):
        return said.name in ("reals", "empty")
    if isinstance(said, Relation):
        return any(sign in ("<", ">", "<=", ">=", "!=", "in", "notin") for sign in said.signs)
    if isinstance(said, Several):
        if said.brackets in ("(]", "[)", "][", "](", ")["):
            return True
        if not said.brackets:
            return all(isinstance(p, Relation) and is_range(p) for p in said.parts)
        return any(isinstance(p, Value) and _infinity(p) for p in said.parts)
    return False


def has_open_ends(said: Ranges | None) -> bool:
    """Whether an end has variables, so that its place is not known."""
    return said is not None and any(end.at != end.at for one in said.ranges for end in one)


def _of_several(said: Several) -> Ranges | None:
    if not said.brackets:
        read = [read_ranges(part) for part in said.parts]
        names = {one.name for one in read if one}
        if None in read or len(names) != 1:
            return None
        sets = [one.ranges for one in read if one]
        holes = sum(isinstance(p, Relation) and p.signs == ("!=",) for p in said.parts)
        are_holes = holes >= len(said.parts) - 1  # x > 0, x != 4
        together = joined([r for one in sets for r in one])
        if said.joint == "or":
            return Ranges(names.pop(), together)
        common = sets[0]
        for other in sets[1:]:
            common = _common(common, other)
        if said.joint == "and" or are_holes:
            return Ranges(names.pop(), joined(common))
        return None if joined(common) else Ranges(names.pop(), together)  # x < 1, x > 3
    if said.brackets == "{}":
        points = [_end(part, True) for part in said.parts]
        ends = [point for point in points if point and point.term]
        return Ranges(None, joined([(e, e) for e in ends])) if len(ends) == len(points) else None
    if len(said.parts) != 2:
        return None
    opening, closing = said.brackets[0], said.brackets[1]
    low, high = _end(said.parts[0], opening == "["), _end(said.parts[1], closing == "]")
    if low is None or high is None or low.at == math.inf or high.at == -math.inf:
        return None
    if low.at > high.at:
        return None
    return Ranges(None, joined([(low, high)]))


def _of_union(said: Union) -> Ranges | None:
    read = [read_ranges(part) for part in said.parts]
    sets = [one.ranges for one in read if one]
    if len(sets) != len(said.parts):
        return None
    name = next((one.name for one in read if one and one.name), None)
    if said.sign == "cup":
        return Ranges(name, joined([r for one in sets for r in one]))
    left = sets[0]
    if said.sign == "cap":
        for other in sets[1:]:
            left = _common(left, other)
        return Ranges(name, joined(left))
    for holes in sets[1:]:
        for low, high in holes:
            if low != high or low.term is None:
                return None
            around = (
                (_BELOW, End(low.term, low.at, False)),
                (End(low.term, low.at, False), _ABOVE),
            )
            left = _common(left, around)
    return Ranges(name, joined(left))


def _of_relation(said: Relation) -> Ranges | None:
    if said.signs in (("in",), ("notin",)):
        name = _name(said.sides[0])
        inside = read_ranges(said.sides[1]) if said.sides[1] else None
        if inside is None or name is None:
            return None
        if said.signs == ("in",):
            return Ranges(name, inside.ranges)
        outside = _without_points(inside.ranges)
        return Ranges(name, joined(outside)) if outside else None
    found: tuple[Range, ...] = ((_BELOW, _ABOVE),)
    names: set[str | None] = set()
    if {*said.signs} & {"<", "<="} and {*said.signs} & {">", ">="}:
        return None  # 1 < x > 2
    middle = _name(said.sides[1]) if len(said.sides) == 3 else None
    for left, sign, right in zip(said.sides, said.signs, said.sides[1:], strict=False):
        link = _link(left, sign, right, middle)
        if link is None:
            return None
        names.add(link.name)
        found = _common(found, link.ranges)
    return Ranges(names.pop(), joined(found)) if len(names) == 1 else None


def _without_points(ranges: Sequence[Range]) -> tuple[Range, ...] | None:
    found: tuple[Range, ...] = ((_BELOW, _ABOVE),)
    for low, high in ranges:
        if low != high or low.term is None:
            return None
        hole = End(low.term, low.at, False)
        found = _common(found, ((_BELOW, hole), (hole, _ABOVE)))
    return found


def _link(
    left: Statement | None, sign: str, right: Statement | None, middle: str | None
) -> Ranges | None:
    """One relation as a set in its variable, which is the middle one of a chain."""
    if sign not in TURNED or right is None:
        return None
    if left is None:
        end = _end(right, sign in ("<=", ">=", "="))
        return Ranges(None, _half(sign, end)) if end and end.term else None
    name, other = _name(left), right
    if name is None or (middle and name != middle):
        name, other, sign = _name(right), left, TURNED[sign]
    if name is not None:
        end = _end(other, sign in ("<=", ">=", "="))
        if end and end.term and name not in symbols(end.term):
            return Ranges(name, _half(sign, end))
    one, two = _term(left), _term(right)
    if one is None or two is None:
        return None
    sign = sign if other is right else TURNED[sign]
    for inside, size, turned in ((one, two, sign), (two, one, TURNED[sign])):
        if inside.head == "function" and inside.name == "abs" and size.head == "number":
            return _absolute(inside.parts[0], turned, size)
    return _linear(one, sign, two)


def _absolute(inside: Term, sign: str, size: Term) -> Ranges | None:
    """|x - 1| < 5: between both ends; > 5: beyond one of them."""
    if sign in ("=", "!="):
        return None
    above, below = _linear(inside, sign, size), _linear(inside, TURNED[sign], negative(size))
    if above is None or below is None:
        return None
    if sign in ("<", "<="):
        return Ranges(above.name, joined(_common(above.ranges, below.ranges)))
    return Ranges(above.name, joined([*above.ranges, *below.ranges]))


def _linear(left: Term, sign: str, right: Term) -> Ranges | None:
    """2x + 1 > 5: linear in one variable, with rational numbers."""
    names = symbols(left, right)
    if len(names) != 1:
        return None
    (name,) = names
    try:
        normal = Normal()
        form = normal.sum([normal.form(left), normal.form(negative(right))])
    except (TooLargeError, UnreadError):
        return None
    x = ((f"s:{name}", Fraction(1)),)
    if form.bottom != {ONE: 1} or not form.top.keys() <= {x, ONE} or x not in form.top:
        return None
    slope, shift = form.top[x], _constant(form.top)
    at = -shift / slope
    sign = sign if slope > 0 else TURNED[sign]
    return Ranges(name, _half(sign, End(number(at), at, sign in ("<=", ">=", "="))))


def _constant(poly: Poly) -> Fraction:
    return poly.get(ONE, Fraction(0))


def _half(sign: str, end: End) -> tuple[Range, ...]:
    if sign == "!=":
        hole = End(end.term, end.at, False)
        return ((_BELOW, hole), (hole, _ABOVE))
    if sign == "=":
        return ((end, end),)
    return ((end, _ABOVE),) if sign in (">", ">=") else ((_BELOW, end),)


def _term(said: Statement) -> Term | None:
    if isinstance(said, Value) and len(said.readings) == 1 and not (
        said.measure.unit and said.measure.is_sure
    ):  # fmt: skip
        return said.readings[0]
    return None


def _name(said: Statement | None) -> str | None:
    """The variable that a side is, or None."""
    term = _term(said) if said else None
    if term is not None and term.head == "symbol":
        return term.name
    return "e" if term is not None and term == Term("constant", name="e") else None


def _infinity(said: Value) -> int:
    """1, -1 for an infinite end, else 0."""
    term = _term(said)
    if term == INFINITY:
        return 1
    return -1 if term == negative(INFINITY) else 0


def _end(said: Statement, belongs: bool) -> End | None:
    if not isinstance(said, Value):
        return None
    if sign := _infinity(said):
        return _ABOVE if sign > 0 else _BELOW
    term = _term(said)
    if term is None and said.measure.quantity is not None and said.measure.unit is None:
        quantity = said.measure.quantity
        if quantity.words or quantity.number.percent:
            return None
        term = number(quantity.number.value)
    if term is None:
        return None
    if term.head == "number":
        return End(term, term.value, belongs)
    if symbols(term):
        return End(term, math.nan, belongs)
    try:
        constant = Normal().form(term).constant
    except (TooLargeError, UnreadError):
        constant = None
    if constant is not None:
        return End(number(constant), constant, belongs)
    try:
        return End(term, float(complex(value_at(term, {}).value).real), belongs)
    except NoValueError:
        return End(term, math.nan, belongs)


def _is_ordered(ranges: Sequence[Range]) -> bool:
    return not any(end.at != end.at for one in ranges for end in one)


def joined(ranges: Sequence[Range]) -> tuple[Range, ...]:
    """Sorted ranges, empty ones dropped and those that overlap or touch joined."""
    if not _is_ordered(ranges):
        return tuple(ranges)
    full = [
        (low, high)
        for low, high in ranges
        if low.at < high.at or (low.at == high.at and low.belongs and high.belongs)
    ]
    done: list[Range] = []
    for low, high in sorted(full, key=lambda one: (one[0].at, not one[0].belongs)):
        if done and _touch(done[-1][1], low):
            done[-1] = (done[-1][0], _further(done[-1][1], high))
        else:
            done.append((low, high))
    return tuple(done)


def _touch(high: End, low: End) -> bool:
    return low.at < high.at or (low.at == high.at and (low.belongs or high.belongs))


def _further(a: End, b: End) -> End:
    if a.at == b.at:
        return a if a.belongs else b
    return a if a.at > b.at else b


def _common(a: Sequence[Range], b: Sequence[Range]) -> tuple[Range, ...]:
    """What lies in both."""
    found: list[Range] = []
    for low, high in a:
        for other_low, other_high in b:
            bottom = _inner(low, other_low, -1)
            top = _inner(high, other_high, 1)
            if bottom is None or top is None:
                raise UnreadError("ranges whose order cannot be told", "unordered_ends")
            found.append((bottom, top))
    return tuple(found) if not _is_ordered(found) else joined(found)


def _inner(a: End, b: End, side: int) -> End | None:
    """The end that leaves less: the higher of two low ones, the lower of two high ones."""
    for one, other in ((a, b), (b, a)):
        if one.term is None and one.at == side * math.inf:
            return other
    if a.at == b.at:
        return b if a.belongs else a
    if a.at != a.at or b.at != b.at:
        return None
    return a if (a.at < b.at) == (side > 0) else b
