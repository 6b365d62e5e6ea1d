"""Character bigrams that a reply shares with its nearest reference: a metric plug-in.

It imports nothing of eval_pipeline: an object with these fields and this function is enough.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any


class BigramDice:
    """Dice coefficient 2 |A and B| / (|A| + |B|) of the multisets of character bigrams."""

    name = "bigram_dice"
    version = 1
    meaning = "Share of character bigrams that the reply has in common with its nearest reference."
    columns = (("generations.text", "text"), ("items.references", "texts"))
    unit = "share"
    least = 0.0
    most = 1.0
    higher_is_better = True
    source = "Dice 1945, Ecology 26(3), on character bigrams"

    def scores(self, columns: Mapping[str, Sequence[Any]]) -> list[float]:
        """One number a sample, the best over its references."""
        pairs = zip(columns["generations.text"], columns["items.references"], strict=True)
        return [
            max(dice(text, reference) for reference in references) for text, references in pairs
        ]


def dice(first: str, second: str) -> float:
    """1.0 where the two are equal, so also where neither has a bigram."""
    if first == second:
        return 1.0
    one, other = bigrams(first), bigrams(second)
    total = one.total() + other.total()
    return 2 * (one & other).total() / total if total else 0.0


def bigrams(text: str) -> Counter[str]:
    return Counter(text[i : i + 2] for i in range(len(text) - 1))


METRIC = BigramDice()
