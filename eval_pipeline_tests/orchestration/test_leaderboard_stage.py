"""What the stage of the leaderboard says of a contract's judges, of twins, and of what is gone."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

from eval_pipeline.contracts.load import load_all
from eval_pipeline.contracts.model import Contract, Decision, Guardrail
from eval_pipeline.layout import DataRoot
from eval_pipeline.orchestration.stage import Computed, StageInputs
from eval_pipeline.orchestration.stages import leaderboard
from eval_pipeline.orchestration.stages.generations import REPLIES
from eval_pipeline.warehouse.schemas import TABLES

DATA = DataRoot(Path(__file__).resolve().parents[2] / "data")
NAMES = ("a", "b")
REPLY_GUARDRAIL = Guardrail(metric="judge_score", at_least=1.0)


@pytest.fixture(scope="module")
def contract() -> Contract:
    """Judged in pairs; a guardrail rests on judges of single replies."""
    loaded = {one.contract.contract: one.contract for one in load_all(DATA).contracts}
    judged = loaded["helpful_replies"]
    assert isinstance(judged.decision, Decision)
    decision = judged.decision.model_copy(update={"guardrails": [REPLY_GUARDRAIL]})
    return judged.model_copy(update={"decision": decision})


def stored(table: str, rows: Sequence[Mapping[str, Any]]) -> pa.Table:
    schema = TABLES[table].stored_schema
    return pa.Table.from_pylist([dict(row) for row in rows], schema=schema)


def licence(judge: str, outcome: str) -> dict[str, Any]:
    return {"judge": judge, "slice": "all", "outcome": outcome, "reason": "as audited"}


def computed(contract: Contract, licensed: Sequence[str], **further: Any) -> Computed:
    assert contract.judging is not None
    judges = [judge.name for judge in contract.judging.judges]
    tables = {
        "items": stored("items", [{"item_id": "i0"}]),
        "run_manifest": stored("run_manifest", [{"checkpoint": n, "field": "x"} for n in NAMES]),
        "judge_licences": stored(
            "judge_licences",
            [licence(one, "licensed" if one in licensed else "refused") for one in judges],
        ),
        "awaited_votes": stored("awaited_votes", further.pop("awaited", [])),
    }

    def reader(table: pa.Table) -> Any:
        return lambda columns=None: table if columns is None else table.select(columns)

    inputs = StageInputs(
        contract, DATA, {name: reader(table) for name, table in tables.items()}, **further
    )
    return leaderboard.compute(inputs)


def board(contract: Contract, licensed: Sequence[str], **further: Any) -> dict[str, Any]:
    rows = computed(contract, licensed, **further).tables["leaderboard"].to_pylist()
    return {row["checkpoint"]: row for row in rows}


def names(contract: Contract, form: str) -> list[str]:
    assert contract.judging is not None
    return [judge.name for judge in getattr(contract.judging, form)]


def test_a_guardrails_jury_without_a_licence_leaves_the_board_to_its_own_jury(
    contract: Contract,
) -> None:
    """It was told as the mean of all judges, none of them licensed."""
    pairs = names(contract, "pairwise")
    row = board(contract, licensed=pairs[:1])["a"]
    assert row["quarantine_scope"] == "decision"
    assert "single replies" in row["quarantine_reason"]
    assert row["terms"].startswith("mean of the licensed judges,")
    assert row["jury"] == f"the licensed judges: {pairs[0]}"


def test_without_a_licence_of_its_own_jury_the_whole_board_is_quarantined(
    contract: Contract,
) -> None:
    row = board(contract, licensed=names(contract, "pointwise"))["a"]
    assert row["quarantine_scope"] == "board"
    assert row["terms"].startswith("mean of all judges, none of them licensed,")


def test_what_is_not_cast_stands_in_the_row_and_is_noticed(contract: Contract) -> None:
    judge = names(contract, "pairwise")[0]
    counts = {"n_due": 10, "n_cast": 4, "n_unanswered": 0, "pending": True}
    waits = {"judge": judge, "checkpoint": "b", "form": "pairs", **counts}
    everybody = [judge, names(contract, "pointwise")[0]]
    made = computed(contract, everybody, awaited=[waits])
    rows = {row["checkpoint"]: row for row in made.tables["leaderboard"].to_pylist()}
    assert rows["a"]["votes_pending"] is None
    assert rows["b"]["votes_pending"] == f"6 of 10 votes of {judge} are not cast yet"
    notices = {one.sentence: one.finds for one in leaderboard.STAGE.notices}
    table = made.tables["leaderboard"]
    assert notices["every_vote_is_cast"](table) == f"b: {rows['b']['votes_pending']}"
    assert notices["nothing_is_quarantined"](table) is None
    assert notices["every_checkpoint_is_on_disk"](table) is None


def test_twins_are_known_by_what_the_generations_noted(contract: Contract) -> None:
    notes = {name: {REPLIES: "one digest"} for name in NAMES}
    rows = board(contract, licensed=(), notes=lambda table: notes)
    assert rows["a"]["twins"] == ["b"]
    assert "the same reply to every item as b" in rows["a"]["remarks"]
    assert board(contract, licensed=())["a"]["twins"] == []


def test_what_is_gone_stands_in_the_rows_and_in_the_notes(contract: Contract) -> None:
    made = computed(contract, (), gone=("b",))
    rows = {row["checkpoint"]: row["gone"] for row in made.tables["leaderboard"].to_pylist()}
    assert rows == {"a": False, "b": True}
    assert made.notes["gone"] == "b"
    assert "gone" not in computed(contract, ()).notes
