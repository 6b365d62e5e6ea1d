"""Human labels on pairs of replies."""

from collections.abc import Mapping
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


@dataclass(frozen=True)
class AnnotationsRead:
    """What a file of labels holds: labels + rejects = lines, blank ones left out."""

    annotations: pa.Table
    rejected_annotations: pa.Table
    file: FileRead


def read_annotations(
    path: Path, name: str, annotation_set: str, clusters: Mapping[str, str]
) -> AnnotationsRead:
    """Reads one set of labels; a label is final, so a rater's second one on a pair is rejected.

    name: the file's path below the data root. clusters: each item's cluster.
    Raises ValueError that names the file where it is damaged.
    """
    labels = TableBuilder(TABLES["annotations"])
    rejects = Rejects(TABLES["rejected_annotations"])
    seen: set[tuple[Any, ...]] = set()
    reader = LineReader(path)
    for batch in read_batches(reader):
        for i, row in enumerate(batch.objects):
            line, byte_offset = batch.lines.place(i)
            try:
                if i in batch.faults:
                    raise batch.faults[i]
                item_id, *label, expected = _label(row, clusters)
                key = (item_id, *label[:3])
                if key in seen:
                    raise RowFault("duplicate", "this rater's label on the pair was read before")
            except RowFault as fault:
                rejects.add(name, line, byte_offset, fault, batch.lines.contents[i])
            else:
                seen.add(key)
                place = (annotation_set, item_id, clusters[item_id])
                labels.add_row((*place, *label, name, line, expected))
    return AnnotationsRead(labels.finish(), rejects.finish(), reader.file_read(name))


def _label(
    row: Object, clusters: Mapping[str, str]
) -> tuple[str, str, str, str, str, bool, str | None]:
    """Item, model_a, model_b, rater, label, honeypot, and the right label of a honeypot."""
    if "model_a" not in row and "checkpoint" in row:
        raise RowFault("not_pairwise", "a label on a single reply: only pairs are read so far")
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
