"""What counts only beside something else: a short answer, or the rest of a question."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from eval_pipeline.contamination.index.entries import FieldEntry, N, is_short
from eval_pipeline.contamination.index.passages import passages_of, rest_of
from eval_pipeline.contamination.rule import MIN_HITS, MIN_WORDS, FieldMatch

REACH = 50  # words around what was found in which it counts

Companions = Mapping[tuple[str, str], "Companion"]  # by the item and field that it stands beside


@dataclass(frozen=True)
class Companion:
    """Words that show an entry to be there, where they stand beside what was found."""

    entry: FieldEntry
    words: tuple[str, ...]
    match_type: str

    @property
    def match(self) -> FieldMatch:
        entry = self.entry
        size, grams = len(entry.words), len(entry.positions)
        return FieldMatch(self.match_type, grams, 1.0, 1.0, size, 1.0, entry.unspaced)


def companions_of(entries: Sequence[FieldEntry]) -> dict[tuple[str, str], Companion]:
    """A question's short answer, and the short rest of a field beside its passage."""
    companions = {
        (entry.field.item_id, "question"): Companion(entry, entry.words, "short_exact")
        for entry in entries
        if entry.field.kind == "answer" and is_short(entry) and entry.words
    }
    for whole, passage in passages_of(entries):
        rest = rest_of(whole, passage.words)
        if MIN_WORDS <= len(rest) < N + MIN_HITS - 1:  # longer ones count by themselves
            key = (passage.field.item_id, passage.field.name)
            companions[key] = Companion(whole, rest, "exact")
    return companions


def place_beside(companion: Companion, words: Sequence[str], start: int, end: int) -> int | None:
    """Where it stands within `REACH` words after, else before, the words from start to end."""
    for first, last in ((end, end + REACH), (max(0, start - REACH), start)):
        place = _place_of(companion.words, words[first:last])
        if place is not None:
            return first + place
    return None


def _place_of(wanted: tuple[str, ...], words: Sequence[str]) -> int | None:
    """Where the wanted words first stand among others, one after the other."""
    size = len(wanted)
    starts = range(len(words) - size + 1)
    return next((i for i in starts if tuple(words[i : i + size]) == wanted), None)
