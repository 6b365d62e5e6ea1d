"""The keys of a contract: type, default and meaning, from the model that reads it."""

from collections.abc import Iterator
from typing import Any

from pydantic import BaseModel

from eval_pipeline.contracts.model import Contract

Json = dict[str, Any]


def contract_keys() -> str:
    """A table for the contract and one for each of its parts, in order of first mention."""
    schema = Contract.model_json_schema()
    parts: dict[str, Json] = {"Contract": schema, **schema["$defs"]}
    models = _models(Contract)
    order, queue = ["Contract"], ["Contract"]
    while queue:
        for name in _mentioned(parts[queue.pop(0)].get("properties", {})):
            if name not in order:
                order.append(name)
                queue.append(name)
    return "\n\n".join(_part(name, parts[name], models[name]) for name in order)


def _part(name: str, schema: Json, model: type[BaseModel]) -> str:
    said = model.__dict__.get("__doc__") if model is not Contract else None
    lines = [f'<a id="{name.lower()}"></a>**{name}**{_prose(said)}\n']
    lines += ["| key | type | default | what to say |", "| --- | --- | --- | --- |"]
    needed = schema.get("required", [])
    for key, one in schema.get("properties", {}).items():
        default = "must be given" if key in needed else f"`{_default(one)}`"
        meaning = one.get("description", "")
        lines.append(f"| `{key}` | {_type(one)} | {default} | {meaning} |")
    return "\n".join(lines)


def _prose(text: str | None) -> str:
    return f": {' '.join(text.split())}" if text else ""


def _default(schema: Json) -> str:
    value = schema.get("default")
    if value is None:
        return "null"
    return str(value).lower() if isinstance(value, bool) else str(value)


def _type(schema: Json) -> str:
    """A JSON schema in a few words; parts are linked."""
    if "$ref" in schema:
        name = schema["$ref"].rpartition("/")[2]
        return f"[{name}](#{name.lower()})"
    for union in ("anyOf", "oneOf"):
        if union in schema:
            return " or ".join(dict.fromkeys(_type(one) for one in schema[union]))
    if "const" in schema:
        return f"`{_word(schema['const'])}`"
    if "enum" in schema:
        return " or ".join(f"`{_word(word)}`" for word in schema["enum"])
    match schema.get("type"):
        case "array":
            return f"list of {_type(schema.get('items', {}))}"
        case "object":
            values = schema.get("additionalProperties")
            return f"object of {_type(values)}" if isinstance(values, dict) else "object"
        case "integer":
            return f"whole number{_range(schema)}"
        case "number":
            return f"number{_range(schema)}"
        case "string":
            return {"date": "date"}.get(schema.get("format", ""), "text")
        case "boolean":
            return "true or false"
        case "null":
            return "null"
    return "any value"


def _word(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _range(schema: Json) -> str:
    words = {
        "minimum": "from {}",
        "exclusiveMinimum": "above {}",
        "maximum": "to {}",
        "exclusiveMaximum": "below {}",
    }
    told = [form.format(f"{schema[key]:g}") for key, form in words.items() if key in schema]
    return f" {' '.join(told)}" if told else ""


def _mentioned(schema: Any) -> Iterator[str]:
    """Names of the parts that a schema refers to, in order."""
    if isinstance(schema, dict):
        if "$ref" in schema:
            yield schema["$ref"].rpartition("/")[2]
        for value in schema.values():
            yield from _mentioned(value)
    elif isinstance(schema, list):
        for value in schema:
            yield from _mentioned(value)


def _models(root: type[BaseModel]) -> dict[str, type[BaseModel]]:
    """Every part by its class name."""
    from eval_pipeline.contracts.part import Part

    found: dict[str, type[BaseModel]] = {root.__name__: root}
    queue = Part.__subclasses__()
    while queue:
        model = queue.pop()
        found[model.__name__] = model
        queue += model.__subclasses__()
    return found
