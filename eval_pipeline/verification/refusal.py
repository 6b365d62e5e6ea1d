"""Whether a reply without an answer is a refusal: a short list of openings, and nothing more.

Looked at only where no answer was found, so a reply that apologises and then answers is judged.
"""

import re

WINDOW = 240  # characters: a refusal says so at once

_REFUSAL = re.compile(
    r"\b(?:i|we)(?:\s+am|\s+are|['’]m|['’]re)?\s+"
    r"(?:sorry,?\s+(?:but\s+)?(?:i\s+)?)?"
    r"(?:can\s?not|can['’]t|could\s+not|won['’]t|will\s+not|(?:not\s+able|unable)\s+to|must\s+decline)"
    r"\s*(?:to\s+)?(?:\w+\s+){0,2}?"
    r"(?:help|assist|answer|comply|provide|discuss|do|fulfil|fulfill|continue|respond)\b",
    re.IGNORECASE,
)


def is_refusal(reply: str) -> bool:
    """Whether the reply opens with a refusal to answer."""
    return _REFUSAL.search(reply[:WINDOW]) is not None
