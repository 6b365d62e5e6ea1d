"""What an answer says, read whole: a value, a relation, several things, a label, or words.

Every reader raises UnreadError that names the piece which it does not understand; what is
understood in part is not read.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from eval_pipeline.verification.formulas.equality import Readings
from eval_pipeline.verification.formulas.geometry import read_name
from eval_pipeline.verification.formulas.named_sides import named_function
from eval_pipeline.verification.formulas.quantities import Measure, read_measure
from eval_pipeline.verification.formulas.reader import read_term
from eval_pipeline.verification.formulas.specials import Special, infinite, read_special
from eval_pipeline.verification.formulas.splitting import (
    dressed_for_reading,
    joined_digits,
    outer_brackets,
    parted,
    relations,
    without_texts,
)
from eval_pipeline.verification.formulas.terms import Term, UnreadError, number
from eval_pipeline.verification.formulas.tokens import FUNCTIONS, MAX_LENGTH, tokens
from eval_pipeline.verification.numbers.numeric import Numeric

MAX_DEPTH = 12


@dataclass(frozen=True)
class Value:
    """One expression in its readings, or a measure (number, unit, words); often both."""

    text: str
    readings: Readings = ()
    measure: Measure = field(default=Measure())

    @property
    def is_doubtful(self) -> bool:
        """Whether 2e-5 may be a power of ten, or twice Euler's number minus 5."""
        return _EULER_OR_TEN.fullmatch(self.text) is not None


@dataclass(frozen=True)
class Relation:
    """Sides and the signs between them; the first side is None in `≥ 4`."""

    sides: tuple["Statement | None", ...]
    signs: tuple[str, ...]


@dataclass(frozen=True)
class Congruence:
    """Two sides that leave one remainder; the left one is None in `2 (mod 7)`."""

    left: "Statement | None"
    right: "Statement"
    modulus: "Statement"


@dataclass(frozen=True)
class Several:
    """Parts within brackets, or bare (brackets is empty), joined by a comma, `or`, or `±`."""

    parts: tuple["Statement", ...]
    brackets: str = ""
    joint: str = ","


@dataclass(frozen=True)
class Union:
    """Sets taken together (`cup`), what all share (`cap`), what the first has left (`minus`)."""

    parts: tuple["Statement", ...]
    sign: str = "cup"


@dataclass(frozen=True)
class Ratio:
    """2 : 3 : 4."""

    parts: tuple["Statement", ...]


@dataclass(frozen=True)
class Matrix:
    """Rows of one length."""

    rows: tuple[tuple["Statement", ...], ...]


@dataclass(frozen=True)
class Labelled:
    """Values by the words before their colons."""

    pairs: tuple[tuple[str, "Statement"], ...]


@dataclass(frozen=True)
class PlainWords:
    """An answer in words."""

    words: tuple[str, ...]


Statement = (
    Value
    | Relation
    | Congruence
    | Several
    | Union
    | Ratio
    | Matrix
    | Labelled
    | Special
    | PlainWords
)

