"""Words beside a number that say it is not the value: not 7, at most 7, 7 or more."""

import re

from eval_pipeline.verification.numbers.bound_words import (
    BOUNDS,
    DENIED,
    MORE,
    MORE_UNSPACED,
    NEGATIONS,
    OPERATED,
    OPERATIONS,
    UNSPACED,
)
from eval_pipeline.verification.numbers.numerals import LETTERS

_AFFIRMED = re.compile(
    r"(?:is|was|are|were|would be|seems|looks)(?:\s(?:definitely|clearly|also|therefore|thus))?\s"
    r"(?:an?\s|the\s)?(?:correct|right|true|possible|valid|answer|case|result|solution)",
    re.IGNORECASE,
)


def _words(pattern: str) -> str:
    return re.sub(r"\s*\n\s*", "", pattern).replace(" ", r"\s{1,3}").replace("'", "['’]")


_BETWEEN = (
    r"(?:\s{1,3}(?:equal|equals|be|to|the|a|an|exactly|quite|really|actually|just|only|necessarily"
    r"|have|has|need|get|number|answer|value|correct|right|any|even|yet|but|or|of|is|es|é|è|ist|est|jest|är|er|on))"
)
_EDGE = rf"(?<![{LETTERS}0-9_])"
_BEFORE = re.compile(
    rf"(?:(?P<negation>(?:n['’]t|{_EDGE}(?:{_words(NEGATIONS)})){_BETWEEN}{{0,3}})"
    rf"|(?P<bound>{_EDGE}(?:{_words(BOUNDS)})(?:\s{{1,3}}(?:about|around|the|a|an|of))?)"
    rf"|(?P<operation>{_EDGE}(?:{_words(OPERATIONS)})(?:\s{{1,3}}(?:the|a|an|of))?)"
    rf"|(?P<beside>{_words(UNSPACED)}))\Z",
    re.IGNORECASE,
)
_AFTER = re.compile(
    rf"\s{{0,3}}(?:(?P<bound>(?:{_words(MORE)})(?![{LETTERS}])|{_words(MORE_UNSPACED)})"
    rf"|(?P<negation>(?:{_words(DENIED)})(?![{LETTERS}]))"
    rf"|(?P<operation>(?:{_words(OPERATED)})(?![{LETTERS}])))",
    re.IGNORECASE,
)
_AFTER_A_NOUN = re.compile(  # 7 apples or more
    rf"\s{{0,3}}[{LETTERS}]{{2,20}}\s{{1,3}}(?!and\s)(?P<bound>(?:{_words(MORE)})(?![{LETTERS}]))",
    re.IGNORECASE,
)
_WITHIN_A_WORD = re.compile("[\u0590-\u06ff\u0900-\u097f]{2}")
_WINDOW = 60


def said_before(text: str, at: int) -> tuple[int, str] | None:
    """Where such words begin that end at a place, and their kind; None where none do."""
    found = _BEFORE.search(text, max(0, at - _WINDOW), at)
    if found is None or (
        found["beside"] and found.start() and _WITHIN_A_WORD.match(text, found.start() - 1)
    ):
        return None
    kind = found.lastgroup or ""
    return found.start(), "bound" if kind == "beside" else kind


def said_after(text: str, at: int) -> tuple[int, str] | None:
    """Where such words end that begin at a place, and their kind; None where none do."""
    found = _AFTER.match(text, at) or _AFTER_A_NOUN.match(text, at)
    if found is None or _AFFIRMED.match(
        text, found.start() + len(found[0]) - len(found[0].lstrip())
    ):
        return None
    return found.end(), found.lastgroup or ""
