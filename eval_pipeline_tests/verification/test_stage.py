"""The stage: rows in are rows out, and model code runs only where something holds it."""

from types import SimpleNamespace
from typing import Any

import pytest

from eval_pipeline.contracts.model import Failures
from eval_pipeline.contracts.verification import Verification
from eval_pipeline.layout import DataRoot
from eval_pipeline.orchestration.stage import Settings, StageInputs
from eval_pipeline.orchestration.stages.verifier_scores import STAGE
from eval_pipeline.verification.code import level
from eval_pipeline.warehouse.schemas import TABLES

FAILURES = Failures(
    parser_failure="wrong",
    model_refusal="wrong",
    timeout="wrong",
    permission_denied="wrong",
    infra_error="exclude",
    invalid_sample="exclude",
)


def contract(verification: Verification | None) -> Any:
    return SimpleNamespace(title="sums/v1", verification=verification, failures=FAILURES)


SUMS = contract(
    Verification(verifier="numeric@2", extraction="last_number@2", options={"thousands": ","})
)
CODE = contract(Verification(verifier="code@2", extraction="code_block@2"))


def inputs(
    tmp_path, asked: Any, entry_point: str | None = None, test: str | None = None, text: str = ""
) -> StageInputs:
    """Three generations: two that were read, with `text` where it is given, and a time-out."""
    code = {"entry_point": entry_point, "test": test} if entry_point else {}
    items = TABLES["items"].from_rows(
        [
            {
                "item_id": i,
                "cluster_id": f"t-{i}",
                "question": "?",
                "answer": a,
                "slices": [],
                **code,
            }
            for i, a in (("a", "4"), ("b", "1,000"))
        ]
    )
    common = {"n_chars": 1, "attempts": 1, "file": "sums.jsonl"}
    generations = TABLES["generations"].from_rows(
        [
            {
                "item_id": "a",
                "draw": 0,
                "text": text or "so 4.",
                "status": "ok",
                "line": 1,
                **common,
            },
            {"item_id": "a", "draw": 1, "text": "", "status": "timeout", "line": 2, **common},
            {
                "item_id": "b",
                "draw": 0,
                "text": text or "so 10",
                "status": "ok",
                "line": 3,
                **common,
            },
        ]
    )
    tables = {"items": items.select, "generations": generations.select}
    return StageInputs(asked, DataRoot(tmp_path), tables, checkpoint="k")


def test_a_row_a_generation(tmp_path):
    given = inputs(tmp_path, SUMS)
    computed = STAGE.compute(given)
    table = computed.tables["verifier_scores"]
    assert table.schema == TABLES["verifier_scores"].schema
    assert table["cluster_id"].to_pylist() == ["t-a", "t-a", "t-b"]
    assert table["score"].to_pylist() == [1.0, 0.0, 0.0]
    assert table["verdict"].to_pylist() == [1.0, None, 0.0]
    assert [check.finds(given, computed) for check in STAGE.checks] == [None]


def test_code_is_withheld_only_where_there_is_no_sandbox(monkeypatch):
    monkeypatch.setattr(level, "absent", lambda: None)
    assert STAGE.withheld(CODE, Settings()) is None
    monkeypatch.setattr(level, "absent", lambda: "no user namespaces")
    assert STAGE.withheld(SUMS, Settings()) is None
    withheld = STAGE.withheld(CODE, Settings()) or ""
    assert "no user namespaces" in withheld
    assert "--allow-unsafe-code" in withheld
    assert STAGE.withheld(CODE, Settings(allow_unsafe_code=True)) is None


@pytest.mark.skipif(level.absent() is not None, reason="no sandbox here")
def test_the_sandbox_is_in_the_notes(tmp_path):
    given = inputs(tmp_path, CODE, "f", "assert f() == 4", "def f(): return 4")
    computed = STAGE.compute(given)
    assert computed.notes["sandbox_level"] in ("full", "partial")
    assert computed.tables["verifier_scores"]["score"].to_pylist() == [1.0, 0.0, 1.0]
    assert not STAGE.compute(inputs(tmp_path, SUMS)).notes


def test_the_instruments_are_those_of_the_contract():
    assert STAGE.instruments(SUMS) == {"verifier": "numeric@2", "extraction": "last_number@2"}
    assert STAGE.wanted(SUMS)
    assert not STAGE.wanted(contract(None))
    with pytest.raises(ValueError, match="sums/v1 declares no verification"):
        STAGE.instruments(contract(None))
