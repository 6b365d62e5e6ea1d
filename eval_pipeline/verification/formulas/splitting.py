r"""Where an answer falls apart: separators, relations and brackets outside of all brackets."""

import re
from collections.abc import Callable
from functools import lru_cache

from eval_pipeline.verification.formulas.terms import UnreadError
from eval_pipeline.verification.formulas.tokens import RELATIONS, ascii_of

_DROPPED = (
    (re.compile(r"\\(?:left|right)\s*\."), ""),
    (re.compile(r"\\(?:left|right|displaystyle|textstyle|[bB]igg?[lr]?|normalsize|small|[lL]arge"
                r"|LARGE|[hH]uge)(?![A-Za-z])"), ""),
    (re.compile(r"\\(?:lbrace|\{)"), r"\\{"),
    (re.compile(r"\\(?:rbrace|\})"), r"\\}"),
    (re.compile(r"\\langle(?![A-Za-z])"), "("),
    (re.compile(r"\\rangle(?![A-Za-z])"), ")"),
    (re.compile(r"\\color\s*\{\w*\}|\\(?:begin|end)\s*\{(?:equation|align|gather|displaymath|math"
                r"|aligned|gathered)\*?\}"), " "),
    (re.compile(r"\\(?:textcolor\s*\{\w*\}|underline)\s*\{([^{}]*)\}"), r"\1"),
    (re.compile(r"(?<!\\)\\(?:\(|\)|\[|\])"), " "),
    (re.compile(r"\\(?:therefore|because)(?![A-Za-z])"), " "),
    (re.compile(r"\\(?:text|mathrm)\s*\{\s*(?:percent|per cent|\\?%)\s*\}"), " percent"),
    (re.compile(r"(?<=[\w})])(?:\s|\\[,; ]|~)*+\\(?:text|mathrm)\s*\{\s*"
                r"(?:(?:square|sq\.?|cubic|cu\.?)\s+)?units?\s*\}"
                r"(?:\s*\^\s*(?:[23]|\{[23]\}))?\s*$"), ""),
    (re.compile(r"\^\s?(?:\{\s?\\circ\s?\}|\\circ)\s?(?:\\[,; ])?\s?\\(?:text|mathrm)\s?"
                r"\{\s?([CF])\s?\}"), r" °\1"),
    (re.compile(r"\\text\s?\{,\}"), "{,}"),
    (re.compile(r"(?<=[\d})])\{\s?\}"), ""),
    (re.compile(r"\\colon(?![A-Za-z])"), ":"),
    (re.compile(r"(?<=\d)\s*\\(?:text|mathrm)\s*\{\s*to\s*\}\s*(?=\d)"), ":"),
    (re.compile(r"(?:,|(?<=\s)\(|\\text\s*\{[ ,]*(?:for|where)[ ]*\})(?:\\[,; ]|\\q?quad|\s)*+"
                r"[jklmn]\s*\\in\s*\\mathbb\s*(?:\{Z\}|Z)\)?\s*$"), ""),
)  # fmt: skip
_JOINT = re.compile(
    r"(?:\\q?quad(?![A-Za-z])|\\[,;: ]|\s)*"
    r"\\(?:text|mathrm|textrm|mbox)\s*\{\s*,?\s*(or|and|und|oder|et|ou|y|o)\s*\}"
    r"(?:\\q?quad(?![A-Za-z])|\\[,;: ]|\s)*"
)
_UNIT_VECTOR = re.compile(
    r"\\(?:mathbf|hat|vec|boldsymbol|bm|widehat|overrightarrow)"
    r"(?:\s*\{\s*\\?|\s*\\|\s+)([ijk])(?:math)?(?![A-Za-z])(?:\s*\})?"
)
_LOGICAL = re.compile(r"\\(lor|vee|land|wedge)(?![A-Za-z])")
_GROUPED_THIN = (
    (re.compile(r"(?<=\d)\s*(?:\{,\}|,)\s*\\!\s*(?=\d{3}(?!\d))"), ","),
    (re.compile(r"(?<=\d)\s*\{,\}\s*(?=\d{3}(?!\d))"), ","),
)
_THIN = re.compile(r"(?<![\d.])\d{1,3}(?:(?:\\[, ]|~)\d{3})+(?!\d)(?!\s*/)")
_SPACES = re.compile(r"(?<!\\)\\(?:[,;:! ]|q?quad(?![A-Za-z]))|~")
_BOUND = r"(?=[-+\d\\(.$]|[A-Za-z]\b)"
_PHRASES = (
    (r"(?:is\s+)?(?:greater|larger|bigger|more)\s+than\s+or\s+equal\s+to", " \\ge "),
    (r"(?:is\s+)?(?:less|smaller)\s+than\s+or\s+equal\s+to", " \\le "),
    (r"(?:is\s+)?(?:at\s+least|(?:no|not)\s+(?:less|fewer|smaller)\s+than|a\s+minimum\s+of)",
     " \\ge "),
    (r"(?:is\s+)?(?:at\s+most|(?:no|not)\s+(?:more|greater|larger)\s+than|up\s+to"
     r"|a\s+maximum\s+of)", " \\le "),
    (r"(?:is\s+)?(?:more|greater|larger|bigger)\s+than", " > "),
    (r"(?:is\s+)?(?:less|fewer|smaller)\s+than", " < "),
    (r"(?:is\s+)?not(?:\s+equal\s+to)?", " \\ne "),
    (r"(?:is\s+)?equal\s+to|equals", " = "),
)  # fmt: skip
_PREFIXES = tuple(
    (re.compile(rf"(?<![A-Za-z])(?:{words})\s+{_BOUND}", re.IGNORECASE), sign.replace("\\", r"\\"))
    for words, sign in _PHRASES
)
_BEHIND = (
    (re.compile(r"^(.*[\w)}])\s+(?:or|and)\s+(?:more|greater|larger|higher|above|up)$", re.I),
     r"\\ge \1"),
    (re.compile(r"^(.*[\w)}])\s+(?:or|and)\s+(?:less|fewer|smaller|lower|below|under)$", re.I),
     r"\\le \1"),
)  # fmt: skip
_TEXTS = re.compile(r"\\(?:text|textrm|mbox|mathrm|textbf|mathbf)\s*\{([^{}]*)\}")
_PHRASE_IN_TEXT = re.compile(
    r"\\(?:text|textrm|mbox|mathrm)\s*\{(?=[^{}]*\b(?:least|most|than|not|more|less|fewer|equal"
    r"|up to|greater|above|below)\b)([^{}]*)\}",
    re.IGNORECASE,
)
_GOES_ON = re.compile(r"(?<![\d.,])(\d{0,20}\.\d{0,20}?)(\d{1,6}?)\2{2,20}\.\.\.")
_BARRED = re.compile(r"(?<=[.\d])\\(?:overline|bar|dot)\s*(?:\{(\d+)\}|(\d))")


