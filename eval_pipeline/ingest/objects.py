"""One JSON object a line, read strictly: what JSON allows twice, loosely or not at all is refused.

orjson reads each line. It would silently keep the last of two equal keys and round integers
beyond 64 bits, so a line that may hold either, and a line that orjson refuses, is read again by
the strict reader, which is four times slower and knows the reason.
"""

import json
import math
from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import orjson
from numpy.typing import NDArray

from eval_pipeline.ingest.lines import Lines
from eval_pipeline.ingest.rejects import RowFault

MAX_DEPTH = 100
MAX_QUICK_BYTES = 8 << 20  # of lines together: the quick look takes 20 times their memory at worst
MAX_DIGITS = 4000  # of an integer: Python's cost of reading one grows with their square

Object = dict[str, Any]
Columns = dict[str, list[Any]]

_EXACT = float(2**63)  # orjson gives integers beyond this as floats
_DOUBT = -(2**40)
_PLAIN = {str, int, bool, type(None)}
_NUMBERS = {float, int, type(None)}


@dataclass(frozen=True)
class Batch:
    """Some lines in order; each has its object, or an empty one and its fault, by its place.

    columns: the objects' values by key, where all objects have the same keys in one order, as
    one writer makes them; else None.
    """

    lines: Lines
    objects: list[Object]
    faults: dict[int, RowFault]
    columns: Columns | None

    def __len__(self) -> int:
        return len(self.objects)


def read_batches(blocks: Iterable[Lines]) -> Iterator[Batch]:
    r"""All lines, parsed.

    Integers are exact at any size, other numbers float64. A lone surrogate (`"\ud800"`) is kept
    as such: what becomes of it is for the caller to say. A fault is invalid UTF-8, NaN and
    Infinity, a number beyond float64, a key that stands twice in an object, nesting beyond
    MAX_DEPTH, anything that is not one JSON object, and a fault of the line itself.
    """
    for lines in blocks:
        objects, n_keys, columns = _quickly(lines.contents)
        doubtful = np.flatnonzero(n_keys != _most_keys(lines.contents)).tolist()
        faults: dict[int, RowFault] = {}
        for i in sorted({*doubtful, *lines.faults}):
            columns = None
            try:
                objects[i] = _carefully(lines, i)
            except RowFault as fault:
                objects[i], faults[i] = {}, fault
        yield Batch(lines, objects, faults, columns)


def parse_object(content: bytes, constants: bool = False) -> Object:
    """The JSON object that the bytes hold, by the strict reader; raises RowFault.

    constants: NaN and Infinity are taken as the numbers that they name.
    """
    reader = _WITH_CONSTANTS if constants else _STRICT
    try:
        row = reader.decode(content.decode("utf-8"))
    except UnicodeDecodeError as error:
        raise RowFault("invalid_utf8", f"byte {error.start} of the line is not UTF-8") from None
    except RecursionError:
        raise RowFault("too_deep", f"nested deeper than {MAX_DEPTH} levels") from None
    except json.JSONDecodeError as error:
        if b"\0" in content:
            raise RowFault("nul_byte", f"NUL at byte {content.index(0)} of the line") from None
        raise RowFault("invalid_json", f"{error.msg} at character {error.pos}") from None
    if type(row) is not dict:
        raise RowFault("not_an_object")
    _census(row.values(), 1)
    return row


def _carefully(lines: Lines, i: int) -> Object:
    if i in lines.faults:
        raise RowFault(lines.faults[i])
    try:
        return parse_object(lines.contents[i])
    except RowFault as fault:
        if lines.ended or i < len(lines) - 1 or fault.reason != "invalid_json":
            raise
        raise RowFault("truncated", f"the last line has no line end, and {fault.detail}") from None


def _quickly(contents: list[bytes]) -> tuple[list[Any], NDArray[np.int64], Columns | None]:
    """What orjson reads, how many keys each object has at all levels, and the columns.

    Less than 0 keys: it is no object, or orjson may have rounded an integer in it.
    """
    try:
        objects = list(map(orjson.loads, contents))
    except orjson.JSONDecodeError:
        objects = list(map(_loaded, contents))
    if set(map(type, objects)) != {dict} or len(set(map(tuple, objects))) > 1:
        return objects, np.array([_keys_of(row) for row in objects]), None
    values = zip(*map(dict.values, objects), strict=True)
    columns = dict(zip(objects[0], map(list, values), strict=True))
    n_keys = np.full(len(objects), len(columns))
    for column in columns.values():
        kinds = set(map(type, column))
        if not (kinds <= _PLAIN or (kinds <= _NUMBERS and _magnitude(column) < _EXACT)):
            n_keys += [_keys_within((value,)) for value in column]
    return objects, n_keys, columns


