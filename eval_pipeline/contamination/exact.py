"""Sameness of whole texts, by a 128-bit digest of their words."""

import hashlib
from collections.abc import Sequence
from typing import Any

from eval_pipeline.contamination.normalise import TEXT_V1, Normaliser

SEEDS = (0x243F6A8885A308D3, 0x13198A2E03707344)
MULTIPLIERS = (0xD6E8FEB86659FD93, 0xA0761D6478BD642F)
SPACE = 0x9E3779B97F4A7C15  # turned in after each word
TURN = 29  # bits
_WORD = 2**64 - 1


def digest(words: Sequence[str]) -> str | None:
    """Hex of 128 bits; None for no words, so that empty texts equal nothing."""
    if not words:
        return None
    return hashlib.blake2b(
        " ".join(words).encode("utf-8", "surrogatepass"), digest_size=16
    ).hexdigest()


def text_digests(texts: Any) -> list[str | None]:
    """The digest, 128 bits as hex, of the text_v1 words of each text; None for no words.

    texts: an Arrow array of large strings. It is not `digest`: one pass over bytes makes it.
    """
    from eval_pipeline.contamination.exact_kernel import kernel_digests

    return [f"{a:016x}{b:016x}" if a | b else None for a, b in kernel_digests(texts).tolist()]


def text_digest(text: str) -> str | None:
    """As `text_digests`, of one text, in plain Python: each letter, and a space after each word,
    is turned into two lanes of 64 bits.
    """
    words = TEXT_V1.words(text)
    values = [v for word in words for v in (*map(_letter, word), SPACE)]
    lanes = []
    for lane, multiplier in zip(SEEDS, MULTIPLIERS, strict=True):
        for value in values:
            lane = ((lane << TURN | lane >> (64 - TURN)) & _WORD ^ value) * multiplier & _WORD
        lanes.append(lane)
    return f"{lanes[0]:016x}{lanes[1]:016x}" if words else None


def _letter(character: str) -> int:
    """splitmix64 of the code point, neither 0 nor 1."""
    z = ord(character) + 0x1F3D5B79C0FFEE11 & _WORD
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9 & _WORD
    z = (z ^ z >> 27) * 0x94D049BB133111EB & _WORD
    return z ^ z >> 31 | 2


def same_text(a: str, b: str, normaliser: Normaliser = TEXT_V1) -> bool:
    """Whether two texts have the same words, at least one, in the same order."""
    found = digest(normaliser.words(a))
    return found is not None and found == digest(normaliser.words(b))


def duplicates(texts: Sequence[str], normaliser: Normaliser = TEXT_V1) -> list[list[int]]:
    """Groups of places that hold the same text, sorted; texts of any length, also of one word."""
    groups: dict[str, list[int]] = {}
    for i, text in enumerate(texts):
        if (key := digest(normaliser.words(text))) is not None:
            groups.setdefault(key, []).append(i)
    return sorted(group for group in groups.values() if len(group) > 1)
