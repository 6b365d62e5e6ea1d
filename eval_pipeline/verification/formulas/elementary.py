"""What is known of single functions: by which others they are written, and their exact values."""

from collections.abc import Callable
from fractions import Fraction
from math import comb, factorial, gcd, lcm

from eval_pipeline.verification.formulas.terms import (
    IMAGINARY,
    E,
    Term,
    UnreadError,
    negative,
    number,
    power,
    product,
    quotient,
    total,
)

MAX_FACTORIAL = 5000
_HALF = Fraction(1, 2)
COSINES: dict[
    int, tuple[tuple[Fraction, tuple[int, ...]], ...]
] = {  # of pi/12 * k, as (coefficient, primes below the root)
    0: ((Fraction(1), ()),),
    1: ((Fraction(1, 4), (2, 3)), (Fraction(1, 4), (2,))),
    2: ((_HALF, (3,)),),
    3: ((_HALF, (2,)),),
    4: ((_HALF, ()),),
    5: ((Fraction(1, 4), (2, 3)), (Fraction(-1, 4), (2,))),
    6: (),
}


class UndefinedError(UnreadError):
    """A term has no value anywhere: it divides by 0."""

    def __init__(self) -> None:
        super().__init__("a division by 0 has no value", "undefined")


def _exponentials(x: Term, factor: Term, sign: int) -> Term:
    """e^{factor x} + sign e^{-factor x}."""
    turned = product(factor, x)
    return total(power(E, turned), product(number(sign), power(E, negative(turned))))


def _sine(x: Term) -> Term:
    return quotient(_exponentials(x, IMAGINARY, -1), product(number(2), IMAGINARY))


def _cosine(x: Term) -> Term:
    return quotient(_exponentials(x, IMAGINARY, 1), number(2))


def _sinh(x: Term) -> Term:
    return quotient(_exponentials(x, number(1), -1), number(2))


def _cosh(x: Term) -> Term:
    return quotient(_exponentials(x, number(1), 1), number(2))


BY_OTHERS: dict[str, Callable[[Term], Term]] = {
    "sin": _sine,
    "cos": _cosine,
    "tan": lambda x: quotient(_sine(x), _cosine(x)),
    "cot": lambda x: quotient(_cosine(x), _sine(x)),
    "sec": lambda x: quotient(number(1), _cosine(x)),
    "csc": lambda x: quotient(number(1), _sine(x)),
    "sinh": _sinh,
    "cosh": _cosh,
    "tanh": lambda x: quotient(_sinh(x), _cosh(x)),
    "coth": lambda x: quotient(_cosh(x), _sinh(x)),
}


def worked_out(name: str, values: list[Fraction]) -> tuple[Fraction] | None:
    """The value of a function of rational numbers, where it is rational and small."""
    x = values[0]
    whole = [int(v) for v in values]
    are_whole = all(v.denominator == 1 for v in values)
    if name == "abs":
        return (abs(x),)
    if name == "floor":
        return (Fraction(x.numerator // x.denominator),)
    if name == "ceil":
        return (Fraction(-(-x.numerator // x.denominator)),)
    if name in ("sgn",):
        return (Fraction((x > 0) - (x < 0)),)
    if name == "max":
        return (max(values),)
    if name == "min":
        return (min(values),)
    if name == "mod":
        if not values[1]:
            raise UndefinedError
        return (x % values[1],)
    if not are_whole:
        return None
    if name == "factorial" and 0 <= x <= MAX_FACTORIAL:
        return (Fraction(factorial(whole[0])),)
    if name == "binom" and 0 <= values[1] <= x <= MAX_FACTORIAL:
        return (Fraction(comb(*whole)),)
    if name == "gcd":
        return (Fraction(gcd(*whole)),)
    if name == "lcm":
        return (Fraction(lcm(*whole)),)
    return None
