"""Human labels on pairs of replies, and people's scores of single ones.

A row with `checkpoint` in place of the two models scores that one reply: by criterion under
`scores`, or as a whole under `score`.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa

from eval_pipeline.ingest.forms import Flag, Form, Text, taken
from eval_pipeline.ingest.lines import LineReader
from eval_pipeline.ingest.objects import Object, read_batches
from eval_pipeline.ingest.pairs import pair_of
from eval_pipeline.ingest.rejects import Rejects, RowFault
from eval_pipeline.ingest.table_builder import TableBuilder
from eval_pipeline.layout import FileRead
from eval_pipeline.warehouse.schemas import TABLES

FORMS: dict[str, Form] = {
    "item_id": Text(required=True),
    "model_a": Text(required=True),
    "model_b": Text(required=True),
    "rater": Text(required=True),
    "label": Text(required=True),
    "honeypot": Flag(),
    "expected": Text(),
}
WHOLE = "all"  # the criterion that a single score is about
SCORE_FORMS: dict[str, Form] = {
    "item_id": Text(required=True),
    "checkpoint": Text(required=True),
    "rater": Text(required=True),
}

# The scores of a reply by criterion, the whole among them, from those that a person gave.
# Raises ValueError for what is no score by the rubric.
Scored = Callable[[Mapping[str, object]], Mapping[str, float]]


@dataclass(frozen=True)
class AnnotationsRead:
    """What a file of labels holds: labels + scored replies + rejects = lines, blank ones not.

    annotation_scores: several rows a scored reply, one a criterion.
    """

    annotations: pa.Table
    annotation_scores: pa.Table
    rejected_annotations: pa.Table
    file: FileRead


def read_annotations(
    path: Path,
    name: str,
    annotation_set: str,
    clusters: Mapping[str, str],
    scored: Scored | None = None,
) -> AnnotationsRead:
    """Reads one set of labels; a label is final, so a rater's second one on a pair is rejected.

    name: the file's path below the data root. clusters: each item's cluster. scored: reads scores
    by the contract's rubric; None where no judge of the contract scores single replies.
    Raises ValueError that names the file where it is damaged.
    """
    labels = TableBuilder(TABLES["annotations"])
    scores = TableBuilder(TABLES["annotation_scores"])
    rejects = Rejects(TABLES["rejected_annotations"])
    seen: set[tuple[Any, ...]] = set()
    reader = LineReader(path)
    for batch in read_batches(reader):
        for i, row in enumerate(batch.objects):
            line, byte_offset = batch.lines.place(i)
            try:
                if i in batch.faults:
                    raise batch.faults[i]
                if "model_a" not in row and "checkpoint" in row:
                    key: tuple[Any, ...]
                    key, given = _scores(row, clusters, scored)
                else:
                    item_id, *label, expected = _label(row, clusters)
                    key, given = (item_id, *label[:3]), None
                if key in seen:
                    raise RowFault("duplicate", "this rater's word on it was read before")
            except RowFault as fault:
                rejects.add(name, line, byte_offset, fault, batch.lines.contents[i])
                continue
            seen.add(key)
            place = (annotation_set, key[0], clusters[key[0]])
            if given is None:
                labels.add_row((*place, *label, name, line, expected))
            for criterion, score in (given or {}).items():
                scores.add_row((*place, *key[1:], criterion, score, name, line))
    return AnnotationsRead(
        labels.finish(), scores.finish(), rejects.finish(), reader.file_read(name)
    )


def _scores(
    row: Object, clusters: Mapping[str, str], scored: Scored | None
) -> tuple[tuple[str, str, str], Mapping[str, float]]:
    """Item, checkpoint and rater; the score of each criterion and of the whole."""
    if scored is None:
        raise RowFault("not_pairwise", "no judge of the contract scores single replies")
    said = taken(row, SCORE_FORMS)
    if said["item_id"] not in clusters:
        raise RowFault("unknown_item", f"the benchmark has no item {said['item_id']!r:.80}")
    if ("score" in row) == ("scores" in row):
        raise RowFault("missing_key", "give either score, of the whole, or scores, by criterion")
    given = row.get("scores", {WHOLE: row.get("score")})
    if not isinstance(given, dict):
        raise RowFault("wrong_type", f"scores must be an object, got {given!r:.80}")
    try:
        return (said["item_id"], said["checkpoint"], said["rater"]), scored(given)
    except KeyError as error:
        raise RowFault("unknown_criterion", str(error.args[0])) from None
    except ValueError as error:
        raise RowFault("out_of_range", str(error)) from None


def _label(
    row: Object, clusters: Mapping[str, str]
) -> tuple[str, str, str, str, str, bool, str | None]:
    """Item, model_a, model_b, rater, label, honeypot, and the right label of a honeypot."""
    said = taken(row, FORMS)
    item_id = said["item_id"]
    if item_id not in clusters:
        raise RowFault("unknown_item", f"the benchmark has no item {item_id!r:.80}")
    pair = pair_of(said["model_a"], said["model_b"])
    label = pair.verdict(said["label"])
    if label is None:
        raise RowFault("unknown_label", f"label {said['label']!r:.80} is neither model nor tie")
    honeypot, expected = bool(said["honeypot"]), None
    if said["expected"] is not None:
        if not honeypot:
            raise RowFault("contradictory", "expected stands on a pair that is no honeypot")
        expected = pair.verdict(said["expected"])
        if expected is None:
            raise RowFault("unknown_label", f"expected {said['expected']!r:.80} is no label")
    return item_id, pair.model_a, pair.model_b, said["rater"], label, honeypot, expected
