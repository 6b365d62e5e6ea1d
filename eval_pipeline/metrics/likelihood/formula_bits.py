"""How probable a model finds a text: perplexity, bits per character, bits per byte.

Perplexity is a number of one tokenizer and one text; bits per byte compare across tokenizers where
both models were given the same bytes. None of them speaks of quality after preference training.
"""

import math
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import ArrayLike

from eval_pipeline.metrics.inputs import (
    Floats,
    counts,
    flags,
    number,
    numbers,
    rows,
    same_length,
    texts,
    whole,
)
from eval_pipeline.metrics.sums import Sums, ratio

Values = ArrayLike | Iterable[Any]
UnicodeForm = Literal["as_is", "NFC", "NFD", "NFKC", "NFKD"]
Special = Literal["neither", "bos", "eos", "both"]

LARGEST_EXPONENT = math.log(np.finfo(np.float64).max)


def perplexity(token_probs: Values) -> float:
    """exp(-mean ln p) of the probabilities that a model gave to the tokens, shape (tokens,).

    Raises ValueError for a probability of 0, under which no perplexity is finite.
    Source: Jelinek et al. 1977, J. Acoust. Soc. Am. 62:S63.
    """
    p = numbers(token_probs, "token_probs", 0.0, 1.0)
    if (zero := np.flatnonzero(p == 0)).size:
        raise ValueError(
            f"token_probs[{zero[0]}] is 0, which makes the perplexity infinite: record the log "
            "probability, which does not underflow"
        )
    return perplexity_from_nats(float(-np.log(p).mean()) + 0.0)


def perplexity_from_nats(mean_nll: float) -> float:
    """exp of the mean negative log-likelihood of a token, in nats."""
    nats = number(mean_nll, "mean_nll", least=0.0)
    if nats > LARGEST_EXPONENT:
        raise ValueError(f"mean_nll of {nats:g} nats has no finite perplexity: are these sums?")
    return math.exp(nats)


def uniform_nats(vocabulary: int) -> float:
    """ln V: what a token costs where all V are equally probable; its perplexity is V."""
    return math.log(whole(vocabulary, "vocabulary", 1))


def masked_perplexity(token_nll: Values, mask: Values) -> float:
    """exp(sum of m * nll / sum of m): perplexity of the tokens that are kept.

    token_nll: negative log-likelihoods in nats, 0 or more, undefined only where not kept (a first
    token has none); mask: true where a token counts; both of shape (tokens,).
    Raises ValueError where none is kept.
    """
    nats, kept = _kept(token_nll, mask, "token_nll")
    return perplexity_from_nats(nats / kept)


@dataclass(frozen=True)
class CorpusPerplexity:
    """Two ways to aggregate that differ, because exp is not linear; the contract names one.

    token_pooled: of all kept tokens together; mean_of_documents: mean of the documents' own.
    """

    token_pooled: float
    mean_of_documents: float
    n_documents: int
    n_tokens: int


def corpus_perplexity(
    documents: Sequence[Values], masks: Sequence[Values] | None = None
) -> CorpusPerplexity:
    """Perplexity over documents, each a vector of `masked_perplexity`'s; no mask keeps all."""
    totals = document_totals(documents, masks)
    pooled = perplexity_from_nats(float(totals[:, 0].sum() / totals[:, 1].sum()))
    mean_nll = totals[:, 0] / totals[:, 1]
    perplexity_from_nats(float(mean_nll.max()))
    alone = float(np.exp(mean_nll).mean())
    return CorpusPerplexity(pooled, alone, len(totals), int(totals[:, 1].sum()))


def corpus_perplexity_sums(totals: Floats) -> Sums:
    """Sums of the token-pooled perplexity, from `document_totals`."""
    return Sums(totals, lambda sums: np.exp(ratio(sums[..., 0], sums[..., 1])))


def document_totals(documents: Sequence[Values], masks: Sequence[Values] | None = None) -> Floats:
    """Nats and number of the kept tokens of each document, shape (documents, 2)."""
    documents = rows(documents, "documents")
    if not documents:
        raise ValueError("documents is empty: give at least one")
    if masks is not None:
        same_length(documents=documents, masks=masks)
        pairs = enumerate(zip(documents, masks, strict=True))
        summed = [_kept(nll, mask, f"documents[{i}]") for i, (nll, mask) in pairs]
        return np.array(summed, dtype=np.float64)
    checked = [numbers(nll, f"documents[{i}]", 0.0) for i, nll in enumerate(documents)]
    sizes = np.array([len(nll) for nll in checked])
    nats = np.add.reduceat(np.concatenate(checked), np.cumsum(sizes) - sizes)
    return np.column_stack([nats, sizes]).astype(np.float64)


