"""Landlock: which files a process may open, and that it signals nobody else. Needs no privilege.

It hides no name: what may not be opened can still be seen to exist.
"""

import ctypes
import os
from collections.abc import Iterable

from eval_pipeline.verification.code import kernel

_READ_FILE, _READ_FOLDER = 1 << 2, 1 << 3
_WRITE_FILE, _TRUNCATE = 1 << 1, 1 << 14
# each version of the interface knows more: the number of file rights from that version on
_FILE_RIGHTS = {1: 13, 2: 14, 3: 15, 5: 16}
_ALL_SCOPES, _SCOPES_SINCE = 0b11, 6  # abstract sockets and signals
_MAKES_PROGRAMS_RUN = 1 << 0
_OF_FILES = _READ_FILE | _WRITE_FILE | _TRUNCATE
_ASK_VERSION = 1
_PATH_BENEATH = 1


def version() -> int:
    """Of the kernel's interface; raises OSError where there is none."""
    return kernel.call("landlock_create_ruleset", None, 0, _ASK_VERSION)


def restrict(readable: Iterable[str], writable: Iterable[str], devices: Iterable[str]) -> None:
    """Binds this process and all that it starts, for good; raises OSError.

    Below `readable` files may be read and folders listed, below `writable` anything but running
    programs, `devices` are read and written. All else is refused. `no_new_privs` must be set.
    """
    known = version()
    rights = (1 << max(n for since, n in _FILE_RIGHTS.items() if since <= known)) - 1
    scopes = _ALL_SCOPES if known >= _SCOPES_SINCE else 0
    record = (ctypes.c_uint64 * 3)(rights, 0, scopes)
    size = ctypes.sizeof(record) if scopes else 8
    rules = kernel.call("landlock_create_ruleset", ctypes.addressof(record), size, 0)
    try:
        for paths, allowed in (
            (readable, _READ_FILE | _READ_FOLDER),
            (writable, rights & ~_MAKES_PROGRAMS_RUN),
            (devices, rights & _OF_FILES),
        ):
            for path in paths:
                _allow(rules, path, allowed)
        kernel.call("landlock_restrict_self", rules, 0)
    finally:
        os.close(rules)


def _allow(rules: int, path: str, rights: int) -> None:
    try:
        place = os.open(path, os.O_PATH)
    except FileNotFoundError:
        return
    try:
        if not os.path.isdir(path):
            rights &= _OF_FILES
        rule = rights.to_bytes(8, "little") + place.to_bytes(4, "little")
        text = ctypes.create_string_buffer(rule, len(rule))
        kernel.call("landlock_add_rule", rules, _PATH_BENEATH, ctypes.addressof(text), 0)
    finally:
        os.close(place)
