"""Hashes of words and n-grams, the same for items and documents, and the table of them.

Each fills arrays that it is given: making them would be compiled too, at a second and more.
"""

import numpy as np

from eval_pipeline.contamination.arrays import Flags, Hashes, Ints, Longs, Points
from eval_pipeline.contamination.compiled import compiled
from eval_pipeline.contamination.text.lexing import joined, point_hash

ONE = np.uint64(1)
LOW = np.uint64(63)
BIT_SHIFT = np.uint64(20)  # the bit set takes other bits of a hash than the table


@compiled
def mixed(hash_of_words: np.uint64) -> np.uint64:
    """Spreads a polynomial over all bits; never 0, which marks an empty place."""
    z = hash_of_words ^ hash_of_words >> np.uint64(32)
    z *= np.uint64(0xD6E8FEB86659FD93)
    z ^= z >> np.uint64(32)
    return z + np.uint64(z == np.uint64(0))


@compiled
def word_hashes(points: Points, word_points: Longs, hashes: Hashes) -> None:
    """Fills the hash of each word; a space follows each."""
    for word in range(hashes.size):
        h = np.uint64(0)
        for i in range(word_points[word], word_points[word + 1] - 1):
            h = joined(h, point_hash(np.int64(points[i])))
        hashes[word] = h


@compiled
def ngram_hashes(
    words: Hashes, starts: Longs, sizes: Longs, base: np.uint64, hashes: Hashes
) -> None:
    """Fills the hash of the n-gram at each start."""
    for i in range(starts.size):
        h = np.uint64(sizes[i])
        for k in range(sizes[i]):
            h = h * base + words[starts[i] + k]
        hashes[i] = mixed(h)


@compiled
def spelled_alike(
    points: Points,
    word_points: Longs,
    starts: Longs,
    others: Longs,
    sizes: Longs,
    same: Flags,
) -> None:
    """Fills whether the n-grams at two starts are the same letter by letter."""
    for i in range(starts.size):
        a, b = word_points[starts[i]], word_points[others[i]]
        last = min(starts[i] + sizes[i], word_points.size - 1)
        other_last = min(others[i] + sizes[i], word_points.size - 1)
        length = word_points[last] - a
        alike = length == word_points[other_last] - b
        if alike:
            for k in range(length):
                if points[a + k] != points[b + k]:
                    alike = False
                    break
        same[i] = alike


@compiled
def table(keys: Hashes, wanted: Longs, some: Hashes, table_keys: Hashes, grams: Ints) -> None:
    """Fills the bit set, the keys and the n-grams of a table with open addressing, all 0 before."""
    mask, bit_mask = np.uint64(table_keys.size - 1), np.uint64(some.size * 64 - 1)
    for i in range(wanted.size):
        key = keys[wanted[i]]
        bit = (key >> BIT_SHIFT) & bit_mask
        some[bit >> np.uint64(6)] |= ONE << (bit & LOW)
        place = key & mask
        while table_keys[place] != np.uint64(0):
            place = (place + ONE) & mask
        table_keys[place] = key
        grams[place] = wanted[i]
