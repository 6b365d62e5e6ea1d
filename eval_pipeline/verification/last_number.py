"""`last_number@2`: the last number of a reply, with all that changes its value."""

import re
from dataclasses import dataclass, field

from eval_pipeline.verification.extraction import EMPTY, stop_pattern
from eval_pipeline.verification.numerals import NumberForm, find_numerals, plain, read_number
from eval_pipeline.verification.scale import factor_after, sign_before
from eval_pipeline.verification.verdict import Found, Item

_SPACED = re.compile(r"(?<![\w.,])\d{1,3}(?: \d{3})* $")  # groups of digits before the last one
# between the numeral and the one before it
_HALVED = re.compile(r"-|\s*(?:[–±]|\+/?-|\bout of\b|\bor\b|\band\b|\bto\b)\s*", re.IGNORECASE)
_FROM = re.compile(r"\bfrom\W{0,3}$", re.IGNORECASE)  # it ends at the second number
_GROUP = re.compile(r"\d{3}(?:[.,]\d+)?")


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
