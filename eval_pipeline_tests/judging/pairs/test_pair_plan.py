"""The plan of a checkpoint, from what lies on disk."""

from collections.abc import Callable
from pathlib import Path

import pytest

from eval_pipeline.contracts.model import Contract
from eval_pipeline.ingest.checkpoint import write_success
from eval_pipeline.layout import DataRoot
from eval_pipeline.orchestration.stage import Computed, StageInputs
from eval_pipeline.orchestration.stages import pair_plan
from eval_pipeline.warehouse.schemas import TABLES
from eval_pipeline_tests.contracts.project import FACTS, JUDGED, parsed, write

TEXT = (
    JUDGED.replace("families: [tern]", "families: [tern, heron]")
    .replace("anchors: [tern@step1]", "anchors: [tern@1], last_accepted: true")
    .replace("baseline: tern@step1", "baseline: tern@1")
)
LANDED = {"tern@1": "01-05", "heron@1": "01-12", "tern@2": "02-02", "heron@2": "02-09"}


@pytest.fixture
def root(tmp_path: Path) -> DataRoot:
    made = DataRoot(tmp_path)
    for name, day in LANDED.items():
        land(made, name, day)
    return made


@pytest.fixture
def contract(root: DataRoot) -> Contract:
    return parsed(root, TEXT)


def land(root: DataRoot, name: str, day: str, benchmark: str = "words", more: str = "{}") -> None:
    facts = FACTS.replace("family: tern", f"family: {name.split('@')[0]}")
    facts = facts.replace("2026-01-05", f"2026-{day}").replace(
        "trained_on: {}", f"trained_on: {more}"
    )
    write(root, f"checkpoints/{name}/checkpoint.yaml", facts)
    write(
        root, f"checkpoints/{name}/{benchmark}.jsonl", '{"item_id": "w-1", "draw": 0, "text": ""}\n'
    )
    write_success(root.checkpoint(name))


def planned(root: DataRoot, contract: Contract, checkpoint: str) -> Computed:
    items = TABLES["items"].from_rows(
        [
            {
                "item_id": f"w-{i}",
                "cluster_id": "c",
                "question": "?",
                "slices": [("operation", "add")],
            }
            for i in (2, 1)
        ]
    )
    return pair_plan.STAGE.compute(
        StageInputs(contract, root, {"items": lambda: items}, checkpoint)
    )


def pairs(computed: Computed) -> set[tuple[str, str, str]]:
    rows = computed.tables["pair_plan"].to_pylist()
    return {(row["model_a"], row["model_b"], row["chosen_by"]) for row in rows}


def test_a_checkpoint_is_judged_against_earlier_ones_on_every_item(
    root: DataRoot, contract: Contract
) -> None:
    computed = planned(root, contract, "heron@2")
    assert pairs(computed) == {
        ("heron@2", "tern@1", "anchor"),
        ("heron@2", "tern@2", "nearest"),
    }
    assert computed.tables["pair_plan"].num_rows == 2 * 2


def test_the_accepted_one_is_read_from_the_ledger(root: DataRoot, contract: Contract) -> None:
    line = '{contract: replies, version: 1, checkpoint: "heron@1", date: 2026-01-14, by: us}'
    other = '{contract: words, version: 1, checkpoint: "tern@2", date: 2026-02-14, by: us}'
    write(root, "contracts/accepted.yaml", f"- {line}\n- {other}\n")
    computed = planned(root, contract, "heron@2")
    assert ("heron@1", "heron@2", "last_accepted") in pairs(computed)
    assert computed.notes == pair_plan.facts(root, contract, "heron@2", [])
    assert computed.notes == {"last accepted": "heron@1"}


def test_the_first_checkpoint_has_an_empty_plan(root: DataRoot, contract: Contract) -> None:
    assert planned(root, contract, "tern@1").tables["pair_plan"].num_rows == 0


def test_a_later_checkpoint_leaves_no_trace(root: DataRoot, contract: Contract) -> None:
    before = pair_plan.STAGE.files(root, contract, "tern@2")
    land(root, "tern@3", "03-01")
    assert pair_plan.STAGE.files(root, contract, "tern@2") == before


