"""The normal form of a term: a quotient of two polynomials in what cannot be taken apart.

Two terms with one form are equal wherever both are real. Trigonometric functions are written by
exponentials, so that their identities are identities of polynomials; roots and logarithms of
products are taken apart as for positive factors, and even powers keep their absolute value.
"""

from dataclasses import dataclass
from fractions import Fraction

from eval_pipeline.verification.formulas.elementary import (
    BY_OTHERS,
    COSINES,
    UndefinedError,
    worked_out,
)
from eval_pipeline.verification.formulas.polynomials import (
    ONE,
    Mono,
    Poly,
    Ring,
    TooLargeError,
    added,
    content,
    factors,
    mono_text,
    text_of,
)
from eval_pipeline.verification.formulas.terms import (
    E,
    Term,
    function,
    negative,
    number,
    power,
    quotient,
)

_RATIONAL_ONE: Poly = {ONE: Fraction(1)}
_HALF = Fraction(1, 2)
_TURN: Mono = (("c:pi", Fraction(1)), ("i", Fraction(1)))


@dataclass(frozen=True)
class Form:
    """A numerator over a denominator."""

    top: Poly
    bottom: Poly

    @property
    def constant(self) -> Fraction | None:
        """Its value where it is a rational number."""
        if not self.top:
            return Fraction(0)
        if self.top.keys() == self.bottom.keys() == {ONE}:
            return self.top[ONE] / self.bottom[ONE]
        return None


