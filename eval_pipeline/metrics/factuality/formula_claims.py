"""Claims held against the world: which are supported, which can be decided, which are cited."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np

from eval_pipeline.metrics.inputs import rows
from eval_pipeline.metrics.sums import Sums, ratio_sums

Verdict = Literal["supported", "unsupported", "unknown"]
FactualityMetric = Literal[
    "support_precision", "decidable_rate", "citation_completeness", "citation_precision"
]
VERDICTS: tuple[str, ...] = get_args(Verdict)
_COLUMNS: dict[FactualityMetric, tuple[int, int]] = {
    "support_precision": (0, 1),
    "decidable_rate": (1, 2),
    "citation_completeness": (3, 2),
    "citation_precision": (4, 5),
}


@dataclass(frozen=True)
class CheckedClaim:
    """verdict: supported, unsupported or unknown; cited: whether it names a source.

    link_supports: whether the source that it names supports it; None where nobody looked.
    """

    verdict: str
    cited: bool
    link_supports: bool | None = None


@dataclass(frozen=True)
class FactualityReport:
    """support_precision: supported over those that could be decided, NaN where none could.

    decidable_rate: decided over all, unknown ones in the denominator; citation_completeness: cited
    over all; citation_precision: sources that support their claim over the sources looked at, NaN
    where none was. The first is read with the second beside it: it rises by deciding less.
    """

    support_precision: float
    decidable_rate: float
    citation_completeness: float
    citation_precision: float
    n_claims: int
    n_answers: int


def factuality_report(answers: Sequence[Sequence[CheckedClaim]]) -> FactualityReport:
    """Shares over all claims of all answers; each answer a sequence of claims, perhaps empty.

    Raises ValueError where there is no claim, and for a verdict or flag of another kind, with its
    answer and claim.
    """
    counted = claim_counts(answers)
    sums = counted.sum(axis=0)
    if not sums[2]:
        raise ValueError("no answer makes a claim: factuality is undefined without one")
    shares = {
        name: float(sums[part] / sums[whole]) if sums[whole] else math.nan
        for name, (part, whole) in _COLUMNS.items()
    }
    return FactualityReport(**shares, n_claims=int(sums[2]), n_answers=len(answers))


def factuality_sums(answers: Sequence[Sequence[CheckedClaim]], metric: FactualityMetric) -> Sums:
    """Sums of one share of `factuality_report`, a row an answer: its claims move together."""
    if metric not in _COLUMNS:
        raise ValueError(f"unknown metric {metric!r}: use {', '.join(_COLUMNS)}")
    part, whole = _COLUMNS[metric]
    counted = claim_counts(answers)
    return ratio_sums(counted[:, part], counted[:, whole])


def claim_counts(
    answers: Sequence[Sequence[CheckedClaim]],
) -> np.ndarray[tuple[int, int], np.dtype[np.float64]]:
    """Supported, decided, all, cited, supporting links and links looked at, of each answer."""
    given = rows(answers, "answers")
    if not given:
        raise ValueError("answers is empty: give at least one")
    counted = []
    for i, claims in enumerate(given):
        said = rows(claims, f"answer {i}")
        for j, claim in enumerate(said):
            _check(claim, f"answer {i}, claim {j}")
        looked_at = [claim.link_supports for claim in said if claim.link_supports is not None]
        verdicts = [claim.verdict for claim in said]
        counted.append(
            (
                verdicts.count("supported"),
                len(said) - verdicts.count("unknown"),
                len(said),
                sum(claim.cited for claim in said),
                sum(looked_at),
                len(looked_at),
            )
        )
    return np.array(counted, dtype=np.float64)


def _check(claim: CheckedClaim, place: str) -> None:
    if not isinstance(claim, CheckedClaim):
        raise ValueError(f"{place} is {claim!r:.60}: give a claim")
    if not isinstance(claim.verdict, str) or claim.verdict not in VERDICTS:
        raise ValueError(
            f"{place}: verdict {claim.verdict!r:.60} must be one of {', '.join(VERDICTS)}"
        )
    if not isinstance(claim.cited, bool):
        raise ValueError(f"{place}: cited is {claim.cited!r}: give true or false")
    if not isinstance(claim.link_supports, bool | None):
        raise ValueError(f"{place}: link_supports is {claim.link_supports!r}: true, false or none")
    if claim.link_supports is not None and not claim.cited:
        raise ValueError(f"{place}: it has a link that was looked at, but is not cited")
