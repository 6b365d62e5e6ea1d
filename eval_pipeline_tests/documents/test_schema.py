"""What an editor is told of a contract is what `validate` says of it."""

import json
from collections.abc import Callable
from copy import deepcopy
from typing import Any

import pytest
import yaml
from jsonschema import Draft202012Validator

from eval_pipeline_tests.documents.generated import ROOT
from eval_pipeline_tests.documents.schema import SCHEMA

Json = dict[str, Any]
CONTRACTS = sorted((ROOT / "data" / "contracts").glob("*/v*.yaml"))
VALIDATOR = Draft202012Validator(json.loads(SCHEMA.read_text(encoding="utf-8")))


def test_the_schema_is_one() -> None:
    Draft202012Validator.check_schema(VALIDATOR.schema)


@pytest.mark.parametrize("path", CONTRACTS, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_a_bundled_contract_validates(path: Any) -> None:
    assert [error.message for error in VALIDATOR.iter_errors(read(path.parent.name))] == []


def test_without_its_preset_a_contract_is_incomplete() -> None:
    assert faults("arithmetic_words", lambda body: body.pop("extends"))


@pytest.mark.parametrize(
    ("contract", "change"),
    [
        ("arithmetic_words", lambda body: body.update(verzion=1)),
        ("arithmetic_words", lambda body: body.update(version="1")),
        ("arithmetic_words", lambda body: body.pop("contract")),
        ("arithmetic_words", lambda body: body.update(status="final")),
        ("arithmetic_words", lambda body: body["decision"].update(rule="better")),
        ("arithmetic_words", lambda body: body["decision"].update(margin=-0.1)),
        ("arithmetic_words", lambda body: body["decision"].update(guardrails=[{"at_most": 1}])),
        ("arithmetic_words", lambda body: body["budget"].update(draws_per_item=0)),
        ("arithmetic_words", lambda body: body["task"].update(benchmark="arithmetic_words")),
        ("helpful_replies", lambda body: body["judging"].pop("judges")),
        ("helpful_replies", lambda body: body["judging"]["judges"][0].pop("family")),
        ("helpful_replies", lambda body: body.pop("failures")),
        ("python_functions", lambda body: body.update(verification={"verifier": "code"})),
    ],
)
def test_a_broken_contract_does_not(contract: str, change: Callable[[Json], Any]) -> None:
    assert faults(contract, change)


def faults(contract: str, change: Callable[[Json], Any]) -> list[Any]:
    body = deepcopy(read(contract))
    change(body)
    return list(VALIDATOR.iter_errors(body))


def read(contract: str) -> Json:
    """A bundled contract as JSON would have it: dates are texts."""
    path = ROOT / "data" / "contracts" / contract / "v1.yaml"
    body: Json = json.loads(json.dumps(yaml.safe_load(path.read_bytes()), default=str))
    return body
