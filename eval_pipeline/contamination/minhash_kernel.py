"""The loops of `minhash` over bytes and arrays, compiled, for one thread and without the GIL.

Folding follows a table of code points: what one becomes is a code point, `SEPARATOR`, `DROPPED`,
`UNKNOWN` (not met yet), a word of its own (`ALONE`), or a place in a list of such (`SEVERAL`).
"""

import numpy as np
from numba import njit
from numpy.typing import NDArray

U8 = NDArray[np.uint8]
U32 = NDArray[np.uint32]
U64 = NDArray[np.uint64]
I32 = NDArray[np.int32]
I64 = NDArray[np.int64]
F64 = NDArray[np.float64]

SEPARATOR, DROPPED, UNKNOWN = 0, -1, -2
ALONE, SEVERAL = 1 << 22, 1 << 24
POINT = ALONE - 1

_CHARACTER = np.uint64(0x9E3779B97F4A7C15)
_WORD = np.uint64(0xD6E8FEB86659FD93)
_BAND = np.uint64(0xA0761D6478BD642F)
_M1, _M2 = np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB)
_S30, _S27, _S31, _S32 = np.uint64(30), np.uint64(27), np.uint64(31), np.uint64(32)
_HALF = np.uint64(0xFFFFFFFF)
_S11, _S53 = np.uint64(11), np.uint64(53)
_ZERO, _ONE, _TWO = np.uint64(0), np.uint64(1), np.uint64(2)


@njit(cache=True, nogil=True, inline="always")
def mixed(x):  # type: ignore[no-untyped-def]  # types are the kernel's
    x = (x ^ (x >> _S30)) * _M1
    x = (x ^ (x >> _S27)) * _M2
    return x ^ (x >> _S31)


@njit(cache=True, nogil=True)
def hash_words(  # type: ignore[no-untyped-def]
    data, offsets, ascii_codes, folding, list_starts, list_points, words, starts, unknown
):
    """Writes the hash of each word and where each text's begin; returns how many code points
    were not in the table, some of them written to `unknown`: fill the table and call again.
    """
    missed = 0
    n, h, inside = _ZERO, _ZERO, _ZERO  # `inside` is all ones within a word, else 0
    for text in range(len(offsets) - 1):
        starts[text] = n
        i, end = offsets[text], offsets[text + 1]
        while i < end:
            rest = data[i:end]  # from 0 on, places need no test for being negative
            plain = len(rest)
            for place in range(len(rest)):
                if rest[place] >= 128:
                    plain = place
                    break
                code = ascii_codes[rest[place]]
                if code == _ONE:
                    continue
                # no branch where words end: it would be guessed wrong at each
                letter = _ZERO - np.uint64(code != _ZERO)
                n += inside & ~letter & _ONE
                h = (((h << _S11) | (h >> _S53)) + code) & letter
                words[n] = h
                inside = letter
            i += plain
            if i == end:
                break
            byte = data[i]
            if byte >= 240:
                size, point = 4, np.int64(byte & 7)
            elif byte >= 224:
                size, point = 3, np.int64(byte & 15)
            else:
                size, point = 2, np.int64(byte & 31)
            for j in range(1, size):
                point = (point << 6) | np.int64(data[i + j] & 63)
            i += size
            folded = folding[point]
            if folded == DROPPED:
                continue
            if folded == UNKNOWN:
                if missed < len(unknown):
                    unknown[missed] = point
                missed += 1
                continue
            several = folded >= SEVERAL
            first = list_starts[folded & POINT] if several else 0
            last = list_starts[(folded & POINT) + 1] if several else 1
            for j in range(first, last):
                piece = list_points[j] if several else folded
                if inside and (piece == SEPARATOR or piece & ALONE):
                    n += _ONE
                    h, inside = _ZERO, _ZERO
                if piece != SEPARATOR:
                    h = ((h << _S11) | (h >> _S53)) + (
                        mixed(np.uint64(piece & POINT) + _CHARACTER) | _TWO
                    )
                    words[n] = h
                    inside = ~_ZERO
                if piece & ALONE:
                    n += _ONE
                    h, inside = _ZERO, _ZERO
        if inside:
            n += _ONE
            h, inside = _ZERO, _ZERO
    starts[len(offsets) - 1] = n
    return missed


