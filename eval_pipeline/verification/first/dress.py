r"""What mathematics is wrapped in, and what several ways of writing mean the same.

\text{...}, names before an equals sign, units after a formula, signs of Unicode, words for sets.
"""

import re
from dataclasses import dataclass
from fractions import Fraction

from eval_pipeline.verification.first.boxed import Boxed
from eval_pipeline.verification.first.elements import dressed_down
from eval_pipeline.verification.first.units import Unit, read_unit
from eval_pipeline.verification.verdict import Item

_ASSIGNED = re.compile(
    r"\s*(?P<name>[A-Za-z](?:_\{?\w+\}?)?|[A-Za-z]\([A-Za-z]\))\s*=(?!=)\s*(?=\S)"
)
_TEXT = re.compile(r"\\(?:text|mathrm|textrm|textbf|mathbf|mbox)\s*\{([^{}]*)\}")
_MEASURED = re.compile(
    r"(?P<formula>.*[\w})\]])\s*(?:\\[,;: !]|~|\s)*"
    r"(?:\\(?:text|mathrm|textrm|mbox)\s*\{(?P<dressed>[^{}]+)\}|\s(?P<plain>[A-Za-z°/]{2,}))"
    r"\s*(?P<power>\^\s*\{?[1-9]\}?)?",
    re.DOTALL,
)
_SAME = {  # whole answers that mean the same, written as the first
    "\\emptyset": r"\\emptyset|\\varnothing|∅|\{\s*\}|no(?: real)? solutions?|(?:the )?empty set"
    r"|there (?:is|are) no(?: real)? solutions?",
    "(-\\infty,\\infty)": r"\\mathbb\s*\{?R\}?|\\R|ℝ|(?:all|the) real(?: number)?s",
    "\\infty": r"\+?\s*(?:\\infty|∞|inf|infinity)",
    "-\\infty": r"-\s*(?:\\infty|∞|inf|infinity)|(?:negative|minus) infinity",
    "\\text{does not exist}": r"dne|does not exist",
}
_MEANS = {name: re.compile(pattern, re.IGNORECASE) for name, pattern in _SAME.items()}
_DEGREES = re.compile(r"(\d+(?:\.\d+)?)\s*(?:\^\s*\{?\s*\\circ\s*\}?|°|\\degree(?![A-Za-z]))")
_ANGLE = re.compile(r"\\pi|π|\\arc|\\(?:sin|cos|tan)\s*\^\s*\{?\s*-1")
_ROOT = re.compile(r"([√∛])\s*(?:(\d+(?:\.\d+)?|[A-Za-z])|\(([^()]*)\)|\{([^{}]*)\})")
_NATURAL = re.compile(r"\\log_(?:e(?![A-Za-z])|\{\s*e\s*\})")
_TURNS = re.compile(r"\\(?:sin|cos|tan|cot|sec|csc)(?![A-Za-z])")
_NESTED = re.compile(r"\[\s*(\[[^\[\]]*\](?:\s*,\s*\[[^\[\]]*\])*)\s*\]")
_PLAIN_WORD = re.compile(r"(?<![A-Za-z\\])[A-Za-z]{3,}(?![A-Za-z])")
_FUNCTION_NAMES = """
sin cos tan cot sec csc arcsin arccos arctan sinh cosh tanh log exp sqrt abs min max mod gcd lcm
alpha beta gamma theta lambda sigma omega inf infinity
"""
_FUNCTIONS = frozenset(_FUNCTION_NAMES.split())
_UNICODE = {
    "−": "-", "–": "-", "×": "\\times ", "·": "\\cdot ", "÷": "\\div ", "π": "\\pi ",
    "∞": "\\infty ", "∪": "\\cup ", "≤": "\\leq ", "≥": "\\geq ", "±": "\\pm ", "θ": "\\theta ",
    "⋅": "\\cdot ", "≠": "\\neq ", "∩": "\\cap ", "∈": "\\in ", "⌊": "\\lfloor ",
    "⌋": "\\rfloor ", "⌈": "\\lceil ", "⌉": "\\rceil ", "α": "\\alpha ", "β": "\\beta ",
    "γ": "\\gamma ", "δ": "\\delta ", "ε": "\\epsilon ", "λ": "\\lambda ", "μ": "\\mu ",
    "ρ": "\\rho ", "σ": "\\sigma ", "τ": "\\tau ", "φ": "\\phi ", "ω": "\\omega ",
    "²": "^{2}", "³": "^{3}", "\u00a0": " ", "\u2009": " ", "\u202f": " ",
    "\\langle": "(", "\\rangle": ")", "⟨": "(", "⟩": ")",
}  # fmt: skip


