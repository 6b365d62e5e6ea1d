"""Formulas of the grammar as texts, in LaTeX and plain, and each beside its mutants."""

import random
from collections.abc import Callable, Iterator

from eval_pipeline_tests.verification.formula_grammar import (
    Statement,
    Tree,
    commuted,
    mutants,
    statement,
)

STYLES = ("latex", "latex spaced", "plain", "plain spaced")
_PLAIN_SIGN = {"<": "<", ">": ">", r"\le": "<=", r"\ge": ">="}


def rendered(made: Statement, rng: random.Random, style: str) -> str:
    """The text of a statement; style: latex, plain, each also with `spaced`."""
    gap = " " if "spaced" in style else ""
    write: Callable[[Tree], str] = plain if "plain" in style else latex
    parts = [spread(write(part), gap) for part in made.parts]
    sign = made.marks[0] if made.marks else ""
    if made.kind == "term":
        return parts[0]
    if made.kind == "equation":
        return f"{parts[0]}{gap}={gap}{parts[1]}"
    if made.kind == "tuple":
        return f"({', '.join(parts) if gap else ','.join(parts)})"
    if made.kind == "set":
        opening, closing = ("{", "}") if "bare" in style else ("\\{", "\\}")
        return opening + ", ".join(parts) + closing
    if made.kind == "interval":
        return f"{sign}{parts[0]},{gap}{parts[1]}{made.marks[1]}"
    if made.kind == "order":
        shown = _PLAIN_SIGN[sign] if "plain" in style else f"{sign} "
        return f"{parts[0]} {shown} {parts[1]}" if gap else f"{parts[0]}{shown}{parts[1]}"
    pairs = list(zip(made.marks, parts, strict=True))
    rng.shuffle(pairs)
    return ", ".join(f"{name}{gap}={gap}{part}" for name, part in pairs)


def spread(text: str, gap: str) -> str:
    """The text with spaces round its signs of operation, or without."""
    return text.replace("⊕", f"{gap}+{gap}").replace("⊖", f"{gap}-{gap}").replace("⊙", gap)


_SUMS, _FACTORS, _POWERS, _ATOMS = 0, 1, 2, 3


def _level(one: Tree) -> int:
    if one[0] in ("add", "sub", "neg"):
        return _SUMS
    if one[0] in ("mul", "fn"):
        return _FACTORS
    return _POWERS if one[0] in ("pow", "powx", "div") else _ATOMS


def latex(one: Tree, least: int = _SUMS) -> str:
    kind = one[0]
    if _level(one) < least and not (kind == "div" and least <= _FACTORS):
        return f"\\left({latex(one)}\\right)" if kind in ("add", "sub") else f"({latex(one)})"
    if kind == "num":
        return str(one[1])
    if kind == "var":
        return one[1]
    if kind == "const":
        return "\\pi " if one[1] == "pi" else "e"
    if kind == "add":
        return f"{latex(one[1])}⊕{latex(one[2], _FACTORS)}"
    if kind == "sub":
        return f"{latex(one[1])}⊖{latex(one[2], _FACTORS)}"
    if kind == "neg":
        return f"-{latex(one[1], _FACTORS)}"
    if kind == "mul":
        left, right = latex(one[1], _FACTORS), latex(one[2], _POWERS)
        if one[1][0] in ("fn",) or (one[1][0] == "mul" and "fn" in str(one[1])):
            left = f"({left})"
        if right[0].isdigit() or right.startswith(("\\frac", "-")) or one[2][0] == "powx":
            return f"{left}\\cdot {right}"
        return f"{left}⊙{right}"
    if kind == "div":
        return f"\\frac{{{latex(one[1])}}}{{{latex(one[2])}}}"
    if kind == "pow":
        return f"{latex(one[1], _ATOMS)}^{{{one[2]}}}"
    if kind == "powx":
        return f"{latex(one[1], _ATOMS)}^{{{latex(one[2])}}}"
    if kind == "sqrt":
        return f"\\sqrt{{{latex(one[1])}}}"
    if kind == "root":
        return f"\\sqrt[{one[2]}]{{{latex(one[1])}}}"
    return f"\\{one[1]}({latex(one[2])})"


def plain(one: Tree, least: int = _SUMS) -> str:
    kind = one[0]
    if _level(one) < least:
        return f"({plain(one)})"
    if kind in ("num", "var"):
        return str(one[1])
    if kind == "const":
        return one[1]
    if kind in ("add", "sub"):
        sign = "⊕" if kind == "add" else "⊖"
        return f"{plain(one[1])}{sign}{plain(one[2], _FACTORS)}"
    if kind == "neg":
        return f"-{plain(one[1], _FACTORS)}"
    if kind == "mul":
        return f"{plain(one[1], _POWERS)}*{plain(one[2], _POWERS)}"
    if kind == "div":
        return f"({plain(one[1], _POWERS)}/{plain(one[2], _ATOMS)})"
    if kind == "pow":
        return f"{plain(one[1], _ATOMS)}^{one[2]}"
    if kind == "powx":
        return f"{plain(one[1], _ATOMS)}^({plain(one[2])})"
    if kind == "sqrt":
        return f"sqrt({plain(one[1])})"
    if kind == "root":
        return f"(({plain(one[1])})^(1/{one[2]}))"
    return f"{one[1]}({plain(one[2])})"


def cases(
    count: int, seed: int, mutated: int
) -> Iterator[tuple[Statement, str, list[str], list[tuple[Statement, str]]]]:
    """Formulas: the statement, its reference text, equal texts, and mutants with their texts."""
    rng = random.Random(seed)
    for _ in range(count):
        made = statement(rng)
        while len(wrong := mutants(made, rng, mutated)) < mutated:
            made = statement(rng)
        reference = rendered(made, rng, rng.choice(STYLES[:2]))
        others = [rendered(made, rng, style) for style in rng.sample(STYLES, 2)]
        turned = Statement(made.kind, tuple(commuted(p, rng) for p in made.parts), made.marks)
        if made.kind == "set":
            turned = Statement("set", made.parts[::-1])
        others.append(rendered(turned, rng, rng.choice(STYLES)))
        yield (
            made,
            reference,
            others,
            [(one, rendered(one, rng, rng.choice(STYLES))) for one in wrong],
        )
