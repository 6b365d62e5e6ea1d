"""Values by name: x = 2, y = 3; (x, y) = (2, 3); x = 2 or x = 3."""

import re
from collections.abc import Callable

from eval_pipeline.verification.formulas.statements import (
    PlainWords,
    Relation,
    Several,
    Statement,
    Value,
)
from eval_pipeline.verification.formulas.terms import Term, symbols

Bindings = list[tuple[str, list[Statement]]]


def read_bindings(said: Statement) -> Bindings | None:
    """The values by name, in the order of their names' first mention; None where it is no such."""
    if isinstance(said, Relation):
        return _of_relation(said)
    if not isinstance(said, Several) or said.brackets not in ("", "()", "{}"):
        return None
    found: Bindings = []
    for part in said.parts:
        bound = read_bindings(part) if isinstance(part, Relation) else None
        if bound is None:
            if isinstance(part, Value) and len(found) == 1 and not said.brackets:
                found[0][1].append(part)  # x = 2, 3
                continue
            return None
        for name, values in bound:
            known = next((values for other, values in found if other == name), None)
            if known is None:
                found.append((name, list(values)))
            else:
                known += values
    return found


def _of_relation(said: Relation) -> Bindings | None:
    first = said.sides[0]
    if first is None or set(said.signs) - {"="}:
        return None
    if isinstance(first, Several):
        last = said.sides[-1]
        if len(said.sides) != 2 or not isinstance(last, Several):
            return None
        names = [name_of(part) for part in first.parts]
        if len(names) != len(last.parts) or None in names or len({*names}) < len(names):
            return None
        pairs = zip(names, last.parts, strict=True)
        return [(name, [value]) for name, value in pairs if name is not None]
    bound: list[str] = []
    for side in said.sides[:-1]:
        name = name_of(side) if side else None
        if name is None:
            break
        bound.append(name)
    last = said.sides[-1]
    if not bound and len(said.sides) == 2 and isinstance(first, Value) and (name := name_of(last)):
        return None if symbols(*first.readings) else [(name, [first])]  # 18 = x
    if last is None or not bound or len(bound) < len(said.sides) - 1:
        return None
    if isinstance(last, Value) and set(bound) & symbols(*last.readings):
        return None  # x = 2 - x binds nothing
    if isinstance(last, Several) and (not last.brackets or last.brackets == "{}"):
        return [(name, list(last.parts)) for name in bound]
    return [(name, [last]) for name in bound]


def membership(said: Statement) -> Bindings | None:
    """x in {1, 2} as x = 1, 2; None where it is no such."""
    if not isinstance(said, Relation) or said.signs != ("in",):
        return None
    name, last = name_of(said.sides[0]), said.sides[-1]
    if name is None or not isinstance(last, Several) or last.brackets != "{}":
        return None
    return [(name, list(last.parts))]


def name_of(said: Statement | None) -> str | None:
    """The name that a side is: a variable, f(3), or words."""
    if isinstance(said, PlainWords):
        return " ".join(said.words)
    if not isinstance(said, Value) or len(said.readings) != 1:
        return None
    term = said.readings[0]
    if term.head == "symbol":
        return term.name
    if term == Term("constant", name="e"):
        return "e"
    said_so = "".join(said.text.split())
    return said_so if term.head == "applied" or _CALL.fullmatch(said_so) else None


_CALL = re.compile(r"[A-Za-z](?:_\w)?'*\((?:-?\d+|[A-Za-z])\)")


def evaluated(said: Relation, settled: Callable[[Term, Term], bool | None]) -> Statement | None:
    """The value that a calculation ends with: 2 + 3 = 5, x = 10/2 = 5, 1/3 ~ 0.333 (the exact one).

    None where its sides do not agree or it is no calculation.
    """
    if set(said.signs) - {"=", "~"} or None in said.sides:
        return None
    sides = [side for side in said.sides if side is not None]
    exact = said.signs.index("~") + 1 if "~" in said.signs else len(sides)
    if "=" in said.signs[exact - 1 :]:
        return None
    sides = sides[:exact]
    if len(sides) > 1 and name_of(sides[0]):
        sides = sides[1:]
    if any(not isinstance(side, Value) or len(side.readings) != 1 for side in sides[:-1]):
        return None
    last = sides[-1]
    if len(sides) > 1:
        if not isinstance(last, Value) or len(last.readings) != 1:
            return None
        for side in sides[:-1]:
            if isinstance(side, Value) and settled(side.readings[0], last.readings[0]) is False:
                return None
    return last
