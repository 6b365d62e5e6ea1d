"""From bytes of UTF-8 to hashes of words, without an object a word.

A word's hash turns and adds a fixed 64-bit number for each folded code point. `text_words` and
`code_words` go on where they stopped, so a long document passes through a short buffer. `spells`
compares the words themselves, so that no hash has to be believed.

The place of a word is a byte before its first letter, with none of another word between, times 32,
plus how many words before it touch that code point. The caller checks that bytes are UTF-8.
"""

import numpy as np

from eval_pipeline.contamination.arrays import Bytes, Hashes, Longs, Points, Whole
from eval_pipeline.contamination.compiled import compiled, inlined
from eval_pipeline.contamination.text.folding import (
    ALONE,
    DIGIT,
    IGNORED,
    LETTER,
    OTHER,
    SEPARATOR,
    SEVERAL,
    SPACE,
)
from eval_pipeline.contamination.text.word_hash import character_code

LEFT, RIGHT = np.uint64(11), np.uint64(53)
LARGEST_EXPANSION = 32  # words that one code point may become, and more
SKIPS = 5  # bits of a place
SHIFT = np.uint64(SKIPS)
AT, HASH, INSIDE, WORDS = 0, 1, 2, 3  # of the state that is carried on
ZERO, ONE = np.uint64(0), np.uint64(1)
SPACE_POINT, POINT_POINT = 0x20, 0x2E  # as numbers: of text the compiler would take its own time


@compiled
def point_hash(point: Whole) -> np.uint64:
    """A fixed 64-bit number a code point, neither 0 nor 1: as `word_hash.character_code`."""
    z = np.uint64(point) + np.uint64(0x1F3D5B79C0FFEE11)
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return z ^ (z >> np.uint64(31)) | np.uint64(2)


@inlined
def joined(h: Whole, number: Whole) -> Whole:
    """The hash of a word with one more code point.

    It is added, not turned in by xor: by that, letters 64 places apart could change places.
    """
    return (h << LEFT | h >> RIGHT) + number


def ascii_hashes(folding: Points) -> Hashes:
    """`point_hash` of what each byte below 128 folds to; 0 parts words, 1 is left out."""
    pieces = folding[:128].tolist()
    return np.array([p if p <= IGNORED else character_code(p) for p in pieces], np.uint64)


@compiled
def code_point(data: Bytes, i: Whole) -> tuple[Whole, Whole]:
    """The code point that starts at byte i, and where the next one starts."""
    c = np.int64(data[i])
    if c < 0x80:
        return c, i + 1
    if c < 0xE0:
        return (c & 0x1F) << 6 | (np.int64(data[i + 1]) & 0x3F), i + 2
    second, third = np.int64(data[i + 1]) & 0x3F, np.int64(data[i + 2]) & 0x3F
    if c < 0xF0:
        return (c & 0x0F) << 12 | second << 6 | third, i + 3
    return (
        (c & 0x07) << 18 | second << 12 | third << 6 | (np.int64(data[i + 3]) & 0x3F),
        i + 4,
    )


@compiled
def text_words(
    data: Bytes,
    end: Whole,
    state: Hashes,
    words: Hashes,
    places: Longs,
    ascii_table: Hashes,
    folding: Points,
    expansions: Points,
) -> bool:
    """Appends hashes and places of text_v2 words until the text ends (True) or room runs out.

    Each byte stores the hash as far as it is known and moves on by 0 or 1, so there is no branch
    on where words end.
    """
    i, h, inside, n = state[AT], state[HASH], state[INSIDE], state[WORDS]
    stop, room = np.uint64(end), np.uint64(words.size - LARGEST_EXPANSION)
    if n == ZERO and inside == ZERO:
        places[0] = np.int64(i << SHIFT)
    while i < stop and n < room:  # unsigned, as a signed place costs a test for its sign
        c = data[i]
        if c < 128:
            i += ONE
            a = ascii_table[c]
            if a == ONE:
                continue
            letter = np.uint64(a != ZERO)
            n += inside & (letter ^ ONE)
            h = joined(h, a) & (ZERO - letter)
            words[n] = h
            places[n + letter] = np.int64(i << SHIFT)
            inside = letter
            continue
        start = np.int64(i)
        point, after = code_point(data, start)
        i = np.uint64(after)
        piece = folding[point]
        count, expansion = expansion_of(piece, expansions)
        touched, counted = -1, False
        for k in range(count):
            if count > 1:
                piece = expansions[expansion + k]
            if piece == IGNORED:
                continue
            if piece == SEPARATOR or piece & ALONE:
                n += inside
                h, inside = ZERO, ZERO
                if piece & ALONE:
                    touched += 1
                    words[n] = point_hash(np.int64(piece & ~np.uint32(ALONE)))
                    places[n] = start << SKIPS | touched
                    n += ONE
                words[n] = ZERO
                places[n] = after << SKIPS
                continue
            if inside == ZERO or not counted:
                touched += 1
                counted = True
            if inside == ZERO:
                inside = ONE
                places[n] = start << SKIPS | touched
            h = joined(h, point_hash(np.int64(piece)))
            words[n] = h
            places[n + ONE] = after << SKIPS
    ended = i >= stop
    if ended:
        n += inside
        inside, h = ZERO, ZERO
    state[AT], state[HASH], state[INSIDE], state[WORDS] = i, h, inside, n
    return bool(ended)


