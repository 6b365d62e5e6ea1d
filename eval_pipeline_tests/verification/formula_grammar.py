"""A grammar of formulas with mutants, and their truth by mpmath at random points.

It knows nothing of the product's reader: formula, mutant and text come from one tree, and whether a
mutant differs is told by values of 30 digits.
"""

import random
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import mpmath

Tree = tuple[Any, ...]
VARIABLES = "xyabkmnpqrt"
FUNCTIONS = ("sin", "cos", "tan", "ln")
POINTS = 8
_TURNED = {"<": r"\le", r"\le": "<", ">": r"\ge", r"\ge": ">"}
_OPPOSITE = {"<": ">", ">": "<", r"\le": r"\ge", r"\ge": r"\le"}


@dataclass(frozen=True)
class Statement:
    """A formula or what is made of formulas; kind: term, equation, tuple, set, interval, order,
    values."""

    kind: str
    parts: tuple[Tree, ...]
    marks: tuple[str, ...] = ()


# making


def number(rng: random.Random) -> Tree:
    return ("num", rng.randint(1, 12))


def tree(rng: random.Random, depth: int, names: str) -> Tree:
    """A random formula."""
    if depth == 0 or rng.random() < 0.12:
        kind = rng.random()
        if kind < 0.6 and names:
            return ("var", rng.choice(names))
        if kind < 0.68:
            return ("const", rng.choice(("pi", "e")))
        return number(rng)

    def inner() -> Tree:
        return tree(rng, depth - 1, names)

    kind = rng.choices(
        ("add", "sub", "mul", "div", "pow", "sqrt", "root", "fn", "neg", "powx"),
        (26, 18, 20, 12, 14, 6, 2, 7, 3, 2),
    )[0]
    if kind in ("add", "sub", "mul", "div"):
        return (kind, inner(), inner())
    if kind == "pow":
        return ("pow", inner(), rng.randint(2, 4))
    if kind == "powx":
        return ("powx", rng.choice((("num", 2), ("num", 3), ("const", "e"))), inner())
    if kind == "root":
        return ("root", inner(), 3)
    if kind == "fn":
        return ("fn", rng.choice(FUNCTIONS), inner())
    return (kind, inner())


def statement(rng: random.Random) -> Statement:
    """A random statement that has values."""
    while True:
        names = "".join(rng.sample(VARIABLES, rng.randint(1, 3)))
        kind = rng.choices(
            ("term", "equation", "tuple", "set", "interval", "order", "values"),
            (58, 12, 8, 4, 7, 6, 5),
        )[0]
        if kind == "term":
            made = Statement(kind, (tree(rng, rng.randint(1, 3), names),))
        elif kind == "equation":
            left: Tree = ("var", names[0])
            if rng.random() < 0.5:
                left = tree(rng, 2, names)
            made = Statement(kind, (left, tree(rng, 2, names[1:] or "x")))
        elif kind in ("tuple", "set"):
            parts = tuple(tree(rng, rng.randint(0, 1), "" if kind == "set" else names)
                          for _ in range(rng.randint(2, 4)))  # fmt: skip
            made = Statement(kind, parts)
        elif kind == "interval":
            low, high = sorted(rng.sample(range(-20, 20), 2))
            ends = (_whole(low), _whole(high))
            made = Statement(kind, ends, (rng.choice("(["), rng.choice(")]")))
        elif kind == "order":
            made = Statement(
                kind, (("var", names[0]), _whole(rng.randint(-20, 20))), (rng.choice([*_TURNED]),)
            )
        else:
            values = tuple(_whole(rng.randint(-9, 30)) for _ in names)
            made = Statement(kind, values, tuple(names))
        if is_sound(made):
            return made


def _whole(n: int) -> Tree:
    return ("num", n) if n >= 0 else ("neg", ("num", -n))


def is_sound(made: Statement) -> bool:
    """Whether each part has a value at some point, and equations have a variable."""
    if made.kind == "equation" and not (variables(made.parts[0]) | variables(made.parts[1])):
        return False
    for part in made.parts:
        values = [value(part, at) for at in points(made)]
        if sum((v is not None and 1e-6 < abs(v) < 1e12) or v == 0 for v in values) < 3:
            return False
    if made.kind == "equation":
        gaps = [_gap(made, at) for at in points(made)]
        return any(gap is not None and abs(gap) > 1e-9 for gap in gaps)
    if made.kind == "set":
        held = [value(part, {}) for part in made.parts]
        return all(abs(x - y) > 1e-9 for i, x in enumerate(held) for y in held[:i])
    return True


