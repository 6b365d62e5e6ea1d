"""Declared patterns: what they mean, and that none can hang."""

import os
import re
import subprocess
from time import monotonic, process_time

import pytest

from eval_pipeline.verification import patterns
from eval_pipeline.verification.bounded import Child, Stopped, children
from eval_pipeline.verification.extractions import extraction
from eval_pipeline.verification.extractions.extraction import AnswerLine
from eval_pipeline.verification.patterns import Regex, request
from eval_pipeline.verification.scoring import Grader
from eval_pipeline.verification.verdict import Item

ENDLESS, BAIT = r"(a+)+$", "a" * 60 + "b"


def judged(pattern: str, answer: str, **options: object):
    item = Item("i", answer=pattern)
    return Grader.of("regex@1", "whole_text@2", options).verdicts([(item, answer)])[0]


def test_the_whole_answer_must_fit_unless_a_part_is_declared():
    assert judged(r"\d+", "42").score == 1.0
    assert judged(r"\d+", "42 pens").score == 0.0
    assert judged(r"\d+", "42 pens", match="search").score == 1.0
    assert judged("yes", "YES").score == 0.0
    assert judged("yes", "YES", ignore_case=True).score == 1.0


@pytest.fixture
def impatient(monkeypatch) -> None:
    for module in (patterns, extraction):
        monkeypatch.setattr(module, "CPU_SECONDS", 0.2)


@pytest.mark.usefixtures("impatient")
def test_a_pattern_that_backtracks_for_ever_is_stopped():
    start = monotonic()
    got = judged(ENDLESS, BAIT)
    assert (got.status, got.score, got.detail) == ("timeout", None, "verifier_timeout_cpu")
    line = Grader.of("exact@1", "answer_line@2", {"pattern": ENDLESS, "policy": "identity"})
    (late,) = line.verdicts([(Item("i", answer="x"), BAIT)])
    assert (late.status, late.detail) == ("timeout", "pattern_timeout_cpu")
    assert monotonic() - start < 60


@pytest.mark.usefixtures("impatient")
def test_the_next_text_is_judged_after_one_was_stopped():
    items = [(Item(str(i), answer=ENDLESS), text) for i, text in enumerate([BAIT, "aaa", "b"])]
    assert [v.score for v in Regex().verify_all(items, 2)] == [None, 1.0, 0.0]


def test_a_declared_pattern_finds_first_and_last_before_the_stop():
    reply = "X=1\nX=2\nQ: and?\nX=3"
    for occurrence, answer in (("first", "1"), ("last", "2")):
        line = AnswerLine(pattern=r"X=(\d)", occurrence=occurrence)
        found = line.extract(reply, Item("i"))
        assert (found.answer, found.detail) == (answer, "truncated_runon")


@pytest.mark.parametrize("options", [{"match": "most"}, {"ignore_case": 1}])
def test_an_option_that_means_nothing_is_refused(options: dict[str, object]):
    with pytest.raises(ValueError, match="must be"):
        Regex(**options)


def test_an_items_pattern_is_checked_before_any_reply():
    with pytest.raises(ValueError, match="item 'i': its answer '\\('"):
        Regex().check(Item("i", answer="("))


def test_no_child_is_left_behind():
    with children(2) as pool:
        asked = [request(re.compile("a"), "a\ud800b" * 9, "finditer")] * 4
        found = pool.ask_all(asked, 2.0)
        assert [len(one) for one in found] == [9] * 4
        alive = [c._process.pid for c in pool._all if c._process]
    assert alive
    for pid in alive:
        with pytest.raises(ProcessLookupError):
            os.kill(pid, 0)


def test_a_child_that_dies_is_told_and_replaced():
    child = Child()
    asked = request(re.compile("a"), "a", "search")
    assert child.ask(asked, 2.0) == [[0, 1, "a"]]
    process = child._process
    assert isinstance(process, subprocess.Popen)
    process.kill()
    process.wait()
    assert child.ask(asked, 2.0) == Stopped("died")
    assert child.ask(asked, 2.0) == [[0, 1, "a"]]
    child.close()


@pytest.mark.parametrize(
    "reply",
    ["\n" * 50_000, "#### x" + " " * 50_000 + "x", "\\boxed{" * 10_000, "answer:" * 10_000],
)
def test_a_hostile_reply_costs_no_more_than_its_length(reply: str):
    options = ("red", "blue")
    for name, given in (
        ("choice_letter@2", {}),
        ("answer_line@2", {"pattern": "gsm8k"}),
        ("last_number@2", {}),
        ("boxed@2", {"stop": ["Q:"]}),
        ("json_field@2", {}),
    ):
        verifier = "choice@2" if name == "choice_letter@2" else "exact@1"
        policy = {} if verifier == "choice@2" else {"policy": "stripped"}
        start = process_time()
        Grader.of(verifier, name, {**given, **policy}).verdicts(
            [(Item("i", answer="A", options=options), reply)]
        )
        assert process_time() - start < 5
