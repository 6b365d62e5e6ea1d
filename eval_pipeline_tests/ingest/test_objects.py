"""One JSON object a line, strictly; the quick reader and the strict one never differ."""

import json

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from eval_pipeline.ingest.lines import Lines
from eval_pipeline.ingest.objects import MAX_DEPTH, MAX_QUICK_BYTES, parse_object, read_batches
from eval_pipeline.ingest.rejects import REASONS, RowFault


def outcomes(contents: list[bytes], *, ended: bool = True):
    """The object, or the reason why there is none, of each line of one block."""
    places = np.arange(len(contents))
    (batch,) = read_batches([Lines(places + 1, places, contents, ended=ended)])
    return [
        batch.faults[i].reason if i in batch.faults else row for i, row in enumerate(batch.objects)
    ]


def outcome(content: bytes, *, ended: bool = True):
    return outcomes([content], ended=ended)[0]


def strictly(content: bytes):
    try:
        return parse_object(content)
    except RowFault as fault:
        return fault.reason


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        (b'{"a": 1}', {"a": 1}),
        (b'\t{"a" \t:\r1 } ', {"a": 1}),
        (b'{"a":9007199254740993}', {"a": 9007199254740993}),
        (b'{"a":18446744073709551616}', {"a": 2**64}),
        (b'{"a":-9223372036854775809}', {"a": -(2**63) - 1}),
        (
            b'{"a":[{"b":123456789012345678901234567890}]}',
            {"a": [{"b": 123456789012345678901234567890}]},
        ),
        (b'{"a":[0.5,-1.5]}', {"a": [0.5, -1.5]}),
        (b'{"a":"\\u0000"}', {"a": "\0"}),
        (b'{"a":"\\ud83d"}', {"a": "\ud83d"}),
        (b'{"a":"\\ud83d\\ude00"}', {"a": "\U0001f600"}),
        ('{"a":"b\u2028c\u2029d\u0085e"}'.encode(), {"a": "b\u2028c\u2029d\u0085e"}),
        (b'{"a":"x :y \\" : z"}', {"a": 'x :y " : z'}),
        (b'{"a":1,"a":2}', "duplicate_key"),
        (b'{"a":1,"b":{"c":1,"c":1}}', "duplicate_key"),
        (b'{"a":[{"c":1,"c":1}]}', "duplicate_key"),
        (b'{"a":1,"\\u0061":2}', "duplicate_key"),
        (b'{"a" :1,"a":2,"t":"\\":"}', "duplicate_key"),
        (b'{"a":NaN}', "not_finite"),
        (b'{"a":Infinity}', "not_finite"),
        (b'{"a":-Infinity}', "not_finite"),
        (b'{"a":1e999}', "not_finite"),
        (b'{"a":' + b"9" * 5000 + b"}", "not_finite"),
        (b'{"a":"\xff"}', "invalid_utf8"),
        (b'{"a":"\xed\xa0\x80"}', "invalid_utf8"),
        (b'{"a":"\0"}', "nul_byte"),
        (b'{"a":1}\0\0', "nul_byte"),
        (b"\0\0\0", "nul_byte"),
        (b'{"a":1', "invalid_json"),
        (b'{"a":1}{"b":2}', "invalid_json"),
        (b'{"a":1,}', "invalid_json"),
        (b"{'a':1}", "invalid_json"),
        (b'{"a":01}', "invalid_json"),
        (b'{"a":"\t"}', "invalid_json"),
        (b'\xef\xbb\xbf{"a":1}', "invalid_json"),
        (b"[1]", "not_an_object"),
        (b"null", "not_an_object"),
        (b'{"a":' + b"[" * 5000 + b"]" * 5000 + b"}", "too_deep"),
        (b'{"a":' + b"[" * 500 + b"]" * 500 + b"}", "too_deep"),
        (b'{"a":' * (MAX_DEPTH + 1) + b"1" + b"}" * (MAX_DEPTH + 1), "too_deep"),
    ],
)
def test_each_kind_of_line_is_an_object_or_has_its_reason(content, expected):
    assert outcome(content) == expected
    assert isinstance(expected, dict) or expected in REASONS


