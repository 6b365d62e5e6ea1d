"""Units beside numbers: which are the same, and which measure the same thing.

A unit is a product of powers of named units (km/h, m s^-2, square metres are m^2). Its factor to
the base units is an exact rational; what is not listed is no unit, and its words count as words.
"""

import re
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

from eval_pipeline.verification.numbers.numerals import LETTERS
from eval_pipeline.verification.numbers.unit_names import ALIASES

Dimension = tuple[tuple[str, int], ...]


@dataclass(frozen=True)
class Unit:
    """What is measured, as sorted powers of base units, and the factor to those."""

    dimension: Dimension
    factor: Fraction

    def times(self, other: "Unit") -> "Unit":
        """The product of both."""
        powers = dict(self.dimension)
        for base, power in other.dimension:
            powers[base] = powers.get(base, 0) + power
        dimension = tuple(sorted((b, p) for b, p in powers.items() if p))
        return Unit(dimension, self.factor * other.factor)


@lru_cache(maxsize=4096)
def read_unit(words: str) -> Unit | None:
    """The unit that the whole of some words is, or None.

    Case counts (mW is no MW), but for names of more than three letters.
    """
    words = _POWER_WORD.sub(lambda m: f"{m[2]}^{3 if m[1].lower() == 'cubic' else 2}", words)
    words = _WHOSE.sub("", words)
    words = _DEGREES.sub(lambda m: "°" + m[1][0].upper(), words).strip()
    powers: dict[str, int] = {}
    factor, sign, last, is_named = Fraction(1), 1, 0, False
    for match in _TOKEN.finditer(words):
        if match.start() != last:
            return None
        last = match.end()
        if match["per"]:
            sign = -1
            continue
        if match["times"]:
            continue
        known = _named(match["name"])
        if known is None:
            return None
        is_named = True
        if match["power"] in _DIGITS and not match["raised"] and known.dimension != _LENGTH:
            return None  # 5C2 is no square of coulombs, as cm2 is one of centimetres
        power = sign * int(match["power"] or 1)
        factor *= known.factor**power
        for base, exponent in known.dimension:
            powers[base] = powers.get(base, 0) + exponent * power
    if last != len(words) or not is_named:
        return None
    return Unit(tuple(sorted((b, p) for b, p in powers.items() if p)), factor)


def leading_unit(words: str) -> Unit | None:
    """The unit that some words begin with: `cm of rope` is cm. The longest one counts."""
    found = unit_after(words, 0)
    return found[0] if found else None


def unit_after(text: str, at: int) -> tuple[Unit, int] | None:
    """The unit that begins at a place of a text, and where it ends; the longest one counts.

    `in` before other words is no inch. Scripts without spaces need none after it: 5公里长.
    """
    begun = _BEGUN.match(text, at)
    if begun is None or _ELIDED.match(text, begun.end()):
        return None
    name = begun["name"]
    place = begun.start("name")
    is_begun = not name or _named(name) or name in _BEFORE_A_UNIT or _POWER_WORD.match(text, place)
    if not is_begun:
        return _unspaced(text, place)
    parts = _parts(text, at)
    for count in range(len(parts), 0, -1):
        begun_at = parts[0].start()
        said = text[begun_at : parts[count - 1].end()].rstrip(_CLOSING)
        if count == 1 and said == "in" and text[begun_at + 2 : begun_at + 4].strip().isalpha():
            return None
        if unit := read_unit(said):
            return unit, begun_at + len(said)
        bare = said.partition("^")[0]
        if count == 1 and bare != said and (unit := read_unit(bare)):
            return unit, begun_at + len(bare)
    return _unspaced(text, place) if name else None


def _parts(text: str, at: int) -> list[re.Match[str]]:
    """Words side by side that may name a unit; another sign or a line's end ends them."""
    parts: list[re.Match[str]] = []
    for part in _PART.finditer(text, at, at + _LONGEST):
        between = text[parts[-1].end() : part.start()] if parts else ""
        if between.strip() or "\n" in between or _ELIDED.match(text, part.end()):
            break
        parts.append(part)
        if len(parts) == _MOST_PARTS:
            break
    return parts


def _unspaced(text: str, at: int) -> tuple[Unit, int] | None:
    for length in range(min(_LONGEST_UNSPACED, len(text) - at), 0, -1):
        if (sign := _UNSPACED.get(text[at : at + length])) and (unit := _exactly(sign)):
            return unit, at + length
    return None


