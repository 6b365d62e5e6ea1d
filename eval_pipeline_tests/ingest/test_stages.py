"""The ingest stages on a small data folder: tables, files that were read, refusals."""

import hashlib
import json

import pyarrow as pa
import pytest

from eval_pipeline.contracts.model import Contract
from eval_pipeline.ingest.checkpoint import write_success
from eval_pipeline.layout import DataRoot
from eval_pipeline.orchestration.stage import StageInputs
from eval_pipeline.orchestration.stages import annotations, generations, judge_votes
from eval_pipeline.warehouse.schemas import TABLES
from eval_pipeline_tests.ingest.conftest import lines_of, sample

BODY = {
    "contract": "quiz",
    "version": 1,
    "question": {"text": "Does it?", "primary_endpoint": {"metric": "pass_at_k", "k": 1}},
    "targets": {},
    "task": {"benchmark": "b@1", "population": "all"},
    "prompt": {"template": "prompts/p.txt"},
    "decoding": {"temperature": 0.0, "max_tokens": 8},
    "budget": {"draws_per_item": 2},
    "unit": {},
    "aggregation": {},
    "failures": {
        "parser_failure": "wrong",
        "model_refusal": "wrong",
        "timeout": "wrong",
        "permission_denied": "wrong",
        "infra_error": "retry",
        "invalid_sample": "exclude",
    },
    "decision": {"rule": "superior"},
    "evaluator": {"kind": "judge", "reason": "r", "uncovered": "u"},
    "statistics": {"seed": 1},
    "judging": {
        "judges": [{"name": "stern", "family": "crow"}, {"name": "mild", "family": "wren"}],
        "bars": {},
        "annotations": ["raters"],
    },
}
ITEMS = [{"item_id": i, "cluster_id": f"c{i}", "question": "q", "slices": []} for i in ("a", "b")]
PLAN = [{"item_id": "a", "model_a": "heron", "model_b": "tern", "chosen_by": "anchor"}]


@pytest.fixture
def contract():
    return Contract.model_validate(BODY)


@pytest.fixture
def inputs(tmp_path, contract):
    root = DataRoot(tmp_path)
    folder = root.checkpoint("tern")
    folder.mkdir(parents=True)
    (folder / "checkpoint.yaml").write_text("family: tern\nweights_digest: sha256:00\n")
    rows = [sample("a"), sample("b", status="infra_error"), sample("b", 2), b"{"]
    (folder / "b.jsonl").write_bytes(lines_of(rows))
    (folder / "other.jsonl").write_bytes(b"")
    write_success(folder)

    def table(name, rows):
        def read(columns=None):
            whole = TABLES[name].from_rows(rows)
            return whole if columns is None else whole.select(columns)

        return read

    tables = {"items": table("items", ITEMS), "pair_plan": table("pair_plan", PLAN)}
    return StageInputs(contract, root, tables, checkpoint="tern")


def test_generations_gives_its_tables_and_names_what_it_read(inputs):
    computed = generations.STAGE.compute(inputs)
    assert tuple(computed.tables) == generations.STAGE.tables
    for name, table in computed.tables.items():
        assert table.schema == TABLES[name].schema
    assert computed.tables["generations"]["item_id"].to_pylist() == ["a", "b"]
    reasons = computed.tables["rejected_lines"]["reason"].to_pylist()
    assert reasons == ["beyond_budget", "invalid_json"]
    missing = [tuple(row.values()) for row in computed.tables["missing_draws"].to_pylist()]
    assert missing == [("a", 1, "absent"), ("b", 0, "retry"), ("b", 1, "absent")]
    names = ["_SUCCESS", "checkpoint.yaml", "b.jsonl"]
    assert [file.path for file in computed.files] == [f"checkpoints/tern/{n}" for n in names]
    for file in computed.files:
        content = (inputs.root.path / file.path).read_bytes()
        assert (file.sha256, file.bytes) == (hashlib.sha256(content).hexdigest(), len(content))


def test_hostile_names_of_keys_are_told_in_short_and_printable(inputs):
    folder = inputs.root.checkpoint("tern")
    rows = [sample("a") | {f"\x1b[31m\ud800{n}" + "x" * 999: n for n in range(60)}]
    (folder / "b.jsonl").write_bytes(lines_of(rows))
    write_success(folder)
    note = generations.STAGE.compute(inputs).notes["keys kept in extra"]
    assert note.startswith("\\x1b[31m\\ud800")
    assert note.endswith("… and 10 more")
    assert note.isprintable()
    assert len(note) < 4000


