"""The hash of a word, in plain Python: the same for the search, the sketches and their kernels.

All constants come from one fixed sequence: no random state, no process hash.
"""

WORD_MASK = (1 << 64) - 1
CHARACTER_BASE = 0x1F3D5B79C0FFEE11


def mixed(x: int) -> int:
    """A bijection of 64 bits without visible pattern (the finaliser of SplitMix64)."""
    x = ((x ^ (x >> 30)) * 0xBF58476D1CE4E5B9) & WORD_MASK
    x = ((x ^ (x >> 27)) * 0x94D049BB133111EB) & WORD_MASK
    return x ^ (x >> 31)


def character_code(point: int) -> int:
    """What one code point adds to the hash of its word; never 0 or 1, which mean other things."""
    return mixed(point + CHARACTER_BASE & WORD_MASK) | 2


def word_hash(word: str) -> int:
    """64 bits of a folded word: its code points' codes, added while the sum turns by 11 bits."""
    h = 0
    for character in word:
        h = (((h << 11) | (h >> 53)) + character_code(ord(character))) & WORD_MASK
    return h
