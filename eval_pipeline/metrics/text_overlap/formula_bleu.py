"""BLEU as sacrebleu defines it, kept as sums, so that it can be resampled.

Tokens, signature and the corpus score are sacrebleu's own; what is counted here, for all samples
at once, are the matches, totals and lengths that it is made from. Scores lie in [0, 1].
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Literal, get_args

import numpy as np

from eval_pipeline.metrics.inputs import Floats, whole
from eval_pipeline.metrics.sums import Sums
from eval_pipeline.metrics.text_overlap.ngrams import overlaps
from eval_pipeline.metrics.text_overlap.references import (
    References,
    paired,
    references_each,
    require_tokens,
)
from eval_pipeline.metrics.text_overlap.tokens import SACREBLEU, bleu_class, tokenizer

Smoothing = Literal["none", "exp"]

VARYING = -1  # how sacrebleu says that candidates have different numbers of references


@dataclass(frozen=True)
class Bleu:
    """score: BP * exp(mean of ln p_n), in [0, 1]; 0 where a p_n is 0 and nothing is smoothed.

    precisions: clipped p_n before smoothing, shape (max_order,), 0 where the candidates have no
    n-gram of that order; signature: all that defines the number, as sacrebleu writes it.
    """

    score: float
    precisions: tuple[float, ...]
    brevity_penalty: float
    candidate_length: int
    reference_length: int
    signature: str


def corpus_bleu(
    candidates: Sequence[str],
    references: References,
    *,
    max_order: int = 4,
    smoothing: Smoothing = "none",
    tokenize: str = "13a",
    lowercase: bool = False,
) -> Bleu:
    """BLEU of all candidates together; of one candidate it is the sentence's.

    references: a text a candidate, or a sequence of them, one or more; their number may vary. Where
    no candidate is long enough for an order BLEU is 0, as in sacrebleu without effective order.
    Raises ValueError for misaligned input, for a reference without any token, and where sacrebleu
    is not installed.
    Source: Papineni et al. 2002, ACL; Post 2018, arXiv:1804.08771 (signatures).
    """
    sums = bleu_sums(
        candidates,
        references,
        max_order=max_order,
        smoothing=smoothing,
        tokenize=tokenize,
        lowercase=lowercase,
    )
    n_candidate, n_reference, *rest = (int(x) for x in sums.terms.sum(axis=0))
    matches, totals = rest[:max_order], rest[max_order:]
    scored = bleu_class().compute_bleu(
        matches,
        totals,
        n_candidate,
        n_reference,
        smooth_method=smoothing,
        max_ngram_order=max_order,
    )
    precisions = tuple(m / t if t else 0.0 for m, t in zip(matches, totals, strict=True))
    each = references_each(paired(candidates, references)[1])
    return Bleu(
        scored.score / 100,
        precisions,
        scored.bp,
        n_candidate,
        n_reference,
        signature(each, max_order, smoothing, tokenize, lowercase),
    )


def bleu_sums(
    candidates: Sequence[str],
    references: References,
    *,
    max_order: int = 4,
    smoothing: Smoothing = "none",
    tokenize: str = "13a",
    lowercase: bool = False,
) -> Sums:
    """Sums of `corpus_bleu`: lengths of candidate and reference, then matches and totals by order.

    Of several references the length nearest to the candidate's counts, of two as near the shorter.
    """
    most = whole(max_order, "max_order", 1)
    if smoothing not in get_args(Smoothing):
        raise ValueError(f"unknown smoothing {smoothing!r}: use {' or '.join(get_args(Smoothing))}")
    if tokenize not in SACREBLEU:
        raise ValueError(f"unknown tokens {tokenize!r} of BLEU: use {', '.join(SACREBLEU)}")
    cut = cache(tokenizer(tokenize))  # draws of one item share their references
    said, wanted = paired(candidates, references)
    if lowercase:
        said = [text.lower() for text in said]
        wanted = [[text.lower() for text in group] for group in wanted]
    words = [cut(text) for text in said]
    theirs = [[cut(text) for text in group] for group in wanted]
    require_tokens(theirs, tokenize)
    terms = np.empty((len(words), 2 + 2 * most))
    terms[:, 0] = [len(text) for text in words]
    terms[:, 1] = [
        min((abs(len(ref) - len(text)), len(ref)) for ref in group)[1]
        for text, group in zip(words, theirs, strict=True)
    ]
    for order, found in enumerate(overlaps(words, theirs, most)):
        terms[:, 2 + order] = found.matches
        terms[:, 2 + most + order] = found.candidate
    return Sums(terms, lambda sums: _score(sums, most, smoothing))


def signature(
    n_references: int | None, max_order: int, smoothing: Smoothing, tokenize: str, lowercase: bool
) -> str:
    """sacrebleu's signature, with the order added where it is not 4.

    n_references: of each candidate; None where their number varies.
    """
    made = bleu_class()(
        tokenize=tokenize,
        smooth_method=smoothing,
        max_ngram_order=max_order,
        lowercase=lowercase,
    )
    made.num_refs = VARYING if n_references is None else n_references
    named = str(made.get_signature())
    return named if max_order == 4 else f"{named}|order:{max_order}"


def brevity_penalty(candidate_length: int, reference_length: int) -> float:
    """min(1, exp(1 - r / c)); 0 for an empty candidate.

    Raises ValueError for lengths that are no whole numbers and for an empty reference.
    """
    c, r = whole(candidate_length, "candidate_length", 0), whole(reference_length, "reference", 1)
    return min(1.0, math.exp(1 - r / c)) if c else 0.0


def _score(sums: Floats, most: int, smoothing: Smoothing) -> Floats:
    """BLEU from sums of shape (..., 2 + 2 * orders)."""
    c, r = sums[..., 0], sums[..., 1]
    matches, totals = sums[..., 2 : 2 + most], sums[..., 2 + most :]
    numerator, denominator = matches.astype(np.float64), totals.astype(np.float64)
    if smoothing == "exp":
        # the k-th order without a match gets 1 / 2^k of one
        missed = (matches == 0) & (totals > 0)
        numerator = np.where(missed, 0.5 ** np.cumsum(missed, axis=-1), numerator)
    with np.errstate(divide="ignore", invalid="ignore"):  # no n-gram, no match: ln 0, and BLEU 0
        precision = np.where(totals > 0, numerator / denominator, 0.0)
        penalty = np.where(c > 0, np.minimum(1.0, np.exp(1 - r / c)), 0.0)
        score = penalty * np.exp(np.log(precision).mean(axis=-1))
    return np.where(matches.any(axis=-1), score, 0.0)
