"""Checkpoints that are one under two names: the same weights, or the same replies."""

from collections.abc import Mapping
from itertools import combinations

SAME_WEIGHTS = "the same weights as"
SAME_REPLIES = "the same reply to every item as"


def twins(
    weights: Mapping[str, str], replies: Mapping[str, str]
) -> dict[str, dict[str, list[str]]]:
    """Checkpoint -> its twins, each with what the two share, both sorted by name.

    weights: the digest of the weights, where it is stated; replies: a digest of all replies.
    """
    found: dict[str, dict[str, list[str]]] = {}
    for one, other in combinations(sorted({*weights, *replies}), 2):
        shared = [
            words
            for words, of in ((SAME_WEIGHTS, weights), (SAME_REPLIES, replies))
            if one in of and of[one] == of.get(other)
        ]
        if shared:
            found.setdefault(one, {})[other] = shared
            found.setdefault(other, {})[one] = shared
    return found
