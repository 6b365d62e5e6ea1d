import json
import os
import re
import subprocess
import sys
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pyarrow as pa
import pytest

from eval_pipeline.layout import FileRead
from eval_pipeline.warehouse.digest import table_digest
from eval_pipeline.warehouse.errors import (
    CheckFailed,
    DamagedPart,
    MixedIdentities,
    NewerSchema,
    NotMaterialised,
    SchemaViolated,
)
from eval_pipeline.warehouse.parts import footer_record, read_part
from eval_pipeline.warehouse.place import Place, TableRef
from eval_pipeline.warehouse.record import CheckResult, now
from eval_pipeline.warehouse.schemas import TABLES
from eval_pipeline.warehouse.store import Warehouse
from eval_pipeline.warehouse.stored import require_one_identity
from eval_pipeline_tests.warehouse.samples import IDENTITY, items, publish, scores

STEP1 = Place("verifier_scores", "qa", 1, "step1")
FOLDER = "tables/verifier_scores/contract=qa/version=1/checkpoint=step1"


@pytest.fixture
def warehouse(tmp_path):
    return Warehouse(tmp_path / "warehouse")


def read(warehouse, **asked):
    return warehouse.read("verifier_scores", "qa", 1, **{"checkpoint": "step1", **asked})


def fail(warehouse, key, **changed):
    place = {"contract": "qa", "version": 1, "checkpoint": "step1", **changed}
    (record,) = warehouse.record_failure(
        ["verifier_scores"],
        identity=IDENTITY,
        stage="verify",
        key=key,
        run_id="run-1",
        detail="ValueError: item q1\n  has no answer",
        **place,
    )
    return record


def refuses_every_row(table: pa.Table) -> CheckResult:
    return CheckResult("rows add up", False, f"{table.num_rows} rows are too many")


def test_what_was_published_is_read_back(warehouse):
    record = publish(warehouse)
    stored = read(warehouse)
    assert stored.refs == (TableRef("verifier_scores", "qa", 1, "step1", record.digest),)
    assert stored.rows == 3
    table = stored.table()
    assert table.schema.equals(TABLES["verifier_scores"].stored_schema)
    assert table["score"].to_pylist() == [1.0, 0.0, None]
    assert table_digest(table) == record.digest
    assert stored.table(["score", "contract"]).column_names == ["contract", "score"]


def test_part_pointer_footer_and_record_say_the_same(warehouse):
    ref = TableRef("items", "qa", 1, None, "d")
    file = FileRead("checkpoints/step1/qa.jsonl", "s", 10)
    record = publish(
        warehouse, inputs=[ref], files=[file], seed=7, instruments={"verifier": "numeric@1"}
    )
    folder = warehouse.path / FOLDER
    part = folder / f"part-{record.digest}.parquet"
    assert sorted(path.name for path in folder.iterdir()) == ["current.json", part.name]
    assert footer_record(part) == record == warehouse.history()[record.id]
    pointer = json.loads((folder / "current.json").read_text())
    assert pointer == {
        "table": "verifier_scores",
        "contract": "qa",
        "version": 1,
        "checkpoint": "step1",
        "digest": record.digest,
        "file": part.name,
        "rows": 3,
        "schema_version": 1,
        "identity": IDENTITY,
        "record": record.id,
        "written_at": record.written_at,
    }
    assert record.inputs.tables == (ref,)
    assert record.inputs.files == (file,)
    assert record.packages["pyarrow"] == pa.__version__
    assert read_part(part, 3).schema.metadata is None


def test_names_that_dagster_would_change_stay_as_they_are(warehouse):
    publish(warehouse, checkpoint="tern@step+1.0-rc_2")
    stored = warehouse.read("verifier_scores", "qa", 1)
    assert stored.table()["checkpoint"].to_pylist() == ["tern@step+1.0-rc_2"] * 3


@pytest.mark.parametrize("name", ["a|b", "..", "a=b", "a b", "", "a/b"])
def test_a_name_that_may_not_be_a_folder_writes_nothing(warehouse, name):
    with pytest.raises(ValueError, match="is refused: use letters"):
        publish(warehouse, checkpoint=name)
    with pytest.raises(ValueError, match="is refused: use letters"):
        publish(warehouse, contract=name)
    with pytest.raises(ValueError, match="is refused: use letters"):
        fail(warehouse, "key-1", contract=name)
    assert not list(warehouse.path.rglob("*.json"))


