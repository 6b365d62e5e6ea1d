"""An index as arrays that the kernel reads: which word n-grams there are, and whose they are.

One index holds the fields of one normaliser. All arrays are plain numpy, so they can lie in files
that several processes map into memory.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from eval_pipeline.contamination.arrays import Flags, Hashes, Ints, Longs, Points
from eval_pipeline.contamination.index import hashing
from eval_pipeline.contamination.index.entries import N
from eval_pipeline.contamination.rule import MIN_HITS, MIN_WORDS
from eval_pipeline.contamination.text.fields import Field
from eval_pipeline.contamination.text.normalise import CODE, UNSPACED

BITS_PER_NGRAM = 16  # at most 6 % of the set is filled, so as few other n-grams pass it
SMALLEST_MAP = 1 << 16  # bits
FILL = 0.5  # of the table, at most
BASES = (0xC2B2AE3D27D4EB4F, 0xA0761D6478BD642F, 0xE7037ED1A0B428DB)  # tried in this order


class Packed(NamedTuple):
    """Fields 0, 1, ... of one normaliser, and their n-grams 0, 1, ...

    A slot is an unmasked n-gram of a field that is long enough for shares to tell; an anchor is
    the n-gram by which the whole of a field is found.
    """

    base: Hashes  # shape (1,): of the n-gram hash
    code: Longs  # shape (1,): 1 where words are those of code
    sizes: Longs  # words in an n-gram, each size that there is
    bits: Hashes  # set of n-gram hashes
    keys: Hashes  # table with open addressing: hash of an n-gram, 0 for none
    grams: Ints  # the n-gram at the same place of the table
    holders: Longs  # n-gram -> offsets into `held`
    held: Ints  # slots
    anchors: Longs  # n-gram -> offsets into `anchored` and `anchor_words`
    anchored: Ints  # fields
    anchor_words: Ints  # word of the field at which the anchor starts
    samples: Longs  # n-gram -> word, of all fields, at which it once starts
    gram_sizes: Ints
    slot_field: Ints
    slot_gram: Ints
    slot_weight: Longs
    slot_words: Longs  # slot -> offsets into `slot_at`
    slot_at: Ints  # words of the field at which the n-gram starts, ascending
    distinct: Longs  # field -> its distinct n-grams
    opened: Longs  # field -> those that are not masked
    field_slots: Longs  # field -> offsets of its slots
    field_words: Longs  # field -> offsets of its words
    words: Hashes  # hash of each word of all fields
    points: Points  # the words themselves, a space after each
    word_points: Longs  # word -> offset into `points`

    @property
    def n_fields(self) -> int:
        return self.field_words.size - 1

    @property
    def n_grams(self) -> int:
        return self.gram_sizes.size


@dataclass(frozen=True)
class PackedFields:
    """The fields of one normaliser, with their index."""

    fields: Sequence[Field]
    index: Packed

    @cached_property
    def unspaced(self) -> list[bool]:
        """Of each field, whether most of its words are single characters."""
        flags: list[bool] = unspaced_fields(self.index).tolist()
        return flags


class _Ngrams(NamedTuple):
    """Every n-gram of every field where it stands, by field and word."""

    field: Longs
    at: Longs  # word of the field
    gram: Longs
    first: Longs  # for each distinct n-gram, the first row above that holds it


def packed(
    fields: Sequence[Field],
    masked: Sequence[Flags] | None = None,
    weights: Sequence[Longs] | None = None,
) -> Packed:
    """The index of fields, all of one normaliser.

    masked, weights: for each field, of the n-gram at each word that starts one; none is masked,
    and all weigh 1, where they are not given.
    Raises ValueError where no hash keeps the n-grams apart.
    """
    texts = [field.normaliser.words(field.text or "") for field in fields]
    lengths = np.array([len(words) for words in texts], np.int64)
    spelled = "".join(f"{word} " for words in texts for word in words)
    points = np.frombuffer(spelled.encode("utf-32-le", "surrogatepass"), np.uint32)
    word_points = _offsets_of_ends(np.flatnonzero(points == ord(" ")) + 1)
    words = np.zeros(word_points.size - 1, np.uint64)
    hashing.word_hashes(points, word_points, words)
    field_words = _offsets(lengths)
    sizes = np.minimum(N, lengths)
    for base in BASES:
        hashed = _ngrams(words, points, word_points, field_words, sizes, np.uint64(base))
        if hashed is not None:
            break
    else:
        raise ValueError("no hash keeps the n-grams of these items apart: change BASES")
    ngrams, keys = hashed
    count = keys.size
    hidden = _all_of(masked, ngrams.field.size, False)
    weighed = _all_of(weights, ngrams.field.size, 1)

    order = np.lexsort((ngrams.at, ngrams.gram, ngrams.field))
    pair = ngrams.field[order] * count + ngrams.gram[order]
    starts = np.flatnonzero(np.diff(pair, prepend=-1))  # one for each n-gram of each field
    pair_field, pair_gram = ngrams.field[order][starts], ngrams.gram[order][starts]
    pair_at = ngrams.at[order][starts]
    distinct = np.bincount(pair_field, minlength=len(fields))
    short = distinct < MIN_HITS

    is_slot = ~short[pair_field] & ~hidden[order][starts]
    widths = np.diff(np.append(starts, order.size))
    slot_field, slot_gram = pair_field[is_slot], pair_gram[is_slot]
    held = np.argsort(slot_gram, kind="stable")

    item_df = np.bincount(pair_gram, minlength=count)[pair_gram]
    by_field = np.lexsort((pair_at, item_df, -weighed[order][starts], pair_field))
    rarest = by_field[np.flatnonzero(np.diff(pair_field[by_field], prepend=-1))]
    answers = np.array([field.kind == "answer" for field in fields], np.bool_)
    looked_for = ~short | ((lengths >= MIN_WORDS) & ~answers)
    rarest = rarest[looked_for[pair_field[rarest]]]
    rarest = rarest[np.argsort(pair_gram[rarest], kind="stable")]

    wanted = np.zeros(count, np.bool_)
    wanted[slot_gram] = True
    wanted[pair_gram[rarest]] = True
    gram_sizes = sizes[ngrams.field[ngrams.first]]
    places = _power(wanted.sum() / FILL)
    bits = np.zeros(_bits_for(int(wanted.sum())) >> 6, np.uint64)
    table, grams = np.zeros(places, np.uint64), np.zeros(places, np.int32)
    hashing.table(keys, np.flatnonzero(wanted), bits, table, grams)
    made = Packed(
        base=np.array([base], np.uint64),
        code=np.array([int(bool(fields) and fields[0].normaliser is CODE)], np.int64),
        sizes=np.unique(gram_sizes[wanted]).astype(np.int64),
        bits=bits,
        keys=table,
        grams=grams,
        holders=_offsets(np.bincount(slot_gram, minlength=count)),
        held=held.astype(np.int32),
        anchors=_offsets(np.bincount(pair_gram[rarest], minlength=count)),
        anchored=pair_field[rarest].astype(np.int32),
        anchor_words=pair_at[rarest].astype(np.int32),
        samples=field_words[ngrams.field[ngrams.first]] + ngrams.at[ngrams.first],
        gram_sizes=gram_sizes.astype(np.int32),
        slot_field=slot_field.astype(np.int32),
        slot_gram=slot_gram.astype(np.int32),
        slot_weight=weighed[order][starts][is_slot],
        slot_words=_offsets(widths[is_slot]),
        slot_at=ngrams.at[order][np.repeat(is_slot, widths)].astype(np.int32),
        distinct=distinct.astype(np.int64),
        opened=np.bincount(pair_field[~hidden[order][starts]], minlength=len(fields)),
        field_slots=_offsets(np.bincount(slot_field, minlength=len(fields))),
        field_words=field_words,
        words=words,
        points=points,
        word_points=word_points,
    )
    for array in made:
        array.flags.writeable = False  # as it is when it is mapped from files: one form to compile
    return made


def unspaced_fields(index: Packed) -> Flags:
    """As `normalise.is_unspaced`, of the words of each field; shape (fields,)."""
    first = index.points[index.word_points[:-1]]
    alone = np.zeros(first.size, np.bool_)
    for low, high in UNSPACED:
        alone |= (first >= low) & (first <= high)
    alone &= np.diff(index.word_points) == 2  # the character and the space after it
    counted = np.diff(_offsets(alone.astype(np.int64))[index.field_words])
    lengths = np.diff(index.field_words)
    return (2 * counted >= lengths) & (lengths > 0)


def _ngrams(
    words: Hashes,
    points: Points,
    word_points: Longs,
    field_words: Longs,
    sizes: Longs,
    base: np.uint64,
) -> tuple[_Ngrams, Hashes] | None:
    """All n-grams and the hash of each distinct one; None where two of them share a hash."""
    counts = np.where(sizes > 0, np.diff(field_words) - sizes + 1, 0)
    field = np.repeat(np.arange(sizes.size), counts)
    at = np.arange(field.size) - np.repeat(_offsets(counts)[:-1], counts)
    start = field_words[field] + at
    hashes, same = np.zeros(start.size, np.uint64), np.zeros(start.size, np.bool_)
    hashing.ngram_hashes(words, start, sizes[field], base, hashes)
    keys, first, gram = np.unique(hashes, return_index=True, return_inverse=True)
    hashing.spelled_alike(points, word_points, start, start[first][gram], sizes[field], same)
    alike = same & (sizes[field] == sizes[field][first][gram])
    return (_Ngrams(field, at, gram, first), keys) if alike.all() else None


def _all_of(rows: Sequence[NDArray[Any]] | None, size: int, otherwise: Any) -> NDArray[Any]:
    return np.concatenate(rows) if rows else np.full(size, otherwise)


def _offsets(counts: NDArray[np.integer]) -> Longs:
    return np.concatenate(([0], np.cumsum(counts))).astype(np.int64)


def _offsets_of_ends(ends: Longs) -> Longs:
    return np.concatenate(([0], ends)).astype(np.int64)


def _bits_for(count: int) -> int:
    return max(SMALLEST_MAP, _power(BITS_PER_NGRAM * count))


def _power(least: float) -> int:
    """The smallest power of two that is not below."""
    return 1 << max(4, int(np.ceil(np.log2(max(1.0, least)))))
