r"""What an answer of mathematics is wrapped in: a box, dollar signs, \text{...}."""

import re

from eval_pipeline.verification.extractions.boxed import Boxed, content_of_braces
from eval_pipeline.verification.formulas.elements import dressed_down
from eval_pipeline.verification.verdict import Item

_INTRODUCED = re.compile(  # the answer is 12; = 12
    r"(?:\\(?:text|mathrm)\s*\{\s*(?:the\s+)?(?:final\s+)?answer\s*(?:is|:|=)?\s*:?\s*\}|=(?!=))\s*",
    re.IGNORECASE,
)
_WRAPPED = re.compile(r"\\(?:mathbf|boldsymbol|bm|mathrm|ensuremath|mathit)\s?\{")
_TEXT = re.compile(r"\\(?:text|mathrm|textrm|textbf|mathbf|mbox)\s*\{([^{}]*)\}")


def side(text: str) -> str:
    """The answer itself: of the last box, without dollar signs and a full stop."""
    text = text.strip().strip("$").strip()
    if found := _INTRODUCED.match(text):
        text = text[found.end() :] or text
    if "\\boxed" in text or "\\fbox" in text:
        text = Boxed().extract(text, Item("")).answer or text
    if found := _WRAPPED.match(text):
        inside = content_of_braces(text, found.end() - 1)
        if inside is not None and "\\" in inside and found.end() + len(inside) + 1 == len(text):
            text = inside
    text = text.removesuffix("\\\\")
    if not text.endswith("..."):  # which says that digits go on
        text = text.rstrip(".").strip() or text
    return text


def bare(text: str) -> str:
    """The text without the dress of LaTeX."""
    return " ".join(dressed_down(_TEXT.sub(r" \1 ", text)).replace("\\ ", " ").split())
