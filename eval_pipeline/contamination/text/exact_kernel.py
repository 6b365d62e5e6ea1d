"""The digest of whole texts, from Arrow buffers."""

from typing import Any

import numpy as np

from eval_pipeline.contamination.arrays import Bytes, Hashes, Longs, Points
from eval_pipeline.contamination.compiled import compiled, inlined
from eval_pipeline.contamination.text.buffers import text_buffers
from eval_pipeline.contamination.text.exact import MULTIPLIERS, SEEDS, TURN
from eval_pipeline.contamination.text.folding import ALONE, IGNORED, SEPARATOR
from eval_pipeline.contamination.text.lexer_tables import lexer_tables
from eval_pipeline.contamination.text.lexing import code_point, expansion_of
from eval_pipeline.contamination.text.markup_kernel import as_read

Lane = Any  # uint64 as it is compiled
BUFFER = 4096  # of 8 bytes
LONGEST = 256  # bytes that one code point may become, and more

_SEEDS = np.array(SEEDS, np.uint64)
_FIRST, _SECOND = (np.uint64(m) for m in MULTIPLIERS)
_LEFT, _RIGHT = np.uint64(TURN), np.uint64(64 - TURN)
_ZERO, _ONE, _EIGHT = np.uint64(0), np.uint64(1), np.uint64(8)
_SPACE, _APOSTROPHE = np.uint8(ord(" ")), np.uint8(1)


def kernel_digests(texts: Any) -> Hashes:
    """Two halves of the digest of each text, shape (texts, 2); both 0 for a text of no words."""
    raw, offsets = text_buffers(texts)
    data = as_read(raw, offsets, of_code=False)
    tables = lexer_tables()
    plain = tables.text[:128].copy()
    plain[plain == SEPARATOR] = _SPACE
    digests = np.zeros((len(texts), 2), np.uint64)
    buffer = np.zeros(BUFFER + LONGEST // 8, np.uint64)
    _digest_all(
        data,
        offsets,
        plain.astype(np.uint8),
        tables.text,
        tables.expansions,
        _SEEDS,
        buffer,
        buffer.view(np.uint8),
        digests,
    )
    return digests


@compiled
def _digest_all(
    data: Bytes,
    offsets: Longs,
    plain: Bytes,
    text_table: Points,
    expansions: Points,
    seeds: Hashes,
    buffer: Hashes,
    folded: Bytes,
    digests: Hashes,
) -> None:
    """The words of a text, a space after each, go as UTF-8 through a buffer, eight bytes a turn."""
    full = np.uint64(8 * BUFFER)
    for text in range(offsets.size - 1):
        i, end = np.uint64(offsets[text]), np.uint64(offsets[text + 1])
        a, b = seeds[0], seeds[1]
        n, inside, size = _ZERO, _ZERO, _ZERO
        while True:
            while i < end and n < full:
                c = data[i]
                if c < 128:
                    i += _ONE
                    value = plain[c]
                    if value == _APOSTROPHE:
                        continue
                    letter = np.uint64(value > _SPACE)
                    folded[n] = value
                    n += letter | inside
                    inside = letter
                    continue
                point, after = code_point(data, np.int64(i))
                i = np.uint64(after)
                n, inside = _fold(text_table[point], expansions, folded, n, inside)
            if i >= end and inside:
                folded[n] = _SPACE
                n += _ONE
                inside = _ZERO
            turns = n // _EIGHT
            for k in range(turns):
                a, b = _turned(a, buffer[k], _FIRST), _turned(b, buffer[k], _SECOND)
            size += n
            left = n - turns * _EIGHT
            for k in range(left):
                folded[k] = folded[turns * _EIGHT + k]
            size -= left
            n = left
            if i >= end:
                break
        size += n
        if size == _ZERO:
            continue
        for k in range(n, _EIGHT):
            folded[k] = np.uint8(0)
        a, b = _turned(a, buffer[0], _FIRST), _turned(b, buffer[0], _SECOND)
        a, b = _turned(a, size, _FIRST), _turned(b, size, _SECOND)
        digests[text, 0], digests[text, 1] = _turned(a, b, _FIRST), _turned(b, a, _SECOND)


@inlined
def _turned(h: Lane, value: Lane, multiplier: Lane) -> Lane:
    return ((h << _LEFT | h >> _RIGHT) ^ value) * multiplier


@compiled
def _fold(
    piece: Any, expansions: Points, folded: Bytes, n: Lane, inside: Lane
) -> tuple[Lane, Lane]:
    """Writes what a code point folds to; where the next byte goes, and whether a word is open."""
    count, place = expansion_of(piece, expansions)
    for k in range(count):
        if count > 1:
            piece = expansions[place + k]
        if piece == IGNORED:
            continue
        if inside != _ZERO and (piece == SEPARATOR or piece & ALONE):
            folded[n] = _SPACE
            n += _ONE
            inside = _ZERO
        if piece == SEPARATOR:
            continue
        n = _write(np.int64(piece & ~np.uint32(ALONE)), folded, n)
        inside = _ONE
        if piece & ALONE:
            folded[n] = _SPACE
            n += _ONE
            inside = _ZERO
    return n, inside


@compiled
def _write(point: Any, folded: Bytes, n: Lane) -> Lane:
    """Writes a code point as UTF-8."""
    if point < 0x80:
        folded[n] = point
        return n + _ONE
    length = 2 if point < 0x800 else 3 if point < 0x10000 else 4
    for k in range(length - 1, 0, -1):
        folded[n + np.uint64(k)] = 0x80 | (point & 0x3F)
        point >>= 6
    lead = 0xC0 if length == 2 else 0xE0 if length == 3 else 0xF0
    folded[n] = lead | point
    return n + np.uint64(length)
