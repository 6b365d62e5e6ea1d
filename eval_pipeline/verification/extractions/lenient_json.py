"""Objects in the JSON that models write: raw line ends, trailing commas, numbers as they stand.

An object that is cut, or broken in any other way, is none; so is one that says a thing twice.
"""

import json
import math
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from eval_pipeline.verification.extractions.json_strings import DoubtfulEscapeError, text_of

MAX_STARTS = 10_000  # objects in a reply, whole or broken
MAX_DEPTH = 200
_START = re.compile(r"""\{\s{0,200}(?=["'}])""")  # a quoted name or nothing follows: meant as JSON
_TOKEN = re.compile(
    r'\s*+(?:(?P<string>"(?:[^"\\]|\\.)*+")|(?P<sign>[{}\[\],:])'
    r"|(?P<number>-?(?:0|[1-9][0-9]*+)(?:\.[0-9]++)?(?:[eE][+-]?[0-9]++)?)(?![\w.])"
    r"|(?P<word>true|false|null|NaN|-?Infinity)(?!\w))",
    re.DOTALL,
)
_CUT = re.compile(r'\s*+(?:"|\Z)')  # the text ends, or begins a string that never ends
_WORDS = {"true": True, "false": False, "null": None}


class NotJsonError(ValueError):
    """What looks like JSON and is none, or says a thing twice; the message is one word."""


@dataclass(frozen=True)
class Leaf:
    """A number or a string as it stands, with its place."""

    source: str
    start: int

    @property
    def end(self) -> int:
        return self.start + len(self.source)

    @property
    def text(self) -> str:
        """What it says; raises DoubtfulEscapeError."""
        return text_of(self.source) if self.source.startswith('"') else self.source


def last_object(reply: str) -> dict[str, object] | None:
    """The last object that stands by itself in a text; None where there is none.

    Its strings and numbers are `Leaf`. An object without fields counts only where there is no
    other: `{}` is also half of LaTeX. Raises NotJsonError (broken_json, duplicate_key,
    not_a_number, too_deep, too_many_braces) for one that cannot be read.
    """
    found: dict[str, object] | None = None
    broken: NotJsonError | None = None
    for value in _objects(reply):
        if isinstance(value, NotJsonError):
            broken = value
        elif value or not found:
            found, broken = value, None
    if broken:
        raise broken
    return found


def _objects(reply: str) -> Iterator[dict[str, object] | NotJsonError]:
    """Each object in order, or what is wrong with it; never a piece of a broken one."""
    at, starts = 0, 0
    while start := _START.search(reply, at):
        starts += 1
        if starts > MAX_STARTS:
            yield NotJsonError("too_many_braces")
            return
        reading = _Reading(reply, start.start())
        yield reading.value()
        if reading.is_over:  # the rest of the text is its content
            return
        at = max(reading.at, start.end())


class _Reading:
    """One object being read; `at` is where the reading stands, `is_over` says that none follows."""

    def __init__(self, reply: str, at: int) -> None:
        self._reply = reply
        self.at = at
        self.is_over = False

    def value(self) -> dict[str, object] | NotJsonError:
        """The object, or what is wrong with it."""
        open_ones: list[_Open] = []
        fault: NotJsonError | None = None
        while True:
            token = _TOKEN.match(self._reply, self.at)
            if token is None:
                self.is_over = _CUT.match(self._reply, self.at) is not None
                return NotJsonError("broken_json")
            sign = token["sign"]
            if open_ones and not open_ones[-1].takes(token):
                return NotJsonError("broken_json")
            self.at = token.end()
            if sign in ("{", "["):
                if len(open_ones) == MAX_DEPTH:
                    self.is_over = True
                    return NotJsonError("too_deep")
                open_ones.append(_Open({} if sign == "{" else []))
            elif sign in ("}", "]"):
                closed = open_ones.pop()
                if not open_ones:
                    whole: dict[str, object] = closed.value
                    return fault or whole
                open_ones[-1].put(closed.value)
            elif sign is None:
                if not _is_finite(token):
                    fault = NotJsonError("not_a_number")
                if open_ones[-1].put(_value(token)):
                    fault = NotJsonError("duplicate_key")


class _Open:
    """A container that is not closed yet, and what may come next in it."""

    def __init__(self, value: Any) -> None:
        self.value = value
        self._key: str | None = None
        self._awaits = "key" if isinstance(value, dict) else "item"

    def takes(self, token: re.Match[str]) -> bool:
        """Whether the token may stand here; signs within the container are taken."""
        sign, is_object = token["sign"], isinstance(self.value, dict)
        if sign in ("}", "]"):  # after a comma too
            return self._awaits in ("key", "comma", "item") and (sign == "}") == is_object
        if sign == ":":
            fits, self._awaits = self._awaits == "colon", "value"
        elif sign == ",":
            fits, self._awaits = self._awaits == "comma", "key" if is_object else "item"
        elif self._awaits == "key":
            fits = token["string"] is not None
        else:
            fits = self._awaits in ("value", "item")
        return fits

    def put(self, value: Any) -> bool:
        """Takes a key or a value; says whether the key was there before."""
        if self._awaits == "key":
            self._key, self._awaits = _name(value), "colon"
            return self._key in self.value
        if isinstance(self.value, dict):
            self.value[self._key] = value
        else:
            self.value.append(value)
        self._awaits = "comma"
        return False


def _is_finite(token: re.Match[str]) -> bool:
    """Whether a value is no number, or one that a floating-point number may hold: not 1e400."""
    digits = token["number"]
    if digits is None:
        return token["word"] is None or token["word"] in _WORDS
    return digits.lstrip("-").isdigit() or math.isfinite(float(digits))


def _name(key: Leaf) -> str:
    """A name is no formula: its escapes are those of JSON, where it holds no others."""
    try:
        return str(json.loads(key.source))
    except ValueError:
        pass
    try:
        return key.text
    except DoubtfulEscapeError:
        return key.source[1:-1]


def _value(token: re.Match[str]) -> Any:
    for kind in ("string", "number"):
        if token[kind] is not None:
            return Leaf(token[kind], token.start(kind))
    return _WORDS.get(token["word"])
