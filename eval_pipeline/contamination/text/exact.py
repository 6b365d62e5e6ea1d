"""Sameness of whole texts, by a 128-bit digest of their words."""

import hashlib
import struct
from collections.abc import Sequence

from eval_pipeline.contamination.text.normalise import TEXT, Normaliser

SEEDS = (0x243F6A8885A308D3, 0x13198A2E03707344)
MULTIPLIERS = (0xD6E8FEB86659FD93, 0xA0761D6478BD642F)
TURN = 29  # bits
_WORD = 2**64 - 1


def digest(words: Sequence[str]) -> str | None:
    """Hex of 128 bits; None for no words, so that empty texts equal nothing."""
    if not words:
        return None
    return hashlib.blake2b(
        " ".join(words).encode("utf-8", "surrogatepass"), digest_size=16
    ).hexdigest()


def text_digest(text: str, normaliser: Normaliser = TEXT) -> str | None:
    """The digest, 128 bits as hex, of the words of a text; None for no words.

    It is not `digest`: one pass over bytes makes it. The words as UTF-8, a space after each, padded
    with zeros to more than a multiple of eight bytes, are turned into two lanes of 64 bits, then
    their length, then each lane into the other.
    """
    words = normaliser.words(text)
    if not words:
        return None
    spelled = "".join(f"{word} " for word in words).encode("utf-8", "replace")
    size = len(spelled)
    padded = spelled + bytes(8 - size % 8)
    values = struct.unpack(f"<{len(padded) // 8}Q", padded)
    lanes = []
    for seed, multiplier in zip(SEEDS, MULTIPLIERS, strict=True):
        lane = seed
        for value in (*values, size):
            lane = _turned(lane, value, multiplier)
        lanes.append(lane)
    halves = (_turned(lanes[i], lanes[1 - i], MULTIPLIERS[i]) for i in (0, 1))
    return "".join(f"{half:016x}" for half in halves)


def _turned(lane: int, value: int, multiplier: int) -> int:
    return ((lane << TURN | lane >> (64 - TURN)) & _WORD ^ value) * multiplier & _WORD
