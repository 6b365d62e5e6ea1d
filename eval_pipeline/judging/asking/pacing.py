"""How fast calls may follow each other, and how long to wait after a failure. No clock in here."""

import math
from datetime import datetime
from email.utils import parsedate_to_datetime

FIRST_PAUSE_SECONDS = 1.0
LONGEST_PAUSE_SECONDS = 60.0
LONGEST_OBEYED_SECONDS = 600.0  # what a server may ask of us


class Pace:
    """Spaces out what is limited a minute, so that no minute holds more than the limit.

    Evenly, without a burst at the start: a limit that is counted in seconds holds as well.
    """

    def __init__(self, per_minute: float | None) -> None:
        self._seconds_each = 0.0 if per_minute is None else 60.0 / per_minute
        self._free_at = -math.inf

    def wait(self, now: float, amount: float = 1.0) -> float:
        """Takes `amount` of the limit; returns the seconds until it may be used."""
        start = max(now, self._free_at)
        self._free_at = start + amount * self._seconds_each
        return start - now

    def hold_until(self, moment: float) -> None:
        """Nothing before that moment: the server asked for it."""
        self._free_at = max(self._free_at, moment)


def pause_after(failures: int, chance: float, asked: float | None = None) -> float:
    """Seconds to wait after so many failed attempts: doubling, then a random part of it.

    chance: uniform in 0..1; the pause lies between half the doubled time and all of it, so that
    calls which failed together do not come back together. asked: what the server asked for, which
    is obeyed up to LONGEST_OBEYED_SECONDS.
    """
    doubled = min(FIRST_PAUSE_SECONDS * 2.0 ** (failures - 1), LONGEST_PAUSE_SECONDS)
    own = doubled * (1 + chance) / 2
    return own if asked is None else max(min(asked, LONGEST_OBEYED_SECONDS), own)


def seconds_asked(retry_after: str | None, now: datetime) -> float | None:
    """What a Retry-After header asks for: seconds, or a date; None where it says nothing."""
    if retry_after is None:
        return None
    text = retry_after.strip()
    if text.isascii() and text.replace(".", "", 1).isdigit():
        return float(text)
    try:
        moment = parsedate_to_datetime(text)
        return max((moment - now).total_seconds(), 0.0)
    except (TypeError, ValueError):  # no date, or one without a time zone
        return None
