"""What the report is given: a contract's tables as rows, and the facts that stand over them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, cast

from eval_pipeline.rows.leaderboard import LeaderboardRow
from eval_pipeline.rows.reading import RowType, table_of

Row = Mapping[str, Any]

JUDGED_RATES = ("win_rate", "length_controlled_win_rate")


@dataclass(frozen=True)
class ReportTables:
    """Rows of each table of one contract version; a table that the contract lacks is empty.

    planted: rows of recovered against planted values, for data whose truth is known.
    totals: rows that a table really has, where only the first of them are given.
    worked: checkpoint -> what its verifier said of how it worked, such as its sandbox.
    audit: error rates of the verifier by people's word, and whose; None where nobody looked.
    standings: judge -> its state, such as licensed or votes_pending, and why. panels: form of
    judging (pairs, scores) -> who the panel is the mean of, in words.
    unverified: the declared conditions that no run manifest vouches for, in a sentence.
    """

    rows: Mapping[str, Sequence[Row]]
    body: Mapping[str, Any]  # the contract's canonical form
    planted: Sequence[Row] = field(default=())
    totals: Mapping[str, int] = field(default_factory=dict)
    worked: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    audit: Row | None = None
    standings: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    panels: Mapping[str, str] = field(default_factory=dict)
    unverified: str | None = None

    def of(self, table: str) -> Sequence[Row]:
        return self.rows.get(table, ())

    def rows_of(self, kind: type[RowType]) -> Sequence[RowType]:
        """The rows of the table that the type is of."""
        return cast(Sequence[RowType], self.of(table_of(kind)))

    def one(self, table: str) -> Row | None:
        """The only row of a table, or None."""
        rows = self.of(table)
        return rows[0] if rows else None

    @property
    def leaderboard(self) -> list[LeaderboardRow]:
        """Rows of `leaderboard`, best value first."""
        return sorted(self.rows_of(LeaderboardRow), key=lambda row: row["place"])

    def on_board(self, checkpoint: str) -> LeaderboardRow | None:
        """The checkpoint's row of `leaderboard`."""
        return next((row for row in self.leaderboard if row["checkpoint"] == checkpoint), None)

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
