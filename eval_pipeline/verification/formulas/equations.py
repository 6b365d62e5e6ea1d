"""Whether two equations or inequalities in several variables say the same.

Equal they are where the difference of the sides of one is a non-zero multiple of the other's (a
positive one for inequalities, or the relation turned). Different they surely are where a point
fulfils one and not the other.
"""

from collections.abc import Iterator, Mapping
from fractions import Fraction

from eval_pipeline.verification.formulas.equality import Oracle, decided
from eval_pipeline.verification.formulas.evaluation import NoValueError, points, value_at
from eval_pipeline.verification.formulas.normal import Normal
from eval_pipeline.verification.formulas.polynomials import ONE, Poly, TooLargeError
from eval_pipeline.verification.formulas.ranges import TURNED
from eval_pipeline.verification.formulas.terms import (
    Term,
    UnreadError,
    nodes,
    number,
    product,
    symbols,
)

_GRID = sorted(
    [
        *(k / 4 + 0.0137 for k in range(-60, 61)),
        *(s * 20.37 * 2**k for k in range(12) for s in (1, -1)),
    ]
)
_STEPS = 60
_NEAR = 1e-8


def equal_equations(a: Term, b: Term, oracle: Oracle) -> bool | None:
    """Whether a = 0 and b = 0 say the same."""
    found = _proportional(a, b)
    if found is not None:
        return found != 0
    if _apart(a, b) or _apart(b, a):
        return False
    factor = _factor_at_points(a, b)
    if factor is not None and decided(a, product(number(factor), b), oracle):
        return True
    return None


def equal_inequalities(a: Term, sign: str, b: Term, other: str, oracle: Oracle) -> bool | None:
    """Whether a sign 0 and b other 0 say the same, of one of < > <= >= !=."""
    factor = _proportional(a, b)
    if factor is None:
        factor = _factor_at_points(a, b)
        if factor is not None and not decided(a, product(number(factor), b), oracle):
            factor = None
    if factor is not None and factor != 0:
        turned = other if factor > 0 else TURNED[other]
        return sign == turned
    names = sorted(symbols(a, b))
    for at in points(names, far=True):
        truths = [_holds(one, said, at) for one, said in ((a, sign), (b, other))]
        if None not in truths and truths[0] != truths[1]:
            return False
    return None


def _holds(term: Term, sign: str, at: Mapping[str, float]) -> bool | None:
    try:
        ball = value_at(term, at)
    except NoValueError:
        return None
    if isinstance(ball.value, complex) or not ball.is_surely_nonzero:
        return None
    if sign == "!=":
        return True
    return (ball.value > 0) == (sign in (">", ">="))


def _proportional(a: Term, b: Term) -> Fraction | None:
    """The factor between two terms where it is a rational number; None where it is none.

    Denominators that are a product of variables may be multiplied away where their zeros are none
    of the equation's: xy = 1 is y = 1/x.
    """
    try:
        normal = Normal()
        one, other = normal.form(a), normal.form(b)
        ring = normal.ring
        left, right = ring.product(one.top, other.bottom), ring.product(other.top, one.bottom)
        if (found := _ratio(left, right)) is not None:
            return found
        cleared = [_cleared(poly) for poly in (one.top, other.top)]
        if one.bottom == other.bottom == {ONE: Fraction(1)} and cleared != [one.top, other.top]:
            return _ratio(*cleared)
    except (TooLargeError, UnreadError):
        return None
    return None


def _ratio(a: Poly, b: Poly) -> Fraction | None:
    if not a or not b:
        return None
    if a.keys() != b.keys():
        return None
    factors = {a[mono] / b[mono] for mono in a}
    return factors.pop() if len(factors) == 1 else None


def _cleared(poly: Poly) -> Poly:
    """Times the variables below the line, where no zero of theirs becomes a root."""
    lowest: dict[str, Fraction] = {}
    for mono in poly:
        for atom, size in mono:
            if atom.startswith("s:") and size < 0:
                lowest[atom] = min(size, lowest.get(atom, Fraction(0)))
    if not lowest:
        return poly
    found: Poly = {}
    for mono, value in poly.items():
        sizes = dict(mono)
        for atom, size in lowest.items():
            sizes[atom] = sizes.get(atom, Fraction(0)) - size
        found[tuple(sorted((k, v) for k, v in sizes.items() if v))] = value
    for atom in lowest:  # at the zero of what was multiplied, a constant must be left
        if {mono for mono in found if atom not in dict(mono)} != {ONE}:
            return poly
    return found


def _factor_at_points(a: Term, b: Term) -> Fraction | None:
    """The factor that two terms have at some points, where it is one small fraction."""
    found: set[Fraction] = set()
    for at in points(sorted(symbols(a, b)))[:6]:
        try:
            one, other = value_at(a, at), value_at(b, at)
        except NoValueError:
            continue
        if isinstance(one.value, complex) or isinstance(other.value, complex) or not other.value:
            return None
        exact = one.value / other.value
        near = Fraction(exact).limit_denominator(1000)
        if abs(float(near) - exact) > 1e-9 * abs(exact):
            return None
        found.add(near)
    return found.pop() if len(found) == 1 and 0 not in found else None


def _apart(a: Term, b: Term) -> bool:
    """Whether a point fulfils b = 0 and surely not a = 0."""
    if any(n.head == "constant" and n.name in ("i", "inf") for t in (a, b) for n in nodes(t)):
        return False
    for seen, (at, name) in enumerate(_roots(b, sorted(symbols(a, b)))):
        try:
            ball = value_at(a, at)
            beside = value_at(a, {**at, name: at[name] * (1 + _NEAR) + _NEAR})
        except NoValueError:
            continue
        if not isinstance(ball.value, complex) and not isinstance(beside.value, complex):
            moved = abs(ball.value)  # more than what the root's own error can make
            if moved > 100 * abs(beside.value - ball.value) and moved > 1e6 * ball.error:
                return True
        if seen > 12:
            break
    return False


def _roots(term: Term, names: list[str]) -> Iterator[tuple[dict[str, float], str]]:
    """Points where a term is 0, to the last digits, and the variable that was moved to be there."""
    own = sorted(symbols(term))
    for at in points(names)[: 3 if len(own) == 1 else 7]:
        for name in own[:2]:
            last: tuple[float, float] | None = None
            count = 0
            for x in _GRID:
                y = _real(term, {**at, name: x})
                if y is not None and last is not None and (y > 0) != (last[1] > 0):
                    root = _bisected(term, at, name, last[0], x)
                    if root is not None:
                        yield {**at, name: root}, name
                        count += 1
                        if count > 3:
                            break
                last = (x, y) if y is not None else None


def _bisected(
    term: Term, at: Mapping[str, float], name: str, low: float, high: float
) -> float | None:
    start = _real(term, {**at, name: low})
    if start is None:
        return None
    edge = abs(start)
    for _ in range(_STEPS):
        middle = (low + high) / 2
        y = _real(term, {**at, name: middle})
        if y is None:
            return None
        edge = abs(y)
        if (y > 0) == (start > 0):
            low = middle
        else:
            high = middle
    return middle if edge < 1e-7 * (1 + abs(start)) else None  # else it is a pole


def _real(term: Term, at: Mapping[str, float]) -> float | None:
    try:
        value = value_at(term, at).value
    except NoValueError:
        return None
    return None if isinstance(value, complex) else float(value)
