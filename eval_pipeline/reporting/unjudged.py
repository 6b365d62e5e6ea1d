"""Which share of a checkpoint's draws nobody judged: no answer was read, or it was left undecided.

A few are usual; beyond a few percent the score says as much of the reader as of the model, so the
share stands beside it wherever it is shown.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

RATES = {"parser_failure_rate": "parser_failure", "undecided_rate": "undecided"}
WORTH_SAYING = 0.02


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


def unjudged(estimates: Iterable[Mapping[str, Any]]) -> dict[str, Unjudged]:
    """By checkpoint, from rows of `metric_estimates`; a checkpoint without the rates has none."""
    found: dict[str, dict[str, float]] = {}
    for row in estimates:
        is_headline = (row["slice"], row["policy"]) == ("all", "primary")
        if is_headline and row["metric"] in RATES and row["value"] is not None:
            found.setdefault(row["checkpoint"], {})[RATES[row["metric"]]] = row["value"]
    return {
        name: Unjudged({status: parts[status] for status in RATES.values() if status in parts})
        for name, parts in found.items()
    }
