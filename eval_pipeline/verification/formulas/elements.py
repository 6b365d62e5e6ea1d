"""Answers of several parts, read: brackets, and what stands between the commas.

Both `listing` (sets and tuples) and `mathematics` read with it.
"""

import re
from dataclasses import dataclass

from eval_pipeline.verification.numbers.numerals import plain

_RUN = re.compile(r"(?<![\w.,])\d+(?:,\d+)+(?!\w|,\d)")
_GROUPED = re.compile(r"\d{1,3}(?:,\d{3})+|\d{1,2}(?:,\d{2})*,\d{3}")
_ANGLE = re.compile(r"\^\s*(?:\{\s*\\circ\s*\}|\\circ(?![A-Za-z]))")
_DRESS = re.compile(r"\\[bB]igg?[lr]?(?![A-Za-z])")
_PAIRS = {"(": ")", "[": "]", "{": "}"}


@dataclass(frozen=True)
class Listing:
    """Parts in order; `opening` and `closing` are the brackets around them, empty where none."""

    parts: tuple[str, ...]
    opening: str = ""
    closing: str = ""

    @property
    def brackets(self) -> str:
        return self.opening + self.closing


def read_listing(text: str, grouped: bool = False, decimal_comma: bool = False) -> Listing | None:
    r"""The parts of a bracketed or bare list; None where brackets do not match or a part is empty.

    Parts are parted by `;` where there is one outside of brackets, else by commas and a last
    `and`. Where commas may group digits, 1,000 is one number when it stands bare, beside other
    separators, or with a group that begins with 0; (100,200) has two parts. With a decimal comma,
    1,5 is one number.
    \{ \} are the braces of a set; (1, 2] keeps its two brackets.
    """
    text = dressed_down(text)
    opening = closing = ""
    if text[:1] in "([{]" and text[-1:] in ")]}[" and len(text) > 1 and _is_outermost(text):
        opening, closing, text = text[0], text[-1], text[1:-1]
    inside = _within_numbers(text, bool(opening), grouped, decimal_comma)
    parts = _parted(text, inside)
    if parts is None or (len(parts) > 1 and not all(parts)):
        return None
    return Listing(tuple(part for part in parts if part), opening, closing)


def dressed_down(text: str) -> str:
    r"""The text as one line of ASCII where it can be, without the dress of LaTeX: \left, $, \{."""
    text = _DRESS.sub("", _ANGLE.sub("°", text))
    text = (
        text.replace("\\langle", "(")
        .replace("\\rangle", ")")
        .replace("\\{", "{")
        .replace("\\}", "}")
        .replace("\\lbrace", "{")
    )
    text = text.replace("\\rbrace", "}").replace("\\emptyset", "{}").replace("\\varnothing", "{}")
    text = plain(text.replace("∅", "{}").replace("{,}", ","))
    text = " ".join(text.replace("$", " ").replace("`", " ").replace("**", " ").split())
    return text.removesuffix(".").strip()


def _is_outermost(text: str) -> bool:
    """Whether the first bracket closes at the end, and not before: (1, 2), (3, 4) has none."""
    depth = 0
    for i, sign in enumerate(text):
        if sign in "([{":
            depth += 1
        elif sign in ")]}":
            depth -= 1
        if depth == 0 and 0 < i < len(text) - 1 and text[0] != "]":
            return False
    return True


def _within_numbers(text: str, bracketed: bool, grouped: bool, decimal_comma: bool) -> set[int]:
    """Where commas stand that belong to a number."""
    clear = not bracketed or ", " in text or ";" in text
    found: set[int] = set()
    for run in _RUN.finditer(text) if "," in text and (grouped or decimal_comma) else ():
        groups = run[0].split(",")
        is_decimal = decimal_comma and len(groups) == 2
        is_grouped = grouped and _GROUPED.fullmatch(run[0]) is not None
        if is_decimal or (is_grouped and (clear or any(g[0] == "0" for g in groups[1:]))):
            found |= {i for i in range(run.start(), run.end()) if text[i] == ","}
    return found


def _parted(text: str, inside: set[int]) -> list[str] | None:
    depth, start = 0, 0
    cuts: dict[str, list[tuple[int, int]]] = {";": [], ",": [], "and": []}
    for i, sign in enumerate(text):
        if sign in _PAIRS:
            depth += 1
        elif sign in ")]}":
            depth -= 1
        elif depth == 0 and sign == ";":
            cuts[";"].append((i, i + 1))
        elif depth == 0 and sign == ",":
            if i not in inside:
                cuts[","].append((i, i + 1))
        elif depth == 0 and sign == " " and text.startswith(" and ", i):
            cuts["and"].append((i, i + 5))
        if depth < 0:
            return None
    if depth:
        return None
    places = cuts[";"] or sorted([*cuts[","], *cuts["and"]])
    parts = []
    for begin, end in places:
        piece = text[start:begin].strip()
        if piece or (begin, end) not in cuts["and"]:  # "2, and 3": one cut, not two
            parts.append(piece)
        start = end
    parts.append(text[start:].strip())
    return parts
