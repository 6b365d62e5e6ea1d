"""`marker@1`: what stands after the last marker of a reply: "the answer is", "Answer:", ####.

Markers are those of the languages that choices know. They are searched in this process: the cost
is linear.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from eval_pipeline.reply_text import without_turn_tokens
from eval_pipeline.verification.extractions.answer_text import answer_after, bare
from eval_pipeline.verification.extractions.boxed import Boxed
from eval_pipeline.verification.extractions.marker_claims import (
    ANOTHERS,
    BOX,
    DENIED,
    FILLER,
    INSTEAD,
    KEY,
    NEGATED,
    PROSE,
    STEP,
    TEMPLATE,
    WITHDRAWN,
    WORK,
)
from eval_pipeline.verification.extractions.marker_cues import DRESS, MAYBE, TAG_END, Cue, cues_of
from eval_pipeline.verification.extractions.stop_words import stop_pattern
from eval_pipeline.verification.verdict import EMPTY, Found, Item

LOOKED_AT = 100  # markers, from the last one back, that say nothing
WORDS_OF_A_RESULT = 6


@dataclass(frozen=True)
class Marked:
    """What a marker announces, with its span.

    denied: the reply says that it is not the answer. withdrawn: it takes it back.
    """

    answer: str
    start: int
    end: int
    denied: bool = False
    withdrawn: bool = False


@dataclass(frozen=True)
class Marker:
    """What the last marker announces, to the end of its sentence; an echoed template is nothing.

    A marker is looked for anew on the line of another ("The answer: 15 + 2. The answer is 17").
    A last marker with nothing after it is a failure, and so is one that is taken back ("The answer
    is 5. Wait, no"), or denied ("I don't think the answer is 7") where no other says more.
    Options: `words_only`, true where #### and <answer> are no markers; `stop`, as for
    answer_line@2.
    """

    words_only: bool = False
    stop: tuple[str, ...] = ("Question:", "Q:")
    _stop: re.Pattern[str] | None = field(init=False, repr=False)

    def __post_init__(self) -> None:
        if not isinstance(self.words_only, bool):
            raise ValueError(f"words_only must be true or false, got {self.words_only!r}")
        object.__setattr__(self, "_stop", stop_pattern(self.stop))

    def extract(self, reply: str, item: Item) -> Found:
        text = without_turn_tokens(reply)
        if not text.strip():
            return EMPTY
        cues = cues_of(text, self.words_only)
        if not cues:
            return Found(None, "no_marker")
        stop = self._run_on(text, cues)
        if stop is not None:
            text = text[:stop]
            cues = [cue for cue in cues if cue.end <= stop]
        if not text[cues[-1].end :].strip(" \t\r\n*_`$"):
            return Found(None, "empty_marker")
        denied = None
        for marked in _marked(text, cues):
            if marked.withdrawn:
                return Found(None, "withdrawn_marker")
            if not marked.denied:
                note = None if stop is None else "truncated_runon"
                return Found(marked.answer, note, place=(marked.start, marked.end))
            denied = denied or marked
        return Found(None, "denied_marker" if denied else "no_marker")

    def _run_on(self, text: str, cues: list[Cue]) -> int | None:
        """Where a question of the model's own begins after the first answer."""
        if self._stop is None:
            return None
        answers = (found for cue in cues[:LOOKED_AT] if (found := _announced(text, cue)))
        first = next(answers, None)
        stop = self._stop.search(text, first.end) if first else None
        return stop.start() if stop else None


def after_marker(answer: str) -> str:
    """An answer without a marker of words within it: `The answer is 27` is 27."""
    cues = cues_of(answer, words_only=True)
    found = next(_marked(answer, cues), None)
    return found.answer if found and not found.denied else answer


def _marked(text: str, cues: list[Cue]) -> Iterator[Marked]:
    """What the markers announce, from the last one back; results of work come after answers."""
    work = []
    for cue in reversed(cues[-LOOKED_AT:]):
        found = _announced(text, cue)
        if found is None:
            continue
        if cue.kind == "words" and WORK.match(text, cue.start):
            work.append(found)
        else:
            yield found
    yield from (one for one in work if len(one.answer.split()) <= WORDS_OF_A_RESULT)


def _announced(text: str, cue: Cue) -> Marked | None:
    """The answer at one marker; None where it announces none of the reply's own."""
    before = text[max(0, cue.start - 80) : cue.start]
    is_key = before[-1:] == '"' and KEY.fullmatch(text, cue.start, cue.end) is not None
    if cue.kind == "words" and (is_key or ANOTHERS.search(before)):
        return None
    filler = FILLER.match(text, _after_space(text, cue.end)) if cue.kind == "words" else None
    start, end = answer_after(text, filler.end() if filler else cue.end)
    if cue.kind == "tag" and (closed := TAG_END.search(text, cue.end)):
        start, end = cue.end, closed.start()
    answer = text[start:end]
    if text[cue.start : cue.end].rstrip(DRESS).endswith("|"):  # a cell of a table
        answer = answer.partition("|")[0]
    answer = _unboxed(bare(answer, listed="\n" in text[cue.end : start]))
    if not answer or TEMPLATE.fullmatch(answer):
        return None
    if cue.kind == "hashes" and (STEP.match(answer) or not re.search(r"[\d\\$]", answer)):
        return None
    if cue.kind == "words" and (PROSE.match(answer) or text[end : end + 1] in ("?", "\uff1f")):
        return None
    if cue.kind == "words" and (instead := INSTEAD.fullmatch(answer)):
        answer = instead[1].strip()
    denied = cue.kind == "words" and (
        DENIED.search(before) is not None
        or NEGATED.match(answer) is not None
        or MAYBE.match(text, cue.start) is not None
    )
    return Marked(answer, start, end, denied, WITHDRAWN.match(text, end) is not None)


def _unboxed(answer: str) -> str:
    """What stands in a box that is the whole answer."""
    if not BOX.fullmatch(answer):
        return answer
    return Boxed().extract(answer, Item("")).answer or answer


def _after_space(text: str, at: int) -> int:
    while at < len(text) and text[at] in " \t*_":
        at += 1
    return at
