"""The first two stages of the chain: the contract with its identity, and the items."""

import hashlib
import json

import pytest

from eval_pipeline.contracts.pinned import identified
from eval_pipeline.contracts.registry import ContractChangedError, record_identity
from eval_pipeline.orchestration.stage import StageInputs
from eval_pipeline.orchestration.stages import contract as contract_stage
from eval_pipeline.orchestration.stages import items as items_stage
from eval_pipeline_tests.contracts.project import WORDS, parsed, write


def test_the_contract_is_one_row_whose_body_gives_its_identity(root):
    contract = parsed(root)
    made = contract_stage.STAGE.compute(StageInputs(contract, root, {}))
    (row,) = made.tables["contract"].to_pylist()
    assert row["identity"] == identified(root, contract)
    assert row["identity"] == "c1:" + hashlib.sha256(row["body"].encode()).hexdigest()
    assert json.loads(row["body"])["contract"]["decision"]["margin"] == 0.02
    assert (row["status"], row["primary_endpoint"]) == ("frozen", "pass@1")
    assert [file.path for file in made.files] == [
        "benchmarks/words/v1/items.jsonl",
        "prompts/plain.txt",
    ]


def test_a_contract_that_was_changed_after_results_makes_no_table(root):
    record_identity(root, parsed(root))
    changed = parsed(root, WORDS.replace("margin: 0.02", "margin: 0.03"))
    with pytest.raises(ContractChangedError):
        contract_stage.STAGE.compute(StageInputs(changed, root, {}))


def test_items_become_a_table_with_their_evidence(root):
    made = items_stage.STAGE.compute(StageInputs(parsed(root), root, {}))
    assert made.tables["items"].column("item_id").to_pylist() == ["w-1", "w-2"]
    assert [file.path for file in made.files] == ["benchmarks/words/v1/items.jsonl"]
    assert made.notes == {"keys kept in extra": "source"}


def test_stages_name_the_files_that_they_read(root):
    contract = parsed(root)
    for stage in (contract_stage.STAGE, items_stage.STAGE):
        named = [p.relative_to(root.path).as_posix() for p in stage.files(root, contract, None)]
        assert named == [file.path for file in stage.compute(StageInputs(contract, root, {})).files]


def test_a_contract_without_a_known_prompt_pins_its_items_only(root):
    text = WORDS.replace("{template: prompts/plain.txt, few_shot: 0}", "{unknown: not published}")
    write(root, "prompts/plain.txt", "x")
    made = contract_stage.STAGE.compute(StageInputs(parsed(root, text), root, {}))
    assert [file.path for file in made.files] == ["benchmarks/words/v1/items.jsonl"]
