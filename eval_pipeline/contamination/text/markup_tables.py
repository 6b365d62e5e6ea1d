"""What markup is read by, as tables for machines that read bytes: made from `markup` itself."""

import string
from functools import cache
from typing import NamedTuple

import numpy as np

from eval_pipeline.contamination.arrays import Bytes, Longs
from eval_pipeline.contamination.text.markup import (
    BARE_ATTRIBUTES,
    GLUING,
    LEGACY,
    NAMED,
    PARTING,
    SILENT,
    character_numbered,
)

OTHER, SPACE, SLASH, QUOTE, EQUALS, OPEN, CLOSE = 0, 1, 2, 3, 4, 5, 6  # classes of bytes in a tag
LETTER, DIGIT, JOINER = 7, 8, 9  # and those that names are made of
PARTS, GLUES, SCRIPT, STYLE = 0, 1, 2, 3  # what elements do
ELEMENTS, BARE, ENTITIES, OLD_ENTITIES = 0, 1, 2, 3  # what names are of
SLOT = 4
WINDOWS = len(NAMED)  # number of the entity that stands for the number 0x80
SEED, PRIME = np.uint64(0xCBF29CE484222325), np.uint64(0x100000001B3)  # of the hash of names


class Tables(NamedTuple):
    """What markup is read by. Few arrays, as each costs a count of who holds it at every call.

    slots: a table of names with open addressing, `SLOT` numbers a place: where in `letters` the
    name starts, -1 for none, and ends, of what it is a name, and its number.
    """

    classes: Bytes  # of bytes
    slots: Longs
    letters: Bytes  # names, then what the entities are as UTF-8, one after the other
    meant: Longs  # entity -> offsets into `letters`


@cache
def tables() -> Tables:
    """The tables, made once a process."""
    elements = dict.fromkeys(sorted(PARTING), PARTS) | dict.fromkeys(sorted(GLUING), GLUES)
    elements |= dict(zip(SILENT, (SCRIPT, STYLE), strict=True))
    entities = {name: number for number, name in enumerate(sorted(NAMED))}
    spaces = (
        elements,
        dict.fromkeys(sorted(BARE_ATTRIBUTES), 0),
        entities,
        {name: entities[name] for name in sorted(LEGACY)},
    )
    names = [
        (space, name, numbers[name]) for space, numbers in enumerate(spaces) for name in numbers
    ]
    places = 1 << (4 * len(names)).bit_length()
    slots = np.full((places, SLOT), -1, np.int64)
    at = 0
    for space, name, number in names:
        place = name_hash(name.encode(), space) % places
        while slots[place, 0] >= 0:
            place = (place + 1) % places
        slots[place] = at, at + len(name), space, number
        at += len(name)
    windows = (character_numbered(number) for number in range(0x80, 0xA0))
    meant = [text.encode() for text in (*map(NAMED.__getitem__, sorted(NAMED)), *windows)]
    letters = "".join(name for _, name, _ in names).encode() + b"".join(meant)
    return Tables(
        _classes(),
        slots.ravel(),
        np.frombuffer(letters, np.uint8),
        np.cumsum([at, *map(len, meant)]).astype(np.int64),
    )


def name_hash(name: bytes, space: int) -> int:
    """Where a name is looked for first."""
    h = int(SEED) + space
    for byte in name:
        h = (h ^ byte) * int(PRIME) % 2**64
    return h


def _classes() -> Bytes:
    classes = np.full(256, OTHER, np.uint8)
    for kind, characters in (
        (SPACE, " \t\n\f\r"),
        (SLASH, "/"),
        (QUOTE, "\"'"),
        (EQUALS, "="),
        (OPEN, "<"),
        (CLOSE, ">"),
        (LETTER, string.ascii_letters),
        (DIGIT, string.digits),
        (JOINER, ":._-"),
    ):
        classes[list(characters.encode())] = kind
    return classes
