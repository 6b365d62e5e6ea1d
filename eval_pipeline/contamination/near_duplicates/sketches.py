"""Texts as sketches: tokenised, sketched, compared; compiled where numba is there, else plainly.

Both ways give the same numbers, value by value.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from itertools import pairwise
from typing import Any, Literal

import numpy as np
import pyarrow as pa

from eval_pipeline.contamination.arrays import Floats, Hashes, Longs, Sketches
from eval_pipeline.contamination.near_duplicates import minhash
from eval_pipeline.contamination.near_duplicates.banding import Banding
from eval_pipeline.contamination.near_duplicates.minhash import SHINGLE
from eval_pipeline.contamination.text.normalise import TEXT
from eval_pipeline.contamination.text.word_hash import word_hash

Kind = Literal["one", "k"]

NOTHING: Hashes = np.empty(0, np.uint64)  # is hidden
MAX_WORDS_PER_BYTE = 2  # U+3316 folds from three bytes into six words


def compiled() -> bool:
    """Whether the kernel can be used."""
    return find_spec("numba") is not None


@dataclass(frozen=True)
class HashedTexts:
    """The words of texts as hashes; those of text i are words[starts[i]:starts[i + 1]]."""

    words: Hashes
    starts: Longs

    def __len__(self) -> int:
        return len(self.starts) - 1

    @property
    def sizes(self) -> Longs:
        """Words of each text."""
        return np.diff(self.starts)


def hashed(texts: Sequence[str] | pa.Array, *, fast: bool | None = None) -> HashedTexts:
    """The words of texts under text_v2. fast: by the kernel; None where it is there.

    Raises ValueError for a text that is null or no text.
    """
    if not (compiled() if fast is None else fast):
        return _hashed_plainly(texts.to_pylist() if isinstance(texts, pa.Array) else texts)
    return _hashed_fast(texts if isinstance(texts, pa.Array) else _as_array(texts))


def sketched(texts: HashedTexts, kind: Kind, k: int, *, fast: bool | None = None) -> Any:
    """A sketch of k values a text, uint32 of shape (texts, k).

    kind: `one` permutation with densification (few hashes, for corpora), or `k` of them.
    """
    sketches = np.empty((len(texts), k), dtype=np.uint32)
    if compiled() if fast is None else fast:
        from eval_pipeline.contamination.near_duplicates import minhash_kernel as kernel

        room = np.empty(texts.sizes.max(initial=1), np.uint64)
        if kind == "one":
            bins = np.empty(k, np.uint64)
            kernel.one_permutation(texts.words, texts.starts, SHINGLE, room, bins, sketches)
        else:
            factors = np.array(minhash.multipliers(k), dtype=np.uint64)
            kernel.k_permutation(texts.words, texts.starts, SHINGLE, factors, room, sketches)
        return sketches
    make = minhash.one_permutation if kind == "one" else minhash.k_permutation
    for i, words in enumerate(_plain(texts)):
        sketches[i] = make(minhash.shingle_hashes(words, SHINGLE), k)
    return sketches


def keys_of(sketches: Sketches, banding: Banding, *, fast: bool | None = None) -> Hashes:
    """The bucket of each text in each band, shape (texts, bands)."""
    keys = np.empty((len(sketches), banding.bands), dtype=np.uint64)
    if compiled() if fast is None else fast:
        from eval_pipeline.contamination.near_duplicates import minhash_kernel as kernel

        kernel.band_keys(sketches, banding.bands, banding.rows, keys)
    else:
        for i, sketch in enumerate(sketches.tolist()):
            keys[i] = minhash.band_keys(sketch, banding.bands, banding.rows)
    return keys


def agreement(
    a: Sketches,
    b: Sketches,
    left: Longs,
    right: Longs,
    *,
    fast: bool | None = None,
) -> Floats:
    """The estimate of Jaccard: the share of equal values of each pair (left of a, right of b)."""
    if not (compiled() if fast is None else fast):
        same = [np.mean(a[i] == b[j]) for i, j in zip(left, right, strict=True)]
        return np.asarray(same, dtype=np.float64)
    from eval_pipeline.contamination.near_duplicates import minhash_kernel as kernel

    shares = np.empty(len(left))
    kernel.agreement(a, b, left, right, shares)
    return shares


def exact_jaccard(
    a: HashedTexts,
    b: HashedTexts,
    left: Longs,
    right: Longs,
    *,
    hidden: Hashes = NOTHING,
    fast: bool | None = None,
) -> Floats:
    """Jaccard of each pair (left of a, right of b), from all shingles of both texts but the hidden.

    hidden: as `hashes_of` gives them; a text of hidden shingles alone keeps its own. Sets are
    built for the texts that occur in a pair only. Two different shingles pass for one with
    probability 2^-64.
    """
    if compiled() if fast is None else fast:
        from eval_pipeline.contamination.near_duplicates import minhash_kernel as kernel

        sides = []
        for texts, which in ((a, left), (b, right)):
            used, places = np.unique(which, return_inverse=True)
            sizes = texts.sizes[used]
            room, ends = np.empty(sizes.max(initial=1), np.uint64), np.empty(len(used), np.int64)
            sets = np.empty(sizes.sum(), np.uint64)
            kernel.distinct_shingles(
                texts.words, texts.starts, used, SHINGLE, room, *_table(room.size), sets, ends
            )
            sets = sets[: ends[-1] if len(ends) else 0]
            sides.append((*_without(sets, ends, hidden), places.astype(np.int64)))
        shares = np.empty(len(left))
        (sets_a, ends_a, in_a), (sets_b, ends_b, in_b) = sides
        table = _table(int(np.diff(ends_a, prepend=0).max(initial=1)))
        kernel.jaccard(sets_a, ends_a, sets_b, ends_b, in_a, in_b, *table, shares)
        return shares
    of_a, of_b, out = _plain(a), _plain(b), frozenset(hidden.tolist())
    return np.asarray(
        [_plain_jaccard(of_a[i], of_b[j], out) for i, j in zip(left, right, strict=True)],
        dtype=float,
    )


def hashes_of(shingles: Collection[str], *, fast: bool | None = None) -> Hashes:
    """The hashes of shingles that are given as their words with single spaces between, sorted."""
    words = hashed(sorted(shingles), fast=fast)
    hashes = [minhash.shingle_hashes(shingle, SHINGLE)[0] for shingle in _plain(words) if shingle]
    return np.unique(np.array(hashes, np.uint64))


def stripped(texts: HashedTexts, hidden: Hashes) -> HashedTexts:
    """The texts without the words that stand in hidden shingles alone.

    A text of hidden shingles alone, or of fewer words than a shingle has, stays as it is.
    """
    if not hidden.size:
        return texts
    kept: list[Hashes] = []
    for words in np.split(texts.words, texts.starts[1:-1]):
        shown = np.zeros(words.size, np.bool_)
        if words.size >= SHINGLE:
            hashes = np.array(minhash.shingle_hashes(words.tolist(), SHINGLE), np.uint64)
            for at in np.flatnonzero(~np.isin(hashes, hidden)).tolist():
                shown[at : at + SHINGLE] = True
        kept.append(words[shown] if shown.any() else words)
    starts = np.cumsum([0, *map(len, kept)], dtype=np.int64)
    return HashedTexts(np.concatenate(kept), starts)


def joined(a: HashedTexts, b: HashedTexts) -> HashedTexts:
    """The texts of both, one after the other."""
    starts = np.concatenate([a.starts, b.starts[1:] + a.starts[-1]])
    return HashedTexts(np.concatenate([a.words[: a.starts[-1]], b.words[: b.starts[-1]]]), starts)


def _table(entries: int) -> tuple[Hashes, Longs]:
    """An open-addressed table that so many entries fill at most half: values and marks."""
    size = 1 << max(4, (2 * entries - 1).bit_length())
    return np.empty(size, np.uint64), np.zeros(size, np.int64)


def _without(sets: Hashes, ends: Longs, hidden: Hashes) -> tuple[Hashes, Longs]:
    """The sets without what is hidden, but for those that would be empty."""
    if not hidden.size:
        return sets, ends
    sizes = np.diff(ends, prepend=0)
    owner = np.repeat(np.arange(sizes.size), sizes)
    shown = ~np.isin(sets, hidden)
    counts = np.bincount(owner, shown, sizes.size).astype(np.int64)
    shown |= counts[owner] == 0
    return sets[shown], np.cumsum(np.where(counts == 0, sizes, counts))


def _plain_jaccard(a: Sequence[int], b: Sequence[int], hidden: frozenset[int]) -> float:
    every = (set(minhash.shingle_hashes(words, SHINGLE)) for words in (a, b))
    left, right = (shingles - hidden or shingles for shingles in every)
    union = len(left | right)
    return len(left & right) / union if union else np.nan


def _plain(texts: HashedTexts) -> list[list[int]]:
    bounds = texts.starts.tolist()
    return [texts.words[i:j].tolist() for i, j in pairwise(bounds)]


def _hashed_plainly(texts: Sequence[str]) -> HashedTexts:
    words = [[word_hash(w) for w in TEXT.words(_checked(t, i))] for i, t in enumerate(texts)]
    starts = np.cumsum([0, *map(len, words)], dtype=np.int64)
    return HashedTexts(np.array([h for text in words for h in text], dtype=np.uint64), starts)


def _checked(text: Any, place: int) -> str:
    if not isinstance(text, str):
        raise ValueError(f"text {place} is {text!r}: leave out what has no text")
    return text.encode("utf-8", "replace").decode()  # lone surrogates part words, as `?` does


def _as_array(texts: Sequence[str]) -> pa.Array:
    for place, text in enumerate(texts):
        if not isinstance(text, str):
            _checked(text, place)
    try:
        return pa.array(texts, pa.large_string())
    except UnicodeEncodeError:
        return pa.array([_checked(t, i) for i, t in enumerate(texts)], pa.large_string())


def _hashed_fast(texts: pa.Array) -> HashedTexts:
    from eval_pipeline.contamination.near_duplicates import minhash_kernel as kernel
    from eval_pipeline.contamination.text.buffers import text_buffers
    from eval_pipeline.contamination.text.lexer_tables import lexer_tables
    from eval_pipeline.contamination.text.markup_kernel import as_read

    if texts.null_count:
        raise ValueError(f"{texts.null_count} texts are null: leave out what has no text")
    raw, offsets = text_buffers(texts.cast(pa.large_string()))
    data = as_read(raw, offsets, of_code=False)
    words = np.empty(_room(int(offsets[-1] - offsets[0])), np.uint64)
    places = np.empty(_room(int(np.diff(offsets).max(initial=0))), np.int64)
    starts = np.empty(len(offsets), np.int64)
    kernel.hash_words(data, offsets, lexer_tables(), words, places, np.zeros(4, np.uint64), starts)
    return HashedTexts(words[: starts[-1]], starts)  # the rest was never touched: no memory


def _room(size: int) -> int:
    """For the words of so many bytes, one more, and what one code point may become."""
    from eval_pipeline.contamination.text.lexing import LARGEST_EXPANSION

    return MAX_WORDS_PER_BYTE * size + LARGEST_EXPANSION + 1
