"""What statements hold that a comparison goes through: rows, ratios, gaps, pairs."""

import re
from collections.abc import Sequence
from fractions import Fraction

from eval_pipeline.verification.formulas.bindings import Bindings
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
    number,
    rewritten,
    symbol,
    symbols,
)

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
