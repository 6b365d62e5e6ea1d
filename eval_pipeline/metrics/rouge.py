"""ROUGE-N, ROUGE-L and ROUGE-W: what a candidate shares with its reference.

With tokens `rouge` and `rouge_stemmed` the numbers are those of the package rouge-score, which has
no ROUGE-W and fills its table of ROUGE-L word by word. Every kind rewards copying.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from eval_pipeline.metrics.bleu import References, paired, require_tokens
from eval_pipeline.metrics.inputs import Floats, number, whole
from eval_pipeline.metrics.lcs import longest_common, weighted_common
from eval_pipeline.metrics.ngrams import overlaps
from eval_pipeline.metrics.tokens import tokenizer

WEIGHT = 1.2  # of runs in ROUGE-W, as its author's package has it

Words = list[str]
_Counts = Callable[[list[Words], list[Words]], tuple[Floats, Floats, Floats]]


@dataclass(frozen=True)
class Rouge:
    """precision, recall, f: shape (samples,), in [0, 1]; the contract names the one it reads.

    A candidate without such n-grams has a precision of 0, as in rouge-score. `tokens` names how
    the texts were cut.
    """

    precision: Floats
    recall: Floats
    f: Floats
    tokens: str


def rouge_n(
    candidates: Sequence[str], references: References, n: int, tokens: str = "rouge"
) -> Rouge:
    """Shared n-grams over those of the candidate (precision) and of the reference (recall).

    Of several references the one with the highest f counts. Raises ValueError for misaligned
    input and for a reference without any token.
    Source: Lin 2004, ROUGE: A package for automatic evaluation of summaries, section 2.
    """
    order = whole(n, "n", 1)

    def one(said: list[Words], wanted: list[Words]) -> tuple[Floats, Floats, Floats]:
        *_, last = overlaps(said, [[words] for words in wanted], order)
        return last.matches, last.candidate, last.reference

    return _best(candidates, references, tokens, one)


def rouge_l(candidates: Sequence[str], references: References, tokens: str = "rouge") -> Rouge:
    """Longest common subsequence over both lengths; else as `rouge_n`.

    Source: the same, section 3.1 (of whole texts; for line by line see rougeLsum).
    """

    def one(said: list[Words], wanted: list[Words]) -> tuple[Floats, Floats, Floats]:
        shared = [longest_common(c, r) for c, r in zip(said, wanted, strict=True)]
        return np.array(shared, dtype=np.float64), _lengths(said), _lengths(wanted)

    return _best(candidates, references, tokens, one)


def rouge_w(
    candidates: Sequence[str],
    references: References,
    weight: float = WEIGHT,
    tokens: str = "rouge",
) -> Rouge:
    """ROUGE-L that prefers words in a row: a run of k is worth k^weight; else as `rouge_n`.

    Source: the same, section 4: the weighted length over that of the whole text, to the power of
    1 / weight.
    """
    w = number(weight, "weight", least=1.0)

    def one(said: list[Words], wanted: list[Words]) -> tuple[Floats, Floats, Floats]:
        shared = weighted_common(said, wanted, w) ** (1 / w)
        return shared, _lengths(said), _lengths(wanted)

    return _best(candidates, references, tokens, one)


def _best(candidates: Sequence[str], references: References, tokens: str, one: _Counts) -> Rouge:
    """Precision, recall and f against the reference of each sample with the highest f."""
    cut = tokenizer(tokens)
    texts, groups = paired(candidates, references)
    said = [cut(text) for text in texts]
    wanted = [[cut(text) for text in group] for group in groups]
    require_tokens(wanted, tokens)
    made = [_scored(*one(said, [group[j] for group in wanted])) for j in range(len(wanted[0]))]
    table = np.stack(made)  # references, (precision, recall, f), samples
    best = table[:, 2].argmax(axis=0)
    precision, recall, f = table[best, :, np.arange(len(said))].T
    return Rouge(precision, recall, f, tokens)


def _scored(shared: Floats, n_said: Floats, n_wanted: Floats) -> Floats:
    """Precision, recall and their harmonic mean, shape (3, samples)."""
    precision, recall = shared / np.maximum(n_said, 1), shared / np.maximum(n_wanted, 1)
    both = precision + recall
    f = np.divide(2 * precision * recall, both, out=np.zeros_like(both), where=both > 0)
    return np.stack([precision, recall, f])


def _lengths(texts: list[Words]) -> Floats:
    return np.array([len(words) for words in texts], dtype=np.float64)
