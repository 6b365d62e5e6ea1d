"""A peer's JSON looked at by kind: what is not of the kind asked for counts as absent."""

from collections.abc import Mapping, Sequence

from eval_pipeline.ingest.peers.entries import Json

_NOTHING: Mapping[str, Json] = {}


def an_object(value: Json) -> Mapping[str, Json]:
    """The object, else an empty one."""
    return value if isinstance(value, dict) else _NOTHING


def a_list(value: Json) -> Sequence[Json]:
    """The list, else an empty one."""
    return value if isinstance(value, list) else ()


def a_text(value: Json) -> str | None:
    """The string, else None."""
    return value if isinstance(value, str) else None


def a_number(value: Json) -> float | None:
    """The number as a float, true and false as 1 and 0; else None."""
    return float(value) if isinstance(value, bool | int | float) else None


def a_count(value: Json) -> int | None:
    """The whole number that is not negative, else None."""
    whole = isinstance(value, int) and not isinstance(value, bool) and value >= 0
    return int(value) if whole and isinstance(value, int) else None


def texts(value: Json) -> tuple[str, ...]:
    """A string, or a list of them, as strings; numbers are written as JSON writes them."""
    values = value if isinstance(value, list) else [value]
    return tuple(written(one) for one in values if one is not None)


def written(value: Json) -> str:
    """A value as text: a string as it is, anything else as JSON."""
    if isinstance(value, str):
        return value
    import orjson

    return orjson.dumps(value).decode()


def conversation(value: Json) -> str:
    """A prompt as one text: a string, or the contents of its messages, each under its role."""
    if not isinstance(value, list):
        return written(value) if value is not None else ""
    if len(value) == 1:
        return content_of(value[0])
    parts = [(a_text(an_object(one).get("role")) or "", content_of(one)) for one in value]
    return "\n\n".join(f"{role}: {text}" if role else text for role, text in parts)


def content_of(message: Json) -> str:
    """What a message says: its text, or the texts of its parts one after the other."""
    found = an_object(message)
    content = found.get("content", found.get("prompt", message if isinstance(message, str) else ""))
    if isinstance(content, list):
        return "".join(a_text(an_object(part).get("text")) or "" for part in content)
    return a_text(content) or ""