def dressed_for_reading(text: str) -> str:
    """The text in ASCII and LaTeX, without what only dresses it; words for relations as signs."""
    text = ascii_of(text.replace("$", " ") if text.count("$") > 1 else text)
    text = text.replace("{:}", ":")
    if "\\" in text:
        for pattern, sign in _DROPPED:
            text = pattern.sub(sign, text)
        if any(found[1] != "i" for found in _UNIT_VECTOR.finditer(text)):
            text = _UNIT_VECTOR.sub(r"\\vec{\1}", text)
        text = _JOINT.sub(lambda m: f" {_JOINTS[m[1]]} ", text)
        text = _LOGICAL.sub(lambda m: " or " if m[1] in ("lor", "vee") else " and ", text)
        for pattern, sign in _GROUPED_THIN:
            while (joined := pattern.sub(sign, text)) != text:
                text = joined
        text = _THIN.sub(lambda m: re.sub(r"\D", "", m[0]), text)
        text = re.sub(r"(?<![\d.])\.(?=\()", "0.", _BARRED.sub(r"(\1\2)", text))
        text = _PHRASE_IN_TEXT.sub(r" \1 ", text)
        text = re.sub(r"\\(?:ldots|dots)(?![A-Za-z])", "...", text)
        text = _SPACES.sub(" ", text)
    if text.startswith("]") or text.endswith("["):
        text = _REVERSED.sub(_turned_round, text)
    if "..." in text:
        text = _GOES_ON.sub(lambda m: f"{'0' * (m[1][0] == '.')}{m[1]}({m[2]})", text)
    if re.search(r"[A-Za-z]{2}", text):
        for pattern, sign in _PREFIXES:
            text = pattern.sub(sign, text)
        for pattern, sign in _BEHIND:
            text = pattern.sub(sign, text)
    return " ".join(text.replace("**", "^" if text.count("**") == 1 else "").split())


_JOINTS = {"or": "or", "and": "and", "und": "and", "oder": "or", "et": "and", "ou": "or",
           "y": "and", "o": "or"}  # fmt: skip


_REVERSED = re.compile(  # ]1, 2[ is (1, 2)
    r"(?P<low>[\[\]])(?P<inside>[^\[\]()]{1,200}[,;][^\[\]()]{1,200})(?P<high>[\[\]])"
)


def _turned_round(found: re.Match[str]) -> str:
    low, high = ("(" if found["low"] == "]" else "["), (")" if found["high"] == "[" else "]")
    return f"{low}{found['inside']}{high}"


