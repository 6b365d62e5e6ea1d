"""What markup is read by, as tables for machines that read bytes: made from `markup` itself."""

from collections.abc import Mapping
from functools import cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from eval_pipeline.contamination.markup import (
    BARE_ATTRIBUTES,
    GLUING,
    LEGACY,
    NAMED,
    PARTING,
    SILENT,
    character_numbered,
)

Bytes = NDArray[np.uint8]
Longs = NDArray[np.int64]

OTHER, SPACE, SLASH, QUOTE, EQUALS, OPEN, CLOSE = 0, 1, 2, 3, 4, 5, 6  # classes of bytes in a tag
LETTER, DIGIT, JOINER = 7, 8, 9  # and those that names are made of
PARTS, GLUES, SCRIPT, STYLE = 0, 1, 2, 3  # what elements do
SEED, PRIME = np.uint64(0xCBF29CE484222325), np.uint64(0x100000001B3)  # of the hash of names


class Names(NamedTuple):
    """A table of names with open addressing, and a number for each."""

    starts: Longs  # where in `letters` the name in this place starts, -1 for none
    ends: Longs
    numbers: Longs
    letters: Bytes


class Tables(NamedTuple):
    """What the markup is read by."""

    classes: Bytes  # of bytes
    tags: Names
    bare: Names
    entities: Names
    legacy: Names
    meant: Bytes  # what the entities are as UTF-8, one after the other
    meant_at: Longs
    windows: Longs  # code points of the numbers 0x80 to 0x9F


@cache
def tables() -> Tables:
    """The tables, made once a process."""
    kinds = dict.fromkeys(sorted(PARTING), PARTS) | dict.fromkeys(sorted(GLUING), GLUES)
    kinds |= dict(zip(SILENT, (SCRIPT, STYLE), strict=True))
    meant = [NAMED[name].encode() for name in sorted(NAMED)]
    places = {name: place for place, name in enumerate(sorted(NAMED))}
    return Tables(
        _classes(),
        _names(kinds),
        _names(dict.fromkeys(sorted(BARE_ATTRIBUTES), 0)),
        _names(places),
        _names({name: places[name] for name in sorted(LEGACY)}),
        np.frombuffer(b"".join(meant), np.uint8),
        np.cumsum([0, *map(len, meant)]).astype(np.int64),
        np.array([ord(character_numbered(n)) for n in range(0x80, 0xA0)], np.int64),
    )


def _classes() -> Bytes:
    classes = np.full(256, OTHER, np.uint8)
    for kind, characters in (
        (SPACE, " \t\n\f\r"),
        (SLASH, "/"),
        (QUOTE, "\"'"),
        (EQUALS, "="),
        (OPEN, "<"),
        (CLOSE, ">"),
        (LETTER, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"),
        (DIGIT, "0123456789"),
        (JOINER, ":._-"),
    ):
        classes[list(characters.encode())] = kind
    return classes


def _names(numbers: Mapping[str, int]) -> Names:
    places = 1 << (4 * len(numbers)).bit_length()
    starts, ends = np.full(places, -1, np.int64), np.zeros(places, np.int64)
    given = np.zeros(places, np.int64)
    letters = np.frombuffer("".join(numbers).encode(), np.uint8)
    at = 0
    for name, number in numbers.items():
        place = _hash(name.encode()) % places
        while starts[place] >= 0:
            place = (place + 1) % places
        starts[place], ends[place], given[place] = at, at + len(name), number
        at += len(name)
    return Names(starts, ends, given, letters)


def _hash(name: bytes) -> int:
    h = int(SEED)
    for byte in name:
        h = (h ^ byte) * int(PRIME) % 2**64
    return h
