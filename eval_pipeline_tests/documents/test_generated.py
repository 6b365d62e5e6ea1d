"""What is generated in the pages is fresh."""

import re

import pytest

from eval_pipeline.contracts.model import Contract
from eval_pipeline_tests.documents.generated import DOCS, PAGES, renewed
from eval_pipeline_tests.documents.schema import SCHEMA, contract_schema

RENEW = "run: python -m eval_pipeline_tests.documents"


@pytest.mark.parametrize("page", PAGES)
def test_generated_parts_are_fresh(page: str) -> None:
    text = (DOCS / page).read_text(encoding="utf-8")
    assert renewed(page, text) == text, RENEW


def test_the_schema_of_contracts_is_fresh() -> None:
    assert SCHEMA.read_text(encoding="utf-8") == contract_schema(), RENEW


def test_every_option_has_help() -> None:
    text = (DOCS / "REFERENCE.md").read_text(encoding="utf-8")
    assert not re.findall(r"^  - `--(?!json|help)[^:]*$", text, re.MULTILINE)


def test_every_key_of_a_contract_says_what_it_is() -> None:
    schema = Contract.model_json_schema()
    parts = {"Contract": schema, **schema["$defs"]}
    silent = [
        f"{name}.{key}"
        for name, part in parts.items()
        for key, one in part.get("properties", {}).items()
        if not one.get("description")
    ]
    assert silent == []
