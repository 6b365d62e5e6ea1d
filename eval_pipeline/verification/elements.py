"""Answers of several parts, read: brackets, and what stands between the commas.

Both `listing` (sets and tuples) and `mathematics` read with it.
"""

from dataclasses import dataclass

from eval_pipeline.verification.numerals import plain

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


def read_listing(text: str, comma_in_numbers: bool = False) -> Listing | None:
    r"""The parts of a bracketed or bare list; None where brackets do not match or a part is empty.

    Parts are parted by `;` where there is one outside of brackets, else by commas and a last
    `and`. Where a comma may stand within a number, only a comma before a space parts.
    \{ \} are the braces of a set; (1, 2] keeps its two brackets.
    """
    text = dressed_down(text)
    opening = closing = ""
    if text[:1] in "([{]" and text[-1:] in ")]}[" and len(text) > 1 and _is_outermost(text):
        opening, closing, text = text[0], text[-1], text[1:-1]
    parts = _parted(text, comma_in_numbers)
    if parts is None or (len(parts) > 1 and not all(parts)):
        return None
    return Listing(tuple(part for part in parts if part), opening, closing)


def dressed_down(text: str) -> str:
    r"""The text as one line of ASCII where it can be, without the dress of LaTeX: \left, $, \{."""
    text = text.replace("\\{", "{").replace("\\}", "}").replace("\\lbrace", "{")
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


def _parted(text: str, comma_in_numbers: bool) -> list[str] | None:
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
            if not comma_in_numbers or text[i + 1 : i + 2] in (" ", ""):
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
