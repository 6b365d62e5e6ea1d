"""What a judge is shown: sealed, nameless, without the answer; and what no template may say."""

import json
import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from eval_pipeline.judging.asking.asks import LiveJudge, call_key, pair_asks
from eval_pipeline.judging.asking.prompt_lint import checked_prompt, prompt_faults
from eval_pipeline.judging.prompts.templates import sealed
from eval_pipeline_tests.judging.asking.calls import DECODING, JUDGE, PAIRWISE, POINTWISE, asks

SYSTEM = "You compare two replies."
USER = "By these criteria:\n{criteria}\n{case}\n{answer_form}"
GOOD: dict[str, Any] = {
    "form": "pairwise",
    "system": SYSTEM,
    "user": USER,
    "criteria": [{"name": "helpful", "text": "it does what is asked"}],
}
SCALE = [{"score": 1, "means": "fails"}, {"score": 5, "means": "full"}]
RUBRIC = GOOD | {"form": "pointwise", "user": USER + "\n{scale}", "scale": SCALE}

OWN_WORDS = GOOD | {"labels": {"first": "left", "second": "right", "tie": "equal"}}
YES_NO = GOOD | {"form": "pointwise", "yes_no": True}

ANY_TEXT = st.text(st.characters(exclude_categories=[]), max_size=80)


@given(ANY_TEXT, ANY_TEXT, st.booleans())
def test_no_text_can_leave_its_place(question: str, reply: str, quotes: bool) -> None:
    once = sealed({"question": question, "reply": reply})
    reply = reply + once if quotes else reply  # an answer that has seen such a frame
    text = sealed({"question": question, "reply": reply})
    lines = text.split("\n")
    assert len(lines) == 4
    word = re.fullmatch(r"<(case-[0-9a-f]{16})>", lines[1])
    assert word is not None
    assert lines[3] == f"</{word[1]}>"
    assert word[1] not in lines[2]
    assert not re.search("[<>\x00-\x1f\x7f-\x9f\u202e\ud800-\udfff]", lines[2])
    assert json.loads(lines[2]) == {"question": question, "reply": reply}


def test_the_messages_say_nothing_of_who_wrote_or_what_is_right() -> None:
    planned = [("i1", "heron@step9", "tern@step9")]
    texts = {("heron@step9", "i1"): "long", ("tern@step9", "i1"): "short"}
    for ask in pair_asks(JUDGE, planned, {"i1": "What?"}, texts, 1):
        said = json.dumps(ask.messages())
        assert "step9" not in said
        assert "i1" not in said
    (system, _), (role, user) = ask.messages()
    assert (system, role) == ("system", "user")
    assert user.index("- helpful: ") < user.index("<case-") < user.index("Reason first")
    assert user.index('"reasoning"') < user.index('"verdict"')
    scored = dict(POINTWISE.single("Q", "R"))["user"]
    assert "- 1: fails: a reader would have to start again" in scored
    assert '"scores": {"helpful": "1 to 5"' in scored


def test_a_call_is_known_by_all_that_could_change_its_reply() -> None:
    keys = {ask.key for ask in asks(2, repeats=2)}
    assert len(keys) == 8
    base = call_key(JUDGE, "m", "a_first", 0)
    others = [
        call_key(LiveJudge("elk", "owl-1", PAIRWISE, DECODING), "m", "a_first", 0),
        call_key(LiveJudge("owl", "owl-2", PAIRWISE, DECODING), "m", "a_first", 0),
        call_key(LiveJudge("owl", "owl-1", POINTWISE, DECODING), "m", "a_first", 0),
        call_key(LiveJudge("owl", "owl-1", PAIRWISE, {**DECODING, "seed": 1}), "m", "a_first", 0),
        call_key(JUDGE, "n", "a_first", 0),
        call_key(JUDGE, "m", "b_first", 0),
        call_key(JUDGE, "m", "a_first", 1),
    ]
    assert len({base, *others}) == 8
    edited = checked_prompt("better_reply@1", GOOD, "f" * 64)
    assert call_key(LiveJudge("owl", "owl-1", edited, DECODING), "m", "a_first", 0) != base


def test_templates_that_keep_the_rules_pass() -> None:
    assert prompt_faults(GOOD) == []
    assert prompt_faults(RUBRIC) == []
    assert prompt_faults(OWN_WORDS) == []
    assert prompt_faults(YES_NO) == []


def test_a_judge_is_asked_for_the_words_that_are_read() -> None:
    asked = dict(checked_prompt("x@1", OWN_WORDS, "0").pair("Q", "R", "S"))["user"]
    assert '"verdict": "left or right or equal"' in asked
    assert '("left" where reply_1 is better, "right" where reply_2 is, "equal" where' in asked
    both = {"first": "left", "second": "right"}
    untied = OWN_WORDS | {"ties": False, "labels": both}
    asked = dict(checked_prompt("x@1", untied, "0").pair("Q", "R", "S"))["user"]
    assert '"verdict": "left or right"' in asked
    asked = dict(checked_prompt("x@1", YES_NO, "0").single("Q", "R"))["user"]
    assert '"verdict": "yes or no"' in asked
    assert '("yes" where the reply meets the criterion, "no" where it does not)' in asked


