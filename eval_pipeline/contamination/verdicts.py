"""From evidence to verdicts: one row a field of an item, and one status an item."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from eval_pipeline.contamination.canary import FIELD
from eval_pipeline.contamination.fields import kind_of
from eval_pipeline.contamination.ngram import Entry
from eval_pipeline.contamination.rule import FLAGGED, RULE, Evidence, judged, verdict

Row = Mapping[str, Any]

SEVERITY = (
    "contaminated",
    "short_exact",
    "review",
    "source_overlap",
    "low_information",
    "clean",
    "untestable",
)


def item_rows(entries: Sequence[Entry], hits: Iterable[Row], n_corpora: int) -> list[Row]:
    """Rows of `contamination_items` from those of `contamination_hits`, sorted by item and field.

    A canary that was found is a row of its own, field `canary`, of its item or of `*`.
    """
    found: dict[tuple[str, str], list[Evidence]] = {}
    for hit in hits:
        found.setdefault((hit["item_id"], hit["field"]), []).append(_evidence(hit))
    rows = [_row(entry, found, n_corpora) for entry in entries]
    rows += [
        {
            "item_id": item,
            "field": field,
            "status": "contaminated",
            "max_ratio": 1.0,
            "max_span": 1,
            "n_documents": len(evidence),
            "rule": RULE,
            "reason": "a canary of the benchmark stands in the corpus",
        }
        for (item, field), evidence in found.items()
        if field == FIELD
    ]
    return sorted(rows, key=lambda row: (row["item_id"], row["field"]))


def flagged_documents(hits: Iterable[Row]) -> set[tuple[str, str, int]]:
    """(corpus, shard, document) of every hit that alone would flag its field."""
    return {
        (hit["corpus"], hit["shard"], hit["document"])
        for hit in hits
        if judged(_evidence(hit), kind_of(hit["field"])) in FLAGGED
    }


def item_status(statuses: Iterable[str]) -> str:
    """The status of an item, given those of its fields: the gravest one.

    A field that cannot be tested does not spoil an item that another field shows to be clean.
    Raises ValueError for no statuses.
    """
    return min(statuses, key=SEVERITY.index)


def _evidence(hit: Row) -> Evidence:
    return Evidence(
        hit["match_type"], hit["hits"], hit["ratio"], hit["window_ratio"], hit["longest_span"]
    )


def _row(entry: Entry, found: Mapping[tuple[str, str], list[Evidence]], n_corpora: int) -> Row:
    key = (entry.field.item_id, entry.field.name)
    said = verdict(entry, found.get(key, ()), n_corpora)
    return {
        "item_id": key[0],
        "field": key[1],
        "status": said.status,
        "max_ratio": said.max_ratio,
        "max_span": said.max_span,
        "n_documents": said.n_documents,
        "rule": RULE,
        "reason": said.reason,
    }
