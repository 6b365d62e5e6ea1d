"""Items that no corpus can hold: new sentences in the benchmark's own idiom."""

from collections.abc import Sequence

import numpy as np

ORDER = 2  # words that decide which word may follow; twice as many where characters are words
LONGEST = 2  # times the longest item; a chain may run in circles

Words = tuple[str, ...]


def imitations(
    items: Sequence[Words], count: int, rng: np.random.Generator, order: int = ORDER
) -> list[Words]:
    """Word sequences drawn from the items' Markov chain of an order.

    Every `order` + 1 words in a row stand in some item, so idiom and boilerplate are the
    benchmark's, while the whole is new: what repeats an item word by word is left out, and at most
    10 * count chains are drawn.
    """
    follows: dict[Words, list[str | None]] = {}
    for words in items:
        state: Words = ("",) * order
        for word in (*words, None):
            follows.setdefault(state, []).append(word)
            state = (*state[1:], word or "")
    known, limit = set(items), LONGEST * max(map(len, items), default=0)
    made: list[Words] = []
    for _ in range(10 * count if items else 0):
        chain = _chain(follows, limit, rng, order)
        if chain not in known:
            made.append(chain)
            if len(made) == count:
                break
    return made


def _chain(
    follows: dict[Words, list[str | None]], limit: int, rng: np.random.Generator, order: int
) -> tuple[str, ...]:
    words: list[str] = []
    state: Words = ("",) * order
    while len(words) < limit:
        choices = follows[state]
        word = choices[int(rng.integers(len(choices)))]
        if word is None:
            break
        words.append(word)
        state = (*state[1:], word)
    return tuple(words)
