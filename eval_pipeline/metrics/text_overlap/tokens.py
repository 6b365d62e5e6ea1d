"""Named ways to cut a text into words; the name is part of every number made from them.

`13a`, `intl`, `char`, `zh` and `none` are sacrebleu's; `rouge` is rouge-score's (runs of a-z and
0-9 in lower case), `rouge_stemmed` the same after Porter's stemmer; `whitespace` cuts at blanks.
"""

import re
from collections.abc import Callable
from typing import Any

SACREBLEU = ("13a", "intl", "char", "zh", "none")
NAMES = (*SACREBLEU, "rouge", "rouge_stemmed", "whitespace")

Tokenizer = Callable[[str], list[str]]

_WORDS = re.compile(r"[a-z0-9]+")


def tokenizer(name: str) -> Tokenizer:
    """The function that cuts a text under the named policy.

    Raises ValueError for an unknown name, and where the package behind it is not installed.
    """
    if name == "whitespace":
        return str.split
    if name == "rouge":
        return lambda text: _WORDS.findall(text.lower())
    if name == "rouge_stemmed":
        return _stemmed()
    if name in SACREBLEU:
        made = bleu_class()(tokenize=name).tokenizer
        return _by_word(made) if name == "13a" else lambda text: str(made(text.rstrip())).split()
    raise ValueError(f"unknown tokens {name!r}: use {', '.join(NAMES)}")


def _by_word(cut: Callable[[str], str]) -> Tokenizer:
    """13a, each distinct word once: its rules look at neighbouring characters, never past a blank.

    Only line breaks and the mark of skipped segments reach further; such texts go through whole.
    """
    known: dict[str, list[str]] = {}

    def tokens(text: str) -> list[str]:
        if "\n" in text or "<skipped>" in text:
            return cut(text.rstrip()).split()
        found: list[str] = []
        for word in text.split():
            if word not in known:
                known[word] = cut(word).split()
            found += known[word]
        return found

    return tokens


def bleu_class() -> Any:
    """sacrebleu's BLEU; ValueError that names the extra where it is not installed."""
    try:
        from sacrebleu.metrics.bleu import BLEU
    except ImportError as error:
        raise ValueError(_missing("BLEU and its tokens need sacrebleu", error)) from error
    return BLEU


def _stemmed() -> Tokenizer:
    try:
        from rouge_score.tokenizers import DefaultTokenizer
    except ImportError as error:
        raise ValueError(_missing("stemmed tokens need rouge-score", error)) from error
    cut: Tokenizer = DefaultTokenizer(use_stemmer=True).tokenize
    return cut


def _missing(what: str, error: ImportError) -> str:
    return f"{what} ({error}): install the extra, pip install 'eval-pipeline[text]'"
