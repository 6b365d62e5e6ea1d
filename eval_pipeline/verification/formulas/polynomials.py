"""Polynomials over the rationals in atoms with rational exponents, exact and bounded.

A monomial is a sorted tuple of (atom, exponent). Atoms are texts: `s:x` a variable, `a:x` its
absolute value, `p:2` a prime (its exponent below 1: a radical), `c:pi` and `c:e`, `i` the imaginary
unit, `f:...` a function that stays as it is, `P:...` a sum below a root. An atom with an exponent
that is no number, as in 2^x, carries it: `p:2^^s:x`.
"""

from fractions import Fraction
from functools import lru_cache
from math import floor, gcd, lcm

Mono = tuple[tuple[str, Fraction], ...]
Poly = dict[Mono, Fraction]

MAX_TERMS = 1500
MAX_WORK = 50_000  # products of monomials for one comparison
MAX_BITS = 100_000
MAX_TEXT = 5_000  # characters of the name of what cannot be taken apart
ONE: Mono = ()


class TooLargeError(ValueError):
    """The polynomial would be larger than its limits."""


class Ring:
    """Arithmetic within a limit of work; it knows which sum each `P:` atom stands for."""

    def __init__(self) -> None:
        self.work = 0
        self.sums: dict[str, Poly] = {}
        self.exponents: dict[str, Mono] = {}

    def product(self, a: Poly, b: Poly) -> Poly:
        """a times b."""
        self.work += len(a) * len(b)
        if self.work > MAX_WORK or len(a) * len(b) > 40 * MAX_TERMS:
            raise TooLargeError("a product has too many terms")
        found: Poly = {}
        for one, x in a.items():
            for other, y in b.items():
                for mono, value in self.joined(one, other).items():
                    found[mono] = found.get(mono, Fraction(0)) + value * x * y
        return checked(found)

    def power(self, base: Poly, exponent: int) -> Poly:
        """base to a whole exponent of 0 or more."""
        found: Poly = {ONE: Fraction(1)}
        if len(base) == 1:
            ((mono, value),) = base.items()
            if (
                exponent * max(value.numerator.bit_length(), value.denominator.bit_length())
                > (MAX_BITS)
                and abs(value) != 1
            ):
                raise TooLargeError("a power is too large")
            raised = tuple((atom, size * exponent) for atom, size in mono)
            return checked({m: v * value**exponent for m, v in self.reduced(raised).items()})
        if exponent > 400:
            raise TooLargeError("a power of a sum is too large")
        while exponent:
            if exponent & 1:
                found = self.product(found, base)
            exponent >>= 1
            if exponent:
                base = self.product(base, base)
        return found

    def joined(self, a: Mono, b: Mono) -> Poly:
        """The product of two monomials."""
        if not a:
            return {b: Fraction(1)}
        if not b:
            return {a: Fraction(1)}
        sizes = dict(a)
        simple = True
        for atom, size in b:
            if atom in sizes:
                sizes[atom] += size
                simple = simple and atom.startswith(("s:", "c:"))
            else:
                sizes[atom] = size
                simple = simple and atom[0] != "a"
        if simple:
            return {tuple(sorted((k, v) for k, v in sizes.items() if v)): Fraction(1)}
        return self.reduced(tuple(sizes.items()))

    def reduced(self, mono: Mono) -> Poly:
        """A monomial with its relations applied: i^2 = -1, |x|^2 = x^2, sqrt(2)^2 = 2."""
        value = Fraction(1)
        sizes: dict[str, Fraction] = {}
        sums: list[tuple[str, int]] = []
        for atom, size in mono:
            if atom == "i" and size.denominator == 1:
                turns = int(size) % 4
                value *= (1, 1, -1, -1)[turns]
                size = Fraction(turns % 2)
            elif atom.startswith("p:") and "^^" not in atom:
                whole = floor(size)
                if abs(whole) * 64 > MAX_BITS * 8:
                    raise TooLargeError("a power is too large")
                value *= Fraction(int(atom[2:])) ** whole
                size -= whole
            elif atom.startswith("a:") and "^^" not in atom:
                even = 2 * (floor(size) // 2)
                sign = "s:" + atom[2:] if not atom[2:].startswith(("P:", "f:")) else atom[2:]
                if even and sign.startswith("P:"):
                    sums.append((sign, even))
                elif even:
                    sizes[sign] = sizes.get(sign, Fraction(0)) + even
                size -= even
            elif atom.startswith("P:") and (whole := floor(size)):
                if whole < 0:
                    raise TooLargeError("a sum below a fraction's line")
                sums.append((atom, whole))
                size -= whole
            if size:
                sizes[atom] = sizes.get(atom, Fraction(0)) + size
        found: Poly = {tuple(sorted((k, v) for k, v in sizes.items() if v)): value}
        for atom, whole in sums:
            found = self.product(found, self.power(self.sums[atom], whole))
        return found


def added(a: Poly, b: Poly, factor: Fraction = Fraction(1)) -> Poly:
    """a plus a factor times b."""
    found = dict(a)
    for mono, value in b.items():
        found[mono] = found.get(mono, Fraction(0)) + factor * value
    return checked(found)


def checked(poly: Poly) -> Poly:
    """Without terms that are 0; raises TooLargeError."""
    found = {mono: value for mono, value in poly.items() if value}
    if len(found) > MAX_TERMS:
        raise TooLargeError("a sum has too many terms")
    if any(v.numerator.bit_length() > 4 * MAX_BITS for v in found.values()):
        raise TooLargeError("a number is too large")
    return found


def text_of(poly: Poly) -> str:
    """One text for each polynomial; raises TooLargeError."""
    said = " + ".join(f"{value}*{mono_text(mono)}" for mono, value in sorted(poly.items()))
    if len(said) > MAX_TEXT:
        raise TooLargeError("a name is too long")
    return said


def mono_text(mono: Mono) -> str:
    """One text for each monomial; raises TooLargeError."""
    said = "·".join(f"{{{atom}}}^{size}" for atom, size in mono)
    if len(said) > MAX_TEXT:
        raise TooLargeError("a name is too long")
    return said


def content(poly: Poly) -> Fraction:
    """The positive rational by which a polynomial is divided to be primitive."""
    top = bottom = 0
    for value in poly.values():
        top = gcd(top, value.numerator)
        bottom = lcm(bottom or 1, value.denominator)
    return Fraction(top, bottom or 1)


def is_settled(poly: Poly) -> bool:
    """Whether a polynomial that is not 0 in its form is not 0 as a function either.

    So it is where its atoms are independent: variables, radicals of primes, i, and one of pi and e.
    """
    atoms = {atom for mono in poly for atom, _ in mono}
    if any("^^" in atom or not atom.startswith(("s:", "p:", "c:", "i")) for atom in atoms):
        return False
    return len(atoms & {"c:pi", "c:e"}) < 2 and "c:inf" not in atoms


@lru_cache(maxsize=4096)
def factors(n: int) -> tuple[tuple[int, int], ...]:
    """The primes of a number with their exponents; raises TooLargeError beyond trial division."""
    found, p = [], 2
    while p * p <= n:
        if p > 20_000:
            raise TooLargeError("a number is too large to factor")
        count = 0
        while n % p == 0:
            n, count = n // p, count + 1
        if count:
            found.append((p, count))
        p += 1 if p == 2 else 2
    if n > 1:
        found.append((n, 1))
    return tuple(found)