@lru_cache(maxsize=64)
def _scanner(separator: str) -> re.Pattern[str]:
    return re.compile(
        rf"(?P<open>\\\{{|[(\[{{])|(?P<close>\\\}}|[)\]}}])|(?P<sep>{separator})"
        r"|\\[A-Za-z]+|\\."
    )


def parted(text: str, separator: str) -> tuple[list[str], list[str]]:
    """The pieces of a text between separators outside of brackets, and the separators.

    Raises UnreadError where brackets do not match.
    """
    depth, start = 0, 0
    pieces: list[str] = []
    signs: list[str] = []
    for match in _scanner(separator).finditer(text):
        if match["open"]:
            depth += 1
        elif match["close"]:
            depth -= 1
            if depth < 0:
                raise UnreadError("brackets do not match")
        elif match["sep"] and depth == 0:
            pieces.append(text[start : match.start()].strip())
            signs.append(match["sep"].strip())
            start = match.end()
    if depth:
        raise UnreadError("brackets do not match")
    return [*pieces, text[start:].strip()], signs


_RELATION = (
    "|".join(
        re.escape(sign) + (r"(?![A-Za-z])" if sign[0] == "\\" else "")
        for sign in sorted(RELATIONS, key=len, reverse=True)
    )
    + r"|\\not\s*(?:=|\\in(?![A-Za-z])|\\equiv(?![A-Za-z]))"
)


def relations(text: str) -> tuple[list[str], list[str]]:
    """The sides of a chain of relations, and its signs in one spelling."""
    sides, signs = parted(text, _RELATION)
    return sides, [RELATIONS.get(sign) or _negated(sign) for sign in signs]


def _negated(sign: str) -> str:
    if sign.endswith("="):
        return "!="
    return "notequiv" if "equiv" in sign else "notin"


def outer_brackets(text: str) -> tuple[str, str, str] | None:
    """The brackets around a whole text and what they hold; None where it has none."""
    opening = next((sign for sign in ("\\{", "{", "(", "[", "]") if text.startswith(sign)), None)
    closing = next((sign for sign in ("\\}", "}", ")", "]", "[") if text.endswith(sign)), None)
    if opening is None or closing is None or len(text) < 2:
        return None
    inside = text[len(opening) : -len(closing)]
    if (opening == "\\{") != (closing == "\\}") or (opening == "{") != (closing == "}"):
        return None
    try:
        parted(inside, "(?!)")
    except UnreadError:
        return None
    return opening, inside.strip(), closing


def joined_digits(text: str, thousands: str, decimal: str) -> str:
    """The text with its digits in one run: 1,234 is 1234 and 1,5 is 1.5 where so declared.

    Commas within brackets part, but where another separator or a group that begins with 0 tells.
    """
    if decimal == ",":
        text = (
            re.sub(r"(?<![\d,.])(\d{1,3}(?:\.\d{3})+)(?=,\d|(?![\d.]))", _without(r"\."), text)
            if "." in thousands
            else text
        )
        text = re.sub(r"(?<![\d,])(\d+),(\d+)(?![\d,])", r"\1.\2", text)
    if "," in thousands:
        clear = ", " in text or ";" in text

        def join(match: re.Match[str]) -> str:
            groups = match[0].split(",")
            is_inside = _depth(text, match.start()) > 0
            if not _GROUPS.fullmatch(match[0]):
                return match[0]
            if is_inside and not clear and all(g[0] != "0" for g in groups[1:]):
                return match[0]
            return "".join(groups)

        text = _COMMAS.sub(join, text)
    for mark in set(thousands) & {"'", " ", "_"}:
        pattern = rf"(?<![\w.,^{{/])\d{{1,3}}(?:{re.escape(mark)}\d{{3}})+(?![\d{mark}]|\s*/|,\d)"
        text = re.sub(pattern, _without(re.escape(mark)), text)
    return text


_COMMAS = re.compile(r"(?<![\w.,])\d+(?:,\d+)+(?![\w,]|,\d)")
_GROUPS = re.compile(r"\d{1,3}(?:,\d{3})+|\d{1,2}(?:,\d{2})*,\d{3}")


def _without(mark: str) -> Callable[[re.Match[str]], str]:
    return lambda match: re.sub(mark, "", match[0])


def _depth(text: str, end: int) -> int:
    before = text[:end].replace("\\{", "(").replace("\\}", ")")
    return sum(before.count(sign) for sign in "([{") - sum(before.count(sign) for sign in ")]}")


def without_texts(text: str) -> str:
    r"""The text with what stands in \text{...} as plain words."""
    return " ".join(_TEXTS.sub(r" \1 ", text).split())