def bits_per_character(nats: float, characters: float) -> float:
    """nats / (ln 2 * characters); both of a whole text, or both of a mean token."""
    return _bits(nats, characters, "characters")


@dataclass(frozen=True)
class BitsPerByte:
    """One text's cost with the recipe that makes it comparable.

    bits_per_character counts code points of the same Unicode form. special: which special tokens'
    nats are within the total; they add no bytes.
    """

    bits_per_byte: float
    bits_per_character: float
    n_bytes: int
    n_characters: int
    unicode_form: UnicodeForm
    special: Special


def bits_per_byte(
    text: str,
    total_nats: float,
    *,
    unicode_form: UnicodeForm = "as_is",
    special: Special = "neither",
) -> BitsPerByte:
    """-log2 of the text's probability over its UTF-8 bytes.

    total_nats: minus the natural log of the probability of the whole text. unicode_form: what was
    given to the model; it decides how many bytes there are. Raises ValueError for an empty text.
    Source: Gao et al. 2020, arXiv:2101.00027, section 3.1.
    """
    if special not in get_args(Special):
        raise ValueError(f"special is {special!r}: use {', '.join(get_args(Special))}")
    n_bytes, n_characters = text_sizes([text], unicode_form)[0].astype(int).tolist()
    return BitsPerByte(
        _bits(total_nats, n_bytes, "bytes"),
        _bits(total_nats, n_characters, "characters"),
        n_bytes,
        n_characters,
        unicode_form,
        special,
    )


def bits_sums(total_nats: Values, units: Values) -> Sums:
    """Sums of bits per unit over texts: their nats and their bytes, or characters."""
    nats, size = numbers(total_nats, "total_nats", least=0.0), counts(units, "units")
    same_length(total_nats=nats, units=size)
    return Sums(np.column_stack([nats, size]), lambda s: ratio(s[..., 0], math.log(2) * s[..., 1]))


def text_sizes(documents: Sequence[str], unicode_form: UnicodeForm = "as_is") -> Floats:
    """UTF-8 bytes and code points of each text in that Unicode form, shape (texts, 2)."""
    if unicode_form not in get_args(UnicodeForm):
        raise ValueError(
            f"unicode_form is {unicode_form!r}: use {', '.join(get_args(UnicodeForm))}"
        )
    sizes = np.empty((len(documents), 2))
    for i, text in enumerate(texts(documents, "text")):
        formed = text if unicode_form == "as_is" else unicodedata.normalize(unicode_form, text)
        try:
            sizes[i] = len(formed.encode("utf-8")), len(formed)
        except UnicodeEncodeError as error:
            raise ValueError(
                f"text[{i}] holds half a character (a lone surrogate) at {error.start}, which has "
                "no bytes: read the file as UTF-8"
            ) from error
    return sizes


def _kept(token_nll: Values, mask: Values, name: str) -> tuple[float, int]:
    """Nats and number of the kept tokens."""
    nll, keep = numbers(token_nll, name, 0.0, undefined=True), flags(mask, "mask")
    if len(nll) != len(keep):
        raise ValueError(f"{name} has {len(nll)} tokens and its mask {len(keep)}: align them")
    if not keep.any():
        raise ValueError(f"the mask of {name} keeps no token: keep at least one")
    if (lost := np.flatnonzero(keep & np.isnan(nll))).size:
        raise ValueError(f"{name}[{lost[0]}] is undefined, but its mask keeps it: mask it out")
    return float(np.sum(nll[keep])), int(keep.sum())


def _bits(nats: float, size: float, name: str) -> float:
    if not number(size, name, least=0.0) > 0:
        raise ValueError(f"{name} must be above 0, got {size}: an empty text has no cost each")
    bits = number(nats, "nats", least=0.0) / (math.log(2) * size)
    if not math.isfinite(bits):
        raise ValueError(
            f"{nats:g} nats over {size:g} {name} are too many bits each to be a number"
        )
    return bits