_WORDS = re.compile(r"[^\W\d_]+(?:[\s'’,.&/-]+[^\W\d_]+)*[.!]?")
_COMMA = r",|;|(?<![A-Za-z])(?:and|or)(?![A-Za-z])"
_SEMICOLON = r";|(?<![A-Za-z])(?:and|or)(?![A-Za-z])"
_CUP = r"\\cup(?![A-Za-z])|(?<=[)\]}])\s*[Uu]\s*(?=[(\[{\\])"
_CAP = r"\\cap(?![A-Za-z])"
_WITHOUT = r"\\(?:setminus|smallsetminus|backslash)(?![A-Za-z])"
_PMS = r"\\pm(?![A-Za-z])|\\mp(?![A-Za-z])|\+/-|\+-"
_MODULO = re.compile(
    r"\s*(?:\\pmod\s*(?:\{(?P<braced>.+)\}|(?P<bare>\w+))|\(\s*(?:\\?mod|\\bmod"
    r"|\\(?:text|mathrm)\s*\{mod\s*\})\s*(?P<inside>.+)\)|\\?b?mod(?![A-Za-z])\s*\{?(?P<plain>.+?)\}?)\s*$"
)
_EULER_OR_TEN = re.compile(r"\s*[-+]?\d+e[-+]?\d+\s*")
_LABEL = re.compile(
    r"(?P<label>[^\W\d_][^:=<>,;()\[\]\\{}|^+*/]{0,60}?)\s*:(?!=)\s*(?P<value>\S.*)"
)
_ANSWERS = frozenset({"answer", "ans", "final answer", "result", "solution", "the answer"})
_MATRIX = re.compile(
    r"\\begin\s*\{(?P<kind>[pbBvV]?matrix|array)\}\s*(?:\{[lcr|\s]*\})?(?P<inside>.*)"
    r"\\end\s*\{(?P=kind)\}"
)
_LETTERED = re.compile(
    r"\\(?:text|mathrm|textrm|textbf|mathbf|mbox)\s*\{\s*(?P<inside>\([A-Za-z]\)|\d+(?::\d+)+"
    r"|[\d.,/\s()+-]+)\s*\}"
)
_CASES = re.compile(r"\\begin\s*\{cases\}(?P<inside>[^&]*)\\end\s*\{cases\}")
_BUILDER = re.compile(r"(?P<name>[A-Za-z])(?P<domain>\s*\\in\s*\\mathbb\s*\{?R\}?)?\s*"
                      r"(?:\\mid(?![A-Za-z])|\||:)\s*(?P<said>.+)")  # fmt: skip


def read_statement(text: str, form: Numeric) -> Statement:
    """What a whole text says; raises UnreadError."""
    if len(text) > MAX_LENGTH:
        raise UnreadError(f"an answer of {len(text)} characters is no formula", "too_long")
    if special := read_special(text):
        return special
    dressed = dressed_for_reading(text)
    dressed = joined_digits(dressed, form.thousands, form.decimal)
    if not dressed:
        raise UnreadError("nothing is left of the answer", "empty")
    return _Reading(form, text).statement(dressed, 0)


