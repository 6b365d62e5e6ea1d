"""Dates and times of day in answers: what is one is compared as one, and never as arithmetic.

Read are 2024-05-03, May 3, 2024, 3 May (2024), 15:30 and 3:30 pm. 03/05/2024 is not: nobody can
tell which is the month.
"""

import re
from dataclasses import dataclass

_MONTHS = "january february march april may june july august september october november december"
_NUMBERS = {name: i for i, name in enumerate(_MONTHS.split(), start=1)}
_NUMBERS |= {name[:3]: i for name, i in _NUMBERS.items()} | {"sept": 9}
_MONTH = "|".join(sorted(_NUMBERS, key=len, reverse=True))
_DAY, _YEAR = r"(?P<day>[0-3]?\d)(?:st|nd|rd|th)?", r"(?P<year>\d{4})"
_DATES = (
    re.compile(rf"{_YEAR}-(?P<number>[01]\d)-(?P<day>[0-3]\d)"),
    re.compile(rf"(?P<name>{_MONTH})\.?\s+(?:the\s+)?{_DAY}(?:,?\s+{_YEAR})?", re.IGNORECASE),
    re.compile(
        rf"(?:the\s+)?{_DAY}\s+(?:of\s+)?(?P<name>{_MONTH})\.?(?:,?\s+{_YEAR})?", re.IGNORECASE
    ),
)
_TIME = re.compile(
    r"(?P<hour>[0-2]?\d)(?::(?P<minute>[0-5]\d)(?::(?P<second>[0-5]\d))?)?"
    r"\s*(?P<half>[ap])?(?(half)\.?\s?m\.?)",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Date:
    """A day; the year is None where it was not said."""

    year: int | None
    month: int
    day: int

    def same(self, other: "Date") -> bool:
        """Whether both are one day, as far as both say it."""
        years = {self.year, other.year} - {None}
        return (self.month, self.day) == (other.month, other.day) and len(years) < 2


@dataclass(frozen=True)
class TimeOfDay:
    """Seconds since midnight; is_half: whether am or pm was not said and would matter."""

    seconds: int
    is_half: bool

    def same(self, other: "TimeOfDay") -> bool:
        """Whether both are one time; where one does not say which half of the day, of any half."""
        whole = 12 * 3600 if self.is_half or other.is_half else 24 * 3600
        return (self.seconds - other.seconds) % whole == 0


def read_date(text: str) -> Date | None:
    """The date that the whole of a text is, or None."""
    for pattern in _DATES:
        if found := pattern.fullmatch(text.strip()):
            parts = found.groupdict()
            month = int(parts.get("number") or _NUMBERS[(parts.get("name") or "").lower()])
            day, year = int(parts["day"]), parts["year"]
            if 1 <= month <= 12 and 1 <= day <= 31:
                return Date(int(year) if year else None, month, day)
    return None


def read_time(text: str) -> TimeOfDay | None:
    """The time of day that the whole of a text is, or None; a bare number is none."""
    found = _TIME.fullmatch(text.strip())
    if found is None or not (found["minute"] or found["half"]):
        return None
    hour = int(found["hour"])
    if hour > (12 if found["half"] else 23) or (found["half"] and hour == 0):
        return None
    if found["half"]:
        hour = hour % 12 + (12 if found["half"].lower() == "p" else 0)
    seconds = 3600 * hour + 60 * int(found["minute"] or 0) + int(found["second"] or 0)
    return TimeOfDay(seconds, not found["half"] and 1 <= hour <= 12)
