"""YAML text to plain data, with the line of every key.

A strict subset of YAML 1.2: mappings with text keys, lists, text, numbers, true, false, null and
dates. Whatever two readers of YAML would understand differently is refused with a mend, and so is
whatever lets a small file grow (anchors, aliases) or make objects (tags). Nothing of PyYAML that
constructs objects is used, only its parser's events.
"""

import hashlib
import math
import re
import stat
import unicodedata
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import date
from pathlib import Path as FilePath
from typing import Any

import yaml

from eval_pipeline.contracts.faults import Fault, Path, field_of, shown

MAX_BYTES = 1_000_000
MAX_DEPTH = 24

_WHOLE = re.compile(r"[-+]?(0|[1-9][0-9]*)")
_DECIMAL = re.compile(r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?")
_DATE = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_BOOLS = {"true": True, "True": True, "TRUE": True, "false": False, "False": False, "FALSE": False}
_NULLS = ("", "~", "null", "Null", "NULL")
_SWITCHES = ("yes", "no", "on", "off")
_OTHER_BASES = re.compile(r"[-+]?(0[0-9_]+|0[bB][01_]+|0[oO][0-7_]+|0[xX][0-9a-fA-F_]+)")
_GROUPED = re.compile(r"[-+]?[0-9][0-9_]*_[0-9_]*(\.[0-9_]*)?")
_SEXAGESIMAL = re.compile(r"[-+]?[0-9][0-9_]*(:[0-5]?[0-9])+(\.[0-9_]*)?")
_NOT_FINITE = re.compile(r"[-+]?\.(inf|Inf|INF)|\.(nan|NaN|NAN)")


@dataclass(frozen=True)
class Document:
    """What a file says.

    data: plain values; a value with a fault stands as its text. lines: path to line, from 1.
    flawed: paths of the values with a fault. sha256: of the bytes; empty where none were read.
    """

    file: str
    data: Any
    lines: Mapping[Path, int] = field(default_factory=dict)
    faults: tuple[Fault, ...] = ()
    flawed: frozenset[Path] = frozenset()
    sha256: str = ""

    def line_of(self, path: Path) -> int:
        """The line of the path, or of the nearest thing above it."""
        while path and path not in self.lines:
            path = path[:-1]
        return self.lines.get(path, 1)


def read_yaml_file(path: FilePath, file: str) -> Document:
    """The file as a document; `file` is how faults name it. Never raises for what is on disk."""
    try:
        facts = path.lstat()
        if stat.S_ISLNK(facts.st_mode):
            return _unreadable(file, "is a symbolic link", "put the file itself there")
        if not stat.S_ISREG(facts.st_mode):
            return _unreadable(file, "is not a file", "put a YAML file there")
        with path.open("rb") as stream:
            raw = stream.read(MAX_BYTES + 1)
    except OSError as error:
        reason = error.strerror or type(error).__name__
        return _unreadable(
            file, f"cannot be read ({reason})", "check that it is there and readable"
        )
    return read_yaml(raw, file)


def read_yaml(raw: bytes, file: str) -> Document:
    """Bytes as a document. Faults that leave no data stand alone; all others are collected."""
    if len(raw) > MAX_BYTES:
        return _unreadable(file, f"is larger than {MAX_BYTES} bytes", "shorten it")
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = raw.count(b"\n", 0, error.start) + 1
        return _unreadable(file, f"byte {error.start} is not UTF-8", "save it as UTF-8", line)
    try:
        return replace(_Builder(file).document(text), sha256=hashlib.sha256(raw).hexdigest())
    except _RefusedError as refused:
        return Document(file, None, faults=(refused.fault,))
    except yaml.reader.ReaderError as error:
        line = text.count("\n", 0, error.position) + 1
        what = f"holds the control character {chr(error.character)!r}"
        return _unreadable(file, what, "take it out", line)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        line = mark.line + 1 if mark else 1
        said = " ".join(filter(None, (error.context, error.problem)))
        return _unreadable(file, f"is not YAML ({said})", "mend the line or the one above", line)


class _RefusedError(Exception):
    def __init__(self, fault: Fault) -> None:
        self.fault = fault


class _UnclearError(Exception):
    """A scalar that cannot be taken as it stands: what is wrong, and the mend."""

    def __init__(self, message: str, mend: str) -> None:
        self.message, self.mend = message, mend


class _Builder:
    """Builds plain data from parser events, and notes lines and faults on the way."""

    def __init__(self, file: str) -> None:
        self.file = file
        self.lines: dict[Path, int] = {}
        self.faults: list[Fault] = []
        self.flawed: set[Path] = set()

    def document(self, text: str) -> Document:
        self.events: Iterator[yaml.Event] = yaml.parse(text, Loader=yaml.SafeLoader)
        data = None
        count = 0
        for event in self.events:
            if isinstance(event, yaml.DocumentStartEvent):
                count += 1
                if count > 1:
                    raise _RefusedError(
                        self._fault((), event, "holds a second document", "keep one `---`")
                    )
                data = self._value(next(self.events), ())
        return Document(self.file, data, self.lines, tuple(self.faults), frozenset(self.flawed))

    def _value(self, event: yaml.Event, path: Path) -> Any:
        self.lines.setdefault(path, _line(event))
        if isinstance(event, yaml.AliasEvent) or getattr(event, "anchor", None):
            raise _RefusedError(
                self._fault(path, event, "anchors and aliases are refused", "write the value out")
            )
        if len(path) > MAX_DEPTH:
            raise _RefusedError(
                self._fault(path[:3], event, f"is nested deeper than {MAX_DEPTH}", "flatten it")
            )
        if isinstance(event, yaml.ScalarEvent):
            return self._scalar(event, path)
        if (tag := getattr(event, "tag", None)) is not None:
            self._note(path, event, f"the tag {shown(tag)} is refused", "take it out")
        if isinstance(event, yaml.SequenceStartEvent):
            return self._sequence(path)
        return self._mapping(path)

    def _sequence(self, path: Path) -> list[Any]:
        values: list[Any] = []
        while not isinstance(event := next(self.events), yaml.SequenceEndEvent):
            values.append(self._value(event, (*path, len(values))))
        return values

    def _mapping(self, path: Path) -> dict[str, object]:
        values: dict[str, object] = {}
        while not isinstance(event := next(self.events), yaml.MappingEndEvent):
            key = self._key(event, path)
            place = (*path, key)
            if key in values:
                first = self.lines[place]
                self._note(place, event, f"is given twice, first in line {first}", "keep one")
            self.lines.setdefault(place, _line(event))
            value = self._value(next(self.events), place)
            values.setdefault(key, value)
        return values

    def _key(self, event: yaml.Event, path: Path) -> str:
        if not isinstance(event, yaml.ScalarEvent) or getattr(event, "anchor", None):
            raise _RefusedError(
                self._fault(path, event, "has a key that is not text", "use plain keys")
            )
        text = str(event.value)
        value = self._scalar(event, path)
        if not isinstance(value, str):
            self._note(path, event, f"has the key {text!r}, which is not text", "quote it")
            return text
        return unicodedata.normalize("NFC", value)

    def _scalar(self, event: yaml.ScalarEvent, path: Path) -> Any:
        text = str(event.value)
        if event.tag is not None:
            self._note(path, event, f"the tag {shown(event.tag)} is refused", "take it out")
            return text
        try:
            if event.style is None:
                return _plain(text)
            return _checked_text(text)
        except _UnclearError as unclear:
            self._note(path, event, unclear.message, unclear.mend)
            return text

    def _note(self, path: Path, event: yaml.Event, message: str, mend: str) -> None:
        self.faults.append(self._fault(path, event, message, mend))
        self.flawed.add(path)

    def _fault(self, path: Path, event: yaml.Event, message: str, mend: str) -> Fault:
        return Fault(field_of(path), self.file, _line(event), message, mend)


def _line(event: yaml.Event) -> int:
    return event.start_mark.line + 1 if event.start_mark else 1


def _plain(text: str) -> Any:
    """The value of an unquoted scalar; raises _UnclearError where readers of YAML differ."""
    if text in _NULLS:
        return None
    if text in _BOOLS:
        return _BOOLS[text]
    if text.lower() in _SWITCHES:
        raise _UnclearError(
            f"{text} is true or false to some readers and text to others",
            f'quote it ("{text}"), or write true or false',
        )
    if _WHOLE.fullmatch(text):
        return _whole(text)
    if _OTHER_BASES.fullmatch(text) or _GROUPED.fullmatch(text) or _SEXAGESIMAL.fullmatch(text):
        raise _UnclearError(
            f"{shown(text)} is a number to some readers and text to others",
            "quote it, or write the number in plain decimals",
        )
    if _DECIMAL.fullmatch(text):
        return _finite(text)
    if _NOT_FINITE.fullmatch(text):
        raise _UnclearError(f"{text} is not a finite number", "write a number, or quote it")
    if _DATE.fullmatch(text):
        try:
            return date.fromisoformat(text)
        except ValueError:
            raise _UnclearError(f"{text} is not a day of the calendar", "correct it") from None
    return _checked_text(text)


def _whole(text: str) -> int:
    if len(text.lstrip("+-")) > 19 or not -(2**63) <= int(text) < 2**63:
        raise _UnclearError(f"{shown(text)} does not fit into 64 bits", "write a smaller number")
    return int(text)


def _finite(text: str) -> float:
    value = float(text)
    if not math.isfinite(value):
        raise _UnclearError(f"{shown(text)} is too large", "write a smaller number")
    return value


def _checked_text(text: str) -> str:
    if "\0" in text or any("\ud800" <= letter <= "\udfff" for letter in text):
        raise _UnclearError("holds NUL or half a surrogate pair", "take the escape out")
    return text


def _unreadable(file: str, message: str, mend: str, line: int | None = None) -> Document:
    return Document(file, None, faults=(Fault("", file, line, message, mend),))
