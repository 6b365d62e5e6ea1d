"""checkpoint.yaml as run manifest: text as written, gaps in plain sight."""

import pytest

from eval_pipeline.contracts.faults import CheckpointFaults
from eval_pipeline.ingest.manifest import EXPECTED, NOT_STATED, read_manifest
from eval_pipeline.warehouse.schemas import TABLES


@pytest.fixture
def manifest(tmp_path):
    def read(text: str | bytes):
        path = tmp_path / "checkpoint.yaml"
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return read_manifest(path)

    return read


def fields(read):
    return {row["field"]: (row["value"], row["unknown"]) for row in read.table.to_pylist()}


def test_values_stay_as_they_are_written(manifest):
    read = manifest(
        """\
weights_digest: "0123"
date: 2026-01-02
engine: {name: e, version: 1.10, flags: [a, 1.0, null, {x: 0x}]}
parent: null
dtype: "null"
seed: {unknown: lost in a move}
trained_on: {}
note: |
  two
  lines
"""
    )
    assert read.table.schema == TABLES["run_manifest"].schema
    found = fields(read)
    assert found["weights_digest"] == ("0123", None)
    assert found["date"] == ("2026-01-02", None)
    assert found["engine.version"] == ("1.10", None)
    assert found["engine.flags"] == ('["a","1.0",null,{"x":"0x"}]', None)
    assert found["parent"] == (None, None)
    assert found["dtype"] == ("null", None)
    assert found["seed"] == (None, "lost in a move")
    assert found["trained_on"] == ("{}", None)
    assert found["note"] == ("two\nlines\n", None)


def test_what_a_comparison_rests_on_is_listed_as_unknown_where_it_is_not_stated(manifest):
    found = fields(manifest("weights_digest: {unknown: never published}\n"))
    assert found == {
        "weights_digest": (None, "never published"),
        **dict.fromkeys(EXPECTED, (None, NOT_STATED)),
    }


@pytest.mark.parametrize("text", ["family: tern\n", "weights_digest:\n", "weights_digest: null\n"])
def test_a_name_alone_does_not_say_which_weights_were_run(manifest, text):
    with pytest.raises(
        CheckpointFaults, match="weights_digest: does not say which weights were run"
    ):
        manifest(text)


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("", "holds no fields"),
        ("- a\n", "holds no fields"),
        ("a: 1\na: 2\n", "given twice"),
        ("a: &x [1]\nb: *x\n", "anchors and aliases are refused"),
        ("a: !!python/object:os.system x\n", "tag"),
        ("a: [\n", "is not YAML"),
        (b"a: \xff\n", "is not UTF-8"),
    ],
)
def test_a_file_that_cannot_be_trusted_is_refused_with_the_fault(manifest, text, fault):
    with pytest.raises(CheckpointFaults, match=fault):
        manifest(text)


def test_a_manifest_that_is_not_there_is_named(tmp_path):
    with pytest.raises(ValueError, match=r"^checkpoint\.yaml: is not there: add it$"):
        read_manifest(tmp_path / "checkpoint.yaml")
