"""Whether a model sees objects that are not there: yes-or-no probes on present and absent ones.

Source: Li et al. 2023, arXiv:2305.10355. On balanced probes an honest answerer says yes half of
the time; the rate of yes stands beside every score.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from eval_pipeline.metrics.inputs import Bools, Floats, flags, same_length, whole
from eval_pipeline.metrics.sums import Sums, ratio


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
    return _report(_cells(said_yes, present).sum(axis=0))


def pope_from_counts(present_yes: int, present_n: int, absent_yes: int, absent_n: int) -> Pope:
    """`pope` from how many of the probes on present and on absent objects were answered yes.

    Raises ValueError for impossible counts, and where there are no probes of one kind.
    """
    counts = {}
    for kind, yes, n in (("present", present_yes, present_n), ("absent", absent_yes, absent_n)):
        whole(n, f"{kind}_n", 0)
        if whole(yes, f"{kind}_yes", 0) > n:
            raise ValueError(f"{kind}_yes={yes} is more than {kind}_n={n}")
        counts[kind] = (yes, n - yes)
    return _report(np.array([*counts["present"], *counts["absent"]], dtype=np.float64))


def pope_sums(said_yes: ArrayLike, present: ArrayLike) -> dict[str, Sums]:
    """Each rate as sums over probes; arguments as in `pope`, save that one kind may be absent."""
    cells = _cells(said_yes, present)
    return {name: Sums(cells, rate) for name, rate in RATES.items()}


def _cells(said_yes: ArrayLike, present: ArrayLike) -> Floats:
    """One row a probe: true yes, missed, false yes, true no; shape (probes, 4)."""
    yes, there = flags(said_yes, "said_yes"), flags(present, "present")
    same_length(said_yes=yes, present=there)
    cells: list[Bools] = [yes & there, ~yes & there, yes & ~there, ~yes & ~there]
    return np.stack(cells, axis=1).astype(np.float64)


def _report(cells: Floats) -> Pope:
    for kind, n in (("present", cells[:2].sum()), ("absent", cells[2:].sum())):
        if not n:
            raise ValueError(f"no probe asks for {kind} objects: both kinds are needed")
    rates = {name: float(rate(cells)) for name, rate in RATES.items()}
    return Pope(**rates, n=int(cells.sum()))


def _share(of: tuple[int, ...], among: tuple[int, ...]) -> Callable[[Floats], Floats]:
    """Sum of some cells over the sum of others; a cell that is named twice counts twice."""
    return lambda cells: ratio(cells[..., of].sum(axis=-1), cells[..., among].sum(axis=-1))


_HIT, _MISSED, _FALSE, _QUIET = range(4)
_ALL = (_HIT, _MISSED, _FALSE, _QUIET)
RATES: dict[str, Callable[[Floats], Floats]] = {
    "precision": _share((_HIT,), (_HIT, _FALSE)),
    "recall": _share((_HIT,), (_HIT, _MISSED)),
    "f1": _share((_HIT, _HIT), (_HIT, _HIT, _FALSE, _MISSED)),
    "accuracy": _share((_HIT, _QUIET), _ALL),
    "yes_rate": _share((_HIT, _FALSE), _ALL),
    "present_share": _share((_HIT, _MISSED), _ALL),
}
