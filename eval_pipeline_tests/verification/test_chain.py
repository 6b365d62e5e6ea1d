"""A chain takes the first step that finds an answer, and says which."""

import json
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from eval_pipeline.contracts.digest import identity
from eval_pipeline.contracts.model import Contract
from eval_pipeline.contracts.reading import read_yaml
from eval_pipeline.orchestration.stages.verifier_scores import STAGE
from eval_pipeline.verification.extractions.boxed import Boxed
from eval_pipeline.verification.extractions.chain import Chain, step_names
from eval_pipeline.verification.extractions.extraction import AnswerLine
from eval_pipeline.verification.numbers.last_number import LastNumber
from eval_pipeline.verification.registry import extraction_of, instruments
from eval_pipeline.verification.scoring import Grader
from eval_pipeline.verification.verdict import EMPTY, Found, Item
from eval_pipeline_tests.contracts.project import WORDS

ITEM = Item("i", answer="5")
STEPS: list[Any] = [
    {"boxed@2": {}},
    {"answer_line@2": {"pattern": "final_answer"}},
    {"last_number@2": {"thousands": ","}},
]


def chain(**options: Any) -> Chain:
    made = extraction_of("chain@1", {"steps": STEPS, **options})
    assert isinstance(made, Chain)
    return made


@pytest.mark.parametrize(
    ("reply", "answer", "step"),
    [
        ("\\boxed{5}. The answer is 6, or 7.", "5", "boxed"),
        ("The answer is 6. There are 7.", "6", "answer_line"),
        ("3 + 4 = 7", "7", "last_number"),
    ],
)
def test_the_first_step_that_finds_an_answer_counts(reply: str, answer: str, step: str):
    assert chain().extract(reply, ITEM) == Found(answer, step=step)
    assert chain(strict=2).extract(reply, ITEM).step in (f"{step}; strict", f"{step}; lenient")
    assert chain(strict=1).extract(reply, ITEM).step == (
        "boxed; strict" if step == "boxed" else f"{step}; lenient"
    )


def test_what_no_step_finds_is_no_answer():
    assert chain().extract("nothing at all", ITEM) == Found(None, "no_step")
    assert chain().extract(" \n", ITEM) == EMPTY


@pytest.mark.parametrize(
    ("reply", "broken", "next_one"),
    [
        ("\\boxed{5\n\nIt is 6.", Found(None, "unclosed_box", step="boxed"), "6"),
        ("Answer: 4\nIt is 6.\nAnswer:", Found(None, "empty_marker", step="answer_line"), "6"),
        ("I don't think the answer is 7.", Found(None, "denied_marker", step="answer_line"), "7"),
    ],
)
def test_a_broken_place_ends_the_chain(reply: str, broken: Found, next_one: str):
    assert chain().extract(reply, ITEM) == broken
    assert chain(on_broken="next").extract(reply, ITEM) == Found(next_one, step="last_number")


def test_a_broken_place_is_told_where_no_later_step_reads():
    found = chain(on_broken="next").extract("\\boxed{", ITEM)
    assert found == Found(None, "unclosed_box", step="boxed")
    of_json = {"steps": [{"json_field@2": {"field": "a"}}, "whole_text@2"]}
    reads = extraction_of("chain@1", of_json)
    assert reads.extract('{"a": 5', ITEM) == Found(None, "broken_json", step="json_field")
    assert reads.extract('{"b": 5}', ITEM) == Found('{"b": 5}', step="whole_text")


def test_the_verdict_begins_with_the_step():
    grader = Grader.of("numeric@2", "chain@1", {"steps": STEPS, "strict": 1})
    replies = ["\\boxed{5}", "The answer is 6.", "so 5.\n\nQ: 7", "\\boxed{5", "?", "I can't help."]
    verdicts = grader.verdicts([(ITEM, reply) for reply in replies])
    assert [verdict.detail for verdict in verdicts] == [
        "boxed; strict",
        "answer_line; lenient; wrong",
        "last_number; lenient; wrong",
        "boxed; strict; unclosed_box",
        "no_step",
        "refusal",
    ]
    assert [verdict.score for verdict in verdicts] == [1.0, 0.0, 0.0, None, None, None]


def test_options_of_the_verifier_stand_beside_the_steps():
    extraction, verifier = instruments("numeric@2", "chain@1", {"steps": STEPS, "rel_tol": 0.1})
    assert isinstance(extraction, Chain)
    assert vars(verifier)["rel_tol"] == Fraction(1, 10)
    first, second, third = (step.extraction for step in extraction.made)
    assert (first, second) == (Boxed(), AnswerLine(pattern="final_answer"))
    assert third == LastNumber(thousands=",")
    stop = extraction_of("chain@1", {"steps": [{"boxed@2": {"stop": ["Q:"]}}]})
    assert stop.extract("\\boxed{5}\nQ: \\boxed{6}", ITEM) == Found(
        "5", "truncated_runon", step="boxed"
    )


