"""Published judgments as votes: who was shown first, what was said, and what is refused."""

import math
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from eval_pipeline.ingest.published_rows import published_rows
from eval_pipeline.ingest.published_votes import PublishedRow, Vote, published_row
from eval_pipeline.ingest.rejects import RowFault

A, B, TIE = "model_a", "model_b", "tie"
PAIR = {"model_a": "x", "model_b": "y"}
EQUAL_LOGPROBS = {"logprob_m": math.log(0.5), "logprob_M": math.log(0.5)}


def read(form: str, row: dict[str, Any], **keys: str) -> PublishedRow:
    return published_row(row, form, keys)


def test_the_order_of_a_weighted_preference_is_the_recorded_one(reference_data: Path) -> None:
    path = reference_data / "alpaca_eval" / "annotations_weighted_gpt4_turbo_58_models.parquet"
    rows = pq.read_table(path).drop_null().to_pylist()[::10]
    told, refused = 0, set[str]()
    for row in rows:
        try:
            (vote,) = read("alpaca_eval", row).votes
        except RowFault as fault:
            refused.add(fault.reason)
            continue
        told += 1
        assert vote.shown_first == (B if row["output_2_token"] == "m" else A)
        of_b = row["preference"] - 1
        assert vote.prob_first == pytest.approx(of_b if vote.shown_first == B else 1 - of_b)
        assert vote.verdict == (TIE if of_b == 0.5 else B if of_b > 0.5 else A)
    assert told > 0.98 * len(rows) > 1000
    assert refused <= {"unknown_slot"}


def test_the_log_probabilities_are_found_in_a_raw_completion(reference_data: Path) -> None:
    folder = reference_data / "formats" / "alpaca_eval"
    (_, first), *_ = published_rows(folder / "annotations_weighted.json")
    row = read("alpaca_eval", first)
    assert row.models == ("gpt4_1106_preview", "claude-2.1")
    assert (row.votes[0].shown_first, row.votes[0].verdict) == (B, A)
    assert row.question == first["instruction"]
    (_, silent), *_ = published_rows(folder / "annotations_no_raw_completion.json")
    (vote,) = read("alpaca_eval", silent).votes
    assert (vote.shown_first, vote.verdict, vote.prob_first) == (None, A, None)
    assert vote.prob_a == 2 - silent["preference"]


def test_a_winner_of_llmbar_names_the_output_whatever_the_order(reference_data: Path) -> None:
    (_, first), *_ = published_rows(reference_data / "formats" / "llmbar" / "result_Vanilla.json")
    row = read("llmbar", first)
    assert row.votes == (Vote(A, A), Vote(B, A))
    assert (row.label, row.models) == (A, ("output_1", "output_2"))
    table = {"dataset": "d", "item": 3, "label": "2", "winner_ab": "nan", "winner_ba": "2"}
    assert read("llmbar", table) == PublishedRow(
        "d/3",
        None,
        ("output_1", "output_2"),
        votes=(Vote(A, None), Vote(B, B)),
        label=B,
        about={"dataset": "d"},
    )


