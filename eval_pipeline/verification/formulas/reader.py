r"""One expression, read from its pieces to a term.

The reader descends by precedence: sums, products (those without a sign among them), signs, powers,
what stands behind (5!, x'), atoms. Two conventions part where writers differ: whether 1/2x is half
of x (loose) or one over 2x (tight).
"""

from fractions import Fraction

from eval_pipeline.verification.formulas.descent import Descent
from eval_pipeline.verification.formulas.terms import (
    IMAGINARY,
    INFINITY,
    MINUS_ONE,
    PI,
    E,
    Term,
    UnreadError,
    function,
    negative,
    number,
    power,
    product,
    quotient,
    shown,
    symbol,
)
from eval_pipeline.verification.formulas.tokens import ACCENTS, Token
from eval_pipeline.verification.numbers.numerals import read_number

_CONSTANTS = {"pi": PI, "e": E, "i": IMAGINARY, "inf": INFINITY}
_INVERSES = {"sin": "arcsin", "cos": "arccos", "tan": "arctan", "cot": "arccot",
             "sinh": "arsinh", "cosh": "arcosh", "tanh": "artanh"}  # fmt: skip
_NAMES = {"asin": "arcsin", "acos": "arccos", "atan": "arctan", "sign": "sgn", "Re": "re",
          "Im": "im"}  # fmt: skip
_CLOSES = {"(": ")", "[": "]", "\\{": "\\}", "{": "}", "⌊": "⌋", "⌈": "⌉", "|": "|"}
_SEVERAL = ("gcd", "lcm", "max", "min")
CALLED = frozenset("fghFGHP")  # letters that may name a function before brackets


