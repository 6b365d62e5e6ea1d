"""What a row of a generation file must look like, and which status it gets."""

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from eval_pipeline.ingest.forms import faults_of
from eval_pipeline.ingest.lines import Lines
from eval_pipeline.ingest.objects import read_batches
from eval_pipeline.ingest.rejects import REASONS, RowFault
from eval_pipeline.ingest.samples import FORMS, columns_of
from eval_pipeline_tests.ingest.conftest import sample


def one(read):
    (row,) = read.generations.to_pylist()
    return row


def test_every_key_lands_in_its_column(read_rows):
    row = one(
        read_rows(
            [
                sample(
                    text="naïve",
                    attempt=1,
                    status="ok",
                    detail="seen",
                    finish_reason="stop",
                    tokens_in=61,
                    tokens_out=40,
                    latency_ms=312,
                    cost_usd=0.0001,
                    confidence=1,
                    token_logprobs=[-0.5, None, 0],
                    reasoning="so",
                    temperature=0.8,
                    engine={"b": 1, "a": 2**70},
                )
            ]
        )
    )
    assert row == {
        "item_id": "a",
        "draw": 0,
        "text": "naïve",
        "reasoning": "so",
        "n_chars": 5,
        "status": "ok",
        "detail": "seen",
        "attempts": 1,
        "finish_reason": "stop",
        "tokens_in": 61,
        "tokens_out": 40,
        "latency_ms": 312.0,
        "cost_usd": 0.0001,
        "confidence": 1.0,
        "token_logprobs": [-0.5, None, 0.0],
        "file": "b.jsonl",
        "line": 1,
        "byte_offset": 0,
        "extra": '{"engine":{"a":1180591620717411303424,"b":1},"temperature":0.8}',
    }


def test_a_key_that_is_null_is_a_key_left_out(read_rows):
    bare = one(read_rows([sample()]))
    assert one(read_rows([sample(**dict.fromkeys(FORMS.keys() - sample().keys()))])) == bare
    assert bare["status"] == "ok"
    assert bare["tokens_in"] is None


@pytest.mark.parametrize(
    ("row", "reason", "detail"),
    [
        (sample(item_id=1), "wrong_type", "item_id must be a string, got 1"),
        (sample(item_id=None), "missing_key", "item_id is absent or null"),
        ({"draw": 0, "text": "x"}, "missing_key", "item_id is absent or null"),
        (sample(draw=0.0), "wrong_type", "draw must be an integer, got 0.0"),
        (sample(draw=True), "wrong_type", "draw must be an integer, got True"),
        (sample(draw="0"), "wrong_type", "draw must be an integer, got '0'"),
        (sample(draw=-1), "out_of_range", "draw=-1 lies outside 0..2147483647"),
        (sample(draw=2**31), "out_of_range", "draw=2147483648 lies outside 0..2147483647"),
        (sample(text=42), "wrong_type", "text must be a string, got 42"),
        (
            sample(text=None),
            "missing_key",
            "text is absent or null, and no failure status says why",
        ),
        (sample(attempt=0), "out_of_range", "attempt=0 lies outside 1..2147483647"),
        (sample(status="fine"), "unknown_status", "status 'fine' is not one of ok, parser_failure"),
        (sample(status=""), "unknown_status", "status '' is not one of"),
        (sample(tokens_out=-1), "out_of_range", "tokens_out=-1 lies outside 0.."),
        (sample(tokens_in=2**63), "out_of_range", "tokens_in=9223372036854775808 lies outside"),
        (sample(tokens_in=61.0), "wrong_type", "tokens_in must be an integer, got 61.0"),
        (sample(latency_ms=-0.5), "out_of_range", "latency_ms=-0.5 lies outside 0.."),
        (sample(cost_usd="0.1"), "wrong_type", "cost_usd must be a number, got '0.1'"),
        (sample(latency_ms=10**400), "out_of_range", "latency_ms=1000"),
        (sample(confidence=1.01), "out_of_range", "confidence=1.01 lies outside 0..1"),
        (sample(confidence="80%"), "wrong_type", "confidence must be a number, got '80%'"),
        (sample(confidence=True), "wrong_type", "confidence must be a number, got True"),
        (sample(token_logprobs=[-1, 0.1]), "out_of_range", "token_logprobs=0.1 lies outside"),
        (sample(token_logprobs=["-1"]), "wrong_type", "token_logprobs must be a number, got '-1'"),
        (sample(token_logprobs={}), "wrong_type", "token_logprobs must be a list of numbers"),
        (sample(reasoning=["a"]), "wrong_type", "reasoning must be a string"),
        (
            sample(finish_reason="\ud800"),
            "lone_surrogate",
            "finish_reason holds half of a character",
        ),
        (sample(item_id="aw-0001"), "unknown_item", "the benchmark has no item 'aw-0001'"),
    ],
)
def test_a_value_that_does_not_fit_its_key_is_a_named_reject(read_rows, row, reason, detail):
    read = read_rows([row])
    (reject,) = read.rejected_lines.to_pylist()
    assert reject["reason"] == reason
    assert reject["reason"] in REASONS
    assert reject["detail"].startswith(detail)
    assert read.generations.num_rows == 0


