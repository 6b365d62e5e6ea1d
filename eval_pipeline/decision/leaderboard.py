"""The leaderboard: rows of `leaderboard`, composed from the tables of a contract version.

Nothing is computed anew here: what stands in the tables is put side by side, one row a checkpoint,
with the words that a person needs to read it.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from eval_pipeline.decision.headline import ESTIMATES, WHOLE, Endpoint, Headline, headlines
from eval_pipeline.decision.lineup import Entry, lineup
from eval_pipeline.decision.remarks import drops, leak_note
from eval_pipeline.decision.twins import twins

Row = Mapping[str, Any]
Tables = Mapping[str, Sequence[Row]]

UNJUDGED = {"parser_failure_rate": "parser_failure", "undecided_rate": "undecided"}
HELD_AGAINST = "the others are held against it"
GONE = "gone from disk: its earlier numbers stay in the history"
NO_NUMBER = "there is no number of it"


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

    recorded_by: who graded, where the verdicts were taken from the rows. follows: whether the
    reference is whoever was accepted last, and not named by the contract.
    """

    endpoint: Endpoint
    clustered_by: str
    confidence: float
    n_items: int
    draft: bool
    sequential: bool = False
    one_order: bool = False
    recorded_by: str | None = None
    follows: bool = True


def board_rows(
    terms: BoardTerms,
    tables: Tables,
    judged: Judged,
    replies: Mapping[str, str],
    gone: Collection[str] = (),
) -> list[dict[str, Any]]:
    """A row for each checkpoint of `run_manifest`, best value first.

    tables: rows by table; one that the contract lacks is empty. replies: checkpoint -> a digest of
    all that it answered. gone: checkpoints that are no longer complete on disk.
    """
    endpoint = terms.endpoint
    entries = lineup(tables["run_manifest"])
    values = headlines(endpoint, tables.get(endpoint.table, ()))
    whole = {one.checkpoint: one for one in values if one.slice == WHOLE}
    decided = {row["checkpoint"]: row for row in tables.get("decisions", ())}
    words = _terms(terms, judged, [one.row for one in whole.values()])
    quantity = _quantity(endpoint, whole.values())
    unjudged = _unjudged(tables) if endpoint.table == "metric_estimates" else {}
    pairs = twins(_weights(tables), replies)
    rows: list[dict[str, Any]] = []
    for entry in _best_first(entries, whole, endpoint):
        name = entry.checkpoint
        decision = decided.get(name, {})
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
            "outcome": decision.get("outcome"),
            "reason_code": decision.get("reason_code"),
            "decision_reason": decision.get("reason"),
            **_worst(endpoint, [one for one in values if one.checkpoint == name]),
            **unjudged.get(name, {}),
            "leak_note": leak_note(name, endpoint, tables.get("contamination_delta", ())),
            "twins": sorted(pairs.get(name, {})),
            "gone": name in gone,
        }
        kept["remarks"] = [
            *drops(name, endpoint, tables.get("paired_comparisons", ())),
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
    entries: Iterable[Entry], whole: Mapping[str, Headline], endpoint: Endpoint
) -> list[Entry]:
    sign = 1.0 if endpoint.higher_is_better is False else -1.0

    def order(entry: Entry) -> tuple[bool, float, str]:
        found = whole.get(entry.checkpoint)
        value = found.row["value"] if found else None
        return value is None, sign * (value or 0.0), entry.checkpoint

    return sorted(entries, key=order)


def _value(found: Headline | None, decision: Row, gone: bool, terms: BoardTerms) -> dict[str, Any]:
    """The columns of the value; where there is none, why."""
    if found is not None:
        kept = {name: value for name, value in found.row.items() if name not in _IN_WORDS}
        return {**kept, "reference": found.reference}
    is_reference = decision.get("outcome") == "reference"
    reason = GONE if gone else HELD_AGAINST if is_reference else NO_NUMBER
    return {"confidence": terms.confidence, "status": "undefined", "reason": reason}


_IN_WORDS = ("unit", "aggregation", "instrument")  # the sentence of terms has them


def _quarantine(judged: Judged) -> dict[str, Any]:
    """The widest scope that is quarantined: that of the board takes the decision with it."""
    found = judged.quarantined
    scope = next((one for one in ("board", "decision") if one in found), None)
    return {
        "quarantined": scope is not None,
        "quarantine_scope": scope,
        "quarantine_reason": found[scope] if scope else None,
    }


def _worst(endpoint: Endpoint, values: Iterable[Headline]) -> dict[str, Any]:
    """The slice with the worst value; none where no slice has one, or nothing is worse."""
    better = endpoint.higher_is_better
    known = [one for one in values if one.slice != WHOLE and one.row["value"] is not None]
    if not known or better is None:
        return {}
    sign = 1.0 if better else -1.0
    worst = min(known, key=lambda one: (sign * one.row["value"], one.slice))
    return {
        "worst_slice": worst.slice,
        "worst_value": worst.row["value"],
        "worst_low": worst.row["ci_low"],
        "worst_high": worst.row["ci_high"],
    }


def _unjudged(tables: Tables) -> dict[str, dict[str, float]]:
    """Which shares of a checkpoint's draws nobody judged, means over items."""
    found: dict[str, dict[str, float]] = {}
    for row in tables.get("metric_estimates", ()):
        headline = (row["slice"], row["policy"]) == (WHOLE, "primary")
        if headline and row["metric"] in UNJUDGED:
            found.setdefault(row["checkpoint"], {})[UNJUDGED[row["metric"]]] = row["value"]
    return found


def _weights(tables: Tables) -> dict[str, str]:
    return {
        row["checkpoint"]: row["value"]
        for row in tables["run_manifest"]
        if row["field"] == "weights_digest" and row["value"]
    }


def _of_reference(
    entries: Sequence[Entry], decision: Row, gone: Collection[str], terms: BoardTerms
) -> list[str]:
    """What is said where the reference is gone, or may be another than it was."""
    if not decision:
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


def _quantity(endpoint: Endpoint, whole: Iterable[Headline]) -> str:
    against = ", ".join(sorted({one.reference for one in whole if one.reference}))
    if endpoint.table in ESTIMATES or not against:
        return endpoint.label
    if endpoint.table == "paired_comparisons":
        return f"{endpoint.label} minus one half, against {against}"
    return f"{endpoint.label} against {against}"


def _terms(terms: BoardTerms, judged: Judged, rows: Sequence[Row]) -> str:
    """Estimator, unit of analysis and instrument: what every number is to be read with."""
    unit = f"clustered by {terms.clustered_by}"
    level = f"{terms.confidence:.0%} intervals"
    if terms.sequential:
        level += " that hold at any look"
    if terms.endpoint.table not in ESTIMATES:
        orders = "one seating order of each pair" if terms.one_order else "both seating orders"
        return f"mean of {judged.words}, {orders}; {level}, {unit}"
    if not rows:
        return f"{level}, {unit}"
    first = rows[0]
    made = f"averaged {first['aggregation']}; {level}, {unit}; {first['instrument']}"
    if terms.endpoint.made_from == "scores":
        return f"mean of {judged.words}, {made}, {first['measured_in']}"
    if terms.recorded_by:
        return f"{made}, of verdicts recorded by {terms.recorded_by}, not judged here"
    return made
