"""The dress between a numeral and its neighbours, and whether a dash there is a sign."""

import re
from dataclasses import dataclass

from eval_pipeline.verification.numbers.numerals import LETTERS


@dataclass(frozen=True)
class Side:
    """How far a number reaches on one side; `sign` is -1 for a minus, `fault` what was not read."""

    at: int
    sign: int = 1
    fault: str = ""


@dataclass(frozen=True)
class Dress:
    """Where the dress before a place begins.

    opened: whether a bracket or a formula opens in it. crossed: whether a line begins in it.
    """

    at: int
    opened: bool = False
    crossed: bool = False
    fault: str = ""


_OPENING = frozenset(" \t\n\r\f\v\"'“”‘’«»„「」『』【】$`{([\\#_*")
_CLOSING = frozenset(" \t\"'“”‘’«»「」『』】$`})]_*")
_TAG = re.compile(r"<(?:<[^<>\n]{0,80}>>|[/A-Za-z|!][^<>\n]{0,60}>)\Z")
_RAISING = re.compile(r"<su[bp]\b", re.IGNORECASE)
_RULE = re.compile(r"^[ \t]{0,9}(?:\*{3,}|-{3,}|_{3,})[ \t]{0,9}\Z", re.MULTILINE)
_FUNCTION = re.compile(
    rf"(?<![{LETTERS}\\])(?:[A-Za-z]|log|ln|exp|sqrt|sin|cos|tan|abs|mod|min|max|floor|ceil)\Z"
)
_WRAPPER = re.compile(r"\\(?:boxed|fbox|boldsymbol|bm|bf|textsf|texttt|mathsf|mathbb|text)\Z")


def dressed_before(text: str, at: int) -> Dress:
    """The dress that ends at a place: space, quotes, opening brackets, marks of print, tags."""
    opened = crossed = False
    while at:
        sign = text[at - 1]
        if sign == ">" and (tag := _TAG.search(text, max(0, at - 90), at)):
            if _RAISING.match(tag[0]):
                return Dress(tag.start(), fault="operation")
            at, opened = tag.start(), True
            continue
        if sign.isalpha() and opened:
            if wrapper := _WRAPPER.search(text, max(0, at - 12), at):
                at = wrapper.start()
                continue
            break
        if sign not in _OPENING:
            break
        if sign == "*":
            begun = at
            while begun and text[begun - 1] == "*":
                begun -= 1
            if _multiplies(text, begun, at):
                break
            if crossed and _RULE.search(text, max(0, begun - 12), at):
                break
            at = begun
            continue
        before = text[at - 2 : at - 1]
        if sign in "([" and _is_applied(text, at - 1):
            return Dress(_function_start(text, at - 1), fault="operation")
        if sign == "_" and before.isalnum() and before.isascii():
            return Dress(at - 1, fault="name")
        opened = opened or sign in "([{$\\"
        crossed = crossed or sign == "\n"
        at -= 1
    return Dress(at, opened, crossed)


def _is_applied(text: str, at: int) -> bool:
    """Whether a bracket opens at once after a factor or a function: 2(5), ln(5)."""
    before = text[at - 1 : at]
    return (
        before.isdigit()
        or before in tuple(")]")
        or _FUNCTION.search(text, max(0, at - 7), at) is not None
    )


def is_rule(text: str, at: int) -> bool:
    """Whether a line of nothing but dashes or stars ends at a place."""
    return _RULE.search(text, max(0, text.rfind("\n", 0, at) + 1), at) is not None


def _function_start(text: str, at: int) -> int:
    name = _FUNCTION.search(text, max(0, at - 8), at)
    return name.start() if name else at


def _multiplies(text: str, begun: int, end: int) -> bool:
    """Whether stars between an operand and a number are a product, and no marks of print."""
    before = text[begun - 1 : begun]
    if not before or not (before.isalnum() or before in ")]} "):
        return False
    if before == " ":
        operand = text[max(0, begun - 9) : begun].rstrip(" ")[-1:]
        return text[end : end + 1] == " " and (operand.isdigit() or operand in tuple(")]}%"))
    stars = text[begun:end]
    closing = rf"(?<!\*)\*{{{len(stars)}}}(?!\*)"
    return re.search(closing, text[end : end + 60].split("\n")[0]) is None


def dressed_after(text: str, at: int) -> int:
    """Where the dress that begins at a place ends, on the same line."""
    while at < len(text) and (
        text[at] in _CLOSING
        or (text[at] == "\\" and text[at + 1 : at + 2] in tuple(")] ,;"))
        or (text[at] in "([" and text[at - 1] == " ")
    ):
        if text[at] == "*" and text[at + 1 : at + 2].isalnum() and not _is_print(text, at):
            break
        if text[at] == "_" and text[at + 1 : at + 2].isalnum():
            break
        at += 2 if text[at] == "\\" else 1
    return at


def _is_print(text: str, at: int) -> bool:
    """Whether the star at a place closes what another one opened on its line."""
    return text.count("*", text.rfind("\n", 0, at) + 1, at) > 0


