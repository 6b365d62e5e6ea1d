"""Means over items: each item the same (micro), or each group the same (macro)."""

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True)
class MicroMacro:
    """The two means; they answer different questions, so the contract names one."""

    micro: float
    macro: float


def micro_macro(groups: Mapping[str, tuple[int, int]]) -> MicroMacro:
    """Accuracy over all items, and the mean of the groups' accuracies.

    groups: name -> (items, right ones). Raises ValueError for no groups, an empty group or
    impossible counts.
    """
    if not groups:
        raise ValueError("at least one group is needed")
    for name, (n, right) in groups.items():
        if n < 1 or not 0 <= right <= n:
            raise ValueError(f"group {name!r}: {right} right of {n} items is impossible")
    n_items = sum(n for n, _ in groups.values())
    micro = sum(right for _, right in groups.values()) / n_items
    macro = sum(right / n for n, right in groups.values()) / len(groups)
    return MicroMacro(micro, macro)


@dataclass(frozen=True)
class MissingReport:
    """One success rate under each reading of the failed samples."""

    all_wrong: float
    valid_only: float
    bound_low: float
    bound_high: float


def missing_report(n_right: int, n_wrong: int, n_failed: int) -> MissingReport:
    """What failures may do to a success rate: failed as wrong, left out, and both extremes.

    valid_only is NaN where every sample failed. Raises ValueError for negative or no counts.
    """
    n = n_right + n_wrong + n_failed
    if min(n_right, n_wrong, n_failed) < 0 or not n:
        raise ValueError(
            f"counts must not be negative, nor all 0: {n_right}, {n_wrong}, {n_failed}"
        )
    valid = n_right + n_wrong
    return MissingReport(
        n_right / n,
        n_right / valid if valid else float("nan"),
        n_right / n,
        (n_right + n_failed) / n,
    )
