import re

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from eval_pipeline.warehouse.enforcement import enforced, readable
from eval_pipeline.warehouse.errors import DamagedPart, NewerSchema, SchemaViolated
from eval_pipeline.warehouse.parts import read_part
from eval_pipeline.warehouse.schemas import TABLES, Column, Table
from eval_pipeline_tests.warehouse.samples import items, scores

STAMPS = {"contract": "qa", "version": 1, "checkpoint": "step1"}
SPEC = Table(
    "runs",
    "A table of tests.",
    "checkpoint",
    (
        Column("name", pa.string(), "Name."),
        Column("turn", pa.int32(), "Turn."),
        Column("state", pa.string(), "State.", allowed=("on", "off")),
        Column("share", pa.float64(), "Share.", nullable=True),
        Column("logs", pa.list_(pa.float64()), "Logs.", nullable=True),
        Column("labels", pa.map_(pa.string(), pa.string()), "Labels.", nullable=True),
    ),
    key=("name", "turn"),
)


def rows(*changes):
    plain = {"name": "a", "turn": 0, "state": "on", "share": 0.5, "logs": None, "labels": None}
    schema = pa.schema([(field.name, field.type) for field in SPEC.schema])
    made = [{**plain, "turn": i, **change} for i, change in enumerate(changes)]
    return pa.Table.from_pylist(made, schema=schema)


def refusal(data, spec=SPEC, stamps=STAMPS):
    with pytest.raises(SchemaViolated) as caught:
        enforced(spec, data, stamps)
    assert "\n" not in str(caught.value)
    return str(caught.value)


def test_columns_are_stamped_in_front_and_rows_sorted():
    table = enforced(SPEC, rows({"name": "b"}, {"name": "a"}, {"name": "B"}), STAMPS)
    assert table.schema.equals(SPEC.stored_schema)
    assert table.to_pydict()["name"] == ["B", "a", "b"]
    assert set(table["checkpoint"].to_pylist()) == {"step1"}


def test_rows_are_sorted_by_the_declared_order_and_then_by_the_key():
    ordered = Table("runs", "m", "checkpoint", SPEC.columns, ("name", "turn"), order=("state",))
    data = rows({"name": "b"}, {"name": "a"}, {"name": "z", "state": "off"})
    assert enforced(ordered, data, STAMPS)["name"].to_pylist() == ["z", "a", "b"]


def test_row_order_chunks_column_order_and_flags_change_nothing():
    data = rows({"name": "a"}, {"name": "b"}, {"name": "c"})
    stored = enforced(SPEC, data, STAMPS)
    chunked = pa.concat_tables([data.slice(2), data.slice(0, 2)])
    assert enforced(SPEC, chunked.select(data.column_names[::-1]), STAMPS).equals(stored)
    assert enforced(SPEC, data.cast(SPEC.schema), STAMPS).equals(stored)


def test_an_empty_table_keeps_its_types():
    assert enforced(SPEC, SPEC.empty(), STAMPS).schema.equals(SPEC.stored_schema)


@pytest.mark.parametrize("name", sorted(TABLES))
def test_every_table_of_the_registry_can_be_stored_empty(name):
    spec = TABLES[name]
    stamps = {c.name: STAMPS[c.name] for c in spec.stamps}
    assert enforced(spec, spec.empty(), stamps).schema.equals(spec.stored_schema)


@pytest.mark.parametrize("name", sorted(TABLES))
def test_no_table_of_the_registry_has_a_key_that_may_be_null(name):
    nullable = {c.name for c in TABLES[name].columns if c.nullable}
    assert nullable.isdisjoint(TABLES[name].key)


def test_a_saved_row_index_is_refused_as_the_unknown_column_that_it_is(golden_vectors):
    (case,) = [c for c in golden_vectors("bug_cases.jsonl") if c["id"] == "PB124"]
    table = pa.table(case["minimal_input"]["df"])
    spec = Table("t", "m", "contract", (Column("x", pa.int64(), "x"),), ("x",))
    saved = table.append_column("__index_level_0__", pa.array([0]))
    stamps = {"contract": "qa", "version": 1}
    assert "knows no columns ['__index_level_0__']" in refusal(saved, spec, stamps)
    stored = enforced(spec, table, stamps)
    assert stored.column_names[2:] == case["right_behaviour"]["columns"]


def test_a_missing_and_a_double_column_are_named():
    data = rows({})
    message = refusal(data.drop_columns(["state", "share"]))
    assert "table runs: columns ['state', 'share'] are missing" in message
    assert "columns ['name'] stand twice" in refusal(data.append_column("name", data["name"]))


@pytest.mark.parametrize(
    ("column", "type_"),
    [("turn", pa.int64()), ("share", pa.float32()), ("state", pa.large_string())],
)
def test_no_type_is_cast_silently(column, type_):
    data = rows({})
    at = data.column_names.index(column)
    message = refusal(data.set_column(at, column, data[column].cast(type_)))
    assert f"column {column}: type is {type_}, the registry says" in message