_COPULA_WORDS = """
is are was were be been being equals equal to of at from gives get gets got by reads becomes
yields makes with about only still than answer ist sind war gleich est sont vaut égale es son
era igual é são vale è sono uguale это есть равно равен равна равняется jest wynosi je zijn
bedraagt är blir er on olan eşittir adalah là bằng είναι ισούται
"""
_COPULAS = frozenset(_COPULA_WORDS.split())
_ENDS_AS_COPULA = re.compile(
    "(?:是|为|為|等于|等於|得|は|が|은|는|이|가|คือ|เป็น|เท่ากับ|هو|هي|يساوي|है)\\Z"
)
_WORD = re.compile(rf"[{LETTERS}]{{1,40}}\Z")
_LABEL = re.compile(r"^[ \t*_>-]{0,6}\(?(?:[A-Ha-h]|\d{1,2}|i{1,3}|iv|v)\)\Z", re.MULTILINE)
_HEBREW = re.compile("[\u0590-\u05ff]")
_CONTRACTED = frozenset(("s", "m", "re", "d", "ll", "t"))
_APOSTROPHE = re.compile(r"(?<=[A-Za-z])['’]\Z")
# prepositions and articles of one letter, where a word stands before them: bajó a -5
_SMALL = re.compile(rf"(?P<word>[{LETTERS}]{{2,30}})[ \t][aàAeoyuiv]\Z")
_CONSTANTS = frozenset(["pi", "sin", "cos", "tan", "log", "ln", "exp", "sqrt"])


def is_sign(text: str, at: int, start: int) -> Side:
    """Whether the dash or plus at a place is the sign of the number that starts after it.

    After an operand it is an operation, and after most words it may be a dash.
    """
    dress = dressed_before(text, at)
    if dress.fault:
        return Side(dress.at, fault=dress.fault)
    if not dress.at or dress.crossed or dress.opened:
        return Side(at)
    has_gap = text[at + 1 : at + 2].isspace()
    is_glued = dress.at == at
    sign = text[dress.at - 1]
    if sign == ")" and not is_glued and _LABEL.search(text, max(0, dress.at - 12), dress.at):
        return Side(at)
    if sign.isdigit() or sign in ")]}%°!π∞²³":
        return Side(dress.at, fault="operation")
    if not sign.isalpha():
        return Side(at)
    word = _WORD.search(text, max(0, dress.at - 41), dress.at)
    if word is None:  # a script of its own
        begun = text[: dress.at].rstrip()[-1:]
        if _HEBREW.match(begun) and is_glued:
            return Side(dress.at - 1, fault="dash")
        is_dash = has_gap and not _ENDS_AS_COPULA.search(text, max(0, dress.at - 9), dress.at)
        return Side(dress.at - 1, fault="dash") if is_dash else Side(at)
    said = word[0].lower()
    if said in _COPULAS and said != "answer" and not is_glued:
        return Side(at)
    if said in _CONTRACTED and _APOSTROPHE.search(
        text, word.start() - 2, word.start()
    ):  # the answer's -5
        return Side(at)
    if text[word.start() - 1 : word.start()] == "\\" or said in _CONSTANTS:
        return Side(word.start(), fault="operation")
    small = _SMALL.search(text, max(0, dress.at - 40), dress.at)
    is_small = small is not None and not has_gap and small["word"].lower() not in _COPULAS
    if len(said) == 1 and not is_small:
        return Side(word.start(), fault="operation")
    if not has_gap and not is_glued:
        return Side(at)
    return Side(word.start(), fault="dash")


_MINUS = re.compile(
    rf"(?:(?<![{LETTERS}])(?:minus|negative|moins|menos|meno|минус|âm|eksi|miinus|μείον|negativ[eo]?|négatif"
    r"|negatif)|(?<![\u0590-\u06ff\u0900-\u097f])(?:מינוס|سالب|ناقص|ऋण)|ติดลบ|ลบ|负|負|零下|マイナス"
    r"|마이너스|영하)\Z",
    re.IGNORECASE,
)


def minus_before(text: str, at: int) -> Side | None:
    """A minus in words that ends at a place: a sign, or after an operand an operation."""
    minus = _MINUS.search(text, max(0, at - 12), at)
    if minus is None:
        return None
    before = text[: minus.start()].rstrip(" \t*_`")
    word = _WORD.search(before, max(0, len(before) - 41))
    if minus[0].lower() == "negative":
        return Side(minus.start(), sign=-1)
    is_operand = before[-1:].isdigit() or before[-1:] in tuple(")]}%°")
    if is_operand or (word and word[0].lower() not in _COPULAS):
        return Side(word.start() if word else len(before), fault="operation")
    return Side(minus.start(), sign=-1)


_TOKEN = re.compile(r"<\|[^|<>\n]{0,40}\|>")


def is_cell(text: str, at: int) -> bool:
    """Whether the bar at a place parts the cells of a table, and is no bar of mathematics."""
    line = text[text.rfind("\n", 0, at) + 1 : (text + "\n").find("\n", at)]
    return _TOKEN.sub("", line).count("|") >= 3


_MATHS = r"[-+*/^x÷·⋅∙_(){}\[\]|√∛π∞!%°<>≤≥≠±∓ ]"
_OPERANDS_BEFORE = re.compile(
    rf"(?:\\[A-Za-z]{{1,20}}|(?<![{LETTERS}\\'’])[{LETTERS}]|\d[\d.,]{{0,20}}+|{_MATHS}){{1,40}}+\Z"
)
_RUN_AFTER = re.compile(
    rf"[^\w\s]?\s?(?:(?:\\[A-Za-z]{{1,20}}|[{LETTERS}](?![{LETTERS}])|\d[\d.,]{{0,20}}+|{_MATHS}){{1,40}}+"
    rf"|[^\W\d_]{{1,40}})?"
)


def operands_before(text: str, at: int) -> int:
    """Where the formula begins that ends at a place."""
    found = _OPERANDS_BEFORE.search(text, max(0, at - 60), at)
    if found is None:
        return at
    return found.start() + len(found[0]) - len(found[0].lstrip())


def run_after(text: str, at: int) -> int:
    """Where the formula or the word ends that begins at a place."""
    found = _RUN_AFTER.match(text, at)
    return max(at + 1, at + len(found[0].rstrip())) if found else at + 1
