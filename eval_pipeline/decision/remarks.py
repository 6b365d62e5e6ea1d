"""What a person who ships should know beside the decision; none of it changes the decision.

Only what an interval shows is said, and nothing where neither direction is better.
"""

from collections.abc import Iterable

from eval_pipeline.decision.headline import WHOLE, BoardEndpoint
from eval_pipeline.rows.estimates import ContaminationDeltaRow, PairedComparisonsRow

DifferenceRow = PairedComparisonsRow | ContaminationDeltaRow


def drops(
    checkpoint: str, endpoint: BoardEndpoint, comparisons: Iterable[PairedComparisonsRow]
) -> list[str]:
    """Sentences on a drop against the parent; comparisons: rows of `paired_comparisons`."""
    return [
        f"worse than its parent {row['baseline']} by {_shown(row)} in {row['metric']}"
        for row in comparisons
        if (row["checkpoint"], row["role"], row["slice"]) == (checkpoint, "parent", WHOLE)
        and _worse(row, endpoint.higher_is_better)
    ]


def leak_note(
    checkpoint: str, endpoint: BoardEndpoint, deltas: Iterable[ContaminationDeltaRow]
) -> str | None:
    """A sentence on a score that leaked items raise; deltas: rows of `contamination_delta`."""
    better = endpoint.higher_is_better
    for row in deltas:
        of_endpoint = (row["checkpoint"], row["metric"]) == (checkpoint, endpoint.label)
        if of_endpoint and better is not None and _worse(row, not better):
            return (
                f"{endpoint.label} on all {row['n_all']} items is better than on the "
                f"{row['n_clean']} clean ones by {_shown(row)}: leaked items flatter it"
            )
    return None


def _worse(
    row: PairedComparisonsRow | ContaminationDeltaRow, higher_is_better: bool | None
) -> bool:
    """Whether the whole interval of the difference lies on the worse side of 0."""
    low, high = row["ci_low"], row["ci_high"]
    if low is None or high is None or higher_is_better is None:
        return False
    return bool(high < 0 if higher_is_better else low > 0)


def _shown(row: DifferenceRow) -> str:
    return (
        f"{row['difference']:+.4f} [{row['ci_low']:+.4f}, {row['ci_high']:+.4f}] "
        f"at {row['confidence']:.0%}"
    )
