"""The lab's own text: answers that are right where they should be, and only there."""

from collections import Counter

import numpy as np
import pytest

from eval_pipeline.lab import functions
from eval_pipeline.lab.advice import GENERAL, TOPICS
from eval_pipeline.lab.chance import logistic, weighted
from eval_pipeline.lab.corpus import documents, leaked_items, leaked_text
from eval_pipeline.lab.functions import FUNCTIONS, Function
from eval_pipeline.lab.planted import CHECKPOINTS, HARD_NEGATIVES, LEAKS, PLAIN_DOCUMENTS
from eval_pipeline.lab.replies import BRIEF, THOROUGH, prompts, replies, tokens
from eval_pipeline.lab.stories import STORIES
from eval_pipeline.lab.words import (
    DIFFICULTIES,
    REFUSALS,
    WordProblem,
    problems,
    refusal,
    right_reply,
    unreadable_reply,
    wrong_reply,
)
from eval_pipeline.verification.refusal import is_refusal
from eval_pipeline.verification.scoring import Grader
from eval_pipeline.verification.verdict import Item

ASKED = problems(7, 6)
GRADER = Grader.of("numeric@1", "last_number@1", {"thousands": ","})
EACH = [function for group in FUNCTIONS.values() for function in group]


def scores(asked: list[WordProblem], texts: list[str]) -> list[float | None]:
    replies_ = [
        (Item(problem.item_id, problem.question, str(problem.answer)), text)
        for problem, text in zip(asked, texts, strict=True)
    ]
    return [verdict.score for verdict in GRADER.verdicts(replies_)]


def test_every_story_tells_as_many_problems_and_none_twice() -> None:
    assert len({problem.question for problem in ASKED}) == len(ASKED) == 6 * len(STORIES)
    assert set(Counter(problem.template_id for problem in ASKED).values()) == {6}
    assert len({problem.item_id for problem in ASKED}) == len(ASKED)
    assert set(Counter(problem.difficulty for problem in ASKED).values()) == {len(ASKED) // 3}
    assert set(Counter(problem.operation for problem in ASKED).values()) == {len(ASKED) // 4}
    assert {problem.difficulty for problem in ASKED} == set(DIFFICULTIES)


def test_the_answer_is_whole_positive_and_none_of_the_numbers_given() -> None:
    for problem in ASKED:
        a, b, c = problem.numbers
        symbols = {"+": "+", "-": "-", "*": "*", "/": "/"}
        first, second = (symbols[step] for step in problem.steps)
        assert eval(f"({a} {first} {b}) {second} {c}") == problem.answer > 0  # our own numbers
        assert problem.answer not in problem.numbers
        assert all(str(number) in problem.question for number in problem.numbers)


def test_right_replies_are_right_and_wrong_ones_wrong() -> None:
    rng = np.random.default_rng(1)
    asked = ASKED * 3
    assert set(scores(asked, [" ".join(right_reply(p, rng)) for p in asked])) == {1.0}
    assert set(scores(asked, [" ".join(wrong_reply(p, rng)) for p in asked])) == {0.0}


def test_unreadable_replies_hold_no_answer_and_refusals_are_seen() -> None:
    rng = np.random.default_rng(2)
    texts = [unreadable_reply(problem, rng) for problem in ASKED]
    assert set(scores(ASKED, texts)) == {None}
    assert not any(map(is_refusal, texts))
    assert all(map(is_refusal, REFUSALS))
    assert refusal(rng) in REFUSALS


@pytest.mark.parametrize("function", EACH, ids=lambda function: function.name)
def test_solutions_are_right_or_wrong_as_they_say(function: Function) -> None:
    for bodies, passes in ((function.right, True), (function.wrong, False)):
        for body in bodies:
            assert passed(function, function.source(body)) is passes, body


def test_replies_to_functions_are_of_their_kind() -> None:
    rng = np.random.default_rng(3)
    function = FUNCTIONS["lists"][0]
    fenced = {kind: functions.reply(function, kind, rng) for kind in functions.KINDS}
    code = {kind: text.split("```python\n")[-1].split("```")[0] for kind, text in fenced.items()}
    assert "```" not in fenced["no_code"]
    assert "while True" in code["loop"]
    assert passed(function, code["right"])
    assert not passed(function, code["wrong"])
    with pytest.raises(SyntaxError):
        compile(code["syntax"], "reply", "exec")


def test_leaks_keep_the_words_that_they_should() -> None:
    rng = np.random.default_rng(4)
    question = ASKED[0].question
    assert leaked_text(question, "verbatim", rng) == question
    for _ in range(20):
        shown = leaked_text(question, "format", rng)
        letters = [c for c in shown.lower() if c.isalnum()]
        assert letters == [c for c in question.lower() if c.isalnum()]
        assert shown != question
        edited = leaked_text(question, "light_edit", rng)
        assert len(set(question.split()) - set(edited.split())) <= 2
        assert edited != question
    with pytest.raises(ValueError, match="leak 'rot13' is unknown"):
        leaked_text(question, "rot13", rng)


def test_the_corpus_holds_what_was_planted_and_no_other_item() -> None:
    leaks = leaked_items(ASKED, 7)
    found = documents(ASKED, leaks, 7)
    counts = Counter(document.planted for document in found)
    assert counts == {**LEAKS, "hard_negative": HARD_NEGATIVES, "plain": PLAIN_DOCUMENTS}
    assert {d.item_id: d.planted for d in found if d.planted in LEAKS} == leaks
    verbatim = {item for item, kind in leaks.items() if kind == "verbatim"}
    text = "\n".join(document.text for document in found)
    assert {problem.item_id for problem in ASKED if problem.question in text} == verbatim


def test_helpful_replies_are_brief_or_thorough_and_say_nothing_twice() -> None:
    asked = prompts()
    texts = replies(CHECKPOINTS[0], asked, 7)
    lengths = tokens(texts)
    longest = max(len(tip) for tip in (*GENERAL, *(tip for t in TOPICS for tip in t.tips)))
    slack = (longest + 80) / 4
    brief = lengths < BRIEF[1] + slack
    assert lengths[~brief].min() >= THOROUGH[0]
    assert lengths.max() < THOROUGH[1] + slack
    assert np.mean(~brief) == pytest.approx(CHECKPOINTS[0].thorough, abs=0.1)
    for text in texts:
        sentences = text.split(". ")
        assert len(set(sentences)) == len(sentences)


def test_weighted_draws_follow_their_chances() -> None:
    rng = np.random.default_rng(5)
    drawn = Counter(weighted({"a": 0.2, "b": 0.3}, "c", rng) for _ in range(20_000))
    assert drawn["a"] / 20_000 == pytest.approx(0.2, abs=0.015)
    assert drawn["c"] / 20_000 == pytest.approx(0.5, abs=0.015)
    with pytest.raises(ValueError, match="add up to at most 1"):
        weighted({"a": 0.8, "b": 0.3}, "c", rng)


def test_the_logistic_curve_does_not_overflow() -> None:
    assert logistic(0.0) == 0.5
    assert logistic(-1e4) == 0.0


def passed(function: Function, source: str) -> bool:
    """Runs a solution of our own against its tests."""
    names: dict[str, object] = {}
    exec(source, names)
    exec(function.test, names)
    try:
        names["check"](names[function.name])  # type: ignore[operator]  # both were just defined
    except Exception:  # a wrong solution may fail in any way
        return False
    return True
