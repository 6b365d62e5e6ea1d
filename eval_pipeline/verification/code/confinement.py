"""What a way to hold candidates offers to the server that makes them."""

import socket
from collections.abc import Callable
from dataclasses import dataclass

from eval_pipeline.verification.code.limits import Limits
from eval_pipeline.verification.code.seccomp import Filter
from eval_pipeline.verification.code.watch import Watch

# (limits, its end of the channel, its standard output, filter, watch) -> process id
Start = Callable[[Limits, socket.socket, int, Filter, Watch], int]


def _never_full() -> bool:
    return False


def _nothing_left(watch: Watch, driver: int | None) -> None:
    return None


@dataclass(frozen=True)
class Confinement:
    """Starts candidates, and clears away after each.

    overfull: whether the scratch holds more than it may, where no mount of its own bounds it.
    clear: ends and removes what a run left, where no PID space and no mount goes down with it; it
    is given the watch and the id of the driver, which stays.
    capabilities: those that all processes of the sandbox keep.
    """

    start: Start
    overfull: Callable[[], bool] = _never_full
    clear: Callable[[Watch, int | None], None] = _nothing_left
    capabilities: int = 0