@dataclass(frozen=True)
class Measured:
    """A formula and the unit after it, None where there is none."""

    formula: str
    unit: Unit | None = None


def side(text: str) -> str:
    """The answer itself: of the last box, without dollar signs, its words for sets as signs."""
    text = text.strip().strip("$").strip()
    if "\\boxed" in text or "\\fbox" in text:
        text = Boxed().extract(text, Item("")).answer or text
    if not text.endswith("..."):  # which says that digits go on
        text = text.rstrip(".").strip() or text
    bare = " ".join(_TEXT.sub(r" \1 ", text).split())
    for name, pattern in _MEANS.items():
        if pattern.fullmatch(bare):
            return name
    return text


def unnamed(said: str, wanted: str) -> tuple[str, str]:
    """Both without a name before an equals sign, unless they name two things."""
    names = [_ASSIGNED.match(text) if text.count("=") == 1 else None for text in (said, wanted)]
    if names[0] and names[1] and names[0]["name"] != names[1]["name"]:
        return said, wanted
    a, b = (
        text[name.end() :].strip() if name else text
        for text, name in zip((said, wanted), names, strict=True)
    )
    return a, b


def measured(text: str) -> Measured:
    """A formula and the unit that it ends with: 3\\sqrt{2} \\text{ cm}."""
    found = _MEASURED.fullmatch(text.strip())
    if found is None:
        return Measured(text)
    power = re.sub(r"[^\d]", "", found["power"] or "")
    name = (found["dressed"] or found["plain"]).strip()
    unit = read_unit(f"{name}^{power}" if power else name)
    return Measured(found["formula"], unit) if unit else Measured(text)


def as_formula(text: str, other: str) -> str:
    """The text for a reader of LaTeX; degrees become radians where that counts."""
    text = _ROOT.sub(
        lambda m: f"\\sqrt{'[3]' if m[1] == '∛' else ''}{{{m[2] or m[3] or m[4]}}}", text
    )
    text = _NATURAL.sub(r"\\ln ", text)
    for sign, command in _UNICODE.items():
        text = text.replace(sign, command)
    is_turned = _ANGLE.search(other) and not _DEGREES.search(other)
    if _TURNS.search(text) or is_turned:
        text = _DEGREES.sub(r"(\1\\cdot\\frac{\\pi}{180})", text)
    if nested := _NESTED.fullmatch(text.strip()):
        rows = re.findall(r"\[([^\[\]]*)\]", nested[1])
        inside = "\\\\".join(row.replace(",", "&") for row in rows)
        text = f"\\begin{{pmatrix}}{inside}\\end{{pmatrix}}"
    return text


def scaled(formula: str, factor: Fraction) -> str:
    """A formula times a number."""
    if factor == 1:
        return formula
    return f"\\frac{{{factor.numerator}}}{{{factor.denominator}}}\\cdot({formula})"


def words_of(text: str) -> set[str]:
    """Ordinary words in a formula."""
    inside = " ".join(_TEXT.findall(text))
    plain = re.sub(r"\\(?:begin|end)\s*\{[^{}]*\}", " ", _TEXT.sub(" ", text))
    found = {word.lower() for word in _PLAIN_WORD.findall(f"{inside} {plain}")}
    return found - _FUNCTIONS


def bare(text: str) -> str:
    """The text without the dress of LaTeX."""
    return " ".join(dressed_down(_TEXT.sub(r" \1 ", text)).replace("\\ ", " ").split())