# truth


def variables(one: Tree) -> set[str]:
    if one[0] == "var":
        return {one[1]}
    return set().union(*(variables(p) for p in one[1:] if isinstance(p, tuple)), set())


def points(*made: Statement) -> list[dict[str, Any]]:
    """Points for the variables of some statements, positive ones."""
    rng = random.Random(2026)
    return [{name: mpmath.mpf(rng.uniform(0.2, 3.0)) for name in VARIABLES + "zw"}
            for _ in range(POINTS)]  # fmt: skip


def value(one: Tree, at: dict[str, Any]) -> Any:
    """Its value, or None where it has no real one."""
    with mpmath.workdps(30):
        try:
            found = _value(one, at)
        except (ZeroDivisionError, ValueError, OverflowError, mpmath.libmp.ComplexResult):
            return None
        if isinstance(found, mpmath.mpc) or not mpmath.isfinite(found) or abs(found) > 1e60:
            return None
        return found


def _value(one: Tree, at: dict[str, Any]) -> Any:
    kind = one[0]
    if kind == "num":
        return mpmath.mpf(one[1])
    if kind == "var":
        return at[one[1]]
    if kind == "const":
        return +mpmath.pi if one[1] == "pi" else +mpmath.e
    inside = [_value(p, at) for p in one[1:] if isinstance(p, tuple)]
    x = inside[0]
    if kind == "add":
        return x + inside[1]
    if kind == "sub":
        return x - inside[1]
    if kind == "mul":
        return x * inside[1]
    if kind == "div":
        return x / inside[1]
    if kind == "pow":
        return x ** one[2]
    if kind == "powx":
        if abs(inside[1]) > 100:
            raise OverflowError
        return x ** inside[1]
    if kind == "neg":
        return -x
    if kind == "sqrt":
        if x < 0:
            raise ValueError
        return mpmath.sqrt(x)
    if kind == "root":
        return mpmath.cbrt(x) if x >= 0 else -mpmath.cbrt(-x)
    if one[1] == "ln" and x <= 0:
        raise ValueError
    return {"sin": mpmath.sin, "cos": mpmath.cos, "tan": mpmath.tan, "ln": mpmath.log}[one[1]](x)


def _apart(a: Tree, b: Tree, at: list[dict[str, Any]]) -> bool:
    """Whether both have a value at a point, and two."""
    for point in at:
        x, y = value(a, point), value(b, point)
        if x is not None and y is not None and abs(x - y) > 1e-12 * max(abs(x), abs(y), 1e-6):
            return True
    return False


def _gap(made: Statement, at: dict[str, Any]) -> Any:
    sides = [value(part, at) for part in made.parts]
    return None if None in sides else sides[0] - sides[1]


def differs(a: Statement, b: Statement) -> bool:
    """Whether two statements of one kind surely differ; False where that is not sure."""
    at = points(a, b)
    if a.kind in ("term", "tuple"):
        return any(_apart(x, y, at) for x, y in zip(a.parts, b.parts, strict=True))
    if a.kind == "equation":
        ratios = []
        for point in at:
            x, y = _gap(a, point), _gap(b, point)
            if x is not None and y is not None and abs(x) > 1e-9 and abs(y) > 1e-9:
                ratios.append(x / y)
        return any(abs(r - ratios[0]) > 1e-9 * abs(r) for r in ratios[1:])
    if a.kind == "set":
        held = [[value(part, {}) for part in one.parts] for one in (a, b)]
        if None in held[0] or None in held[1]:
            return False
        return any(
            all(abs(x - y) > 1e-12 for y in other) for one, other in (held, held[::-1]) for x in one
        )
    if a.kind == "values":
        ours, theirs = (dict(zip(s.marks, [value(p, {}) for p in s.parts], strict=True))
                        for s in (a, b))  # fmt: skip
        return ours != theirs
    if a.kind == "order" and a.parts[0] != b.parts[0]:
        return True
    return a.marks != b.marks or any(
        _apart(x, y, at) for x, y in zip(a.parts, b.parts, strict=True)
    )


# mutants


