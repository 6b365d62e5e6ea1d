import gzip
import json

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from eval_pipeline.layout import DataRoot, FileRead
from eval_pipeline.warehouse.digest import file_digest
from eval_pipeline.warehouse.errors import NotMaterialised
from eval_pipeline.warehouse.raw_line import raw_line
from eval_pipeline.warehouse.schemas import TABLES
from eval_pipeline.warehouse.store import Warehouse
from eval_pipeline.warehouse.trace import trace
from eval_pipeline_tests.warehouse.samples import items, publish, scores

LINES = [
    b'{"item_id": "q0", "draw": 0, "text": "4"}',
    '{"item_id": "q1", "draw": 0, "text": "fünf"}'.encode(),
    b'{"item_id": "q1", "draw": 1, "text": "5"}',
]
OFFSETS = [0, len(LINES[0]) + 1, len(LINES[0]) + len(LINES[1]) + 2]


@pytest.fixture
def root(tmp_path):
    return DataRoot(tmp_path)


@pytest.fixture
def warehouse(root):
    return Warehouse(root.warehouse)


def generations(file, offsets=OFFSETS):
    texts = [json.loads(line) for line in LINES]
    return TABLES["generations"].from_rows(
        [
            {
                "item_id": row["item_id"],
                "draw": row["draw"],
                "text": row["text"],
                "n_chars": len(row["text"]),
                "status": "ok",
                "attempts": 1,
                "file": file,
                "line": i + 1,
                "byte_offset": offset,
            }
            for i, (row, offset) in enumerate(zip(texts, offsets, strict=True))
        ]
    )


def chain(warehouse, values=(1.0, 0.0)):
    """items and two checkpoints -> scores -> one table over all of them."""
    asked = publish(warehouse, "items", items("q0", "q1"), files=[FileRead("items.jsonl", "i", 1)])
    scored = []
    for name in ("step1", "step2"):
        raw = FileRead(f"checkpoints/{name}/qa.jsonl", name, 2)
        made = publish(
            warehouse, "generations", generations("qa.jsonl"), checkpoint=name, files=[raw]
        )
        inputs = [made.ref, asked.ref]
        data = scores(values)
        scored.append(publish(warehouse, data=data, checkpoint=name, inputs=inputs))
    inputs = [record.ref for record in scored]
    return publish(warehouse, "report", page(), inputs=inputs)


def page():
    return TABLES["report"].from_rows([{"title": "Report", "html": "<p>"}])


def test_the_walk_ends_at_every_raw_file(warehouse):
    newest = chain(warehouse)
    steps = trace(warehouse, "report", "qa", 1)
    found = [(step.depth, step.ref.table, step.ref.checkpoint) for step in steps]
    assert found == [
        (0, "report", None),
        (1, "verifier_scores", "step1"),
        (1, "verifier_scores", "step2"),
        (2, "generations", "step1"),
        (2, "items", None),
        (2, "generations", "step2"),
    ]
    assert steps[0].ref == newest.ref
    files = [file.path for step in steps for file in step.files]
    assert files == ["checkpoints/step1/qa.jsonl", "items.jsonl", "checkpoints/step2/qa.jsonl"]


def test_an_older_state_is_walked_as_it_was_made(warehouse):
    first = chain(warehouse, (1.0, 0.0))
    publish(warehouse, data=scores([0.5]), checkpoint="step1")
    steps = trace(warehouse, "report", "qa", 1, digest=first.digest)
    assert len(steps) == 6
    now = trace(warehouse, "verifier_scores", "qa", 1, "step1")
    assert now[0].ref.digest != steps[1].ref.digest
    assert steps[1].ref in steps[0].record.inputs.tables


def test_the_same_values_made_twice_are_followed_to_the_making_before_their_reader(warehouse):
    first = publish(warehouse, files=[FileRead("a", "s", 1)])
    publish(warehouse, "report", page(), inputs=[first.ref])
    publish(warehouse, files=[FileRead("b", "s", 1)])
    (_, step) = trace(warehouse, "report", "qa", 1)
    assert step.record == first


