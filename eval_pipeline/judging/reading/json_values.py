"""Objects inside a judge's reply that hold a key, read as far as they can be read.

RFC 8259 wants the names of an object to be unique. Where one stands twice with two values, the
object says two things, and neither of them counts: its value is TWICE.
"""

import json
import re
from collections.abc import Iterable, Mapping
from typing import NamedTuple

import orjson

TWICE = object()  # the value of a name that an object gives two different values
MOST_DIGITS = 20

_IN_A_STRING = re.compile(r"\s{0,80}\{\s{0,80}\\\"")  # an object as it stands inside of a string


class Held(NamedTuple):
    """An object that holds the key: its entries, where it begins, and where the key's value ends.

    closes: where what was read of the object ends.
    """

    entries: Mapping[str, object]
    start: int
    end: int
    closes: int


def objects_with(text: str, key: str) -> tuple[list[Held], bool]:
    """The objects of the text that have `key`, ill-formed and cut ones included, in order.

    Then whether one of them had to be repaired. What follows a cut object may lie inside it, so
    it is not read.
    """
    if _IN_A_STRING.match(text):
        held, _ = objects_with(text.replace('\\"', '"'), key)
        return [Held(one.entries, 0, len(text), len(text)) for one in held], bool(held)
    if f'"{key}"' not in text and "\\" not in text:  # no escape can spell it either
        return [], False
    at = text.find("{")
    if at >= 0 and (entries := _only_object(text, at, key)) is not None:
        return [Held(entries, at, len(text), len(text))], False
    found: list[Held] = []
    repaired = False
    while at >= 0:
        entries_read, end, closed = _object(text, at)
        places = [place for name, _, place in entries_read if name == key]
        if places:
            entries = _unambiguous((name, value) for name, value, _ in entries_read)
            found.append(Held(entries, at, places[-1], end))
            repaired |= not (closed and _well_formed(text[at:end]))
        if not closed and text.startswith('"', _skip(text, at + 1)):
            break
        at = text.find("{", end)
    return found, repaired


def _only_object(text: str, at: int, key: str) -> Mapping[str, object] | None:
    """The object with which a reply ends, if it is well-formed and has the key once, as most do.

    Else None, and the careful reader decides: an escape could spell the key a second time, and a
    mapping under it may hold a name twice.
    """
    if text.count(f'"{key}"') != 1 or "\\u" in text:
        return None
    try:
        said = orjson.loads(text[at:])
    except orjson.JSONDecodeError:
        return None
    if not isinstance(said, dict) or key not in said or isinstance(said[key], dict):
        return None
    return said


def _well_formed(text: str) -> bool:
    try:
        json.loads(text, parse_int=_whole)
    except json.JSONDecodeError:
        return False
    return True


def _whole(digits: str) -> int | float:
    """A number of more digits than any count has is no whole one, and int() refuses the longest."""
    return int(digits) if len(digits) <= MOST_DIGITS else float(digits)


def _unambiguous(entries: Iterable[tuple[str, object]]) -> dict[str, object]:
    """An object as a mapping, in which the last of two values does not simply win."""
    found: dict[str, object] = {}
    for name, value in entries:
        found[name] = TWICE if name in found and found[name] != value else value
    return found


_DECODER = json.JSONDecoder(
    parse_int=_whole,
    object_pairs_hook=_unambiguous,
    strict=False,  # raw line breaks inside strings are common slips
)


def _object(text: str, at: int) -> tuple[list[tuple[str, object, int]], int, bool]:
    """The object that opens at `at`, as far as it can be read: entries, end, whether it closes.

    Each entry is (name, value, place after it).
    """
    entries: list[tuple[str, object, int]] = []
    at = _skip(text, at + 1)
    while text.startswith('"', at):
        try:
            name, after = _DECODER.raw_decode(text, at)
            colon = _skip(text, after)
            if not text.startswith(":", colon):
                break
            value, after = _DECODER.raw_decode(text, _skip(text, colon + 1))
        except (json.JSONDecodeError, RecursionError):  # cut, or nested to exhaust us
            break
        at = _skip(text, after)
        if at == len(text) and type(value) in (int, float):  # 1 may be what is left of 10
            break
        entries.append((name, value, after))
        if text.startswith("}", at):
            return entries, at + 1, True
        if not text.startswith(",", at):
            break
        at = _skip(text, at + 1)
    return entries, at, False


def _skip(text: str, at: int) -> int:
    while at < len(text) and text[at].isspace():
        at += 1
    return at