def test_nesting_up_to_the_limit_is_read():
    content = b'{"a":' * MAX_DEPTH + b"1" + b"}" * MAX_DEPTH
    assert outcome(content) == json.loads(content)


def test_a_last_line_that_is_cut_is_told_from_a_broken_one():
    assert outcome(b'{"a":2', ended=False) == "truncated"
    assert outcome(b'{"a":2}', ended=False) == {"a": 2}


def test_a_line_too_long_for_the_quick_look_is_read_all_the_same():
    text = "x: " * (MAX_QUICK_BYTES // 3 + 1)
    assert outcome(b'{"a":"' + text.encode() + b'"}') == {"a": text}
    assert outcome(b'{"a":1,"a":"' + text.encode() + b'"}') == "duplicate_key"


def test_one_key_twice_among_very_many_is_found():
    content = b"{" + b",".join(b'"k%d":1' % n for n in range(200_000)) + b',"k0":2}'
    assert outcome(content) == "duplicate_key"


values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**70), 2**70)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(max_size=8)
    | st.sampled_from(['":', " :", '":1,"', "\ud800"]),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(st.sampled_from(["a", "b", 'c":', " :d"]), inner, max_size=3)
    ),
    max_leaves=12,
)
objects = st.dictionaries(st.sampled_from(["a", "b", "text", 'q":', "\u2028"]), values, max_size=4)
separators = st.sampled_from([(",", ":"), (", ", ": "), (" , ", " : "), (",\t", "\t:\r")])


@given(objects, separators, st.booleans())
def test_what_was_written_is_read_and_nothing_is_rounded(row, separators, ascii_only):
    text = json.dumps(row, separators=separators, ensure_ascii=ascii_only)
    content = text.encode("utf-8", errors="surrogatepass")
    if outcome(content) == "invalid_utf8":
        assert not ascii_only
    else:
        assert outcome(content) == row
        assert repr(outcome(content)) == repr(row)  # 1 and 1.0 are not the same


@given(objects, separators, st.data())
def test_a_key_that_stands_twice_is_always_found(row, separators, data):
    pairs = [*row.items(), ("a", 1), ("a", data.draw(values))]
    comma, colon = separators
    content = "{" + comma.join(f"{json.dumps(k)}{colon}{json.dumps(v)}" for k, v in pairs) + "}"
    assert outcome(content.encode()) == "duplicate_key"


broken = st.sampled_from(
    [
        b"{",
        b"}",
        b'"',
        b'"a"',
        b'"a":',
        b":",
        b",",
        b"1",
        b"1e400",
        b"NaN",
        b" ",
        b"[",
        b"]",
        b"\xff",
        b"\0",
        b"\\ud800",
        b"18446744073709551616",
    ]
)


line = st.binary(max_size=40) | st.lists(broken, max_size=12).map(b"".join)
written = st.builds(
    lambda row, separators: json.dumps(row, separators=separators).encode(), objects, separators
)


@given(st.lists(line | written, min_size=1, max_size=4))
@example([b'{"a":18446744073709551616}'])
@example([b"\\", b'{"":1,"":2}'])
def test_the_quick_reader_never_differs_from_the_strict_one(contents):
    assert repr(outcomes(contents)) == repr([strictly(content) for content in contents])


@given(st.lists(st.tuples(values, values), min_size=1, max_size=4))
def test_columns_hold_the_values_of_the_objects(pairs):
    rows = [{"a": a, "b": b} for a, b in pairs]
    contents = [json.dumps(row).encode() for row in rows]
    places = np.arange(len(rows))
    (batch,) = read_batches([Lines(places + 1, places, contents)])
    assert repr(batch.objects) == repr(rows)
    if batch.columns is not None:
        columns = {"a": [a for a, _ in pairs], "b": [b for _, b in pairs]}
        assert repr(batch.columns) == repr(columns)


def test_rows_of_one_shape_are_given_as_columns():
    contents = [b'{"t":"a :b \\": c","n":[-0.5,-1]}', b'{"t":"d","n":[]}']
    (batch,) = read_batches([Lines(np.array([1, 2]), np.array([0, 9]), contents)])
    assert batch.columns == {"t": ['a :b ": c', "d"], "n": [[-0.5, -1], []]}
