"""The search by the kernel, with hits equal to those of the reference."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from eval_pipeline.contamination.arrays import Bytes, Longs
from eval_pipeline.contamination.index.companions import REACH, Companion, Companions, place_beside
from eval_pipeline.contamination.index.packed import Packed, PackedFields
from eval_pipeline.contamination.kernel import tally
from eval_pipeline.contamination.kernel.scanner import KernelScanner
from eval_pipeline.contamination.rule import MIN_HITS, MIN_SHARE, MIN_SPAN, REVIEW_SHARE, FieldMatch
from eval_pipeline.contamination.search.hits import (
    KEPT_SHARE,
    Hit,
    Row,
    located,
)
from eval_pipeline.contamination.search.reference import in_its_surroundings, is_leaked
from eval_pipeline.contamination.text.buffers import text_buffers
from eval_pipeline.contamination.text.excerpts import CONTEXT, EXCERPT, bytes_of, excerpt
from eval_pipeline.contamination.text.fields import Field
from eval_pipeline.contamination.text.markup import past_entity
from eval_pipeline.contamination.text.normalise import place_of

LEAST_SHARE = min(KEPT_SHARE, REVIEW_SHARE, MIN_SHARE)
LONGEST_ENTITY = 64  # bytes, and more
NEARBY = 4096  # bytes that are read around a question, doubled until they hold enough words

MARKS = np.frombuffer(b"<&", np.uint8)


class KernelSearch:
    """For one thread and one shard."""

    def __init__(self, packed: Sequence[PackedFields], companions: Companions) -> None:
        """companions: what counts only beside something that was found."""
        self._companions = companions
        self._packed = [
            (part, KernelScanner(part.index, LEAST_SHARE, MIN_SPAN), _weights(part.index))
            for part in packed
        ]

    def hits_in(self, texts: Any) -> Iterator[tuple[int, Sequence[Hit]]]:
        """As `hits.Search`; of each document only what may be kept."""
        data, offsets = text_buffers(texts)
        starts = offsets.tolist()
        hits: dict[int, list[Hit]] = {}
        for part, scanner, weights in self._packed:
            reports, shown = scanner.reports(data, offsets)
            for report in reports.tolist():
                document = report[tally.DOCUMENT]
                begin, end = starts[document], starts[document + 1]
                hit = _KernelHit(part, report, weights, data, shown, begin, end)
                hits.setdefault(document, []).append(hit)
                companion = self._companions.get(_order(hit))
                if companion is not None:
                    hits[document] += _beside(companion, hit)
        for document in sorted(hits):
            yield document, sorted(_once(hits[document]), key=_order)


def _order(hit: Hit) -> tuple[str, str]:
    return hit.field.item_id, hit.field.name


def _once(hits: Sequence[Hit]) -> list[Hit]:
    """The hits without companions whose field stands there as a whole anyhow."""
    whole = {
        _order(hit)
        for hit in hits
        if hit.match.match_type == "exact" and not isinstance(hit, _CompanionHit)
    }
    return [hit for hit in hits if not isinstance(hit, _CompanionHit) or _order(hit) not in whole]


def _weights(index: Packed) -> Longs:
    """The weight of all open n-grams of each field."""
    sums = np.concatenate(([0], np.cumsum(index.slot_weight)))
    weights: Longs = np.diff(sums[index.field_slots])
    return weights


@dataclass(frozen=True)
class _KernelHit:
    part: PackedFields
    report: Sequence[int]
    weights: Longs
    data: Bytes
    shown: Bytes  # the same as it was read, which holds until the next batch
    begin: int
    end: int

    @property
    def number(self) -> int:
        return self.report[tally.FIELD]

    @property
    def field(self) -> Field:
        return self.part.fields[self.number]

    @property
    def unspaced(self) -> bool:
        return self.part.unspaced[self.number]

    @property
    def is_whole(self) -> bool:
        return self.report[tally.WHOLE] >= 0

    @property
    def words(self) -> int:
        offsets = self.part.index.field_words
        return int(offsets[self.number + 1] - offsets[self.number])

    @cached_property
    def match(self) -> FieldMatch:
        opened = int(self.part.index.opened[self.number])
        if self.is_whole:
            short = self.part.index.distinct[self.number] < MIN_HITS
            match_type = "short_exact" if short else "exact"
            return FieldMatch(match_type, opened, 1.0, 1.0, self.words, 1.0, self.unspaced)
        hits, in_window = self.report[tally.HITS], self.report[tally.IN_WINDOW]
        partial = FieldMatch(
            "ngram",
            hits,
            hits / opened,
            in_window / opened,
            self.report[tally.LONGEST],
            self.report[tally.COVERED] / self.words,
            self.unspaced,
        )
        is_masked = opened < int(self.part.index.distinct[self.number])
        return in_its_surroundings(partial, self.field, is_masked, self._near)

    def _near(self) -> list[str]:
        """The words around the match, as many on each side as the field has."""
        first, last = self.report[tally.FIRST_BYTE], self.report[tally.LAST_BYTE]
        words_of, size = self.field.normaliser.words_shown, self.words
        before, _ = _text_near(self, self.shown, first, -1, size + 1, words_of)
        after, _ = _text_near(self, self.shown, last, 1, size + 1, words_of)
        inside = self.shown[self.begin + first : self.begin + last].tobytes().decode()
        return [*words_of(before)[-size:], *words_of(inside), *words_of(after)[:size]]

    def row(self) -> Row:
        report, words = self.report, self.words
        in_item, idf_ratio = (0, words), 1.0
        if not self.is_whole:
            last = report[tally.RUN_END]
            in_item = (last - report[tally.LONGEST], last)
            idf_ratio = report[tally.WEIGHT] / int(self.weights[self.number])
        return located(
            self.field,
            in_item,
            (report[tally.FIRST_BYTE], self._past_entity(report[tally.LAST_BYTE])),
            self._excerpt(
                report[tally.CONTEXT_FIRST], self._past_entity(report[tally.CONTEXT_LAST])
            ),
            idf_ratio,
        )

    def _past_entity(self, end: int) -> int:
        """As `markup.past_entity`, of a byte of the document."""
        first = self.begin + max(0, end - 1)
        last = min(self.end, first + LONGEST_ENTITY)
        raw, shown = (
            text[first:last].tobytes().decode("latin-1") for text in (self.data, self.shown)
        )
        return max(0, end - 1) + past_entity(raw, shown, min(end, 1))

    def _excerpt(self, first: int, last: int) -> str:
        """As `excerpts.excerpt`, of bytes of the document."""
        cut = min(last, first + 4 * (EXCERPT + 1))  # no character has more than four bytes
        text = self.data[self.begin + first : self.begin + cut].tobytes().decode(errors="ignore")
        ends = len(text) <= EXCERPT and last == self.end - self.begin
        return f"{'…' if first else ''}{text[:EXCERPT]}{'' if ends else '…'}"


@dataclass(frozen=True)
class _CompanionHit:
    """A companion beside what was found, in the text around that."""

    companion: Companion
    text: str
    first: int  # word of the text
    begins: int  # byte of the document at which the text starts
    ends: bool  # whether the document ends with the text

    @property
    def field(self) -> Field:
        return self.companion.entry.field

    @property
    def match(self) -> FieldMatch:
        return self.companion.match

    def row(self) -> Row:
        normaliser = self.field.normaliser
        last = self.first + len(self.companion.words) - 1
        start, end = place_of(normaliser, self.text, self.first, last)
        shown = place_of(normaliser, self.text, max(0, self.first - CONTEXT), last + CONTEXT)
        text = excerpt(self.text, *shown)
        if self.begins and not shown[0]:
            text = f"…{text}"
        if not self.ends and shown[1] == len(self.text):
            text = f"{text}…"
        in_document = tuple(self.begins + bytes_of(self.text[:place]) for place in (start, end))
        in_item = (0, len(self.companion.entry.words))
        return located(self.field, in_item, (in_document[0], in_document[1]), text, 1.0)


def _beside(companion: Companion, other: _KernelHit) -> list[Hit]:
    """The companion beside what was found; none where it is not there."""
    if not is_leaked(other.match, other.field.kind):
        return []
    normaliser = companion.entry.field.normaliser
    document = other.data[other.begin : other.end]
    if np.isin(document, MARKS).any():  # no part of a page can be read alone
        text = document.tobytes().decode()
        start, end = other.report[tally.START], other.report[tally.END]
        place = place_beside(companion, normaliser.words(text), start, end)
        return [] if place is None else [_CompanionHit(companion, text, place, 0, True)]
    enough = REACH + len(companion.words) + CONTEXT + 2
    first, last = other.report[tally.FIRST_BYTE], other.report[tally.LAST_BYTE]
    before, begins = _text_near(other, other.data, first, -1, enough, normaliser.words)
    after, ends = _text_near(other, other.data, last, 1, enough, normaliser.words)
    begin, size = other.begin, other.end - other.begin
    middle = other.data[begin + first : begin + last].tobytes().decode()
    start = len(normaliser.words(before))
    words = normaliser.words(text := before + middle + after)
    end = start + other.report[tally.END] - other.report[tally.START]
    place = place_beside(companion, words, start, end)
    return [] if place is None else [_CompanionHit(companion, text, place, begins, ends == size)]


def _text_near(
    hit: _KernelHit, data: Bytes, place: int, way: int, enough: int, words_of: Any
) -> tuple[str, int]:
    """The text before (way -1) or after a place, with enough words if there are, and its far end.

    Both are of the document: bytes.
    """
    size, reach = hit.end - hit.begin, NEARBY
    while True:
        far = max(0, place - reach) if way < 0 else min(size, place + reach)
        while 0 < far < size and data[hit.begin + far] & 0xC0 == 0x80:
            far += way  # not inside a character
        low, high = min(place, far), max(place, far)
        text = data[hit.begin + low : hit.begin + high].tobytes().decode()
        if far in (0, size) or len(words_of(text)) > enough:
            return text, far
        reach *= 2
