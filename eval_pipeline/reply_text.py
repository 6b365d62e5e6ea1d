"""What a reply holds beside its answer: reasoning before it, and tokens that end a turn.

Cut in the same way wherever a reply is read: at ingest, by `check`, and before a judge's verdict.
"""

import re
from dataclasses import dataclass

_OPENED = re.compile(r"[ \t\r\n]*<think>")
_CLOSED = "</think>"


@dataclass(frozen=True)
class Spoken:
    """A reply in two parts.

    text: what is said to the reader. reasoning: what was thought aloud before, None where nothing
    was. is_closed: whether the reasoning ended; where it did not, no answer came and text is empty.
    """

    text: str
    reasoning: str | None = None
    is_closed: bool = True


def spoken(reply: str) -> Spoken:
    """A reply without its reasoning."""
    opened = _OPENED.match(reply)
    if opened is None:
        return Spoken(reply)
    reasoning, closed, text = reply[opened.end() :].partition(_CLOSED)
    return Spoken(text.lstrip(), reasoning.strip(), bool(closed))


def without_turn_tokens(text: str) -> str:
    """A text without the tokens with which a model ends its turn."""
    return text