@pytest.mark.parametrize(
    ("form", "row", "votes"),
    [
        (
            "mt_bench",
            {"model_1": "x", "model_2": "y", "g1_winner": "model_2", "g2_winner": "error"},
            (Vote(A, B), Vote(B, None, failed=True)),
        ),
        ("arena", {**PAIR, "winner": "tie (bothbad)"}, (Vote(A, TIE),)),
        ("columns", {**PAIR, "shown_first": "y", "verdict": "left"}, (Vote(B, B),)),
        ("columns", {**PAIR, "shown_first": "y", "verdict": "x"}, (Vote(B, A),)),
        ("columns", {**PAIR, "shown_first": "x", "verdict": 2.0}, (Vote(A, B),)),
        ("columns", {**PAIR, "shown_first": "x", "verdict": None}, (Vote(A, None),)),
        ("columns", {**PAIR, "game": 2, "verdict": "first"}, (Vote(B, B),)),
        ("columns", {**PAIR, "game": False, "verdict": "second"}, (Vote(A, B),)),
        ("columns", {**PAIR, "verdict": "y"}, (Vote(None, B),)),
        (
            "judge_bench",
            {"label": "A>B", "judgments": [{"decision": "A>B"}, {"decision": "B>A"}]},
            (Vote(A, A), Vote(B, A)),  # the seats are exchanged in the second game
        ),
        (
            "judge_bench",
            {"label": "B>A", "judgments": [None, {"decision": "A=B"}]},
            (Vote(A, None), Vote(B, TIE)),
        ),
        ("columns", {**PAIR, "verdict": "tie"}, (Vote(None, TIE),)),
        ("alpaca_eval", {"generator_2": "x", "preference": None}, (Vote(None, None),)),
        ("alpaca_eval", {"generator_2": "x", "preference": 0}, (Vote(None, TIE),)),
        # which reading the votes will call unknown
        ("columns", {**PAIR, "shown_first": "x", "verdict": "better"}, (Vote(A, "better"),)),
    ],
)
def test_each_form_says_who_was_first_and_who_won(
    form: str, row: dict[str, Any], votes: tuple[Vote, ...]
) -> None:
    assert read(form, row).votes == votes


@pytest.mark.parametrize(
    ("form", "row", "said"),
    [
        ("alpaca_eval", {"generator_2": "x", "preference": 1.5, **EQUAL_LOGPROBS}, "both tokens"),
        (
            "alpaca_eval",
            {"generator_2": "x", "preference": 1.2, **EQUAL_LOGPROBS},
            "neither token",
        ),
        ("alpaca_eval", {"generator_2": "x", "preference": 3, **EQUAL_LOGPROBS}, "outside 1..2"),
        ("alpaca_eval", {"preference": 1.0}, "no generator_2"),
        ("llmbar", {"results": "none"}, "results must be a list"),
        ("llmbar", {"results": [{"swap = False": {"winner": "1"}}]}, "lack the winner"),
        ("mt_bench", {"model_1": "x", "model_2": "y", "g1_winner": "tie"}, "g2_winner is absent"),
        ("arena", {"model_a": "x", "model_b": "y", "winner": ["x"]}, "a verdict must be a label"),
        ("columns", {"model_a": "x", "model_b": "y", "shown_first": "z"}, "is neither"),
        ("columns", {"model_a": 1, "model_b": "y"}, "say them with --key"),
        ("judge_bench", {"judgments": [{}] * 3}, "one or two, got 3"),
        ("columns", {**PAIR, "verdict": "y", "label": "z"}, "names neither model"),
        ("columns", {**PAIR, "verdict": "left"}, "nothing says which reply was shown first"),
        ("columns", {**PAIR, "verdict": "x", "prob_first": 0.9}, "nothing says whose it is"),
        ("columns", {**PAIR, "game": 3, "verdict": "x"}, "game '3' is none of 1, g1"),
    ],
)
def test_a_row_that_does_not_say_it_is_refused(form: str, row: dict[str, Any], said: str) -> None:
    with pytest.raises(RowFault, match=said):
        read(form, row)


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("a.txt", "{}", "convert it"),
        ("a.json", "{", "is not JSON"),
        ("a.json", "{}", "no list of rows but a dict"),
        ("a.jsonl", "[1]\n", "row 1 is no object"),
        ("a.jsonl", "{}\n{\n", "line 2 is not JSON"),
        ("a.jsonl.gz", "no gzip", "line 1 is not JSON"),
        ("a.parquet", "no parquet", "is no Parquet file"),
    ],
)
def test_another_kind_of_file_is_named(tmp_path: Path, name: str, content: str, said: str) -> None:
    path = tmp_path / name
    path.write_text(content)
    with pytest.raises(ValueError, match=said):
        list(published_rows(path))
