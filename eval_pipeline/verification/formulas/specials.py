"""Whole answers with a meaning of their own: the empty set, all integers, infinity, undefined."""

import re
from dataclasses import dataclass

from eval_pipeline.verification.formulas.splitting import without_texts


@dataclass(frozen=True)
class Special:
    """The empty set, all real numbers, or that something does not exist."""

    name: str


_SPECIAL = {
    "empty": r"\\emptyset|\\varnothing|∅|\{\s*\}|\\\{\s*\\\}|no(?: real)? solutions?"
    r"|(?:the )?empty set|there (?:is|are) no(?: real)? solutions?",
    "reals": r"\\mathbb\s*\{?\s*R\s*\}?|\\R|ℝ|(?:all|the) real(?: number)?s"
    r"|x\s*\\in\s*\\mathbb\s*\{?\s*R\s*\}?",
    "integers": r"\\mathbb\s*\{?\s*Z\s*\}?|(?:all|the) integers|x\s*\\in\s*\\mathbb\s*\{?Z\}?",
    "rationals": r"\\mathbb\s*\{?\s*Q\s*\}?|(?:all|the) rational(?: number)?s",
    "naturals": r"\\mathbb\s*\{?\s*N\s*\}?|(?:all|the) natural numbers",
    "complex": r"\\mathbb\s*\{?\s*C\s*\}?|(?:all|the) complex numbers",
    "inf": r"\+?\s*(?:\\infty|∞|inf|infinity)",
    "-inf": r"[-−]\s*(?:\\infty|∞|inf|infinity)|(?:negative|minus) infinity",
    "undefined": r"dne|does not exist|undefined|(?:is )?not defined",
}
_IS_SPECIAL = {name: re.compile(p, re.IGNORECASE) for name, p in _SPECIAL.items()}


def read_special(text: str) -> Special | None:
    """Whole answers with a meaning of their own."""
    bare = without_texts(text).strip(" .")
    for name, pattern in _IS_SPECIAL.items():
        if name not in ("inf", "-inf") and pattern.fullmatch(bare):
            return Special(name)
    return None


def infinite(text: str) -> str | None:
    """Infinity said in words, as its sign."""
    if "\\text" not in text and "infinity" not in text:
        return None
    bare = without_texts(text).strip(" .")
    if _IS_SPECIAL["inf"].fullmatch(bare):
        return "\\infty"
    return "-\\infty" if _IS_SPECIAL["-inf"].fullmatch(bare) else None
