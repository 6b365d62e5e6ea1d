"""What stands beside a numeral and changes its value: 1.2 million, $5k, 3 quarters, minus 5.

What is read here is read wherever a number is; a factor that only one side of a comparison has
is never passed over in silence (`numeric`).
"""

import re
from dataclasses import dataclass
from fractions import Fraction

_FACTORS: dict[str, Fraction] = {
    **dict.fromkeys(("hundred", "百"), Fraction(100)),
    **dict.fromkeys(("thousand", "千"), Fraction(10**3)),
    **dict.fromkeys(("万", "萬"), Fraction(10**4)),
    **dict.fromkeys(("million", "mn", "mio", "mln"), Fraction(10**6)),
    **dict.fromkeys(("亿", "億"), Fraction(10**8)),
    **dict.fromkeys(("billion", "bn", "bln"), Fraction(10**9)),
    **dict.fromkeys(("trillion", "tn", "trn"), Fraction(10**12)),
    "lakh": Fraction(10**5),
    "crore": Fraction(10**7),
    "dozen": Fraction(12),
    **dict.fromkeys(("half", "halves"), Fraction(1, 2)),
    **dict.fromkeys(("quarter", "fourth"), Fraction(1, 4)),
}
_PARTS = {"third": 3, "fifth": 5, "sixth": 6, "seventh": 7, "eighth": 8, "ninth": 9, "tenth": 10,
          "twelfth": 12, "hundredth": 100, "thousandth": 1000}  # fmt: skip
_FACTORS |= {name: Fraction(1, number) for name, number in _PARTS.items()}
_OF_PERCENT = {  # shares, as a number with a percent sign is
    **dict.fromkeys(("basis point", "bps", "bp", "‱"), Fraction(1, 100)),
    **dict.fromkeys(("per mille", "per mil", "‰"), Fraction(1, 10)),
}
_GLUED = {"k": Fraction(1000), "K": Fraction(1000), "M": Fraction(10**6)}
_OF_MONEY = {"m": Fraction(10**6), "b": Fraction(10**9), "B": Fraction(10**9)}
KELVIN = "K"  # glued to a number it is a thousand, unless the other side is a temperature

_ALL = _FACTORS | _OF_PERCENT
_NAMES = "|".join(sorted(map(re.escape, _ALL), key=len, reverse=True))
_WORD = re.compile(rf"[\s-]{{0,3}}(?P<name>{_NAMES})s?(?!-?[A-Za-z])", re.IGNORECASE)
_LETTER = re.compile(r"(?P<name>[kKMmbB])(?![\w.,:/^])")
_SIGN = re.compile(
    r"(?:(?:^|[=:,;.!?(]|\b(?:is|are|was|were|be|equals?|to|of|answer))\s{0,9}(?P<minus>minus)"
    r"|\b(?P<negative>negative))\s{1,3}$",
    re.IGNORECASE,
)


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
    while word := _WORD.match(text, end):
        name = word["name"].lower()
        value, end, is_percent = value * _ALL[name], word.end(), is_percent or name in _OF_PERCENT
    return Factor(value, end, is_percent)


def sign_before(text: str, at: int) -> int | None:
    """Where a sign in words begins that ends at a place (`negative 5`); None where none does.

    `minus` after an operand is an operation: 10 minus 5 holds no negative number.
    """
    found = _SIGN.search(text, max(0, at - 40), at)
    return found.start(found.lastgroup or 0) if found else None


def is_factor(word: str) -> bool:
    """Whether a word changes the value of a number beside it."""
    return word.lower() in _ALL or word.lower().removesuffix("s") in _ALL
