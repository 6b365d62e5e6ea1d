"""What stands beside a numeral and changes its value: 1.2 million, $5k, 3 quarters.

What is read here is read wherever a number is; a factor that only one side of a comparison has
is never passed over in silence (`numeric`).
"""

import re
from dataclasses import dataclass
from fractions import Fraction

from eval_pipeline.verification.numbers.multipliers import (
    FACTORS,
    IDEOGRAMS,
    NO_MULTIPLE,
    OF_PERCENT,
    SOUNDS_LIKE_ONE,
    UNSETTLED,
)
from eval_pipeline.verification.numbers.numerals import LETTERS

_GLUED = {"k": Fraction(1000), "K": Fraction(1000), "M": Fraction(10**6)}
_OF_MONEY = {"m": Fraction(10**6), "b": Fraction(10**9), "B": Fraction(10**9)}
_MOST = 4  # factors in a row: more would be no number
KELVIN = "K"  # glued to a number it is a thousand, unless the other side is a temperature

_ALL = FACTORS | OF_PERCENT
_SPACED = [name for name in _ALL if re.match(f"[{LETTERS}]", name)]
_UNSPACED = [name for name in _ALL if name not in _SPACED]


def _names(names: list[str]) -> str:
    return "|".join(sorted(map(re.escape, names), key=len, reverse=True))


_OWN_SPACES = "\u0590-\u06ff\u0900-\u097f"  # Hebrew, Arabic and Devanagari part their words
_GAP = r"(?:[\s*_`$}]|-(?=[A-Za-z])){0,4}"
_WORD = re.compile(
    rf"{_GAP}(?:(?!{'|'.join(sorted(NO_MULTIPLE))})(?P<sign>{_names(_UNSPACED)})"
    rf"(?:(?<![{_OWN_SPACES}])|(?![{_OWN_SPACES}]))"
    rf"|(?P<name>{_names(_SPACED)})s?(?!-?[{LETTERS}]))",
    re.IGNORECASE,
)
_UNREAD = re.compile(
    rf"{_GAP}(?:(?:{_names(sorted(n for n in UNSETTLED if n.isascii() or n.isalpha()))})"
    rf"(?![{LETTERS}])|(?!{'|'.join(sorted(NO_MULTIPLE))})[{''.join(sorted(IDEOGRAMS))}]"
    rf"|{SOUNDS_LIKE_ONE})",
    re.IGNORECASE,
)
_LETTER = re.compile(rf"(?P<name>[kKMmbB])(?![{LETTERS}0-9_.,:/^]*[{LETTERS}0-9_^/])")


@dataclass(frozen=True)
class Factor:
    """A factor, 1 where none was said, where it ends, and whether it makes a share: 50 bps."""

    value: Fraction
    end: int
    is_percent: bool = False


def factor_after(text: str, at: int, is_money: bool = False) -> Factor:
    """The factor that begins at a place."""
    letters = {**_GLUED, **(_OF_MONEY if is_money else {})}
    if (letter := _LETTER.match(text, at)) and letter["name"] in letters:
        return Factor(letters[letter["name"]], letter.end())
    value, end, is_percent = Fraction(1), at, False
    for _ in range(_MOST):
        word = _WORD.match(text, end)
        if word is None:
            break
        name = (word["name"] or word["sign"]).lower()
        value, end, is_percent = value * _ALL[name], word.end(), is_percent or name in OF_PERCENT
    return Factor(value, end, is_percent)


def is_unread_factor(text: str, at: int) -> bool:
    """Whether a word begins at a place that multiplies and has no one meaning: 2 zillion, 3 mil."""
    return _UNREAD.match(text, at) is not None or _WORD.match(text, at) is not None


def is_factor(word: str) -> bool:
    """Whether a word changes the value of a number beside it."""
    return word.lower() in _ALL or word.lower().removesuffix("s") in _ALL
