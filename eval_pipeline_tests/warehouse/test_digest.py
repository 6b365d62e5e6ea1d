import hashlib
import math
from datetime import date

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from eval_pipeline.warehouse.digest import file_digest, significant, table_digest
from eval_pipeline_tests.warehouse import naive

LABELS = pa.map_(pa.string(), pa.string())
PAIR = pa.struct([("name", pa.string()), ("share", pa.float64())])
TABLE = pa.table(
    {
        "text": pa.array(["a", None, "", "häß\0", "a"]),
        "count": pa.array([1, 2, None, -4, 2**62], pa.int64()),
        "small": pa.array([1, 2, 3, 4, None], pa.int32()),
        "share": pa.array([0.1, None, -1e-300, 0.0, 1 / 3]),
        "right": pa.array([True, None, False, False, True]),
        "words": pa.array([["a", "b"], [], None, [None], ["c"]], pa.list_(pa.string())),
        "logs": pa.array([[-0.5], None, [], [0.0, None], [1e9]], pa.list_(pa.float64())),
        "labels": pa.array([[("a", "1")], None, [], [("b", None), ("c", "2")], []], LABELS),
        "pair": pa.array([{"name": "x", "share": 0.5}, None, *[{"name": None}] * 3], PAIR),
    }
)


def test_the_digest_of_a_table_never_changes():
    pinned = "265e26419308227f163122be7ef57c27116a7a2d8939905b350a483e32a06c5e"
    assert table_digest(TABLE) == pinned


@pytest.mark.parametrize("rows", [1, 2, 5])
def test_chunks_leave_no_trace(rows):
    pieces = [TABLE.slice(start, rows) for start in range(0, 5, rows)]
    chunked = pa.concat_tables([TABLE.slice(0, 0), *pieces])
    assert table_digest(chunked) == table_digest(TABLE)


def test_dictionaries_and_large_types_count_as_what_they_stand_for():
    stored = TABLE.set_column(0, "text", TABLE["text"].dictionary_encode())
    words = TABLE["words"].cast(pa.large_list(pa.large_string()))
    stored = stored.set_column(5, "words", words)
    assert table_digest(stored) == table_digest(TABLE)
    assert table_digest(TABLE.set_column(0, "text", TABLE["text"].cast(pa.string_view()))) == (
        table_digest(TABLE)
    )


@pytest.mark.parametrize("compression", ["none", "snappy", "zstd"])
@pytest.mark.parametrize("use_dictionary", [True, False])
def test_parquet_gives_the_digest_back(tmp_path, compression, use_dictionary):
    path = tmp_path / "part.parquet"
    pq.write_table(
        TABLE, path, compression=compression, use_dictionary=use_dictionary, row_group_size=2
    )
    assert table_digest(pq.read_table(path)) == table_digest(TABLE)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ({"x": ["ab", "c"]}, {"x": ["a", "bc"]}),
        ({"x": ["a", None]}, {"x": ["a", ""]}),
        ({"x": [[1], [2]]}, {"x": [[1, 2], []]}),
        ({"x": [[1], []]}, {"x": [[1], None]}),
        ({"x": [0.0, 1.0]}, {"x": [None, 1.0]}),
        ({"x": [math.nan, 1.0]}, {"x": [None, 1.0]}),
        ({"x": [math.inf]}, {"x": [-math.inf]}),
        ({"x": [1, 2]}, {"x": [2, 1]}),
        ({"x": [1]}, {"x": [1.0]}),
        ({"x": [1]}, {"y": [1]}),
        ({"x": [1], "y": [2]}, {"y": [2], "x": [1]}),
        ({"x": [1.0]}, {"x": [1.00000000001]}),
    ],
)
def test_what_differs_has_another_digest(one, other):
    assert table_digest(pa.table(one)) != table_digest(pa.table(other))


def test_nullability_belongs_to_the_schema():
    strict = pa.schema([pa.field("x", pa.int64(), nullable=False)])
    assert table_digest(pa.table({"x": [1]}, schema=strict)) != table_digest(pa.table({"x": [1]}))


