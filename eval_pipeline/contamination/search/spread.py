"""How common the n-grams of a benchmark are in a sample of the corpora."""

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import groupby
from pathlib import Path
from typing import Any

from eval_pipeline.contamination.corpus.batch import DocumentBatch, UnreadLines
from eval_pipeline.contamination.corpus.reading import batches
from eval_pipeline.contamination.index.entries import N, entries_of, ngrams
from eval_pipeline.contamination.index.masks import Spread
from eval_pipeline.contamination.rule import MIN_HITS
from eval_pipeline.contamination.search.shard import Engine
from eval_pipeline.contamination.text.fields import Field
from eval_pipeline.contamination.text.normalise import Normaliser

SAMPLED_DOCUMENTS = 20_000  # the first of a shard
SAMPLE = "sample@2"  # version of what is counted, for the cache

Counts = Mapping[str, Mapping[str, int]]  # normaliser -> n-gram -> documents


def shard_counts(
    shard: Path, fields: Sequence[Field], engine: Engine = "kernel"
) -> tuple[int, Counts]:
    """Documents in the sample of a shard, and in how many each n-gram of the fields stands.

    Counted are the n-grams of fields that are long enough for shares to tell. Both engines give
    the same counts. Raises ValueError where the shard cannot be read.
    """
    sample = _first(shard)
    grouped = groupby(
        sorted(fields, key=lambda f: f.normaliser.name), key=lambda f: f.normaliser.name
    )
    counts: dict[str, Mapping[str, int]] = {}
    for name, of_kind in grouped:
        chosen = list(of_kind)
        count = _kernel_counts if engine == "kernel" else _reference_counts
        counts[name] = count(sample, chosen, chosen[0].normaliser)
    return sum(len(batch.numbers) for batch in sample), counts


def merged(shards: Sequence[tuple[int, Counts]]) -> Spread:
    """The spread over the samples of several shards."""
    totals: dict[tuple[str, str], tuple[int, int]] = {}
    for _, counts in shards:
        for name, of_kind in counts.items():
            for gram, documents in of_kind.items():
                before, n = totals.get((name, gram), (0, 0))
                totals[name, gram] = (before + documents, n + 1)
    return Spread(sum(documents for documents, _ in shards), len(shards), totals)


def _first(shard: Path) -> list[DocumentBatch]:
    sample: list[DocumentBatch] = []
    room = SAMPLED_DOCUMENTS
    for batch in batches(shard, UnreadLines()):
        sample.append(DocumentBatch(batch.numbers[:room], batch.texts[:room]))
        room -= len(sample[-1].numbers)
        if not room:
            break
    return sample


def _reference_counts(
    sample: Sequence[DocumentBatch], fields: Sequence[Field], normaliser: Normaliser
) -> dict[str, int]:
    entries = entries_of(fields)
    wanted = {gram for e in entries if len(e.positions) >= MIN_HITS for gram in e.positions}
    counts: Counter[str] = Counter()
    for batch in sample:
        for text in batch.texts.to_pylist():
            counts.update(wanted.intersection(ngrams(normaliser.words(text), N)))
    return dict(counts)


def _kernel_counts(
    sample: Sequence[DocumentBatch], fields: Sequence[Field], normaliser: Normaliser
) -> dict[str, int]:
    import numpy as np

    from eval_pipeline.contamination.index.packed import packed
    from eval_pipeline.contamination.kernel.scanner import document_counts
    from eval_pipeline.contamination.text.buffers import text_buffers

    index: Any = packed(fields)
    counts = document_counts(index, (text_buffers(batch.texts) for batch in sample))
    held = np.diff(index.holders) > 0
    holding: dict[str, int] = {}
    for gram in np.flatnonzero(held & (counts > 0)).tolist():
        first = index.samples[gram]
        last = first + index.gram_sizes[gram]
        points = index.points[index.word_points[first] : index.word_points[last] - 1]
        holding["".join(map(chr, points.tolist()))] = int(counts[gram])
    return holding
