"""Sameness of whole texts, by a 128-bit digest of their words."""

import hashlib
import struct
from collections.abc import Sequence
from typing import Any

from eval_pipeline.contamination.text.fields import Field
from eval_pipeline.contamination.text.normalise import CODE, TEXT, Normaliser
from eval_pipeline.metrics.inputs import texts

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


def field_digests(fields: Sequence[Field], fast: bool) -> list[str | None]:
    """The digest of each field's own words; None for no words. fast: by the kernel.

    Both ways give the same digests.
    """
    if not fast:
        return [text_digest(field.text or "", field.normaliser) for field in fields]
    import pyarrow as pa

    texts = [
        (field.text or "").encode("utf-8", "replace").decode()
        for field in fields
        if field.normaliser is TEXT
    ]
    quick = iter(text_digests(pa.array(texts, pa.large_string())))
    return [
        next(quick) if field.normaliser is TEXT else text_digest(field.text or "", CODE)
        for field in fields
    ]


def text_digests(texts: Any) -> list[str | None]:
    """The digest, 128 bits as hex, of the text_v2 words of each text; None for no words.

    texts: an Arrow array of large strings. It is not `digest`: one pass over bytes makes it.
    """
    from eval_pipeline.contamination.text.exact_kernel import kernel_digests

    return [f"{a:016x}{b:016x}" if a | b else None for a, b in kernel_digests(texts).tolist()]


def text_digest(text: str, normaliser: Normaliser = TEXT) -> str | None:
    """As `text_digests`, of one text, in plain Python; under any normaliser.

    The words as UTF-8, a space after each, padded with zeros to more than a multiple of eight
    bytes, are turned into two lanes of 64 bits, then their length, then each lane into the other.
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


def same_text(a: str, b: str, normaliser: Normaliser = TEXT) -> bool:
    """Whether two texts have the same words, at least one, in the same order.

    Raises ValueError for what is no text.
    """
    texts([a, b], "texts")
    found = digest(normaliser.words(a))
    return found is not None and found == digest(normaliser.words(b))


def duplicates(documents: Sequence[str], normaliser: Normaliser = TEXT) -> list[list[int]]:
    """Groups of places that hold the same text, sorted; texts of any length, also of one word."""
    groups: dict[str, list[int]] = {}
    for i, text in enumerate(documents):
        if (key := digest(normaliser.words(text))) is not None:
            groups.setdefault(key, []).append(i)
    return sorted(group for group in groups.values() if len(group) > 1)
