"""Where the answer stands in a reply: the whole text, a marked line, or the last number."""

import re
from dataclasses import dataclass, field

from eval_pipeline.verification.numerals import NumberForm, find_numerals, plain, read_number
from eval_pipeline.verification.verdict import Found, Item

EMPTY = Found(None, "empty")
PATTERNS = {
    # grade-school maths: "#### 18", or a line that begins with "A:"
    "gsm8k": r"(?:####|^[ \t]*A:)[ \t]*(\S.*?)[ \t]*$",
}


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
        object.__setattr__(self, "_compiled", _compiled(self.pattern))
        object.__setattr__(self, "_stop", _stop_pattern(self.stop))
        if self.occurrence not in ("first", "last"):
            raise ValueError(f"occurrence must be first or last, got {self.occurrence!r}")

    def extract(self, reply: str, item: Item) -> Found:
        if not reply.strip():
            return EMPTY
        first = self._compiled.search(reply)
        if first is None:
            return Found(None, "no_answer_line")
        stop = self._stop.search(reply, first.end()) if self._stop else None
        match = first
        if self.occurrence == "last":
            *_, match = self._compiled.finditer(reply, 0, stop.start() if stop else len(reply))
        answer = match[self._compiled.groups]
        if not answer or not answer.strip():
            return Found(None, "empty_answer_line")
        return Found(answer.strip(), "truncated_runon" if stop else None)


@dataclass(frozen=True)
class LastNumber:
    """`last_number@1`: the last numeral of the reply, as it is written there.

    Options: `thousands` and `decimal` as for numeric@1; `stop`, as for answer_line@1, but none
    unless declared. A last numeral that cannot be read (1.234,5 where no comma is declared) is a
    failure: neither a piece of it nor an earlier one is taken.
    """

    thousands: str = ""
    decimal: str = "."
    stop: tuple[str, ...] = ()
    form: NumberForm = field(init=False)
    _stop: re.Pattern[str] | None = field(init=False, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "form", NumberForm(self.thousands, self.decimal))
        object.__setattr__(self, "_stop", _stop_pattern(self.stop))

    def extract(self, reply: str, item: Item) -> Found:
        if not reply.strip():
            return EMPTY
        text = plain(reply)
        places = find_numerals(text, self.form)
        if not places:
            return Found(None, "no_number")
        stop = self._stop.search(text, places[0][1]) if self._stop else None
        start, end = [p for p in places if stop is None or p[1] <= stop.start()][-1]
        if read_number(text[start:end], self.form) is None:
            return Found(None, "ambiguous_number")
        return Found(text[start:end], "truncated_runon" if stop else None)


def _compiled(pattern: str) -> re.Pattern[str]:
    source = PATTERNS.get(pattern, pattern)
    if not isinstance(source, str) or not source:
        raise ValueError(
            f"answer_line@1 needs verification.options.pattern: one of {sorted(PATTERNS)} "
            "or a regular expression"
        )
    try:
        compiled = re.compile(source, re.MULTILINE)
    except re.error as error:
        raise ValueError(f"pattern {source!r} is no regular expression: {error}") from error
    if compiled.groups > 1:
        raise ValueError(
            f"pattern {source!r} has {compiled.groups} groups: keep one around the answer and "
            "write the others as (?:...)"
        )
    return compiled


def _stop_pattern(words: tuple[str, ...]) -> re.Pattern[str] | None:
    if isinstance(words, str) or not all(isinstance(w, str) and w.strip() for w in words):
        raise ValueError(f"stop must be a list of words, got {words!r}")
    if not words:
        return None
    return re.compile(rf"^\s*(?:{'|'.join(map(re.escape, words))})", re.MULTILINE)
