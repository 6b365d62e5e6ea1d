"""Driving the kernel: Arrow text in, reports out."""

from collections.abc import Iterable

import numpy as np

from eval_pipeline.contamination.arrays import Bytes, Longs
from eval_pipeline.contamination.index.packed import Packed
from eval_pipeline.contamination.kernel import scan as kernel
from eval_pipeline.contamination.kernel import tally
from eval_pipeline.contamination.rule import WINDOW
from eval_pipeline.contamination.text.buffers import NO_BYTES
from eval_pipeline.contamination.text.excerpts import CONTEXT
from eval_pipeline.contamination.text.lexer_tables import lexer_tables
from eval_pipeline.contamination.text.lexing import LARGEST_EXPANSION
from eval_pipeline.contamination.text.markup_kernel import as_read

REPORTS = 4096  # rows, beside one a field
NEVER = 2.0, 1  # least share and span of a report, where nothing is reported


class KernelScanner:
    """Looks for one packed index in documents, for one thread; remembers the largest overlaps."""

    def __init__(self, index: Packed, least_share: float, least_span: int) -> None:
        self._index = index
        self._limits = least_share, least_span
        self._bench = bench(index)
        self._reports = np.empty((REPORTS + index.n_fields, tally.COLUMNS), np.int64)
        self._room = NO_BYTES

    def reports(self, data: Bytes, offsets: Longs) -> tuple[Longs, Bytes]:
        """Reports on documents, shape (rows, COLUMNS), in their order, and the text as it was read.

        data, offsets: UTF-8 text, and where each document starts, with the end of the last. The
        text as it was read holds until the next call.
        """
        if self._room.size < data.size:
            self._room = np.empty(data.size, np.uint8)
        data = as_read(data, offsets, bool(self._index.code[0]), self._room)
        rows, first = [], 0
        while first < offsets.size - 1:
            first, used = kernel.scan_documents(
                data,
                offsets,
                first,
                self._index,
                lexer_tables(),
                self._bench,
                *self._limits,
                self._reports,
            )
            rows.append(self._reports[:used].copy())
        return np.concatenate(rows) if rows else self._reports[:0].copy(), data


def document_counts(index: Packed, batches: Iterable[tuple[Bytes, Longs]]) -> Longs:
    """How many documents hold each n-gram of the index."""
    own = bench(index, counting=True)
    none = np.empty((index.n_fields, tally.COLUMNS), np.int64)
    for raw, offsets in batches:
        data = as_read(raw, offsets, bool(index.code[0]))
        kernel.scan_documents(data, offsets, 0, index, lexer_tables(), own, *NEVER, none)
    return own.gram_documents


def bench(index: Packed, counting: bool = False) -> tally.Workbench:
    """A clean bench; its size goes with the index and its longest field."""
    grams = index.n_grams if counting else 0
    fields, words = index.n_fields, int(index.field_words[-1])
    ahead = int(np.diff(index.field_words).max(initial=0)) + 2 * CONTEXT
    room = kernel.BLOCK + 3 * ahead + LARGEST_EXPANSION
    slots = index.slot_field.size
    return tally.Workbench(
        words=np.zeros(room + 1, np.uint64),
        places=np.zeros(room + 1, np.int64),
        lexer=np.zeros(4, np.uint64),
        passing=np.zeros(kernel.STEP + 1, np.int64),
        passing_keys=np.zeros(kernel.STEP + 1, np.uint64),
        clock=np.zeros(4, np.int64),
        touched=np.zeros(fields, np.int32),
        stamp=np.zeros(fields, np.int64),
        tally=np.zeros((fields, tally.COLUMNS), np.int64),
        slot_stamp=np.zeros(slots, np.int64),
        slot_count=np.zeros(slots, np.int32),
        run=np.zeros(words, np.int32),
        run_clock=np.full(words, -2, np.int64),
        ring_place=np.zeros(WINDOW * words, np.int32),
        ring_slot=np.zeros(WINDOW * words, np.int32),
        largest=np.zeros((fields, 2), np.int64),
        gram_stamp=np.zeros(grams, np.int64),
        gram_documents=np.zeros(grams, np.int64),
    )
