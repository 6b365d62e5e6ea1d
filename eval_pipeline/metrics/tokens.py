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
        cut = bleu_class()(tokenize=name).tokenizer
        return lambda text: str(cut(text.rstrip())).split()
    raise ValueError(f"unknown tokens {name!r}: use {', '.join(NAMES)}")


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
