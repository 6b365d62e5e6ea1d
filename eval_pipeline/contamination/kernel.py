"""The scan: documents against a packed index, to the evidence that each holds of each field.

Every n-gram that is found is compared letter by letter, so a hash that lies costs time and nothing
else. Words pass through a buffer that holds twice the longest field behind the place at work and
once before it: memory does not grow with the document.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from eval_pipeline.contamination.compiled import compiled, inlined
from eval_pipeline.contamination.hashing import BIT_SHIFT, LOW, ONE, mixed
from eval_pipeline.contamination.lexing import (
    LARGEST_EXPANSION,
    WORDS,
    code_span,
    code_words,
    spells,
    spells_code,
    text_words,
    word_span,
)
from eval_pipeline.contamination.packed import Packed

Bytes = NDArray[np.uint8]
Ints = NDArray[np.int32]
Longs = NDArray[np.int64]
Hashes = NDArray[np.uint64]
Points = NDArray[np.uint32]

BLOCK = 8192  # words that are read at a time
STEP = 1024  # n-grams that are looked up at a time
WINDOW = 2  # lengths of the field that one window spans
CONTEXT = 8  # words before and after a match

# Columns of the tally of a field in a document, and of what is reported of it.
DOCUMENT, FIELD, HITS, IN_WINDOW, LONGEST, WHOLE, START, END = 0, 1, 2, 3, 4, 5, 6, 7
FIRST_BYTE, LAST_BYTE, CONTEXT_FIRST, CONTEXT_LAST = 8, 9, 10, 11
RUN_END, WEIGHT, COVERED, NOW, RING, RINGED, RUN_PLACE = 12, 13, 14, 15, 16, 17, 18
COLUMNS = 19


class Folding(NamedTuple):
    """The tables of the lexers."""

    ascii: Hashes
    text: Points
    expansions: Points
    code: Bytes


class Bench(NamedTuple):
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
    gram_stamp: Longs  # n-gram -> reading in which it was last counted; of counting alone
    gram_documents: Longs  # n-gram -> documents that hold it


READING, CLOCK, TOUCHED, BASE = 0, 1, 2, 3  # of the clock


@compiled
def scan_documents(
    data: Bytes,
    offsets: Longs,
    first: int,
    index: Packed,
    folding: Folding,
    bench: Bench,
    least_share: float,
    least_span: int,
    reports: Longs,
) -> tuple[int, int]:
    """Reports on documents from `first` on: (next document to read, rows written).

    reports: shape (rows, COLUMNS), rows at least as many as there are fields. It stops before a
    document whose reports might not fit. Reported are whole fields, shares of `least_share`, runs
    of `least_span` words, and what is larger than all that was seen of the field before.
    """
    used = 0
    for document in range(first, offsets.size - 1):
        if used + index.field_words.size - 1 > reports.shape[0]:
            return document, used
        end = offsets[document + 1]
        begin = offsets[document]
        _read(data, begin, end, False, index, folding, bench)
        for k in range(bench.clock[TOUCHED]):
            field = np.int64(bench.touched[k])
            if _reportable(field, index, bench, least_share, least_span):
                row = bench.tally[field]
                bench.largest[field, 0] = max(bench.largest[field, 0], row[IN_WINDOW])
                bench.largest[field, 1] = max(bench.largest[field, 1], row[LONGEST])
                _cover(field, index, bench)
                _place_bytes(data, begin, end, row, index, folding)
                row[DOCUMENT], row[FIELD] = document, field
                reports[used] = row
                used += 1
    return offsets.size - 1, used


@compiled
def count_documents(
    data: Bytes, offsets: Longs, index: Packed, folding: Folding, bench: Bench
) -> None:
    """Adds to `gram_documents` how many documents hold each n-gram."""
    for document in range(offsets.size - 1):
        _read(data, offsets[document], offsets[document + 1], True, index, folding, bench)


@compiled
def _reportable(
    field: int, index: Packed, bench: Bench, least_share: float, least_span: int
) -> bool:
    row = bench.tally[field]
    if row[WHOLE] >= 0 or row[LONGEST] >= least_span:
        return True
    if row[HITS] == 0:
        return False
    slots = index.field_slots[field + 1] - index.field_slots[field]
    if row[HITS] / slots >= least_share:
        return True
    largest = bench.largest[field]
    return row[IN_WINDOW] > largest[0] or row[LONGEST] > largest[1]


@compiled
def _read(
    data: Bytes,
    begin: int,
    end: int,
    counting: bool,
    index: Packed,
    folding: Folding,
    bench: Bench,
) -> None:
    """Tallies of all fields that a document touches."""
    lexer, clock = bench.lexer, bench.clock
    lexer[:] = np.uint64(0)
    lexer[0] = np.uint64(begin)
    clock[READING] += 1
    clock[TOUCHED] = 0
    clock[BASE] = 0
    data = data[:end]
    room = bench.words.size - LARGEST_EXPANSION
    ahead = (room - BLOCK) // 3
    done = 0
    while True:
        if index.code[0]:
            ended = code_words(data, end, lexer, bench.words, bench.places, folding.code)
        else:
            ended = text_words(
                data,
                end,
                lexer,
                bench.words,
                bench.places,
                folding.ascii,
                folding.text,
                folding.expansions,
            )
        known = clock[BASE] + np.int64(lexer[WORDS])
        until = known if ended else known - ahead
        while done < until:
            block = min(until, done + STEP)
            for k in range(index.sizes.size):
                _probe(data, done, block, known, index.sizes[k], counting, index, folding, bench)
            done = block
        if ended:
            break
        kept = max(clock[BASE], done - 2 * ahead)
        gone, left = kept - clock[BASE], known - kept
        for i in range(left + 1):  # the last may be a word that has not ended yet
            bench.words[i] = bench.words[gone + i]
            bench.places[i] = bench.places[gone + i]
        lexer[WORDS] = np.uint64(left)
        clock[BASE] = kept
    clock[CLOCK] += known + 2


@compiled
def _probe(
    data: Bytes,
    start: int,
    until: int,
    known: int,
    size: int,
    counting: bool,
    index: Packed,
    folding: Folding,
    bench: Bench,
) -> None:
    """Looks up the n-grams of one size that start in a step of words."""
    base = bench.clock[BASE]
    count = min(until, known - size + 1) - start
    if count <= 0:
        return
    passed = _pass(
        bench.words,
        start - base,
        count,
        size,
        index.base[0],
        index.bits,
        bench.passing,
        bench.passing_keys,
    )
    mask = np.uint64(index.keys.size - 1)
    for k in range(passed):
        key = bench.passing_keys[k]
        place = key & mask
        while index.keys[place] != np.uint64(0) and index.keys[place] != key:
            place = (place + ONE) & mask
        if index.keys[place] != key:
            continue
        gram, word = np.int64(index.grams[place]), start + bench.passing[k]
        if index.gram_sizes[gram] != size:
            continue
        if counting:
            if bench.gram_stamp[gram] != bench.clock[READING]:
                bench.gram_stamp[gram] = bench.clock[READING]
                bench.gram_documents[gram] += 1
            continue
        sample = index.samples[gram]
        if not _spelled(data, bench.places[word - base], sample, size, index, folding):
            continue
        for a in range(index.anchors[gram], index.anchors[gram + 1]):
            field = np.int64(index.anchored[a])
            whole = word - index.anchor_words[a]
            if _is_whole(data, field, whole, known, index, folding, bench):
                _touch(field, bench)
                _take_whole(field, whole, known, index, bench)
        for a in range(index.holders[gram], index.holders[gram + 1]):
            slot = np.int64(index.held[a])
            field = np.int64(index.slot_field[slot])
            _touch(field, bench)
            _hold(word, known, field, slot, size, index, bench)


@compiled
def _pass(
    words: Hashes,
    start: int,
    count: int,
    size: int,
    base: np.uint64,
    bits: Hashes,
    passing: Longs,
    keys: Hashes,
) -> int:
    """The n-grams that the bit set lets pass: how many, where they start, and their hashes."""
    power = base
    for _ in range(size - 1):
        power *= base
    head = np.uint64(size) * power
    h, gone = np.uint64(0), np.uint64(0)
    for k in range(size - 1):
        h = h * base + words[start + k]
    mask = np.uint64(bits.size * 64 - 1)
    passed = np.uint64(0)
    place, newest = np.uint64(start), np.uint64(start + size - 1)
    for i in range(np.uint64(count)):
        h = h * base + (words[newest + i] - gone)
        gone = words[place + i] * power
        key = mixed(h + head)
        passing[passed], keys[passed] = i, key
        bit = (key >> BIT_SHIFT) & mask
        passed += (bits[bit >> np.uint64(6)] >> (bit & LOW)) & ONE
    return np.int64(passed)


@compiled
def _spelled(
    data: Bytes, place: int, sample: int, size: int, index: Packed, folding: Folding
) -> bool:
    """Whether the document's words are those of the index, letter by letter."""
    first, last = index.word_points[sample], index.word_points[sample + size] - 1
    if index.code[0]:
        return spells_code(data, data.size, place, index.points, first, last, folding.code)
    return spells(
        data, data.size, place, index.points, first, last, folding.text, folding.expansions
    )


