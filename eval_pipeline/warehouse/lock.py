"""One writer a warehouse, by the kernel's word: a lock that dies with its process.

The lock is `flock` on `.lock`. It is held once a process, however often it is taken there. A
forked child does not hold it, and does not keep it from the next process when the parent dies.
"""

import fcntl
import json
import os
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from eval_pipeline.warehouse.durable import make_folder, room_in
from eval_pipeline.warehouse.errors import WarehouseBusy
from eval_pipeline.warehouse.record import now, timestamp

LOCK_NAME = ".lock"
UI_LOCK_NAME = ".ui.lock"


@dataclass
class _Held:
    handle: int
    depth: int


_held: dict[Path, _Held] = {}
_guard = threading.RLock()


@contextmanager
def warehouse_lock(warehouse: Path) -> Iterator[bool]:
    """Holds the warehouse's lock; yields whether it was taken here, and not held already.

    Raises WarehouseBusy at once where another process holds it, naming that process.
    """
    path = warehouse.resolve() / LOCK_NAME
    with _guard:
        held = _held.get(path)
        first = held is None
        if held is None:
            busy = f"warehouse {path.parent} is in use"
            held = _held[path] = _Held(_taken(path, busy, "wait until it has ended"), 0)
        held.depth += 1
    try:
        yield first
    finally:
        with _guard:
            held.depth -= 1
            if held.depth == 0 and _held.get(path) is held:
                del _held[path]
                os.close(held.handle)


def lock_holder(warehouse: Path) -> str | None:
    """Who holds the warehouse's lock, in words; None where nobody does. This one counts too."""
    path = warehouse.resolve() / LOCK_NAME
    try:
        handle = os.open(path, os.O_RDONLY)
    except FileNotFoundError:
        return None
    try:
        return None if _flock(handle, fcntl.LOCK_SH) else _holder(path)
    finally:
        os.close(handle)


@contextmanager
def ui_lock(folder: Path, port: int) -> Iterator[None]:
    """Holds the right to open a UI with its daemon on a warehouse, or on a Dagster home.

    Raises WarehouseBusy at once where another process holds it, naming that UI.
    """
    path = folder.resolve() / UI_LOCK_NAME
    handle = _taken(path, f"the UI of {path.parent} is held open", "stop it first", port=port)
    try:
        yield
    finally:
        os.close(handle)


def _taken(path: Path, held: str, mend: str, **more: int) -> int:
    """The locked file, with this process's name in it; held, mend: what is said where it is not."""
    make_folder(path.parent)
    handle = os.open(path, os.O_RDWR | os.O_CREAT, 0o644)
    try:
        while not _flock(handle, fcntl.LOCK_EX):
            if not _flock(handle, fcntl.LOCK_SH):
                raise WarehouseBusy(f"{held} by {_holder(path)}: {mend}")
            fcntl.flock(handle, fcntl.LOCK_UN)  # somebody only looked, which takes an instant
        holder = {
            "pid": os.getpid(),
            "host": socket.gethostname(),
            "started": timestamp(now()),
            **more,
        }
        os.ftruncate(handle, 0)
        with room_in(path.parent):
            os.pwrite(handle, json.dumps(holder).encode(), 0)
    except BaseException:
        os.close(handle)
        raise
    return handle


def _flock(handle: int, kind: int) -> bool:
    """Whether the lock could be had at once."""
    try:
        fcntl.flock(handle, kind | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _holder(path: Path) -> str:
    try:
        holder = json.loads(path.read_bytes())
        where = f", http://127.0.0.1:{holder['port']}" if "port" in holder else ""
        return f"process {holder['pid']} on {holder['host']} since {holder['started']}{where}"
    except (ValueError, KeyError, TypeError):
        return "another process"  # which has the lock, and has not yet written its name


def _forget_in_child() -> None:
    """A child must take the lock for itself; closing its copy leaves the parent's in place."""
    global _guard
    _guard = threading.RLock()
    for held in _held.values():
        os.close(held.handle)
    _held.clear()


os.register_at_fork(after_in_child=_forget_in_child)
