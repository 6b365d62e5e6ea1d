"""A signal to stop that comes while an event loop runs.

What a handler raises inside the loop, asyncio may take for a broken connection and swallow. So it
raises nothing there: it tells the work to stop, and takes its usual course once that has ended.
"""

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType

SIGNALS = (signal.SIGINT, signal.SIGTERM)


@contextmanager
def stop_heard(stop: Callable[[], None]) -> Iterator[None]:
    """Calls `stop` at the first SIGINT or SIGTERM, which takes its usual course at the end.

    A second one takes it at once, and one that is ignored stays ignored. Outside the main thread,
    where signals do not come, nothing is done.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = {one: signal.getsignal(one) for one in SIGNALS}
    before = {one: handler for one, handler in before.items() if handler is not signal.SIG_IGN}
    told: list[int] = []

    def hear(number: int, frame: FrameType | None) -> None:
        told.append(number)
        if len(told) == 1:
            stop()
        else:
            put_back()
            signal.raise_signal(number)

    def put_back() -> None:
        for one, handler in before.items():
            signal.signal(one, handler)

    for one in before:
        signal.signal(one, hear)
    try:
        yield
    finally:
        put_back()
        if told:
            signal.raise_signal(told[0])
