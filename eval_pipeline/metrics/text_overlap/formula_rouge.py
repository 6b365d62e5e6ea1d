"""ROUGE-N, ROUGE-L and ROUGE-W: what a candidate shares with its reference.

With tokens `rouge` and `rouge_stemmed` the numbers are those of the package rouge-score, which has
no ROUGE-W and fills its table of ROUGE-L word by word. Every kind rewards copying.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import chain

import numpy as np

from eval_pipeline.metrics.inputs import Floats, Ints, number, texts, whole
from eval_pipeline.metrics.text_overlap.lcs import longest_common, weighted_common
from eval_pipeline.metrics.text_overlap.ngrams import SharedNgrams, overlaps
from eval_pipeline.metrics.text_overlap.references import References, paired, require_tokens
from eval_pipeline.metrics.text_overlap.tokens import tokenizer

MOST_ORDER = 99  # of n-grams: rouge99
WEIGHT = 1.2  # of runs in ROUGE-W, as its author's package has it

Words = list[str]


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


def rouge(
    candidates: Sequence[str],
    references: References,
    kinds: Sequence[str],
    *,
    tokens: str = "rouge",
    weight: float = WEIGHT,
) -> dict[str, Rouge]:
    """Several kinds from one reading of the texts: rouge1, rouge2, ..., rougeL and rougeW.

    rougeN: shared n-grams over those of the candidate (precision) and of the reference (recall);
    rougeL: longest common subsequence over both lengths, of whole texts and not line by line;
    rougeW: the same where a run of k words is worth k^weight, to the power of 1 / weight.
    Of several references, whose number may vary, the one with the highest f counts. Raises
    ValueError for an unknown kind, misaligned input, and a reference without any token.
    Source: Lin 2004, ROUGE: A package for automatic evaluation of summaries, sections 2 to 4.
    """
    return rouge_of(cut_texts(candidates, references, tokens), kinds, weight=weight)


@dataclass(frozen=True)
class CutTexts:
    """Texts that were cut once, for kinds that are asked for one by one.

    said, wanted: a candidate beside one of its references, as words, an entry a reference; sample:
    whose it is, rising from 0. counts: of the n-grams, order after order, as far as a kind has
    asked for them.
    """

    said: list[Words]
    wanted: list[Words]
    sample: Ints
    tokens: str
    more: Iterator[SharedNgrams]
    counts: list[SharedNgrams] = field(default_factory=list)

    def overlap(self, order: int) -> SharedNgrams:
        """Shared n-grams of that order."""
        while len(self.counts) < order:
            self.counts.append(next(self.more))
        return self.counts[order - 1]


def cut_texts(candidates: Sequence[str], references: References, tokens: str = "rouge") -> CutTexts:
    """The texts as words; raises as `rouge`."""
    cut = cache(tokenizer(tokens))  # draws of one item share their references
    answers, groups = paired(candidates, references)
    cut_groups = [[cut(text) for text in group] for group in groups]
    require_tokens(cut_groups, tokens)
    sample = np.repeat(np.arange(len(groups)), [len(group) for group in groups])
    cut_answers = [cut(text) for text in answers]
    said = [cut_answers[i] for i in sample.tolist()]
    wanted = list(chain.from_iterable(cut_groups))
    more = overlaps(said, [[words] for words in wanted], MOST_ORDER)
    return CutTexts(said, wanted, sample, tokens, more)


def rouge_of(read: CutTexts, kinds: Sequence[str], *, weight: float = WEIGHT) -> dict[str, Rouge]:
    """As `rouge`, of texts that are cut already."""
    orders = {kind: _order(kind) for kind in texts(kinds, "kinds")}
    w = number(weight, "weight", least=1.0)
    return {
        kind: _best(_scored(*_shared(kind, order, w, read)), read.sample, read.tokens)
        for kind, order in orders.items()
    }


def rouge_n(
    candidates: Sequence[str], references: References, n: int, tokens: str = "rouge"
) -> Rouge:
    """`rouge` of n-grams alone."""
    kind = f"rouge{whole(n, 'n', 1)}"
    return rouge(candidates, references, [kind], tokens=tokens)[kind]


def rouge_l(candidates: Sequence[str], references: References, tokens: str = "rouge") -> Rouge:
    """`rouge` of the longest common subsequence alone."""
    return rouge(candidates, references, ["rougeL"], tokens=tokens)["rougeL"]


def rouge_w(
    candidates: Sequence[str],
    references: References,
    weight: float = WEIGHT,
    tokens: str = "rouge",
) -> Rouge:
    """`rouge` of the weighted common subsequence alone."""
    return rouge(candidates, references, ["rougeW"], tokens=tokens, weight=weight)["rougeW"]


def _order(kind: str) -> int:
    """The n of rougeN; 0 for those of subsequences."""
    if kind in ("rougeL", "rougeW"):
        return 0
    if found := re.fullmatch(r"rouge([1-9][0-9]?)", kind):
        return int(found[1])
    raise ValueError(f"unknown kind {kind!r}: use rouge1, rouge2 and so on, rougeL or rougeW")


def _shared(kind: str, order: int, w: float, read: CutTexts) -> tuple[Floats, Floats, Floats]:
    """What each pair shares, and how much of it candidate and reference have."""
    if order:
        found = read.overlap(order)
        return found.matches, found.candidate, found.reference
    said, wanted = read.said, read.wanted
    if kind == "rougeW":
        common = weighted_common(said, wanted, w) ** (1 / w)
    else:
        lengths = [longest_common(c, r) for c, r in zip(said, wanted, strict=True)]
        common = np.array(lengths, dtype=np.float64)
    n_said, n_wanted = (
        np.array([len(t) for t in side], dtype=np.float64) for side in (said, wanted)
    )
    return common, n_said, n_wanted


def _best(table: Floats, sample: Ints, tokens: str) -> Rouge:
    """Of scores of shape (3, pairs) each sample's against its first reference of highest f."""
    order = np.lexsort((-table[2], sample))  # stable: of equals the first reference stays first
    first = np.searchsorted(sample, np.arange(sample[-1] + 1))
    precision, recall, f = table[:, order[first]]
    return Rouge(precision, recall, f, tokens)


def _scored(shared: Floats, n_said: Floats, n_wanted: Floats) -> Floats:
    """Precision, recall and their harmonic mean, shape (3, samples)."""
    precision, recall = shared / np.maximum(n_said, 1), shared / np.maximum(n_wanted, 1)
    both = precision + recall
    f = np.divide(2 * precision * recall, both, out=np.zeros_like(both), where=both > 0)
    return np.stack([precision, recall, f])
