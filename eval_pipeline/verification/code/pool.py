"""Several sandboxes at once, each started when it is first needed."""

from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from queue import SimpleQueue

from eval_pipeline.verification.code.limits import Limits
from eval_pipeline.verification.code.messages import Message
from eval_pipeline.verification.code.packages import mentioned
from eval_pipeline.verification.code.worker import Outcome, Worker

TIMEOUTS = ("timeout_cpu", "timeout_wall")
AGAIN = (*TIMEOUTS, "infra_error")
Orders = Sequence[Message]  # the runs of one program, each as the driver takes it


def outcomes(
    programs: Sequence[Orders], workers: int, mode: str, limits: Limits, packages: Sequence[str]
) -> list[Outcome]:
    """The outcome of each program, in order; a time-out and a broken run are tried again, alone.

    Raises SandboxError where the mode cannot be entered.
    """
    count = max(1, min(workers, len(programs)))
    slots = [_Slot(mode, limits, packages) for _ in range(count)]
    idle: SimpleQueue[_Slot] = SimpleQueue()
    for slot in slots:
        idle.put(slot)

    def run(orders: Orders) -> Outcome:
        slot = idle.get()
        try:
            return slot.run(orders)
        finally:
            idle.put(slot)

    try:
        with ThreadPoolExecutor(max_workers=count) as threads:
            found = list(threads.map(run, programs))
        for i, outcome in enumerate(found):
            if outcome.status in AGAIN:
                found[i] = slots[0].run(programs[i])
    finally:
        for slot in slots:
            slot.close()
    return found


class _Slot:
    """Up to two servers for one thread: without packages, and with them."""

    def __init__(self, mode: str, limits: Limits, packages: Sequence[str]) -> None:
        self._mode, self._limits, self._packages = mode, limits, packages
        self._workers: dict[tuple[str, ...], Worker] = {}

    def run(self, orders: Iterable[Message]) -> Outcome:
        """The first outcome that is no pass, else the last."""
        outcome = Outcome("infra_error", "no_tests: the item has none")
        for order in orders:
            needs = mentioned(str(order["code"]), self._packages)
            if needs not in self._workers:
                self._workers[needs] = Worker(self._mode, self._limits, needs)
            outcome = self._workers[needs].run(order)
            if outcome.status != "pass":
                return outcome
        return outcome

    def close(self) -> None:
        for worker in self._workers.values():
            worker.close()
