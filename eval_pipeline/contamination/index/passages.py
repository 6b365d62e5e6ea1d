"""A passage that several items of a benchmark are about: a source of its own beside each of them.

Where such an item's question holds the passage too, a corpus may hold the passage and nothing of
the question. So the passage becomes a field of the kind `source`, for which overlap alone is no
leak, and what is left of the question counts by itself. Where that is too short to count, it is
looked for beside its passage.
"""

from collections.abc import Iterable, Sequence

from eval_pipeline.contamination.index.entries import (
    FieldEntry,
    N,
    document_frequency,
    entries_of,
    ngrams,
)
from eval_pipeline.contamination.index.masks import MASKED_ABOVE, item_limit
from eval_pipeline.contamination.index.siblings import Keys, shared_by_several
from eval_pipeline.contamination.text.fields import SHARED, Field
from eval_pipeline.contamination.text.normalise import place_of

PASSAGE = 40  # words, more than most instructions have
HOLDERS = 0.05  # of all items, above which it is an instruction however long


def with_passages(fields: Sequence[Field]) -> list[Field]:
    """The fields and, beside each text that holds one, the longest passage that others hold too."""
    entries = entries_of(fields)
    n_items = len({field.item_id for field in fields})
    frequency = document_frequency(entries)
    most = max(MASKED_ABOVE, HOLDERS * n_items)
    shared = frozenset(
        key for key in shared_by_several(entries, item_limit(n_items)) if frequency[key] <= most
    )
    passages = (_passage(entry, shared) for entry in entries if entry.field.kind == "text")
    made = [passage for passage in passages if passage is not None]
    return sorted([*fields, *made], key=lambda field: (field.item_id, field.name))


def rest_of(whole: FieldEntry, passage: Sequence[str]) -> tuple[str, ...]:
    """The longer part of a field before or after its passage; empty where it does not hold it."""
    words, size = whole.words, len(passage)
    wanted = tuple(passage)
    for at in range(len(words) - size + 1):
        if words[at] == wanted[0] and words[at : at + size] == wanted:
            return max(words[at + size :], words[:at], key=len)
    return ()


def passages_of(entries: Iterable[FieldEntry]) -> list[tuple[FieldEntry, FieldEntry]]:
    """(field, its passage) of each field that has one."""
    by_key = {(entry.field.item_id, entry.field.name): entry for entry in entries}
    return [
        (by_key[item, name.removesuffix(SHARED)], passage)
        for (item, name), passage in by_key.items()
        if passage.field.is_passage and (item, name.removesuffix(SHARED)) in by_key
    ]


def _passage(entry: FieldEntry, shared: Keys) -> Field | None:
    longest, end, run = 0, 0, 0
    for i, gram in enumerate(ngrams(entry.words, N)):
        run = run + 1 if (entry.field.name, gram) in shared else 0
        if run > longest:
            longest, end = run, i + N
    if longest + N - 1 < PASSAGE:
        return None
    field, text = entry.field, entry.field.text or ""
    start, stop = place_of(field.normaliser, text, end - longest - N + 1, end - 1)
    return Field(field.item_id, f"{field.name}{SHARED}", text[start:stop])
