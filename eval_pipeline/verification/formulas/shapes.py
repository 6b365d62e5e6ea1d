"""What statements hold that a comparison goes through: rows, ratios, gaps, pairs."""

import re
from collections.abc import Sequence
from fractions import Fraction

from eval_pipeline.verification.formulas.bindings import Bindings
from eval_pipeline.verification.formulas.equality import Readings
from eval_pipeline.verification.formulas.statements import (
    Matrix,
    Ratio,
    Relation,
    Several,
    Statement,
    Value,
)
from eval_pipeline.verification.formulas.terms import (
    Term,
    difference,
    nodes,
    number,
    rewritten,
    symbol,
    symbols,
)

_FUNCTION_OF = re.compile(r"[A-Za-z]'*(?:\^\{?-1\}?)?\([a-z]\)")
_DERIVED = re.compile(r"[A-Za-z]'\(x\)")
_OF_INTEGRATION = frozenset({"C", "c", "K", "k", "C_1", "c_1", "C'"})
_INTEGERS = frozenset("jklmn")
_UNIT_VECTORS = ("vec i", "vec j", "vec k")
_CALL = re.compile(r"([A-Za-z]'*)\(([a-z])\)")


def in_one_argument(a: Bindings, b: Bindings) -> Value | None:
    """The value of f(t) = ... in the variable of f(x) = ..., or None where they are no such."""
    if len(a) != 1 or len(b) != 1 or len(a[0][1]) != 1 or len(b[0][1]) != 1:
        return None
    found = [_CALL.fullmatch(one[0][0]) for one in (a, b)]
    value = a[0][1][0]
    ours, theirs = found
    if not ours or not theirs or ours[1] != theirs[1] or not isinstance(value, Value):
        return None
    if theirs[2] in symbols(*value.readings) or ours[2] not in symbols(*value.readings):
        return None

    def change(node: Term) -> Term:
        is_it = node.head == "symbol" and node.name == ours[2]
        return symbol(theirs[2]) if is_it else node

    return Value(value.text, tuple(rewritten(term, change) for term in value.readings))


def is_one_function(a: Bindings, b: Bindings) -> bool:
    """Whether two names stand for one function: y and f(x), dy/dx and y'."""
    names = sorted((a[0][0], b[0][0]))
    if len(a) != 1 or len(b) != 1:
        return False
    if "dy/dx" in names:
        return "y'" in names or any(_DERIVED.fullmatch(name) for name in names)
    return "y" in names and any(_FUNCTION_OF.fullmatch(name) for name in names)


def in_other_letter(a: Readings, b: Readings) -> Readings | None:
    """The first formula with its constant of integration, or its integer, named as the second's.

    None where the names differ in more, or in other letters.
    """
    names = symbols(*a), symbols(*b)
    ours, theirs = names[0] - names[1], names[1] - names[0]
    if len(ours) != 1 or len(theirs) != 1:
        return None
    old, new = *ours, *theirs
    has_pi = any(node.name == "pi" for term in (*a, *b) for node in nodes(term))
    if not ({old, new} <= _OF_INTEGRATION or (has_pi and {old, new} <= _INTEGERS)):
        return None

    def change(node: Term) -> Term:
        return symbol(new) if node.head == "symbol" and node.name == old else node

    return tuple(rewritten(term, change) for term in a)


def is_constant(said: Statement) -> bool:
    return isinstance(said, Value) and not symbols(*said.readings)


def constant_of(said: Statement) -> Fraction | None:
    if isinstance(said, Value) and len(said.readings) == 1 and said.readings[0].head == "number":
        return said.readings[0].value
    return None


def gap_of(said: Relation) -> Term | None:
    sides = [
        s.readings[0] if isinstance(s, Value) and len(s.readings) == 1 else None for s in said.sides
    ]
    left, right = sides[0], sides[1]
    return None if left is None or right is None else difference(left, right)


def rows_of(said: Statement) -> list[tuple[Statement, ...]] | None:
    if isinstance(said, Matrix):
        return list(said.rows)
    if isinstance(said, Several) and said.brackets in ("[]", "()"):
        rows = [
            p.parts for p in said.parts if isinstance(p, Several) and p.brackets in ("[]", "()")
        ]
        if len(rows) == len(said.parts):
            return rows
        if not rows:
            return [(part,) for part in said.parts]  # a column
    return None


def as_written(
    said: Statement, rows: list[tuple[Statement, ...]], other: list[tuple[Statement, ...]]
) -> list[tuple[Statement, ...]]:
    """The rows of a tuple that is compared with one row: (1, 2, 3) is a row or a column."""
    if isinstance(said, Several) and len(other) == 1 and all(len(row) == 1 for row in rows):
        return [tuple(row[0] for row in rows)]
    return rows


def in_components(said: Statement, other: Statement) -> Statement:
    """A sum of unit vectors as the tuple of its components, where the other side is a tuple."""
    if not isinstance(said, Value) or len(said.readings) != 1:
        return said
    if not isinstance(other, Several | Matrix) or not symbols(*said.readings) & {*_UNIT_VECTORS}:
        return said
    (term,) = said.readings
    rows = rows_of(other)
    size = 3 if rows and 3 in (len(rows), len(rows[0])) else 2
    if not _is_linear(term) or symbols(term) & {*_UNIT_VECTORS[size:]}:
        return said
    return Several(tuple(Value("", (_at_one(term, n),)) for n in _UNIT_VECTORS[:size]), "()")


def _is_linear(term: Term) -> bool:
    """Whether each summand holds one unit vector, as a factor."""
    if term.head == "sum":
        return all(map(_is_linear, term.parts))
    factors = [term] if term.head == "symbol" else term.parts if term.head == "product" else ()
    held = [part for part in factors if symbols(part) & {*_UNIT_VECTORS}]
    return len(held) == 1 and (held[0].head == "symbol" or _is_linear(held[0]))


def _at_one(term: Term, name: str) -> Term:
    def change(node: Term) -> Term:
        is_unit = node.head == "symbol" and node.name in _UNIT_VECTORS
        return number(int(node.name == name)) if is_unit else node

    return rewritten(term, change)


def ratio_terms(said: Statement) -> list[Term] | None:
    if isinstance(said, Value) and len(said.readings) == 1:
        return [said.readings[0], number(1)]
    if not isinstance(said, Ratio):
        return None
    found = [p.readings[0] for p in said.parts if isinstance(p, Value) and len(p.readings) == 1]
    return found if len(found) == len(said.parts) else None


def matched(table: Sequence[Sequence[bool | None]], allowed: tuple[bool | None, ...]) -> bool:
    """Whether rows and columns can be paired off by allowed entries."""
    pairs: dict[int, int] = {}

    def place(row: int, tried: set[int]) -> bool:
        for column, entry in enumerate(table[row]):
            if entry in allowed and column not in tried:
                tried.add(column)
                if column not in pairs or place(pairs[column], tried):
                    pairs[column] = row
                    return True
        return False

    return all(place(row, set()) for row in range(len(table)))
