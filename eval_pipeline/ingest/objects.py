"""One JSON object a line, read strictly: what JSON allows twice, loosely or not at all is refused.

orjson reads the ordinary line. It would silently keep the last of two equal keys and round
integers beyond 64 bits, so a line that may hold either, and a line that orjson refuses, is read
again by the strict reader, which is four times slower and knows the reason.
"""

import json
import math
from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import orjson

from eval_pipeline.ingest.lines import Line
from eval_pipeline.ingest.rejects import RowFault

MAX_DEPTH = 100
MAX_DIGITS = 4000  # of an integer: Python's cost of reading one grows with their square
BATCH_ROWS = 256  # with few objects alive at a time they stay in the processor's cache
BATCH_BYTES = 8 << 20

Object = dict[str, Any]

_EXACT = float(2**63)  # orjson gives integers beyond this as floats


@dataclass(frozen=True)
class Batch:
    """Some lines in order; each has its object, or an empty one and its fault, by its place."""

    lines: list[Line]
    objects: list[Object]
    faults: dict[int, RowFault]


def read_batches(lines: Iterable[Line]) -> Iterator[Batch]:
    """All lines, parsed, in batches that are neither long nor heavy.

    Integers are exact at any size, other numbers float64. A lone surrogate (`"\\ud800"`) is kept
    as such: what becomes of it is for the caller to say. A fault is invalid UTF-8, NaN and
    Infinity, a number beyond float64, a key that stands twice in an object, nesting beyond
    MAX_DEPTH, anything that is not one JSON object, and a fault of the line itself.
    """
    batch: list[Line] = []
    size = 0
    for line in lines:
        batch.append(line)
        size += len(line.content)
        if len(batch) >= BATCH_ROWS or size >= BATCH_BYTES:
            yield _parsed(batch)
            batch, size = [], 0
    if batch:
        yield _parsed(batch)


def parse_object(content: bytes) -> Object:
    """The JSON object that the bytes hold, by the strict reader; raises RowFault."""
    try:
        row = _STRICT.decode(content.decode("utf-8"))
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


def _parsed(lines: list[Line]) -> Batch:
    """Reads each line by orjson, and again by the strict reader where that may have lost a thing.

    Each key's colon follows a quote or a blank. There may be more such colons than keys, in
    texts; no more of them than keys means that no key stood twice.
    """
    contents = [line.content for line in lines]
    quick = list(map(_quickly, contents))
    colons = _colons_after_quote_or_blank(contents)
    objects, faults = [], {}
    for i, (row, keys) in enumerate(quick):
        if keys != colons[i] or lines[i].fault:
            try:
                row = _carefully(lines[i])
            except RowFault as fault:
                row, faults[i] = {}, fault
        objects.append(row)
    return Batch(lines, objects, faults)


def _quickly(content: bytes) -> tuple[Object, int]:
    """The object and the number of keys at all levels; -1 where the quick look does not do."""
    try:
        row = orjson.loads(content)
    except orjson.JSONDecodeError:
        return {}, -1
    if type(row) is not dict:
        return {}, -1
    try:
        keys, exact = _census(row.values(), 1)
    except RowFault:
        return {}, -1
    return row, len(row) + keys if exact else -1


def _carefully(line: Line) -> Object:
    if line.fault:
        raise RowFault(line.fault)
    try:
        return parse_object(line.content)
    except RowFault as fault:
        if line.ended or fault.reason != "invalid_json":
            raise
        raise RowFault("truncated", f"the last line has no line end, and {fault.detail}") from None


def _census(values: Collection[Any], depth: int) -> tuple[int, bool]:
    """How many keys are inside the values, and whether no float may be an integer once rounded.

    Raises RowFault where they are nested beyond MAX_DEPTH.
    """
    keys, exact = 0, True
    for value in values:
        kind = type(value)
        if kind is float:
            exact = exact and -_EXACT < value < _EXACT
        elif (kind is dict or kind is list) and not _are_small_floats(value):
            if depth >= MAX_DEPTH:
                raise RowFault("too_deep", f"nested deeper than {MAX_DEPTH} levels")
            keys_within, exact_within = _census(
                value.values() if kind is dict else value, depth + 1
            )
            keys += keys_within + (len(value) if kind is dict else 0)
            exact = exact and exact_within
    return keys, exact


def _are_small_floats(value: Any) -> bool:
    """Whether this is an ordinary long list, such as one of log-probabilities; a quick look."""
    if type(value) is not list or set(map(type, value)) != {float}:
        return False
    return bool(min(value) > -_EXACT and max(value) < _EXACT)


def _colons_after_quote_or_blank(contents: list[bytes]) -> list[int]:
    """Of each line, how many colons stand right after a quote, a space, a tab or a CR."""
    buffer = np.frombuffer(b"".join(contents), dtype=np.uint8)
    ends = np.cumsum(np.fromiter(map(len, contents), dtype=np.int64, count=len(contents)))
    colons = np.flatnonzero(buffer == ord(":"))
    colons = colons[_QUOTE_OR_BLANK[buffer[colons - 1]]]
    lines = np.searchsorted(ends, colons, side="right")
    counts: list[int] = np.bincount(lines, minlength=len(contents)).tolist()
    return counts


_QUOTE_OR_BLANK = np.zeros(256, dtype=bool)
_QUOTE_OR_BLANK[list(b'" \t\r')] = True


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
