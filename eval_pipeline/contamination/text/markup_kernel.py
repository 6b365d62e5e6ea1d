"""The folding of markup on bytes of UTF-8, compiled: byte for byte what `markup` does.

Text without `<` and `&` is looked through in blocks and not copied.
"""

import numpy as np

from eval_pipeline.contamination.arrays import Bytes, Flags, Longs, Whole
from eval_pipeline.contamination.compiled import compiled, inlined
from eval_pipeline.contamination.text.entity_kernel import AMP, CASE, fill, name_number, read_entity
from eval_pipeline.contamination.text.markup import FILLED, PARTED
from eval_pipeline.contamination.text.markup_tables import (
    BARE,
    CLOSE,
    ELEMENTS,
    EQUALS,
    GLUES,
    LETTER,
    OPEN,
    OTHER,
    PARTS,
    QUOTE,
    SCRIPT,
    SLASH,
    SPACE,
    Tables,
    tables,
)

BLOCK, PART = 64, 8  # bytes that are looked through at once
SCRIPTS, STYLES, COMMENTS = 0, 1, 2  # of which no end was found
_LT, _GT, _BANG, _DASH, _SLASH = (np.uint8(ord(c)) for c in "<>!-/")
_FILLED, _PARTED = np.uint8(ord(FILLED)), np.uint8(ord(PARTED))
_XML, _CDATA = np.frombuffer(b"<?xml", np.uint8), np.frombuffer(b"<![CDATA[", np.uint8)
_SCRIPT_END = np.frombuffer(b"</script", np.uint8)
_STYLE_END = np.frombuffer(b"</style", np.uint8)


def as_read(data: Bytes, offsets: Longs, of_code: bool, room: Bytes | None = None) -> Bytes:
    """Texts as they are read, in place of the raw ones; `data` itself where nothing changes.

    data, offsets: UTF-8 text, and where each text starts, with the end of the last. room: bytes
    that may be written to instead of new ones, where they are enough.
    """
    first = first_marked(data, offsets)
    if first == offsets.size - 1:
        return data
    out = np.empty(data.size, np.uint8) if room is None or room.size < data.size else room
    out = out[: data.size]
    begin, end = offsets[0], offsets[-1]
    out[begin:end] = data[begin:end]
    fold_texts(data, offsets, first, of_code, tables(), np.zeros(3, np.bool_), out)
    out = out.view()
    out.flags.writeable = False
    return out


@compiled
def first_marked(data: Bytes, offsets: Longs) -> Whole:
    """The first text that holds `<` or `&`; their number where none does."""
    end = offsets[offsets.size - 1]
    at = next_mark(data, offsets[0], end)
    if at == end:
        return offsets.size - 1
    return np.searchsorted(offsets, at, side="right") - 1


@inlined
def next_mark(data: Bytes, i: Whole, end: Whole) -> Whole:
    """Where the next `<` or `&` is, or the end."""
    while i + BLOCK <= end:
        block = data[i : i + BLOCK]
        marked = np.uint8(0)
        for k in range(BLOCK):
            marked |= np.uint8(block[k] == _LT) | np.uint8(block[k] == AMP)
        if marked:
            break
        i += BLOCK
    while i + PART <= end:
        marked = np.uint8(0)
        for k in range(PART):
            marked |= np.uint8(data[i + k] == _LT) | np.uint8(data[i + k] == AMP)
        if marked:
            break
        i += PART
    while i < end and data[i] != _LT and data[i] != AMP:
        i += 1
    return i


@compiled
def fold_texts(
    data: Bytes,
    offsets: Longs,
    first: Whole,
    of_code: bool,
    read: Tables,
    endless: Flags,
    out: Bytes,
) -> None:
    """Writes over the markup of the texts from `first` on; endless: room to work in."""
    for text in range(first, offsets.size - 1):
        end = offsets[text + 1]
        endless[:] = False
        i = next_mark(data, offsets[text], end)
        while i < end:
            if data[i] == AMP:
                after = read_entity(data, i, end, of_code, read, out)
            else:
                after = _tag(data, i, end, of_code, read, endless, out)
            i = next_mark(data, max(after, i + 1), end)


@inlined
def _tag(
    data: Bytes,
    at: Whole,
    end: Whole,
    of_code: bool,
    read: Tables,
    endless: Flags,
    out: Bytes,
) -> Whole:
    """Writes what stands for the tag at a place; where it ends, `at` where there is none."""
    if at + 2 >= end:
        return at
    filling = _PARTED if of_code else _FILLED
    c = data[at + 1]
    if read.classes[c] == LETTER:
        after, kind = _opening(data, at, end, of_code, read)
        if kind >= SCRIPT and not of_code:
            wanted = _SCRIPT_END if kind == SCRIPT else _STYLE_END
            memory = SCRIPTS if kind == SCRIPT else STYLES
            ends = -1 if endless[memory] else _end_of(data, after, end, wanted, read)
            endless[memory] = ends < 0
            after = max(after, ends)
        return fill(out, at, after, filling if kind == GLUES else _PARTED)
    if c == _SLASH:
        return _closing(data, at, end, of_code, read, out)
    if of_code:
        return at
    if c == _BANG and _is_at(data, at + 2, end, _DASH) and _is_at(data, at + 3, end, _DASH):
        ends = -1 if endless[COMMENTS] else _end_of_comment(data, at + 4, end)
        endless[COMMENTS] = ends < 0
        return fill(out, at, max(at, ends), _FILLED)
    if _starts(data, at, end, _CDATA):
        return fill(out, at, at + _CDATA.size, _PARTED)
    if (c == _BANG and read.classes[data[at + 2]] == LETTER) or _starts(data, at, end, _XML):
        i = at + 1
        while i < end and data[i] != _LT and data[i] != _GT:
            i += 1
        if i < end and data[i] == _GT:
            return fill(out, at, i + 1, _PARTED)
    return at


