"""The scan: documents against a packed index, to the evidence that each holds of each field.

Every n-gram that is found is compared letter by letter, so a hash that lies costs time and nothing
else. Words pass through a buffer that holds twice the longest field behind the place at work and
once before it: memory does not grow with the document.
"""

import numpy as np

from eval_pipeline.contamination.arrays import Bytes, Hashes, Longs, Whole
from eval_pipeline.contamination.compiled import compiled, inlined
from eval_pipeline.contamination.index.hashing import BIT_SHIFT, LOW, ONE, mixed
from eval_pipeline.contamination.index.packed import Packed
from eval_pipeline.contamination.kernel.tally import (
    BASE,
    CLOCK,
    COLUMNS,
    DOCUMENT,
    FIELD,
    IN_WINDOW,
    LONGEST,
    READING,
    TOUCHED,
    Workbench,
    cover,
    hold,
    place_bytes,
    reportable,
    take_whole,
    touch,
)
from eval_pipeline.contamination.text.lexer_tables import LexerTables
from eval_pipeline.contamination.text.lexing import (
    AT,
    HASH,
    INSIDE,
    LARGEST_EXPANSION,
    WORDS,
    code_words,
    spells,
    spells_code,
    text_words,
)

BLOCK = 8192  # words that are read at a time
STEP = 1024  # n-grams that are looked up at a time


@compiled
def scan_documents(
    data: Bytes,
    offsets: Longs,
    first: Whole,
    index: Packed,
    folding: LexerTables,
    bench: Workbench,
    least_share: float,
    least_span: Whole,
    reports: Longs,
) -> tuple[Whole, Whole]:
    """Reports on documents from `first` on: (next document to read, rows written).

    reports: shape (rows, COLUMNS), rows at least as many as there are fields. It stops before a
    document whose reports might not fit. Reported are whole fields, shares of `least_share`, runs
    of `least_span` words, and what is larger than all that was seen of the field before. A bench
    that counts adds to `gram_documents` how many documents hold each n-gram, and reports nothing.
    """
    used = 0
    for document in range(first, offsets.size - 1):
        if used + index.field_words.size - 1 > reports.shape[0]:
            return document, used
        end = offsets[document + 1]
        begin = offsets[document]
        _read(data, begin, end, index, folding, bench)
        for k in range(bench.clock[TOUCHED]):
            field = np.int64(bench.touched[k])
            if reportable(field, index, bench, least_share, least_span):
                row = bench.tally[field]
                bench.largest[field, 0] = max(bench.largest[field, 0], row[IN_WINDOW])
                bench.largest[field, 1] = max(bench.largest[field, 1], row[LONGEST])
                cover(field, index, bench)
                place_bytes(data, begin, end, row, index, folding)
                row[DOCUMENT], row[FIELD] = document, field
                for column in range(COLUMNS):
                    reports[used, column] = row[column]
                used += 1
    return offsets.size - 1, used


@inlined
def _read(
    data: Bytes,
    begin: Whole,
    end: Whole,
    index: Packed,
    folding: LexerTables,
    bench: Workbench,
) -> None:
    """Tallies of all fields that a document touches."""
    lexer, clock = bench.lexer, bench.clock
    lexer[AT], lexer[HASH] = np.uint64(begin), np.uint64(0)
    lexer[INSIDE], lexer[WORDS] = np.uint64(0), np.uint64(0)
    clock[READING] += 1
    clock[TOUCHED] = 0
    clock[BASE] = 0
    data = data[:end]
    room = bench.words.size - LARGEST_EXPANSION
    ahead = (room - BLOCK) // 3
    done = np.int64(0)  # typed, or the loop is compiled twice
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
                _probe(data, done, block, known, index.sizes[k], index, folding, bench)
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
    start: Whole,
    until: Whole,
    known: Whole,
    size: Whole,
    index: Packed,
    folding: LexerTables,
    bench: Workbench,
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
        if bench.gram_stamp.size:
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
                touch(field, bench)
                take_whole(field, whole, known, index, bench)
        for a in range(index.holders[gram], index.holders[gram + 1]):
            slot = np.int64(index.held[a])
            field = np.int64(index.slot_field[slot])
            touch(field, bench)
            hold(word, known, field, slot, size, index, bench)


@compiled
def _pass(
    words: Hashes,
    start: Whole,
    count: Whole,
    size: Whole,
    base: np.uint64,
    bits: Hashes,
    passing: Longs,
    keys: Hashes,
) -> Whole:
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
    data: Bytes, place: Whole, sample: Whole, size: Whole, index: Packed, folding: LexerTables
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
    field: Whole,
    start: Whole,
    known: Whole,
    index: Packed,
    folding: LexerTables,
    bench: Workbench,
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
