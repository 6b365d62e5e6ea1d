"""`json_schema@1`: whether an answer is JSON of the form that a schema declares.

The keywords below are those of JSON Schema 2020-12 with their meaning there; any other is refused
when the contract is read, so that none is passed over in silence. `format`, `$ref` and the like
are not among them.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from eval_pipeline.verification.bounded import Children, Stopped, children
from eval_pipeline.verification.first.json_field import NotJsonError, read_json, written
from eval_pipeline.verification.patterns import CPU_SECONDS, compiled, request, stopped
from eval_pipeline.verification.verdict import Item, Verdict

TYPES: dict[str, Callable[[Any], bool]] = {
    "object": lambda v: isinstance(v, dict),
    "array": lambda v: isinstance(v, list),
    "string": lambda v: isinstance(v, str),
    "boolean": lambda v: isinstance(v, bool),
    "null": lambda v: v is None,
    "number": lambda v: isinstance(v, int | float) and not isinstance(v, bool),
    "integer": lambda v: (
        (isinstance(v, int) and not isinstance(v, bool)) or (isinstance(v, float) and v == int(v))
    ),
}
_SUBSCHEMA = ("items", "additionalProperties", "not")
_SUBSCHEMAS = ("anyOf", "allOf", "oneOf")
_COUNTS = ("minItems", "maxItems", "minLength", "maxLength", "minProperties", "maxProperties")
_BOUNDS = ("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf")
_WORDS = ("title", "description", "$schema", "$comment", "default", "examples")
KEYWORDS = (
    "type", "enum", "const", "properties", "required", "pattern", "uniqueItems",
    *_SUBSCHEMA, *_SUBSCHEMAS, *_COUNTS, *_BOUNDS, *_WORDS,
)  # fmt: skip
MAX_DEPTH = 60

Keywords = dict[str, Any]
Schema = Keywords | bool
Search = Callable[[re.Pattern[str], str], bool]


class PatternStoppedError(Exception):
    """A pattern of the schema cost too much on the answer."""

    def __init__(self, found: Stopped) -> None:
        super().__init__(found.reason)
        self.found = found


@dataclass(frozen=True)
class JsonSchema:
    """1 where the answer fits the schema, 0 where it breaks it; what is no JSON is a failure.

    Options: `schema`, for all items; without it each item's answer is its schema, as JSON.
    """

    schema: Any = None

    def __post_init__(self) -> None:
        if self.schema is not None:
            check_schema(self.schema)

    def __hash__(self) -> int:
        return hash(written(self.schema))

    def check(self, item: Item) -> None:
        if self.schema is None:
            self._of(item)

    def verify_all(self, answers: Sequence[tuple[Item, str]], workers: int) -> list[Verdict]:
        with children(1) as pool:
            return [self._verify(item, answer, pool) for item, answer in answers]

    def _verify(self, item: Item, answer: str, pool: Children) -> Verdict:
        try:
            value = read_json(answer)
        except NotJsonError as fault:
            return Verdict.unreadable(str(fault), f"{answer[:200]!r} is no JSON", answer)
        schema = self._of(item) if self.schema is None else self.schema
        try:
            fault_found = next(breaches(value, schema, _search_with(pool)), None)
        except PatternStoppedError as ended:
            return stopped(ended.found, "a pattern of the schema", answer)
        except RecursionError:
            return Verdict.unreadable("too_deep", "the JSON is nested too deeply", answer)
        explanation = fault_found or "fits the schema"
        return Verdict.judged(float(fault_found is None), answer, explanation)

    def _of(self, item: Item) -> Schema:
        try:
            schema: Schema = read_json(item.reference)
            check_schema(schema)
        except ValueError as fault:
            raise ValueError(f"item {item.item_id!r}: its answer is no schema: {fault}") from None
        return schema


def check_schema(schema: Any, where: str = "schema", depth: int = 0) -> None:
    """Raises ValueError that names the place of what is no schema, or no keyword that is known."""
    if isinstance(schema, bool):
        return
    if not isinstance(schema, dict) or depth > MAX_DEPTH:
        raise ValueError(f"{where} must be an object of keywords, got {schema!r:.100}")
    if unknown := sorted(schema.keys() - {*KEYWORDS}):
        raise ValueError(f"{where}: {unknown[0]!r} is not among the keywords {', '.join(KEYWORDS)}")
    for keyword, value in schema.items():
        place = f"{where}.{keyword}"
        if keyword in _SUBSCHEMA:
            check_schema(value, place, depth + 1)
        elif keyword == "properties":
            if not isinstance(value, dict):
                raise ValueError(f"{place} must be an object of schemas")
            for name, inner in value.items():
                check_schema(inner, f"{place}.{name}", depth + 1)
        elif keyword in _SUBSCHEMAS:
            if not isinstance(value, list | tuple) or not value:
                raise ValueError(f"{place} must be a list of schemas")
            for i, inner in enumerate(value):
                check_schema(inner, f"{place}.{i}", depth + 1)
        else:
            _check_value(keyword, value, place)


def breaches(value: Any, schema: Schema, search: Search, where: str = "$") -> Iterator[str]:
    """What in a JSON value breaks the schema, each with its place."""
    if isinstance(schema, bool):
        if not schema:
            yield f"{where} is not allowed"
        return
    for keyword, wanted in schema.items():
        yield from _broken(keyword, wanted, value, schema, search, where)


def _broken(
    keyword: str, wanted: Any, value: Any, schema: Keywords, search: Search, where: str
) -> Iterator[str]:
    match keyword:
        case "type":
            names = [wanted] if isinstance(wanted, str) else wanted
            if not any(TYPES[name](value) for name in names):
                yield f"{where} is no {' or '.join(names)}"
        case "enum":
            if not any(_equal(value, one) for one in wanted):
                yield f"{where} is {written(value):.80}, none of the values that are listed"
        case "const":
            if not _equal(value, wanted):
                yield f"{where} is {written(value):.80}, not {written(wanted):.80}"
        case "not":
            if not any(breaches(value, wanted, search, where)):
                yield f"{where} fits what it must not fit"
        case "allOf":
            for inner in wanted:
                yield from breaches(value, inner, search, where)
        case "anyOf" | "oneOf":
            fits = sum(not any(breaches(value, inner, search, where)) for inner in wanted)
            if not fits or (keyword == "oneOf" and fits > 1):
                yield f"{where} fits {fits} of the {len(wanted)} forms of {keyword}"
        case _:
            if isinstance(value, dict):
                yield from _broken_object(keyword, wanted, value, schema, search, where)
            elif isinstance(value, list):
                yield from _broken_list(keyword, wanted, value, search, where)
            elif isinstance(value, str):
                yield from _broken_text(keyword, wanted, value, search, where)
            elif isinstance(value, int | float) and not isinstance(value, bool):
                yield from _broken_number(keyword, wanted, value, where)


def _broken_object(
    keyword: str,
    wanted: Any,
    value: dict[str, object],
    schema: Keywords,
    search: Search,
    where: str,
) -> Iterator[str]:
    if keyword == "properties":
        for name in wanted.keys() & value.keys():
            yield from breaches(value[name], wanted[name], search, f"{where}.{name}")
    elif keyword == "required":
        yield from (f"{where} lacks {name!r}" for name in wanted if name not in value)
    elif keyword == "additionalProperties":
        for name in sorted(value.keys() - schema.get("properties", {}).keys()):
            yield from breaches(value[name], wanted, search, f"{where}.{name}")
    elif keyword in ("minProperties", "maxProperties"):
        yield from _miscounted(keyword, wanted, len(value), "fields", where)


def _broken_list(
    keyword: str, wanted: Any, value: list[Any], search: Search, where: str
) -> Iterator[str]:
    if keyword == "items":
        for i, one in enumerate(value):
            yield from breaches(one, wanted, search, f"{where}.{i}")
    elif keyword == "uniqueItems" and wanted:
        if len({written(_plain(one)) for one in value}) < len(value):
            yield f"{where} holds a value twice"
    elif keyword in ("minItems", "maxItems"):
        yield from _miscounted(keyword, wanted, len(value), "values", where)


def _broken_text(
    keyword: str, wanted: Any, value: str, search: Search, where: str
) -> Iterator[str]:
    if keyword == "pattern" and not search(compiled(wanted, "pattern"), value):
        yield f"{where} does not fit the pattern {wanted!r:.80}"
    elif keyword in ("minLength", "maxLength"):
        yield from _miscounted(keyword, wanted, len(value), "characters", where)


def _broken_number(keyword: str, wanted: Any, value: int | float, where: str) -> Iterator[str]:
    exact = Fraction(str(value))
    if keyword not in _BOUNDS:
        return
    bound = Fraction(str(wanted))
    broken = {
        "minimum": exact < bound,
        "maximum": exact > bound,
        "exclusiveMinimum": exact <= bound,
        "exclusiveMaximum": exact >= bound,
        "multipleOf": bool(bound) and exact % bound != 0,
    }[keyword]
    if broken:
        yield f"{where} is {value}, and {keyword} is {wanted}"


def _miscounted(keyword: str, wanted: int, count: int, things: str, where: str) -> Iterator[str]:
    if count < wanted if keyword.startswith("min") else count > wanted:
        yield f"{where} has {count} {things}, and {keyword} is {wanted}"


def _check_value(keyword: str, value: Any, place: str) -> None:
    if keyword == "type":
        names = [value] if isinstance(value, str) else value
        if not isinstance(names, list | tuple) or not names or not {*names} <= TYPES.keys():
            raise ValueError(f"{place} must be one or some of {', '.join(TYPES)}, got {value!r}")
    elif keyword in ("enum", "required"):
        if not isinstance(value, list | tuple) or not value:
            raise ValueError(f"{place} must be a list with values, got {value!r:.100}")
        if keyword == "required" and not all(isinstance(name, str) for name in value):
            raise ValueError(f"{place} must be a list of names")
    elif keyword == "pattern":
        compiled(value, place)
    elif keyword in _COUNTS:
        if isinstance(value, bool) or not isinstance(value, int) or value < 0:
            raise ValueError(f"{place} must be a whole number of 0 or more, got {value!r}")
    elif keyword in _BOUNDS:
        if not TYPES["number"](value) or (keyword == "multipleOf" and not value > 0):
            raise ValueError(f"{place} must be a number, got {value!r}")
    elif keyword == "uniqueItems" and not isinstance(value, bool):
        raise ValueError(f"{place} must be true or false, got {value!r}")


def _search_with(pool: Children) -> Search:
    def search(pattern: re.Pattern[str], text: str) -> bool:
        (found,) = pool.ask_all([request(pattern, text, "search")], CPU_SECONDS)
        if isinstance(found, Stopped):
            raise PatternStoppedError(found)
        return bool(found)

    return search


def _equal(a: Any, b: Any) -> bool:
    return written(_plain(a)) == written(_plain(b))


def _plain(value: Any) -> Any:
    """Whole floats as integers, so that 1.0 is 1; true stays apart from 1."""
    if isinstance(value, dict):
        return {name: _plain(inner) for name, inner in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(inner) for inner in value]
    return int(value) if isinstance(value, float) and value == int(value) else value
