"""Entries in memory searched by both engines, for tests that have no index on disk."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from eval_pipeline.contamination.corpus.batch import DocumentBatch, UnreadLines
from eval_pipeline.contamination.corpus.reading import batches
from eval_pipeline.contamination.index.companions import companions_of
from eval_pipeline.contamination.index.entries import FieldEntry, ngrams
from eval_pipeline.contamination.index.packed import PackedFields, packed
from eval_pipeline.contamination.search.by_kernel import KernelSearch
from eval_pipeline.contamination.search.canary import CanaryScanner
from eval_pipeline.contamination.search.hits import ReferenceSearch, Row
from eval_pipeline.contamination.search.shard import scanned
from eval_pipeline.contamination.text.normalise import CODE, TEXT


def shard_by_reference(
    corpus: str,
    shard: Path,
    entries: Sequence[FieldEntry],
    unread: UnreadLines,
    canaries: Mapping[str, str] | None = None,
) -> list[Row]:
    """The rows of `contamination_hits` of one shard."""
    search = ReferenceSearch(entries)
    rows, _, _ = scanned(batches(shard, unread), search, CanaryScanner(canaries or {}))
    return [{"corpus": corpus, "shard": shard.name, **row} for row in rows]


def by_reference(entries: Sequence[FieldEntry], documents: Sequence[str]) -> list[Row]:
    return rows_of(ReferenceSearch(entries), documents)


def by_kernel(entries: Sequence[FieldEntry], documents: Sequence[str]) -> list[Row]:
    chosen = []
    for normaliser in (TEXT, CODE):
        if own := [e for e in entries if e.field.normaliser is normaliser]:
            grams = [ngrams(e.words, e.n) if e.words else [] for e in own]
            masked = [
                np.array([gram in e.masked for gram in of], np.bool_)
                for e, of in zip(own, grams, strict=True)
            ]
            weights = [
                np.array([e.weights.get(gram, 1) for gram in of], np.int64)
                for e, of in zip(own, grams, strict=True)
            ]
            fields = [e.field for e in own]
            chosen.append(PackedFields(fields, packed(fields, masked, weights)))
    return rows_of(KernelSearch(chosen, companions_of(entries)), documents)


def rows_of(search: Any, documents: Sequence[str]) -> list[Row]:
    batch = DocumentBatch(np.arange(len(documents)), pa.array(documents, pa.large_string()))
    rows, _, _ = scanned([batch], search, CanaryScanner({}))
    return rows