def test_the_noise_of_a_sum_is_not_a_new_result():
    sums = [0.1 + 0.2 + 0.3, 0.3 + 0.2 + 0.1, -0.0]
    assert sums[0] != sums[1]
    table = pa.table({"x": [sums[0], 0.0]})
    assert table_digest(pa.table({"x": [sums[1], sums[2]]})) == table_digest(table)


@given(st.lists(st.floats(allow_nan=False, allow_infinity=False), min_size=1))
def test_twelve_digits_are_those_that_python_prints(values):
    for value, pair in zip(values, significant(np.array(values)), strict=True):
        digits, _, exponent = f"{value:.11e}".partition("e")
        expected = (int(digits.replace(".", "")), int(exponent)) if value else (0, 0)
        assert tuple(pair) == expected


@pytest.mark.parametrize(
    "value",
    [5e-324, 1.7976931348623157e308, 9.999999999995, 999999999999.5, 1e22, 1e23, 0.5, 1e-297],
)
def test_twelve_digits_hold_at_the_edges(value):
    (pair,) = significant(np.array([value]))
    digits, _, exponent = f"{value:.11e}".partition("e")
    assert tuple(pair) == (int(digits.replace(".", "")), int(exponent))


texts = st.text(st.characters(codec="utf-8"), max_size=3)
columns = st.sampled_from(
    [
        (pa.string(), texts),
        (pa.int32(), st.integers(-(2**31), 2**31 - 1)),
        (pa.float64(), st.floats()),
        (pa.bool_(), st.booleans()),
        (pa.list_(pa.float64()), st.lists(st.none() | st.floats(), max_size=3)),
        (pa.list_(pa.list_(pa.string())), st.lists(st.none() | st.lists(texts), max_size=3)),
        (LABELS, st.lists(st.tuples(texts, st.none() | texts), max_size=2)),
        (PAIR, st.fixed_dictionaries({"name": st.none() | texts, "share": st.floats()})),
    ]
)


@settings(deadline=None)
@given(st.data())
def test_the_fast_digest_is_the_one_that_is_defined(data):
    type_, values = data.draw(columns)
    rows = data.draw(st.lists(st.none() | values, max_size=6))
    cut = data.draw(st.integers(0, len(rows)))
    column = pa.chunked_array([pa.array(rows[:cut], type_), pa.array(rows[cut:], type_)])
    padded = pa.array([*rows, *rows], type_).slice(len(rows), len(rows))
    expected = naive.digest(pa.table({"x": column}))
    assert table_digest(pa.table({"x": column})) == expected
    assert table_digest(pa.table({"x": padded})) == expected


def test_dates_and_times_have_a_digest():
    table = pa.table({"day": [date(2024, 1, 1), None]})
    assert table_digest(table) != table_digest(pa.table({"day": [date(2024, 1, 2), None]}))
    stamps = table.cast(pa.schema([("day", pa.timestamp("us", "UTC"))]))
    assert table_digest(stamps) == table_digest(stamps.combine_chunks())


def test_a_type_without_a_definition_is_refused_by_name():
    with pytest.raises(TypeError, match=r"no digest is defined for columns of type decimal"):
        table_digest(pa.table({"x": pa.array([1], pa.decimal128(5, 2))}))


def test_a_file_is_known_by_its_bytes(tmp_path):
    path = tmp_path / "file"
    path.write_bytes(b"abc" * 1000)
    assert file_digest(path) == (hashlib.sha256(b"abc" * 1000).hexdigest(), 3000)


@pytest.mark.benchmark
def test_a_million_rows_take_about_a_second():
    import time

    rng = np.random.default_rng(1)
    names = pa.array([f"item-{i:07d}" for i in range(1_000_000)])
    table = pa.table({"item": names, "text": names, "x": rng.normal(size=1_000_000)})
    start = time.process_time()
    table_digest(table)
    assert time.process_time() - start < 1.0
