r"""Numbers with a unit, a word or a percent sign beside them; formulas with a unit behind.

A single letter behind a number may be a unit or a variable: 5 m. Which it is, the other side of
the comparison may tell.
"""

import re
from dataclasses import dataclass

from eval_pipeline.verification.first.number_words import figures
from eval_pipeline.verification.numbers.numerals import CURRENCY, find_numerals, plain
from eval_pipeline.verification.numbers.numeric import Numeric
from eval_pipeline.verification.numbers.quantity import Quantity
from eval_pipeline.verification.numbers.scale import is_factor
from eval_pipeline.verification.numbers.units import Unit, read_unit


@dataclass(frozen=True)
class Measure:
    """What a text measures.

    quantity: the number with its unit and words, where the whole text is one; unit and formula: the
    unit at the end, and what stands before it; is_sure: whether the unit cannot be a variable.
    """

    quantity: Quantity | None = None
    unit: Unit | None = None
    formula: str = ""
    is_sure: bool = True


_MEASURED = re.compile(
    r"(?P<formula>.*[\w})\]])\s*"
    r"(?:\\(?:text|mathrm|textrm|mbox)\s*\{\s*(?P<dressed>[^{}]+?)\s*\}"
    r"|\s(?P<plain>[A-Za-z°/]{2,}))"
    r"\s*(?P<power>\^\s*\{?[1-9]\}?)?"
)
_IN_TEXT = re.compile(  # \text{15 minutes}
    r"^\\(?P<command>text|mathrm)\s?\{\s?(?P<number>[-+]?\d[\d.,]*+)\s(?P<unit>[^{}\d]+)\}$"
)
_PER = re.compile(  # \mathrm{m s^{-2}}, \text{m s}^{-2}
    r"\\(?P<command>mathrm|text)\s?\{\s?(?P<unit>[A-Za-z]{1,4})\s{1,3}(?P<per>[A-Za-z]{1,4})\s?"
    r"(?:\^\s?\{-(?P<inside>[1-9])\}\s?\}|\}\s?\^\s?\{-(?P<behind>[1-9])\})"
)
_SINGLE = re.compile(
    r"(?P<formula>[-+]?\s*\d[\d.,]*(?:/\d+)?)\s*"
    r"(?P<unit>(?:[A-Za-z]|(?<=\d)[a-z]{2})(?:\s*\^\s*\{?-?[1-9]\}?)?(?:\s*/\s*[A-Za-z](?:\s*\^\s*\{?[1-9]\}?)?)?)"
)
_WORD = re.compile(r"[^\W\d_]+")
_ALLOWED = re.compile(r"[\w\s°¢%.,'^/()" + CURRENCY + r"‰-]*")
_BOUND_WORDS = """
more less fewer least most than over under above below about around approx approximately roughly
nearly almost not no never or and plus minus max min maximum minimum up down to from between
either if is mod divided times squared cubed factorial root oder mehr weniger mindestens hochstens
höchstens über unter etwa circa ungefähr nicht fast ou moins plus environ presque jusqu au maximum
pas o más mas menos mayor menor cerca casi aproximadamente más o meno più circa quasi non e mais
menos quase não не больше меньше около более менее
"""
_BOUNDS = frozenset(_BOUND_WORDS.split())
_MULTIPLYING = """
hundert mille millier milliers cent centaine mil miles cien ciento mila cento mille hundra tusen
wrong false incorrect falsch faux incorrecto errado sbagliato double twice triple half
"""
_MULTIPLIERS = frozenset(_MULTIPLYING.split())
_STEMS = (
    *("tausend", "million", "milliard", "billion", "dutzend", "douzain", "millón", "millon"),
    *("docena", "milion", "miliard", "dozzin", "milhão", "milhõe", "milhar", "dúzia", "duizend"),
    *("miljoen", "miljon", "miljard", "тысяч", "миллион", "миллиард", "сотн", "дюжин"),
)
_LEADING = frozenset({"negative", "minus"})


def read_measure(text: str, form: Numeric) -> Measure:
    """What a text measures, as far as it can be told."""
    text = _PER.sub(_divided, _IN_TEXT.sub(r"\g<number>\\\g<command>{\g<unit>}", text))
    quantity = form.read(text) if _is_quantity(text, form) else None
    if found := _MEASURED.fullmatch(text):
        power = re.sub(r"[^\d]", "", found["power"] or "")
        name = (found["dressed"] or found["plain"]).strip()
        unit = read_unit(f"{name}^{power}" if power else name)
        if unit:
            return Measure(quantity, unit, found["formula"].rstrip(" ~"))
    if found := _SINGLE.fullmatch(text):
        unit = read_unit(re.sub(r"[\s{}]", "", found["unit"]))
        if unit:
            return Measure(None, unit, found["formula"], False)
    return Measure(quantity)


def _divided(found: re.Match[str]) -> str:
    power = found["inside"] or found["behind"]
    unit = f"{found['unit']}/{found['per']}" + ("" if power == "1" else f"^{power}")
    return f"\\{found['command']}{{{unit}}}"


def _is_quantity(text: str, form: Numeric) -> bool:
    """Whether a text is numbers with units or one noun, and nothing that changes them."""
    is_dressed = "\\text" in text or "\\mathrm" in text or "\\mbox" in text
    said = plain(figures(text) if form.number_words else text).strip("*`_ ")
    spans = find_numerals(said, form.form)
    if "..." in said:  # digits go on
        return False
    if not spans or not _ALLOWED.fullmatch(said):
        return False
    before = said[: spans[0][0]].strip(f" +-{CURRENCY}").lower()
    if before and before not in _LEADING:
        return False
    behind = "".join(
        said[end:until] + " "
        for (_, end), until in zip(spans, [*(s for s, _ in spans[1:]), len(said)], strict=True)
    )
    if len(spans) > 1:
        return all(is_factor(w) or read_unit(w) for w in _WORD.findall(behind) if w != "and")
    if re.search(r"[(^]|\d", behind) and read_unit(behind.strip()) is None:
        return False
    words = _WORD.findall(behind)
    if len(words) == 1 and len(words[0]) == 1 and not is_dressed:
        return False  # 5 m: `_SINGLE`
    if words and read_unit(behind.strip()) is not None:
        return is_dressed or (len(behind.strip()) > 1 and not re.fullmatch(
            r"[A-Za-z](?:\s*[\^/].*)?", behind.strip()
        ))  # fmt: skip
    unknown = [w for w in words if not is_factor(w) and read_unit(w) is None]
    if any(w.casefold() in _BOUNDS for w in words):
        return False
    said_so = [word.casefold() for word in unknown]
    if any(word in _MULTIPLIERS or word.startswith(_STEMS) for word in said_so):
        return False
    return len(unknown) == 0 or (len(words) == 1 and len(words[0]) > 2)
