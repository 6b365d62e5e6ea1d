"""`json_field@1`: the last JSON object of a reply, or one field of it."""

import json
import math
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from eval_pipeline.verification.first.extraction import EMPTY
from eval_pipeline.verification.verdict import Found, Item

MAX_STARTS = 10_000  # objects in a reply, whole or broken: the cost of one grows with its place
_START = re.compile(r"""\{\s{0,200}(?=["'}])""")  # a quoted name or nothing follows: meant as JSON


class NotJsonError(ValueError):
    """What looks like JSON and is none, or says a thing twice; the message is one word."""


@dataclass(frozen=True)
class JsonField:
    """The last JSON object in the reply (fenced or not), or the value of its `field`.

    Text is given as it is, other values as compact JSON with sorted keys. An object that gives a
    key twice, or holds NaN, is a failure, as is a reply that ends within an object: no earlier
    object is taken. Options: `field`, names joined by dots, places in lists as numbers
    (`answer.0.value`); without it the whole object is the answer.
    """

    field: str = ""

    def __post_init__(self) -> None:
        if not isinstance(self.field, str) or "" in self.field.split(".")[:-1]:
            raise ValueError(f"field must be names joined by dots, got {self.field!r}")

    def extract(self, reply: str, item: Item) -> Found:
        if not reply.strip():
            return EMPTY
        try:
            found = last_object(reply)
        except NotJsonError as fault:
            return Found(None, str(fault))
        if found is None:
            return Found(None, "no_json")
        value: Any = found
        for name in self.field.split(".") if self.field else ():
            if isinstance(value, dict) and name in value:
                value = value[name]
            elif isinstance(value, list) and name.isascii() and name.isdigit() and len(name) < 10:
                if int(name) >= len(value):
                    return Found(None, "no_field")
                value = value[int(name)]
            else:
                return Found(None, "no_field")
        if value is None:
            return Found(None, "null_field")
        if isinstance(value, str):
            return Found(value.strip()) if value.strip() else Found(None, "empty_field")
        return Found(written(value))


def last_object(reply: str) -> dict[str, object] | None:
    """The last object that stands by itself in a text; None where there is none.

    An object without fields counts only where there is no other: `{}` is also half of LaTeX.
    Raises NotJsonError (broken_json, duplicate_key, not_a_number, too_deep, too_many_braces)
    for one that cannot be read.
    """
    found: dict[str, object] | None = None
    broken: NotJsonError | None = None
    for value in _objects(reply):
        if isinstance(value, NotJsonError):
            broken = value
        elif value or not found:
            found, broken = value, None
    if broken:
        raise broken
    return found


def read_json(text: str) -> Any:
    """The JSON value that a text is; raises NotJsonError as `last_object`."""
    try:
        return _DECODER.decode(text)
    except json.JSONDecodeError:
        raise NotJsonError("broken_json") from None
    except RecursionError:
        raise NotJsonError("too_deep") from None


def written(value: Any) -> str:
    """A JSON value on one line, keys sorted."""
    return json.dumps(value, sort_keys=True, ensure_ascii=False, separators=(",", ":"))


def _objects(reply: str) -> Iterator[dict[str, object] | NotJsonError]:
    """Each object in order, or what is wrong with it; never a piece of a broken one."""
    at, starts = 0, 0
    while start := _START.search(reply, at):
        starts += 1
        if starts > MAX_STARTS:
            yield NotJsonError("too_many_braces")
            return
        try:
            _, at = _LENIENT.raw_decode(reply, start.start())
        except RecursionError:
            yield NotJsonError("too_deep")
            return
        except json.JSONDecodeError as error:
            yield NotJsonError("broken_json")
            if error.msg.startswith("Unterminated string"):  # the rest of the text is its content
                return
            at = max(error.pos, start.end())
            continue
        try:
            yield _DECODER.decode(reply[start.start() : at])
        except NotJsonError as fault:
            yield fault


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, object]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise NotJsonError("duplicate_key")
    return found


def _no_number(word: str) -> float:
    raise NotJsonError("not_a_number")


def _finite(digits: str) -> float:
    value = float(digits)
    if not math.isfinite(value):  # 1e400
        raise NotJsonError("not_a_number")
    return value


_LENIENT = json.JSONDecoder()
_DECODER = json.JSONDecoder(
    object_pairs_hook=_unique, parse_constant=_no_number, parse_float=_finite
)
