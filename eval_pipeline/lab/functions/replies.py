"""Replies to a function that is asked for."""

import numpy as np

from eval_pipeline.lab.chance import pick
from eval_pipeline.lab.functions.model import Function

KINDS = ("right", "wrong", "syntax", "loop", "no_code")

BEFORE = (
    "Here is the function.",
    "This does what the docstring says:",
    "One way to write it:",
    "I keep it short.",
)
AFTER = (
    "",
    "It also covers the empty case.",
    "No import is needed.",
    "The time grows with the length of the input.",
)
NO_CODE = (
    "The idea is to go through the input once and keep what is asked for.",
    "I would first write down some examples and then decide.",
    "This is best done with a loop and a place to keep the result.",
)


def reply(function: Function, kind: str, rng: np.random.Generator) -> str:
    """A reply of one of KINDS: a fenced definition between two sentences, or prose only."""
    if kind == "no_code":
        return pick(NO_CODE, rng)
    if kind == "loop":
        source = function.source("while True:\n    pass")
    else:
        source = function.source(pick(function.wrong if kind == "wrong" else function.right, rng))
        if kind == "syntax":
            source = source.replace(":\n", "\n", 1)  # the head of the definition loses its colon
    after = pick(AFTER, rng)
    return f"{pick(BEFORE, rng)}\n\n```python\n{source}```\n" + (f"\n{after}\n" if after else "")
