"""What may be spent in a run, in calls and in money, over all judges together."""

from dataclasses import dataclass
from typing import Literal

NANO = 10**9  # money is counted in whole nano-dollars: sums of floats leave residues


@dataclass
class Purse:
    """Limits (None: no limit), and what has gone.

    Money is set aside at the most that a call should cost before it is sent, and settled by what
    the endpoint counted. One that cost more raises what is set aside for every later call and for
    those in flight, so only calls sent before that was known can pass the limit.
    """

    calls: int | None = None
    usd: float | None = None
    spent_calls: int = 0
    in_flight: int = 0
    _spent: int = 0
    _mosts: int = 0
    _excess: int = 0  # the most by which a call has passed what it should cost

    @property
    def spent_usd(self) -> float:
        return self._spent / NANO

    @property
    def set_aside_usd(self) -> float:
        return self._set_aside / NANO

    @property
    def _set_aside(self) -> int:
        return self._mosts + self.in_flight * self._excess

    def take(self, most_usd: float) -> Literal["taken", "wait", "spent"]:
        """Sets aside one call; `wait` where calls in flight may still leave room for it."""
        if self.calls is not None and self.spent_calls >= self.calls:
            return "wait" if self.in_flight else "spent"  # one that is not sent gives its call back
        needed = self._spent + self._set_aside + _nano(most_usd) + self._excess
        if self.usd is not None and needed > _nano(self.usd):
            return "wait" if self.in_flight else "spent"
        self.spent_calls += 1
        self.in_flight += 1
        self._mosts += _nano(most_usd)
        return "taken"

    def settle(self, most_usd: float, usd: float, sent: bool = True) -> None:
        """What a call that was taken at `most_usd` really cost; one that never left is no call."""
        self.in_flight -= 1
        self.spent_calls -= not sent
        self._mosts -= _nano(most_usd)
        self._spent += _nano(usd)
        self._excess = max(self._excess, _nano(usd) - _nano(most_usd))

    @property
    def said(self) -> str:
        """The limits as a person set them."""
        limits = []
        if self.calls is not None:
            limits.append(f"{self.calls} calls")
        if self.usd is not None:
            limits.append(f"{self.usd:g} US dollars")
        return " and ".join(limits)


def _nano(usd: float) -> int:
    return round(usd * NANO)
