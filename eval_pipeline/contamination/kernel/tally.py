"""What a document holds of each field, as it is read: hits, window, longest run.

All is kept in arrays that one thread owns, begun anew for a field when a document first touches
it, so the cost of a document does not depend on how many fields there are.
"""

from typing import NamedTuple

import numpy as np

from eval_pipeline.contamination.arrays import Bytes, Hashes, Ints, Longs, Whole
from eval_pipeline.contamination.compiled import compiled, inlined
from eval_pipeline.contamination.index.packed import Packed
from eval_pipeline.contamination.rule import WINDOW
from eval_pipeline.contamination.text.excerpts import CONTEXT
from eval_pipeline.contamination.text.lexer_tables import LexerTables
from eval_pipeline.contamination.text.lexing import code_span, word_span

# Columns of the tally of a field in a document, and of what is reported of it.
DOCUMENT, FIELD, HITS, IN_WINDOW, LONGEST, WHOLE, START, END = 0, 1, 2, 3, 4, 5, 6, 7
FIRST_BYTE, LAST_BYTE, CONTEXT_FIRST, CONTEXT_LAST = 8, 9, 10, 11
RUN_END, WEIGHT, COVERED, NOW, RING, RINGED, RUN_PLACE = 12, 13, 14, 15, 16, 17, 18
COLUMNS = 19


class Workbench(NamedTuple):
    """What one thread works on: tallies of fields, slots and words, and the buffer of words."""

    words: Hashes
    places: Longs
    lexer: Hashes
    passing: Longs  # words at which an n-gram may stand that the index has
    passing_keys: Hashes
    clock: Longs  # number of the reading, words read before it, touched fields, document's words
    touched: Ints
    stamp: Longs  # field -> reading in which it was last touched
    tally: Longs  # shape (fields, COLUMNS)
    slot_stamp: Longs
    slot_count: Ints  # how often the slot stands in the window
    run: Ints  # word of a field -> n-grams in a row that end there
    run_clock: Longs
    ring_place: Ints  # for each field, what its window holds: a queue of twice its words
    ring_slot: Ints
    largest: Longs  # shape (fields, 2): most in a window, longest run so far in the shard
    gram_stamp: Longs  # n-gram -> reading in which it was last counted; empty unless we count
    gram_documents: Longs  # n-gram -> documents that hold it


READING, CLOCK, TOUCHED, BASE = 0, 1, 2, 3  # of the clock


@inlined
def reportable(
    field: Whole, index: Packed, bench: Workbench, least_share: float, least_span: Whole
) -> bool:
    row, largest = bench.tally[field], bench.largest[field]
    slots = index.field_slots[field + 1] - index.field_slots[field]
    return bool(
        row[WHOLE] >= 0
        or row[LONGEST] >= least_span
        or (
            row[HITS] > 0
            and (
                row[HITS] / slots >= least_share
                or row[IN_WINDOW] > largest[0]
                or row[LONGEST] > largest[1]
            )
        )
    )


@inlined
def take_whole(field: Whole, start: Whole, known: Whole, index: Packed, bench: Workbench) -> None:
    row = bench.tally[field]
    if row[WHOLE] < 0:
        row[WHOLE] = start
        row[START] = start
        row[END] = start + index.field_words[field + 1] - index.field_words[field]
        place(row, known, bench)


@inlined
def touch(field: Whole, bench: Workbench) -> None:
    """Begins the tally of a field, if it is the first time in this reading."""
    reading = bench.clock[READING]
    if bench.stamp[field] != reading:
        bench.stamp[field] = reading
        bench.touched[bench.clock[TOUCHED]] = field
        bench.clock[TOUCHED] += 1
        for column in range(COLUMNS):
            bench.tally[field, column] = 0
        bench.tally[field, WHOLE] = -1


