"""The samples of one checkpoint as arrays, tied to the items of the benchmark."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise
from typing import Any, Literal

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from eval_pipeline.metrics.columns import OF_ITEMS, Columns, ReadVectors, aligned
from eval_pipeline.statistics.clusters import cluster_codes

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]
Labels = NDArray[Any]

Policy = Literal["primary", "all_wrong", "valid_only"]
POLICIES: tuple[Policy, ...] = ("primary", "all_wrong", "valid_only")

ITEM_COLUMNS = ("item_id", "cluster_id", "slices")
SAMPLE_COLUMNS = ("item_id", "draw", "status", "extracted", "score")


@dataclass(frozen=True)
class Items:
    """The benchmark's items, sorted by name.

    ids: shape (items,); clusters: number of each item's cluster, shape (items,); slices: name ->
    value of each item, shape (items,), None where the item has none.
    """

    ids: Labels
    clusters: Ints
    slices: Mapping[str, Labels]

    def __len__(self) -> int:
        return len(self.ids)

    @classmethod
    def from_table(cls, items: pa.Table) -> "Items":
        """From the columns `ITEM_COLUMNS` of the table `items`.

        Raises ValueError where an item stands twice or has no cluster.
        """
        rows = sorted(
            zip(
                items["item_id"].to_pylist(),
                items["cluster_id"].to_pylist(),
                items["slices"].to_pylist(),
                strict=True,
            ),
            key=lambda row: str(row[0]),
        )
        ids = [row[0] for row in rows]
        if twice := [a for a, b in pairwise(ids) if a == b]:
            raise ValueError(f"item {twice[0]!r} stands twice in items ({len(twice)} such items)")
        clusters, _ = cluster_codes(np.array([row[1] for row in rows], dtype=object))
        labels = [dict(row[2] or ()) for row in rows]
        names = sorted({name for label in labels for name in label})
        slices = {
            name: np.array([label.get(name) for label in labels], dtype=object) for name in names
        }
        return cls(np.array(ids, dtype=object), clusters, slices)

    def groups(self, name: str) -> Labels:
        """Each item's group for a macro mean; raises ValueError where an item has none."""
        values = self.slices.get(name)
        if values is None:
            raise ValueError(f"no item has a slice {name!r}: add the key to the items")
        if lacking := [i for i, value in enumerate(values) if value is None]:
            raise ValueError(
                f"item {self.ids[lacking[0]]!r} has no {name!r} ({len(lacking)} such items): "
                "a macro mean needs a group for each item"
            )
        return values


@dataclass(frozen=True)
class Samples:
    """The recorded samples of one checkpoint, sorted by item and draw.

    item: place in `Items`, shape (samples,); draw: its number; status: after verification; score:
    under the contract's failure policy, NaN = excluded; answer: number of the extracted text, -1 =
    none. columns: what metrics read beyond these, where it was asked for.
    """

    item: Ints
    draw: Ints
    status: Labels
    score: Floats
    answer: Ints
    columns: Columns | None = None

    @classmethod
    def from_table(cls, scores: pa.Table, items: Items) -> "Samples":
        """From the columns `SAMPLE_COLUMNS` of one checkpoint's `verifier_scores`.

        Raises ValueError for a sample of an unknown item, a draw that stands twice, and a score
        outside [0, 1].
        """
        names = scores["item_id"].to_numpy(zero_copy_only=False)
        place = {item: i for i, item in enumerate(items.ids)}
        if strange := sorted({str(n) for n in names if n not in place}):
            raise ValueError(
                f"verifier_scores hold item {strange[0]!r}, which items lack "
                f"({len(strange)} such items)"
            )
        item = np.fromiter((place[n] for n in names), dtype=np.int64, count=len(names))
        draw = scores["draw"].to_numpy(zero_copy_only=False).astype(np.int64)
        order = np.lexsort((draw, item))
        item, draw = item[order], draw[order]
        if (twice := np.flatnonzero((np.diff(item) == 0) & (np.diff(draw) == 0))).size:
            i = twice[0]
            raise ValueError(f"item {items.ids[item[i]]!r}: draw {draw[i]} stands twice")
        score = scores["score"].to_numpy(zero_copy_only=False).astype(np.float64)[order]
        if (bad := np.flatnonzero((score < 0) | (score > 1))).size:
            i = bad[0]
            raise ValueError(
                f"item {items.ids[item[i]]!r}, draw {draw[i]}: score {score[i]} is outside [0, 1]"
            )
        status = scores["status"].to_numpy(zero_copy_only=False)[order]
        return cls(item, draw, status, score, _codes(scores["extracted"])[order])

    def with_tables(
        self,
        items: Items,
        tables: Mapping[str, pa.Table],
        clustered_by: str = "item_id",
        vectors: ReadVectors | None = None,
    ) -> "Samples":
        """The samples with further columns, from tables of the same items and samples.

        vectors: reads the files of features that rows name.
        Raises ValueError where a table has other items or samples.
        """
        rows = {}
        for name, table in tables.items():
            if name in OF_ITEMS:
                rows[name] = table.sort_by("item_id")
                if rows[name]["item_id"].to_pylist() != items.ids.tolist():
                    raise ValueError(f"the table {name} holds other items than the benchmark")
            else:
                rows[name] = aligned(table, items.ids, self.item, self.draw, name)
        columns = Columns(items.ids, self.item, self.draw, rows, clustered_by, vectors)
        return replace(self, columns=columns)

    def further(self) -> Columns:
        """The further columns; without any where none were given, so that all of them lack."""
        if self.columns is not None:
            return self.columns
        return Columns(np.arange(self.item.max(initial=-1) + 1), self.item, self.draw, {})

    @cached_property
    def failed(self) -> Bools:
        """Which samples have another status than ok, shape (samples,)."""
        return np.asarray(self.status != "ok", dtype=bool)

    def under(self, policy: Policy) -> Floats:
        """The scores that a failure policy makes; NaN = excluded, shape (samples,).

        `primary` is the contract's; `all_wrong` counts each failed sample as wrong; `valid_only`
        leaves each out.
        """
        if policy == "primary":
            return self.score
        return np.where(self.failed, 0.0 if policy == "all_wrong" else np.nan, self.score)


def _codes(extracted: pa.ChunkedArray) -> Ints:
    codes = extracted.combine_chunks().dictionary_encode()
    if isinstance(codes, pa.ChunkedArray):
        codes = codes.combine_chunks()
    indices = codes.indices.fill_null(-1).to_numpy(zero_copy_only=False)
    return np.asarray(indices, dtype=np.int64)
