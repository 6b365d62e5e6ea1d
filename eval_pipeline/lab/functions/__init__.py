"""Small functions with tests, and replies that write them rightly, wrongly or not at all."""

from eval_pipeline.lab.functions.lists import LISTS
from eval_pipeline.lab.functions.model import Function
from eval_pipeline.lab.functions.numbers import NUMBERS
from eval_pipeline.lab.functions.replies import KINDS, reply
from eval_pipeline.lab.functions.strings import STRINGS

FUNCTIONS: dict[str, tuple[Function, ...]] = {
    "numbers": NUMBERS,
    "strings": STRINGS,
    "lists": LISTS,
}

__all__ = ["FUNCTIONS", "KINDS", "Function", "reply"]
