r"""Constants written as arithmetic, to exact rationals: 2^{10} - 1, \frac{10!}{8!}, 3(4 + 5).

A small grammar of its own: nothing is evaluated but + - * / ^ ! and brackets of whole numbers and
decimals, within MAX_BITS. What it cannot read, or would be too large, is None.
"""

import re
from fractions import Fraction
from math import factorial

from eval_pipeline.verification.numbers.numerals import plain

MAX_BITS = 100_000
MAX_FACTORIAL = 5000
MAX_LENGTH = 2000  # characters
MAX_DEPTH = 50
_TOKEN = re.compile(r"\s*(\d+\.\d+|\.\d+|\d+|[-+*/^!()])")
_SIGNS = (
    (re.compile(r"\\(?:left|right|displaystyle)(?![A-Za-z])"), ""),
    (re.compile(r"\\(?:times|cdot|ast)(?![A-Za-z])|[×·⋅]"), "*"),
    (re.compile(r"\\div(?![A-Za-z])|÷"), "/"),
    (re.compile(r"\\[dtc]?frac\s*(\d)\s*(\d)"), r"((\1)/(\2))"),
)
_FRACTION = re.compile(r"\\[dtc]?frac\s*\{([^{}]*)\}\s*\{([^{}]*)\}")


class UnreadError(ValueError):
    """The text is no arithmetic within the limits."""


def value_of(text: str) -> Fraction | None:
    """The exact value of a constant expression, or None where it is none."""
    if len(text) > MAX_LENGTH:
        return None
    try:
        return _Reader(_tokens(text)).whole()
    except UnreadError:
        return None


def _tokens(text: str) -> list[str]:
    text = text.strip().strip("$").strip()
    for pattern, replacement in _SIGNS:
        text = pattern.sub(replacement, text)
    while (opened := _FRACTION.sub(_divided, text)) != text:
        text = _ungrouped(opened)
    text = _ungrouped(text)
    text = plain(text) if not text.isascii() else text
    tokens, at = [], 0
    while match := _TOKEN.match(text, at):
        tokens.append(match[1])
        at = match.end()
    if text[at:].strip() or not tokens:
        raise UnreadError(text)
    return tokens


def _divided(match: re.Match[str]) -> str:
    return f"(({match[1]})/({match[2]}))"


def _ungrouped(text: str) -> str:
    """Braces of LaTeX that group an exponent, as brackets."""
    return re.sub(r"\^\s*\{([^{}]*)\}", r"^(\1)", text)


class _Reader:
    """Descends by precedence: sums, products, signs, powers (to the right), factorials."""

    def __init__(self, tokens: list[str]) -> None:
        self.tokens = tokens
        self.at = 0
        self.depth = 0

    def whole(self) -> Fraction:
        value = self.sum()
        if self.at < len(self.tokens):
            raise UnreadError(self.tokens[self.at])
        return value

    def sum(self) -> Fraction:
        value = self.product()
        while (sign := self.next_of("+-")) is not None:
            other = self.product()
            value = _bounded(value + other if sign == "+" else value - other)
        return value

    def product(self) -> Fraction:
        value = self.signed()
        while True:
            if self.peek() == "(":  # 3(4 + 5)
                value = _bounded(value * self.power())
                continue
            sign = self.next_of("*/")
            if sign is None:
                return value
            other = self.signed()
            if sign == "/" and not other:
                raise UnreadError("division by zero")
            value = _bounded(value * other if sign == "*" else value / other)

    def signed(self) -> Fraction:
        minus = False
        while (sign := self.next_of("+-")) is not None:
            minus ^= sign == "-"
        value = self.power()
        return -value if minus else value

    def power(self) -> Fraction:
        value = self.factorial()
        if self.next_of("^") is None:
            return value
        self.deeper()
        exponent = self.signed()
        self.depth -= 1
        return _power(value, exponent)

    def factorial(self) -> Fraction:
        value = self.single()
        while self.next_of("!") is not None:
            if value.denominator != 1 or not 0 <= value <= MAX_FACTORIAL:
                raise UnreadError("factorial")
            value = _bounded(Fraction(factorial(int(value))))
        return value

    def single(self) -> Fraction:
        token = self.peek()
        self.at += 1
        if token == "(":
            self.deeper()
            value = self.sum()
            self.depth -= 1
            if self.next_of(")") is None:
                raise UnreadError("unclosed")
            return value
        if token is None or not token[-1].isdigit():
            raise UnreadError(token or "end")
        return Fraction(token)

    def deeper(self) -> None:
        self.depth += 1
        if self.depth > MAX_DEPTH:
            raise UnreadError("too deep")

    def peek(self) -> str | None:
        return self.tokens[self.at] if self.at < len(self.tokens) else None

    def next_of(self, signs: str) -> str | None:
        token = self.peek()
        if token is None or token not in signs:
            return None
        self.at += 1
        return token


def _power(base: Fraction, exponent: Fraction) -> Fraction:
    if exponent.denominator != 1 or (not base and exponent <= 0):
        raise UnreadError("power")
    size = max(base.numerator.bit_length(), base.denominator.bit_length())
    if abs(exponent) * size > MAX_BITS and abs(base) not in (0, 1):
        raise UnreadError("too large")
    if abs(base) == 1:
        return base if exponent % 2 else abs(base)
    return base ** int(exponent) if base else base


def _bounded(value: Fraction) -> Fraction:
    if value.numerator.bit_length() + value.denominator.bit_length() > 2 * MAX_BITS:
        raise UnreadError("too large")
    return value
