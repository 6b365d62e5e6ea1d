"""What a person who ships should know beside the decision; none of it changes the decision."""

from collections.abc import Iterable, Mapping
from typing import Any

Row = Mapping[str, Any]


def remarks(
    checkpoint: str,
    metric: str,
    comparisons: Iterable[Row],
    deltas: Iterable[Row],
    *,
    higher_is_better: bool | None,
) -> list[str]:
    """Sentences on a drop against the parent, and on a score that leaked items raise.

    comparisons, deltas: rows of `paired_comparisons` and `contamination_delta`. Only what an
    interval shows is said; metric: label of the primary endpoint; nothing is a drop where neither
    direction is better.
    """
    if higher_is_better is None:
        return []
    dropped = [
        f"worse than its parent {row['baseline']} by {_shown(row)} in {row['metric']}"
        for row in comparisons
        if (row["checkpoint"], row["role"], row["slice"]) == (checkpoint, "parent", "all")
        and _worse(row, higher_is_better)
    ]
    flattered = [
        f"{metric} on all {row['n_all']} items is better than on the {row['n_clean']} clean ones "
        f"by {_shown(row)}: leaked items flatter it"
        for row in deltas
        if (row["checkpoint"], row["metric"]) == (checkpoint, metric)
        and _worse(row, not higher_is_better)
    ]
    return dropped + flattered


def _worse(row: Row, higher_is_better: bool) -> bool:
    """Whether the whole interval of the difference lies on the worse side of 0."""
    low, high = row["ci_low"], row["ci_high"]
    if low is None or high is None:
        return False
    return bool(high < 0 if higher_is_better else low > 0)


def _shown(row: Row) -> str:
    return (
        f"{row['difference']:+.4f} [{row['ci_low']:+.4f}, {row['ci_high']:+.4f}] "
        f"at {row['confidence']:.0%}"
    )
