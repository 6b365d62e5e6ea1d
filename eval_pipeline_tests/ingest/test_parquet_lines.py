"""Parquet files of generations: typed columns, the same checks a row, bounded and named faults."""

import datetime
import decimal
import hashlib
import io

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from eval_pipeline.ingest import parquet_lines
from eval_pipeline.ingest.generations import read_generations
from eval_pipeline.ingest.parquet_lines import ParquetReader
from eval_pipeline_tests.ingest.conftest import refusal_of


def columns(n: int = 2, **more):
    return {"item_id": ["a"] * n, "draw": list(range(n)), "text": ["x"] * n, **more}


def packed(table, **options) -> bytes:
    buffer = io.BytesIO()
    table = pa.table(table) if isinstance(table, dict) else table
    pq.write_table(table, buffer, **options)
    return buffer.getvalue()


def read(read_rows, table, **options):
    return read_rows(packed(table, **options), name="b.parquet")


def test_a_row_has_its_number_and_no_byte_offset(read_rows):
    found = read(read_rows, columns(3), row_group_size=2).generations
    assert found["line"].to_pylist() == [1, 2, 3]
    assert found["byte_offset"].null_count == 3
    assert found["file"].to_pylist() == ["b.parquet"] * 3


def test_rows_come_back_as_they_were_written(read_rows):
    table = columns(
        tokens_in=pa.array([2**53 + 1, None]),
        latency_ms=pa.array([1.5, float("nan")]),
        confidence=pa.array([1, 0], pa.int8()),
        token_logprobs=pa.array([[-0.5, None], None], pa.list_(pa.float32())),
        status=pa.array(["ok", "timeout"]).dictionary_encode(),
        reasoning=pa.array(["r", None], pa.large_string()),
        when=[datetime.date(2026, 1, 2), None],
        price=[decimal.Decimal("0.10"), None],
    )
    first, second = read(read_rows, table).generations.to_pylist()
    assert first["tokens_in"] == 2**53 + 1
    assert first["token_logprobs"] == [-0.5, None]
    assert (first["confidence"], first["reasoning"]) == (1.0, "r")
    assert first["extra"] == '{"price":"0.10","when":"2026-01-02"}'
    assert (second["status"], second["latency_ms"], second["tokens_in"]) == ("timeout", None, None)


def test_a_row_number_that_pandas_saved_is_no_data(read_rows, tmp_path):
    frame = pd.DataFrame(columns()).iloc[[1]]
    frame.to_parquet(tmp_path / "f.parquet", index=True)
    found = read_rows((tmp_path / "f.parquet").read_bytes(), name="b.parquet")
    assert found.generations["extra"].to_pylist() == [None]
    assert found.extra_keys == {}


def test_rows_are_checked_as_lines_are(read_rows):
    table = {"item_id": ["a", None, "zz", "a"], "draw": [0, 0, 0, 0], "text": ["x", "x", "x", None]}
    found = read(read_rows, table | {"status": [None, None, None, "timeout"]})
    assert found.rejected_lines["reason"].to_pylist() == [
        "missing_key",
        "unknown_item",
        "duplicate",
    ]
    assert found.rejected_lines["excerpt"].to_pylist()[1].startswith('{"item_id":"zz","draw":0')


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        ({"item_id": [1, 2]}, "column item_id is int64: write it as string"),
        ({"draw": [0.0, 1.0]}, "column draw is double: write it as int64"),
        ({"draw": ["0", "1"]}, "column draw is string: write it as int64"),
        ({"text": [b"x", b"y"]}, "column text is binary: write it as string"),
        ({"confidence": ["0.5", "1"]}, "column confidence is string: write it as double"),
        (
            {"token_logprobs": ["-1", "-1"]},
            r"column token_logprobs is string: write it as list<double>",
        ),
    ],
)
def test_a_column_of_another_type_is_one_error_for_the_file(read_rows, change, fault):
    with pytest.raises(ValueError, match=rf"^b\.parquet: {fault}$"):
        read(read_rows, columns() | change)