def test_a_null_where_none_may_be_names_its_row_and_key():
    message = refusal(rows({}, {"state": None}, {"state": None}))
    assert message == (
        "table runs, column state, row 1 (name='a', turn=1): the value is null "
        "(1 more such rows): give every row a value, or declare the column nullable"
    )


def test_a_word_outside_the_list_is_shown_with_the_list():
    message = refusal(rows({}, {"state": "maybe"}))
    assert (
        "row 1 (name='a', turn=1): 'maybe' is not an allowed value: use one of on, off" in message
    )


@pytest.mark.parametrize("bad", [float("nan"), float("inf"), float("-inf")])
def test_undefined_numbers_are_null_or_refused(bad):
    assert "column share, row 1" in refusal(rows({"share": None}, {"share": bad}))
    message = refusal(rows({"logs": [-0.5]}, {"logs": None}, {"logs": [-0.5, bad]}))
    assert "column logs, row 2" in message
    assert "undefined is null" in message
    chunked = pa.concat_tables([rows({"name": "0"}), rows({"logs": [bad]})])
    assert "column logs, row 1" in refusal(chunked)


def test_a_key_that_stands_twice_names_the_later_row():
    message = refusal(rows({"name": "b", "turn": 1}, {}, {"name": "b", "turn": 1}))
    assert message.startswith("table runs, row 2: the key (name='b', turn=1) stands on an earlier")


def test_retries_cannot_be_counted_twice(golden_vectors):
    (case,) = [c for c in golden_vectors("bug_cases.jsonl") if c["id"] == "PB133"]
    twice = [
        {"name": item, "turn": draw, "state": "on"}
        for item, draw, _ in case["minimal_input"]["rows"]
    ]
    assert "stands on an earlier row" in refusal(rows(*twice))


def test_map_entries_are_sorted_and_their_keys_unique():
    data = rows({"labels": [("b", "1"), ("a", "2")]}, {"labels": None}, {"labels": []})
    stored = enforced(SPEC, data, STAMPS)["labels"].to_pylist()
    assert stored == [[("a", "2"), ("b", "1")], None, []]
    message = refusal(rows({}, {"labels": [("a", "1"), ("b", "2"), ("a", "1")]}))
    assert "column labels, row 1" in message
    assert "holds a key twice" in message


@pytest.mark.parametrize("stamps", [{}, {"contract": "qa", "version": 1}, {**STAMPS, "x": 1}])
def test_the_stamps_are_those_of_the_scope(stamps):
    assert "a table of checkpoint scope is stamped with" in refusal(rows({}), stamps=stamps)


def test_a_long_value_is_cut_in_the_message():
    assert len(refusal(rows({"state": "x" * 10_000}))) < 300


BEFORE = Table("runs", "As it was.", "checkpoint", SPEC.columns[:3], SPEC.key, version=1)
TODAY = Table("runs", "As it is.", "checkpoint", SPEC.columns, SPEC.key, version=2)


def test_a_part_of_the_previous_schema_is_read_with_nulls_in_the_new_columns(tmp_path):
    old = enforced(BEFORE, rows({}, {}).select(["name", "turn", "state"]), STAMPS)
    pq.write_table(old, tmp_path / "part.parquet")
    data = read_part(tmp_path / "part.parquet", 2)
    table = readable(TODAY, data, stored_version=1)
    assert table.schema.equals(TODAY.stored_schema)
    assert table["share"].to_pylist() == [None, None]
    only = read_part(tmp_path / "part.parquet", 2, ["share"])
    assert readable(TODAY, only, 1, ["share"]).to_pydict() == {"share": [None, None]}


def test_a_part_of_a_later_schema_is_refused_with_the_mend():
    with pytest.raises(NewerSchema, match=re.escape("schema version 3, this installation knows 2")):
        readable(TODAY, TODAY.stored_schema.empty_table(), 3)


def test_a_part_that_breaks_its_own_schema_is_refused():
    lacking = TODAY.stored_schema.empty_table().drop_columns(["share"])
    with pytest.raises(DamagedPart, match="schema version 2 lacks column share"):
        readable(TODAY, lacking, 2)
    lacking = TODAY.stored_schema.empty_table().drop_columns(["state"])
    with pytest.raises(DamagedPart, match="schema version 1 lacks column state"):
        readable(TODAY, lacking, 1)
    other = TODAY.stored_schema.empty_table().set_column(3, "name", pa.array([], pa.int64()))
    with pytest.raises(DamagedPart, match="column name: the part holds int64"):
        readable(TODAY, other, 2)


def test_real_tables_pass():
    stamps = {"contract": "qa", "version": 1}
    assert enforced(TABLES["items"], items("b", "a"), stamps)["item_id"].to_pylist() == ["a", "b"]
    assert enforced(TABLES["verifier_scores"], scores(), STAMPS).num_rows == 3
