"""Terms: what a formula means once it is read, as a tree of one kind of node."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any


@dataclass(frozen=True)
class Term:
    """A node: its head, its parts, and a name or a number where the head has one.

    Heads: `number` (value), `symbol` (name), `constant` (pi, e, i, inf), `sum`, `product`, `power`,
    `function` (a known one: sin, ln, root ...), `applied` (a letter before brackets: f(3)), and
    `big` (sum, prod, int, lim; its first part is the variable).
    """

    head: str
    parts: tuple["Term", ...] = ()
    name: str = ""
    value: Fraction = Fraction(0)


class UnreadError(ValueError):
    """A text holds what is not understood; `detail` is one word, the message names the piece."""

    def __init__(self, message: str, detail: str = "not_mathematics") -> None:
        super().__init__(message)
        self.detail = detail


def number(value: int | Fraction) -> Term:
    """A rational number."""
    return Term("number", value=Fraction(value))


def symbol(name: str) -> Term:
    """A variable."""
    return Term("symbol", name=name)


def function(name: str, *parts: Term) -> Term:
    """A known function of some arguments."""
    return Term("function", parts, name)


def total(*parts: Term) -> Term:
    """A sum; of one part, the part."""
    return parts[0] if len(parts) == 1 else Term("sum", parts)


def product(*parts: Term) -> Term:
    """A product; of one part, the part."""
    return parts[0] if len(parts) == 1 else Term("product", parts)


def power(base: Term, exponent: Term) -> Term:
    """A power."""
    return Term("power", (base, exponent))


def negative(term: Term) -> Term:
    """Minus a term."""
    if term.head == "number":
        return number(-term.value)
    return product(MINUS_ONE, term)


def quotient(top: Term, bottom: Term) -> Term:
    """One term over another."""
    if top.head == bottom.head == "number" and bottom.value:
        return number(top.value / bottom.value)
    return product(top, power(bottom, MINUS_ONE))


def difference(a: Term, b: Term) -> Term:
    """One term minus another."""
    return total(a, negative(b))


MINUS_ONE = number(-1)
PI, E = Term("constant", name="pi"), Term("constant", name="e")
IMAGINARY, INFINITY = Term("constant", name="i"), Term("constant", name="inf")


def nodes(term: Term) -> Iterator[Term]:
    """The term and all within it."""
    waiting = [term]
    while waiting:
        one = waiting.pop()
        yield one
        waiting += one.parts


def symbols(*terms: Term) -> frozenset[str]:
    """The names of the variables that are free in some terms."""
    found: set[str] = set()
    for term in terms:
        if term.head == "symbol":
            found.add(term.name)
        elif term.head == "big":
            found |= symbols(*term.parts[1:]) - {term.parts[0].name}
        else:
            found |= symbols(*term.parts)
    return frozenset(found)


def rewritten(term: Term, change: Callable[[Term], Term]) -> Term:
    """The term with each node changed, from the leaves up."""
    if term.parts:
        parts = tuple(rewritten(part, change) for part in term.parts)
        if parts != term.parts:
            term = Term(term.head, parts, term.name, term.value)
    return change(term)


def wired(term: Term) -> list[Any]:
    """The term as plain JSON, for another process: head, name or number, parts."""
    said = str(term.value) if term.head == "number" else term.name
    return [term.head, said, [wired(part) for part in term.parts]]


def shown(term: Term) -> str:
    """The term for a person to read, within brackets."""
    if term.head == "number":
        return str(term.value)
    if term.head in ("symbol", "constant"):
        return term.name
    inside = [shown(part) for part in term.parts]
    if term.head in ("sum", "product", "power"):
        return "(" + {"sum": " + ", "product": "*", "power": "^"}[term.head].join(inside) + ")"
    return f"{term.name}({', '.join(inside)})"
