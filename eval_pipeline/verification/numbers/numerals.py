"""How numbers are written: numerals to exact rationals, and back to one canonical form.

No float is involved: 0.1 is one tenth, and 2/3 is not 0.667.
"""

import re
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

from eval_pipeline.verification.numbers.plain import plain as plain

MAX_DIGITS = 400  # a longer numeral, or a power beyond it, is not read: it could fill the memory
THOUSANDS = {",": ",", ".": ".", "'": "'", " ": " ", "_": "_"}  # what a contract may declare
CURRENCY = "$€£¥₹₩₽"
# Letters of scripts that set spaces between words: a digit beside one is part of a name (x2, H2O).
# Digits beside others (答案是58, คำตอบคือ58) are numbers.
LETTERS = (
    "A-Za-z\u00aa\u00b5\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u024f"  # Latin
    "\u0370-\u03ff\u0400-\u052f\u1e00-\u1fff"  # Greek, Cyrillic, and Latin with more marks
)


@dataclass(frozen=True)
class NumberForm:
    """How numbers may be written: separators between groups of digits, and the decimal sign."""

    thousands: str = ""
    decimal: str = "."

    def __post_init__(self) -> None:
        if self.decimal not in (".", ","):
            raise ValueError(f"decimal must be '.' or ',', got {self.decimal!r}")
        if not isinstance(self.thousands, str):
            raise ValueError(f"thousands must be text, such as ',', got {self.thousands!r}")
        if unknown := sorted(set(self.thousands) - THOUSANDS.keys()):
            raise ValueError(f"thousands may hold {' '.join(THOUSANDS)!r}, not {unknown}")
        if self.decimal in self.thousands:
            raise ValueError(f"{self.decimal!r} is declared both as decimal sign and as thousands")


@dataclass(frozen=True)
class Number:
    """An exact value with the marks that stood beside it."""

    value: int | Fraction
    percent: bool = False
    currency: str = ""


def read_number(text: str, form: NumberForm = NumberForm()) -> Number | None:
    """The number that the whole of a plain text is, or None.

    Read are signs, declared thousands, decimals, periods (0.1(6) is 1/6), exponents (1e-5,
    1.5 x 10^3), powers, fractions and mixed numbers (1 1/4), with a currency before or after and a
    percent sign. A numeral with a separator that was not declared is not read, never cut short.
    """
    if text.isdigit() and text.isascii() and len(text) <= MAX_DIGITS:
        return Number(int(text))
    match = _whole(form).fullmatch(text)
    if match is None:
        return _in_other_base(text)
    value = _value(match, form)
    if value is None:
        return None
    if match["sign"] and match["inner_sign"]:  # +-5 is two numbers, and --5 none
        return None
    if ("-" in (match["sign"], match["inner_sign"])) != (match["bottom_sign"] == "-"):
        value = -value
    currency = (match["currency"] or match["currency_after"] or "").removeprefix("US")
    return Number(value, match["percent"] is not None, _CODES.get(currency, currency))


def find_numerals(text: str, form: NumberForm = NumberForm()) -> list[tuple[int, int]]:
    """Where numerals stand in a plain text: the (start, end) of each, in order.

    Digits joined by any separator are one numeral, whether it can be read or not; digits glued to
    a word (CO2, x_1) are none, and neither are ordinals (2nd, 第3).
    """
    found = _numeral(" " in form.thousands).finditer(text)
    return [match.span() for match in found if not _is_ordinal(text, match)]


def _is_ordinal(text: str, match: re.Match[str]) -> bool:
    """Whether a numeral tells a place in a row; 3/4ths is no place."""
    end = match.end()
    return (
        text[end : end + 1] in _ORDINAL_STARTS
        and _ORDINAL.match(text, end) is not None
        and "/" not in match[0]
    )