class Reader(Descent):
    """Reads terms from pieces."""

    def atom(self) -> Term:
        self.deeper()
        value = self.single()
        self.depth -= 1
        return value

    def single(self) -> Term:
        piece = self.piece
        self.at += 1
        if piece.kind == "number":
            return self.numeral(piece.text)
        if piece.kind == "letter":
            return self.lettered(piece.text)
        if piece.kind == "name":
            return symbol(piece.text)
        if piece.kind == "constant" and piece.text in _CONSTANTS:
            return _CONSTANTS[piece.text]
        if piece.kind == "function":
            return self.called(piece.text)
        if piece.kind == "command":
            return self.commanded(piece.text)
        if piece.kind == "sign" and piece.text in _CLOSES:
            return self.bracketed(piece.text)
        self.at -= 1
        if piece.kind == "text":
            raise UnreadError(f"the words {piece.text!r} stand in the formula", "words_in_formula")
        raise UnreadError(f"{self.here()} stands where a factor should")

    def numeral(self, text: str) -> Term:
        if self.is_sign("_"):
            raise UnreadError("a number has an index")
        if text[-1] == ".":
            text = text[:-1]
        if text.startswith("."):
            text = "0" + text
        found = read_number(text)
        if found is None:
            raise UnreadError(f"the number {text[:60]!r} cannot be read")
        return number(Fraction(found.value))

    def lettered(self, letter: str) -> Term:
        if letter == "e" and not self.is_sign("_", "'"):
            return E
        name = self.indexed(letter)
        if name[0] in CALLED and self.is_sign("(") and not self.piece.spaced:
            return self.applied(name)
        return symbol(name)

    def indexed(self, letter: str) -> str:
        if self.took("_"):
            if self.took("{"):
                inside = []
                while not self.is_sign("}"):
                    if self.piece.kind == "end":
                        raise UnreadError("an index is not closed")
                    inside.append(self.piece.text)
                    self.at += 1
                self.at += 1
                letter += "_" + "".join(inside)
            elif self.piece.kind in ("number", "letter", "text"):
                letter += "_" + self.piece.text
                self.at += 1
            else:
                raise UnreadError(f"the index {self.here()} is not understood")
        while self.took("'"):
            letter += "'"
        return letter

    def applied(self, name: str) -> Term:
        """f(3); a comparison may still take it for a product."""
        self.expect("(")
        return Term("applied", self.several(")"), name)

    def several(self, closing: str) -> tuple[Term, ...]:
        bars, self.bars = self.bars, 0
        found = [self.expression()]
        while self.took(",", ";"):
            found.append(self.expression())
        self.expect(closing)
        self.bars = bars
        return tuple(found)

    def grouped(self) -> Term:
        """What stands in braces."""
        self.expect("{")
        bars, self.bars = self.bars, 0
        value = self.parted_by_command()
        self.expect("}")
        self.bars = bars
        return value

    def parted_by_command(self) -> Term:
        r"""An expression, or two with \over or \choose between them."""
        value = self.expression()
        if self.piece.kind == "command" and self.piece.text in ("over", "choose"):
            is_quotient = self.piece.text == "over"
            self.at += 1
            other = self.expression()
            if is_quotient and other == number(0):
                raise UnreadError("a fraction has the denominator 0")
            return quotient(value, other) if is_quotient else function("binom", value, other)
        return value

    def bracketed(self, opening: str) -> Term:
        bars = self.bars
        self.bars = 1 if opening == "|" else 0
        value = self.expression()
        self.bars = bars
        self.expect(_CLOSES[opening])
        names = {"|": "abs", "⌊": "floor", "⌈": "ceil"}
        return function(names[opening], value) if opening in names else value

    def argument(self) -> Term:
        r"""The argument of a command: braces, or the one piece that LaTeX takes: \frac12."""
        if self.is_sign("{"):
            return self.grouped()
        piece = self.piece
        if piece.kind == "number" and piece.text.isdigit() and len(piece.text) > 1:
            self.pieces = [
                *self.pieces[: self.at],
                Token("number", piece.text[0]),
                Token("number", piece.text[1:]),
                *self.pieces[self.at + 1 :],
            ]
        return self.atom()

    # functions

    def called(self, name: str) -> Term:
        name = _NAMES.get(name, name)
        if name in _SEVERAL:
            closing = _CLOSES.get(self.piece.text)
            if self.piece.kind != "sign" or closing not in (")", "\\}"):
                raise UnreadError(f"{name} stands without its brackets")
            self.at += 1
            return function(name, *self.several(closing))
        base = None
        if name == "log" and self.took("_"):
            base = self.argument()
        exponent = None
        if self.took("^"):
            exponent = self.exponent()
            if exponent == MINUS_ONE and name in _INVERSES:
                name, exponent = _INVERSES[name], None
        value = _function(name, self.functions_argument(), base)
        if exponent is not None:
            return power(value, exponent)
        return value

    def functions_argument(self) -> Term:
        """Brackets, or what stands beside: sin 2x is the sine of 2x."""
        if self.is_sign("(", "[", "{", "|"):
            if self.is_sign("|") and self.bars:
                raise UnreadError("bars stand within bars")
            return self.atom()
        minus = self.signs()
        factors = [self.power()]
        while self.begins_factor() and self.piece.kind != "function":
            if self.is_sign("(", "[", "|") or self.piece.kind == "number":
                break
            factors.append(self.power())
        value = product(*factors)
        if self.is_sign("/") and not self.piece.spaced:  # sin x/2
            self.parted = True
            if self.tight:
                self.at += 1
                value = quotient(value, self.power())
        return negative(value) if minus else value

    def commanded(self, name: str) -> Term:
        if name in ("frac", "dfrac", "tfrac", "cfrac"):
            return self.fraction()
        if name == "sqrt":
            return self.root()
        if name in ("binom", "dbinom", "tbinom"):
            return function("binom", self.argument(), self.argument())
        if name in ACCENTS:
            inside = self.argument()
            if inside.head == "number":
                raise UnreadError(f"\\{name} stands over a number")
            return symbol(f"{name} {shown(inside)}")
        if name in ("sum", "prod"):
            return self.ranged(name)
        if name == "int":
            return self.integral()
        if name == "lim":
            return self.limit()
        raise UnreadError(f"\\{name} is not understood here")

    def fraction(self) -> Term:
        start = self.at
        top, bottom = self.argument(), self.argument()
        said = [piece.text for piece in self.pieces[start : self.at]]
        insides = [text for text in said if text not in "{}"]
        if insides[0] == "d" and "d" in insides[1:]:  # a derivative is no fraction
            if len(insides) == 4 and len(said) == 8:
                return symbol(f"d{insides[1]}/d{insides[3]}")
            raise UnreadError("a derivative is not understood")
        if bottom == number(0):
            raise UnreadError("a fraction has the denominator 0")
        return quotient(top, bottom)

    def root(self) -> Term:
        index = number(2)
        if self.took("["):
            index = self.expression()
            self.expect("]")
        if self.is_sign("("):
            return function("root", self.atom(), index)
        return function("root", self.argument(), index)

    def ranged(self, name: str) -> Term:
        self.expect("_")
        self.expect("{")
        variable = self.atom()
        if variable.head != "symbol" or self.piece.text != "=":
            raise UnreadError(f"the range of \\{name} is not understood")
        self.at += 1
        low = self.expression()
        self.expect("}")
        self.expect("^")
        high = self.exponent()
        if high is None:
            raise UnreadError(f"the range of \\{name} is not understood")
        return Term("big", (variable, low, high, self.signed(self.juxtaposed_quotient)), name)

    def juxtaposed_quotient(self) -> Term:
        value = self.juxtaposed()
        while self.is_sign("*", "/"):
            divides = self.piece.text == "/"
            self.at += 1
            other = self.signed(self.power)
            value = quotient(value, other) if divides else product(value, other)
        return value

    def integral(self) -> Term:
        ends: list[Term] = []
        while self.is_sign("_", "^"):
            self.at += 1
            ends.append(self.grouped() if self.is_sign("{") else self.signed(self.atom))
        self.integrals += 1
        body = number(1) if self.is_differential() else self.expression()
        if not self.is_differential():
            raise UnreadError("an integral has no differential")
        self.integrals -= 1
        variable = symbol(self.ahead().text)
        self.at += 2
        if len(ends) != 2:
            raise UnreadError("an integral without its two ends has no value")
        return Term("big", (variable, *ends, body), "int")

    def limit(self) -> Term:
        self.expect("_")
        self.expect("{")
        variable = self.atom()
        self.expect("->")
        to = self.expression()
        self.expect("}")
        return Term("big", (variable, to, self.signed(self.juxtaposed_quotient)), "lim")


def _function(name: str, value: Term, base: Term | None) -> Term:
    if name == "lg":
        return function("log", value, number(10))
    if name == "log":
        return function("log", value, base) if base else function("log", value)
    if name == "exp":
        return power(E, value)
    if name == "cis":
        return power(E, product(IMAGINARY, value))
    if name == "cbrt":
        return function("root", value, number(3))
    return function(name, value)


def read_term(pieces: list[Token]) -> tuple[Term, ...]:
    """The readings of a whole expression: one, or two where the conventions part.

    Raises UnreadError that names what was not read.
    """
    found: list[Term] = []
    for tight in (False, True):
        reader = Reader(pieces, tight)
        try:
            value = reader.parted_by_command()
        except UnreadError:
            if reader.parted and not tight:
                continue
            raise
        if reader.piece.kind != "end":
            raise UnreadError(f"{reader.here()} is left over after the formula")
        found.append(value)
        if not reader.parted:
            break
    return tuple(found)