@dataclass(frozen=True)
class _Reading:
    form: Numeric
    source: str

    def statement(self, text: str, depth: int) -> Statement:
        if depth > MAX_DEPTH:
            raise UnreadError("brackets go too deep")
        text = text.strip().strip("$").strip()
        if not text:
            raise UnreadError("a part is empty", "empty_part")
        if special := read_special(text):
            return special
        if name := read_name(text):
            return PlainWords(name)
        if sign := infinite(text):
            return self.value(sign)
        if (words := self.words(text)) is not None:
            return words
        if label := _LETTERED.fullmatch(text):  # \\text{(A)}, \\text{1:2}
            return self.statement(label["inside"], depth + 1)
        separator = _SEMICOLON if ";" in text and len(parted(text, ";")[0]) > 1 else _COMMA
        pieces, signs = parted(text, separator)
        if len(pieces) > 1:
            return self.listed(pieces, signs, depth)
        return self.single(text, depth)

    def listed(self, pieces: Sequence[str], signs: Sequence[str], depth: int) -> Statement:
        kept = [pieces[0]]
        for sign, piece in zip(signs, pieces[1:], strict=True):
            if sign in ("and", "or") and not kept[-1]:  # 2, and 3
                kept[-1] = piece
            else:
                kept.append(piece)
        if not kept[-1] and len(kept) > 1 and signs[-1] == ",":
            kept.pop()
        measure = read_measure(" and ".join(kept), self.form) if len(kept) == 2 else None
        if measure and measure.quantity and measure.quantity.in_parts:
            return Value(" and ".join(kept), (), measure)
        joint = "or" if "or" in signs else "and" if "and" in signs else ","
        if labels := self.labels(kept, depth):
            return labels
        parts = _flat(self.statement(one, depth + 1) for one in kept)
        return Several(_each_unequal(parts), "", joint)

    def labels(self, pieces: Sequence[str], depth: int) -> Labelled | None:
        found = []
        for piece in pieces:
            bare = without_texts(piece)
            match = _LABEL.fullmatch(bare)
            if match is None:
                return None
            label = " ".join(match["label"].casefold().split())
            found.append((label, self.statement(match["value"], depth + 1)))
        if len({label for label, _ in found}) < len(found):
            return None
        return Labelled(tuple(found))

    def single(self, text: str, depth: int) -> Statement:
        for separator, sign in ((_CUP, "cup"), (_CAP, "cap"), (_WITHOUT, "minus")):
            pieces, _ = parted(text, separator)
            if len(pieces) > 1:
                if "in" in relations(text)[1] and len(relations(pieces[0])[0]) == 2:
                    pieces[0] = relations(pieces[0])[0][1]  # x in A cup B
                if sign == "cup" and "\\cap" in text:
                    raise UnreadError("unions and intersections stand without brackets")
                parts = tuple(self.statement(one, depth + 1) for one in pieces)
                return Union(parts, sign)
        if cases := _CASES.fullmatch(text):
            rows = [row for row in cases["inside"].split("\\\\") if row.strip()]
            return self.statement(", ".join(row.strip(" ,;") for row in rows), depth + 1)
        if text.startswith("\\begin") and (matrix := _MATRIX.fullmatch(text)):
            return self.matrix(matrix, depth)
        sides, signs = relations(text)
        if signs:
            return self.relation(sides, signs, depth)
        if "mod" in text and (modulo := _MODULO.search(text)) and "bmod" not in text:
            rest, said = text[: modulo.start()], next(g for g in modulo.groups() if g)
            if rest.strip() and not modulo["plain"]:
                return Congruence(None, self.value(rest), self.value(said.strip(" {}()")))
        if bracketed := outer_brackets(text):
            found = self.bracketed(bracketed, depth)
            if found is not None:
                return found
        if re.search(_PMS, text):
            return self.doubled(text)
        pieces, _ = parted(text, ":")
        if len(pieces) > 1:
            return self.coloned(text, pieces, depth)
        return self.value(text)

    def coloned(self, text: str, pieces: Sequence[str], depth: int) -> Statement:
        labels = self.labels([text], depth)
        if labels and len(labels.pairs[0][0]) > 1 and len(pieces) == 2:
            label, value = labels.pairs[0]
            return value if label in _ANSWERS else labels
        return Ratio(tuple(self.value(one) for one in pieces))

    def bracketed(self, found: tuple[str, str, str], depth: int) -> Statement | None:
        opening, inside, closing = found
        kind = {"\\{": "{", "{": "{", "(": "(", "[": "[", "]": "]"}[opening]
        kind += {"\\}": "}", "}": "}", ")": ")", "]": "]", "[": "["}[closing]
        if kind in ("()", "[]") and inside.startswith("\\begin") and (
            matrix := _MATRIX.fullmatch(inside)
        ):  # fmt: skip
            return self.matrix(matrix, depth)
        if kind == "{}" and (built := _BUILDER.fullmatch(inside)):
            return self.statement(built["said"], depth + 1)
        separator = _SEMICOLON if len(parted(inside, ";")[0]) > 1 else _COMMA
        pieces, signs = parted(inside, separator)
        if len(pieces) > 1:
            if any(not piece for piece in pieces):
                raise UnreadError("a part is empty", "empty_part")
            parts = tuple(self.statement(one, depth + 1) for one in pieces)
            if kind == "()" and (both := _doubled(parts)):
                return Several(both, "", "pm")
            return Several(
                _flat(parts) if kind == "{}" else parts, kind, "or" if "or" in signs else ","
            )
        if kind == "{}" or (kind == "[]" and outer_brackets(inside)):
            return Several((self.statement(inside, depth + 1),), kind)
        if kind not in ("()", "[]"):
            raise UnreadError("brackets do not match")
        if relations(inside)[1]:
            return self.statement(inside, depth + 1)
        return None

    def relation(self, sides: list[str], signs: list[str], depth: int) -> Statement:
        if signs[-1:] in (["equiv"], ["="]) and len(signs) == 1 and (
            modulo := _MODULO.search(sides[1])
        ):  # fmt: skip
            said = next(group for group in modulo.groups() if group)
            rest = sides[1][: modulo.start()]
            if rest.strip() and (signs == ["equiv"] or "pmod" in sides[1] or modulo["inside"]):
                return Congruence(
                    self.value(sides[0]), self.value(rest), self.value(said.strip(" {}()"))
                )
        if "equiv" in signs:
            raise UnreadError("a congruence has no modulus")
        if any(sign in ("propto", "notequiv") for sign in signs) or not all(sides[1:]):
            raise UnreadError("a relation is not understood")
        if not sides[0] and len(signs) > 1:
            raise UnreadError("a relation has no left side")
        first: Statement | None = None
        if name := named_function(sides[0]):
            first = Value(sides[0], (Term("symbol", name=name),))
        elif sides[0]:
            first = self.statement(sides[0], depth + 1)
        rest_read = [self.statement(side, depth + 1) for side in sides[1:]]
        return Relation((first, *rest_read), tuple(signs))

    def doubled(self, text: str) -> Statement:
        """3 ± 2: both values."""
        both = []
        for plus, minus in (("+", "-"), ("-", "+")):
            said = re.sub(r"\\pm(?![A-Za-z])|\+/-|\+-", plus, text)
            said = re.sub(r"\\mp(?![A-Za-z])", minus, said)
            both.append(self.value(re.sub(r"^\s*\+", "", said)))
        if "±" in text or re.search(r"[+-]\s*(?:\\pm|\+/-|\+-)", text):
            raise UnreadError("the sign ± stands beside another")
        return Several(tuple(both), "", "pm")

    def matrix(self, found: re.Match[str], depth: int) -> Matrix:
        if found["kind"] in ("vmatrix", "Vmatrix") or "\\begin" in found["inside"]:
            raise UnreadError("a determinant is not understood")
        said = re.split(r"\\\\(?:\[[^\]]*\])?|\\cr(?![A-Za-z])", found["inside"])
        rows = [row for row in said if row.replace("\\hline", "").strip()]
        read = tuple(
            tuple(self.statement(cell, depth + 1) for cell in row.split("&")) for row in rows
        )
        if len({len(row) for row in read}) != 1:
            raise UnreadError("the rows of a matrix are of two lengths")
        return Matrix(read)

    def words(self, text: str) -> PlainWords | None:
        """An answer in words; a short run of letters is a product, a name a variable."""
        bare = without_texts(text)
        if not _WORDS.fullmatch(bare):
            return None
        found = tuple(re.findall(r"[^\W_]+", bare.casefold()))
        has_text = bare != " ".join(text.split())
        if read_measure(text, self.form).quantity:  # twenty-one
            return None
        try:
            read_term(tokens(text))
        except UnreadError:
            return PlainWords(found)
        is_word = has_text and any(len(word) > 1 and word not in FUNCTIONS for word in found)
        return PlainWords(found) if is_word or {*found} & _SHORT_WORDS else None

    def value(self, text: str) -> Value:
        measure = read_measure(text, self.form)
        try:
            readings = read_term(tokens(measure.formula if measure.unit else text))
        except UnreadError:
            if measure.quantity is None:
                raise
            readings = ()
            if not (measure.quantity.words or measure.quantity.number.percent):
                readings = (number(measure.quantity.number.value),) if not measure.unit else ()
        return Value(text, readings, measure)


