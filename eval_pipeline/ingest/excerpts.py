r"""Foreign text made printable: control, format and unpaired characters as \xNN or \uNNNN.

A row's or a file's own text can then neither steer a terminal nor break a line of a report.
"""

from collections.abc import Iterable
from pathlib import Path

EXCERPT_CHARS = 200


def excerpt(content: bytes | str) -> str:
    """The start of a row as one printable line of at most EXCERPT_CHARS characters."""
    if isinstance(content, bytes):
        # a character takes four bytes at most, so nothing that would be shown is cut away here
        content = content[: 4 * (EXCERPT_CHARS + 1)].decode("utf-8", errors="backslashreplace")
    return printable(content, EXCERPT_CHARS)


def printable(text: str, limit: int) -> str:
    """The text escaped and cut to `limit` characters, the last of them then an ellipsis."""
    shown = "".join(c if c.isprintable() else _escaped(c) for c in text[: limit + 1])
    return shown if len(shown) <= limit else shown[: limit - 1] + "…"


def shown_name(path: Path) -> str:
    """A file's name for an error or a listing, whatever bytes it is made of."""
    return printable(path.name, 260)


def listed(names: Iterable[str], most: int = 50) -> str:
    """Names of unknown origin as one short printable text."""
    shown = [printable(name, 60) for name in names]
    more = f" and {len(shown) - most} more" if len(shown) > most else ""
    return ", ".join(shown[:most]) + more or "none"


def _escaped(character: str) -> str:
    code = ord(character)
    if code < 0x100:
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"
