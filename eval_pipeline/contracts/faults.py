"""What is wrong with a file that a person wrote: every fault at once, each with its mend."""

import difflib
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

Path = tuple[str | int, ...]  # keys and list indices from the top of a document

SHOWN_CHARACTERS = 60
SHOWN_FAULTS = 100
SHOWN_NAMES = 30
_PLAIN_KEY = re.compile(r"[A-Za-z0-9_.@+-]{1,60}")
_PLAIN_NAME = re.compile(r"[\w.@+/^ -]{1,128}")


@dataclass(frozen=True)
class Fault:
    """One thing that is wrong: where it stands, what it is, and how to mend it.

    file: path below the data root. line: from 1; None where no line can be named.
    """

    field: str
    file: str
    line: int | None
    message: str
    mend: str

    def __str__(self) -> str:
        place = self.file if self.line is None else f"{self.file}:{self.line}"
        return ": ".join(filter(None, (place, self.field, f"{self.message}; {self.mend}")))


class Faults(ValueError):  # noqa: N818 - it carries several
    """All faults of a file; the text has one line a fault, and counts what is beyond 100."""

    def __init__(self, faults: Iterable[Fault]) -> None:
        self.faults = in_order(faults)
        lines = [str(fault) for fault in self.faults[:SHOWN_FAULTS]]
        if beyond := len(self.faults) - len(lines):
            lines.append(f"and {beyond} more faults")
        super().__init__("\n".join(lines))


class ContractFaults(Faults):
    """A contract, or a list kept beside the contracts, that cannot be used."""


class CheckpointFaults(Faults):
    """A checkpoint.yaml that cannot be used."""


class ItemFaults(Faults):
    """A file of items that cannot be used."""


def in_order(faults: Iterable[Fault]) -> tuple[Fault, ...]:
    """By file, line and field; what is said twice is said once."""
    return tuple(
        sorted(set(faults), key=lambda f: (f.file, f.line or 0, f.field, f.message, f.mend))
    )


def field_of(path: Sequence[str | int]) -> str:
    """How a path is written: `metrics[1].k`. Keys that are not plain words are quoted."""
    written = ""
    for step in path:
        if isinstance(step, int):
            written += f"[{step}]"
        else:
            key = step if _PLAIN_KEY.fullmatch(step) else shown(step)
            written += f".{key}" if written else key
    return written


def shown(value: Any) -> str:
    """A value as a message shows it: one short line, control characters escaped."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if value is None:
        return "nothing"
    if isinstance(value, dict):
        return "a mapping"
    if isinstance(value, list):
        return "a list"
    if isinstance(value, date):
        return f"the date {value.isoformat()}"
    text = repr(value)
    if len(text) <= SHOWN_CHARACTERS:
        return text
    return f"{text[: SHOWN_CHARACTERS - 3]}..."


def cannot_be_used(kind: str, name: str, faults: Sequence[str]) -> str:
    """What is wrong with the files of a thing that was named: one line, or one a fault."""
    between = " " if len(faults) == 1 else "\n"
    return between.join([f"{kind} {name} cannot be used:", *faults])


def nearest(word: str, known: Iterable[str]) -> str:
    """A mend for a word that is not known: the names most like it, else all, in their order.

    Names that could disturb a terminal are left out; empty where nothing is known.
    """
    names = [name for name in known if _PLAIN_NAME.fullmatch(name)]
    if not names:
        return ""
    if close := difflib.get_close_matches(word, names, n=3, cutoff=0.6):
        return f"did you mean {' or '.join(close)}?"
    beyond = f" or {len(names) - SHOWN_NAMES} more" if len(names) > SHOWN_NAMES else ""
    return f"use one of {', '.join(names[:SHOWN_NAMES])}{beyond}"
