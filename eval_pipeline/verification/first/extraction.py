"""Where the answer stands in a reply: the whole text, a marked line, or the last number."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from eval_pipeline.verification.bounded import Children, Stopped, children
from eval_pipeline.verification.first.numerals import NumberForm, find_numerals, plain, read_number
from eval_pipeline.verification.first.scale import factor_after, sign_before
from eval_pipeline.verification.patterns import CPU_SECONDS, compiled, request
from eval_pipeline.verification.verdict import Found, Item

EMPTY = Found(None, "empty")
PATTERNS = {  # each takes linear time, so that it need not run in a child
    # grade-school maths: "#### 18", or a line that begins with "A:"
    "gsm8k": r"(?:####|^[ \t]*A:)[ \t]*(\S.*)",
}
_SPACED = re.compile(r"(?<![\w.,])\d{1,3}(?: \d{3})* $")  # groups of digits before the last one
# between the numeral and the one before it
_HALVED = re.compile(r"-|\s*(?:[–±]|\+/?-|\bout of\b|\bor\b|\band\b|\bto\b)\s*", re.IGNORECASE)
_FROM = re.compile(r"\bfrom\W{0,3}$", re.IGNORECASE)  # it ends at the second number
_GROUP = re.compile(r"\d{3}(?:[.,]\d+)?")


@dataclass(frozen=True)
class WholeText:
    """`whole_text@1`: the reply itself, without white space at its ends."""

    def extract(self, reply: str, item: Item) -> Found:
        return Found(reply.strip()) if reply.strip() else EMPTY


@dataclass(frozen=True)
class AnswerLine:
    """`answer_line@1`: what a pattern finds, of the first place that fits, or of the last.

    Options: `pattern`, a name of `PATTERNS` or a regular expression (multi-line; its one group,
    or without a group the whole match, is the answer); `occurrence`, first or last; `stop`, words
    that begin a question of the model's own: what follows them after an answer is not read, and
    the verdict says `truncated_runon`.
    """

    pattern: str = ""
    occurrence: str = "first"
    stop: tuple[str, ...] = ("Question:", "Q:")
    _compiled: re.Pattern[str] = field(init=False, repr=False)
    _stop: re.Pattern[str] | None = field(init=False, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_compiled", _answer_pattern(self.pattern))
        object.__setattr__(self, "_stop", stop_pattern(self.stop))
        if self.occurrence not in ("first", "last"):
            raise ValueError(f"occurrence must be first or last, got {self.occurrence!r}")

    def extract(self, reply: str, item: Item) -> Found:
        return self.extract_all([(item, reply)], 1)[0]

    def extract_all(self, replies: Sequence[tuple[Item, str]], workers: int) -> list[Found]:
        texts = [reply for _, reply in replies]
        if self.pattern in PATTERNS:
            return [self._found(text, self._here(text)) for text in texts]
        with children(workers) as pool:
            asked = [request(self._compiled, text, "search") for text in texts]
            firsts = pool.ask_all(asked, CPU_SECONDS)
            pairs = zip(texts, firsts, strict=True)
            return [self._found(text, self._last_of(text, first, pool)) for text, first in pairs]

    def _here(self, text: str) -> Any:
        """The place that counts, with the end of what was looked at."""
        match = self._compiled.search(text)
        if match is None:
            return None
        stop = self._stop.search(text, match.end()) if self._stop else None
        if self.occurrence == "last":
            *_, match = self._compiled.finditer(text, 0, stop.start() if stop else len(text))
        return match[self._compiled.groups], stop is not None

    def _last_of(self, text: str, first: Any, pool: Children) -> Any:
        """As `_here`, where a child looks for the pattern; `first` is its first place."""
        if isinstance(first, Stopped) or not first:
            return first or None
        (_, end, answer) = first[0]
        stop = self._stop.search(text, end) if self._stop else None
        if self.occurrence == "last":
            within = stop.start() if stop else len(text)
            asked = request(self._compiled, text, "finditer", within)
            (found,) = pool.ask_all([asked], CPU_SECONDS)
            if isinstance(found, Stopped):
                return found
            answer = found[-1][2] if found else answer
        return answer, stop is not None

    def _found(self, text: str, place: Any) -> Found:
        if not text.strip():
            return EMPTY
        if isinstance(place, Stopped):
            status = "timeout" if place.is_timeout else "infra_error"
            return Found(None, f"pattern_{place.reason}", status)
        if place is None:
            return Found(None, "no_answer_line")
        answer, run_on = place
        if not answer or not answer.strip():
            return Found(None, "empty_answer_line")
        return Found(answer.strip(), "truncated_runon" if run_on else None)


@dataclass(frozen=True)
class LastNumber:
    """`last_number@1`: the last numeral of the reply, as it is written there.

    A sign and a factor in words belong to it: negative 5, 1.2 million, 3k. Options: `thousands` and
    `decimal` as for numeric@1; `stop`, as for answer_line@1, but none unless declared. A last
    numeral that cannot be read (1.234,5 or 10 000 where such a separator is not declared), or that
    is half of something (3-5, 2024-05-03, 75 out of 100, 4 or 5), is a failure: neither a piece of
    it nor an earlier one is taken.
    """

    thousands: str = ""
    decimal: str = "."
    stop: tuple[str, ...] = ()
    form: NumberForm = field(init=False)
    _stop: re.Pattern[str] | None = field(init=False, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "form", NumberForm(self.thousands, self.decimal))
        object.__setattr__(self, "_stop", stop_pattern(self.stop))

    def extract(self, reply: str, item: Item) -> Found:
        if not reply.strip():
            return EMPTY
        text = plain(reply)
        places = find_numerals(text, self.form)
        if not places:
            return Found(None, "no_number")
        stop = self._stop.search(text, places[0][1]) if self._stop else None
        last = sum(stop is None or p[1] <= stop.start() for p in places) - 1
        start, end = places[last]
        undeclared = " " not in self.thousands and _SPACED.search(text[max(0, start - 40) : start])
        if read_number(text[start:end], self.form) is None or (
            undeclared and _GROUP.fullmatch(text, start, end)
        ):
            return Found(None, "ambiguous_number")
        if last and _is_half_of(text, places[last - 1], start):
            return Found(None, "ambiguous_number")
        end = factor_after(text, end, not text[start].isdigit()).end
        sign = sign_before(text, start)
        whole = text[start if sign is None else sign : end]
        return Found(whole, "truncated_runon" if stop else None)


def _is_half_of(text: str, before: tuple[int, int], start: int) -> bool:
    """Whether a numeral is a part of something with the one before: a range, a date, a choice."""
    if not _HALVED.fullmatch(text, before[1], start):
        return False
    return not (
        text[before[1] : start].strip().lower() == "to" and _FROM.search(text, 0, before[0])
    )


def stop_pattern(words: tuple[str, ...]) -> re.Pattern[str] | None:
    """A line that begins with one of the words; None for no words. ValueError for other things."""
    if isinstance(words, str) or not all(isinstance(w, str) and w.strip() for w in words):
        raise ValueError(f"stop must be a list of words, got {words!r}")
    if not words:
        return None
    return re.compile(rf"^[^\S\n]*(?:{'|'.join(map(re.escape, words))})", re.MULTILINE)


def _answer_pattern(pattern: Any) -> re.Pattern[str]:
    if not pattern:
        raise ValueError(
            f"answer_line@1 needs verification.options.pattern: one of {sorted(PATTERNS)} "
            "or a regular expression"
        )
    source = PATTERNS.get(pattern, pattern) if isinstance(pattern, str) else pattern
    found = compiled(source, "pattern", re.MULTILINE)
    if found.groups > 1:
        raise ValueError(
            f"pattern {source!r} has {found.groups} groups: keep one around the answer and "
            "write the others as (?:...)"
        )
    return found
