"""Whether a model sees objects that are not there: yes-or-no probes on present and absent ones.

Source: Li et al. 2023, arXiv:2305.10355. On balanced probes an honest answerer says yes half of
the time; the rate of yes stands beside every score.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from eval_pipeline.metrics.vectors import (
    Bools,
    Floats,
    count_array,
    equal_lengths,
    one_count,
    ratio,
    truth_vector,
)


@dataclass(frozen=True)
class Pope:
    """Scores of the answer yes, and how often it was given; NaN where undefined."""

    precision: float  # NaN where yes was never said
    recall: float
    f1: float  # 2 TP / (2 TP + FP + FN), so 0 where yes was never said
    accuracy: float
    yes_rate: float
    present_share: float  # 0.5 on balanced probes
    n: int


def pope(said_yes: ArrayLike, present: ArrayLike) -> Pope:
    """The scores of a model that said yes where `said_yes`, of objects that were there or not.

    said_yes, present: bool, shape (probes,). Raises ValueError that names the first entry that is
    no bool (an unreadable answer: let the failure policy decide what it counts as), for lengths
    that differ, and where all objects are present or all absent.
    """
    return _report(pope_sums(said_yes, present).sum(axis=0))


def pope_from_counts(present_yes: int, present_n: int, absent_yes: int, absent_n: int) -> Pope:
    """`pope` from how many of the probes on present and on absent objects were answered yes.

    Raises ValueError for impossible counts, and where there are no probes of one kind.
    """
    counts = {}
    for kind, yes, n in (("present", present_yes, present_n), ("absent", absent_yes, absent_n)):
        one_count(n, f"{kind}_n")
        if one_count(yes, f"{kind}_yes") > n:
            raise ValueError(f"{kind}_yes={yes} is more than {kind}_n={n}")
        counts[kind] = (yes, n - yes)
    return _report(np.array([*counts["present"], *counts["absent"]], dtype=np.float64))


def pope_sums(said_yes: ArrayLike, present: ArrayLike) -> Floats:
    """One row a probe: true yes, missed, false yes, true no; shape (probes, 4)."""
    yes, there = truth_vector(said_yes, "said_yes"), truth_vector(present, "present")
    equal_lengths(said_yes=yes, present=there)
    cells: list[Bools] = [yes & there, ~yes & there, yes & ~there, ~yes & ~there]
    return np.stack(cells, axis=1).astype(np.float64)


def pope_from_sums(totals: ArrayLike) -> dict[str, Floats]:
    """The scores of sums of rows of `pope_sums`, shape (..., 4); each of shape (...)."""
    hit, missed, false, quiet = np.moveaxis(np.asarray(totals, dtype=np.float64), -1, 0)
    n = hit + missed + false + quiet
    return {
        "precision": ratio(hit, hit + false),
        "recall": ratio(hit, hit + missed),
        "f1": ratio(2 * hit, 2 * hit + false + missed),
        "accuracy": ratio(hit + quiet, n),
        "yes_rate": ratio(hit + false, n),
        "present_share": ratio(hit + missed, n),
    }


def _report(totals: Floats) -> Pope:
    counts = count_array(totals, "counts")
    for kind, n in (("present", counts[:2].sum()), ("absent", counts[2:].sum())):
        if not n:
            raise ValueError(f"no probe asks for {kind} objects: both kinds are needed")
    scores = {name: float(value) for name, value in pope_from_sums(counts).items()}
    return Pope(**scores, n=int(counts.sum()))
