"""The leaderboard: rows of `leaderboard`, composed from the tables of a contract version.

Nothing is computed anew here: what stands in the tables is put side by side, one row a checkpoint,
with the words that a person needs to read it.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from eval_pipeline.decision.headline import (
    ESTIMATES,
    WHOLE,
    BoardEndpoint,
    Headline,
    of_comparisons,
    of_estimates,
    of_rates,
)
from eval_pipeline.decision.lineup import Entry, lineup
from eval_pipeline.decision.remarks import drops, leak_note
from eval_pipeline.decision.twins import twins
from eval_pipeline.rows.estimates import (
    ContaminationDeltaRow,
    DecisionsRow,
    MetricEstimatesRow,
    PairedComparisonsRow,
)
from eval_pipeline.rows.rankings import LengthControlledWinRatesRow
from eval_pipeline.rows.samples import IngestFilesRow, RunManifestRow
from eval_pipeline.rows.scores import JudgeScoreEstimatesRow

BoardRow = dict[str, object]  # the columns of `leaderboard`; a nullable one may be left out

ORDER_WORDS = {
    "both": "both seating orders",
    "one": "one seating order of each pair",
    "unrecorded": "seating orders not recorded",
}
UNJUDGED = {"parser_failure_rate": "parser_failure", "undecided_rate": "undecided"}
HELD_AGAINST = "the others are held against it"
GONE = "gone from disk: its earlier numbers stay in the history"
NO_NUMBER = "there is no number of it"
CANNOT_TELL = "most replies cannot be read by these instruments: name others in verification"


@dataclass(frozen=True)
class BoardTables:
    """The rows that a board is put together from; none of a table that the contract lacks."""

    manifest: Sequence[RunManifestRow]
    files: Sequence[IngestFilesRow] = ()
    estimates: Sequence[MetricEstimatesRow] = ()
    scores: Sequence[JudgeScoreEstimatesRow] = ()
    rates: Sequence[LengthControlledWinRatesRow] = ()
    comparisons: Sequence[PairedComparisonsRow] = ()
    deltas: Sequence[ContaminationDeltaRow] = ()
    decisions: Sequence[DecisionsRow] = ()

    def headlines(self, endpoint: BoardEndpoint) -> list[Headline]:
        """The values of the endpoint, on all items and on each slice."""
        if endpoint.table == "judge_score_estimates":
            return of_estimates(endpoint, self.scores)
        if endpoint.table == "paired_comparisons":
            return of_comparisons(self.comparisons)
        if endpoint.table == "length_controlled_win_rates":
            return of_rates(self.rates)
        return of_estimates(endpoint, self.estimates)


@dataclass(frozen=True)
class Judged:
    """What the standing of judges says of a board; `judging.standing` decides it.

    words: who makes the endpoint, such as `the licensed judges`, None where no judge does;
    members: by name. quarantined: scope, and why; of the board and of the decision. pending:
    checkpoint -> what is not cast on it yet, in a sentence.
    """

    words: str | None = None
    members: Sequence[str] = ()
    quarantined: Mapping[str, str] = field(default_factory=dict)
    pending: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class BoardTerms:
    """What the contract freezes that stands in the words of a board.

    reading: how sure the program was that chose the instruments, None where a person has looked.
    recorded_by: who graded, where the verdicts were taken from the rows. follows: whether the
    reference is whoever was accepted last, and not named by the contract.
    """

    endpoint: BoardEndpoint
    clustered_by: str
    confidence: float
    n_items: int
    draft: bool
    sequential: bool = False
    orders: Literal["both", "one", "unrecorded"] = "both"
    recorded_by: str | None = None
    follows: bool = True
    reading: str | None = None


def board_rows(
    terms: BoardTerms,
    tables: BoardTables,
    judged: Judged,
    replies: Mapping[str, str],
    gone: Collection[str] = (),
) -> list[BoardRow]:
    """A row for each checkpoint of `run_manifest`, best value first.

    replies: checkpoint -> a digest of
    all that it answered. gone: checkpoints that are no longer complete on disk.
    """
    endpoint = terms.endpoint
    entries = lineup(tables.manifest)
    values = tables.headlines(endpoint)
    whole = {one.checkpoint: one for one in values if one.slice == WHOLE}
    decided = {row["checkpoint"]: row for row in tables.decisions}
    rejected = _rejected(tables.files)
    words = _terms(terms, judged, list(whole.values()))
    quantity = _quantity(endpoint, whole.values())
    unjudged = _unjudged(tables) if endpoint.table == "metric_estimates" else {}
    pairs = twins(_weights(tables), replies)
    rows: list[BoardRow] = []
    for entry in _best_first(entries, whole, endpoint):
        name = entry.checkpoint
        decision = decided.get(name)
        kept = {
            **_value(whole.get(name), decision, name in gone, terms),
            "checkpoint": name,
            "place": len(rows) + 1,
            "metric": endpoint.label,
            "quantity": quantity,
            "higher_is_better": endpoint.higher_is_better,
            "n_total": terms.n_items,
            "terms": words,
            "read_from": endpoint.table,
            "jury": judged.words and f"{judged.words}: {', '.join(judged.members)}",
            "recorded_by": terms.recorded_by if endpoint.table == "metric_estimates" else None,
            "votes_pending": judged.pending.get(name),
            **_quarantine(judged),
            "draft": terms.draft,
            "outcome": decision and decision["outcome"],
            "reason_code": decision and decision["reason_code"],
            "decision_reason": decision and decision["reason"],
            **_worst(endpoint, [one for one in values if one.checkpoint == name]),
            **unjudged.get(name, {}),
            "rejected": rejected.get(name, 0.0),
            "reading": terms.reading,
            "leak_note": leak_note(name, endpoint, tables.deltas),
            "twins": sorted(pairs.get(name, {})),
            "gone": name in gone,
        }
        kept["remarks"] = [
            *drops(name, endpoint, tables.comparisons),
            *_of_reference(entries, decision, gone, terms),
            *(
                f"{shared} {other}"
                for other, every in sorted(pairs.get(name, {}).items())
                for shared in every
            ),
        ]
        rows.append(kept)
    return rows


def _best_first(
    entries: Iterable[Entry], whole: Mapping[str, Headline], endpoint: BoardEndpoint
) -> list[Entry]:
    sign = 1.0 if endpoint.higher_is_better is False else -1.0

    def order(entry: Entry) -> tuple[bool, float, str]:
        found = whole.get(entry.checkpoint)
        value = found.value if found else None
        return value is None, sign * (value or 0.0), entry.checkpoint

    return sorted(entries, key=order)


def _value(
    found: Headline | None, decision: DecisionsRow | None, gone: bool, terms: BoardTerms
) -> BoardRow:
    """The columns of the value; where there is none, why."""
    if terms.reading == "cannot tell":
        return {"confidence": terms.confidence, "status": "undefined", "reason": CANNOT_TELL}
    if found is not None:
        return {**found.row, "reference": found.reference}
    is_reference = decision is not None and decision["outcome"] == "reference"
    reason = GONE if gone else HELD_AGAINST if is_reference else NO_NUMBER
    return {"confidence": terms.confidence, "status": "undefined", "reason": reason}


def _quarantine(judged: Judged) -> BoardRow:
    """The widest scope that is quarantined: that of the board takes the decision with it."""
    found = judged.quarantined
    scope = next((one for one in ("board", "decision") if one in found), None)
    return {
        "quarantined": scope is not None,
        "quarantine_scope": scope,
        "quarantine_reason": found[scope] if scope else None,
    }


def _worst(endpoint: BoardEndpoint, values: Iterable[Headline]) -> BoardRow:
    """The slice with the worst value; none where no slice has one, or nothing is worse."""
    better = endpoint.higher_is_better
    known = [one for one in values if one.slice != WHOLE and one.value is not None]
    if not known or better is None:
        return {}
    sign = 1.0 if better else -1.0
    worst = min(known, key=lambda one: (sign * (one.value or 0.0), one.slice))
    return {
        "worst_slice": worst.slice,
        "worst_value": worst.value,
        "worst_low": worst.row["ci_low"],
        "worst_high": worst.row["ci_high"],
    }


def _unjudged(tables: BoardTables) -> dict[str, dict[str, float | None]]:
    """Which shares of a checkpoint's draws nobody judged, means over items."""
    found: dict[str, dict[str, float | None]] = {}
    for row in tables.estimates:
        headline = (row["slice"], row["policy"]) == (WHOLE, "primary")
        if headline and row["metric"] in UNJUDGED:
            found.setdefault(row["checkpoint"], {})[UNJUDGED[row["metric"]]] = row["value"]
    return found