def test_all_columns_at_fault_are_named_at_once(read_rows):
    with pytest.raises(ValueError, match="column text is absent: add it; column item_id is int64"):
        read(read_rows, {"item_id": [1], "draw": [0]})


def test_a_column_that_stands_twice_is_refused(read_rows):
    table = pa.Table.from_arrays(
        [pa.array(["a"])] * 2 + [pa.array([0])], ["item_id", "text", "text"]
    )
    with pytest.raises(ValueError, match="column text stands 2 times: keep one"):
        read(read_rows, table)


@pytest.mark.parametrize("kept", [0.02, 0.5, 0.99])
def test_a_truncated_file_is_refused_by_name_with_the_mend(read_rows, kept):
    content = packed(columns(5000))
    with pytest.raises(ValueError, match=r"^b\.parquet: truncated or damaged Parquet .* again$"):
        read_rows(content[: int(len(content) * kept)], name="b.parquet")


def test_text_that_is_not_utf8_is_refused_by_name(read_rows):
    wrong = pa.array([b"\xff", b"x"]).view(pa.string())
    with pytest.raises(ValueError, match=r"^b\.parquet: truncated or damaged Parquet"):
        read(read_rows, columns(text=wrong))


def test_a_file_without_rows_or_bytes_is_fine(read_rows):
    assert read(read_rows, pa.table(columns()).slice(0, 0)).generations.num_rows == 0
    assert read_rows(b"", name="b.parquet").generations.num_rows == 0


def test_one_long_text_that_is_repeated_is_refused_as_a_bomb(read_rows, monkeypatch):
    monkeypatch.setattr(parquet_lines, "RATIO_FREE_BYTES", 8 << 20)
    with pytest.raises(ValueError, match=r"^b\.parquet: .* refused as a Parquet bomb"):
        read(read_rows, columns(1000, text=["y" * 100_000] * 1000))


def test_very_many_empty_rows_are_refused_as_a_bomb(read_rows, monkeypatch):
    monkeypatch.setattr(parquet_lines, "RATIO_FREE_BYTES", 1 << 20)
    nothing = pa.nulls(1_000_000, pa.string())
    table = {"item_id": nothing, "text": nothing, "draw": pa.array(np.zeros(1_000_000, np.int64))}
    with pytest.raises(ValueError, match="refused as a Parquet bomb"):
        read(read_rows, table)


def test_integers_in_one_file_and_fractions_in_the_next_lose_nothing(tmp_path):
    (tmp_path / "b.parquet").write_bytes(packed(columns(latency_ms=[1, 2])))
    part = columns(latency_ms=[0.5, 1.0]) | {"draw": [2, 3]}
    (tmp_path / "b.part-1.parquet").write_bytes(packed(part))
    found = read_generations([tmp_path / "b.parquet", tmp_path / "b.part-1.parquet"], ["a"])
    assert sum(found.generations["latency_ms"].to_pylist()) == 4.5


def test_the_digest_is_that_of_the_file(tmp_path):
    path = tmp_path / "b.parquet"
    path.write_bytes(packed(columns()))
    reader = ParquetReader(path)
    list(reader)
    assert reader.sha256 == hashlib.sha256(path.read_bytes()).hexdigest()
    assert reader.bytes == path.stat().st_size


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 10**6), st.integers(1, 255), st.integers(1, 8))
def test_damaged_bytes_are_rows_or_a_named_refusal(tmp_path_factory, place, flip, count):
    content = bytearray(packed(columns(50)))
    for n in range(count):
        content[(place + 37 * n) % len(content)] ^= flip
    path = tmp_path_factory.mktemp("parquet") / "b.parquet"
    path.write_bytes(content)
    refusal = refusal_of(lambda: read_generations([path], ["a"]))
    assert refusal is None or refusal.startswith("b.parquet: ")