@inlined
def hold(
    word: Whole,
    known: Whole,
    field: Whole,
    slot: Whole,
    size: Whole,
    index: Packed,
    bench: Workbench,
) -> None:
    """Takes an n-gram of the document into the hits, the window and the run of a field."""
    row = bench.tally[field]
    if bench.slot_stamp[slot] != bench.clock[READING]:
        bench.slot_stamp[slot] = bench.clock[READING]
        bench.slot_count[slot] = 0
        row[HITS] += 1
        row[WEIGHT] += index.slot_weight[slot]
    first = index.field_words[field]
    span = WINDOW * (index.field_words[field + 1] - first)
    ring = WINDOW * first
    row[NOW] += np.int64(bench.slot_count[slot] == 0)
    bench.slot_count[slot] += 1
    tail = ring + (row[RING] + row[RINGED]) % span
    bench.ring_place[tail], bench.ring_slot[tail] = word, slot
    row[RINGED] += 1
    while word + size - bench.ring_place[ring + row[RING]] > span:
        left = bench.ring_slot[ring + row[RING]]
        bench.slot_count[left] -= 1
        row[NOW] -= np.int64(bench.slot_count[left] == 0)
        row[RING] = (row[RING] + 1) % span
        row[RINGED] -= 1
    if row[NOW] > row[IN_WINDOW]:
        row[IN_WINDOW] = row[NOW]
        if row[WHOLE] < 0:
            row[START], row[END] = bench.ring_place[ring + row[RING]], word + size
            place(row, known, bench)
    now = bench.clock[CLOCK] + word
    for k in range(index.slot_words[slot + 1] - 1, index.slot_words[slot] - 1, -1):
        at = first + index.slot_at[k]
        run = 1
        if at > first and bench.run_clock[at - 1] == now - 1:
            run += bench.run[at - 1]
        bench.run[at], bench.run_clock[at] = run, now
        longest = run + size - 1
        if longest > row[LONGEST] or (longest == row[LONGEST] and row[RUN_PLACE] == word):
            row[LONGEST], row[RUN_PLACE], row[RUN_END] = longest, word, at - first + size


@inlined
def place(row: Longs, known: Whole, bench: Workbench) -> None:
    """Keeps the places of the document's words START to END, and of those around them."""
    places, base = bench.places, bench.clock[BASE]
    row[FIRST_BYTE] = places[row[START] - base]
    row[LAST_BYTE] = places[row[END] - 1 - base]
    row[CONTEXT_FIRST] = places[max(0, row[START] - CONTEXT) - base]
    last = row[END] + CONTEXT - 1
    row[CONTEXT_LAST] = places[last - base] if last < known else -1


@compiled
def place_bytes(
    data: Bytes, begin: Whole, end: Whole, row: Longs, index: Packed, folding: LexerTables
) -> None:
    """Makes of the places that `place` kept bytes of the document."""
    for column in (FIRST_BYTE, LAST_BYTE, CONTEXT_FIRST, CONTEXT_LAST):
        if row[column] < 0:
            row[column] = end - begin
            continue
        if index.code[0]:
            first, last = code_span(data, end, row[column], folding.code)
        else:
            first, last = word_span(data, end, row[column], folding.text, folding.expansions)
        is_first = column in (FIRST_BYTE, CONTEXT_FIRST)
        row[column] = (first if is_first else last) - begin


@inlined
def cover(field: Whole, index: Packed, bench: Workbench) -> None:
    """Counts the words of the field that lie in an n-gram which the document holds."""
    covered = bench.run  # its entries mean nothing once the document is read
    first, last = index.field_words[field], index.field_words[field + 1]
    for at in range(first, last):
        covered[at] = 0
    for slot in range(index.field_slots[field], index.field_slots[field + 1]):
        if bench.slot_stamp[slot] == bench.clock[READING]:
            for k in range(index.slot_words[slot], index.slot_words[slot + 1]):
                at = first + index.slot_at[k]
                for word in range(at, at + index.gram_sizes[index.slot_gram[slot]]):
                    covered[word] = 1
    bench.tally[field, COVERED] = 0
    for at in range(first, last):
        bench.tally[field, COVERED] += covered[at]