def test_an_unknown_table_and_a_wrong_scope_are_refused(warehouse):
    with pytest.raises(ValueError, match="the registry knows no table 'scores'"):
        warehouse.read("scores", "qa", 1)
    with pytest.raises(ValueError, match="checkpoint scope: name its checkpoint"):
        publish(warehouse, checkpoint=None)
    with pytest.raises(ValueError, match="contract scope: leave checkpoint out"):
        publish(warehouse, "items", items("a"), checkpoint="step1")


def test_the_same_values_again_are_unchanged_and_their_part_stays(warehouse):
    first = publish(warehouse)
    part = warehouse.path / FOLDER / f"part-{first.digest}.parquet"
    before = part.stat()
    shuffled = scores().take([2, 0, 1])
    second = publish(warehouse, data=shuffled, key="key-2")
    assert (second.outcome, second.digest) == ("unchanged", first.digest)
    assert part.stat().st_mtime_ns == before.st_mtime_ns
    assert part.stat().st_ino == before.st_ino
    assert warehouse.standing() == {STEP1: second}
    assert warehouse.pointer(STEP1).record == second.id


def test_older_results_are_read_by_moment_and_by_record(warehouse):
    first = publish(warehouse)
    between = now()
    second = publish(warehouse, data=scores([0.0]))
    assert read(warehouse).rows == 1
    for as_of in (between, first.id):
        assert read(warehouse, as_of=as_of).table()["score"].to_pylist() == [1.0, 0.0, None]
    assert read(warehouse, as_of=second.id).refs == read(warehouse).refs
    everything = warehouse.read("verifier_scores", "qa", 1, as_of=between)
    assert everything.refs == read(warehouse, as_of=between).refs
    with pytest.raises(NotMaterialised, match="checkpoint step1 as of 2001"):
        read(warehouse, as_of=datetime(2001, 1, 1, tzinfo=UTC))


def test_all_checkpoints_are_read_sorted_by_name(warehouse):
    for name in ("step2", "step10", "step1"):
        publish(warehouse, checkpoint=name)
    names = ["step1", "step10", "step2"]
    stored = warehouse.read("verifier_scores", "qa", 1)
    assert [ref.checkpoint for ref in stored.refs] == names
    assert stored.table(["checkpoint"])["checkpoint"].unique().to_pylist() == names
    some = warehouse.read("verifier_scores", "qa", 1, checkpoints=["step2", "step1"])
    assert [ref.checkpoint for ref in some.refs] == ["step1", "step2"]
    with pytest.raises(NotMaterialised, match="checkpoint step3: `eval-pipeline run` makes it"):
        warehouse.read("verifier_scores", "qa", 1, checkpoints=["step1", "step3"])


def test_no_checkpoint_at_all_is_an_empty_typed_table(warehouse):
    stored = warehouse.read("verifier_scores", "qa", 1)
    assert stored.refs == ()
    assert stored.table().schema.equals(TABLES["verifier_scores"].stored_schema)
    assert stored.table(["score"]).schema.names == ["score"]


def test_what_is_not_there_is_named_with_the_mend(warehouse):
    with pytest.raises(NotMaterialised) as caught:
        warehouse.read("items", "qa", 1)
    assert str(caught.value) == "there is no items of qa v1: `eval-pipeline run` makes it"


def test_a_failed_check_leaves_the_current_part_and_is_recorded(warehouse):
    good = publish(warehouse)
    with pytest.raises(CheckFailed, match="rows add up: 1 rows are too many") as caught:
        publish(warehouse, data=scores([0.5]), checks=[refuses_every_row], key="key-2")
    assert read(warehouse).refs[0].digest == good.digest
    failed = warehouse.history().latest(STEP1)
    assert caught.value.record == failed
    assert (failed.outcome, failed.attempt, failed.key) == ("failed", 1, "key-2")
    assert failed.checks == (CheckResult("rows add up", False, "1 rows are too many"),)
    assert warehouse.history().latest_success(STEP1) == good
    assert len(list((warehouse.path / FOLDER).glob("*.parquet"))) == 1


