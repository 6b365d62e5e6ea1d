"""The child of `bounded`: reads a request a line, answers a line, and is ended by its limits.

Runs as a script of its own and imports nothing of the project. sympy is imported when the first
formula comes; the proofs of `formulas` are loaded from their file then.
"""

import importlib.util
import json
import re
import resource
import signal
import sys
from collections.abc import Callable, Iterator
from functools import lru_cache
from pathlib import Path
from typing import Any

DIGITS = 60  # decimal places at which two numbers must agree, relative to their size
Request = dict[str, Any]


def search(request: Request) -> list[list[Any]]:
    """Where a pattern fits, in order: start, end, and the text of its first group (or of all)."""
    pattern, text = _compiled(request["pattern"], request["flags"]), request["text"]
    if request["how"] == "fullmatch":
        match = pattern.fullmatch(text)
        matches: Iterator[re.Match[str]] = iter([match] if match else [])
    else:
        matches = pattern.finditer(text, 0, request.get("end", len(text)))
    found = []
    for match in matches:
        found.append([match.start(), match.end(), match[min(1, pattern.groups)]])
        if request["how"] == "search":
            break
    return found


def formulas(request: Request) -> dict[str, object]:
    """Whether two formulas mean the same, by math-verify, and what it read.

    `equal` is None where the answer cannot be read as mathematics.
    """
    from math_verify import ExprExtractionConfig, LatexExtractionConfig, parse, verify

    def read(text: str) -> list[Any]:
        configs = (LatexExtractionConfig(), ExprExtractionConfig())
        return list(
            parse(
                f"${text}$",
                extraction_config=configs,
                fallback_mode="no_fallback",
                parsing_timeout=None,
            )
        )

    wanted, found = read(request["reference"]), read(request["answer"])
    if not wanted:
        return {"equal": None, "unread": "reference"}
    if not found:
        return {"equal": None, "unread": "answer"}
    if _is_cut(found[0], read(rf"\left({request['answer']}\right)")):
        return {"equal": None, "unread": "answer", "why": "only its beginning is a formula"}
    equal: bool | None = bool(verify(wanted, found, strict=True, timeout_seconds=None))
    if equal and _differ(wanted[0], found[0]):
        equal = False
    if not equal:
        equal = _equal_worked_out(wanted[0], found[0])
    if equal is None:
        return {"equal": None, "unread": "answer", "why": "i may be a unit or a variable"}
    return {"equal": equal, "read": str(found[0])[:200]}


def _is_cut(found: Any, bracketed: list[Any]) -> bool:
    """Whether a term is read as another, or not at all, once nothing may be left over of it.

    The reader takes 3 from 3|4 and is silent; in brackets it must come to the closing one.
    """
    import sympy

    return isinstance(found, sympy.Expr) and (not bracketed or bracketed[0] != found)


def _differ(a: Any, b: Any) -> bool:
    """Whether two constants that were taken for equal differ: rounding is not equality."""
    import sympy

    if not all(isinstance(x, sympy.Expr) and x.is_number for x in (a, b)):
        return False
    if a.is_Rational and b.is_Rational:
        return bool(a != b)
    size = max(abs(sympy.N(a, DIGITS)), abs(sympy.N(b, DIGITS)))
    gap = abs(sympy.N(a - b, DIGITS, maxn=10 * DIGITS))
    return bool(gap > size * sympy.Float(10) ** (20 - DIGITS))


def _equal_worked_out(a: Any, b: Any) -> bool | None:
    """Whether two terms are equal once i is the imaginary unit and sums and integrals are done.

    None where they are equal only with that i, and beside other symbols, where it may count.
    """
    import sympy

    if not all(isinstance(x, sympy.Expr) for x in (a, b)):
        return False
    symbols = a.free_symbols | b.free_symbols
    units = {"i": sympy.I, "j": sympy.I, "e": sympy.E}
    named = {s.name for s in symbols} & units.keys()
    undone = (sympy.Sum, sympy.Product, sympy.Integral, sympy.Derivative, sympy.Limit, sympy.I)
    if not named and not a.has(*undone) and not b.has(*undone):
        return False
    # one symbol a name: a reader may give the same name different assumptions
    chosen = {s: units.get(s.name, sympy.Symbol(s.name, real=True)) for s in symbols}
    gap = sympy.expand((a.subs(chosen) - b.subs(chosen)).doit(), complex=bool(named))
    equal = bool(gap.equals(0)) if gap.is_number else bool(sympy.simplify(gap) == 0)
    return None if equal and named and {s.name for s in symbols} - units.keys() else equal


@lru_cache(maxsize=256)
def _compiled(pattern: str, flags: int) -> re.Pattern[str]:
    return re.compile(pattern, flags)


def terms(request: Request) -> bool | None:
    """Whether two terms are equal, by sympy; None where it can prove neither."""
    found = _proofs().equal(request["answer"], request["reference"])
    return None if found is None else bool(found)


@lru_cache(maxsize=1)
def _proofs() -> Any:
    """The proofs, from their file: nothing of the project is on the path of this process."""
    place = Path(__file__).with_name("formulas") / "proofs.py"
    spec = importlib.util.spec_from_file_location("proofs", place)
    if spec is None or spec.loader is None:
        raise ImportError(f"{place} cannot be loaded")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


TASKS: dict[str, Callable[[Request], Any]] = {
    "search": search,
    "formulas": formulas,
    "terms": terms,
}


def answer(request: Request) -> dict[str, object]:
    """What is said to a request; any error of a formula is an answer of its own."""
    task = TASKS[request["task"]]
    if task in (formulas, terms):
        try:  # the import is not counted against the first formula
            if task is terms:
                _proofs()
            else:
                import math_verify  # noqa: F401  `formulas` imports from it
        except ImportError as error:
            return {"refused": f"{error}: install the extra, pip install 'eval-pipeline[math]'"}
    # SIGPROF is left to its default: it ends a process that no Python handler could interrupt
    signal.setitimer(signal.ITIMER_PROF, request["cpu_seconds"])
    try:
        return {"answer": task(request)}
    except MemoryError:
        return {"stopped": "memory"}
    except Exception as error:  # of a parser that was not made for hostile text
        if task is terms:  # sympy gave up on what it was not made for
            return {"answer": None}
        if task is formulas:
            return {"answer": {"equal": None, "unread": f"answer ({type(error).__name__})"}}
        return {"refused": f"{type(error).__name__}: {error}"}
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)


def main() -> None:
    memory = int(sys.argv[1])
    resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent decides when this process ends
    signal.signal(signal.SIGPROF, signal.SIG_DFL)
    out = sys.stdout
    sys.stdout = sys.stderr  # nothing that a library prints is taken for an answer
    for line in sys.stdin:
        out.write(json.dumps(answer(json.loads(line))) + "\n")
        out.flush()


if __name__ == "__main__":
    main()
