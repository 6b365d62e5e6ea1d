"""What may be spent in a run, in calls and in money, over all judges together."""

from dataclasses import dataclass
from typing import Literal


@dataclass
class Purse:
    """Limits (None: no limit), and what has gone.

    Money is set aside at the most that a call may cost before it is sent, and settled by what
    the endpoint counted: the limit is never passed, however many calls are in flight.
    """

    calls: int | None = None
    usd: float | None = None
    spent_calls: int = 0
    spent_usd: float = 0.0
    set_aside_usd: float = 0.0

    def take(self, most_usd: float) -> Literal["taken", "wait", "spent"]:
        """Sets aside one call; `wait` where calls in flight may still leave room for it."""
        if self.calls is not None and self.spent_calls >= self.calls:
            return "spent"
        if self.usd is not None and self.spent_usd + self.set_aside_usd + most_usd > self.usd:
            return "wait" if self.set_aside_usd > 0 else "spent"
        self.spent_calls += 1
        self.set_aside_usd += most_usd
        return "taken"

    def settle(self, most_usd: float, usd: float) -> None:
        """What a call that was taken really cost."""
        left = self.set_aside_usd - most_usd
        self.set_aside_usd = left if left > 1e-12 else 0.0  # what rounding leaves is no money
        self.spent_usd += usd

    @property
    def said(self) -> str:
        """The limits as a person set them."""
        limits = []
        if self.calls is not None:
            limits.append(f"{self.calls} calls")
        if self.usd is not None:
            limits.append(f"{self.usd:g} US dollars")
        return " and ".join(limits)
