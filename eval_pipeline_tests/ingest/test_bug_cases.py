"""Failures that other tools' users reported, re-created: each must come out right here."""

import re

import duckdb
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from eval_pipeline.contracts.faults import CheckpointFaults
from eval_pipeline.ingest.generations import read_generations
from eval_pipeline.ingest.lines import LineReader
from eval_pipeline.ingest.manifest import read_manifest
from eval_pipeline.ingest.objects import read_batches
from eval_pipeline_tests.ingest.conftest import sample

AREAS = ("ingest", "storage")


@pytest.fixture
def case(golden_vectors, request):
    """Input and right behaviour of the case that the test is named for."""
    found = {one["id"]: one for one in golden_vectors("bug_cases.jsonl")}
    one = found[re.search(r"pb\d+", request.node.name)[0].upper()]
    return one["minimal_input"], one["right_behaviour"]


@pytest.fixture
def parsed(tmp_path):
    """The objects and the reasons of rejects that a file of these bytes gives."""

    def parse(content: bytes):
        path = tmp_path / "file.jsonl"
        path.write_bytes(content)
        batches = list(read_batches(LineReader(path)))
        faults = [fault.reason for batch in batches for _, fault in sorted(batch.faults.items())]
        objects = [
            row for batch in batches for i, row in enumerate(batch.objects) if i not in batch.faults
        ]
        return objects, faults

    return parse


def test_pb107_line_separators_of_unicode_cut_no_record(case, parsed):
    given, right = case
    objects, faults = parsed(given["line"].encode())
    assert (len(objects), faults) == (right["records"], [])


def test_pb109_a_byte_order_mark_costs_no_record(case, parsed):
    given, right = case
    text = given["bytes"].removeprefix("EF BB BF ").replace("\\r\\n", "\r\n")
    objects, faults = parsed(b"\xef\xbb\xbf" + text.encode())
    assert (len(objects), faults) == (right["records"], [])
    assert {key for row in objects for key in row} == set(right["columns"])


def test_pb111_integers_beside_null_stay_exact(case, parsed):
    given, right = case
    objects, _ = parsed("\n".join(given["lines"]).encode())
    assert [row["id"] for row in objects] == right["ids"]


def test_pb113_a_key_that_appears_late_is_kept(case, parsed, read_rows):
    _, right = case
    objects, _ = parsed(b'{"a":1}\n' * 30_000 + b'{"a":1,"b":7}')
    assert {key for row in objects for key in row} == set(right["columns"])
    late = read_rows([sample("a", n) for n in range(30_000)] + [sample("b", b=7)])
    assert late.generations["extra"].to_pylist()[-1] == '{"b":7}'


def test_pb115_a_truncated_last_line_is_a_reject_and_no_empty_row(case, parsed):
    given, right = case
    objects, faults = parsed(given["text"].encode())
    assert (len(objects), len(faults)) == (right["records"], right["rejected"])
    assert faults == ["truncated"]


def test_pb117_a_bare_nan_is_rejected_with_its_reason(case, parsed):
    given, _ = case
    assert parsed(given["line"].encode()) == ([], ["not_finite"])


def test_pb118_a_second_row_of_one_key_is_refused(case, read_rows):
    given, _ = case
    read = read_rows([sample(item_id=str(row["id"])) for row in given["generations"]], item_ids="1")
    assert read.generations.num_rows == 1
    assert read.rejected_lines["reason"].to_pylist() == ["duplicate"]


def test_pb120_fractions_after_a_file_of_integers_are_not_rounded(case, tmp_path):
    given, right = case
    for n, file in enumerate(given["files"]):
        rows = len(file["s"])
        draws = list(range(rows * n, rows * (n + 1)))
        table = {"item_id": ["a"] * rows, "draw": draws, "text": ["x"] * rows}
        pq.write_table(
            pa.table(table | {"latency_ms": file["s"]}), tmp_path / f"b.part-{n}.parquet"
        )
    read = read_generations(sorted(tmp_path.iterdir()), ["a"])
    assert sum(read.generations["latency_ms"].to_pylist()) == right["sum"]


def test_pb122_a_table_without_rows_keeps_its_types(case, tmp_path):
    _, right = case
    read = read_generations([], [])
    pq.write_table(read.generations, tmp_path / "empty.parquet")
    ((_, kind, *_),) = duckdb.sql(
        f"DESCRIBE SELECT text FROM '{tmp_path}/empty.parquet'"
    ).fetchall()
    assert kind == right["type"]


def test_pb124_a_saved_row_index_is_not_read_as_data(case, tmp_path):
    given, right = case
    frame = pd.DataFrame({"item_id": ["a"], "draw": [0], "text": ["t"]} | given["df"], index=[5])
    frame.to_parquet(tmp_path / "b.parquet", index=True)
    read = read_generations([tmp_path / "b.parquet"], ["a"])
    assert list(read.extra_keys) == right["columns"]


def test_pb128_a_name_without_a_digest_of_the_weights_is_refused(case, tmp_path):
    given, _ = case
    path = tmp_path / "checkpoint.yaml"
    path.write_text(f"family: {given['model']}\n")
    with pytest.raises(CheckpointFaults, match="weights_digest"):
        read_manifest(path)
    digests = []
    for digest in given["weights_sha"]:
        path.write_text(f"family: {given['model']}\nweights_digest: {digest}\n")
        digests.append(read_manifest(path).file.sha256)
    assert len(set(digests)) == 2


def test_pb133_retries_count_once_and_their_number_is_kept(case, read_rows):
    given, right = case
    statuses = {"error": "infra_error", "ok": "ok"}
    rows = [
        sample(item, draw, status=statuses[status], attempt=n)
        for n, (item, draw, status) in enumerate(given["rows"], start=1)
    ]
    (row,) = read_rows(rows, item_ids=["q1"]).generations.to_pylist()
    assert (row["attempts"], row["status"]) == (right["attempts"], "ok")


def test_every_case_of_these_areas_has_its_test(golden_vectors):
    cases = {c["id"] for c in golden_vectors("bug_cases.jsonl") if c["area"] in AREAS}
    tests = {name[5:10].upper() for name in globals() if name.startswith("test_pb")}
    assert cases <= tests
