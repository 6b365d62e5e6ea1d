"""Text with numbers in one spelling: Unicode digits, signs and spaces, and LaTeX, as ASCII."""

import html
import re
import unicodedata

_VULGAR = "¼½¾⅓⅔⅕⅖⅗⅘⅙⅚⅐⅛⅜⅝⅞⅑⅒"
_SIGNS_AND_SPACES = str.maketrans(
    {
        "٫": ".",
        "٬": ",",
        "٪": "%",
        **dict.fromkeys("−‒–﹣－‐‑˗➖", "-"),
        "➕": "+",
        **dict.fromkeys("\u00a0\u2007\u2008\u2009\u200a\u202f", " "),
        **dict.fromkeys("’‘ʼ＇", "'"),
        # NFKC would glue these to the digit before: 1½ is not 11/2
        **{c: " " + unicodedata.normalize("NFKC", c).replace("\u2044", "/") for c in _VULGAR},
        "×": "x",
        "º": "°",  # NFKC would make it a letter
        "⁄": "/",
    }
)
# what nobody sees: format characters, fillers, variation selectors, frames round a digit
_UNSEEN = re.compile(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180e\u200b-\u200f\u202a-\u202e\u2060"
    "\u2061\u2065-\u206f\u20dd-\u20e0\u20e2-\u20e4\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff9-\ufffb"
    "\U000e0000-\U000e0fff]+"
)
# operators that nobody sees: 2 times 3 is not 23
_UNSEEN_OPERATORS = str.maketrans({"\u2062": "*", "\u2063": ",", "\u2064": "+"})
# a mark over a digit, such as a line through it, keeps the numeral whole and unread
_MARKED = re.compile("(?<=\\d)[\u0300-\u036f\u20d0-\u20ff]+")
_RAISED = re.compile("[⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻]+")
_LOWERED = re.compile("[₀₁₂₃₄₅₆₇₈₉]+")
_FOREIGN_DIGIT = re.compile(r"(?![0-9])\d")
_BRACED = r"\{((?:[^{}]|\{[^{}]*\})*)\}"
_FRACTION = re.compile(r"(?:(\d)\s{0,9})?\\[dtc]?frac\s{0,9}" + _BRACED + r"\s{0,9}" + _BRACED)
_FRACTION_DIGITS = re.compile(r"(?:(\d)\s{0,9})?\\[dtc]?frac\s{0,9}(\d)\s{0,9}(\d)")
# 0.333... goes on as it began; a bar over digits is put behind them one by one
_GOES_ON = re.compile(r"(?<![\d.,])(\d{0,20}\.\d{0,20}?)(\d{1,6}?)\2{2,20}\.\.\.")
_POINT_TIMES = re.compile(r"(?<=\d)\s?[·⋅∙•]\s?(?=10\s?\^)")
_BARRED = re.compile(r"(\.\d{0,20}?)((?:\d[\u0305\u0304])+)")
_POWER = re.compile(r"(?<=\w)\*\*(?=[+-]?\d)")
_ENTITY = re.compile(r"&(?:#\d{1,6}|#[xX][0-9A-Fa-f]{1,6}|[A-Za-z]{2,8});")
_LATEX = (
    (re.compile(r"\\[lc]?dots(?![A-Za-z])"), "..."),
    (re.compile(r"\\(?:text|mathrm|textrm|mathit|mathbf|textbf|mbox|rm)\s*\{([^{}]*)\}"), r" \1"),
    (re.compile(r"\^\s*\{?\s*\\circ\s*\}?|\\degree(?![A-Za-z])"), "°"),
    (re.compile(r"(\.\d{0,20})\\(?:overline|bar|dot)\s{0,9}(?:\{(\d+)\}|(\d))"), r"\1(\2\3)"),
    (re.compile(r"\\(?:left|right)(?![A-Za-z])"), ""),
    (re.compile(r"\\(?:[,;: ]|q?quad(?![A-Za-z]))|~"), " "),
    (re.compile(r"\\[!-]"), ""),
    (re.compile(r"\{,\}"), ","),
    (re.compile(r"\\(?:times|cdot)(?![A-Za-z])"), "x"),
    # what only dresses a formula
    (re.compile(r"\\(?:begin|end)\s*\{(?:equation|align|gather|displaymath|math)\*?\}"), " "),
    (re.compile(r"\\color\s*\{\w*\}"), ""),
    (re.compile(r"\\(?:textcolor\s*\{\w*\}|underline)\s*\{([^{}]*)\}"), r"\1"),
    (re.compile(r"\\([$%_])"), r"\1"),
    (re.compile(r"\^\{([+-]?\d+)\}"), r"^\1"),
)


def plain(text: str) -> str:
    """The text with Unicode digits, signs and spaces, and LaTeX for numbers, written in ASCII.

    Superscripts become powers (10² is 10^2) and subscripts marks (x₂ is x_2): compatibility
    normalisation alone would make them digits of the number before. A period of a decimal stands
    in brackets: `0.\\overline{3}` and 0.333... are 0.(3). What nobody sees is taken away: a soft
    hyphen parts no number.
    """
    if "&" in text:
        text = _ENTITY.sub(lambda m: html.unescape(m[0]), text)
    if not text.isascii():
        text = _UNSEEN.sub("", text).translate(_UNSEEN_OPERATORS)
        text = _BARRED.sub(lambda m: f"{m[1]}({m[2][::2]})", text)
        text = _MARKED.sub("_0_", text)
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
            text = fraction.sub(lambda m: f"{m[1] + ' ' if m[1] else ''}{m[2]}/{m[3]}", text)
    if text.count("**") == 1:  # a power; two are bold print
        text = _POWER.sub("^", text)
    if "..." in text:
        text = _GOES_ON.sub(lambda m: f"{'0' * (m[1][0] == '.')}{m[1]}({m[2]})", text)
    return text
