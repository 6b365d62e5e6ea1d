"""Rows of `near_duplicates`: inside the benchmark, with its other versions, with the corpora."""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from pathlib import Path
from types import MappingProxyType
from typing import Any, NotRequired, TypedDict

import pyarrow as pa

from eval_pipeline.contamination.arrays import Hashes
from eval_pipeline.contamination.corpus.batch import BATCH_BYTES, UnreadLines
from eval_pipeline.contamination.corpus.parquet_texts import Groups
from eval_pipeline.contamination.corpus.reading import batches
from eval_pipeline.contamination.index.entries import FieldEntry
from eval_pipeline.contamination.index.groups import components
from eval_pipeline.contamination.instruments import DUPLICATE
from eval_pipeline.contamination.near_duplicates.pairs import (
    ALIKE,
    Documents,
    Lookup,
    Pairs,
    near_duplicates,
)
from eval_pipeline.contamination.near_duplicates.sketches import NOTHING, hashes_of
from eval_pipeline.contamination.text.excerpts import excerpt
from eval_pipeline.contamination.text.fields import Field
from eval_pipeline.contamination.text.normalise import TEXT

WHOLE = "item"  # all searched fields of an item, one below the other
NEAREST = 5  # rows an item, field and place of search: the likest
AT_ONCE = 1024  # texts of a version that are sketched at once

Compared = Mapping[str, Sequence[Field]]  # by name, as `compared_fields` gives them
Texts = tuple[Sequence[str], Any]  # names in their source, and an Arrow array of large strings
Hidden = Mapping[str, Hashes]  # shingles of the template, by name of field
NONE_HIDDEN: Hidden = MappingProxyType({})
LEFT_OUT = b"left out"  # metadata of a shard's table


class Alike(TypedDict):
    """How alike two texts are: by their sketches, by all shingles, and in how many bands."""

    estimate: float
    jaccard: float
    bands: int


class PairRow(Alike):
    """A row of `near_duplicates` in the making: what is known before its place."""

    item_id: str
    field: str
    other: str
    excerpt_item: str
    excerpt_other: str
    status: str
    cluster: NotRequired[str]
    reason: NotRequired[str]
    relation: NotRequired[str]
    source: NotRequired[str]


def compared_fields(fields: Sequence[Field]) -> dict[str, list[Field]]:
    """What is compared, by name: each field but bare answers, and the items as a whole.

    The whole is compared where it is more than one field; answers alone are alike everywhere.
    """
    fields = [field for field in fields if not field.is_passage]
    by_name: dict[str, list[Field]] = {}
    for field in fields:
        if field.text is not None and field.kind != "answer":
            by_name.setdefault(field.name, []).append(field)
    if len({field.name for field in fields}) > 1:
        by_item = groupby(sorted(fields, key=lambda f: f.item_id), key=lambda f: f.item_id)
        for item, group in by_item:
            # the question first, as texts have it; others by name
            parts = sorted(group, key=lambda f: (f.name != "question", f.name))
            texts = [part.text for part in parts if part.text is not None]
            if len(texts) > 1:
                by_name.setdefault(WHOLE, []).append(Field(item, WHOLE, "\n".join(texts)))
    return by_name


def hidden_shingles(entries: Sequence[FieldEntry], of_few: bool = True) -> dict[str, Hashes]:
    """The masked n-grams of each field of text, as shingles; of the whole item all of them.

    entries: the fields with the masks of the index. of_few: whether also those that only a few
    items share, which shows these items to be alike, but tells nothing of a document.
    """
    masked: dict[str, set[str]] = {}
    for entry in entries:
        if entry.masked and entry.field.normaliser is TEXT:
            for name in (entry.field.name, WHOLE):
                out = entry.masked if of_few else entry.masked - entry.shared
                masked.setdefault(name, set()).update(out)
    return {name: hashes_of(grams) for name, grams in masked.items()}


def rows_within(
    fields: Sequence[Field],
    benchmark: str,
    clusters: Mapping[str, str],
    hidden: Hashes = NOTHING,
) -> tuple[list[PairRow], int]:
    """Pairs of items of the benchmark for one field, and how many were left out.

    clusters: the sampling unit of each item. Items of two units that nearly are one are not
    independent, and the row says so. hidden: shingles of the benchmark's template.
    """
    pairs = near_duplicates([field.text or "" for field in fields], ALIKE, hidden=hidden)
    same = pairs.jaccard >= DUPLICATE
    firsts = components(len(fields), pairs.left[same].tolist(), pairs.right[same].tolist())
    rows = []
    for i, j, likeness in _columns(pairs):
        item, other = fields[i], fields[j]
        row = _row(item, other.item_id, other.text or "", likeness)
        if likeness["jaccard"] >= DUPLICATE:
            row["cluster"] = fields[firsts[i]].item_id
        if clusters[item.item_id] != clusters[other.item_id]:
            row["reason"] = "their clusters differ: intervals take them to be independent"
        rows.append(row)
    rows, left_out = nearest(rows)
    return placed(rows, "benchmark", benchmark), left_out