@njit(cache=True, nogil=True)
def _shingles(words, n, out):  # type: ignore[no-untyped-def]
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


@njit(cache=True, nogil=True)
def one_permutation(words, starts, n, k, sketches):  # type: ignore[no-untyped-def]
    """Fills a sketch a text, shape (texts, k)."""
    longest = 1
    for text in range(len(starts) - 1):
        longest = max(longest, starts[text + 1] - starts[text])
    hashes = np.empty(longest, dtype=np.uint64)
    bins = np.empty(k, dtype=np.uint64)
    width, free = np.uint64(k), _HALF + _ONE
    for text in range(len(starts) - 1):
        count = _shingles(words[starts[text] : starts[text + 1]], n, hashes)
        bins[:] = free
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


@njit(cache=True, nogil=True)
def k_permutation(words, starts, n, multipliers, sketches):  # type: ignore[no-untyped-def]
    """Fills a sketch a text, shape (texts, k)."""
    longest = 1
    for text in range(len(starts) - 1):
        longest = max(longest, starts[text + 1] - starts[text])
    hashes = np.empty(longest, dtype=np.uint64)
    k = len(multipliers)
    for text in range(len(starts) - 1):
        count = _shingles(words[starts[text] : starts[text + 1]], n, hashes)
        least = sketches[text]
        least[:] = np.uint32(_HALF)
        for i in range(count):
            h = hashes[i]
            for j in range(k):
                least[j] = min(least[j], np.uint32((h * multipliers[j]) >> _S32))


@njit(cache=True, nogil=True)
def band_keys(sketches, bands, rows, keys):  # type: ignore[no-untyped-def]
    """Fills the bucket of each band, shape (texts, bands)."""
    for text in range(len(sketches)):
        for band in range(bands):
            h = np.uint64(band + 1)
            for j in range(band * rows, (band + 1) * rows):
                h = h * _BAND + np.uint64(sketches[text, j]) + _ONE
            keys[text, band] = mixed(h)


@njit(cache=True, nogil=True)
def agreement(sketches_a, sketches_b, left, right, shares):  # type: ignore[no-untyped-def]
    """Fills the share of equal values of each pair of sketches."""
    k = sketches_a.shape[1]
    for p in range(len(left)):
        same = 0
        for j in range(k):
            same += sketches_a[left[p], j] == sketches_b[right[p], j]
        shares[p] = same / k


@njit(cache=True, nogil=True)
def distinct_shingles(words, starts, texts, n, ends):  # type: ignore[no-untyped-def]
    """The distinct shingle hashes of some texts, one after the other; `ends` is filled."""
    total, longest = 0, 1
    for t in texts:
        size = starts[t + 1] - starts[t]
        total += size
        longest = max(longest, size)
    out = np.empty(max(total, 1), dtype=np.uint64)
    hashes = np.empty(longest, dtype=np.uint64)
    table, marks = _table(longest)
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
    return out[:at]


@njit(cache=True, nogil=True)
def jaccard(sets_a, ends_a, sets_b, ends_b, left, right, found):  # type: ignore[no-untyped-def]
    """Fills |A & B| / |A | B| of each pair of sets; NaN where both are empty.

    The table of a left set serves all its pairs that follow each other.
    """
    longest = 1
    for one in range(len(ends_a)):
        longest = max(longest, ends_a[one] - (ends_a[one - 1] if one else 0))
    table, marks = _table(longest)
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
        found[p] = shared / (size - shared) if size else np.nan


@njit(cache=True, nogil=True)
def _table(entries):  # type: ignore[no-untyped-def]
    """An empty open-addressed table, at most half full: values, and the mark of who put them."""
    size = 16
    while size < 2 * entries:
        size *= 2
    return np.empty(size, dtype=np.uint64), np.zeros(size, dtype=np.int64)


@njit(cache=True, nogil=True, inline="always")
def _slot(table, marks, mark, value):  # type: ignore[no-untyped-def]
    """Where a value stands among those of a mark, or the free slot in which it would."""
    last = np.uint64(len(table) - 1)
    slot = value & last
    while marks[slot] == mark and table[slot] != value:
        slot = (slot + _ONE) & last
    return slot
