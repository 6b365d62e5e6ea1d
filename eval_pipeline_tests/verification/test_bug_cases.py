"""Replies that other scorers got wrong, each with what we say instead."""

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from eval_pipeline.verification.code.code_block import CodeBlock
from eval_pipeline.verification.code.verifier import Code
from eval_pipeline.verification.scoring import Grader, Sample, score_samples
from eval_pipeline.verification.verdict import Item, Verdict

ENGLISH = {"thousands": ","}
LETTERS = {"labels": "ABCD"}
LATEX_UNITS = ("numeric@2", "whole_text@2", {})
GRADERS: dict[str, tuple[str, str, dict[str, Any]]] = {
    "PB001": ("numeric@2", "last_number@2", ENGLISH),
    "PB003": ("numeric@2", "last_number@2", ENGLISH),
    "PB004": ("numeric@2", "answer_line@2", {"pattern": "gsm8k"}),
    "PB006": ("numeric@2", "last_number@2", {}),
    "PB008": ("numeric@2", "answer_line@2", {"pattern": "gsm8k"}),
    "PB010": ("numeric@2", "last_number@2", {}),
    "PB012": ("numeric@2", "last_number@2", {}),
    "PB014": ("numeric@2", "last_number@2", {}),
    "PB016": LATEX_UNITS,
    "PB018": LATEX_UNITS,
    "PB019": ("numeric@2", "whole_text@2", {}),
    "PB021": ("numeric@2", "whole_text@2", {}),
    "PB028": ("choice@2", "choice_letter@2", LETTERS),
    "PB031": ("choice@2", "choice_letter@2", LETTERS),
    "PB033": ("choice@2", "choice_letter@2", LETTERS),
    "PB035": ("numeric@2", "answer_line@2", {"pattern": r"\d+"}),
}


@pytest.fixture(scope="module")
def case(golden_vectors) -> Callable[[str], dict[str, Any]]:
    cases = {c["id"]: c for c in golden_vectors("bug_cases.jsonl")}
    return cases.__getitem__


def verdict(name: tuple[str, str, dict[str, Any]], gold: str, reply: str) -> Verdict:
    return Grader.of(*name).verdicts([(Item("i", answer=gold), reply)])[0]


ALONE = {"PB023", "PB025", "PB027", "PB036"}  # those with a test of their own below


def test_every_verifier_case_is_tried(golden_vectors):
    cases = {c["id"] for c in golden_vectors("bug_cases.jsonl") if c["area"] == "verifier"}
    assert cases == GRADERS.keys() | ALONE


@pytest.mark.parametrize("name", GRADERS)
def test_the_answer_and_the_score_are_right(name: str, case):
    given, right = case(name)["minimal_input"], case(name)["right_behaviour"]
    got = verdict(GRADERS[name], given["gold"], given["reply"])
    assert got.status == "ok"
    if "score" in right:
        assert got.score == right["score"]
    if "extracted" in right:
        assert got.extracted == right["extracted"]


def test_a_run_on_is_recorded(case):
    given = case("PB008")["minimal_input"]
    assert verdict(GRADERS["PB008"], given["gold"], given["reply"]).detail == "truncated_runon"


def test_two_equal_boxes_are_one_answer(case):
    given = case("PB014")["minimal_input"]
    for verifier in ("numeric@2", "math@2"):
        got = verdict((verifier, "boxed@2", {}), given["gold"], given["reply"])
        assert (got.extracted, got.score) == ("840", 1.0)


@pytest.mark.parametrize("name", ["PB016", "PB018", "PB019", "PB021"])
def test_mathematics_is_as_exact_as_numbers(name: str, case):
    given, right = case(name)["minimal_input"], case(name)["right_behaviour"]
    extraction = "boxed@2" if "boxed" in given["reply"] else "whole_text@2"
    got = verdict(("math@2", extraction, {}), given["gold"], given["reply"])
    assert (got.score, got.engine) == (right["score"], "exact")


def test_mathematics_needs_a_declared_tolerance_too(case):
    for gold, answer, _ in case("PB025")["minimal_input"]["cases"]:
        assert verdict(("math@2", "whole_text@2", {}), gold, answer).score == 0.0
    for gold, answer in case("PB023")["minimal_input"]["cases"]:
        assert verdict(("math@2", "whole_text@2", {}), gold, answer).score == 1.0


def test_declared_separators_of_thousands(case):
    for gold, answer in case("PB023")["minimal_input"]["cases"]:
        name = ("numeric@2", "last_number@2", {"thousands": ", '"})
        assert verdict(name, gold, answer).score == 1.0, answer
    undeclared = verdict(("numeric@2", "last_number@2", {}), "1234.5", "1.234,5")
    assert undeclared.status == "parser_failure"


def test_a_rounded_fraction_needs_a_declared_tolerance(case):
    for gold, answer, _ in case("PB025")["minimal_input"]["cases"]:
        assert verdict(("numeric@2", "whole_text@2", {}), gold, answer).score == 0.0
        tolerant = verdict(("numeric@2", "whole_text@2", {"rel_tol": "1e-9"}), gold, answer)
        assert tolerant.score == (1.0 if answer == "0.6666666667" else 0.0)


