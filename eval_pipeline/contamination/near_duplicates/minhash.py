"""Sketches whose agreement estimates Jaccard, written from the definition.

Words become 64-bit hashes, n words in a row a shingle, and the shingles of a text a sketch of K
32-bit values. The kernel in `minhash_kernel` computes the same, and is held to this by the tests;
where numba is missing, this is what runs. All constants come from one fixed sequence: no random
state, no process hash.

Sources: Broder 1997 (K permutations); Li, Owen and Zhang 2012, arXiv:1208.1259 (one permutation);
Shrivastava 2017, ICML (optimal densification).
"""

from collections.abc import Sequence

from eval_pipeline.contamination.text.word_hash import WORD_MASK, mixed

HALF_MASK = (1 << 32) - 1
WORD_BASE = 0xD6E8FEB86659FD93
BAND_BASE = 0xA0761D6478BD642F
SHINGLE = 5  # words
EMPTY = HALF_MASK  # of a bin, before it is filled


def multipliers(count: int) -> list[int]:
    """The odd factors of the K permutations, always the same."""
    return [mixed((i + 1) * WORD_BASE & WORD_MASK) | 1 for i in range(count)]


def shingle_hashes(words: Sequence[int], n: int) -> list[int]:
    """One hash for each n words in a row, in order; of fewer than n words one for all of them."""
    size = min(n, len(words))
    hashes = []
    for i in range(len(words) - size + 1 if size else 0):
        h = 0
        for word in words[i : i + size]:
            h = (h * WORD_BASE + word) & WORD_MASK
        hashes.append(mixed(h))
    return hashes


def one_permutation(hashes: Sequence[int], k: int) -> list[int]:
    """A sketch of k values from one pass: the least hash of each of k bins, no bin left empty.

    An empty bin takes the value of a bin chosen by its own number, the same in every text. A text
    without shingles has `EMPTY` everywhere.
    """
    bins = [EMPTY] * k
    filled = [False] * k
    for h in hashes:
        place = ((h >> 32) * k) >> 32
        bins[place] = min(bins[place], h & HALF_MASK)
        filled[place] = True
    if not any(filled):
        return bins
    dense = list(bins)
    for i in range(k):
        attempt, source = 0, i
        while not filled[source]:
            attempt += 1
            source = ((mixed(i << 32 | attempt) >> 32) * k) >> 32
        dense[i] = bins[source]
    return dense


def k_permutation(hashes: Sequence[int], k: int) -> list[int]:
    """A sketch of k values, the least of each of k scrambled orders of the hashes."""
    return [min(((h * a & WORD_MASK) >> 32 for h in hashes), default=EMPTY) for a in multipliers(k)]


def band_keys(sketch: Sequence[int], bands: int, rows: int) -> list[int]:
    """The bucket of each band: a hash of its number and its values."""
    keys = []
    for band in range(bands):
        h = band + 1
        for value in sketch[band * rows : (band + 1) * rows]:
            h = (h * BAND_BASE + value + 1) & WORD_MASK
        keys.append(mixed(h))
    return keys
