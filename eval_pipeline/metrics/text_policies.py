"""Named ways to read a text before it is held against another; the name is part of a contract."""

import re
import string
from collections.abc import Callable

_ARTICLES = re.compile(r"\b(a|an|the)\b")
_PUNCTUATION = str.maketrans("", "", string.punctuation)


def squad(text: str) -> str:
    """Lower case, without ASCII punctuation and English articles, single spaces.

    Source: Rajpurkar et al. 2016, arXiv:1606.05250, section 5.
    """
    return " ".join(_ARTICLES.sub(" ", text.lower().translate(_PUNCTUATION)).split())


POLICIES: dict[str, Callable[[str], str]] = {
    "identity": lambda text: text,
    "stripped": lambda text: " ".join(text.split()),
    "casefold": lambda text: " ".join(text.casefold().split()),
    "squad": squad,
}
