"""What stands beside a numeral and changes its value, on both sides, past the dress of a text.

Read are a sign apart from the digits, a factor and a unit. Anything else that a reader of numbers
does not compute (a relation, an operator with its operand, a root, a negation) is named as the
fault: the numeral alone is then not what was said.
"""

import re
from dataclasses import dataclass, replace

from eval_pipeline.verification.numbers.bounds import said_after, said_before
from eval_pipeline.verification.numbers.factorials import is_factorial
from eval_pipeline.verification.numbers.numerals import CURRENCY, LETTERS
from eval_pipeline.verification.numbers.scale import Factor, factor_after, is_unread_factor
from eval_pipeline.verification.numbers.sides import (
    Dress,
    Side,
    dressed_after,
    dressed_before,
    is_cell,
    is_rule,
    is_sign,
    minus_before,
    operands_before,
    run_after,
)
from eval_pipeline.verification.numbers.units import Unit, read_unit, unit_after


@dataclass(frozen=True)
class Surroundings:
    """A numeral with all that changes its value.

    start, end: the place of all of it. sign: -1 where a minus stands apart. fault: what was not
    read, in one word, or empty.
    """

    start: int
    end: int
    factor: Factor
    sign: int = 1
    unit: Unit | None = None
    fault: str = ""

    def moved(self, by: int) -> "Surroundings":
        """The same in a text that is longer at its beginning."""
        factor = replace(self.factor, end=self.factor.end + by)
        return replace(self, start=self.start + by, end=self.end + by, factor=factor)


def surroundings(text: str, start: int, end: int) -> Surroundings:
    """What stands beside the numeral at a place of a plain text."""
    left = _before(text, start)
    factor = factor_after(text, end, is_money=not text[start].isdigit())
    right, unit = _after(text, start, end, factor)
    return Surroundings(left.at, right.at, factor, left.sign, unit, left.fault or right.fault)


_RELATIONS = frozenset("<>≤≥≠≪≫±∓≢∝∈≡≮≯")
_OPERATORS = frozenset("/*÷·⋅∙^√∛∜∑∏∫∂∇⌊⌈‖")
_DRESS_COMMANDS = (
    "boxed|fbox|displaystyle|textstyle|therefore|thus|approx|sim|simeq|cong|implies|iff|to|gets"
    "|[Rr]ightarrow|[Ll]ongrightarrow|big|Big|bigg|Bigg|large|Large|huge|bf|bm|boldsymbol|mathbb"
    "|text|textsf|texttt|mathsf|quad|qquad|ldots|dots|centerdot|hspace|item|answer"
    "|blacksquare|square|qed|checkmark"
)
_NAMING = re.compile(rf"[{LETTERS}0-9]")
_COMMAND_BEFORE = re.compile(r"\\([A-Za-z]{1,20})\Z")
_COMMAND = re.compile(r"\\([A-Za-z]{1,20})")
_IS_DRESS = re.compile(f"(?:{_DRESS_COMMANDS})\\Z")
_RELATION_WORDS = "ne neq ge geq geqslant le leq leqslant gt lt pm mp in notin equiv ll gg not"
_RELATION_COMMANDS = frozenset(_RELATION_WORDS.split())
_TIMES = re.compile(r"(?:[\d)%]\s{0,3}|(?<![A-Za-z])[A-Za-z]\s{1,3})x\Z")
_PRODUCT_SIGN = re.compile(r"(?<=[\d)%])\s?x\s?(?=[\d($€£])")
# a letter with an operator at its side, or with digits before it
_OPERAND = re.compile(
    rf"(?<![{LETTERS}\d])[{LETTERS}]\s{{0,3}}[-+*/^]|[-+*/^]\s{{0,3}}[{LETTERS}](?![{LETTERS}])"
)
_COEFFICIENT = re.compile(r"\d([A-Za-z])(?![A-Za-z])")
_AHEAD = 80  # characters in which a unit of one side is looked for on the other


def _before(text: str, start: int) -> Side:
    money = start if text[start] in CURRENCY else start - 1
    if money > 0 and text[money] in CURRENCY and _NAMING.match(text, money - 1):
        return Side(money - 1, fault="letters")  # A$5 is no US dollar's
    dress = dressed_before(text, start)
    if dress.fault:
        return Side(operands_before(text, dress.at), fault=dress.fault)
    has_own_sign = text[start] in "+-"
    is_apart = bool(dress.at) and text[dress.at - 1] in "+-" and not has_own_sign
    if is_apart and dress.crossed:
        is_apart = False
        if not is_rule(text, dress.at):
            return Side(dress.at - 1, fault="dash")
    if has_own_sign or is_apart:
        place = start if has_own_sign else dress.at - 1
        told = is_sign(text, place, start)
        if told.fault:
            return Side(operands_before(text, told.at), fault=told.fault)
        return _signed(text, place, -1 if is_apart and text[place] == "-" else 1)
    if not dress.at:
        return Side(start)
    if text[dress.at - 1].isalpha() and (minus := minus_before(text, dress.at)):
        if minus.fault:
            return Side(operands_before(text, minus.at), fault=minus.fault)
        return _signed(text, minus.at, -1)
    return _beside(text, dress, start)


