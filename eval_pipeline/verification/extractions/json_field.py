"""`json_field@2`: the last JSON object of a reply, or one field of it."""

import json
from dataclasses import dataclass
from typing import Any

from eval_pipeline.reply_text import without_turn_tokens
from eval_pipeline.verification.extractions.json_strings import DoubtfulEscapeError
from eval_pipeline.verification.extractions.lenient_json import Leaf, NotJsonError, last_object
from eval_pipeline.verification.verdict import EMPTY, Found, Item


@dataclass(frozen=True)
class JsonField:
    r"""The last JSON object in the reply (fenced or not), or the value of its `field`.

    Raw line ends, a trailing comma and single backslashes of LaTeX are read as they are meant; an
    escape that may be either (a "\nu" within words) is a failure. Text is given as it is and
    numbers as they are written (2e3, 1.10), other values as compact JSON with sorted keys. An
    object that gives a key twice, or holds NaN, is a failure, as is a reply that ends within an
    object: no earlier object is taken. Options: `field`, names joined by dots, places in lists as
    numbers (`answer.0.value`); without it the whole object is the answer.
    """

    field: str = ""

    def __post_init__(self) -> None:
        if not isinstance(self.field, str) or "" in self.field.split(".")[:-1]:
            raise ValueError(f"field must be names joined by dots, got {self.field!r}")

    def extract(self, reply: str, item: Item) -> Found:
        text = without_turn_tokens(reply)
        if not text.strip():
            return EMPTY
        try:
            found = last_object(text)
            if found is None:
                return Found(None, "no_json")
            return self._of(found)
        except NotJsonError as fault:
            return Found(None, str(fault))
        except DoubtfulEscapeError:
            return Found(None, "doubtful_escape")

    def _of(self, found: dict[str, object]) -> Found:
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
        if isinstance(value, Leaf):
            said = value.text.strip()
            place = (value.start, value.end)
            return Found(said, place=place) if said else Found(None, "empty_field")
        return Found(_written(value))


def _written(value: Any) -> str:
    """A value as JSON on one line, keys sorted, numbers as they stand."""
    if isinstance(value, Leaf):
        is_text = value.source.startswith('"')
        return json.dumps(value.text, ensure_ascii=False) if is_text else value.source
    if isinstance(value, dict):
        named = (f"{json.dumps(k, ensure_ascii=False)}:{_written(value[k])}" for k in sorted(value))
        return "{" + ",".join(named) + "}"
    if isinstance(value, list):
        return "[" + ",".join(map(_written, value)) + "]"
    return json.dumps(value)