def test_a_wrapped_letter_is_found(case):
    given = case("PB027")["minimal_input"]
    for reply in given["cases"]:
        got = verdict(("choice@2", "choice_letter@2", LETTERS), given["gold"], reply)
        assert (got.extracted, got.score) == ("B", 1.0), reply


def test_empty_refused_and_wrong_are_three_things(case):
    given, right = case("PB036")["minimal_input"], case("PB036")["right_behaviour"]
    samples = [Sample("i", n, reply, "ok") for n, reply in enumerate(given["replies"])]
    policy = dict.fromkeys(("parser_failure", "model_refusal"), "wrong")
    grader = Grader.of("numeric@2", "last_number@2", {})
    rows = score_samples(samples, {"i": Item("i", answer=given["gold"])}, grader, policy)
    for key in ("status", "detail", "score"):
        assert [row[key] for row in rows] == right[key]


def test_a_busy_machine_does_not_change_a_score(case):
    given = case("PB037")["minimal_input"]
    item = Item("i", entry_point="f", test=given["test"])
    assert Code().verify_all([(item, given["code"])], 1)[0].score == 1.0


def test_a_limit_that_is_text_is_refused_at_once(case):
    limit = case("PB039")["minimal_input"]["env"]["TIMEOUT"]
    with pytest.raises(ValueError, match="whole number"):
        Code(cpu_seconds=limit)


@pytest.mark.parametrize("name", ["PB040", "PB042"])
def test_a_forged_pass_scores_nothing(name: str, case):
    given = case(name)["minimal_input"]
    test = "assert f(1) == 2" if given["test"] == "assert False" else given["test"]
    item = Item("i", entry_point="f", test=test)
    got = Code().verify_all([(item, given["code"])], 1)[0]
    assert (got.status, got.score) == ("ok", 0.0)


def test_a_closing_fence_alone_swallows_no_keyword(case):
    given, right = case("PB045")["minimal_input"], case("PB045")["right_behaviour"]
    assert CodeBlock().extract(given["reply"], Item("i")).answer == right["code"]


def test_the_prompts_imports_are_kept(case):
    given = case("PB047")["minimal_input"]
    test = "def check(candidate):\n    assert candidate([1, 2]) == 3"
    item = Item("i", given["prompt"], entry_point="f", test=test)
    assert Grader.of("code@2", "code_block@2", {}).verdicts([(item, given["reply"])])[0].score == 1


def test_a_method_is_no_entry_point_unless_allowed(case):
    given = case("PB049")["minimal_input"]
    item = Item("i", entry_point=given["entry_point"], test="assert add(1, 2) == 3")
    (got,) = Grader.of("code@2", "code_block@2", {}).verdicts([(item, given["reply"])])
    assert (got.status, got.detail) == ("parser_failure", "missing_entry_point")
    allowed = Grader.of("code@2", "code_block@2", {"solution_methods": True})
    assert allowed.verdicts([(item, given["reply"])])[0].score == 1.0
    other = given["reply"].replace("def add", "def plus")
    for reply, detail in (
        (other, "missing_entry_point"),
        ("class Solution:\n    def __init__(self, x): pass", "exception"),
        ("Solution = 3", "exception"),
        ("x = 1", "missing_entry_point"),
    ):
        assert allowed.verdicts([(item, reply)])[0].detail == detail


@pytest.mark.parametrize("name", ["PB044", "PB050"])
def test_a_program_is_judged_by_what_it_prints(name: str, case):
    given = case(name)["minimal_input"]
    cases = [{"stdin": given["stdin"], "stdout": given["expected"]}]
    item = Item("i", test=json.dumps({"cases": cases}))
    assert Code().verify_all([(item, given["code"])], 1)[0].score == 1.0


def test_a_grandchild_that_holds_the_output_holds_nobody_up(case):
    given = case("PB054")["minimal_input"]
    item = Item("i", test=json.dumps({"cases": [{"stdin": "", "stdout": "done"}]}))
    assert Code().verify_all([(item, given["code"])], 1)[0].score == 1.0  # else it is a time-out


def test_no_more_processes_than_the_limit(case):
    given = case("PB056")["minimal_input"]
    item = Item("i", test=json.dumps({"cases": [{"stdin": "", "stdout": ""}]}))
    assert Code().verify_all([(item, given["code"])], 1)[0].detail == "pids"
    counts = (
        "import os, time\nmade = 0\ntry:\n    for _ in range(4000):\n        made += 1\n"
        "        if os.fork() == 0: time.sleep(99)\nexcept OSError: print(made < 32)"
    )
    item = Item("i", test=json.dumps({"cases": [{"stdin": "", "stdout": "True"}]}))
    assert Code().verify_all([(item, counts)], 1)[0].score == 1.0


def test_no_tests_is_no_pass(case):
    for tests in ("", json.dumps({"cases": case("PB053")["minimal_input"]["tests"]})):
        item = Item("i", entry_point="f", test=tests)
        got = Code().verify_all([(item, "def f(): pass")], 1)[0]
        assert (got.status, got.detail, got.score) == ("infra_error", "no_tests", None)


def test_every_case_of_code_is_tried(golden_vectors):
    cases = {c["id"] for c in golden_vectors("bug_cases.jsonl") if c["area"] == "code-exec"}
    assert cases <= set(re.findall(r"PB\d+", Path(__file__).read_text()))