def test_lost_records_are_read_from_the_footer_or_said_to_be_lost(warehouse):
    chain(warehouse)
    for path in warehouse.lineage.folder.glob("*.json"):
        if '"report"' not in path.read_text().partition('"contract"')[0]:
            path.unlink()
    steps = trace(Warehouse(warehouse.path), "report", "qa", 1)
    assert len(steps) == 6
    for path in warehouse.tables.glob("verifier_scores/**/*.parquet"):
        path.unlink()
    steps = trace(Warehouse(warehouse.path), "report", "qa", 1)
    assert [step.record is None for step in steps] == [False, True, True]
    assert steps[1].files == ()


def test_a_state_that_lineage_does_not_have_is_named(warehouse):
    chain(warehouse)
    with pytest.raises(NotMaterialised, match="lineage has no ratings of qa v1: "):
        trace(warehouse, "ratings", "qa", 1)
    with pytest.raises(NotMaterialised, match="with digest abc"):
        trace(warehouse, "report", "qa", 1, digest="abc")


def land(root, name, content):
    path = root.checkpoint("step1") / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)
    digest, size = file_digest(path)
    return FileRead(f"checkpoints/step1/{name}", digest, size)


@pytest.mark.parametrize("name", ["qa.jsonl", "qa.jsonl.gz"])
def test_a_sample_leads_to_its_raw_line(root, warehouse, name):
    content = b"\n".join(LINES) + b"\n"
    file = land(root, name, gzip.compress(content) if name.endswith("gz") else content)
    publish(warehouse, "generations", generations(name), files=[file])
    found = raw_line(warehouse, root, "qa", 1, "step1", "q1", 0)
    assert found.raw == LINES[1]
    assert (found.path, found.line, found.byte_offset) == (file.path, 2, OFFSETS[1])
    assert found.sha256 == found.sha256_read == file.sha256
    assert not found.changed


def test_a_file_that_changed_since_is_said_to_have_changed(root, warehouse):
    file = land(root, "qa.jsonl", b"\n".join(LINES))
    publish(warehouse, "generations", generations("qa.jsonl"), files=[file])
    land(root, "qa.jsonl", b"\n".join(LINES).replace(b"5", b"6"))
    found = raw_line(warehouse, root, "qa", 1, "step1", "q1", 1)
    assert found.changed
    assert found.raw == LINES[2].replace(b"5", b"6")
    assert found.sha256_read == file.sha256


def test_a_parquet_row_is_shown_as_json(root, warehouse):
    rows = pa.Table.from_pylist([json.loads(line) for line in LINES])
    path = root.checkpoint("step1") / "qa.parquet"
    path.parent.mkdir(parents=True)
    pq.write_table(rows, path, row_group_size=2)
    publish(warehouse, "generations", generations("qa.parquet", [None] * 3))
    found = raw_line(warehouse, root, "qa", 1, "step1", "q1", 1)
    assert json.loads(found.raw) == json.loads(LINES[2])
    assert found.byte_offset is None
    assert found.sha256_read is None
    assert not found.changed


def test_what_is_not_there_is_named(root, warehouse):
    land(root, "qa.jsonl", b"\n".join(LINES))
    publish(warehouse, "generations", generations("qa.jsonl"))
    with pytest.raises(NotMaterialised, match="has no item 'q9' with draw 0"):
        raw_line(warehouse, root, "qa", 1, "step1", "q9", 0)
    (root.checkpoint("step1") / "qa.jsonl").unlink()
    with pytest.raises(FileNotFoundError, match=r"qa\.jsonl is gone: put the checkpoint's files"):
        raw_line(warehouse, root, "qa", 1, "step1", "q1", 0)


@pytest.mark.parametrize("name", ["../../secret", "/etc/passwd"])
def test_a_file_outside_the_checkpoint_is_not_read(root, warehouse, name):
    (root.path / "secret").write_text("x")
    publish(warehouse, "generations", generations(name))
    with pytest.raises(ValueError, match="lies outside"):
        raw_line(warehouse, root, "qa", 1, "step1", "q1", 0)
