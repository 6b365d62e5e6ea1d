"""Whether two numerals side by side are one thing: a range, a date, a choice, a list."""

import re

from eval_pipeline.verification.numbers.bounds import said_before
from eval_pipeline.verification.numbers.units import unit_after

_WORDS = """
or and to through till until choose of by y o u und oder bis et ou à a e и или до i lub nebo až en
tot och eller og til ja tai ve veya dan atau sampai và hoặc đến ή και έως או עד أو و إلى और या से
"""
_SIGNS = (
    r"[–—±~〜～&、,;/]|\.{2,3}|\+/?-|out\s{1,3}of|和|或者|或|到|至|与|と|か|や|から|または"
    r"|와|과|또는|에서|부터|และ|หรือ|ถึง"
)
_JOINED = re.compile(
    rf"-|\s{{0,9}}(?:{_SIGNS}|(?:,\s{{0,3}})?\b(?:{'|'.join(_WORDS.split())})\b)\s{{0,9}}",
    re.IGNORECASE,
)
_PRODUCT = re.compile(r"\s{0,3}[x×*]\s{0,3}")
# x = 2 or x = 3
_DRESS = r"(?:[\s$,;{}]|\\(?:text|quad|[(),;])){0,12}+"
_AGAIN = re.compile(
    rf"{_DRESS}(?:(?:or|and|oder|und|ou|et|o|y|или|и)(?=[\s}}]){_DRESS})?"
    r"(?P<name>[A-Za-z])(?:_\{?\d\}?)?\s{0,3}=[\s$]{0,3}-?"
)
_LIST = re.compile(r"\s{0,9}[,;&]\s{0,9}")
_SHARE_OF = re.compile(
    r"\s{0,3}of\s{1,3}(?:the\s{1,3}|all\s{1,3}|these\s{1,3}|those\s{1,3})?", re.IGNORECASE
)
_FROM = re.compile(r"\b(?:from|von|de|desde|da|от|с|od|van|från|fra)\W{0,3}$", re.IGNORECASE)
_TO = frozenset(("to", "auf", "a", "à", "bis", "na", "до", "do", "tot", "till", "til"))
_ENDS = re.compile(r"(?:[^\w\n<]|<[^<>\n]{1,60}>){0,9}(?:\n|\Z)")
_TOLD = re.compile(r"(?:\A|[=:([{]|\b(?:is|are|be|of|equals?)|[是为は은는])\s{0,3}\Z")


def _names(text: str, at: int, name: str) -> bool:
    """Whether a name is given the value that stands at a place."""
    before = text[max(0, at - 20) : at]
    return (
        re.search(rf"(?<![A-Za-z]){name}(?:_\{{?\d\}}?)?\s?=[\s$]{{0,3}}-?\Z", before) is not None
    )


def is_half_of(text: str, before: tuple[int, int], start: int, end: int) -> bool:
    """Whether a number at a place is a part of something with the numeral before it.

    `from 9 to 4` ends at the second. Numerals with a comma between are a list only where nothing
    else can be meant: in 2019, 46 birds has one number.
    """
    begun = before[1]
    if start - begun > 60:
        return False
    if (unit := unit_after(text, begun)) and unit[1] <= start:
        begun = unit[1]
        if _PRODUCT.fullmatch(text, begun, start):  # 4 cm x 3 cm
            return True
    between = text[begun:start]
    if (again := _AGAIN.fullmatch(between)) and _names(text, before[0], again["name"]):
        return True
    if text[before[1] - 1] == "%" and _SHARE_OF.fullmatch(between):
        return True
    if not _JOINED.fullmatch(between):
        return False
    if _LIST.fullmatch(between):
        dropped = said_before(
            text, len(text[max(0, before[0] - 60) : before[0]].rstrip()) + max(0, before[0] - 60)
        )
        is_told = _TOLD.search(text, max(0, before[0] - 20), before[0])
        return dropped is None and bool(is_told or _ENDS.match(text, end))
    return not (
        between.strip().lower() in _TO and _FROM.search(text[max(0, before[0] - 12) : before[0]])
    )
