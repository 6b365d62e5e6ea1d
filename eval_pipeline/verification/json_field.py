"""`json_field@1`: the last JSON object of a reply, or one field of it."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from eval_pipeline.verification.extraction import EMPTY
from eval_pipeline.verification.verdict import Found, Item

MAX_STARTS = 1000  # braces that begin no object; a reply of more holds no JSON meant to be read


class NotJson(ValueError):
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
        except NotJson as fault:
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


def last_object(reply: str) -> dict[str, Any] | None:
    """The last object that stands by itself in a text; None where there is none.

    Raises NotJson (`broken_json`, `duplicate_key`, `not_a_number`) for one that cannot be read.
    """
    found: dict[str, Any] | None = None
    broken: str | None = None
    for start, value in _objects(reply):
        if isinstance(value, dict):
            found, broken = value, None
        elif value != "broken_json" or _looks_like_json(reply, start):
            broken = value
    if broken:
        raise NotJson(broken)
    return found


def read_json(text: str) -> Any:
    """The JSON value that a text is; raises NotJson as `last_object`."""
    try:
        return _DECODER.decode(text)
    except json.JSONDecodeError:
        raise NotJson("broken_json") from None
    except RecursionError:
        raise NotJson("too_deep") from None


def written(value: Any) -> str:
    """A JSON value on one line, keys sorted."""
    return json.dumps(value, sort_keys=True, ensure_ascii=False, separators=(",", ":"))


def _objects(reply: str) -> Iterator[tuple[int, dict[str, Any] | str]]:
    """Each object with its place, or the word for what is wrong with it."""
    at, starts = reply.find("{"), 0
    while at >= 0 and starts < MAX_STARTS:
        try:
            value, end = _DECODER.raw_decode(reply, at)
        except (NotJson, RecursionError, json.JSONDecodeError) as fault:
            yield at, str(fault) if isinstance(fault, NotJson) else "broken_json"
            at, starts = reply.find("{", at + 1), starts + 1
        else:
            yield at, value
            at = reply.find("{", end)


def _looks_like_json(reply: str, start: int) -> bool:
    """Whether a brace was meant to begin an object: a quoted name follows."""
    return reply[start + 1 : start + 200].lstrip().startswith(('"', "'"))


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise NotJson("duplicate_key")
    return found


def _no_number(word: str) -> float:
    raise NotJson("not_a_number")


_DECODER = json.JSONDecoder(object_pairs_hook=_unique, parse_constant=_no_number)