class Normal:
    """Brings terms into normal form, within one limit of work."""

    def __init__(self) -> None:
        self.ring = Ring()

    def form(self, term: Term) -> Form:
        """The form of a term; raises TooLargeError, UndefinedError."""
        if term.head == "number":
            return _of({ONE: term.value} if term.value else {})
        if term.head == "symbol":
            return _of({((f"s:{term.name}", Fraction(1)),): Fraction(1)})
        if term.head == "constant":
            atom = "i" if term.name == "i" else f"c:{term.name}"
            return _of({((atom, Fraction(1)),): Fraction(1)})
        if term.head == "sum":
            return self.sum([self.form(part) for part in term.parts])
        if term.head == "product":
            found = _of(_RATIONAL_ONE)
            for part in term.parts:
                found = self.times(found, self.form(part))
            return found
        if term.head == "power":
            return self.power(term.parts[0], term.parts[1])
        if term.head == "function":
            return self.function(term)
        return self.opaque(term)

    # arithmetic of forms

    def sum(self, forms: list[Form]) -> Form:
        found = forms[0]
        for other in forms[1:]:
            if found.bottom == other.bottom:
                found = Form(added(found.top, other.top), found.bottom)
            else:
                crossed = added(
                    self.ring.product(found.top, other.bottom),
                    self.ring.product(other.top, found.bottom),
                )
                found = Form(crossed, self.ring.product(found.bottom, other.bottom))
        return found

    def times(self, a: Form, b: Form) -> Form:
        return self.over(self.ring.product(a.top, b.top), self.ring.product(a.bottom, b.bottom))

    def over(self, top: Poly, bottom: Poly) -> Form:
        """A quotient; a single monomial below the line goes above it."""
        if not bottom:
            raise UndefinedError
        if len(bottom) == 1 and bottom.keys() != {ONE}:
            ((mono, value),) = bottom.items()
            if not any(atom.startswith(("P:", "a:P:")) for atom, _ in mono):
                inverse = tuple((atom, -size) for atom, size in mono)
                above = self.ring.product(top, self.ring.reduced(inverse))
                return Form({m: v / value for m, v in above.items()}, _RATIONAL_ONE)
        if bottom.keys() == {ONE} and bottom[ONE] != 1:
            return Form({m: v / bottom[ONE] for m, v in top.items()}, _RATIONAL_ONE)
        return Form(top, bottom)

    def gap(self, a: Term, b: Term) -> Poly:
        """The numerator of a - b over their common denominator; empty where they are equal."""
        one, other = self.form(a), self.form(b)
        if one.bottom == other.bottom:
            return added(one.top, other.top, Fraction(-1))
        return added(
            self.ring.product(one.top, other.bottom),
            self.ring.product(other.top, one.bottom),
            Fraction(-1),
        )

    # powers

    def power(self, base: Term, exponent: Term) -> Form:
        above = self.form(exponent)
        if base == E:
            return self.exponential(above)
        below = self.form(base)
        size = above.constant
        if size is not None:
            return self.rational_power(below, size, base)
        if above.bottom != _RATIONAL_ONE or len(below.top) != 1 or below.bottom != _RATIONAL_ONE:
            return self.opaque(power(base, exponent))
        ((mono, value),) = below.top.items()
        bases: list[tuple[str, Fraction]] = list(mono)
        if value < 0:
            bases.append(("n:-1", Fraction(1)))
        bases += [(f"p:{p}", Fraction(n)) for p, n in factors(abs(value.numerator))]
        bases += [(f"p:{p}", Fraction(-n)) for p, n in factors(value.denominator)]
        found = _of(_RATIONAL_ONE)
        for one, factor in above.top.items():
            if not one:  # the part of the exponent that is a number
                found = self.times(found, self.rational_power(below, factor, base))
                continue
            raised = [(self.raised(atom, one), times * factor) for atom, times in bases]
            found = self.times(found, _of({tuple(sorted(raised)): Fraction(1)}))
        return found

    def raised(self, atom: str, exponent: Mono) -> str:
        """An atom with a monomial as its exponent."""
        if "^^" in atom:
            atom, _, said = atom.rpartition("^^")
            inner = self.ring.exponents[said]
            (exponent,) = self.ring.joined(inner, exponent)
        said = mono_text(exponent)
        self.ring.exponents[said] = exponent
        return f"{atom}^^{said}"

    def exponential(self, above: Form) -> Form:
        """e to a form."""
        if above.bottom != _RATIONAL_ONE:
            share = content(above.top)
            share = share if min(above.top.items())[1] > 0 else -share
            inside = {m: v / share for m, v in above.top.items()}
            atom = f"c:e^^({text_of(inside)})/({text_of(above.bottom)})"
            return _of({((atom, share),): Fraction(1)})
        found = _of(_RATIONAL_ONE)
        for mono, factor in above.top.items():
            if not mono:
                part: Poly = {(("c:e", factor),): Fraction(1)}
            elif mono == _TURN:
                part = self.unity(factor)
            elif (within := self.logarithm_in(mono)) is not None:  # e^{2 ln x}
                found = self.times(found, self.rational_power(within, factor, None))
                continue
            else:
                part = {((self.raised("c:e", mono), factor),): Fraction(1)}
            found = self.times(found, _of(part))
        return found

    def logarithm_in(self, mono: Mono) -> Form | None:
        """What a monomial is the logarithm of."""
        if len(mono) == 1 and mono[0][0].startswith("f:ln(") and mono[0][1] == 1:
            inside = mono[0][0][5:-1]
            if inside.startswith(("s:", "p:", "c:", "a:")) and "^^" not in inside:
                return _of(self.ring.reduced(((inside, Fraction(1)),)))
        return None

    def unity(self, share: Fraction) -> Poly:
        """e^{i pi share}: radicals for twelfths, else a root of unity of its own."""
        share %= 2
        if 12 % share.denominator:
            sign = 1
            if share >= 1:
                share, sign = share - 1, -1
            return {((f"f:unity{share}", Fraction(1)),): Fraction(sign)}
        twelfths = int(share * 12)
        found: Poly = {}
        for steps, unit in ((twelfths, ()), (twelfths - 6, (("i", Fraction(1)),))):
            steps %= 24
            sign = 1
            if steps > 12:
                steps = 24 - steps
            if steps > 6:
                steps, sign = 12 - steps, -1
            for value, roots in COSINES[steps]:
                mono = tuple(sorted([*unit, *((f"p:{p}", _HALF) for p in roots)]))
                found = added(found, {mono: sign * value})
        return found

    def rational_power(self, below: Form, size: Fraction, base: Term | None) -> Form:
        if not below.top:
            if size <= 0:
                raise UndefinedError
            return below
        top, bottom = below.top, below.bottom
        if size < 0:
            top, bottom, size = bottom, top, -size
        if size.denominator == 1:
            whole = int(size)
            return self.over(self.ring.power(top, whole), self.ring.power(bottom, whole))
        above = self.rooted(top, size, base)
        if bottom == _RATIONAL_ONE:
            return above
        under = self.rooted(bottom, size, None)
        return self.times(above, self.over(under.bottom, under.top))

    def rooted(self, poly: Poly, size: Fraction, base: Term | None) -> Form:
        """A polynomial to a broken exponent above 0."""
        if len(poly) == 1:
            ((mono, value),) = poly.items()
            signed = [atom for atom, _ in mono if not atom.startswith(("p:", "c:", "a:"))]
            if value > 0 and "i" not in signed:
                return self.times(
                    self.primes(value, size),
                    _of(self.ring.reduced(tuple(_rooted_atom(a, n, size) for a, n in mono))),
                )
            if value < 0 and not signed and size.denominator == 2:
                turned = self.rooted({mono: -value}, size, None)
                return self.times(
                    turned, _of(self.ring.reduced((("i", Fraction(size.numerator)),)))
                )
        share = content(poly)
        inside = {m: v / share for m, v in poly.items()}
        atom = f"P:{text_of(inside)}"
        self.ring.sums[atom] = inside
        whole, part = divmod(size, 1)
        found = self.times(self.primes(share, size), _of({((atom, part),): Fraction(1)}))
        return self.times(found, _of(self.ring.power(inside, int(whole))))

    def primes(self, value: Fraction, size: Fraction) -> Form:
        sizes = [(f"p:{p}", n * size) for p, n in factors(value.numerator)]
        sizes += [(f"p:{p}", -n * size) for p, n in factors(value.denominator)]
        return _of(self.ring.reduced(tuple(sizes)))

    # functions

    def function(self, term: Term) -> Form:
        name, parts = term.name, term.parts
        if name == "root":
            return self.root(parts[0], parts[1])
        if name in BY_OTHERS:
            return self.form(BY_OTHERS[name](parts[0]))
        if name in ("ln", "log"):
            below = self.logarithm(self.form(parts[0]))
            if name == "ln":
                return below
            base = self.logarithm(self.form(parts[1])) if len(parts) > 1 else None
            if base is None:
                return self.times(below, _of({(("f:base", Fraction(-1)),): Fraction(1)}))
            return self.times(below, self.over(base.bottom, base.top))
        inside = [self.form(part) for part in parts]
        values = [form.constant for form in inside]
        if None not in values and (known := worked_out(name, [v for v in values if v is not None])):
            return _of({ONE: known[0]} if known[0] else {})
        if name == "abs":
            return self.absolute(inside[0])
        if name in ("arctan", "arcsin", "arsinh", "artanh") and inside[0].top:
            share = min(inside[0].top.items())[1]
            if share < 0:
                return self.form(negative(function(name, negative(parts[0]))))
        return self.opaque(term, inside)

    def root(self, base: Term, index: Term) -> Form:
        size = self.form(index).constant
        if size is None or size.denominator != 1 or size < 1:
            return self.power(base, quotient(number(1), index))
        below = self.form(base)
        if size % 2 and len(below.top) == 1 and below.bottom == _RATIONAL_ONE:
            ((mono, value),) = below.top.items()
            if value < 0:  # an odd root of -8 is -2
                turned = self.rational_power(Form({mono: -value}, below.bottom), 1 / size, None)
                return Form({m: -v for m, v in turned.top.items()}, turned.bottom)
        return self.rational_power(below, 1 / size, base)

    def absolute(self, inside: Form) -> Form:
        if not inside.top:
            return inside
        parts = []
        for poly in (inside.top, inside.bottom):
            if len(poly) == 1:
                ((mono, value),) = poly.items()
                sizes = tuple(_absolute_atom(atom, size) for atom, size in mono)
                if any(atom == "i" for atom, _ in mono):
                    raise TooLargeError("the absolute value of a complex number")
                found = self.ring.reduced(sizes)
                parts.append({m: v * abs(value) for m, v in found.items()})
                continue
            share = content(poly)
            share = share if min(poly.items())[1] > 0 else -share
            prim = {m: v / share for m, v in poly.items()}
            atom = f"P:{text_of(prim)}"
            self.ring.sums[atom] = prim
            parts.append({((f"a:{atom}", Fraction(1)),): abs(share)})
        return self.over(*parts)

    def logarithm(self, inside: Form) -> Form:
        if not inside.top:
            raise UndefinedError
        found = self.logarithm_of(inside.top)
        if inside.bottom == _RATIONAL_ONE:
            return _of(found)
        return _of(added(found, self.logarithm_of(inside.bottom), Fraction(-1)))

    def logarithm_of(self, poly: Poly) -> Poly:
        found: Poly = {}
        if len(poly) == 1:
            ((mono, value),) = poly.items()
        else:
            value = content(poly)
            prim = {m: v / value for m, v in poly.items()}
            mono = ((f"({text_of(prim)})", Fraction(1)),)
        if value < 0 or any(atom == "i" for atom, _ in mono):
            return {((f"f:ln(({text_of(poly)}))", Fraction(1)),): Fraction(1)}
        atoms = [
            *mono,
            *((f"p:{p}", Fraction(n)) for p, n in factors(value.numerator)),
            *((f"p:{p}", Fraction(-n)) for p, n in factors(value.denominator)),
        ]
        for atom, size in atoms:
            below, _, said = atom.rpartition("^^")
            exponent = self.ring.exponents.get(said, ONE) if below else ONE
            below = below or atom
            if said and below and below != atom and exponent == ONE:  # e to a quotient
                raise TooLargeError("a logarithm of a power")
            if below == "c:e":
                found = added(found, {exponent: size})
                continue
            if size.denominator == 1 and size % 2 == 0 and below.startswith(("s:", "f:")):
                below = f"a:{below.removeprefix('s:')}"
            one = ((f"f:ln({below})", Fraction(1)),)
            found = added(found, {m: v * size for m, v in self.ring.joined(one, exponent).items()})
        return found

    def opaque(self, term: Term, inside: list[Form] | None = None) -> Form:
        """What stays as it is: one atom, named by the forms of its parts."""
        forms = inside if inside is not None else [self.form(part) for part in term.parts]
        said = ",".join(f"({text_of(f.top)})/({text_of(f.bottom)})" for f in forms)
        atom = f"f:{term.head if term.head != 'function' else ''}{term.name}[{said}]"
        return _of({((atom, Fraction(1)),): Fraction(1)})


def _of(poly: Poly) -> Form:
    return Form(poly, _RATIONAL_ONE)


def _rooted_atom(atom: str, size: Fraction, exponent: Fraction) -> tuple[str, Fraction]:
    """An atom to a broken exponent: sqrt(x^2) is |x|, sqrt(x^4) is x^2."""
    raised = size * exponent
    is_even = size.denominator == 1 and size % 2 == 0
    if is_even and atom.startswith(("s:", "f:")) and "^^" not in atom:
        if raised.denominator == 1 and raised % 2 == 0:
            return atom, raised
        return f"a:{atom.removeprefix('s:')}", raised
    return atom, raised


def _absolute_atom(atom: str, size: Fraction) -> tuple[str, Fraction]:
    is_positive = atom.startswith(("p:", "c:", "a:", "P:")) or "^^" in atom
    is_even = size.denominator != 1 or size % 2 == 0
    if is_positive or is_even:
        return atom, size
    return f"a:{atom.removeprefix('s:')}", size
