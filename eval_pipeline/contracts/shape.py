"""Plain data to models: pydantic finds what does not fit, this module says it to a person."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import date
from functools import cache
from typing import Annotated, Any, Literal, get_args, get_origin

from pydantic import BaseModel, Tag, ValidationError, create_model
from pydantic.fields import FieldInfo
from pydantic_core import ErrorDetails

from eval_pipeline.contracts.faults import Path, nearest, shown
from eval_pipeline.contracts.model import Contract
from eval_pipeline.contracts.part import Part

Said = tuple[str, str]  # what is wrong, and the mend


@dataclass(frozen=True)
class Problem:
    """A fault before it has a place on disk."""

    path: Path
    message: str
    mend: str


def problems_of(model: type[Part], data: Any) -> tuple[Problem, ...]:
    """All that keeps `data` from being a `model`."""
    try:
        model.model_validate(data)
    except ValidationError as error:
        return tuple(_problem(model, details) for details in error.errors(include_url=False))
    return ()


def whole_sections(data: Mapping[str, object], broken: frozenset[str]) -> Contract:
    """A stand-in for a contract with faults: its whole sections, and None for the broken ones.

    For the rules only, which look at nothing but the sections they name.
    """
    whole = {key: data[key] for key in Contract.model_fields if key in data and key not in broken}
    return _stand_in().model_validate(whole)


@cache
def _stand_in() -> type[Contract]:
    fields: Any = {  # what create_model takes by name has no type of its own
        name: (info.rebuild_annotation() | None, None if info.is_required() else info.default)
        for name, info in Contract.model_fields.items()
    }
    return create_model("WholeSections", __base__=Contract, **fields)


def _problem(model: type[Part], details: ErrorDetails) -> Problem:
    location = details["loc"]
    path: Path = tuple(step for step in location if not str(step).startswith("<"))
    value = details["input"]
    if details["type"] == "missing":
        return Problem(path, "is missing", _to_decide(_field_at(model, location)))
    if details["type"] == "extra_forbidden":
        return Problem(path, *_unknown_key(model, location))
    info = _field_at(model, location)
    if value is None:
        return Problem(path, "has no value", _description(info) or "write one, or take it out")
    say = _SAID.get(details["type"], _as_pydantic)
    return Problem(path, *say(value, details, _description(info)))


def _unknown_key(model: type[Part], location: tuple[int | str, ...]) -> Said:
    *above, key = location
    home = _model_at(model, tuple(above))
    if above and above[-1] == "<unknown>":
        return "stands beside `unknown`", "keep the values or the reason, not both"
    if key == "unknown":
        return "may not be unknown", "state it: no number can be computed without it"
    message = "is not a key that is known here"
    if model is Contract and (homes := _homes_of(str(key))):
        return message, f"it belongs to {' or '.join(sorted(homes))}"
    return message, nearest(str(key), home.model_fields)


@cache
def _homes_of(key: str) -> frozenset[str]:
    """The sections of a contract that have such a key."""
    return frozenset(
        section
        for section, info in Contract.model_fields.items()
        for part in models_in(info.rebuild_annotation())
        if key in part.model_fields
    )


def _text(value: Any, details: ErrorDetails, description: str) -> Said:
    message = f"must be text, not {shown(value)}"
    if isinstance(value, bool | int | float | date):
        written = value.isoformat() if isinstance(value, date) else shown(value)
        return message, f'quote it: "{written}"'
    return message, description or "write text"


def _whole_number(value: Any, details: ErrorDetails, description: str) -> Said:
    message = f"must be a whole number, not {shown(value)}"
    if isinstance(value, float) and value.is_integer():
        return message, f"write {int(value)}"
    if isinstance(value, str) and value.isascii() and value.isdigit():
        return message, "take the quotes away"
    return message, description or "write a whole number"


def _number(value: Any, details: ErrorDetails, description: str) -> Said:
    message = f"must be a number, not {shown(value)}"
    if isinstance(value, str) and re.fullmatch(r"-?[0-9]+(\.[0-9]+)?", value):
        return message, "take the quotes away"
    return message, description or "write a number"


def _truth(value: Any, details: ErrorDetails, description: str) -> Said:
    return f"must be true or false, not {shown(value)}", "write true or false without quotes"


def _list(value: Any, details: ErrorDetails, description: str) -> Said:
    mend = description or "write a list"
    if isinstance(value, str | int | float):
        mend = f"write [{value if isinstance(value, str) else shown(value)}]"
    return f"must be a list, not {shown(value)}", mend


def _mapping(value: Any, details: ErrorDetails, description: str) -> Said:
    return f"must be a mapping, not {shown(value)}", description or "write its keys below it"


def _choice(value: Any, details: ErrorDetails, description: str) -> Said:
    known = re.findall(r"'([^']*)'", details["ctx"]["expected"])
    message = f"is {shown(value)}, which is no choice here"
    return message, nearest(value if isinstance(value, str) else "", known)


def _form(value: Any, details: ErrorDetails, description: str) -> Said:
    pattern = details["ctx"]["pattern"]
    if pattern == r"\S":
        return "is empty", description or "write some text"
    if "@[1-9]" in pattern:
        return f"is {shown(value)}, which is not a name with a version", "write it as name@1"
    return (
        f"is {shown(value)}, which is not a name",
        "use letters, digits and . _ @ + -, starting with a letter or digit",
    )


def _bound(word: str, key: str, mend: str) -> Callable[[Any, ErrorDetails, str], Said]:
    def said(value: Any, details: ErrorDetails, description: str) -> Said:
        limit = details["ctx"][key]
        number = int(limit) if float(limit).is_integer() else limit
        return f"is {shown(value)}, must be {word} {number}", mend

    return said


def _too_short(value: Any, details: ErrorDetails, description: str) -> Said:
    return "is an empty list", description or "name at least one, or take the key out"


def _day(value: Any, details: ErrorDetails, description: str) -> Said:
    return f"must be a date, not {shown(value)}", "write it as 2026-01-31, without quotes"


def _as_pydantic(value: Any, details: ErrorDetails, description: str) -> Said:
    return f"is {shown(value)}: {details['msg']}", description or "correct it"


_SAID: Mapping[str, Callable[[Any, ErrorDetails, str], Said]] = {
    "string_type": _text,
    "int_type": _whole_number,
    "float_type": _number,
    "bool_type": _truth,
    "list_type": _list,
    "dict_type": _mapping,
    "model_type": _mapping,
    "literal_error": _choice,
    "string_pattern_mismatch": _form,
    "greater_than_equal": _bound("at least", "ge", "raise it"),
    "greater_than": _bound("above", "gt", "raise it"),
    "less_than_equal": _bound("at most", "le", "lower it"),
    "less_than": _bound("below", "lt", "lower it"),
    "too_short": _too_short,
    "date_type": _day,
}


def _to_decide(info: FieldInfo | None) -> str:
    """What the writer of the contract has to decide, with the choices where they are few."""
    choices = get_args(info.annotation) if info and get_origin(info.annotation) is Literal else ()
    if not choices:
        return _description(info)
    return f"{_description(info)}: {', '.join(choices[:-1])} or {choices[-1]}"


def _description(info: FieldInfo | None) -> str:
    """What to decide, for a field that must be given; that of another says what it is."""
    return (info.description or "") if info and info.is_required() else ""


def _field_at(model: type[Part], location: tuple[int | str, ...]) -> FieldInfo | None:
    """The field that a path of pydantic ends in; None inside lists and free mappings."""
    steps = [step for step in location if not str(step).startswith("<")]
    if not steps or isinstance(steps[-1], int):
        return None
    cut = max(i for i, step in enumerate(location) if step == steps[-1])
    return _model_at(model, location[:cut]).model_fields.get(steps[-1])


def _model_at(model: type[Part], location: tuple[int | str, ...]) -> type[BaseModel]:
    annotation: Any = model
    for step in location:
        annotation = _below(annotation, step)
    (found,) = models_in(annotation)[:1] or (model,)
    return found


def _below(annotation: Any, step: int | str) -> Any:
    """What the annotation holds at one step of a path."""
    if isinstance(step, int):
        return annotation  # the only models in lists are their elements
    for option in _options(annotation):
        if get_origin(option) is Annotated and Tag(step) in get_args(option):
            return option
    for part in models_in(annotation):
        if step in part.model_fields:
            return part.model_fields[step].rebuild_annotation()
    return annotation


def _options(annotation: Any) -> list[Any]:
    inner = get_args(annotation)[0] if get_origin(annotation) is Annotated else annotation
    return [annotation, *get_args(inner)]


def models_in(annotation: Any) -> list[type[BaseModel]]:
    """The models that an annotation mentions, in order."""
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return [annotation]
    return [part for option in get_args(annotation) for part in models_in(option)]
