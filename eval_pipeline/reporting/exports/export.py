"""What is carried out: the facts of a contract, its leaderboard, and samples where asked for."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from eval_pipeline.reporting.unjudged import unjudged
from eval_pipeline.rows.leaderboard import LeaderboardRow
from eval_pipeline.rows.samples import GenerationsRow, ItemsRow, VerifierScoresRow

Files = dict[str, str]  # name of a file -> its text


@dataclass(frozen=True)
class SampleRows:
    """One checkpoint's replies and verdicts, with the items that they are about."""

    items: Sequence[ItemsRow]
    replies: Sequence[GenerationsRow]
    scores: Sequence[VerifierScoresRow]

    def by_item(self) -> dict[str, list[tuple[GenerationsRow, VerifierScoresRow | None]]]:
        """Item -> its replies by draw, each with its verdict."""
        judged = {(row["item_id"], row["draw"]): row for row in self.scores}
        found: dict[str, list[tuple[GenerationsRow, VerifierScoresRow | None]]] = {}
        for row in sorted(self.replies, key=lambda row: (row["item_id"], row["draw"])):
            verdict = judged.get((row["item_id"], row["draw"]))
            found.setdefault(row["item_id"], []).append((row, verdict))
        return found


@dataclass(frozen=True)
class Publisher:
    """Who publishes, and in which relation they stand to the models: asked, never guessed."""

    organization: str
    relationship: str


@dataclass(frozen=True)
class Export:
    """written_at: when the leaderboard was made, ISO 8601. least, most: ends of the metric's range.

    samples: by checkpoint; empty where no reply may leave.
    """

    contract: str
    version: int
    identity: str
    written_at: str
    question: str
    benchmark: str
    population: str
    least: float
    most: float
    draft: bool
    release: str
    rows: Sequence[LeaderboardRow]
    publisher: Publisher | None = None
    samples: Mapping[str, SampleRows] = field(default_factory=dict)

    @property
    def title(self) -> str:
        draft = " (DRAFT, decides nothing)" if self.draft else ""
        return f"{self.contract}/v{self.version}{draft}"

    def asked_publisher(self) -> Publisher:
        """Raises ValueError where nobody said who publishes."""
        if self.publisher is None:
            raise ValueError(
                "this form says who publishes: give --organization, and --relationship as one of "
                "first_party, third_party, collaborative, other"
            )
        return self.publisher


def interval(row: LeaderboardRow) -> str:
    """`[0.6240, 0.6868]`, or why there is none."""
    if row["ci_low"] is None or row["ci_high"] is None:
        return f"no interval: {row['reason'] or 'undefined'}"
    return f"[{row['ci_low']:.4f}, {row['ci_high']:.4f}]"


def beside(export: Export, row: LeaderboardRow) -> dict[str, str]:
    """What must be known to read a number, as texts: for the free maps of other forms."""
    share = unjudged(row)
    decision = None if row["outcome"] is None else f"{row['outcome']}: {row['reason_code']}"
    told: dict[str, object] = {
        "contract": export.title,
        "contract_identity": export.identity,
        "interval": interval(row),
        "confidence": row["confidence"],
        "ci_method": row["ci_method"],
        "n_items": row["n_items"],
        "n_units": row["n_units"],
        "n_samples": row["n_samples"],
        "n_excluded": row["n_excluded"],
        "rows_refused": row["rejected"] or None,
        "not_judged": None if share is None or not share.share else str(share),
        "held_against": row["reference"],
        "terms": row["terms"],
        "decision": decision,
        "quarantined": row["quarantine_reason"],
        "leak_note": row["leak_note"],
        "recorded_by": row["recorded_by"],
        "instruments": row["reading"],
    }
    return {name: str(value) for name, value in told.items() if value is not None}
