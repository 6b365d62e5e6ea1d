"""Whether two terms are equal: by their normal forms, then by values that set them apart.

What neither settles is left to another process, by way of an oracle. Where a letter has two
readings (i, f before brackets, a logarithm without its base), equality must hold in each, or
fail in each.
"""

from collections.abc import Callable, Iterable
from itertools import product as pairs

from eval_pipeline.verification.formulas.elementary import UndefinedError
from eval_pipeline.verification.formulas.evaluation import refuted
from eval_pipeline.verification.formulas.normal import Normal
from eval_pipeline.verification.formulas.polynomials import TooLargeError, is_settled, text_of
from eval_pipeline.verification.formulas.terms import (
    IMAGINARY,
    INFINITY,
    E,
    Term,
    function,
    negative,
    nodes,
    number,
    product,
    rewritten,
    symbol,
    symbols,
)

Oracle = Callable[[Term, Term], bool | None]
Readings = tuple[Term, ...]


def equal(a: Readings, b: Readings, oracle: Oracle) -> bool | None:
    """Whether two expressions are equal, each in its readings; None where nobody can tell."""
    if a == b and len(a) == 1:
        return True
    if len(a) == len(b) == 1:
        return equal_terms(a[0], b[0], oracle)
    results = [equal_terms(x, y, oracle) for x, y in pairs(a, b)]
    if len(a) == len(b) and all(equal_terms(x, y, oracle) for x, y in zip(a, b, strict=True)):
        return True
    return agreed(results)


def agreed(results: Iterable[bool | None]) -> bool | None:
    """What all say, or None."""
    found = set(results)
    return found.pop() if len(found) == 1 else None


def equal_terms(a: Term, b: Term, oracle: Oracle) -> bool | None:
    """As `equal`, for one reading each."""
    if _called(a) or _called(b):
        results = [equal_terms(x, y, oracle) for x, y in uncalled(a, b)]
        return True if results[0] else agreed(results)
    if _has_open_logarithm(a) or _has_open_logarithm(b):
        open_base = symbol("log base")
        if equal_terms(_based(a, open_base), _based(b, open_base), oracle):
            return True
        bases = (E, number(10))
        return agreed(equal_terms(_based(a, base), _based(b, base), oracle) for base in bases)
    if "i" in symbols(a, b):
        found = decided(a, b, oracle)
        if found is True:
            return True
        units = _with_unit(a), _with_unit(b)
        as_units = decided(units[0], units[1], oracle)
        if as_units is False:
            return found
        if as_units and not symbols(*units):
            return True
        return None
    return decided(a, b, oracle)


def uncalled(a: Term, b: Term) -> list[tuple[Term, Term]]:
    """Two terms without letters before brackets: each f(3) as a name, and as a product f times 3.

    Only as products where such a letter stands without brackets too: P(1+r) beside P.
    """
    called = _called(a) | _called(b)
    if not called:
        return [(a, b)]
    as_products = _multiplied(a, called), _multiplied(b, called)
    if called & symbols(a, b):
        return [as_products]
    return [(_named(a), _named(b)), as_products]


def decided(a: Term, b: Term, oracle: Oracle) -> bool | None:
    """Whether two terms are equal, all letters being what they are."""
    found = settled(a, b)
    return oracle(a, b) if found is None else found


def settled(a: Term, b: Term) -> bool | None:
    """As `decided`, as far as normal forms and values at points can tell."""
    if a == b:
        return True
    if _is_infinite(a) or _is_infinite(b):
        ends = (INFINITY, negative(INFINITY))
        finite = [not _is_infinite(term) for term in (a, b)]
        return False if any(finite) or (a in ends and b in ends) else None
    try:
        gap = Normal().gap(a, b)
    except UndefinedError:
        return None
    except (TooLargeError, RecursionError):
        return False if refuted(a, b) else None
    if not gap:
        return True
    if is_settled(gap) or refuted(a, b):
        return False
    return None


def _is_infinite(term: Term) -> bool:
    return any(node.head == "constant" and node.name == "inf" for node in nodes(term))


def _called(term: Term) -> set[str]:
    return {node.name for node in nodes(term) if node.head == "applied"}


def _multiplied(term: Term, names: set[str]) -> Term:
    """Each letter before brackets as a factor."""

    def change(node: Term) -> Term:
        if node.head == "applied" and len(node.parts) == 1:
            return product(symbol(node.name), node.parts[0])
        return node

    return rewritten(term, change)


def _named(term: Term) -> Term:
    """Each f(3) as a variable of its own."""

    def change(node: Term) -> Term:
        if node.head != "applied":
            return node
        normal = Normal()
        try:
            forms = [normal.form(part) for part in node.parts]
            said = ",".join(f"{text_of(f.top)}/{text_of(f.bottom)}" for f in forms)
        except (TooLargeError, UndefinedError):
            said = repr(node.parts)
        return symbol(f"{node.name}({said})")

    return rewritten(term, change)


def _has_open_logarithm(term: Term) -> bool:
    return any(n.name == "log" and n.head == "function" and len(n.parts) == 1 for n in nodes(term))


def _based(term: Term, base: Term) -> Term:
    def change(node: Term) -> Term:
        if node.head == "function" and node.name == "log" and len(node.parts) == 1:
            return function("log", node.parts[0], base)
        return node

    return rewritten(term, change)


def _with_unit(term: Term) -> Term:
    return rewritten(
        term, lambda node: IMAGINARY if node.head == "symbol" and node.name == "i" else node
    )
