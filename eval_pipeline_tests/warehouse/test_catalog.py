import os
import shutil
import subprocess
import sys
from dataclasses import replace

import duckdb
import pyarrow as pa
import pytest

from eval_pipeline.warehouse.catalog import CATALOG_NAME, publish_catalog
from eval_pipeline.warehouse.errors import DamagedPart, NewerSchema
from eval_pipeline.warehouse.query import query
from eval_pipeline.warehouse.schemas import TABLES
from eval_pipeline.warehouse.store import Warehouse
from eval_pipeline.warehouse.views import duckdb_type
from eval_pipeline_tests.warehouse.samples import items, publish, scores


@pytest.fixture
def warehouse(tmp_path):
    return Warehouse(tmp_path / "warehouse")


def as_a_person(folder, sql):
    """What someone sees who stands in the folder and opens the catalogue."""
    script = (
        "import sys, json, duckdb\n"
        f"c = duckdb.connect({CATALOG_NAME!r}, read_only=True)\n"
        "print(json.dumps(c.execute(sys.argv[1]).fetchall()))\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", script, sql], cwd=folder, check=True, capture_output=True, text=True
    )
    return done.stdout.strip()


def test_the_current_parts_are_read_also_after_a_move(warehouse, tmp_path):
    publish(warehouse, data=scores([0.25]))
    publish(warehouse)
    publish(warehouse, checkpoint="step@2", data=scores([0.5]))
    assert publish_catalog(warehouse)
    moved = tmp_path / "moved"
    shutil.move(warehouse.path, moved)
    sql = "SELECT checkpoint, count(*), sum(score) FROM verifier_scores GROUP BY 1 ORDER BY 1"
    assert as_a_person(moved, sql) == '[["step1", 3, 1.0], ["step@2", 1, 0.5]]'
    assert as_a_person(moved, "SELECT count(*), max(outcome) FROM lineage") == '[[3, "ok"]]'


def described(connection):
    sql = (
        "SELECT table_name, column_name, data_type, comment FROM duckdb_columns() "
        "WHERE table_name IN (SELECT view_name FROM duckdb_views() WHERE NOT internal)"
    )
    return {(row[0], row[1]): row[2:] for row in connection.execute(sql).fetchall()}


def test_every_table_has_a_typed_and_commented_view_even_when_empty(warehouse):
    publish_catalog(warehouse)
    with duckdb.connect(warehouse.path / CATALOG_NAME, read_only=True) as connection:
        columns = described(connection)
        for spec in TABLES.values():
            assert connection.execute(f"SELECT count(*) FROM {spec.name}").fetchone() == (0,)
            for column in (*spec.stamps, *spec.columns):
                type_, comment = columns[spec.name, column.name]
                assert type_ == duckdb_type(column.type)
                assert comment.startswith(column.meaning)
        comments = connection.execute("SELECT view_name, comment FROM duckdb_views()").fetchall()
        assert {spec.name: spec.meaning for spec in TABLES.values()}.items() <= dict(
            comments
        ).items()
        assert connection.execute("SELECT count(*) FROM lineage").fetchone() == (0,)


def test_an_empty_part_keeps_the_types_of_the_registry(warehouse, golden_vectors):
    (case,) = [c for c in golden_vectors("bug_cases.jsonl") if c["id"] == "PB122"]
    publish(warehouse, data=TABLES["verifier_scores"].empty())
    answer = query(warehouse, "DESCRIBE verifier_scores").to_pylist()
    types = {row["column_name"]: row["column_type"] for row in answer}
    assert types["detail"] == case["right_behaviour"]["type"]


def test_whole_numbers_in_one_part_do_not_round_the_fractions_of_another(warehouse, golden_vectors):
    (case,) = [c for c in golden_vectors("bug_cases.jsonl") if c["id"] == "PB120"]
    for i, file in enumerate(case["minimal_input"]["files"]):
        values = [float(value) for value in file["s"]]
        publish(warehouse, "verifier_scores", scores(values), checkpoint=f"step{i}")
    answer = query(warehouse, "SELECT sum(score) AS s FROM verifier_scores")
    assert answer["s"].to_pylist() == [case["right_behaviour"]["sum"]]