def test_an_earlier_one_that_lands_late_is_met(root: DataRoot, contract: Contract) -> None:
    planned(root, contract, "heron@2")
    land(root, "tern@1.5", "02-03")
    assert ("heron@2", "tern@1.5", "nearest") in pairs(planned(root, contract, "heron@2"))


def without_marker(root: DataRoot) -> None:
    (root.checkpoint("tern@2") / "_SUCCESS").unlink()


def against_its_marker(root: DataRoot) -> None:
    (root.checkpoint("tern@2") / "words.jsonl").unlink()


def taught_by_the_judge(root: DataRoot) -> None:
    land(root, "tern@2", "02-02", more="{judges: [stern]}")


def never_asked(root: DataRoot) -> None:
    (root.checkpoint("tern@2") / "words.jsonl").unlink()
    land(root, "tern@2", "02-02", "other")


def broken_manifest(root: DataRoot) -> None:
    write(root, "checkpoints/tern@2/checkpoint.yaml", "family: tern\n")
    write_success(root.checkpoint("tern@2"))


@pytest.mark.parametrize(
    "spoil",
    [without_marker, against_its_marker, taught_by_the_judge, never_asked, broken_manifest],
)
def test_what_cannot_be_evaluated_is_no_partner(
    root: DataRoot, contract: Contract, spoil: Callable[[DataRoot], None]
) -> None:
    planned(root, contract, "heron@2")  # nothing may be remembered from before
    spoil(root)
    assert pairs(planned(root, contract, "heron@2")) == {
        ("heron@2", "tern@1", "anchor"),
        ("heron@1", "heron@2", "nearest"),
    }


def test_a_checkpoint_of_another_family_is_refused_by_name(
    root: DataRoot, contract: Contract
) -> None:
    land(root, "wren@1", "02-20")
    with pytest.raises(ValueError, match="'wren@1' is no target of replies/v1"):
        planned(root, contract, "wren@1")


def test_every_file_that_was_read_is_evidence(root: DataRoot, contract: Contract) -> None:
    read = {file.path for file in planned(root, contract, "tern@2").files}
    assert read == {
        f"checkpoints/{name}/{file}"
        for name in ("tern@1", "heron@1", "tern@2")
        for file in ("checkpoint.yaml", "_SUCCESS")
    }


def test_recorded_pairs_are_planned_as_their_votes_lie_there(root: DataRoot) -> None:
    text = TEXT.replace("{anchors: [tern@1], last_accepted: true, nearest: 1}", "{recorded: true}")
    contract = parsed(root, text)
    about = [
        ("w-1", "tern@1", "heron@2"),
        ("w-1", "heron@2", "tern@1"),  # the same pair
        ("w-2", "tern@2", "heron@2"),
        ("w-9", "tern@2", "heron@2"),  # no such item
        ("w-1", "tern@1", "tern@2"),  # a pair of others
        ("w-1", "heron@3", "heron@2"),  # no earlier checkpoint
    ]
    row = '{{"item_id": "{}", "model_a": "{}", "model_b": "{}", "verdict": {}}}\n'
    spoilt = '{"item_id": 1}\nno json\n'
    lines = [row.format(*pair, "NaN" if i else "null") for i, pair in enumerate(about)]
    write(root, "judgments/stern/words/heron@2.jsonl", "".join(lines) + spoilt)
    plan = planned(root, contract, "heron@2").tables["pair_plan"].to_pylist()
    assert [(one["item_id"], one["model_a"], one["model_b"]) for one in plan] == [
        ("w-1", "heron@2", "tern@1"),
        ("w-2", "heron@2", "tern@2"),
    ]
    assert {one["chosen_by"] for one in plan} == {"recorded"}
    assert planned(root, contract, "tern@2").tables["pair_plan"].num_rows == 0
    assert root.judgments("mild", "words", "heron@2") in pair_plan.files(root, contract, "heron@2")
