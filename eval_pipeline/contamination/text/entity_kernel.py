"""The entities of HTML on bytes of UTF-8, compiled: byte for byte what `markup` does."""

import numpy as np

from eval_pipeline.contamination.arrays import Bytes, Whole
from eval_pipeline.contamination.compiled import inlined
from eval_pipeline.contamination.text.markup import (
    FILLED,
    LONGEST_LEGACY,
    LONGEST_NAME,
    MOST_DIGITS,
    PARTED,
    REPLACEMENT,
)
from eval_pipeline.contamination.text.markup_tables import (
    DIGIT,
    ENTITIES,
    LETTER,
    OLD_ENTITIES,
    PRIME,
    SEED,
    SLOT,
    WINDOWS,
    Tables,
)

AMP, _HASH, _SEMICOLON = (np.uint8(ord(c)) for c in "&#;")
CASE = np.uint8(0x20)  # the bit of a small letter
CAPITAL_A, CAPITAL_Z = np.uint8(ord("A")), np.uint8(ord("Z"))
_FILLED, _PARTED = np.uint8(ord(FILLED)), np.uint8(ord(PARTED))


@inlined
def name_number(
    read: Tables, space: Whole, data: Bytes, start: Whole, end: Whole, fold_case: bool
) -> Whole:
    """The number of a name of some kind, -1 where it is none."""
    h = SEED + np.uint64(space)
    for i in range(start, end):
        c = data[i]
        if fold_case and CAPITAL_A <= c <= CAPITAL_Z:
            c |= CASE
        h = (h ^ np.uint64(c)) * PRIME
    slots, letters = read.slots, read.letters
    mask = np.uint64(slots.size // SLOT - 1)
    place = np.int64(h & mask)
    number = np.int64(-1)
    while number < 0 and slots[SLOT * place] >= 0:
        first = slots[SLOT * place]
        same = slots[SLOT * place + 1] - first == end - start and slots[SLOT * place + 2] == space
        k = 0
        while same and k < end - start:
            c = data[start + k]
            if fold_case and CAPITAL_A <= c <= CAPITAL_Z:
                c |= CASE
            same = letters[first + k] == c
            k += 1
        if same:
            number = slots[SLOT * place + 3]
        place = np.int64(np.uint64(place + 1) & mask)
    return number


@inlined
def fill(out: Bytes, start: Whole, end: Whole, filling: np.uint8) -> Whole:
    for i in range(start, end):
        out[i] = filling
    return end


@inlined
def read_entity(
    data: Bytes, at: Whole, end: Whole, of_code: bool, read: Tables, out: Bytes
) -> Whole:
    """Writes what stands for the entity at a place; where it ends, `at` where there is none."""
    filling = _PARTED if of_code else _FILLED
    if at + 1 < end and data[at + 1] == _HASH:
        return _numbered(data, at, end, of_code, read, filling, out)
    i = at + 1
    last = min(end, i + LONGEST_NAME)
    while i < last and (
        read.classes[data[i]] == LETTER or (read.classes[data[i]] == DIGIT and i > at + 1)
    ):
        i += 1
    if i - at < 3:  # two letters at least
        return at
    if i < end and data[i] == _SEMICOLON:
        number = name_number(read, ENTITIES, data, at + 1, i, False)
        if number >= 0:
            return _write_meant(read, number, at, i + 1, filling, out)
    if of_code:
        return at
    for size in range(min(i - at - 1, LONGEST_LEGACY), 1, -1):
        number = name_number(read, OLD_ENTITIES, data, at + 1, at + 1 + size, False)
        if number >= 0:
            return _write_meant(read, number, at, at + 1 + size, filling, out)
    return at


@inlined
def _write_meant(
    read: Tables, number: Whole, at: Whole, end: Whole, filling: np.uint8, out: Bytes
) -> Whole:
    first, last = read.meant[number], read.meant[number + 1]
    if last - first > end - at:
        return fill(out, at, end, _PARTED)
    for k in range(last - first):
        out[at + k] = read.letters[first + k]
    return fill(out, at + last - first, end, filling)


@inlined
def _numbered(
    data: Bytes,
    at: Whole,
    end: Whole,
    of_code: bool,
    read: Tables,
    filling: np.uint8,
    out: Bytes,
) -> Whole:
    i = at + 2
    hexadecimal = i < end and (data[i] | CASE) == np.uint8(120)
    if hexadecimal:
        i += 1
    first, number = i, np.int64(0)
    while i < end:
        c = np.int64(data[i])
        if 48 <= c <= 57:
            digit = c - 48
        elif hexadecimal and 97 <= c | 0x20 <= 102:
            digit = (c | 0x20) - 87
        else:
            break
        if i - first == MOST_DIGITS:
            return at
        number = number * (16 if hexadecimal else 10) + digit
        i += 1
    if i == first:
        return at
    if i < end and data[i] == _SEMICOLON:
        i += 1
    elif of_code:
        return at
    if 0x80 <= number <= 0x9F:
        return _write_meant(read, WINDOWS + number - 0x80, at, i, filling, out)
    if number == 0 or 0xD800 <= number <= 0xDFFF or number > 0x10FFFF:
        number = np.int64(REPLACEMENT)
    return fill(out, _write(number, out, at), i, filling)


@inlined
def _write(point: Whole, out: Bytes, at: Whole) -> Whole:
    """Writes a code point as UTF-8, which no number of it is shorter than; where it ends."""
    if point < 0x80:
        out[at] = point
        return at + 1
    length = 2 if point < 0x800 else 3 if point < 0x10000 else 4
    for k in range(length - 1, 0, -1):
        out[at + k] = 0x80 | (point & 0x3F)
        point >>= 6
    out[at] = (0xC0 if length == 2 else 0xE0 if length == 3 else 0xF0) | point
    return at + length
