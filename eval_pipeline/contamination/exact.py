"""Sameness of whole texts, by a 128-bit digest of their words."""

import hashlib
from collections.abc import Sequence

from eval_pipeline.contamination.normalise import TEXT_V1, Normaliser


def digest(words: Sequence[str]) -> str | None:
    """Hex of 128 bits; None for no words, so that empty texts equal nothing."""
    if not words:
        return None
    return hashlib.blake2b(
        " ".join(words).encode("utf-8", "surrogatepass"), digest_size=16
    ).hexdigest()


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
