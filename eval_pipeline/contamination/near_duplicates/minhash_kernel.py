"""The loops of `minhash` over bytes and arrays, compiled, for one thread and without the GIL.

They make no arrays of their own, as `hashing`.
"""

from typing import Any

import numpy as np

from eval_pipeline.contamination.arrays import Bytes, Floats, Hashes, Longs, Sketches, Whole
from eval_pipeline.contamination.compiled import compiled, inlined
from eval_pipeline.contamination.text.lexer_tables import LexerTables
from eval_pipeline.contamination.text.lexing import AT, WORDS, text_words

_WORD = np.uint64(0xD6E8FEB86659FD93)
_BAND = np.uint64(0xA0761D6478BD642F)
_M1, _M2 = np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB)
_S30, _S27, _S31, _S32 = np.uint64(30), np.uint64(27), np.uint64(31), np.uint64(32)
_HALF = np.uint64(0xFFFFFFFF)
_ZERO, _ONE = np.uint64(0), np.uint64(1)


@inlined
def mixed(x: Any) -> Any:
    x = (x ^ (x >> _S30)) * _M1
    x = (x ^ (x >> _S27)) * _M2
    return x ^ (x >> _S31)


@compiled
def hash_words(
    data: Bytes,
    offsets: Longs,
    folding: LexerTables,
    words: Hashes,
    places: Longs,
    state: Hashes,
    starts: Longs,
) -> None:
    """Writes the hash of each word, and where each text's begin.

    places: room to work in, for the words of the longest text; every text takes the same, so that
    it stays in the cache. state: of the lexer, zeros.
    """
    known = np.int64(0)
    for text in range(offsets.size - 1):
        starts[text] = known
        state[AT], state[WORDS] = np.uint64(offsets[text]), _ZERO
        text_words(
            data,
            offsets[text + 1],
            state,
            words[known:],
            places,
            folding.ascii,
            folding.text,
            folding.expansions,
        )
        known += np.int64(state[WORDS])
    starts[offsets.size - 1] = known


@compiled
def _shingles(words: Hashes, n: Whole, out: Hashes) -> Whole:
    """Writes the shingle hashes of one text's words; returns how many."""
    size = min(n, len(words))
    if size == 0:
        return 0
    h, power = _ZERO, _ONE
    for i in range(size):
        h = h * _WORD + words[i]
        power = power * _WORD
    out[0] = mixed(h)
    gone = words[: len(words) - size]
    for i in range(len(gone)):
        h = h * _WORD + (words[i + size] - power * gone[i])
        out[i + 1] = mixed(h)
    return len(gone) + 1


@compiled
def one_permutation(
    words: Hashes, starts: Longs, n: Whole, hashes: Hashes, bins: Hashes, sketches: Sketches
) -> None:
    """Fills a sketch a text, shape (texts, k).

    hashes, bins: room for the shingles of the longest text, and for k values.
    """
    k = len(bins)
    width, free = np.uint64(k), _HALF + _ONE
    for text in range(len(starts) - 1):
        count = _shingles(words[starts[text] : starts[text + 1]], n, hashes)
        for i in range(k):
            bins[i] = free
        for i in range(count):
            place = ((hashes[i] >> _S32) * width) >> _S32
            bins[place] = min(bins[place], hashes[i] & _HALF)
        for i in range(k):
            source, attempt = np.uint64(i), _ZERO
            while count and bins[source] == free:
                attempt += _ONE
                again = mixed((np.uint64(i) << _S32) | attempt)
                source = ((again >> _S32) * width) >> _S32
            sketches[text, i] = np.uint32(min(bins[source], _HALF))


@compiled
def k_permutation(
    words: Hashes, starts: Longs, n: Whole, multipliers: Hashes, hashes: Hashes, sketches: Sketches
) -> None:
    """Fills a sketch a text, shape (texts, k); hashes: as in `one_permutation`."""
    k = len(multipliers)
    for text in range(len(starts) - 1):
        count = _shingles(words[starts[text] : starts[text + 1]], n, hashes)
        least = sketches[text]
        for j in range(k):
            least[j] = np.uint32(_HALF)
        for i in range(count):
            h = hashes[i]
            for j in range(k):
                least[j] = min(least[j], np.uint32((h * multipliers[j]) >> _S32))


@compiled
def band_keys(sketches: Sketches, bands: Whole, rows: Whole, keys: Hashes) -> None:
    """Fills the bucket of each band, shape (texts, bands)."""
    for text in range(len(sketches)):
        for band in range(bands):
            h = np.uint64(band + 1)
            for j in range(band * rows, (band + 1) * rows):
                h = h * _BAND + np.uint64(sketches[text, j]) + _ONE
            keys[text, band] = mixed(h)


@compiled
def agreement(
    sketches_a: Sketches, sketches_b: Sketches, left: Longs, right: Longs, shares: Floats
) -> None:
    """Fills the share of equal values of each pair of sketches."""
    k = sketches_a.shape[1]
    for p in range(len(left)):
        same = 0
        for j in range(k):
            same += sketches_a[left[p], j] == sketches_b[right[p], j]
        shares[p] = same / k


@compiled
def distinct_shingles(
    words: Hashes,
    starts: Longs,
    texts: Longs,
    n: Whole,
    hashes: Hashes,
    table: Hashes,
    marks: Longs,
    out: Hashes,
    ends: Longs,
) -> None:
    """Fills the distinct shingle hashes of some texts, one after the other, and their ends.

    hashes: as in `one_permutation`; table, marks: open-addressed, at most half full with the
    longest text, its values and the mark of who put them, 0 before.
    """
    at = 0
    for place in range(len(texts)):
        t = texts[place]
        for i in range(_shingles(words[starts[t] : starts[t + 1]], n, hashes)):
            slot = _slot(table, marks, place + 1, hashes[i])
            if marks[slot] != place + 1:
                table[slot], marks[slot] = hashes[i], place + 1
                out[at] = hashes[i]
                at += 1
        ends[place] = at


@compiled
def jaccard(
    sets_a: Hashes,
    ends_a: Longs,
    sets_b: Hashes,
    ends_b: Longs,
    left: Longs,
    right: Longs,
    table: Hashes,
    marks: Longs,
    likeness: Floats,
) -> None:
    """Fills |A & B| / |A | B| of each pair of sets; NaN where both are empty.

    table, marks: as in `distinct_shingles`. The table of a left set serves all its pairs that
    follow each other.
    """
    mark = 0
    for p in range(len(left)):
        first = ends_a[left[p] - 1] if left[p] else 0
        if p == 0 or left[p] != left[p - 1]:
            for i in range(first, ends_a[left[p]]):
                slot = _slot(table, marks, p + 1, sets_a[i])
                table[slot], marks[slot] = sets_a[i], p + 1
            mark = p + 1
        start = ends_b[right[p] - 1] if right[p] else 0
        shared = 0
        for j in range(start, ends_b[right[p]]):
            shared += marks[_slot(table, marks, mark, sets_b[j])] == mark
        size = (ends_a[left[p]] - first) + (ends_b[right[p]] - start)
        likeness[p] = shared / (size - shared) if size else np.nan


@inlined
def _slot(table: Hashes, marks: Longs, mark: Whole, value: Any) -> Any:
    """Where a value stands among those of a mark, or the free slot in which it would."""
    last = np.uint64(len(table) - 1)
    slot = value & last
    while marks[slot] == mark and table[slot] != value:
        slot = (slot + _ONE) & last
    return slot
