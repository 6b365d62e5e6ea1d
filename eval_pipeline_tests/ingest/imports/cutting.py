"""Work done in a process of its own, which kills itself at the n-th change to a folder."""

import os
import signal
import sys
from collections.abc import Callable
from pathlib import Path

CHANGES = ("os.rename", "os.remove", "os.rmdir", "os.mkdir", "os.truncate", "shutil.rmtree")
MOST_CHANGES = 2_000


def killed_at(change: int, root: Path, work: Callable[[], object]) -> bool:
    """Whether the n-th change below the root came before the work was done; it was then killed.

    A change is a file opened to be written, or a call that moves, makes or removes something;
    the process is killed by SIGKILL just before it.
    """
    child = os.fork()
    if child == 0:
        status = 1
        try:
            sys.addaudithook(_Killer(change, os.fspath(root)))
            work()
            status = 0
        finally:
            os._exit(status)
    _, ended = os.waitpid(child, 0)
    if os.WIFSIGNALED(ended):
        assert os.WTERMSIG(ended) == signal.SIGKILL
        return True
    assert os.WEXITSTATUS(ended) == 0
    return False


class _Killer:
    def __init__(self, change: int, below: str) -> None:
        self._left, self._below = change, below

    def __call__(self, event: str, arguments: tuple[object, ...]) -> None:
        if event in CHANGES or (event == "open" and _writes(arguments[2])):
            path = arguments[0]
            if isinstance(path, str | os.PathLike) and self._is_below(os.fspath(path)):
                if self._left == 0:
                    os.kill(os.getpid(), signal.SIGKILL)
                self._left -= 1

    def _is_below(self, path: object) -> bool:
        return not isinstance(path, str) or path.startswith(self._below) or path[:1] != "/"


def _writes(flags: object) -> bool:
    return isinstance(flags, int) and flags & (os.O_WRONLY | os.O_RDWR | os.O_TRUNC) != 0