def canonical(number: Number) -> str:
    """One way to write a value: a decimal where it ends, else a fraction in lowest terms."""
    value = Fraction(number.value)
    top, bottom = value.numerator, value.denominator
    twos, fives, rest = 0, 0, bottom
    while rest % 2 == 0:
        rest, twos = rest // 2, twos + 1
    while rest % 5 == 0:
        rest, fives = rest // 5, fives + 1
    if rest > 1:
        digits = f"{top}/{bottom}"
    elif places := max(twos, fives):
        whole = str(abs(top) * 10**places // bottom).rjust(places + 1, "0")
        digits = f"{'-' if top < 0 else ''}{whole[:-places]}.{whole[-places:]}"
    else:
        digits = str(top)
    return digits + ("%" if number.percent else "")


_CODES = {"USD": "$", "EUR": "€", "GBP": "£", "INR": "₹", "Rs": "₹", "Rs.": "₹", "JPY": "¥"}
# 2nd, 1er, 2ème, 3-й
_ORDINAL = re.compile(
    rf"(?:st|nd|rd|th|er|re|i?[eè]me|-?(?:й|я|е|го|му|ая|ое|ый|ой))(?![{LETTERS}0-9])",
    re.IGNORECASE,
)
_ORDINAL_STARTS = frozenset("snrteièSNRTEIÈ-йяегмоЙЯЕГМО")
_MONEY = rf"(?:US)?[{CURRENCY}]|USD|EUR|GBP|INR|JPY|R[sM]\.?"


@lru_cache(maxsize=64)
def _whole(form: NumberForm) -> re.Pattern[str]:
    decimal = re.escape(form.decimal)
    unsigned = rf"(?:{_integer(form)}(?:{decimal}\d*(?:\(\d+\))?)?|{decimal}\d+)"
    power = r"(?:\s?[eE][+-]?\d+|\s*[x*]\s*10\^[+-]?\d+|\^[+-]?\d+)?"
    return re.compile(
        rf"(?P<sign>[+-]?)(?P<currency>{_MONEY})?\s?(?P<inner_sign>[+-]?)"
        rf"(?:(?P<whole>\d+)\s+(?P<part>\d+)/(?P<of>\d+)"
        rf"|(?P<top>{unsigned})(?P<power>{power})"
        rf"(?:\s?/\s?(?P<bottom_sign>-?)(?P<bottom>{unsigned})(?P<bottom_power>{power}))?)"
        rf"(?P<percent>\s?(?:%|per\s?cent|pct\.?))?\s?(?P<currency_after>{_MONEY})?"
    )


def _integer(form: NumberForm) -> str:
    ways = [rf"\d{{1,3}}(?:{re.escape(mark)}\d{{3}})+" for mark in form.thousands]
    if "," in form.thousands:
        ways.append(r"\d{1,2}(?:,\d{2})*,\d{3}")  # lakh and crore: 12,34,567
    return f"(?:{'|'.join([*ways, r'[0-9]+'])})"


_OTHER_BASE = r"0(?:[xX][0-9A-Fa-f]{1,400}|[bB][01]{1,400}|[oO][0-7]{1,400})"
_IN_OTHER_BASE = re.compile(rf"([+-]?)({_OTHER_BASE})")


def _in_other_base(text: str) -> Number | None:
    """0x1F, 0b110 or 0o17; 0x10 is also nought times ten."""
    match = _IN_OTHER_BASE.fullmatch(text)
    if match is None or (match[2][1] in "xX" and match[2][2:].isdigit()):
        return None
    value = int(match[2], 0)
    return Number(-value if match[1] == "-" else value)


@lru_cache(maxsize=2)
def _numeral(spaced: bool) -> re.Pattern[str]:
    run = r"(?:\d+[.,]\d*\(\d+\)|\d+(?:[.,:/'_^](?:(?<=[\^/])[+-])?\d+)*)"
    if spaced:
        run = rf"(?:\d{{1,3}}(?: \d{{3}})+(?!\d)(?:[.,]\d+)?|{run})"
    word = f"{LETTERS}0-9"
    return re.compile(
        rf"(?:(?<![{word}_)\].%+-])[+-])?(?:(?<![A-Za-z])(?:{_MONEY})[ \t]?[+-]?"
        rf"|(?<![{word}第])(?<![{word})}}\]]_)(?<![{LETTERS}]-)(?<!\d[.,:/'^])"
        r"(?<![A-Za-z]\^)(?<![A-Za-z]\^-))"
        rf"(?:{_OTHER_BASE}(?![{word}])|\d+[ \t]\d+/\d+(?![/\d.,])|{run}|(?<![{word}_.])[.,]\d+)"
        rf"(?:[ \t]?[eE][+-]?\d+(?![{word}])|[ \t]?[x*][ \t]?10\^[+-]?\d+)?"
        rf"(?:[ \t]?(?:%|(?:per[ \t]?cent|pct)(?![{word}])))?"
        rf"(?:[ \t]?(?:[€£¥₹₩₽]|(?:USD|EUR|GBP)(?![{word}])))?"
    )


def _value(match: re.Match[str], form: NumberForm) -> int | Fraction | None:
    if match["whole"] is not None:
        parts = [match["whole"], match["part"], match["of"]]
        if max(map(len, parts)) > MAX_DIGITS or int(match["of"]) == 0:
            return None
        return int(match["whole"]) + Fraction(int(match["part"]), int(match["of"]))
    top = _factor(match["top"], match["power"], form)
    if top is None or match["bottom"] is None:
        return top
    bottom = _factor(match["bottom"], match["bottom_power"], form)
    return Fraction(top) / bottom if bottom else None


def _factor(digits: str, power: str, form: NumberForm) -> int | Fraction | None:
    if len(digits) > MAX_DIGITS:
        return None
    for mark in form.thousands:
        digits = digits.replace(mark, "")
    whole, _, part = digits.partition(form.decimal)
    part, _, period = part.partition("(")
    part = part if period else part.rstrip("0")
    value: int | Fraction = int((whole + part) or "0")
    if part:
        value = Fraction(value, 10 ** len(part))
    if period:
        value += Fraction(int(period[:-1]), (10 ** (len(period) - 1) - 1) * 10 ** len(part))
    if not power:
        return value
    exponent_digits = re.split(r"[eE^]", power)[-1]
    exponent = int(exponent_digits) if len(exponent_digits) < 6 else MAX_DIGITS + 1
    if abs(exponent) > MAX_DIGITS:
        return None
    if power[0] != "^":  # e or x 10^: a power of ten beside the digits
        return value * Fraction(10) ** exponent
    if (len(digits) * abs(exponent) > MAX_DIGITS) or (value == 0 and exponent < 0):
        return None
    return Fraction(value) ** exponent
