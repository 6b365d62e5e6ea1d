"""Proofs by sympy, in the child of `bounded`: what normal forms and floating point leave open.

Loaded by that script alone; imports nothing of the project. Terms come as `terms.wired` writes
them. Equal is what a proof shows, different what values of 50 digits show; else None.
"""

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import sympy

DIGITS = 50
Wire = list[Any]
_SHARES = ("0.61803398874989", "0.75487766624669", "0.56984029099805", "0.41421356237309")
_RANGES = ((0.3, 1.9), (2.1, 6.0), (-3.0, -0.4), (-0.9, 0.9), (7.0, 12.0))
_WHOLE = ((3, 2, 5, 7), (4, 3, 2, 6), (6, 4, 7, 3))


def equal(a: Wire, b: Wire) -> bool | None:
    """Whether two terms are equal wherever both are real (or, with i in them, everywhere)."""
    names = sorted(_names(a) | _names(b))
    is_complex = _has(a, "i") or _has(b, "i")
    real = {name: sympy.Symbol(name, real=True) for name in names}
    one, other = (_read(wire, real).doit() for wire in (a, b))
    if one.has(sympy.nan, sympy.zoo) or other.has(sympy.nan, sympy.zoo):
        return None
    if _vanishes_plainly(one - other):
        return True
    if _differ_somewhere(one, other, [real[name] for name in names], is_complex):
        return False
    if _vanishes(one - other):
        return True
    for assumed in ({"positive": True}, {"positive": True, "integer": True}):
        if names and ("integer" not in assumed or _is_discrete(a) or _is_discrete(b)):
            symbols = {name: sympy.Symbol(name, **assumed) for name in names}
            gap = (_read(a, symbols) - _read(b, symbols)).doit()
            if _vanishes(gap) or _vanishes(sympy.expand_log(gap, force=True)):
                return True
    return None


def _vanishes_plainly(gap: Any) -> bool:
    """Whether little work shows that a term is 0."""
    if gap == 0 or sympy.expand(gap) == 0:
        return True
    return not gap.free_symbols and bool(sympy.sqrtdenest(gap) == 0)


def _vanishes(gap: Any) -> bool:
    if _vanishes_plainly(gap):
        return True
    if not gap.free_symbols:
        return _is_zero(gap)
    for simplify in (sympy.trigsimp, sympy.gammasimp, sympy.simplify):
        gap = simplify(gap)
        if gap == 0:
            return True
    return False


def _is_zero(gap: Any) -> bool:
    """Of a constant: by radicals, else by its minimal polynomial."""
    if sympy.sqrtdenest(sympy.radsimp(gap)) == 0 or sympy.simplify(gap) == 0:
        return True
    return bool(gap.is_algebraic and gap.equals(0))


def _differ_somewhere(one: Any, other: Any, symbols: list[Any], is_complex: bool) -> bool:
    for at in _points(symbols):
        values = [sympy.N(term.subs(at), DIGITS, maxn=300) for term in (one, other)]
        if not all(value.is_number and value.is_finite for value in values):
            continue
        if not is_complex and not all(_is_real(value) for value in values):
            continue
        size = max(abs(value) for value in values)
        if abs(values[0] - values[1]) > size * sympy.Float(10) ** (15 - DIGITS):
            return True
    return False


def _is_real(value: Any) -> bool:
    return bool(abs(sympy.im(value)) <= abs(value) * sympy.Float(10) ** (20 - DIGITS))


def _points(symbols: list[Any]) -> Iterator[dict[Any, Any]]:
    if not symbols:
        yield {}
        return
    for low, high in _RANGES:
        yield {
            s: sympy.Rational(
                str(round(low + (high - low) * float(_SHARES[i % 4]) / (i // 4 + 1), 6))
            )
            for i, s in enumerate(symbols)
        }
    for numbers in _WHOLE:
        yield {s: sympy.Integer(numbers[i % 4]) for i, s in enumerate(symbols)}


def _names(wire: Wire) -> set[str]:
    head, said, parts = wire
    if head == "symbol":
        return {said}
    if head == "big":
        return set().union(*map(_names, parts[1:])) - {parts[0][1]}
    return set().union(*map(_names, parts)) if parts else set()


def _has(wire: Wire, constant: str) -> bool:
    head, said, parts = wire
    return (head == "constant" and said == constant) or any(_has(part, constant) for part in parts)


def _is_discrete(wire: Wire) -> bool:
    """Whether something in a term is defined for whole numbers above all."""
    head, said, parts = wire
    if head == "big" or said in ("factorial", "binom", "gcd", "lcm", "mod", "floor", "ceil"):
        return True
    if head == "power" and parts[0][0] == "number" and Fraction(parts[0][1]) < 0:
        return True
    return any(map(_is_discrete, parts))


_CONSTANTS = {"pi": sympy.pi, "e": sympy.E, "i": sympy.I, "inf": sympy.oo}
_FUNCTIONS = {
    "ln": sympy.log, "abs": sympy.Abs, "factorial": sympy.factorial, "binom": sympy.binomial,
    "floor": sympy.floor, "ceil": sympy.ceiling, "mod": sympy.Mod, "gcd": sympy.gcd,
    "lcm": sympy.lcm, "max": sympy.Max, "min": sympy.Min, "sgn": sympy.sign, "re": sympy.re,
    "im": sympy.im, "sin": sympy.sin, "cos": sympy.cos, "tan": sympy.tan, "cot": sympy.cot,
    "sec": sympy.sec, "csc": sympy.csc, "sinh": sympy.sinh, "cosh": sympy.cosh,
    "tanh": sympy.tanh, "coth": sympy.coth, "arcsin": sympy.asin, "arccos": sympy.acos,
    "arctan": sympy.atan, "arccot": sympy.acot, "arsinh": sympy.asinh, "arcosh": sympy.acosh,
    "artanh": sympy.atanh, "log": sympy.log,
}  # fmt: skip


def _read(wire: Wire, symbols: dict[str, object]) -> Any:
    head, said, parts = wire
    if head == "number":
        return sympy.Rational(said)
    if head == "symbol":
        return symbols[said]
    if head == "constant":
        return _CONSTANTS[said]
    if head == "big":
        return _big(said, parts, symbols)
    read = [_read(part, symbols) for part in parts]
    if head == "sum":
        return sympy.Add(*read)
    if head == "product":
        return sympy.Mul(*read)
    if head == "power":
        return sympy.Pow(*read)
    if said == "root":
        is_odd = read[1].is_Integer and read[1] % 2 == 1
        if is_odd and read[0].is_negative:
            return -sympy.root(-read[0], read[1])
        return sympy.root(*read)
    return _FUNCTIONS[said](*read)


def _big(said: str, parts: list[Wire], symbols: dict[str, object]) -> Any:
    name = parts[0][1]
    is_whole = said in ("sum", "prod")
    variable = sympy.Symbol(name, integer=True) if is_whole else sympy.Symbol(name, real=True)
    inner = {**symbols, name: variable}
    body = _read(parts[-1], inner)
    ends = [_read(part, symbols) for part in parts[1:-1]]
    if said == "lim":
        return sympy.limit(body, variable, ends[0])
    make = {"sum": sympy.Sum, "prod": sympy.Product, "int": sympy.Integral}[said]
    return make(body, (variable, *ends))
