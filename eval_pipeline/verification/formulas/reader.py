r"""One expression, read from its pieces to a term.

The reader descends by precedence: sums, products (those without a sign among them), signs, powers,
what stands behind (5!, x'), atoms. Two conventions part where writers differ: whether 1/2x is half
of x (loose) or one over 2x (tight).
"""

from collections.abc import Callable
from fractions import Fraction

from eval_pipeline.verification.formulas.terms import (
    E,
    I,
    INFINITY,
    MINUS_ONE,
    PI,
    Term,
    UnreadError,
    function,
    negative,
    number,
    power,
    product,
    quotient,
    symbol,
    total,
)
from eval_pipeline.verification.formulas.tokens import ACCENTS, END, Token
from eval_pipeline.verification.numerals import read_number

MAX_DEPTH = 60
_CONSTANTS = {"pi": PI, "e": E, "i": I, "inf": INFINITY}
_INVERSES = {"sin": "arcsin", "cos": "arccos", "tan": "arctan", "cot": "arccot",
             "sinh": "arsinh", "cosh": "arcosh", "tanh": "artanh"}  # fmt: skip
_NAMES = {"asin": "arcsin", "acos": "arccos", "atan": "arctan", "sign": "sgn", "Re": "re",
          "Im": "im"}  # fmt: skip
_CLOSES = {"(": ")", "[": "]", "\\{": "\\}", "{": "}", "⌊": "⌋", "⌈": "⌉", "|": "|"}
_SEVERAL = ("gcd", "lcm", "max", "min")
CALLED = frozenset("fghFGHP")  # letters that may name a function before brackets
_DEGREE = quotient(PI, number(180))


class Reader:
    """Reads terms from pieces; `at` is where it stands."""

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
        is_plain = (
            one.kind == other.kind == "number" and slash.text == "/" and one.spaced
        )
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
        return before.kind == "sign" and before.text in (")", "]")

    def begins_factor(self) -> bool:
        """Whether a factor begins here, so that it is multiplied without a sign."""
        piece = self.piece
        if piece.kind in ("number", "function", "letter", "name"):
            return not self.is_differential()
        if piece.kind == "constant":
            return not piece.text.startswith("set ") and piece.text != "empty"
        if piece.kind == "command":
            return piece.text not in ("\\", "end", "begin")
        if piece.kind == "sign" and piece.text == "|":
            return self.bars == 0
        return piece.kind == "sign" and piece.text in ("(", "[", "{", "⌊", "⌈", "\\{")

    def is_differential(self) -> bool:
        return (
            self.integrals > 0
            and self.piece.text == "d"
            and self.ahead().kind == "letter"
        )

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
            if self.is_sign("!") and not self.ahead().text == "!":
                self.at += 1
                value = function("factorial", value)
            elif self.took("°"):
                value = product(value, _DEGREE)
            else:
                return value

    # atoms

    def atom(self) -> Term:
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
        value = self.expression()
        self.expect("}")
        self.bars = bars
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
            return symbol(f"{name} {inside.name}")
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
            value = reader.expression()
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
