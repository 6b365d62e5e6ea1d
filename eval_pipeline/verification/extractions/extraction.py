"""Where the answer stands in a reply: the whole text, or a line that a pattern marks."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from eval_pipeline.reply_text import without_turn_tokens
from eval_pipeline.verification.bounded import Children, Stopped, children
from eval_pipeline.verification.extractions.marker import Marker, after_marker
from eval_pipeline.verification.extractions.marker_claims import STEP
from eval_pipeline.verification.extractions.stop_words import stop_pattern
from eval_pipeline.verification.patterns import CPU_SECONDS, compiled, request
from eval_pipeline.verification.verdict import EMPTY, Found, Item

# Each takes linear time, so that it need not run in a child.
# grade-school maths: "#### 18", or "A: 18"
GSM8K = r"(?:(?<!#)####(?!#)(?:[ \t]{0,9}\n(?=[ \t]{0,9}[^#\s]))?|^[ \t]*+A:)[ \t]*+(\S.*)"
PATTERNS = ("gsm8k", "final_answer", "marker")
OCCURRENCES = ("first", "last")
_CLOSING = re.compile(r"\s++#{1,6}\s*+\Z")  # of a heading


@dataclass(frozen=True)
class WholeText:
    """The reply itself, without white space and special tokens at its ends."""

    def extract(self, reply: str, item: Item) -> Found:
        text = without_turn_tokens(reply).strip()
        return Found(text) if text else EMPTY


@dataclass(frozen=True)
class AnswerLine:
    """What a pattern finds, of the first place that fits, or of the last.

    Options: `pattern`, a regular expression (multi-line; its one group, or without a group the
    whole match, is the answer) or a name: `gsm8k` (the last line with #### or A: that holds an
    answer), `final_answer` (the last of "the answer is", "Answer:" and the like in many
    languages), `marker` (as marker@1: these, #### and <answer>); `occurrence`, first or last,
    where nothing is said the first, and the last of a name; `stop`, words that begin a question of
    the model's own: what follows them after an answer is not read, and the verdict says
    `truncated_runon`.
    """

    pattern: str = ""
    occurrence: str = ""
    stop: tuple[str, ...] = ("Question:", "Q:")
    _compiled: re.Pattern[str] = field(init=False, repr=False)
    _stop: re.Pattern[str] | None = field(init=False, repr=False)
    _marker: Marker | None = field(init=False, repr=False)

    def __post_init__(self) -> None:
        is_marker = self.pattern in ("final_answer", "marker")
        marker = Marker(self.pattern == "final_answer", self.stop) if is_marker else None
        object.__setattr__(self, "_marker", marker)
        object.__setattr__(self, "_compiled", _answer_pattern(self.pattern))
        object.__setattr__(self, "_stop", stop_pattern(self.stop))
        if self.occurrence and self.occurrence not in OCCURRENCES:
            raise ValueError(f"occurrence must be first or last, got {self.occurrence!r}")
        if is_marker and self.occurrence == "first":
            raise ValueError(f"pattern {self.pattern} takes the last marker: leave occurrence out")

    def extract(self, reply: str, item: Item) -> Found:
        return self.extract_all([(item, reply)], 1)[0]

    def extract_all(self, replies: Sequence[tuple[Item, str]], workers: int) -> list[Found]:
        if self._marker is not None:
            return [self._marker.extract(reply, item) for item, reply in replies]
        texts = [without_turn_tokens(reply) for _, reply in replies]
        if self.pattern in PATTERNS:
            return [self._of_line(text) for text in texts]
        with children(workers) as pool:
            asked = [request(self._compiled, text, "search") for text in texts]
            firsts = pool.ask_all(asked, CPU_SECONDS)
            pairs = zip(texts, firsts, strict=True)
            return [_found(text, self._place(text, first, pool)) for text, first in pairs]

    def _of_line(self, text: str) -> Found:
        """The line of gsm8k that counts: the last, unless the first is asked for."""
        lines = list(self._compiled.finditer(text))
        if not lines:
            return _found(text, None)
        stop = self._stop.search(text, lines[0].end()) if self._stop else None
        lines = [line for line in lines if stop is None or line.start() < stop.start()]
        held = [line for line in lines if not STEP.match(line[1])] or lines
        held = [line for line in held if re.search(r"\d", line[1])] or held
        line = held[0 if self.occurrence == "first" else -1]
        place = line.start(1), line.end(1), after_marker(_CLOSING.sub("", line[1]))
        return _found(text, (place, stop is not None))

    def _place(self, text: str, first: Any, pool: Children) -> Any:
        """The place that counts, and whether a question follows; `first` is its first place."""
        if isinstance(first, Stopped) or not first:
            return first or None
        place = first[0]
        stop = self._stop.search(text, place[1]) if self._stop else None
        if self.occurrence == "last":
            within = stop.start() if stop else len(text)
            asked = request(self._compiled, text, "finditer", within)
            (found,) = pool.ask_all([asked], CPU_SECONDS)
            if isinstance(found, Stopped):
                return found
            place = found[-1] if found else place
        return place, stop is not None


def _found(text: str, place: Any) -> Found:
    if not text.strip():
        return EMPTY
    if isinstance(place, Stopped):
        status = "timeout" if place.is_timeout else "infra_error"
        return Found(None, f"pattern_{place.reason}", status)
    if place is None:
        return Found(None, "no_answer_line")
    (start, end, answer), run_on = place
    if not answer or not answer.strip():
        return Found(None, "empty_answer_line")
    return Found(answer.strip(), "truncated_runon" if run_on else None, place=(start, end))


def _answer_pattern(pattern: Any) -> re.Pattern[str]:
    if not pattern:
        raise ValueError(
            f"answer_line@2 needs verification.options.pattern: one of {sorted(PATTERNS)} "
            "or a regular expression"
        )
    source = GSM8K if pattern in PATTERNS else pattern
    found = compiled(source, "pattern", re.MULTILINE)
    if found.groups > 1:
        raise ValueError(
            f"pattern {source!r} has {found.groups} groups: keep one around the answer and "
            "write the others as (?:...)"
        )
    return found