@inlined
def _is_at(data: Bytes, i: Whole, end: Whole, wanted: np.uint8) -> bool:
    return bool(i < end and data[i] == wanted)


@compiled
def _starts(data: Bytes, at: Whole, end: Whole, wanted: Bytes) -> bool:
    same = at + wanted.size <= end
    k = 0
    while same and k < wanted.size:
        same = data[at + k] == wanted[k]
        k += 1
    return bool(same)


@compiled
def _end_of_comment(data: Bytes, i: Whole, end: Whole) -> Whole:
    while i + 2 < end:
        if data[i] == _DASH and data[i + 1] == _DASH and data[i + 2] == _GT:
            return i + 3
        i += 1
    return -1


@compiled
def _end_of(data: Bytes, i: Whole, end: Whole, wanted: Bytes, read: Tables) -> Whole:
    """Where the closing tag that comes next ends, -1 for nowhere; wanted: in lower case."""
    while i + wanted.size < end:
        if data[i] == _LT:
            k = 1
            same = data[i + 1] == wanted[1]
            while same and k + 1 < wanted.size:
                k += 1
                same = (data[i + k] | CASE) == wanted[k]
            if same:
                j = i + wanted.size
                while j < end and read.classes[data[j]] == SPACE:
                    j += 1
                if j < end and data[j] == _GT:
                    return j + 1
        i += 1
    return -1


@inlined
def _name_end(data: Bytes, i: Whole, end: Whole, read: Tables) -> Whole:
    while i < end and read.classes[data[i]] >= LETTER:
        i += 1
    return i


@inlined
def _closing(data: Bytes, at: Whole, end: Whole, of_code: bool, read: Tables, out: Bytes) -> Whole:
    if read.classes[data[at + 2]] != LETTER:
        return at
    name_end = _name_end(data, at + 2, end, read)
    i = name_end
    while i < end and read.classes[data[i]] == SPACE:
        i += 1
    if i >= end or data[i] != _GT:
        return at
    kind = name_number(read, ELEMENTS, data, at + 2, name_end, True)
    if of_code:
        return at if kind < 0 else fill(out, at, i + 1, _PARTED)
    opens = i + 2 < end and data[i + 1] == _LT and read.classes[data[i + 2]] == LETTER
    return fill(out, at, i + 1, _FILLED if kind == GLUES and not opens else _PARTED)


@inlined
def _opening(
    data: Bytes, at: Whole, end: Whole, of_code: bool, read: Tables
) -> tuple[Whole, Whole]:
    """Where the opening tag at a place ends, `at` where there is none, and what it does."""
    classes = read.classes
    i = name_end = _name_end(data, at + 1, end, read)
    none, attributes, needless, quoted = (at, np.int64(PARTS)), 0, True, True
    while True:
        if i >= end:
            return none
        if data[i] != _GT and classes[data[i]] != SPACE and classes[data[i]] != SLASH:
            return none
        while i < end and (classes[data[i]] == SPACE or classes[data[i]] == SLASH):
            i += 1
        if i >= end:
            return none
        if data[i] == _GT:
            break
        if QUOTE <= classes[data[i]] <= CLOSE:
            return none
        key = i
        while i < end and (classes[data[i]] == OTHER or classes[data[i]] >= LETTER):
            i += 1
        key_end, j = i, i
        while j < end and classes[data[j]] == SPACE:
            j += 1
        attributes += 1
        if j >= end or classes[data[j]] != EQUALS:
            quoted = False
            needless &= name_number(read, BARE, data, key, key_end, True) >= 0
            continue
        j += 1
        while j < end and classes[data[j]] == SPACE:
            j += 1
        if j >= end:
            return none
        mark = data[j]
        if classes[mark] == QUOTE:
            j += 1
            while j < end and data[j] != mark and data[j] != _LT:
                j += 1
            if j >= end or data[j] != mark:
                return none
            i = j + 1
            continue
        quoted = False
        i = j
        while i < end and (
            classes[data[i]] == OTHER
            or (
                classes[data[i]] >= SLASH
                and classes[data[i]] != QUOTE
                and classes[data[i]] != OPEN
                and classes[data[i]] != CLOSE
            )
        ):
            i += 1
        if i == j:
            return none
    kind = name_number(read, ELEMENTS, data, at + 1, name_end, True)
    is_tag = needless if kind >= 0 else quoted and attributes > 0 and not of_code
    return (i + 1, max(kind, PARTS)) if is_tag else none
