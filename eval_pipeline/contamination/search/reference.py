"""The search: which fields a document holds, how much of each, and where.

Plain Python, and the oracle for any faster kernel. N-grams are looked up by their words, not by
a digest, so what is reported has been compared word by word.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from eval_pipeline.contamination.index.companions import companions_of, place_beside
from eval_pipeline.contamination.index.entries import (
    FieldEntry,
    N,
    document_frequency,
    is_short,
    ngrams,
)
from eval_pipeline.contamination.rule import JOINT_REVIEW, MIN_WORDS, FieldMatch, judged
from eval_pipeline.contamination.text.fields import Field, Kind
from eval_pipeline.contamination.text.normalise import Normaliser, place_of
from eval_pipeline.contamination.text.numbers import other_numbers

WINDOW = 2  # lengths of the field that one window spans


@dataclass(frozen=True)
class FieldOverlap:
    """What a document holds of an entry.

    start, end: words of the document, the best window. item_start, item_end: words of the entry,
    the longest aligned run. idf_ratio: the share of n-grams by weight.
    """

    entry: FieldEntry
    match: FieldMatch
    start: int
    end: int
    item_start: int
    item_end: int
    idf_ratio: float = 1.0


class Scanner:
    """Looks for a set of entries in documents; its answers do not depend on their order."""

    def __init__(self, entries: Sequence[FieldEntry]) -> None:
        self._searches = [
            (normaliser, _InvertedIndex(of_kind))
            for normaliser, of_kind in _by_normaliser(entries).items()
        ]
        self._companions = companions_of(entries)

    def scan(self, text: str) -> list[FieldOverlap]:
        """All overlaps with a text, at least one n-gram each, sorted by item and field."""
        overlaps: list[FieldOverlap] = []
        for normaliser, search in self._searches:
            words = normaliser.words(text)
            here = [_seen_around(overlap, text) for overlap in search.overlaps(words)]
            overlaps += here
            overlaps += self._beside(here, words)
        return sorted(overlaps, key=lambda o: (o.entry.field.item_id, o.entry.field.name))

    def _beside(
        self, overlaps: Sequence[FieldOverlap], words: Sequence[str]
    ) -> Iterator[FieldOverlap]:
        """What counts beside something that was found: alone it would be found everywhere."""
        whole = {_key(o.entry.field) for o in overlaps if o.match.match_type == "exact"}
        for overlap in overlaps:
            companion = self._companions.get(_key(overlap.entry.field))
            if companion is None or not is_leaked(overlap.match, overlap.entry.field.kind):
                continue
            place = place_beside(companion, words, overlap.start, overlap.end)
            if place is not None and _key(companion.entry.field) not in whole:
                end = place + len(companion.words)
                size = len(companion.entry.words)
                yield FieldOverlap(companion.entry, companion.match, place, end, 0, size)


def _key(field: Field) -> tuple[str, str]:
    return field.item_id, field.name


def in_its_surroundings(
    match: FieldMatch, field: Field, is_masked: bool, near: Callable[[], Sequence[str]]
) -> FieldMatch:
    """The match with what the surroundings of a match say for or against a leak.

    near: the words of the document around the match, as many on each side as the field has.
    """
    if match.match_type != "ngram" or field.kind == "source":
        return match
    status = judged(match, field.kind)
    if status != "contaminated" and is_masked and match.hits >= JOINT_REVIEW:
        words = field.normaliser.words(field.text or "")
        own = set(ngrams(words, N))
        both = own.intersection(ngrams(near(), N))
        match = replace(match, whole_ratio=len(both) / len(own))
        status = judged(match, field.kind)
    if status != "contaminated":
        return match
    words = field.normaliser.words(field.text or "")
    return replace(match, other_numbers=other_numbers(words, near()))


def _seen_around(overlap: FieldOverlap, text: str) -> FieldOverlap:
    """The overlap with what a document's raw text says around it."""
    entry = overlap.entry
    is_masked = len(entry.open) < len(entry.positions)

    def near() -> list[str]:
        normaliser, size = entry.field.normaliser, len(entry.words)
        start, end = place_of(normaliser, text, overlap.start, overlap.end - 1)
        shown = normaliser.shown(text)
        parts = (shown[:start], shown[start:end], shown[end:])
        before, inside, after = map(normaliser.words_shown, parts)
        return [*before[-size:], *inside, *after[:size]]

    match = in_its_surroundings(overlap.match, entry.field, is_masked, near)
    return replace(overlap, match=match)


def is_leaked(match: FieldMatch, kind: Kind) -> bool:
    """Whether a field was found so surely that its companion is looked for beside it."""
    return judged(match, kind) in ("contaminated", "short_exact")


@dataclass
class _Known:
    """Who holds an n-gram, and whose whole is looked for where it stands (entry, its place)."""

    holders: list[int] = field(default_factory=list)
    anchors: list[tuple[int, int]] = field(default_factory=list)