@inlined
def _is_whole(
    data: Bytes,
    field: int,
    start: int,
    known: int,
    index: Packed,
    folding: Folding,
    bench: Bench,
) -> bool:
    """Whether all words of a field stand in the document from `start` on."""
    first = index.field_words[field]
    length = index.field_words[field + 1] - first
    same = start >= 0 and start + length <= known
    at = start - bench.clock[BASE]
    i = 0
    while same and i < length:
        same = bench.words[at + i] == index.words[first + i]
        i += 1
    return same and _spelled(data, bench.places[at], first, length, index, folding)


@inlined
def _take_whole(field: int, start: int, known: int, index: Packed, bench: Bench) -> None:
    row = bench.tally[field]
    if row[WHOLE] < 0:
        row[WHOLE] = start
        row[START] = start
        row[END] = start + index.field_words[field + 1] - index.field_words[field]
        _place(row, known, bench)


@inlined
def _touch(field: int, bench: Bench) -> None:
    """Begins the tally of a field, if it is the first time in this reading."""
    reading = bench.clock[READING]
    if bench.stamp[field] != reading:
        bench.stamp[field] = reading
        bench.touched[bench.clock[TOUCHED]] = field
        bench.clock[TOUCHED] += 1
        bench.tally[field, :] = 0
        bench.tally[field, WHOLE] = -1