_ENGLISH = """
no so up us we me he go do by my an at am pm dad mad sad bad cat car map may day way sky dry fly
hat sat van wax war law lab gas gap bar bat bag bay pan pay sam dan ann mary
"""
_SHORT_WORDS = frozenset(_ENGLISH.split())


def _doubled(parts: Sequence[Statement]) -> tuple[Statement, ...] | None:
    """(0, ±3) as both points; None where no part, or more than one, holds the sign."""
    signs = [i for i, p in enumerate(parts) if isinstance(p, Several) and p.joint == "pm"]
    if len(signs) != 1:
        return None
    (at,) = signs
    double = parts[at]
    assert isinstance(double, Several)
    return tuple(Several((*parts[:at], one, *parts[at + 1 :]), "()") for one in double.parts)


def _each_unequal(parts: tuple[Statement, ...]) -> tuple[Statement, ...]:
    """x != 1, 2 as x != 1, x != 2."""
    first = parts[0]
    if not isinstance(first, Relation) or first.signs != ("!=",):
        return parts
    return tuple(
        Relation((first.sides[0], p), ("!=",)) if isinstance(p, Value) else p for p in parts
    )


def _flat(parts: Iterable[Statement]) -> tuple[Statement, ...]:
    """The parts, with both values of ± as two."""
    found: list[Statement] = []
    for part in parts:
        is_double = isinstance(part, Several) and part.joint == "pm"
        found += part.parts if isinstance(part, Several) and is_double else (part,)
    return tuple(found)