def _loaded(content: bytes) -> Any:
    try:
        return orjson.loads(content)
    except orjson.JSONDecodeError:
        return None


def _keys_of(row: Any) -> int:
    return len(row) + _keys_within(row.values()) if type(row) is dict else _DOUBT


def _keys_within(values: Collection[Any]) -> int:
    """How many keys are inside the values, at all levels; far below 0 where that is in doubt."""
    try:
        keys, magnitude = _census(values, 1)
    except RowFault:
        return _DOUBT
    return keys if magnitude < _EXACT else _DOUBT


def _census(values: Collection[Any], depth: int) -> tuple[int, float]:
    """How many keys are inside the values, and a number that no float in them exceeds.

    Raises RowFault where they are nested beyond MAX_DEPTH.
    """
    keys, magnitude = 0, 0.0
    for value in values:
        if type(value) is float:
            magnitude = max(magnitude, abs(value))
        elif type(value) is dict or type(value) is list:
            if depth >= MAX_DEPTH:
                raise RowFault("too_deep", f"nested deeper than {MAX_DEPTH} levels")
            inner: Collection[Any] = value
            if type(value) is dict:
                keys += len(value)
                inner = value.values()
            try:  # the ordinary long list, such as one of log-probabilities, at C speed
                magnitude = max(magnitude, _magnitude(inner))
            except (TypeError, OverflowError):  # there is more in it than numbers
                keys_within, magnitude_within = _census(inner, depth + 1)
                keys += keys_within
                magnitude = max(magnitude, magnitude_within)
    return keys, magnitude


def _magnitude(numbers: Iterable[float | None]) -> float:
    """A number that none of the numbers exceeds: their Euclidean norm, null ones left out."""
    return math.hypot(*filter(None, numbers))


def _most_keys(contents: list[bytes]) -> NDArray[np.int64]:
    """Of each line, a number of keys that it has at most.

    A key's colon follows the quote that ends the key, blanks perhaps between. So each colon after
    a quote is counted, unless that quote is escaped and ends no string; and after several blanks
    each colon is. -1 where the lines are too long, or too short, to be looked at in this way.
    """
    ends = np.cumsum(np.fromiter(map(len, contents), dtype=np.int64, count=len(contents)))
    if ends[-1] < 3 or ends[-1] > MAX_QUICK_BYTES:
        return np.full(len(contents), -1)
    buffer = np.frombuffer(b"".join(contents), dtype=np.uint8)
    colons = np.flatnonzero(buffer == ord(":"))
    blank = _IS_BLANK[buffer[colons - 1]]
    before = colons - 1 - blank
    quoted = buffer[before] == ord('"')
    # a backslash that follows no other backslash escapes what comes after it
    escaped = quoted & (buffer[before - 1] == _BACKSLASH) & (buffer[before - 2] != _BACKSLASH)
    counted = (quoted & ~escaped) | (blank & _IS_BLANK[buffer[before]])
    lines = np.searchsorted(ends, colons[counted], side="right")
    return np.bincount(lines, minlength=len(contents))


_BACKSLASH = ord("\\")
_IS_BLANK = np.zeros(256, dtype=bool)
_IS_BLANK[list(b" \t\r")] = True


def _once(pairs: list[tuple[str, Any]]) -> Object:
    row = dict(pairs)
    if len(row) < len(pairs):
        twice = next(key for key, count in Counter(key for key, _ in pairs).items() if count > 1)
        raise RowFault("duplicate_key", f"key {twice!r} stands twice in one object")
    return row


def _finite(digits: str) -> float:
    number = float(digits)
    if math.isinf(number):
        raise RowFault("not_finite", f"{digits} is beyond float64")
    return number


def _whole(digits: str) -> int:
    if len(digits) > MAX_DIGITS:
        raise RowFault("not_finite", f"an integer of {len(digits)} digits is beyond float64")
    return int(digits)


def _no_constant(word: str) -> Any:
    raise RowFault("not_finite", f"{word} is not JSON: write null, or leave the key out")


_STRICT = json.JSONDecoder(
    object_pairs_hook=_once, parse_float=_finite, parse_int=_whole, parse_constant=_no_constant
)
_WITH_CONSTANTS = json.JSONDecoder(
    object_pairs_hook=_once, parse_float=_finite, parse_int=_whole, parse_constant=float
)