def test_steps_of_one_name_are_told_apart():
    steps = [{"answer_line@2": {"pattern": "gsm8k"}}, {"answer_line@2": {"pattern": r"= (\d+)$"}}]
    found = extraction_of("chain@1", {"steps": steps}).extract("2 + 3 = 5", ITEM)
    assert found == Found("5", step="answer_line_2")


def test_a_pattern_runs_in_batches():
    steps = [{"answer_line@2": {"pattern": r"^Ans (\d+)"}}, {"last_number@2": {}}]
    replies = [f"Ans {n}" if n % 2 else f"so {n}" for n in range(60)]
    found = chain(steps=steps).extract_all([(ITEM, reply) for reply in replies], 2)
    assert [one.answer for one in found] == [str(n) for n in range(60)]
    assert {one.step for one in found[1::2]} == {"answer_line"}


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({}, r"needs verification\.options\.steps: a list such as"),
        ({"steps": []}, "a list such as"),
        ({"steps": "boxed@2"}, "a list such as"),
        ({"steps": [{"boxed": {}}]}, r"steps\.0: .*'boxed'.*: write boxed@"),
        ({"steps": ["boxed@2", {"box@2": {}}]}, r"steps\.1: .*: there are answer_line@1, "),
        ({"steps": [{"chain@1": {}}]}, r"steps\.0: .*'chain@1'"),
        ({"steps": [{"boxed@2": {}, "marker@1": {}}]}, r"steps\.0 must be one extraction"),
        ({"steps": [{"boxed@2": {"stpo": []}}]}, r"steps\.0 \(boxed@2\): .*\['stop'\].*'stpo'"),
        ({"steps": [{"boxed@2": 5}]}, r"steps\.0 \(boxed@2\): its options must be a mapping"),
        ({"steps": [{"answer_line@2": {"pattern": "("}}]}, r"steps\.0 \(answer_line@2\): .*no reg"),
        ({"steps": STEPS, "strict": 4}, "of the 3 steps"),
        ({"steps": STEPS, "strict": True}, "of the 3 steps"),
        ({"steps": STEPS, "on_broken": "stop"}, "end or next"),
        ({"steps": STEPS, "thousand": ","}, r"verification\.options: .*\['thousand'\]"),
    ],
)
def test_a_bad_chain_is_refused_with_the_step_and_the_mend(options: dict[str, Any], message: str):
    with pytest.raises(ValueError, match=message):
        instruments("numeric@2", "chain@1", options)


def test_the_contract_holds_the_chain_and_its_identity_covers_each_step():
    def contract(options: dict[str, Any]) -> Contract:
        verification = {"verifier": "numeric@2", "extraction": "chain@1", "options": options}
        text = "\n".join(line for line in WORDS.split("\n") if "verification:" not in line)
        whole = f"{text}verification: {json.dumps(verification)}\n"
        return Contract.model_validate(read_yaml(whole.encode(), "v1.yaml").data)

    forms = [
        {"steps": STEPS},
        {"steps": STEPS[::-1]},
        {"steps": STEPS[1:]},
        {"steps": STEPS, "strict": 1},
        {"steps": STEPS, "on_broken": "next"},
        {"steps": [{"boxed@1": {}}, *STEPS[1:]]},
        {"steps": [*STEPS[:2], {"last_number@2": {}}]},
    ]
    identities = {identity(contract(form), "0" * 64, None) for form in forms}
    assert len(identities) == len(forms)
    asked = STAGE.instruments(contract({"steps": STEPS}))
    assert asked["extraction"] == "chain@1: boxed@2, answer_line@2, last_number@2"
    assert step_names({"steps": STEPS}) == ["boxed@2", "answer_line@2", "last_number@2"]


PIECES = ["\\boxed{5}", "\\boxed{", "The answer is 6.", "Answer:", "7", " and ", "\n", "none"]


@given(st.lists(st.lists(st.sampled_from(PIECES)).map("".join)), st.booleans())
def test_a_chain_is_its_steps_one_after_the_other(replies: list[str], goes_on: bool):
    asked = chain(on_broken="next" if goes_on else "end")
    found = asked.extract_all([(ITEM, reply) for reply in replies], 1)
    assert found == [naively(reply, goes_on) for reply in replies]


def naively(reply: str, goes_on: bool) -> Found:
    steps = {
        "boxed": Boxed(),
        "answer_line": AnswerLine(pattern="final_answer"),
        "last_number": LastNumber(thousands=","),
    }
    broken = None
    for name, step in steps.items():
        one = step.extract(reply, ITEM)
        told = Found(one.answer, one.detail, one.status, step=name)
        if one.answer is not None:
            return told
        if one.detail not in ("no_box", "no_marker", "no_number", "empty"):
            if not goes_on:
                return told
            broken = broken or told
    return broken or (Found(None, "no_step") if reply.strip() else EMPTY)
