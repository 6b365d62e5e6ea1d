"""One generator a purpose, so that adding a draw here moves no number there."""

import hashlib

import numpy as np


def generator(seed: int, *purpose: str) -> np.random.Generator:
    """A generator keyed by the contract's seed and the words that name its use.

    The same seed and words give the same stream in every process and on every core count.
    """
    words = "\x1f".join(purpose).encode()
    key = int.from_bytes(hashlib.sha256(words).digest()[:16], "big")
    return np.random.default_rng(np.random.SeedSequence(entropy=seed, spawn_key=(key,)))