def test_parts_of_two_schemas_stand_in_one_view(warehouse, monkeypatch):
    today = TABLES["verifier_scores"]
    old = tuple(column for column in today.columns if column.name != "extracted")
    monkeypatch.setitem(TABLES, today.name, replace(today, columns=old, version=1))
    publish(warehouse)
    monkeypatch.setitem(TABLES, today.name, replace(today, version=2))
    sql = "SELECT count(*) AS n, count(extracted) AS e FROM verifier_scores"
    assert query(warehouse, sql).to_pylist() == [{"n": 3, "e": 0}]
    answered = scores().set_column(
        today.schema.get_field_index("extracted"), "extracted", pa.array(["1", "2", "3"])
    )
    publish(warehouse, data=answered, checkpoint="step2")
    assert query(warehouse, sql).to_pylist() == [{"n": 6, "e": 3}]


def test_nothing_new_is_not_written_again(warehouse):
    publish(warehouse)
    assert publish_catalog(warehouse)
    path = warehouse.path / CATALOG_NAME
    before = path.stat()
    assert not publish_catalog(warehouse)
    publish(warehouse, key="key-2")  # the same values: the views stay as they are
    assert not publish_catalog(warehouse)
    assert path.stat().st_mtime_ns == before.st_mtime_ns
    publish(warehouse, data=scores([0.5]))
    assert publish_catalog(warehouse)


def test_a_damaged_catalogue_is_made_anew(warehouse):
    publish(warehouse)
    (warehouse.path / CATALOG_NAME).write_bytes(b"not a database")
    assert publish_catalog(warehouse)
    assert as_a_person(warehouse.path, "SELECT count(*) FROM verifier_scores") == "[[3]]"


def test_who_has_it_open_keeps_what_they_opened(warehouse, monkeypatch):
    publish(warehouse)
    publish_catalog(warehouse)
    monkeypatch.chdir(warehouse.path)
    with duckdb.connect(CATALOG_NAME, read_only=True) as reader:
        publish(warehouse, data=scores([0.5]))
        assert publish_catalog(warehouse)
        assert reader.execute("SELECT count(*) FROM verifier_scores").fetchone() == (3,)
    assert as_a_person(warehouse.path, "SELECT count(*) FROM verifier_scores") == "[[1]]"


def test_a_damaged_part_is_named_and_the_old_catalogue_stays(warehouse):
    publish(warehouse)
    publish_catalog(warehouse)
    record = publish(warehouse, data=scores([0.5]))
    (part,) = warehouse.tables.rglob(f"part-{record.digest}.parquet")
    part.write_bytes(b"PAR1")
    for attempt in (publish_catalog, lambda one: query(one, "SELECT 1")):
        with pytest.raises(DamagedPart, match="delete that file and run again") as caught:
            attempt(warehouse)
        assert part.name in str(caught.value)
        assert "\n" not in str(caught.value)
    assert as_a_person(warehouse.path, "SELECT count(*) FROM verifier_scores") == "[[3]]"


def test_a_part_of_a_later_schema_is_refused(warehouse, monkeypatch):
    today = TABLES["verifier_scores"]
    monkeypatch.setitem(TABLES, today.name, replace(today, version=2))
    publish(warehouse)
    monkeypatch.setitem(TABLES, today.name, today)
    with pytest.raises(NewerSchema, match="install the eval_pipeline that wrote it"):
        query(warehouse, "SELECT 1")


def test_no_temporary_is_left(warehouse):
    publish(warehouse, "items", items("a"))
    publish_catalog(warehouse)
    assert sorted(os.listdir(warehouse.path)) == [".lock", CATALOG_NAME, "tables"]


def test_lineage_can_be_asked_while_a_segment_is_made(warehouse):
    record = publish(warehouse)
    segment = warehouse.lineage.folder / f"{record.id}.jsonl"
    segment.write_text(record.to_json() + "\n")
    publish(warehouse, "items", items("a"), inputs=[record.ref])
    (warehouse.lineage.folder / f".{record.id}.json.ab12.tmp").write_text("half a rec")
    answer = query(
        warehouse,
        'SELECT "table", inputs.tables[1].digest AS read FROM lineage ORDER BY id',
    )
    assert answer.to_pylist() == [
        {"table": "verifier_scores", "read": None},
        {"table": "items", "read": record.digest},
    ]
    publish_catalog(warehouse)
    assert as_a_person(warehouse.path, "SELECT count(*) FROM lineage") == "[[2]]"
