"""Rephrased and translated items: which layer finds what share of each kind.

Source: the rephrased samples that were published with arXiv:2311.04850. Each candidate is an item
in other words, so a perfect search would find all of them; a search by words cannot. The rows
report what share each layer finds, and none is a target.
"""

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq

from eval_pipeline.contamination.comparing import same_text, shingle_jaccard
from eval_pipeline.contamination.index.entries import entries_of
from eval_pipeline.contamination.index.masks import masked_entries
from eval_pipeline.contamination.instruments import DUPLICATE
from eval_pipeline.contamination.near_duplicates.pairs import ALIKE
from eval_pipeline.contamination.rule import FLAGGED, judged
from eval_pipeline.contamination.search.reference import Scanner
from eval_pipeline.contamination.text.fields import Field
from eval_pipeline_tests.reproduce.row import Row

FILE = "contamination/rephrase_pairs.parquet"
CODE = ("humaneval",)
ALL_ARE_LEAKS = 1.0
REPORTED_ONLY = 1.0  # any share lies within it

Pair = Mapping[str, Any]


def rows() -> list[Row]:
    """A row a kind and layer: the share of its pairs that the layer finds."""
    folder = Path(os.environ.get("EVAL_PIPELINE_REFERENCE_DATA") or "../shared/data")
    groups: dict[tuple[str, str], list[Pair]] = {}
    for pair in pq.read_table(folder / FILE).to_pylist():
        groups.setdefault((pair["benchmark"], pair["transform"]), []).append(pair)
    table = []
    for (benchmark, transform), pairs in sorted(groups.items()):
        for layer, share in shares(benchmark, pairs).items():
            short = benchmark.removeprefix("mmlu-").removeprefix("high_school_")
            name = f"{short} {transform} ({len(pairs)}): {layer}"
            table.append(Row(name, ALL_ARE_LEAKS, share, share - ALL_ARE_LEAKS, REPORTED_ONLY))
    return table


def shares(benchmark: str, pairs: Sequence[Pair]) -> dict[str, float]:
    """Share of pairs that each layer finds, each candidate searched for its own item."""
    name = "code" if benchmark in CODE else "question"
    texts = [pair["original"] for pair in pairs]
    if benchmark == "gsm8k-test":  # the question; its worked answer follows below
        texts = [text.partition("\n")[0] for text in texts]
    fields = [Field(f"{i:05d}", name, text) for i, text in enumerate(texts)]
    scanner = Scanner(masked_entries(entries_of(fields)))
    found = {"same words": 0, "n-grams": 0, "or review": 0, "J>=.8": 0, "J>=.5": 0}
    for field, pair in zip(fields, pairs, strict=True):
        verdicts = {
            judged(overlap.match, field.kind)
            for overlap in scanner.scan(pair["candidate"])
            if overlap.entry.field.item_id == field.item_id
        }
        likeness = shingle_jaccard(field.text or "", pair["candidate"]).jaccard
        found["same words"] += same_text(field.text or "", pair["candidate"], field.normaliser)
        found["n-grams"] += bool(verdicts & set(FLAGGED))
        found["or review"] += bool(verdicts - {None})
        found["J>=.8"] += likeness >= DUPLICATE
        found["J>=.5"] += likeness >= ALIKE
    return {layer: n / len(pairs) for layer, n in found.items()}