def _rejected(files: Iterable[IngestFilesRow]) -> dict[str, float]:
    """Which share of the rows of a checkpoint's files was refused."""
    read: Counter[str] = Counter()
    refused: Counter[str] = Counter()
    for file in files:
        read[file["checkpoint"]] += file["lines"]
        refused[file["checkpoint"]] += file["rejected"]
    return {name: refused[name] / lines for name, lines in read.items() if lines}


def _weights(tables: BoardTables) -> dict[str, str]:
    return {
        row["checkpoint"]: row["value"]
        for row in tables.manifest
        if row["field"] == "weights_digest" and row["value"]
    }


def _of_reference(
    entries: Sequence[Entry],
    decision: DecisionsRow | None,
    gone: Collection[str],
    terms: BoardTerms,
) -> list[str]:
    """What is said where the reference is gone, or may be another than it was."""
    if decision is None:
        return []
    itself = decision["outcome"] == "reference"
    reference = decision["checkpoint"] if itself else decision["reference"]
    order = [entry.checkpoint for entry in entries]
    if reference is None:
        return []
    if reference in gone or reference not in order:
        return [f"its reference {reference} is gone from disk"]
    earlier = [name for name in order[: order.index(reference)] if name in gone]
    if not (terms.follows and earlier):
        return []
    older = f"{', '.join(earlier)}, older than {'it' if itself else f'its reference {reference}'}"
    return [f"{older} and gone from disk, may have been the reference before"]


def _quantity(endpoint: BoardEndpoint, whole: Iterable[Headline]) -> str:
    against = ", ".join(sorted({one.reference for one in whole if one.reference}))
    if endpoint.table in ESTIMATES or not against:
        return endpoint.label
    if endpoint.table == "paired_comparisons":
        return f"{endpoint.label} minus one half, against {against}"
    return f"{endpoint.label} against {against}"


def _terms(terms: BoardTerms, judged: Judged, values: Sequence[Headline]) -> str:
    """Estimator, unit of analysis and instrument: what every number is to be read with."""
    unit = f"clustered by {terms.clustered_by}"
    level = f"{terms.confidence:.0%} intervals"
    if terms.sequential:
        level += " that hold at any look"
    if terms.endpoint.table not in ESTIMATES:
        return f"mean of {judged.words}, {ORDER_WORDS[terms.orders]}; {level}, {unit}"
    if not values:
        return f"{level}, {unit}"
    first = values[0]
    made = f"averaged {first.aggregation}; {level}, {unit}; {first.instrument}"
    if terms.endpoint.made_from == "scores":
        return f"mean of {judged.words}, {made}, {first.row['measured_in']}"
    if terms.recorded_by:
        return f"{made}, of verdicts recorded by {terms.recorded_by}, not judged here"
    return made