@inlined
def _hold(
    word: int,
    known: int,
    field: int,
    slot: int,
    size: int,
    index: Packed,
    bench: Bench,
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
            _place(row, known, bench)
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
def _place(row: Longs, known: int, bench: Bench) -> None:
    """Keeps the places of the document's words START to END, and of those around them."""
    places, base = bench.places, bench.clock[BASE]
    row[FIRST_BYTE] = places[row[START] - base]
    row[LAST_BYTE] = places[row[END] - 1 - base]
    row[CONTEXT_FIRST] = places[max(0, row[START] - CONTEXT) - base]
    last = row[END] + CONTEXT - 1
    row[CONTEXT_LAST] = places[last - base] if last < known else -1


@compiled
def _place_bytes(
    data: Bytes, begin: int, end: int, row: Longs, index: Packed, folding: Folding
) -> None:
    """Makes of the places that `_place` kept bytes of the document."""
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


@compiled
def _cover(field: int, index: Packed, bench: Bench) -> None:
    """Counts the words of the field that lie in an n-gram which the document holds."""
    covered = bench.run  # its entries mean nothing once the document is read
    first, last = index.field_words[field], index.field_words[field + 1]
    covered[first:last] = 0
    for slot in range(index.field_slots[field], index.field_slots[field + 1]):
        if bench.slot_stamp[slot] == bench.clock[READING]:
            for k in range(index.slot_words[slot], index.slot_words[slot + 1]):
                at = first + index.slot_at[k]
                covered[at : at + index.gram_sizes[index.slot_gram[slot]]] = 1
    bench.tally[field, COVERED] = covered[first:last].sum()