def test_planning_is_told_the_very_files_that_are_read(inputs):
    paths = generations.STAGE.files(inputs.root, inputs.contract, "tern")
    read = generations.STAGE.compute(inputs).files
    assert paths == [inputs.root.path / file.path for file in read]


def test_the_checks_hold_and_would_notice_a_lost_row(inputs):
    computed = generations.STAGE.compute(inputs)
    for check in generations.STAGE.checks:
        assert check.finds(inputs, computed) is None
    lost = computed.tables["generations"].slice(1)
    broken = type(computed)({**computed.tables, "generations": lost}, computed.files)
    found = [check.finds(inputs, broken) for check in generations.STAGE.checks]
    assert found == [None, "generations holds 1 rows, the accounts of the files say 2"]


def test_bytes_that_changed_under_the_same_size_are_refused(inputs):
    path = inputs.root.checkpoint("tern") / "b.jsonl"
    path.write_bytes(path.read_bytes().replace(b"42", b"43"))
    with pytest.raises(
        ValueError, match=r"checkpoint tern: b\.jsonl is not the file that _SUCCESS"
    ):
        generations.STAGE.compute(inputs)


def test_a_checkpoint_without_marker_is_refused(inputs):
    (inputs.root.checkpoint("tern") / "_SUCCESS").unlink()
    with pytest.raises(ValueError, match="checkpoint tern: has no _SUCCESS yet"):
        generations.STAGE.compute(inputs)


def test_a_checkpoint_without_a_file_of_the_benchmark_is_not_applicable(inputs):
    assert generations.STAGE.not_applicable(inputs.root, inputs.contract, "tern") is None
    (inputs.root.checkpoint("tern") / "b.jsonl").unlink()
    why = generations.STAGE.not_applicable(inputs.root, inputs.contract, "tern")
    assert why == "checkpoint tern has no file of benchmark b"


def test_votes_of_all_judges_stand_in_one_table_and_absent_files_are_no_votes(inputs):
    path = inputs.root.judgments("stern", "b", "tern")
    path.parent.mkdir(parents=True)
    vote = {"item_id": "a", "model_a": "heron", "model_b": "tern", "shown_first": "tern"}
    path.write_bytes(
        lines_of([vote | {"verdict": "tie"}, vote | {"item_id": "b", "verdict": "tie"}])
    )
    computed = judge_votes.STAGE.compute(inputs)
    assert tuple(computed.tables) == judge_votes.STAGE.tables
    assert computed.tables["judge_votes"]["judge"].to_pylist() == ["stern"]
    assert computed.tables["rejected_votes"]["reason"].to_pylist() == ["not_planned"]
    assert [file.path for file in computed.files] == ["judgments/stern/b/tern.jsonl"]
    paths = judge_votes.STAGE.files(inputs.root, inputs.contract, "tern")
    assert [path.parent.parent.name for path in paths] == ["stern", "mild"]


def test_annotations_come_from_every_set_that_is_named(inputs):
    path = inputs.root.annotations("raters")
    path.parent.mkdir()
    label = {"item_id": "a", "model_a": "heron", "model_b": "tern", "rater": "r", "label": "tie"}
    path.write_bytes(lines_of([label, label]))
    computed = annotations.STAGE.compute(inputs)
    assert computed.tables["annotations"].schema == TABLES["annotations"].schema
    assert computed.tables["rejected_annotations"].num_rows == 1
    assert [file.path for file in computed.files] == ["annotations/raters.jsonl"]


def test_a_set_of_labels_that_is_not_there_is_named(inputs):
    with pytest.raises(ValueError, match=r"raters\.jsonl: is not there: add it"):
        annotations.STAGE.compute(inputs)


def test_the_stages_of_judging_are_wanted_only_where_the_contract_judges(contract):
    plain = Contract.model_validate({k: v for k, v in BODY.items() if k != "judging"})
    unlabelled = json.loads(json.dumps(BODY))
    del unlabelled["judging"]["annotations"]
    for stage, wanted in ((judge_votes.STAGE, True), (annotations.STAGE, False)):
        assert stage.wanted(contract)
        assert not stage.wanted(plain)
        assert stage.wanted(Contract.model_validate(unlabelled)) == wanted


def test_output_does_not_depend_on_the_order_of_items(inputs):
    first = generations.STAGE.compute(inputs).tables
    turned = TABLES["items"].from_rows(ITEMS[::-1])
    tables = inputs.tables | {"items": lambda columns=None: turned.select(columns)}
    second = generations.STAGE.compute(
        StageInputs(inputs.contract, inputs.root, tables, checkpoint="tern")
    ).tables
    assert all(
        isinstance(table, pa.Table) and table.equals(second[name]) for name, table in first.items()
    )
