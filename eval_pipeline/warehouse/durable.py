"""Files that are whole or not there, even after SIGKILL or a power cut.

A file is written under a temporary name in its own folder, fsynced, renamed, and the folder is
fsynced. What a killed writer leaves behind ends in `.tmp`; nobody reads it, and gc removes it.
"""

import errno
import os
import secrets
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from eval_pipeline.warehouse.errors import DiskFull

TEMPORARY = ".tmp"
_NO_ROOM = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG}


def write_file(path: Path, write: Callable[[BinaryIO], object]) -> None:
    """Puts in place, at once, what `write` writes; an older file of that name is replaced.

    Raises DiskFull that names the folder; the older file is then untouched.
    """
    make_folder(path.parent)
    temporary = temporary_name(path)
    with room_in(path.parent):
        try:
            with open(temporary, "xb") as file:
                write(file)
                file.flush()
                os.fsync(file.fileno())
            move_into_place(temporary, path)
        finally:
            temporary.unlink(missing_ok=True)


def write_text(path: Path, text: str) -> None:
    """As `write_file`, for a short UTF-8 text."""
    write_file(path, lambda file: file.write(text.encode()))


def temporary_name(path: Path) -> Path:
    """A name beside `path` that no other writer uses."""
    return path.with_name(f".{path.name}.{secrets.token_hex(8)}{TEMPORARY}")


def move_into_place(temporary: Path, path: Path) -> None:
    """Renames a finished file, and makes the new name outlast a power cut."""
    os.replace(temporary, path)
    fsync_folder(path.parent)


def make_folder(folder: Path) -> None:
    """The folder with those above it; each new name outlasts a power cut."""
    if folder.is_dir():
        return
    make_folder(folder.parent)
    with room_in(folder.parent):
        folder.mkdir(exist_ok=True)
        fsync_folder(folder.parent)


def fsync_folder(folder: Path) -> None:
    """Makes the names in a folder outlast a power cut."""
    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


@contextmanager
def room_in(folder: Path) -> Iterator[None]:
    """Turns the system's several words for a full disk into one DiskFull."""
    try:
        yield
    except OSError as error:
        if error.errno not in _NO_ROOM:
            raise
        raise disk_full(folder, error.errno) from error


def disk_full(folder: Path, code: int) -> DiskFull:
    return DiskFull(
        f"no room to write in {folder} ({os.strerror(code)}): the results there are as they "
        "were; free some space and run again"
    )