def _signed(text: str, at: int, sign: int) -> Side:
    """As `_before`, of a number whose sign is at a place."""
    dress = dressed_before(text, at)
    if dress.fault:
        return Side(operands_before(text, dress.at), fault=dress.fault)
    if not dress.at:
        return Side(at, sign)
    is_double = text[dress.at - 1] in "+-" and not dress.crossed
    if is_double or (text[dress.at - 1].isalpha() and minus_before(text, dress.at)):
        return Side(operands_before(text, dress.at - 1), fault="sign")
    beside = _beside(text, dress, at)
    return beside if beside.fault else Side(at, sign)


def _beside(text: str, dress: Dress, start: int) -> Side:
    """What the sign or word says that stands before the dress of a number."""
    at = dress.at
    sign = text[at - 1]
    if sign.isalpha():
        return _worded(text, at, start)
    if sign == "=":
        if text[at - 2 : at - 1] in ("<", ">", "!", "≠", "/"):
            return Side(operands_before(text, at - 2), fault="relation")
        return _equated(text, at, start)
    if (dress.crossed and sign in "*-_=#>|") or _is_arrow(text, at):
        return Side(start)
    if sign in _RELATIONS:
        return Side(operands_before(text, at - 1), fault="relation")
    if sign in _OPERATORS:
        return Side(operands_before(text, at - 1), fault="operation")
    if sign == "|" and not is_cell(text, at - 1):
        return Side(at - 1, fault="modulus")
    if sign == "%" and at == start:
        return Side(at - 1, fault="percent_before")
    if sign in ")]}" and (at == start or text[at] == "{"):
        return Side(operands_before(text, at), fault="operation")
    if sign in "—―" and at == start and not text[at - 2 : at - 1].strip():
        return Side(at - 1, fault="dash")
    return Side(start)


def _worded(text: str, at: int, start: int) -> Side:
    if command := _COMMAND_BEFORE.search(text, max(0, at - 21), at):
        if _IS_DRESS.match(command[1]):
            return Side(start)
        fault = "relation" if command[1] in _RELATION_COMMANDS else "formula"
        return Side(operands_before(text, command.start()), fault=fault)
    if _TIMES.search(text, max(0, at - 6), at):
        return Side(operands_before(text, at - 1), fault="operation")
    said = said_before(text, at)
    return Side(said[0], fault=said[1]) if said else Side(start)


def _equated(text: str, at: int, start: int) -> Side:
    """A side of an equation is a value only where the other is a name or plain arithmetic."""
    begun = operands_before(text, at - 1)
    other = _PRODUCT_SIGN.sub("*", text[begun : at - 1])
    units = {found[1] for found in _COEFFICIENT.finditer(text[at : at + _AHEAD])}
    known = all(one[1] in units and read_unit(one[1]) for one in _COEFFICIENT.finditer(other))
    is_plain = known and not _OPERAND.search(other)
    return Side(start) if is_plain else Side(begun, fault="equation")


def _is_arrow(text: str, at: int) -> bool:
    return text[at - 1] == ">" and text[at - 2 : at - 1] in ("-", "=")


_GLUED = re.compile(rf"[{LETTERS}][{LETTERS}0-9]{{0,20}}")
_RATE = re.compile(rf"/\s?(?:a\s|an\s|per\s)?(?:[{LETTERS}]{{2}}|(?![{LETTERS}])[^\W\d_])")
_HYPHENED = re.compile(
    rf"-(?:[{LETTERS}]{{2}}|>)|\s{{1,3}}-{{1,3}}\s{{0,3}}(?:[{LETTERS}]{{2}}|(?![{LETTERS}])[^\W\d_]|[aAI]\s|>)|--"
)
_RAISING = re.compile(r"<su[bp]\b", re.IGNORECASE)
_TAG = re.compile(r"<(?:<|[/A-Za-z|!])")
_END_OF_NAME = rf"(?![{LETTERS}])(?!['’][{LETTERS}])"
_VARIABLE = re.compile(
    rf"(?:[∞√∛]|[α-ω](?![{LETTERS}])"
    rf"|[A-Za-z]{_END_OF_NAME}\s{{0,3}}(?:\Z|[\n.,;!?\"'`|)\]}}$=+*/^<>-])"
    rf"|[xnpqrtfjb]{_END_OF_NAME}(?!\.)|x\s{{0,2}}[A-Za-z(\\](?![{LETTERS}]))"
)
_APPLIED = re.compile(rf"\((?:\s?-?[A-Za-z](?![{LETTERS}])|[^()\s]{{0,20}}[+*/^])")
# after words, and before the end or a new sentence: 46! Done; else a factorial
_EXCLAIMED = re.compile(r"!(?=[\s\"'”’)*_`$]{0,9}(?:\Z|\n|[A-Z<]|(?<=\s)[^\x00-\x7f]))")
_PROSE = re.compile(r"(?:[^\W\d_]{2,}|['’][^\W\d_])[\s*_`$]*\Z")
_CLOSED = re.compile(r"\\[)\]]|[$*_`]")  # what ends a formula or an emphasis: no sign goes on in it


