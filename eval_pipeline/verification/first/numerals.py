"""How numbers are written: numerals to exact rationals, and back to one canonical form.

No float is involved: 0.1 is one tenth, and 2/3 is not 0.667.
"""

import re
import unicodedata
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

MAX_DIGITS = 400  # a longer numeral, or a power beyond it, is not read: it could fill the memory
THOUSANDS = {",": ",", ".": ".", "'": "'", " ": " ", "_": "_"}  # what a contract may declare
CURRENCY = "$€£¥₹₩₽"

_VULGAR = "¼½¾⅓⅔⅕⅖⅗⅘⅙⅚⅐⅛⅜⅝⅞⅑⅒"
_SIGNS_AND_SPACES = str.maketrans(
    {
        "٫": ".",
        "٬": ",",
        **dict.fromkeys("−‒–﹣－", "-"),
        **dict.fromkeys("\u00a0\u2007\u2008\u2009\u200a\u202f", " "),
        **dict.fromkeys("’‘ʼ＇", "'"),
        **dict.fromkeys("\u200b\u200c\u200d\u2060\ufeff", ""),
        # NFKC would glue these to the digit before: 1½ is not 11/2
        **{
            c: " " + unicodedata.normalize("NFKC", c).replace("\u2044", "/")
            for c in "¼½¾⅓⅔⅕⅖⅗⅘⅙⅚⅐⅛⅜⅝⅞⅑⅒"
        },
        "×": "x",
        "º": "°",  # NFKC would make it a letter
        "⁄": "/",
    }
)
_RAISED = re.compile("[⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻]+")
_LOWERED = re.compile("[₀₁₂₃₄₅₆₇₈₉]+")
_FOREIGN_DIGIT = re.compile(r"(?![0-9])\d")
_BRACED = r"\{((?:[^{}]|\{[^{}]*\})*)\}"
_FRACTION = re.compile(r"(\d?)\s*\\[dtc]?frac\s*" + _BRACED + r"\s*" + _BRACED)
_FRACTION_DIGITS = re.compile(r"(\d?)\s*\\[dtc]?frac\s*(\d)\s*(\d)")
# 0.333... goes on as it began; a bar over digits is put behind them one by one
_GOES_ON = re.compile(r"(?<![\d.,])(\d{0,20}\.\d{0,20}?)(\d{1,6}?)\2{2,20}\.\.\.")
_POINT_TIMES = re.compile(r"(?<=\d)\s?[·⋅∙•]\s?(?=10\s?\^)")
_BARRED = re.compile(r"(?:\d[\u0305\u0304])+")
_POWER = re.compile(r"(?<=\w)\*\*(?=[+-]?\d)")
_LATEX = (
    (re.compile(r"\\[lc]?dots(?![A-Za-z])"), "..."),
    (re.compile(r"\\(?:text|mathrm|textrm|mathit|mathbf|textbf|mbox|rm)\s*\{([^{}]*)\}"), r" \1"),
    (re.compile(r"\^\s*\{?\s*\\circ\s*\}?|\\degree(?![A-Za-z])"), "°"),
    (re.compile(r"\\(?:overline|bar|dot)\s*(?:\{(\d+)\}|(\d))"), r"(\1\2)"),
    (re.compile(r"\\(?:left|right)(?![A-Za-z])"), ""),
    (re.compile(r"\\[,;: ]|~"), " "),
    (re.compile(r"\\!"), ""),
    (re.compile(r"\{,\}"), ","),
    (re.compile(r"\\(?:times|cdot)(?![A-Za-z])"), "x"),
    # what only dresses a formula
    (re.compile(r"\\(?:begin|end)\s*\{(?:equation|align|gather|displaymath|math)\*?\}"), " "),
    (re.compile(r"\\color\s*\{\w*\}"), ""),
    (re.compile(r"\\(?:textcolor\s*\{\w*\}|underline)\s*\{([^{}]*)\}"), r"\1"),
    (re.compile(r"\\([$%_])"), r"\1"),
    (re.compile(r"\^\{([+-]?\d+)\}"), r"^\1"),
)


@dataclass(frozen=True)
class NumberForm:
    """How numbers may be written: separators between groups of digits, and the decimal sign."""

    thousands: str = ""
    decimal: str = "."

    def __post_init__(self) -> None:
        if self.decimal not in (".", ",") or not isinstance(self.thousands, str):
            raise ValueError(f"decimal must be '.' or ',', got {self.decimal!r}")
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


def plain(text: str) -> str:
    """The text with Unicode digits, signs and spaces, and LaTeX for numbers, written in ASCII.

    Superscripts become powers (10² is 10^2) and subscripts marks (x₂ is x_2): compatibility
    normalisation alone would make them digits of the number before. A period of a decimal stands
    in brackets: `0.\\overline{3}` and 0.333... are 0.(3).
    """
    if not text.isascii():
        text = _BARRED.sub(lambda m: f"({m[0][::2]})", text)
        text = _RAISED.sub(lambda m: "^" + unicodedata.normalize("NFKC", m[0]), text)
        text = _LOWERED.sub(lambda m: "_" + unicodedata.normalize("NFKC", m[0]), text)
        text = text.translate(_SIGNS_AND_SPACES)
        text = unicodedata.normalize("NFKC", text).replace("−", "-")
        text = _FOREIGN_DIGIT.sub(lambda m: str(unicodedata.decimal(m[0])), text)
        text = _POINT_TIMES.sub(" x ", text)
    if "\\" in text or "{" in text:
        for pattern, replacement in _LATEX:
            text = pattern.sub(replacement, text)
        for fraction in (_FRACTION, _FRACTION_DIGITS):
            text = fraction.sub(lambda m: f"{m[1]}{' ' if m[1] else ''}{m[2]}/{m[3]}", text)
    if text.count("**") == 1:  # a power; two are bold print
        text = _POWER.sub("^", text)
    if "..." in text:
        text = _GOES_ON.sub(lambda m: f"{'0' * (m[1][0] == '.')}{m[1]}({m[2]})", text)
    return text


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
        return None
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
    a word (CO2, x_1) are none.
    """
    return [match.span() for match in _numeral(" " in form.thousands).finditer(text)]


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


@lru_cache(maxsize=2)
def _numeral(spaced: bool) -> re.Pattern[str]:
    run = r"(?:\d+[.,]\d*\(\d+\)|\d+(?:[.,:/'_^](?:(?<=[\^/])[+-])?\d+)*)"
    if spaced:
        run = rf"(?:\d{{1,3}}(?: \d{{3}})+(?!\d)(?:[.,]\d+)?|{run})"
    return re.compile(
        rf"(?:(?<![\w)\].%+-])[+-])?(?:(?<![A-Za-z])(?:{_MONEY})\s?[+-]?"
        r"|(?<!\w)(?<![A-Za-z]-)(?<!\d[.,:/'^])(?<![A-Za-z]\^)(?<![A-Za-z]\^-))"
        rf"(?:\d+\s\d+/\d+(?![/\d.,])|{run}|(?<![\w.])[.,]\d+)"
        r"(?:\s?[eE][+-]?\d+(?!\w)|\s?[x*]\s?10\^[+-]?\d+)?"
        rf"(?:\s?(?:%|per\s?cent\b|pct\b))?(?:\s?(?:[€£¥₹₩₽]|(?:USD|EUR|GBP)\b))?"
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
