"""Whether two values say the same: terms, numbers with units, what is within a tolerance."""

import re
from dataclasses import dataclass, field
from fractions import Fraction

from eval_pipeline.verification.formulas.equality import Oracle, Readings, equal
from eval_pipeline.verification.formulas.evaluation import NoValueError, value_at
from eval_pipeline.verification.formulas.reader import read_term
from eval_pipeline.verification.formulas.shapes import in_other_letter
from eval_pipeline.verification.formulas.statements import Value
from eval_pipeline.verification.formulas.terms import (
    Term,
    nodes,
    number,
    product,
    symbols,
)
from eval_pipeline.verification.formulas.tokens import tokens
from eval_pipeline.verification.numbers.numeric import UNTOLD, Numeric


@dataclass
class Values:
    """Compares values; `why` holds a word for each thing that could not be told."""

    form: Numeric
    oracle: Oracle
    in_order: bool = False
    why: list[str] = field(default_factory=list)

    def untold(self, why: str) -> bool | None:
        """None, once it is noted why nobody can tell."""
        self.why.append(why)
        return None

    def values(self, a: Value, b: Value) -> bool | None:
        if _is_sequence(a.text) and _is_sequence(b.text) and a.text != b.text:
            is_turned = sorted(a.text) == sorted(b.text)  # an order, a segment, or a product
            return self.untold("order_of_letters") if is_turned else False
        ours, theirs = a.measure, b.measure
        if ours.quantity and theirs.quantity:
            told = self.form.difference(ours.quantity, theirs.quantity)
            if told in UNTOLD:
                return self.untold(UNTOLD[told])
            if told is None or not (a.is_doubtful or b.is_doubtful):
                return told is None
        if ours.unit or theirs.unit:
            return self.measured(a, b)
        if not a.readings or not b.readings:
            quantities = [v.measure.quantity for v in (a, b)]
            if any(q and (q.words or q.number.percent) for q in quantities):
                return self.untold("words_on_one_side")
            return self.untold("not_mathematics")
        return self.terms(a.readings, b.readings)

    def terms(self, a: Readings, b: Readings) -> bool | None:
        if self.form.rel_tol or self.form.abs_tol:
            near = self.near(a[0], b[0])
            if near is not None:
                return near
        found = equal(a, b, self.oracle)
        if found is None:
            self.untold(_doubt(a, b))
        if found is False and _are_letters_alike(a, b):
            return self.untold("name_spelling")
        if found is False and (renamed := in_other_letter(a, b)) and equal(renamed, b, self.oracle):
            return self.untold("other_letter")
        return found

    def near(self, a: Term, b: Term) -> bool | None:
        """Whether two constants are within the declared tolerance."""
        if symbols(a, b):
            return None
        try:
            values = [value_at(term, {}).value for term in (a, b)]
        except NoValueError:
            return None
        if any(isinstance(value, complex) for value in values):
            return None
        x, y = (Fraction(float(value.real)) for value in values)
        return abs(x - y) <= max(self.form.abs_tol, self.form.rel_tol * abs(y)) or None

    def measured(self, a: Value, b: Value) -> bool | None:
        """Values of which one at least has a unit behind it."""
        ours, theirs = a.measure.unit, b.measure.unit
        are_sure = [a.measure.is_sure and bool(ours), b.measure.is_sure and bool(theirs)]
        whole = None  # as formulas, letters being variables
        if not any(are_sure):
            whole = self.terms(self.whole(a), self.whole(b))
            if whole:
                return True
        x, y = self.bare(a), self.bare(b)
        if not x or not y:
            return self.untold("unit_not_read")
        if ours and theirs:
            if ours.dimension != theirs.dimension:
                return False
            return self.terms(_scaled(x, ours.factor), _scaled(y, theirs.factor))
        bare = self.terms(x, y)
        if any(are_sure) or not bare or any(_UNIT_APART.fullmatch(v.text) for v in (a, b)):
            return bare
        return self.untold("unit_or_variable")

    def whole(self, value: Value) -> Readings:
        """The readings with a letter behind the number as a variable."""
        if value.measure.unit and not value.measure.is_sure:
            return read_term(tokens(value.text))
        return self.bare(value)

    def bare(self, value: Value) -> Readings:
        """The readings of what stands before the unit."""
        if value.readings or value.measure.quantity is None:
            return value.readings
        quantity = value.measure.quantity
        if quantity.number.percent:
            return ()
        return (number(quantity.number.value),)


_UNIT_APART = re.compile(  # 5 m; a product is written 5m
    r"[-+]?\d[\d.]* (?:[mgshL]|[mg]/[smL]|m\s?/\s?s\s?\^\s?\{?2\}?|m\s?\^\s?\{?[23]\}?|[NJWV])"
)


def _is_sequence(text: str) -> bool:
    """Whether a text is capitals side by side, whose order may count: ABC."""
    return len(text) > 1 and text.isalpha() and text.isupper()


def _are_letters_alike(a: Readings, b: Readings) -> bool:
    """Whether only the case of letters, or a prime, sets the names of two formulas apart."""
    names = symbols(*a), symbols(*b)
    if names[0] == names[1]:
        return False
    plain = [sorted(name.rstrip("'").casefold() for name in found) for found in names]
    return plain[0] == plain[1] and len(names[0]) == len(names[1])


def _doubt(a: Readings, b: Readings) -> str:
    """Why two formulas may or may not be equal."""
    if len(a) > 1 or len(b) > 1:
        return "ambiguous_fraction"
    found = [node for term in (*a, *b) for node in nodes(term)]
    if any(node.head == "symbol" and node.name == "i" for node in found):
        return "unit_or_index_i"
    if any(node.name == "log" and len(node.parts) == 1 for node in found):
        return "base_of_logarithm"
    return "function_or_factor" if any(n.head == "applied" for n in found) else "not_proved"


def _scaled(readings: Readings, factor: Fraction) -> Readings:
    return tuple(product(number(factor), term) for term in readings)