_POWER_WORD = re.compile(r"\b(square|sq\.?|cubic)\s+([A-Za-z]+)", re.IGNORECASE)
_WHOSE = re.compile(r"\b(?:US|U\.S\.|American)\s(?=(?:dollar|cent)s?\b)")
_DEGREES = re.compile(
    r"(?:\b(?:degrees?|grad|grados|degrés?|graus|gradi)\s+|°\s*)(celsius|fahrenheit|C\b|F\b)",
    re.IGNORECASE,
)
_TOKEN = re.compile(
    r"\s*(?:(?P<per>/|\bper\b)|(?P<times>[*·⋅])"
    r"|(?P<name>°[CF]?|%|¢|[^\W\d_]+)(?:(?P<raised>\^)?(?P<power>-?[1-9]))?(?![\d^]))\s*"
)
_DIGITS = frozenset("123456789")
_LENGTH: Dimension = (("m", 1),)
_BEGUN = re.compile(
    rf"[^\S\n]{{0,3}}(?:°|%|¢|/|(?P<name>[{LETTERS}]{{1,30}}|(?:(?![{LETTERS}])[^\W\d_]){{1,30}}))"
)
_PART = re.compile(rf"[{LETTERS}0-9°¢%Ω/^*·⋅.-]+")
_ELIDED = re.compile(rf"['’](?=[{LETTERS}])")  # J'espère begins with no joule
_MOST_PARTS = 5
_LONGEST = 60  # characters that are looked at for a unit
_BEFORE_A_UNIT = frozenset(("US", "U", "American"))
_CLOSING = ".,;:!?)]}*_`$\"'\\"
_UNSPACED = {name: sign for name, sign in ALIASES.items() if not re.match(f"[{LETTERS}]", name)}
_LONGEST_UNSPACED = max(map(len, _UNSPACED))
_PREFIXES = {
    "n": Fraction(1, 10**9), "µ": Fraction(1, 10**6), "μ": Fraction(1, 10**6),
    "m": Fraction(1, 1000), "c": Fraction(1, 100), "d": Fraction(1, 10), "k": Fraction(1000),
    "M": Fraction(10**6), "G": Fraction(10**9),
    "nano": Fraction(1, 10**9), "micro": Fraction(1, 10**6), "milli": Fraction(1, 1000),
    "centi": Fraction(1, 100), "deci": Fraction(1, 10), "kilo": Fraction(1000),
    "mega": Fraction(10**6), "giga": Fraction(10**9),
}  # fmt: skip
# Signs that take a prefix, with their powers of base units and the factor to them.
_SIGNS: dict[str, tuple[dict[str, int], str]] = {
    "m": ({"m": 1}, "1"), "g": ({"kg": 1}, "1/1000"), "s": ({"s": 1}, "1"), "A": ({"A": 1}, "1"),
    "mol": ({"mol": 1}, "1"), "K": ({"K": 1}, "1"), "L": ({"m": 3}, "1/1000"),
    "l": ({"m": 3}, "1/1000"), "Hz": ({"s": -1}, "1"), "N": ({"kg": 1, "m": 1, "s": -2}, "1"),
    "J": ({"kg": 1, "m": 2, "s": -2}, "1"), "W": ({"kg": 1, "m": 2, "s": -3}, "1"),
    "Pa": ({"kg": 1, "m": -1, "s": -2}, "1"), "C": ({"A": 1, "s": 1}, "1"),
    "V": ({"kg": 1, "m": 2, "s": -3, "A": -1}, "1"),
    "Ω": ({"kg": 1, "m": 2, "s": -3, "A": -2}, "1"), "Wh": ({"kg": 1, "m": 2, "s": -2}, "3600"),
    "eV": ({"eV": 1}, "1"), "cal": ({"kg": 1, "m": 2, "s": -2}, "4.184"), "B": ({"byte": 1}, "1"),
}  # fmt: skip
_WORDS = {  # names that take a prefix word: the sign they stand for
    "meter": "m", "metre": "m", "gram": "g", "gramme": "g", "second": "s", "liter": "L",
    "litre": "L", "hertz": "Hz", "newton": "N", "joule": "J", "watt": "W", "pascal": "Pa",
    "volt": "V", "ohm": "Ω", "ampere": "A", "amp": "A", "mole": "mol", "kelvin": "K",
    "coulomb": "C", "calorie": "cal", "byte": "B",
}  # fmt: skip
_OTHERS: dict[str, tuple[dict[str, int], str]] = {  # names without prefixes
    "sec": ({"s": 1}, "1"), "min": ({"s": 1}, "60"), "minute": ({"s": 1}, "60"),
    "h": ({"s": 1}, "3600"), "hr": ({"s": 1}, "3600"), "hour": ({"s": 1}, "3600"),
    "day": ({"s": 1}, "86400"), "week": ({"s": 1}, "604800"), "month": ({"month": 1}, "1"),
    "year": ({"month": 1}, "12"), "yr": ({"month": 1}, "12"),
    "inch": ({"m": 1}, "0.0254"), "in": ({"m": 1}, "0.0254"), "foot": ({"m": 1}, "0.3048"),
    "feet": ({"m": 1}, "0.3048"), "ft": ({"m": 1}, "0.3048"), "yard": ({"m": 1}, "0.9144"),
    "yd": ({"m": 1}, "0.9144"), "mile": ({"m": 1}, "1609.344"), "mi": ({"m": 1}, "1609.344"),
    "mph": ({"m": 1, "s": -1}, "0.44704"), "kph": ({"m": 1, "s": -1}, "5/18"),
    "lb": ({"kg": 1}, "0.45359237"), "lbs": ({"kg": 1}, "0.45359237"),
    "ounce": ({"kg": 1}, "0.028349523125"), "oz": ({"kg": 1}, "0.028349523125"),
    "ton": ({"ton": 1}, "1"), "tonne": ({"kg": 1}, "1000"), "hectare": ({"m": 2}, "10000"),
    "ha": ({"m": 2}, "10000"), "acre": ({"m": 2}, "4046.8564224"),
    "gallon": ({"gallon": 1}, "1"), "quart": ({"gallon": 1}, "1/4"),
    "pint": ({"gallon": 1}, "1/8"), "cup": ({"gallon": 1}, "1/16"),
    "°": ({"degree": 1}, "1"), "degree": ({"degree": 1}, "1"), "deg": ({"degree": 1}, "1"),
    "radian": ({"radian": 1}, "1"), "rad": ({"radian": 1}, "1"),
    "°C": ({"celsius": 1}, "1"), "celsius": ({"celsius": 1}, "1"),
    "°F": ({"fahrenheit": 1}, "1"), "fahrenheit": ({"fahrenheit": 1}, "1"),
    "dollar": ({"$": 1}, "1"), "cent": ({"$": 1}, "1/100"), "euro": ({"€": 1}, "1"),
    "¢": ({"$": 1}, "1/100"), "$": ({"$": 1}, "1"), "€": ({"€": 1}, "1"), "¥": ({"¥": 1}, "1"),
    "₹": ({"₹": 1}, "1"), "₩": ({"₩": 1}, "1"), "₽": ({"₽": 1}, "1"), "฿": ({"฿": 1}, "1"),
    "knot": ({"m": 1, "s": -1}, "463/900"), "stone": ({"kg": 1}, "6.35029318"),
    "carat": ({"kg": 1}, "0.0002"), "rpm": ({"turn": 1, "s": -1}, "1/60"),
    "psi": ({"kg": 1, "m": -1, "s": -2}, "6894.757293168"),
    "bar": ({"kg": 1, "m": -1, "s": -2}, "100000"),
    "atm": ({"kg": 1, "m": -1, "s": -2}, "101325"), "bit": ({"byte": 1}, "1/8"),
    "tablespoon": ({"gallon": 1}, "1/256"), "tbsp": ({"gallon": 1}, "1/256"),
    "teaspoon": ({"gallon": 1}, "1/768"), "tsp": ({"gallon": 1}, "1/768"),
    "furlong": ({"m": 1}, "201.168"), "fathom": ({"m": 1}, "1.8288"),
    "decade": ({"month": 1}, "120"), "century": ({"month": 1}, "1200"),
    "centuries": ({"month": 1}, "1200"), "fortnight": ({"s": 1}, "1209600"),
    "peso": ({"peso": 1}, "1"), "franc": ({"franc": 1}, "1"), "pence": ({"£": 1}, "1/100"),
    "pound": ({"kg": 1}, "0.45359237"), "yen": ({"¥": 1}, "1"), "rupee": ({"₹": 1}, "1"),
}  # fmt: skip


