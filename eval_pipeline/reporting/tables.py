"""What the report is given: a contract's tables as rows, and the facts that stand over them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from eval_pipeline.layout import PANEL

Row = Mapping[str, Any]

JUDGED_RATES = ("win_rate", "length_controlled_win_rate")


@dataclass(frozen=True)
class ReportTables:
    """Rows of each table of one contract version; a table that the contract lacks is empty.

    planted: rows of recovered against planted values, for data whose truth is known.
    totals: rows that a table really has, where only the first of them are given.
    worked: checkpoint -> what its verifier said of how it worked, such as its sandbox.
    audit: error rates of the verifier by people's word, and whose; None where nobody looked.
    remarks: checkpoint -> what stands beside its decision, such as leaked items that flatter it.
    """

    rows: Mapping[str, Sequence[Row]]
    body: Mapping[str, Any]  # the contract's canonical form
    planted: Sequence[Row] = field(default=())
    totals: Mapping[str, int] = field(default_factory=dict)
    worked: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    audit: Row | None = None
    remarks: Mapping[str, Sequence[str]] = field(default_factory=dict)

    def of(self, table: str) -> Sequence[Row]:
        return self.rows.get(table, ())

    def one(self, table: str) -> Row | None:
        """The only row of a table, or None."""
        rows = self.of(table)
        return rows[0] if rows else None

    @property
    def primary_estimates(self) -> list[Row]:
        """The primary endpoint of each checkpoint on all items; of scores, by the panel."""
        contract = self.one("contract")
        label = contract["primary_endpoint"] if contract else None
        scored = [row for row in self.of("judge_score_estimates") if row["judge"] == PANEL]
        return [
            row
            for row in (*self.of("metric_estimates"), *scored)
            if (row["metric"], row["slice"], row["policy"]) == (label, "all", "primary")
        ]

    @property
    def recorded_by(self) -> str | None:
        """Who graded, where the contract's verdicts are those that the rows hold."""
        asked = self.body.get("verification") or {}
        if not str(asked.get("verifier", "")).startswith("recorded@"):
            return None
        return str((asked.get("options") or {}).get("grader"))

    @property
    def checkpoints(self) -> list[str]:
        """By (date, name): the order in which they came."""
        dates = {
            row["checkpoint"]: row["value"] or ""
            for row in self.of("run_manifest")
            if row["field"] == "date"
        }
        names = {row["checkpoint"] for row in self.of("run_manifest")}
        return sorted(names, key=lambda name: (dates.get(name, ""), name))


def difference_of(metric: str) -> str:
    """What a recorded difference is in: a win rate is of both, and stands minus one half."""
    return f"{metric} minus one half" if metric in JUDGED_RATES else metric