@compiled
def expansion_of(piece: Whole, expansions: Points) -> tuple[Whole, Whole]:
    """How many pieces a code point becomes, and where they stand if they are several."""
    if piece & ALONE == 0 and piece & SEVERAL:
        place = np.int64(piece & ~np.uint32(SEVERAL))
        return np.int64(expansions[place]), place + 1
    return 1, 0


@compiled
def spells(
    data: Bytes,
    end: Whole,
    place: Whole,
    wanted: Points,
    first: Whole,
    last: Whole,
    folding: Points,
    expansions: Points,
) -> bool:
    """Whether the words of text_v2 from a place on are `wanted[first:last]`, a space between."""
    i, skip = place >> SKIPS, place & ((1 << SKIPS) - 1)
    touched, j, inside = -1, first, False
    while i < end:
        point, i = code_point(data, i)
        piece = folding[point]
        count, expansion = expansion_of(piece, expansions)
        for k in range(count):
            if count > 1:
                piece = expansions[expansion + k]
            if piece == IGNORED:
                continue
            if piece == SEPARATOR:
                inside = False
                continue
            alone = piece & ALONE != 0
            if alone or not inside:
                if j == last:
                    return True
                touched += 1
                if j > first:
                    if wanted[j] != SPACE_POINT:
                        return False
                    j += 1
            inside = not alone
            if touched < skip:
                continue
            if j == last or wanted[j] != piece & ~np.uint32(ALONE):
                return False
            j += 1
    return bool(j == last)


@compiled
def word_span(
    data: Bytes, end: Whole, place: Whole, folding: Points, expansions: Points
) -> tuple[Whole, Whole]:
    """First byte of the word of text_v2 at a place, and the byte after its last."""
    i, skip = place >> SKIPS, place & ((1 << SKIPS) - 1)
    touched, inside, first, last = -1, False, i, i
    while i < end:
        start = i
        point, i = code_point(data, i)
        piece = folding[point]
        count, expansion = expansion_of(piece, expansions)
        for k in range(count):
            if count > 1:
                piece = expansions[expansion + k]
            if piece == IGNORED:
                continue
            alone = piece & ALONE != 0
            if piece == SEPARATOR or alone or not inside:
                if touched == skip and (inside or last > first):
                    return first, last
                inside = False
            if piece == SEPARATOR:
                continue
            if not inside:
                touched += 1
                first = start
            inside, last = not alone, i
            if alone and touched == skip:
                return first, last
    return first, last


@compiled
def code_words(
    data: Bytes, end: Whole, state: Hashes, words: Hashes, places: Longs, classes: Bytes
) -> bool:
    """As `text_words`, for code_v2; it never stops inside a word."""
    i, n = np.int64(state[AT]), np.int64(state[WORDS])
    room = words.size - LARGEST_EXPANSION
    while i < end and n < room:
        start = i
        point, i = code_point(data, i)
        if classes[point] == SPACE:
            continue
        h = point_hash(point)
        after = _code_word_end(data, end, i, classes[point], classes)
        while i < after:
            point, i = code_point(data, i)
            h = joined(h, point_hash(point))
        words[n] = h
        places[n] = start << SKIPS
        n += 1
    state[AT], state[WORDS] = np.uint64(i), np.uint64(n)
    return bool(i >= end)


@compiled
def _code_word_end(data: Bytes, end: Whole, i: Whole, kind: Whole, classes: Bytes) -> Whole:
    """Where the word ends whose first code point, of this class, ended at byte i."""
    if kind == OTHER:
        return i
    fraction = False
    while i < end:
        point, after = code_point(data, i)
        following = classes[point]
        if kind == LETTER:
            if following != LETTER and following != DIGIT:
                return i
        elif following != DIGIT:
            if point != POINT_POINT or fraction or after >= end:
                return i
            point, _ = code_point(data, after)
            if classes[point] != DIGIT:
                return i
            fraction = True
        i = after
    return i


@compiled
def spells_code(
    data: Bytes, end: Whole, place: Whole, wanted: Points, first: Whole, last: Whole, classes: Bytes
) -> bool:
    """As `spells`, for code_v2."""
    i, j = place >> SKIPS, first
    while i < end:
        point, i = code_point(data, i)
        if classes[point] == SPACE:
            continue
        if j == last:
            return True
        if j > first:
            if wanted[j] != SPACE_POINT:
                return False
            j += 1
        if j == last or wanted[j] != point:
            return False
        j += 1
        after = _code_word_end(data, end, i, classes[point], classes)
        while i < after:
            point, i = code_point(data, i)
            if j == last or wanted[j] != point:
                return False
            j += 1
    return bool(j == last)


@compiled
def code_span(data: Bytes, end: Whole, place: Whole, classes: Bytes) -> tuple[Whole, Whole]:
    """As `word_span`, for code_v2."""
    first = place >> SKIPS
    point, after = code_point(data, first)
    return first, _code_word_end(data, end, after, classes[point], classes)