@lru_cache(maxsize=4096)
def _named(name: str) -> Unit | None:
    for candidate in dict.fromkeys((name, name.lower() if len(name) > 3 else name)):
        for singular in dict.fromkeys((candidate, _singular(candidate))):
            if found := _exactly(singular):
                return found
    sign = ALIASES.get(name.lower())
    return _exactly(sign) if sign else None


def _singular(name: str) -> str:
    if len(name) < 3 or not name.endswith("s"):
        return name
    return "inch" if name == "inches" else name[:-1]


def _exactly(name: str) -> Unit | None:
    if name in _OTHERS:
        return _unit(*_OTHERS[name])
    if name in _SIGNS:
        return _unit(*_SIGNS[name])
    if name in _WORDS:
        return _unit(*_SIGNS[_WORDS[name]])
    for prefix, scale in _PREFIXES.items():
        table = _WORDS if len(prefix) > 1 else _SIGNS
        rest = name[len(prefix) :]
        if name.startswith(prefix) and rest in table:
            powers, factor = _SIGNS[_WORDS[rest]] if table is _WORDS else _SIGNS[rest]
            return _unit(powers, str(Fraction(factor) * scale))
    return None


def _unit(powers: dict[str, int], factor: str) -> Unit:
    return Unit(tuple(sorted(powers.items())), Fraction(factor))