def _after(text: str, start: int, end: int, factor: Factor) -> tuple[Side, Unit | None]:
    at, unit = factor.end, None
    if is_unread_factor(text, at):
        return Side(run_after(text, at), fault="multiplier"), None
    sign = text[at : at + 1]
    if glued := _GLUED.match(text, at):
        found = unit_after(text, at)
        is_word = not found and glued[0].isalpha() and len(glued[0]) > 3
        if glued[0] == "B" or not (found or is_word):  # 7B is as often seven billion as bytes
            return Side(glued.end(), fault="letters"), None
    elif sign == "(" and _APPLIED.match(text, at):
        return Side(run_after(text, at), fault="operation"), None
    else:
        beyond = (
            at + 1 if sign == "-" and text[at + 1 : at + 2].isalpha() else dressed_after(text, at)
        )
        found = unit_after(text, beyond) if sign != "\n" else None
        if sign == "/" and found and text[start].isdigit() and not text[at + 2 : at + 3].isalpha():
            found = None  # 4/m is a quotient as well as a rate
    if found:
        unit, at = found
        if is_unread_factor(text, at):
            return Side(run_after(text, at), fault="multiplier"), None
    fault = _follows(text, start, at)
    return (Side(fault[0], fault=fault[1]) if fault else Side(at)), unit


def _follows(text: str, start: int, end: int) -> tuple[int, str] | None:
    """What begins after a number and its unit, and changes them: where it ends, and its kind."""
    at = dressed_after(text, end)
    sign = text[at : at + 1]
    if not sign or sign == "\n":
        return None
    if sign.isalpha() or sign in "'’":
        if _VARIABLE.match(text, at):
            return run_after(text, at), "variable"
        return said_after(text, at)
    if sign == ",":
        said = said_after(text, at + 1)
        return said if said and said[1] == "bound" else None
    if sign == "!":
        if text[at + 1 : at + 2] == "=":
            return run_after(text, at), "relation"
        is_said = _PROSE.search(text, max(0, start - 40), start) or _CLOSED.search(text, end, at)
        is_exclaimed = is_said and _EXCLAIMED.match(text, at) and not is_factorial(text, at)
        return None if is_exclaimed else (at + 1, "operation")
    if sign == "\\":
        command = _COMMAND.match(text, at)
        if command is None or _IS_DRESS.match(command[1]):
            return None
        is_relation = command[1] in _RELATION_COMMANDS
        return run_after(text, at), "relation" if is_relation else "formula"
    if sign == "/":
        rate = _RATE.match(text, at)
        return None if rate else (run_after(text, at), "operation")
    if sign == "-":
        return None if _HYPHENED.match(text, end) else (run_after(text, at), "operation")
    if sign == "+":
        return (run_after(text, at), "bound" if not text[at + 1 : at + 3].strip() else "operation")
    if sign == "*":
        is_product = re.match(r"\*{1,2}\s?(?:[A-Za-z](?![A-Za-z])|[(\\√])", text[at : at + 5])
        return (run_after(text, at), "operation") if is_product else None
    if sign == "_":
        return run_after(text, at), "name"
    if sign == "<":
        if _RAISING.match(text, at):
            return run_after(text, at), "operation"
        return None if _TAG.match(text, at) else (run_after(text, at), "relation")
    if sign == "|":
        return None if is_cell(text, at) else (at + 1, "modulus")
    if sign == ":" and re.match(rf":\s?[A-Za-z](?![{LETTERS}])", text[at : at + 4]):
        return run_after(text, at), "operation"
    if sign in _RELATIONS:
        return run_after(text, at), "relation"
    if sign in _OPERATORS or sign in "⌋⌉∞′″":
        return run_after(text, at), "operation"
    return None