def rows_between(
    compared: Compared, texts: Iterable[Texts], hidden: Hidden = NONE_HIDDEN
) -> tuple[list[PairRow], int]:
    """Pairs of an item and a text of another source, without its name, and how many were left out.

    Each text is read and sketched once, for all fields. hidden: of each field, shingles of its
    template.
    """
    sought = {
        name: (fields, Lookup([f.text or "" for f in fields], ALIKE, hidden.get(name, NOTHING)))
        for name, fields in compared.items()
    }
    rows: list[PairRow] = []
    cut = 0
    for names, column in texts:
        documents = Documents.of(column)
        for fields, lookup in sought.values():
            for i, j, likeness in _columns(lookup.find(documents)):
                rows.append(_row(fields[i], names[j], column[j].as_py(), likeness))
        rows, left_out = nearest(rows)
        cut += left_out
    return rows, cut


def shard_rows(
    shard: Path,
    compared: Compared,
    batch_bytes: int = BATCH_BYTES,
    groups: Groups | None = None,
    hidden: Hidden = NONE_HIDDEN,
) -> pa.Table:
    """Pairs of an item and a document of a shard, by the number of the document.

    A function of the bytes of the shard, the fields and what is hidden; `left_out` says how many
    pairs are not among them. groups: the part of the shard that is read; `whole_shard` joins the
    parts. Raises ValueError where the shard cannot be read.
    """
    texts = (
        ([str(number) for number in batch.numbers.tolist()], batch.texts)
        for batch in batches(
            shard, UnreadLines(), batch_bytes, groups
        )  # the search counts the unread
    )
    return _shard_table(*rows_between(compared, texts, hidden))


def whole_shard(parts: Sequence[pa.Table]) -> pa.Table:
    """The pairs of a shard from those of its parts, in any order: as if it was read at once."""
    rows, more = nearest(row for part in parts for row in part.to_pylist())
    return _shard_table(rows, more + sum(map(left_out, parts)))


def _shard_table(rows: Sequence[PairRow], cut: int) -> pa.Table:
    return pa.Table.from_pylist(rows, _SHARD.with_metadata({LEFT_OUT: json.dumps(cut).encode()}))


def left_out(shard: pa.Table) -> int:
    """How many pairs `shard_rows` left out."""
    return int(json.loads(shard.schema.metadata[LEFT_OUT]))


def texts_of(fields: Sequence[Field]) -> Iterator[Texts]:
    """The texts of another version's items, by item."""
    for i in range(0, len(fields), AT_ONCE):
        some = fields[i : i + AT_ONCE]
        texts = [(field.text or "").encode("utf-8", "replace").decode() for field in some]
        yield [field.item_id for field in some], pa.array(texts, pa.large_string())


def placed(
    rows: Iterable[PairRow], relation: str, source: str, shard: str | None = None
) -> list[PairRow]:
    """The rows with the place of the other text; a document is named by its shard and number."""
    named: list[PairRow] = [{**row, "relation": relation, "source": source} for row in rows]
    if shard is not None:
        named = [{**row, "other": f"{shard}:{row['other']}"} for row in named]
    return named


def nearest(rows: Iterable[PairRow]) -> tuple[list[PairRow], int]:
    """The likest `NEAREST` of each item's field, and how many others there were."""
    kept: list[PairRow] = []
    count = 0
    ordered = sorted(rows, key=lambda r: (r["field"], r["item_id"], -r["jaccard"], r["other"]))
    for _, group in groupby(ordered, key=lambda r: (r["field"], r["item_id"])):
        of_item = list(group)
        count += len(of_item)
        kept += of_item[:NEAREST]
    return kept, count - len(kept)


_SHARD = pa.schema(
    [
        ("item_id", pa.string()),
        ("field", pa.string()),
        ("other", pa.string()),
        ("estimate", pa.float64()),
        ("jaccard", pa.float64()),
        ("bands", pa.int64()),
        ("excerpt_item", pa.string()),
        ("excerpt_other", pa.string()),
        ("status", pa.string()),
    ]
)


def _columns(pairs: Pairs) -> Iterator[tuple[int, int, Alike]]:
    """(left, right, what is said of their likeness) of each pair."""
    columns = (pairs.left, pairs.right, pairs.estimate, pairs.jaccard, pairs.bands)
    for i, j, estimate, jaccard, bands in zip(*(c.tolist() for c in columns), strict=True):
        yield i, j, {"estimate": estimate, "jaccard": jaccard, "bands": bands}


def _row(field: Field, other: str, text: str, likeness: Alike) -> PairRow:
    return {
        "item_id": field.item_id,
        "field": field.name,
        "other": other,
        "estimate": likeness["estimate"],
        "jaccard": likeness["jaccard"],
        "bands": likeness["bands"],
        "excerpt_item": _start_of(field.text or ""),
        "excerpt_other": _start_of(text),
        "status": "duplicate" if likeness["jaccard"] >= DUPLICATE else "alike",
    }


def _start_of(text: str) -> str:
    return excerpt(text, 0, len(text))
