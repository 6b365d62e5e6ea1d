"""What failed samples may do to a success rate."""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, get_args

from eval_pipeline.metrics.inputs import mapping, whole

Handling = Literal["wrong", "exclude"]
FAILED = (
    "parser_failure",
    "model_refusal",
    "timeout",
    "permission_denied",
    "infra_error",
    "invalid_sample",
    "undecided",
)


@dataclass(frozen=True)
class MissingReport:
    """One success rate under each reading of the failed samples.

    counts: failed samples by status, all statuses, none left out because it is 0. primary: under
    the declared policy; the others are its sensitivity: all failed as wrong, all left out (NaN
    where every sample failed), and both extremes.
    """

    counts: Mapping[str, int]
    primary: float
    all_wrong: float
    valid_only: float
    bound_low: float
    bound_high: float


def missing_report(
    n_right: int,
    n_wrong: int,
    failed: Mapping[str, int],
    policy: Mapping[str, Handling] | None = None,
) -> MissingReport:
    """What failures may do to a success rate.

    failed: samples by status; policy: how each status counts, declared beforehand: as `wrong`, or
    `exclude`; None counts all as wrong. Failures are neither all 0 nor all dropped: both readings
    stand beside the declared one. primary is NaN where it leaves no sample.
    Raises ValueError for an unknown status, for one that the policy does not name, and for counts
    that are negative, no whole numbers, or all 0.
    """
    if unknown := sorted(map(str, mapping(failed, "failed").keys() - set(FAILED))):
        raise ValueError(f"unknown status {unknown[0]!r}: use {', '.join(FAILED)}")
    counts = {name: whole(failed.get(name, 0), f"count of {name}", 0) for name in FAILED}
    right, wrong = whole(n_right, "n_right", 0), whole(n_wrong, "n_wrong", 0)
    lost, valid = sum(counts.values()), right + wrong
    if not valid + lost:
        raise ValueError("no samples: a rate needs at least one")
    excluded = 0
    for name, count in counts.items():
        handling = "wrong" if policy is None or not count else policy.get(name)
        if handling not in get_args(Handling):
            raise ValueError(
                f"the policy counts {name} as {handling!r}: declare "
                f"{' or '.join(get_args(Handling))}"
            )
        excluded += count if handling == "exclude" else 0
    return MissingReport(
        counts,
        _rate(right, valid + lost - excluded),
        _rate(right, valid + lost),
        _rate(right, valid),
        _rate(right, valid + lost),
        _rate(right + lost, valid + lost),
    )


def _rate(part: int, samples: int) -> float:
    return part / samples if samples else math.nan