def mutants(made: Statement, rng: random.Random, count: int) -> list[Statement]:
    """Statements that surely differ from one, each by one change."""
    found: list[Statement] = []
    seen: set[Statement] = {made}
    for _ in range(count * 30):
        one = mutant(made, rng)
        if one not in seen and differs(made, one):
            found.append(one)
        seen.add(one)
        if len(found) == count:
            break
    return found


def mutant(made: Statement, rng: random.Random) -> Statement:
    """One change: of sign, variable, exponent, constant, function, relation, or order."""
    if made.kind in ("tuple", "values") and rng.random() < 0.35:
        places = [*range(len(made.parts))]
        i, j = rng.sample(places, 2) if len(places) > 1 else (0, 0)
        places[i], places[j] = places[j], places[i]
        return Statement(made.kind, tuple(made.parts[p] for p in places), made.marks)
    if made.kind == "order" and rng.random() < 0.5:
        change = rng.choice((_TURNED, _OPPOSITE))
        return Statement(made.kind, made.parts, (change[made.marks[0]],))
    if made.kind == "interval" and rng.random() < 0.5:
        flipped = {"(": "[", "[": "(", ")": "]", "]": ")"}
        i = rng.randrange(2)
        marks = tuple(flipped[m] if k == i else m for k, m in enumerate(made.marks))
        return Statement(made.kind, made.parts, marks)
    i = rng.randrange(len(made.parts))
    if made.kind == "interval":
        places = [*made.parts]
        places[i] = ("neg", ("num", 40)) if i == 0 else ("num", rng.randint(25, 60))
        return Statement(made.kind, tuple(places), made.marks)
    places = [*made.parts]
    spots = list(_spots(made.parts[i]))
    places[i] = _changed(made.parts[i], rng.randrange(len(spots)), rng)
    return Statement(made.kind, tuple(places), made.marks)


def _spots(one: Tree) -> Iterator[Tree]:
    yield one
    for part in one[1:]:
        if isinstance(part, tuple):
            yield from _spots(part)


def _changed(one: Tree, spot: int, rng: random.Random) -> Tree:
    if spot == 0:
        return _change(one, rng)
    spot -= 1
    parts = list(one)
    for k, part in enumerate(one):
        if k and isinstance(part, tuple):
            size = len(list(_spots(part)))
            if spot < size:
                parts[k] = _changed(part, spot, rng)
                return tuple(parts)
            spot -= size
    raise AssertionError("no such spot")


def _change(one: Tree, rng: random.Random) -> Tree:
    kind = one[0]
    if kind == "num":
        return ("num", one[1] + rng.choice((-1, 1, 2, 10)) if one[1] > 1 else one[1] + 1)
    if kind == "var":
        return rng.choice((("var", rng.choice(VARIABLES + "zw")), ("neg", one), ("pow", one, 2)))
    if kind == "const":
        return ("const", "e" if one[1] == "pi" else "pi")
    if kind == "add":
        return rng.choice((("sub", one[1], one[2]), ("add", one[1], ("neg", one[2])), one[1],
                           ("mul", one[1], one[2])))  # fmt: skip
    if kind == "sub":
        return rng.choice((("add", one[1], one[2]), ("sub", one[2], one[1]), one[2]))
    if kind == "mul":
        return rng.choice((("add", one[1], one[2]), ("div", one[1], one[2]), one[2]))
    if kind == "div":
        return rng.choice((("div", one[2], one[1]), ("mul", one[1], one[2]), one[1]))
    if kind == "pow":
        return ("pow", one[1], one[2] + rng.choice((-1, 1))) if one[2] > 2 else ("pow", one[1], 3)
    if kind == "powx":
        return ("powx", one[1], ("neg", one[2]))
    if kind == "sqrt":
        return rng.choice((one[1], ("root", one[1], 3)))
    if kind == "root":
        return ("sqrt", one[1])
    if kind == "fn":
        others = [name for name in FUNCTIONS if name != one[1]]
        return rng.choice((("fn", rng.choice(others), one[2]), ("neg", one)))
    return one[1]  # neg


def commuted(one: Tree, rng: random.Random) -> Tree:
    """The same with sums and products in another order."""
    parts = [commuted(p, rng) if isinstance(p, tuple) else p for p in one]
    if one[0] in ("add", "mul") and rng.random() < 0.5:
        parts[1], parts[2] = parts[2], parts[1]
    return tuple(parts)