@pytest.mark.parametrize(
    ("base", "change", "fault"),
    [
        (GOOD, {"user": USER + "{answer}"}, "has the place {answer}: candidate text, names"),
        (GOOD, {"user": USER.replace("{case}", "{reply_1} {reply_2}")}, "has {case} 0 times"),
        (GOOD, {"user": USER + "{case}"}, "has {case} 2 times"),
        (GOOD, {"user": "{criteria}{answer_form}{case}"}, "asks before it shows"),
        (GOOD, {"system": "Here: {case}", "user": "{criteria}{answer_form}"}, "{case} in system"),
        (GOOD, {"user": "{case}{answer_form}"}, "has {criteria} 0 times"),
        (GOOD, {"user": "{criteria}{case} Say who wins."}, "has {answer_form} 0 times"),
        (GOOD, {"system": "The reference answer helps."}, "speaks of an expected answer"),
        (GOOD, {"criteria": [{"name": "a", "text": "equals the ground truth"}]}, "expected answer"),
        (GOOD, {"system": "Judge by model name."}, "speaks of who wrote the replies"),
        (GOOD, {"system": "End with [[A]] or [[B]]."}, "asks for a verdict in a form of its own"),
        (GOOD, {"user": USER + "\nVerdict: 1"}, "asks for a verdict in a form of its own"),
        (GOOD, {"system": "Give only the verdict."}, "before, or without, the reasoning"),
        (GOOD, {"system": "Answer without explanation."}, "before, or without, the reasoning"),
        (GOOD, {"criteria": []}, "has no criteria"),
        (GOOD, {"criteria": [{"name": "A b", "text": "x"}]}, "criteria[0].name is 'A b'"),
        (GOOD, {"criteria": [{"name": "a", "text": " "}]}, "criteria[0] has no text"),
        (GOOD, {"scale": SCALE}, "has a scale, and its form is pairwise"),
        (GOOD, {"form": "listwise"}, "form is 'listwise'"),
        (GOOD, {"system": ""}, "has no text under system"),
        (GOOD, {"answer": "42"}, "unknown key 'answer'"),
        (GOOD, {"ties": "no"}, "ties must be true or false"),
        (GOOD, {"labels": {"first": "left"}}, "labels must name first, second, tie"),
        (OWN_WORDS, {"ties": False}, "labels must name first, second, and nothing else"),
        (OWN_WORDS, {"labels": OWN_WORDS["labels"] | {"tie": "Left"}}, "labels has a word twice"),
        (OWN_WORDS, {"labels": OWN_WORDS["labels"] | {"tie": '"}'}}, "labels.tie is '\"}'"),
        (GOOD, {"yes_no": True}, "yes_no belongs to pointwise judging"),
        (RUBRIC, {"labels": {}}, "labels belongs to pairwise judging"),
        (YES_NO, {"yes_no": False}, "yes_no can only be true"),
        (YES_NO, {"scale": SCALE}, "has a scale beside yes_no"),
        (YES_NO, {"user": USER + "{scale}"}, "has {scale}, and a judge of pairs, or of yes and no"),
        (YES_NO, {"criteria": [{"name": n, "text": n} for n in "ab"]}, "on several criteria"),
        (RUBRIC, {"scale": None}, "has no anchored scale"),
        (RUBRIC, {"scale": [{"score": 5, "means": "a"}, {"score": 1, "means": "b"}]}, "go up"),
        (RUBRIC, {"scale": [{"score": 0, "means": "a"}, {"score": 99, "means": "b"}]}, "11 points"),
        (RUBRIC, {"scale": [{"score": True, "means": "a"}, SCALE[1]]}, "needs a whole number"),
        (RUBRIC, {"user": USER}, "has {scale} 0 times"),
        (RUBRIC, {"criteria": [{"name": "a", "text": "x", "weight": 0.4}]}, "sum to 1"),
        (RUBRIC, {"criteria": [{"name": "a", "text": "x", "weight": True}]}, "give a share"),
    ],
)
def test_a_template_that_breaks_a_rule_is_refused(
    base: dict[str, Any], change: dict[str, Any], fault: str
) -> None:
    found = prompt_faults(base | change)
    assert any(fault in one for one in found), found
    with pytest.raises(ValueError, match=r"judge prompt x@1: "):
        checked_prompt("x@1", base | change, "0")


def test_all_faults_are_said_at_once() -> None:
    found = prompt_faults(GOOD | {"user": "{answer}", "criteria": []})
    assert len(found) >= 5
    assert prompt_faults("text") == ["is no mapping: write form, system, user and criteria"]