def test_a_passed_check_is_recorded_and_sees_the_table_as_stored(warehouse):
    def is_sorted(table: pa.Table) -> CheckResult:
        return CheckResult("sorted", table["item_id"].to_pylist() == ["q0", "q1", "q2"])

    record = publish(warehouse, data=scores().take([2, 1, 0]), checks=[is_sorted])
    assert record.checks == (CheckResult("sorted", True),)


def test_attempts_count_failures_in_a_row_under_one_key(warehouse):
    assert fail(warehouse, "key-1").detail == "ValueError: item q1 has no answer"
    assert [fail(warehouse, f"key-{i}").attempt for i in (1, 1, 2)] == [2, 3, 1]
    assert publish(warehouse, key="key-2").attempt == 2
    assert fail(warehouse, "key-2").attempt == 1
    assert warehouse.history().latest(STEP1).digest is None


def test_a_table_that_breaks_the_registry_is_not_published(warehouse):
    with pytest.raises(SchemaViolated):
        publish(warehouse, data=scores().drop_columns(["status"]))
    assert len(warehouse.history()) == 0


def test_results_of_another_identity_are_not_read(warehouse):
    publish(warehouse)
    publish(warehouse, checkpoint="step2", identity="identity-2")
    assert read(warehouse, identity=IDENTITY).rows == 3
    with pytest.raises(MixedIdentities, match=r"step2 was made under identity identity-2, asked"):
        warehouse.read("verifier_scores", "qa", 1, identity=IDENTITY)
    one, other = read(warehouse), read(warehouse, checkpoint="step2")
    require_one_identity(one, one)
    with pytest.raises(MixedIdentities, match="join results of one identity only"):
        require_one_identity(one, other)


def test_a_missing_part_is_named_and_no_longer_stands(warehouse):
    record = publish(warehouse)
    part = warehouse.path / FOLDER / f"part-{record.digest}.parquet"
    part.unlink()
    with pytest.raises(DamagedPart, match=re.escape(f"{part} is missing: run again")):
        read(warehouse).table()
    assert warehouse.standing() == {}
    publish(warehouse)
    assert read(warehouse).table().num_rows == 3


def damage_cut(part):
    part.write_bytes(part.read_bytes()[:-20])


def damage_flip(part):
    content = bytearray(part.read_bytes())
    content[10] ^= 0xFF
    part.write_bytes(bytes(content))


def damage_empty(part):
    part.write_bytes(b"")


@pytest.mark.parametrize("damage", [damage_cut, damage_flip, damage_empty])
def test_a_damaged_part_is_named_and_mended_by_publishing_again(warehouse, damage):
    record = publish(warehouse)
    part = warehouse.path / FOLDER / f"part-{record.digest}.parquet"
    damage(part)
    with pytest.raises(DamagedPart, match="delete the file and run again") as caught:
        read(warehouse).table()
    assert str(part) in str(caught.value)
    assert "\n" not in str(caught.value)
    publish(warehouse)
    assert table_digest(read(warehouse).table()) == record.digest


def test_a_part_with_other_rows_than_recorded_is_refused(warehouse):
    publish(warehouse)
    path = warehouse.path / FOLDER / "current.json"
    path.write_text(path.read_text().replace('"rows": 3', '"rows": 4'))
    with pytest.raises(DamagedPart, match="holds 3 rows, its record says 4"):
        read(warehouse).table()


def test_a_part_of_a_later_schema_is_refused(warehouse):
    publish(warehouse)
    path = warehouse.path / FOLDER / "current.json"
    path.write_text(path.read_text().replace('"schema_version": 1', '"schema_version": 9'))
    with pytest.raises(NewerSchema, match="written under schema version 9"):
        read(warehouse).table()


def test_an_unknown_column_is_refused(warehouse):
    publish(warehouse)
    with pytest.raises(ValueError, match=r"has no columns \['colour'\]: it has \['contract'"):
        read(warehouse).table(["colour"])


