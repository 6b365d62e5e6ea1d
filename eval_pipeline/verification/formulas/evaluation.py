"""Values of terms at points, each with a bound of its rounding: what sets two terms apart surely.

Real terms are evaluated over the reals: where a root or a logarithm is not real, the term has no
value there. With the imaginary unit in them, over the complex numbers, on principal branches.
"""

import cmath
import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from eval_pipeline.verification.formulas.terms import Term, nodes, symbols

_EPSILON = 2.0**-50
_FAR = 1e6  # how many times its error a difference must be, to be one
_HUGE = 1e150
Value = complex | float
# Points for the first, second ... variable: positive ones first, then of both signs, then whole.
_STEPS = (0.6180339887498949, 0.7548776662466927, 0.5698402909980532, 0.4142135623730951)
_RANGES = ((0.3, 1.9), (0.2, 0.95), (2.1, 6.0), (-3.0, -0.4), (-0.9, 0.9), (7.0, 30.0), (1.1, 3.0))
_FAR_RANGES = ((-30.0, -4.0), (30.0, 90.0), (-90.0, -25.0), (-15.0, 15.0))
_WHOLE = ((3, 2, 5, 7, 4, 6), (4, 3, 2, 6, 5, 8), (6, 4, 7, 3, 9, 2), (2, 5, 3, 4, 8, 7))


class NoValueError(ValueError):
    """A term has no value at a point, or none that can be had in floating point."""


@dataclass(frozen=True)
class Ball:
    """A value and a bound of its error."""

    value: Value
    error: float

    def differs(self, other: "Ball") -> bool:
        """Whether two values are surely two."""
        gap = abs(self.value - other.value)
        size = max(abs(self.value), abs(other.value), 1e-30)
        return gap > _FAR * (self.error + other.error) and gap > 1e-9 * size

    @property
    def is_surely_nonzero(self) -> bool:
        return abs(self.value) > _FAR * self.error and abs(self.value) > 1e-9


