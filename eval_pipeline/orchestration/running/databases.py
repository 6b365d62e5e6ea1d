"""Dagster's own databases beside the warehouse: made whole or not at all, and never full unsaid."""

import errno
import os
import shutil
import sqlite3
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import dagster as dg

from eval_pipeline.orchestration.running.home import HOME_VARIABLE
from eval_pipeline.warehouse.durable import disk_full

FOLDERS = ("schedules", "storage", "history")  # the last one says that all are there
LEAST_ROOM = 64 << 10  # bytes; with less, SQLite's other words mean a full disk as well
_MEANS_FULL = {sqlite3.SQLITE_FULL}
_MAY_MEAN_FULL = {sqlite3.SQLITE_IOERR, sqlite3.SQLITE_CANTOPEN}


def make_databases(home: Path) -> None:
    """Makes the databases of a new home aside, and moves them into place.

    Dagster makes tables one after the other. Where the disk fills meanwhile, the next start would
    take what is there for whole, and fail for ever.
    """
    if (home / FOLDERS[-1]).exists():
        return
    with tempfile.TemporaryDirectory(dir=home, prefix=".new-") as folder:
        scratch = Path(folder)
        shutil.copy(home / "dagster.yaml", scratch)
        with _as_home(scratch):
            dg.DagsterInstance.get().dispose()
        for name in FOLDERS:
            if (scratch / name).exists():
                shutil.rmtree(home / name, ignore_errors=True)  # of a start that ended half-way
                (scratch / name).rename(home / name)


@contextmanager
def _as_home(folder: Path) -> Iterator[None]:
    """The folder is DAGSTER_HOME meanwhile, by which the configuration finds its files."""
    before = os.environ.get(HOME_VARIABLE)
    os.environ[HOME_VARIABLE] = str(folder)
    try:
        yield
    finally:
        if before is None:
            del os.environ[HOME_VARIABLE]
        else:
            os.environ[HOME_VARIABLE] = before


@contextmanager
def room_for(home: Path) -> Iterator[None]:
    """Turns what SQLite says of a full disk into DiskFull, which names the place and the mend."""
    try:
        yield
    except Exception as error:
        if not _is_full(error, home):
            raise
        raise disk_full(home, errno.ENOSPC) from error


def _is_full(error: BaseException | None, home: Path) -> bool:
    while error is not None:
        code = getattr(getattr(error, "orig", error), "sqlite_errorcode", sqlite3.SQLITE_OK) & 0xFF
        if code in _MEANS_FULL or (isinstance(error, OSError) and error.errno == errno.ENOSPC):
            return True
        if code in _MAY_MEAN_FULL and shutil.disk_usage(home).free < LEAST_ROOM:
            return True
        error = error.__cause__ or error.__context__
    return False
