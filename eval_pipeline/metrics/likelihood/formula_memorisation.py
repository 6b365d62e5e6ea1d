"""Whether a high likelihood is storage: joined with what is known of contamination.

A model that gives near-certainty to texts of its training data has stored them. Such a likelihood
is no quality, and it must not be reported as one.
"""

import math
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from eval_pipeline.metrics.inputs import number, numbers, same_length, texts

NEAR_ONE = 0.9  # mean probability of a token above which a text is recited rather than predicted


@dataclass(frozen=True)
class MemorisationAlarm:
    """alarmed: places of the contaminated items with a likelihood near 1, in order.

    n_flagged, n_clean, n_unsettled: items whose verdict is a contaminated one, the clean one, or
    neither. share_flagged, share_clean: how many of each have a likelihood near 1; NaN where there
    are none. reportable: whether the likelihoods may be shown as quality; `reason` says why not.
    """

    alarmed: tuple[int, ...]
    n_flagged: int
    n_clean: int
    n_unsettled: int
    share_flagged: float
    share_clean: float
    near_one: float
    reportable: bool
    reason: str | None


def memorisation_alarm(
    likelihoods: ArrayLike | Iterable[Any],
    verdicts: Sequence[str],
    *,
    flagged: Collection[str],
    clean: str = "clean",
    near_one: float = NEAR_ONE,
) -> MemorisationAlarm:
    """Items that are likely stored, and whether the likelihoods may be reported.

    likelihoods: mean probability of a token of each item, exp(-nats / tokens), in [0, 1]; verdicts:
    each item's contamination verdict; flagged: the verdicts that mean contaminated; near_one: the
    least likelihood that counts as near 1. Items that no verdict settles keep the likelihoods from
    being reported where they are near 1: nobody knows whether these were stored.
    """
    p, said = numbers(likelihoods, "likelihoods", 0.0, 1.0), texts(verdicts, "verdicts")
    same_length(likelihoods=p, verdicts=said)
    bar = number(near_one, "near_one", 0.0, 1.0)
    if not flagged or clean in flagged:
        raise ValueError(f"name the verdicts that mean contaminated, without {clean!r}")
    high = p >= bar
    is_flagged = np.array([verdict in flagged for verdict in said])
    is_clean = np.array([verdict == clean for verdict in said])
    unsettled = ~is_flagged & ~is_clean
    stored, unknown = np.flatnonzero(high & is_flagged), int(np.sum(high & unsettled))
    reason = None
    if stored.size:
        reason = (
            f"{stored.size} of {int(is_flagged.sum())} contaminated items have a likelihood of "
            f"{bar:g} or more: storage, not quality"
        )
    elif unknown:
        reason = (
            f"{unknown} items have a likelihood of {bar:g} or more and no settled verdict: scan "
            "them for contamination first"
        )
    return MemorisationAlarm(
        tuple(int(i) for i in stored),
        int(is_flagged.sum()),
        int(is_clean.sum()),
        int(unsettled.sum()),
        _share(high[is_flagged]),
        _share(high[is_clean]),
        bar,
        reason is None,
        reason,
    )


def _share(of: np.ndarray[Any, np.dtype[np.bool_]]) -> float:
    return float(of.mean()) if of.size else math.nan
