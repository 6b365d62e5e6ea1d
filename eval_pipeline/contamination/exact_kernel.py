"""The digest of whole texts, from Arrow buffers."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from eval_pipeline.contamination.compiled import compiled
from eval_pipeline.contamination.exact import MULTIPLIERS, SEEDS, SPACE, TURN
from eval_pipeline.contamination.folding import ALONE, IGNORED, SEPARATOR
from eval_pipeline.contamination.kernel_scan import folding, text_buffers
from eval_pipeline.contamination.lexing import code_point, expansion_of, point_hash

Hashes = NDArray[np.uint64]
Lane = Any  # uint64 as it is compiled

_SEEDS = np.array(SEEDS, np.uint64)
_FIRST, _SECOND = (np.uint64(m) for m in MULTIPLIERS)
_SPACE = np.uint64(SPACE)
_LEFT, _RIGHT = np.uint64(TURN), np.uint64(64 - TURN)
_ZERO, _ONE = np.uint64(0), np.uint64(1)


def kernel_digests(texts: Any) -> Hashes:
    """Two halves of the digest of each text, shape (texts, 2); both 0 for a text of no words."""
    data, offsets = text_buffers(texts)
    tables = folding()
    digests = np.zeros((len(texts), 2), np.uint64)
    _digest_all(data, offsets, tables.ascii, tables.text, tables.expansions, _SEEDS, digests)
    return digests


@compiled
def _absorbed(h: Lane, value: Lane, multiplier: Lane) -> Lane:
    return ((h << _LEFT | h >> _RIGHT) ^ value) * multiplier


@compiled
def _digest_all(
    data: NDArray[np.uint8],
    offsets: NDArray[np.int64],
    ascii_table: Hashes,
    text_table: NDArray[np.uint32],
    expansions: NDArray[np.uint32],
    seeds: Hashes,
    digests: Hashes,
) -> None:
    for text in range(offsets.size - 1):
        i, end = np.uint64(offsets[text]), np.uint64(offsets[text + 1])
        a, b = seeds[0], seeds[1]
        inside, any_word = _ZERO, _ZERO
        while i < end:
            c = data[i]
            if c < 128:
                i += _ONE
                value = ascii_table[c]
                if value == _ONE:
                    continue
                letter = np.uint64(value != _ZERO)
                taken = value if letter else _SPACE
                next_a, next_b = _absorbed(a, taken, _FIRST), _absorbed(b, taken, _SECOND)
                if letter | inside:
                    a, b = next_a, next_b
                inside = letter
                any_word |= letter
                continue
            point, after = code_point(data, np.int64(i))
            i = np.uint64(after)
            piece = text_table[point]
            count, place = expansion_of(piece, expansions)
            for k in range(count):
                if count > 1:
                    piece = expansions[place + k]
                if piece == IGNORED:
                    continue
                if inside and (piece == SEPARATOR or piece & ALONE):
                    a, b = _absorbed(a, _SPACE, _FIRST), _absorbed(b, _SPACE, _SECOND)
                    inside = _ZERO
                if piece == SEPARATOR:
                    continue
                value = point_hash(np.int64(piece & ~np.uint32(ALONE)))
                a, b = _absorbed(a, value, _FIRST), _absorbed(b, value, _SECOND)
                any_word = inside = _ONE
                if piece & ALONE:
                    a, b = _absorbed(a, _SPACE, _FIRST), _absorbed(b, _SPACE, _SECOND)
                    inside = _ZERO
        if inside:
            a, b = _absorbed(a, _SPACE, _FIRST), _absorbed(b, _SPACE, _SECOND)
        if any_word:
            digests[text, 0], digests[text, 1] = a, b
