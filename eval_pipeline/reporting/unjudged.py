"""Which share of a checkpoint's draws nobody judged: no answer was read, or it was left undecided.

A few are usual; beyond a few percent the score says as much of the reader as of the model, so the
share stands beside it wherever it is shown.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from eval_pipeline.rows.leaderboard import LeaderboardRow

WORTH_SAYING = 0.02
MUCH = 0.10  # then it is shown in red


@dataclass(frozen=True)
class Unjudged:
    """parts: status -> share of the draws, means over items as in `metric_estimates`."""

    parts: Mapping[str, float]

    @property
    def share(self) -> float:
        return sum(self.parts.values())

    @property
    def is_worth_saying(self) -> bool:
        return self.share > WORTH_SAYING

    def __str__(self) -> str:
        """`12.5% (parser_failure 10.0%, undecided 2.5%)`."""
        parts = ", ".join(f"{name} {part:.1%}" for name, part in self.parts.items() if part)
        return f"{self.share:.1%} ({parts})" if parts else f"{self.share:.1%}"


def unjudged(row: "LeaderboardRow") -> Unjudged | None:
    """Of a row of `leaderboard`; None where the rates are not known."""
    rates = {"parser_failure": row["parser_failure"], "undecided": row["undecided"]}
    parts = {status: rate for status, rate in rates.items() if rate is not None}
    return Unjudged(parts) if parts else None