def test_a_part_of_the_previous_schema_is_read_from_the_warehouse(warehouse, monkeypatch):
    today = TABLES["verifier_scores"]
    old = tuple(column for column in today.columns if column.name != "extracted")
    monkeypatch.setitem(TABLES, today.name, replace(today, columns=old, version=1))
    publish(warehouse, data=scores())
    monkeypatch.setitem(TABLES, today.name, replace(today, version=2))
    publish(warehouse, checkpoint="step2")
    table = warehouse.read("verifier_scores", "qa", 1).table()
    assert table["extracted"].null_count == 6
    assert [p.schema_version for p in warehouse.read(today.name, "qa", 1).pointers] == [1, 2]


def test_a_damaged_or_lost_pointer_is_mended_from_lineage(warehouse):
    record = publish(warehouse)
    pointer = warehouse.pointer(STEP1)
    path = warehouse.path / FOLDER / "current.json"
    path.write_text("{")
    with pytest.raises(DamagedPart, match=r"current\.json holds no pointer .*delete it"):
        read(warehouse)
    for damage in (lambda: None, path.unlink):
        damage()
        with warehouse.lock():
            assert warehouse.pointer(STEP1) == pointer
    assert pointer.record == record.id


def test_a_pointer_left_behind_is_moved_by_the_next_holder_of_the_lock(warehouse):
    publish(warehouse)
    path = warehouse.path / FOLDER / "current.json"
    behind = path.read_text()
    record = publish(warehouse, data=scores([0.5]))
    path.write_text(behind)
    assert warehouse.standing()[STEP1] == record
    with warehouse.lock():
        assert read(warehouse).refs[0].digest == record.digest


def test_gc_removes_what_nothing_refers_to_and_no_more(warehouse):
    first = publish(warehouse)
    second = publish(warehouse, data=scores([0.5]))
    folder = warehouse.path / FOLDER
    orphan = folder / f"part-{'0' * 64}.parquet"
    orphan.write_bytes(b"x" * 10)
    temporary = folder / ".part-1.parquet.ab12.tmp"
    temporary.write_bytes(b"x" * 5)
    (folder / "notes.txt").write_text("a person's")
    not_ours = warehouse.path / "dagster" / ".run.ab12.tmp"
    not_ours.parent.mkdir()
    not_ours.write_text("another program's")
    swept = warehouse.gc(dry_run=True)
    assert [(file.path, file.bytes) for file in swept] == [(temporary, 5), (orphan, 10)]
    assert orphan.exists()
    assert warehouse.gc(dry_run=False) == swept
    assert not orphan.exists()
    assert not temporary.exists()
    assert read(warehouse, as_of=first.id).table().num_rows == 3
    (gone,) = warehouse.gc(dry_run=False, keep="current")
    assert gone.path.name == f"part-{first.digest}.parquet"
    with pytest.raises(DamagedPart, match="is missing"):
        read(warehouse, as_of=first.id).table()
    assert table_digest(read(warehouse).table()) == second.digest
    assert (folder / "notes.txt").exists()
    assert not_ours.exists()


def test_a_warehouse_may_be_moved(warehouse, tmp_path):
    record = publish(warehouse)
    moved = tmp_path / "elsewhere"
    os.rename(warehouse.path, moved)
    assert read(Warehouse(moved)).refs[0].digest == record.digest
    assert read(Warehouse(moved)).table().num_rows == 3


def test_records_are_written_at_the_time_that_they_say(warehouse):
    before = now()
    record = publish(warehouse, started_at=before - timedelta(minutes=1))
    assert record.started_at < record.written_at
    assert datetime.fromisoformat(record.written_at) >= before


def test_planning_reads_lineage_and_pointers_without_arrow_or_duckdb(warehouse):
    publish(warehouse)
    script = (
        "import sys\n"
        "from pathlib import Path\n"
        "from eval_pipeline.warehouse.store import Warehouse\n"
        "from eval_pipeline.warehouse.trace import trace\n"
        "w = Warehouse(Path(sys.argv[1]))\n"
        "assert len(w.standing()) == 1\n"
        "assert all(w.pointer(place) for place in w.history().places())\n"
        "assert trace(w, 'verifier_scores', 'qa', 1, 'step1')\n"
        "heavy = {'pyarrow', 'duckdb', 'numpy', 'pandas', 'pydantic', 'dagster'}\n"
        "assert not heavy & set(sys.modules), heavy & set(sys.modules)\n"
    )
    subprocess.run([sys.executable, "-c", script, str(warehouse.path)], check=True)
