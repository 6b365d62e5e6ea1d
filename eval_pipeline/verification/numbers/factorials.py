"""Whether a "!" that ends a sentence is a factorial, and no exclamation: the answer is 5!"""

import re

_SPOKEN_OF = re.compile(r"\d!|factorial|permutation", re.IGNORECASE)
_NUMBER = re.compile(r"\d{1,400}\Z")
_BEFORE = 2_000  # characters in which factorials are looked for


def is_factorial(text: str, at: int) -> bool:
    """Whether factorials are spoken of before the "!" at a place, and its number is no result yet.

    After "6!/(3! 3!) = 20" the answer 20! is an exclamation.
    """
    number = _NUMBER.search(text, max(0, at - 400), at)
    before = text[max(0, at - _BEFORE) : number.start() if number else at]
    if _SPOKEN_OF.search(before) is None:
        return False
    return (
        number is None or re.search(rf"=[\s$*]{{0,3}}{number[0]}(?![\d!]|[.,]\d)", before) is None
    )
