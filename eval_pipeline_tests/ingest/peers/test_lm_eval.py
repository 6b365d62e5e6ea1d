"""lm-evaluation-harness: a line a document and filter."""

import random
from pathlib import Path

import pytest

from eval_pipeline_tests.ingest.peers.made import (
    LAST,
    RUN,
    STRICT,
    entries,
    faults,
    lm_eval_run,
    numbers,
    put_json,
    put_lines,
    rejects,
    replies,
    sample,
)


def test_two_filters_are_one_draw_with_two_verdicts(tmp_path: Path) -> None:
    found = replies(*lm_eval_run(tmp_path))
    assert [(one.item_id, one.draw) for one in found] == [(str(i), 0) for i in range(4)]
    for one, strict, last in zip(found, STRICT, LAST, strict=True):
        assert one.said == {"exact_match@strict": strict, "exact_match@last": last}
    assert {one.model for one in found} == {"nest/finch-1b"}
    assert found[1].question == "1 + 2?"
    assert found[1].references == ("3",)


def test_the_verdicts_give_the_published_numbers(tmp_path: Path) -> None:
    paths = lm_eval_run(tmp_path)
    assert {(one.metric, one.value, one.n) for one in numbers(*paths)} == {
        ("exact_match@strict", 0.5, 4),
        ("exact_match@last", 0.75, 4),
    }
    assert faults(entries(*paths)) == []


def test_rows_in_any_order_give_the_same_replies(tmp_path: Path) -> None:
    samples, _ = run = lm_eval_run(tmp_path)
    told = sorted((one.item_id, one.text, sorted(one.said.items())) for one in replies(*run))
    lines = samples.read_text().splitlines(keepends=True)
    random.Random(1).shuffle(lines)
    samples.write_text("".join(lines))
    again = replies(*run)
    assert len(again) == 4
    assert sorted((one.item_id, one.text, sorted(one.said.items())) for one in again) == told


def test_repeats_are_draws(tmp_path: Path) -> None:
    row = sample(0, "strict", 1, ["It is 2", "It is 3", "It is 2", "2"])
    samples = put_lines(tmp_path / "samples_sums_1.jsonl", [row])
    found = replies(samples, put_json(tmp_path / "results_1.json", RUN))
    assert [(one.draw, one.text) for one in found] == list(
        enumerate(["It is 2", "It is 3", "It is 2", "2"])
    )
    assert [bool(one.said) for one in found] == [True, False, False, False]


def test_likelihoods_have_verdicts_and_no_text(tmp_path: Path) -> None:
    row = sample(0, "none", 1) | {
        "doc": {"query": "Which?", "choices": ["red", "blue"]},
        "target": 1,
        "resps": [[["-1.5", "False"]], [["-0.5", "True"]]],
        "metrics": ["acc"],
        "acc": 1.0,
    }
    samples = put_lines(tmp_path / "samples_sums_1.jsonl", [row])
    (one,) = replies(samples, put_json(tmp_path / "results_1.json", RUN))
    assert (one.text, one.detail, one.said) == ("", "likelihoods", {"acc": 1.0})
    assert (one.options, one.references) == (("red", "blue"), ("blue",))


def test_a_broken_line_is_a_reject_with_its_place(tmp_path: Path) -> None:
    samples, results = lm_eval_run(tmp_path)
    with samples.open("a") as file:
        file.write('{"doc_id": 9\n{"doc_id": 9}\n')
    assert [(one.place, one.reason) for one in rejects(samples, results)] == [
        (f"{samples.name}:9", "not_json"),
        (f"{samples.name}:10", "missing_key"),
    ]


def test_half_a_run_is_refused_in_one_line(tmp_path: Path) -> None:
    samples, results = lm_eval_run(tmp_path)
    other = put_json(tmp_path / "results_2.json", RUN)
    refusals = {
        (samples,): "does not say which model answered",
        (results,): "holds numbers and no sample",
        (samples, results, other): "are several runs",
    }
    for paths, said in refusals.items():
        with pytest.raises(ValueError, match=said) as refused:
            entries(*paths)
        assert "\n" not in str(refused.value)
    mine = samples.rename(tmp_path / "mine.jsonl")
    with pytest.raises(ValueError, match="keep the name that the harness gave it"):
        entries(mine, results)
