"""The JSON schema of a contract file, for editors: from the model that reads it."""

import json
from typing import Any

from eval_pipeline.contracts.model import Contract
from eval_pipeline_tests.documents.generated import DOCS

SCHEMA = DOCS / "contract.schema.json"
TITLE = "Evaluation contract of eval_pipeline"


def contract_schema() -> str:
    """The schema as the text of its file."""
    schema: dict[str, Any] = Contract.model_json_schema()
    head = {"$schema": "https://json-schema.org/draft/2020-12/schema", "title": TITLE}
    return json.dumps({**schema, **head}, indent=1, ensure_ascii=False, sort_keys=True) + "\n"