def test_an_id_that_looks_like_a_number_stays_text(read_rows):
    read = read_rows([sample("001", text="007")], item_ids=["001", "1"])
    assert (one(read)["item_id"], one(read)["text"]) == ("001", "007")


def test_a_failed_sample_may_lack_a_text(read_rows):
    row = one(read_rows([sample(text=None, status="timeout", detail="read timed out")]))
    assert (row["status"], row["text"]) == ("timeout", "")
    assert row["detail"] == "read timed out, no_text"


@pytest.mark.parametrize("reason", ["length", "max_tokens", "MAX_TOKENS"])
def test_a_reply_cut_at_the_token_limit_stays_ok_with_a_detail(read_rows, reason):
    row = one(read_rows([sample(finish_reason=reason)]))
    assert (row["status"], row["detail"]) == ("ok", "cut_at_max_tokens")
    assert row["finish_reason"] == reason


@pytest.mark.parametrize(
    ("text", "reply", "reasoning", "detail"),
    [
        ("<think>2+2\n</think>\n\n4", "4", "2+2", None),
        ("\n <think></think>4", "4", "", None),
        ("<think>2+2 is", "", "2+2 is", "reasoning_not_closed"),
        ("The tag <think> opens", "The tag <think> opens", None, None),
        ("4</think>", "", "4", None),
        ("Answer: A? no.</think>\nC", "C", "Answer: A? no.", None),
        ("<thinking>\nAnswer: A\n</thinking>\n\nC", "C", "Answer: A", None),
        ("[THINK]A or", "", "A or", "reasoning_not_closed"),
    ],
)
def test_reasoning_is_kept_apart(read_rows, text, reply, reasoning, detail):
    row = one(read_rows([sample(text=text)]))
    assert (row["text"], row["reasoning"], row["detail"]) == (reply, reasoning, detail)
    assert row["n_chars"] == len(reply)


def test_where_the_reasoning_is_given_the_text_is_left_alone(read_rows):
    row = one(read_rows([sample(text="<think>a</think>b", reasoning="c")]))
    assert (row["text"], row["reasoning"]) == ("<think>a</think>b", "c")


def test_a_lone_surrogate_in_a_text_is_replaced_and_said(read_rows):
    read = read_rows(
        [
            sample(text="cut \ud83d", finish_reason="length", note="\ud83d"),
            sample("b", text="whole \U0001f600 ü"),
            sample("c", text="x", reasoning="\udc00y"),
        ]
    )
    first, second, third = read.generations.to_pylist()
    assert first["text"] == "cut \ufffd"
    assert first["n_chars"] == 5
    assert first["detail"] == "cut_at_max_tokens, lone_surrogate_replaced"
    assert json.loads(first["extra"]) == {"note": "\ud83d"}
    assert (second["text"], second["detail"]) == ("whole \U0001f600 ü", None)
    assert (third["reasoning"], third["detail"]) == ("\ufffdy", "lone_surrogate_replaced")


def test_a_nul_in_a_text_is_kept(read_rows):
    assert one(read_rows([b'{"item_id":"a","draw":0,"text":"x\\u0000y"}']))["text"] == "x\0y"


def batch_of(rows):
    contents = [json.dumps(row).encode() for row in rows]
    places = np.arange(len(rows))
    (batch,) = read_batches([Lines(places + 1, places, contents)])
    return batch


anything = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-2, 2),
    st.sampled_from([2**31, 2**63, 2**64, 10**400, -0.5, 0.5, 1.5]),
    st.sampled_from(["ok", "timeout", "", "x", "ü", "\ud800"]),
    st.lists(st.none() | st.integers(-1, 1) | st.floats(-1, 1) | st.just("x"), max_size=3),
    st.just({}),
)


@given(
    st.lists(
        st.fixed_dictionaries({}, optional=dict.fromkeys(FORMS, anything)), min_size=1, max_size=5
    )
)
def test_the_quick_look_at_columns_finds_what_the_look_at_each_value_finds(rows):
    columns, _ = columns_of(batch_of(rows))
    expected: dict[int, str] = {}
    for i, row in enumerate(rows):
        faults = (form.fault(key, row.get(key)) for key, form in FORMS.items())
        if fault := next((fault for fault in faults if isinstance(fault, RowFault)), None):
            expected[i] = str(fault)
    assert {i: str(fault) for i, fault in faults_of(columns, FORMS).items()} == expected


@given(
    st.lists(
        st.dictionaries(st.sampled_from(["text", "draw", "p", "q"]), st.integers()), min_size=1
    )
)
def test_columns_and_what_is_left_hold_all_of_every_row(rows):
    columns, left = columns_of(batch_of(rows))
    for i, row in enumerate(rows):
        known = {key: values[i] for key, values in columns.items() if values[i] is not None}
        assert known | left[i] == row