class _InvertedIndex:
    """The inverted index of entries that share a normaliser."""

    def __init__(self, entries: Sequence[FieldEntry]) -> None:
        self._entries = entries
        self._known: dict[str, _Known] = {}
        frequency = document_frequency(entries)
        for i, entry in enumerate(entries):
            if not is_short(entry):
                for gram in entry.open:
                    self._known.setdefault(gram, _Known()).holders.append(i)
            elif len(entry.words) < MIN_WORDS or entry.field.kind == "answer":
                continue
            name = entry.field.name
            rarest = min(entry.positions, key=lambda g: (frequency[name, g], entry.positions[g]))
            anchor = (i, entry.positions[rarest][0])
            self._known.setdefault(rarest, _Known()).anchors.append(anchor)
        self._sizes = sorted({N} | {e.n for e in entries if MIN_WORDS <= e.n < N})

    def overlaps(self, words: Sequence[str]) -> Iterator[FieldOverlap]:
        """What the words of a document hold of each entry."""
        places: dict[int, list[tuple[int, str]]] = {}
        whole: dict[int, int] = {}
        known = self._known
        for size in self._sizes:
            grams = ngrams(words, size)
            if known.keys().isdisjoint(grams):  # most documents, at a third of the loop's cost
                continue
            for place, gram in enumerate(grams):
                if gram not in known:
                    continue
                for i, offset in known[gram].anchors:
                    if i not in whole and self._is_whole(i, words, place - offset):
                        whole[i] = place - offset
                for i in known[gram].holders:
                    places.setdefault(i, []).append((place, gram))
        for i in sorted(places.keys() | whole.keys()):
            entry = self._entries[i]
            if i in whole:
                yield _whole(entry, "short_exact" if is_short(entry) else "exact", whole[i])
            else:
                yield _partial(entry, places[i])

    def _is_whole(self, i: int, words: Sequence[str], start: int) -> bool:
        wanted = self._entries[i].words
        return start >= 0 and tuple(words[start : start + len(wanted)]) == wanted


def _by_normaliser(entries: Sequence[FieldEntry]) -> Mapping[Normaliser, list[FieldEntry]]:
    groups: dict[Normaliser, list[FieldEntry]] = {}
    for entry in entries:
        if entry.words:
            groups.setdefault(entry.field.normaliser, []).append(entry)
    return groups


def _whole(entry: FieldEntry, match_type: str, start: int) -> FieldOverlap:
    size = len(entry.words)
    match = FieldMatch(match_type, len(entry.open), 1.0, 1.0, size, 1.0, entry.unspaced)
    return FieldOverlap(entry, match, start, start + size, 0, size)


def _partial(entry: FieldEntry, places: Sequence[tuple[int, str]]) -> FieldOverlap:
    """Share, share inside one window, and longest aligned run of the n-grams found at places.

    places: (word of the document, n-gram), in order.
    """
    held = {gram for _, gram in places}
    in_window, start, end = _best_window(places, WINDOW * len(entry.words), entry.n)
    run, run_end = _longest_run(entry, places)
    match = FieldMatch(
        "ngram",
        len(held),
        len(held) / len(entry.open),
        in_window / len(entry.open),
        run + entry.n - 1,
        _covered(entry, held) / len(entry.words),
        entry.unspaced,
    )
    item_end = run_end + entry.n
    return FieldOverlap(
        entry,
        match,
        start,
        end,
        item_end - match.longest_span,
        item_end,
        _weight(entry, held) / _weight(entry, entry.open),
    )


def _weight(entry: FieldEntry, grams: Iterable[str]) -> int:
    return sum(entry.weights.get(gram, 1) for gram in grams)


def _covered(entry: FieldEntry, grams: Iterable[str]) -> int:
    """How many words of the entry lie inside one of the n-grams."""
    starts = (at for gram in grams for at in entry.positions[gram])
    return len({at + i for at in starts for i in range(entry.n)})


def _best_window(places: Sequence[tuple[int, str]], size: int, n: int) -> tuple[int, int, int]:
    """Most distinct n-grams inside one window of `size` words, and the words that they span."""
    best, start, end = 0, 0, 0
    counts: dict[str, int] = {}
    left = 0
    for place, gram in places:
        counts[gram] = counts.get(gram, 0) + 1
        while place + n - places[left][0] > size:
            gone = places[left][1]
            counts[gone] -= 1
            if not counts[gone]:
                del counts[gone]
            left += 1
        if len(counts) > best:
            best, start, end = len(counts), places[left][0], place + n
    return best, start, end


def _longest_run(entry: FieldEntry, places: Sequence[tuple[int, str]]) -> tuple[int, int]:
    """Most n-grams in a row that follow each other in the document as they do in the entry.

    Returns how many, and where in the entry the last of them starts: of the first such run, and
    the first place in the entry where several are as long.
    """
    longest, end = 0, 0
    before: dict[int, int] = {}  # run that ends at this place of the entry, one word earlier
    last = -2
    for place, gram in places:
        runs = before if place == last + 1 else {}
        before = {at: runs.get(at - 1, 0) + 1 for at in entry.positions[gram]}
        for at, run in before.items():
            if run > longest:
                longest, end = run, at
        last = place
    return longest, end