def points(names: list[str], far: bool = False) -> list[dict[str, float]]:
    """Where terms in some variables are evaluated: the same for the same names.

    far: also at large and at very negative values.
    """
    found: list[dict[str, float]] = []
    for turn in range(3):
        for low, high in (*_RANGES, *(_FAR_RANGES if far else ())):
            at = {}
            for i, name in enumerate(sorted(names)):
                share = ((turn + 1) * _STEPS[i % 4] + (i // 4 + 1) * 0.271828 + low * 0.1) % 1.0
                at[name] = low + (high - low) * share
            found.append(at)
    whole = [
        {name: float(numbers[i % 6]) for i, name in enumerate(sorted(names))} for numbers in _WHOLE
    ]
    return found + whole


def is_complex(*terms: Term) -> bool:
    """Whether the imaginary unit stands in one of the terms."""
    return any(n.head == "constant" and n.name == "i" for term in terms for n in nodes(term))


def value_at(term: Term, at: Mapping[str, float], complex_numbers: bool = False) -> Ball:
    """The value of a term; raises NoValueError."""
    try:
        return _Evaluator(at, complex_numbers).value(term)
    except (OverflowError, ZeroDivisionError, ValueError) as error:
        raise NoValueError(str(error)) from None


def refuted(a: Term, b: Term) -> bool:
    """Whether two terms surely differ at a point where both have a value."""
    is_c = is_complex(a, b)
    names = sorted(symbols(a, b))
    for at in points(names) if names else [{}]:
        try:
            one, other = value_at(a, at, is_c), value_at(b, at, is_c)
        except NoValueError:
            continue
        if one.differs(other):
            return True
    return False


class _Evaluator:
    def __init__(self, at: Mapping[str, float], complex_numbers: bool) -> None:
        self.at = at
        self.is_complex = complex_numbers

    def value(self, term: Term) -> Ball:
        found = self.plainly(term)
        size = abs(found.value)
        if not math.isfinite(size) or size > _HUGE or not math.isfinite(found.error):
            raise NoValueError("too large")
        return found

    def plainly(self, term: Term) -> Ball:
        head = term.head
        if head == "number":
            value = float(term.value)
            return Ball(value, abs(value) * _EPSILON)
        if head == "symbol":
            return Ball(self.at[term.name], 0.0)
        if head == "constant":
            return self.constant(term.name)
        if head == "sum":
            parts = [self.value(part) for part in term.parts]
            added: Value = sum((part.value for part in parts), 0.0)
            size = sum(abs(part.value) for part in parts)
            return Ball(added, sum(part.error for part in parts) + size * _EPSILON)
        if head == "product":
            found = Ball(1.0, 0.0)
            for part in term.parts:
                found = _times(found, self.value(part))
            return found
        if head == "power":
            return self.power(self.value(term.parts[0]), self.value(term.parts[1]), term.parts[1])
        if head == "function":
            return self.function(term)
        raise NoValueError(f"{head} is not evaluated here")

    def constant(self, name: str) -> Ball:
        if name == "i":
            return Ball(1j, 0.0)
        if name not in ("pi", "e"):
            raise NoValueError(name)
        value = math.pi if name == "pi" else math.e
        return Ball(value, value * _EPSILON)

    def power(self, base: Ball, exponent: Ball, said: Term) -> Ball:
        x, y = base.value, exponent.value
        if said.head == "number" and said.value.denominator == 1 and abs(said.value) < 1000:
            n = int(said.value)
            if n < 0 and abs(x) <= _FAR * base.error:
                raise NoValueError("near a pole")
            value = x**n
            slope = abs(n) * (abs(x) ** (n - 1) if n != 1 else 1.0) if n else 0.0
            return _ball(value, 2 * slope * base.error)
        is_whole = isinstance(y, float) and y.is_integer() and not exponent.error
        is_zero = x == 0 and not base.error
        is_bare = not self.is_complex and not is_zero and not is_whole
        if is_bare and (isinstance(x, complex) or x <= _FAR * base.error):
            raise NoValueError("a root of a negative number")
        if x == 0:
            if isinstance(y, complex) or y <= 0:
                raise NoValueError("0 to a power that is not positive")
            return Ball(0.0, 0.0)
        if abs(x) <= _FAR * base.error:
            raise NoValueError("near a branch")
        if isinstance(x, complex) and abs(x.imag) <= _FAR * base.error and x.real < 0:
            raise NoValueError("on a branch")
        value = x**y
        if isinstance(value, complex) and not self.is_complex:
            raise NoValueError("not real")
        relative = abs(y) * base.error / abs(x) + abs(cmath.log(x)) * exponent.error
        return _ball(value, 2 * abs(value) * (relative + _EPSILON * (1 + abs(y))))

    def function(self, term: Term) -> Ball:
        name = term.name
        parts = [self.value(part) for part in term.parts]
        if name == "root":
            return self.root(parts[0], parts[1], term)
        if name == "log":
            if len(parts) < 2:
                raise NoValueError("the base of a logarithm is not said")
            return _times(self.single("ln", parts[0]), _inverse(self.single("ln", parts[1])))
        if len(parts) == 1:
            return self.single(name, parts[0])
        return self.several(name, parts)

    def root(self, x: Ball, n: Ball, term: Term) -> Ball:
        index = n.value
        if x.value == 0 and not x.error:
            return x
        if isinstance(x.value, float) and isinstance(index, float) and x.value < 0:
            if index.is_integer() and index % 2 and not self.is_complex:
                turned = self.root(Ball(-x.value, x.error), n, term)
                return Ball(-turned.value, turned.error)
            if index == 2 and self.is_complex:
                turned = self.root(Ball(-x.value, x.error), n, term)
                return Ball(1j * turned.value, turned.error)
        return self.power(x, _inverse(n), Term("symbol"))

    def single(self, name: str, x: Ball) -> Ball:
        if name in _JUMPS:
            return _JUMPS[name](x)
        if name in _BY_SLOPE:
            work = _BY_SLOPE[name]
            value, slope = work(x.value, self.is_complex)
            return _ball(value, 2 * abs(slope) * x.error + abs(slope * x.value) * _EPSILON)
        raise NoValueError(f"{name} is not evaluated here")

    def several(self, name: str, parts: list[Ball]) -> Ball:
        values = [part.value for part in parts]
        if any(isinstance(value, complex) for value in values):
            raise NoValueError("complex numbers have no order")
        reals = [float(v.real) for v in values]
        error = max(part.error for part in parts)
        if name in ("max", "min"):
            return Ball(max(reals) if name == "max" else min(reals), error)
        if name == "mod" and reals[1]:
            value = reals[0] % reals[1]
            if min(value, abs(reals[1]) - value) < 1e-6 and error:
                raise NoValueError("near a jump")
            return _ball(value, 2 * error)
        if name in ("gcd", "lcm") and all(v.is_integer() for v in reals) and len(reals) == 2:
            whole = [int(v) for v in reals]
            return Ball(float(math.gcd(*whole) if name == "gcd" else math.lcm(*whole)), 0.0)
        if name == "binom":
            n, k = reals
            over = math.gamma(k + 1) * math.gamma(n - k + 1)
            value = math.gamma(n + 1) / over
            return _ball(value, abs(value) * (1e-12 + 100 * error))
        raise NoValueError(f"{name} is not evaluated here")


def _ball(value: Value, error: float) -> Ball:
    return Ball(value, error + abs(value) * _EPSILON)


def _times(a: Ball, b: Ball) -> Ball:
    error = abs(a.value) * b.error + abs(b.value) * a.error + a.error * b.error
    return _ball(a.value * b.value, error)


def _inverse(x: Ball) -> Ball:
    if abs(x.value) <= _FAR * x.error or x.value == 0:
        raise NoValueError("near a pole")
    return _ball(1 / x.value, 2 * x.error / abs(x.value) ** 2)


def _floor(x: Ball) -> Ball:
    if isinstance(x.value, complex):
        raise NoValueError("complex numbers have no order")
    near = round(x.value)
    if x.error and abs(x.value - near) <= _FAR * x.error + 1e-9:
        raise NoValueError("near a jump")
    return Ball(float(math.floor(x.value)), 0.0)


def _ceil(x: Ball) -> Ball:
    found = _floor(Ball(-x.value, x.error))
    return Ball(-found.value, 0.0)


def _sgn(x: Ball) -> Ball:
    if isinstance(x.value, complex) or abs(x.value) <= _FAR * x.error:
        raise NoValueError("near a jump")
    return Ball(float((x.value > 0) - (x.value < 0)), 0.0)


def _factorial(x: Ball) -> Ball:
    if isinstance(x.value, complex) or x.value < 0 or x.value > 150:
        raise NoValueError("a factorial that is not evaluated")
    value = math.gamma(x.value + 1)
    return _ball(value, value * (1e-13 + 10 * x.error))


_JUMPS: dict[str, Callable[[Ball], Ball]] = {
    "abs": lambda x: Ball(abs(x.value), x.error),
    "floor": _floor,
    "ceil": _ceil,
    "sgn": _sgn,
    "factorial": _factorial,
    "re": lambda x: Ball(complex(x.value).real, x.error),
    "im": lambda x: Ball(complex(x.value).imag, x.error),
}


def _logarithm(x: Value, is_complex_: bool) -> tuple[Value, Value]:
    if isinstance(x, complex) or x < 0:
        if not is_complex_:
            raise NoValueError("a logarithm of a negative number")
        return cmath.log(x), 1 / x
    return math.log(x), 1 / x


def _smooth(
    real: Callable[[float], float],
    general: Callable[[complex], complex],
    slope: Callable[[complex], complex],
) -> Callable[[Value, bool], tuple[Value, Value]]:
    def work(x: Value, is_complex_: bool) -> tuple[Value, Value]:
        if isinstance(x, complex):
            return general(x), slope(x)
        if is_complex_:
            try:
                return real(x), slope(complex(x))
            except ValueError:
                return general(x), slope(complex(x))
        return real(x), slope(complex(x))

    return work


_BY_SLOPE: dict[str, Callable[[Value, bool], tuple[Value, Value]]] = {
    "ln": _logarithm,
    "sin": _smooth(math.sin, cmath.sin, cmath.cos),
    "cos": _smooth(math.cos, cmath.cos, cmath.sin),
    "tan": _smooth(math.tan, cmath.tan, lambda x: 1 / cmath.cos(x) ** 2),
    "cot": _smooth(
        lambda x: 1 / math.tan(x), lambda x: 1 / cmath.tan(x), lambda x: 1 / cmath.sin(x) ** 2
    ),
    "sec": _smooth(
        lambda x: 1 / math.cos(x),
        lambda x: 1 / cmath.cos(x),
        lambda x: cmath.sin(x) / cmath.cos(x) ** 2,
    ),
    "csc": _smooth(
        lambda x: 1 / math.sin(x),
        lambda x: 1 / cmath.sin(x),
        lambda x: cmath.cos(x) / cmath.sin(x) ** 2,
    ),
    "sinh": _smooth(math.sinh, cmath.sinh, cmath.cosh),
    "cosh": _smooth(math.cosh, cmath.cosh, cmath.sinh),
    "tanh": _smooth(math.tanh, cmath.tanh, lambda x: 1 / cmath.cosh(x) ** 2),
    "coth": _smooth(
        lambda x: 1 / math.tanh(x), lambda x: 1 / cmath.tanh(x), lambda x: 1 / cmath.sinh(x) ** 2
    ),
    "arcsin": _smooth(math.asin, cmath.asin, lambda x: 1 / cmath.sqrt(1 - x * x)),
    "arccos": _smooth(math.acos, cmath.acos, lambda x: 1 / cmath.sqrt(1 - x * x)),
    "arctan": _smooth(math.atan, cmath.atan, lambda x: 1 / (1 + x * x)),
    "arccot": _smooth(
        lambda x: math.pi / 2 - math.atan(x),
        lambda x: math.pi / 2 - cmath.atan(x),
        lambda x: 1 / (1 + x * x),
    ),
    "arsinh": _smooth(math.asinh, cmath.asinh, lambda x: 1 / cmath.sqrt(1 + x * x)),
    "arcosh": _smooth(math.acosh, cmath.acosh, lambda x: 1 / cmath.sqrt(x * x - 1)),
    "artanh": _smooth(math.atanh, cmath.atanh, lambda x: 1 / (1 - x * x)),
}
