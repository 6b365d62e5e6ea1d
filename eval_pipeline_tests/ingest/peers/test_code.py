"""HumanEval, evalplus and bigcode: tests, programs, and what running them gave."""

import gzip
import json
from pathlib import Path

import pytest

from eval_pipeline_tests.ingest.peers.made import (
    entries,
    faults,
    numbers,
    put_json,
    put_lines,
    rejects,
    replies,
)

PROBLEM = {
    "task_id": "T/0",
    "prompt": "def one():\n",
    "canonical_solution": "    return 1",
    "test": "def check(candidate):\n    assert candidate() == 1",
    "entry_point": "one",
}


def test_samples_are_joined_to_their_problems_and_repeats_are_draws(tmp_path: Path) -> None:
    packed = tmp_path / "problems.jsonl.gz"
    packed.write_bytes(gzip.compress(json.dumps(PROBLEM).encode()))
    samples = put_lines(
        tmp_path / "wren.jsonl",
        [
            {"task_id": "T/0", "completion": "    return 1", "passed": True, "result": "passed"},
            {"task_id": "T/0", "completion": "    return 2", "passed": False, "result": "failed"},
            {"task_id": "T/9", "completion": ""},
            {"task_id": "T/0", "completion": None, "solution": None},
        ],
    )
    found = replies(packed, samples)
    assert [(one.item_id, one.model, one.draw, one.said) for one in found] == [
        ("T/0", "wren", 0, {"passed": 1.0}),
        ("T/0", "wren", 1, {"passed": 0.0}),
    ]
    assert found[0].question == PROBLEM["prompt"]
    assert found[0].item_columns == {"entry_point": "one", "test": PROBLEM["test"]}
    assert [one.reason for one in rejects(packed, samples)] == ["unknown_item", "no_reply"]
    with pytest.raises(ValueError, match="holds problems and no sample"):
        entries(packed)


def test_results_of_evalplus_in_the_newer_shape_hold_the_solutions(tmp_path: Path) -> None:
    runs = [("pass", "pass"), ("pass", "fail"), ("fail", "pass")]
    told = [
        {"task_id": "T/0", "solution": f"s{i}", "base_status": base, "plus_status": plus}
        for i, (base, plus) in enumerate(runs)
    ]
    published = {"base": {"pass@1": 2 / 3}, "plus": {"pass@1": 1 / 3}}
    path = put_json(
        tmp_path / "wren_eval_results.json", {"eval": {"T/0": told}, "pass_at_k": published}
    )
    found = replies(path)
    assert [one.text for one in found] == ["s0", "s1", "s2"]
    assert [(one.said["base"], one.said["plus"]) for one in found] == [(1, 1), (1, 0), (0, 0)]
    assert {one.metric: one.value for one in numbers(path)} == {"base": 2 / 3, "plus": 1 / 3}
    assert faults(entries(path)) == []


def test_results_of_evalplus_in_the_older_shape_follow_the_samples(tmp_path: Path) -> None:
    problems = put_lines(tmp_path / "problems.jsonl", [PROBLEM])
    samples = put_lines(
        tmp_path / "wren.jsonl", [{"task_id": "T/0", "solution": f"s{i}"} for i in (0, 1)]
    )
    results = put_json(
        tmp_path / "wren_eval_results.json",
        {"eval": {"T/0": {"nfiles": 2, "base": [["success", []], ["failed", []]], "plus": []}}},
    )
    found = replies(problems, samples, results)
    assert [(one.text, one.said) for one in found] == [("s0", {"base": 1}), ("s1", {"base": 0})]


def test_programs_of_bigcode_go_with_as_many_tests(tmp_path: Path) -> None:
    programs = put_json(tmp_path / "wren.json", [["def f(): pass", "def f(): return 1"], ["x"]])
    tests = put_json(tmp_path / "tests.json", ["def check(c): ...\ncheck(f)", "assert g(1) == 2"])
    found = replies(programs, tests)
    assert [(one.item_id, one.draw, one.item_columns["entry_point"]) for one in found] == [
        ("0", 0, "f"),
        ("0", 1, "f"),
        ("1", 0, "g"),
    ]
    fewer = put_json(tmp_path / "fewer.json", ["check(f)"])
    with pytest.raises(ValueError, match="they do not belong together"):
        entries(programs, fewer)
    strange = put_json(tmp_path / "strange.json", ["check(f)", "pass"])
    assert [one.reason for one in rejects(programs, strange)] == ["no_entry_point"]
