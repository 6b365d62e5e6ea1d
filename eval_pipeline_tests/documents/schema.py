"""The JSON schema of a contract file, for editors: from the model that reads it.

A file that extends a preset may leave out what the preset says, down to single keys of a section;
lists are taken as a whole. So each part has two forms: whole, and as a preset completes it.
"""

import json
from typing import Any

from eval_pipeline.contracts.model import Contract
from eval_pipeline.contracts.presets import PREFIX
from eval_pipeline_tests.documents.generated import DOCS

SCHEMA = DOCS / "contract.schema.json"
DIALECT = "https://json-schema.org/draft/2020-12/schema"
OWN = ("contract", "version")  # what no preset says
WHOLE = ("Unknown",)  # stands in place of a section, and is never completed
Json = dict[str, Any]


def contract_schema() -> str:
    """The schema as the text of its file."""
    alone = Contract.model_json_schema()
    parts: Json = alone.pop("$defs")
    preset = {
        "type": "string",
        "pattern": f"^{PREFIX}.+@[1-9][0-9]*$",
        "description": "a file below contracts/ that holds what this one leaves out",
    }
    extending = _completed(alone)
    extending["properties"] = {"extends": preset, **extending["properties"]}
    extending["required"] = list(OWN)
    schema = {
        "$schema": DIALECT,
        "title": "Evaluation contract of eval_pipeline",
        "if": {"required": ["extends"]},
        "then": extending,
        "else": alone,
        "$defs": parts | {_name(name): _completed(part) for name, part in parts.items()},
    }
    return json.dumps(schema, indent=1, ensure_ascii=False, sort_keys=True) + "\n"


def _completed(part: Json) -> Json:
    """The part where a preset may say the rest of it."""
    return {
        key: {name: _pointed(value) for name, value in keys.items()}
        if key == "properties"
        else keys
        for key, keys in part.items()
        if key != "required"
    }


def _pointed(schema: Json) -> Json:
    """A key's schema, which leads to parts that a preset completes; lists are left as they are."""
    if "$ref" in schema and not schema["$ref"].endswith(WHOLE):
        return {**schema, "$ref": _name(schema["$ref"])}
    return {
        key: [_pointed(one) for one in value] if key in ("anyOf", "oneOf") else value
        for key, value in schema.items()
    }


def _name(part: str) -> str:
    return f"{part}.completed"
