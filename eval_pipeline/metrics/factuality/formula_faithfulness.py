"""How much of an answer its own sources carry, whatever the retriever found."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from eval_pipeline.metrics.inputs import counts, same_length
from eval_pipeline.metrics.sums import Sums, mean_sums, ratio, ratio_sums

Values = ArrayLike | Iterable[Any]


@dataclass(frozen=True)
class Faithfulness:
    """by_claim: supported claims over all claims; by_answer: mean of the answers' shares.

    NaN where no answer makes a claim; n_without: answers that make none, left out of by_answer.
    """

    by_claim: float
    by_answer: float
    n_answers: int
    n_without: int


def faithfulness(n_supported: Values, n_claims: Values) -> Faithfulness:
    """Support share of claims: counts of each answer, shape (answers,).

    Raises ValueError for empty or misaligned input and for more supported claims than claims.
    Source: Es et al. 2023, arXiv:2309.15217, section 3.
    """
    by_claim, by_answer = faithfulness_sums(n_supported, n_claims)
    n_without = int(np.sum(by_claim.terms[:, 1] == 0))
    return Faithfulness(by_claim.value, by_answer.value, len(by_claim.terms), n_without)


def faithfulness_sums(n_supported: Values, n_claims: Values) -> tuple[Sums, Sums]:
    """Sums of by_claim and of by_answer."""
    supported, claims = counts(n_supported, "n_supported"), counts(n_claims, "n_claims")
    same_length(n_supported=supported, n_claims=claims)
    if (bad := np.flatnonzero(supported > claims)).size:
        i = bad[0]
        raise ValueError(f"answer {i}: {supported[i]:g} supported of {claims[i]:g} claims")
    return ratio_sums(supported, claims), mean_sums(ratio(supported, claims))
