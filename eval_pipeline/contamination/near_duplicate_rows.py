"""Rows of `near_duplicates`: inside the benchmark, with its other versions, with the corpora."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any

from eval_pipeline.contamination.fields import Field
from eval_pipeline.contamination.near_duplicates import ALIKE, DUPLICATE, Lookup, near_duplicates

WHOLE = "item"  # all searched fields of an item, one below the other
NEAREST = 5  # rows an item, field and place of search: the likest
BATCH = 1024  # documents sketched at once
EXCERPT = 400  # characters

Row = dict[str, Any]
Document = tuple[str, str]  # name in its source, text


def compared_fields(fields: Sequence[Field]) -> dict[str, list[Field]]:
    """What is compared, by name: each field but bare answers, and the items as a whole.

    The whole is compared where it is more than one field; answers alone are alike everywhere.
    """
    found: dict[str, list[Field]] = {}
    for field in fields:
        if field.text is not None and field.kind != "answer":
            found.setdefault(field.name, []).append(field)
    if len({field.name for field in fields}) > 1:
        by_item = groupby(sorted(fields, key=lambda f: f.item_id), key=lambda f: f.item_id)
        for item, group in by_item:
            # the question first, as texts have it; others by name
            parts = sorted(group, key=lambda f: (f.name != "question", f.name))
            texts = [part.text for part in parts if part.text is not None]
            if len(texts) > 1:
                found.setdefault(WHOLE, []).append(Field(item, WHOLE, "\n".join(texts)))
    return found


def rows_within(
    fields: Sequence[Field], benchmark: str, clusters: Mapping[str, str]
) -> tuple[list[Row], int]:
    """Pairs of items of the benchmark for one field, and how many were left out.

    clusters: the sampling unit of each item. Items of two units that nearly are one are not
    independent, and the row says so.
    """
    texts = [field.text or "" for field in fields]
    pairs = near_duplicates(texts, ALIKE)
    same = near_duplicates(texts, DUPLICATE).clusters(len(texts))
    rows = []
    for i, j, estimate, jaccard, bands in _columns(pairs):
        one, other = fields[i], fields[j]
        row = _row("benchmark", one, benchmark, other.item_id, other.text or "", jaccard)
        row |= {"estimate": estimate, "bands": bands}
        if jaccard >= DUPLICATE:
            row["cluster"] = fields[same[i]].item_id
        if clusters[one.item_id] != clusters[other.item_id]:
            row["reason"] = "their clusters differ: intervals take them to be independent"
        rows.append(row)
    return _nearest(rows)


def rows_between(
    fields: Sequence[Field], relation: str, source: str, documents: Iterable[Document]
) -> tuple[list[Row], int]:
    """Pairs of an item and a text of another source for one field, and how many were left out."""
    lookup = Lookup([field.text or "" for field in fields])
    rows: list[Row] = []
    cut = 0
    for batch in _batches(documents):
        pairs = lookup.find([text for _, text in batch])
        for i, j, estimate, jaccard, bands in _columns(pairs):
            name, text = batch[j]
            row = _row(relation, fields[i], source, name, text, jaccard)
            rows.append(row | {"estimate": estimate, "bands": bands})
        rows, left_out = _nearest(rows)
        cut += left_out
    return rows, cut


def _columns(pairs: Any) -> Iterator[tuple[int, int, float, float, int]]:
    columns = (pairs.left, pairs.right, pairs.estimate, pairs.jaccard, pairs.bands)
    return zip(*(column.tolist() for column in columns), strict=True)


def _row(relation: str, field: Field, source: str, other: str, text: str, jaccard: float) -> Row:
    return {
        "relation": relation,
        "item_id": field.item_id,
        "field": field.name,
        "source": source,
        "other": other,
        "jaccard": jaccard,
        "excerpt_item": _start(field.text or ""),
        "excerpt_other": _start(text),
        "status": "duplicate" if jaccard >= DUPLICATE else "alike",
    }


def _nearest(rows: list[Row]) -> tuple[list[Row], int]:
    """The likest `NEAREST` of each item, and how many others there were."""
    kept: list[Row] = []
    by_item = sorted(rows, key=lambda r: (r["item_id"], -r["jaccard"], r["other"]))
    for _, group in groupby(by_item, key=lambda r: r["item_id"]):
        kept += list(group)[:NEAREST]
    return kept, len(rows) - len(kept)


def _start(text: str) -> str:
    """The first characters of a text; what cannot be UTF-8 becomes `?`."""
    part = text[:EXCERPT].encode("utf-8", "replace").decode()
    return part + ("…" if len(text) > EXCERPT else "")


def _batches(documents: Iterable[Document]) -> Iterator[list[Document]]:
    batch: list[Document] = []
    for document in documents:
        batch.append(document)
        if len(batch) == BATCH:
            yield batch
            batch = []
    if batch:
        yield batch
