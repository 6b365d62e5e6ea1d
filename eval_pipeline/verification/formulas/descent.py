"""Sums, products, signs and powers, by their precedence; atoms are read by `reader`."""

from collections.abc import Callable

from eval_pipeline.verification.formulas.terms import (
    PI,
    Term,
    UnreadError,
    function,
    negative,
    number,
    power,
    product,
    quotient,
    total,
)
from eval_pipeline.verification.formulas.tokens import END, Token

MAX_DEPTH = 100
_DEGREE = quotient(PI, number(180))


class Descent:
    """Sums, products and powers of atoms; `at` is where it stands among the pieces."""

    def __init__(self, pieces: list[Token], tight: bool = False) -> None:
        self.pieces = pieces
        self.at = 0
        self.tight = tight
        self.parted = False  # whether the two conventions parted
        self.depth = 0
        self.bars = 0
        self.integrals = 0

    # pieces

    @property
    def piece(self) -> Token:
        return self.pieces[self.at] if self.at < len(self.pieces) else END

    def ahead(self, steps: int = 1) -> Token:
        return self.pieces[self.at + steps] if self.at + steps < len(self.pieces) else END

    def is_sign(self, *signs: str) -> bool:
        return self.piece.kind == "sign" and self.piece.text in signs

    def took(self, *signs: str) -> bool:
        if self.is_sign(*signs):
            self.at += 1
            return True
        return False

    def expect(self, sign: str) -> None:
        if not self.took(sign):
            raise UnreadError(f"{sign!r} is missing before {self.here()}")

    def here(self) -> str:
        return repr(self.piece.text) if self.piece.kind != "end" else "the end"

    def atom(self) -> Term:
        """A number, a letter, a function, or what stands in brackets."""
        raise NotImplementedError

    def numeral(self, text: str) -> Term:
        """The number that digits say."""
        raise NotImplementedError

    def grouped(self) -> Term:
        """What stands in braces."""
        raise NotImplementedError

    def deeper(self) -> None:
        self.depth += 1
        if self.depth > MAX_DEPTH:
            raise UnreadError("brackets go too deep")

    # sums and products

    def expression(self) -> Term:
        """A sum of products, up to what belongs to no expression."""
        self.deeper()
        terms = [self.term()]
        while self.is_sign("+", "-"):
            minus = self.piece.text == "-"
            self.at += 1
            term = self.term()
            terms.append(negative(term) if minus else term)
        self.depth -= 1
        return total(*terms)

    def term(self) -> Term:
        """A product, with quotients and remainders; a leading sign is minus the whole."""
        minus = self.signs()
        value = self.juxtaposed()
        while True:
            if self.took("*"):
                value = product(value, self.signed(self.power))
                value = self.with_implicit(value, False)
            elif self.took("/"):
                value = self.divided(value)
            elif self.took("mod"):
                value = function("mod", value, self.signed(self.juxtaposed))
            else:
                return negative(value) if minus else value

    def divided(self, value: Term) -> Term:
        bottom = self.signed(self.power)
        if not self.begins_factor():
            return quotient(value, bottom)
        if self.piece.spaced:  # 1/2 x
            return self.with_implicit(quotient(value, bottom), False)
        self.parted = True  # 1/2x
        if self.tight:
            return quotient(value, self.with_implicit(bottom, False))
        return self.with_implicit(quotient(value, bottom), False)

    def juxtaposed(self) -> Term:
        """Factors side by side: 2x, 3(4 + 5), x\\sin y."""
        first = self.piece
        value = self.power()
        return self.with_implicit(value, first.kind == "number" and self.at > 0)

    def with_implicit(self, value: Term, after_number: bool) -> Term:
        factors = [value]
        if after_number and self.pieces[self.at - 1].kind == "number" and value.head == "number":
            factors = [self.mixed(value)]
        while self.begins_factor():
            if self.piece.kind == "number" and not self.after_bracket():
                raise UnreadError(f"{self.here()} stands beside another factor without a sign")
            factors.append(self.power())
        return product(*factors)

    def mixed(self, whole: Term) -> Term:
        """2\\frac{1}{3} and 2 1/3: a whole number beside a proper fraction is their sum."""
        is_frac = self.piece.kind == "command" and self.piece.text.endswith("frac")
        one, slash, other = self.piece, self.ahead(), self.ahead(2)
        is_plain = one.kind == other.kind == "number" and slash.text == "/" and one.spaced
        if whole.value.denominator != 1 or not (is_frac or is_plain):
            return whole
        start = self.at
        if is_plain:
            self.at += 3
            part = quotient(self.numeral(one.text), self.numeral(other.text))
        else:
            part = self.atom()
        if part.head != "number":
            self.at = start
            return whole
        if not 0 < part.value < 1:
            raise UnreadError("a whole number stands beside an improper fraction")
        return number(whole.value + part.value)

    def after_bracket(self) -> bool:
        before = self.pieces[self.at - 1]
        return before.kind == "sign" and before.text in (")", "]", "!")

    def begins_factor(self) -> bool:
        """Whether a factor begins here, so that it is multiplied without a sign."""
        piece = self.piece
        if piece.kind in ("number", "function", "letter", "name"):
            return not self.is_differential()
        if piece.kind == "constant":
            return not piece.text.startswith("set ") and piece.text != "empty"
        if piece.kind == "command":
            return piece.text not in ("\\", "end", "begin", "over", "choose")
        if piece.kind == "sign" and piece.text == "|":
            return self.bars == 0
        return piece.kind == "sign" and piece.text in ("(", "[", "{", "⌊", "⌈", "\\{")

    def is_differential(self) -> bool:
        return self.integrals > 0 and self.piece.text == "d" and self.ahead().kind == "letter"

    def signs(self) -> bool:
        minus = False
        seen = 0
        while self.is_sign("+", "-"):
            minus ^= self.piece.text == "-"
            self.at += 1
            seen += 1
        if seen > 1:
            raise UnreadError("two signs stand side by side")
        return minus

    def signed(self, read: Callable[[], Term]) -> Term:
        minus = self.signs()
        value = read()
        return negative(value) if minus else value

    # powers and what stands behind

    def power(self) -> Term:
        return self.raised(self.postfixed(self.atom()))

    def raised(self, base: Term) -> Term:
        if not self.took("^"):
            return base
        if self.took("°"):
            return product(base, _DEGREE)
        exponent = self.exponent()
        if exponent is None:
            return product(base, _DEGREE)
        raised = power(base, exponent)
        if self.is_sign("^"):
            raise UnreadError("a power of a power needs brackets")
        return self.postfixed(raised)

    def exponent(self) -> Term | None:
        """What is raised; None for the sign of degrees."""
        if self.is_sign("{") and self.ahead().text == "°" and self.ahead(2).text == "}":
            self.at += 3
            return None
        self.deeper()
        if self.is_sign("{"):
            value = self.grouped()
        else:
            value = self.signed(lambda: self.postfixed(self.atom()))
            if self.took("^"):  # 2^3^2
                inner = self.exponent()
                if inner is None:
                    raise UnreadError("degrees stand in an exponent")
                value = power(value, inner)
        self.depth -= 1
        return value

    def postfixed(self, value: Term) -> Term:
        while True:
            if self.is_sign("!") and self.ahead().text != "!":
                self.at += 1
                value = function("factorial", value)
            elif self.took("°"):
                value = product(value, _DEGREE)
            else:
                return value
