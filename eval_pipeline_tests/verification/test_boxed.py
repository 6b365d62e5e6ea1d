r"""boxed@2: what stands in the last \boxed."""

import time

import pytest

from eval_pipeline.verification.extractions.boxed import Boxed
from eval_pipeline.verification.scoring import Grader
from eval_pipeline.verification.verdict import Found, Item

ITEM = Item("i")


@pytest.mark.parametrize(
    ("reply", "answer"),
    [
        (r"so \boxed{840}. Check. Final: \boxed{840}", "840"),
        (r"\boxed{3}. Wait, that is wrong: \boxed{5}", "5"),
        (r"\boxed{\frac{1}{2^{98}}}", r"\frac{1}{2^{98}}"),
        (r"\boxed{\boxed{7}}", "7"),
        (r"\boxed{\{1, 2\}}", r"\{1, 2\}"),
        (r"\boxed{\left\{ x \right.}", r"\left\{ x \right."),
        (r"\fbox{4}", "4"),
        (r"\boxed 5", "5"),
        (r"\boxed { 6 }", "6"),
        ("<answer>4</answer>\n\\boxed{5}", "5"),  # a tag ends there, and nothing is greater
        (r"<b>\boxed{5}</b>", "5"),
        ("> \\boxed{5}", "5"),
        (r"so x > \boxed{5}", "> 5"),
        (r"x ≥ <b>\boxed{5}</b>", "≥ 5"),
    ],
)
def test_the_last_box_counts(reply: str, answer: str):
    assert Boxed().extract(reply, ITEM) == Found(answer)


@pytest.mark.parametrize(
    ("reply", "detail"),
    [
        ("", "empty"),
        ("the answer is 5", "no_box"),
        (r"\boxed{3} no: \boxed{\frac{1}{2}", "unclosed_box"),
        (r"\boxed{3} and \boxed{ }", "empty_box"),
        (r"\boxedness{3}", "no_box"),
    ],
)
def test_no_earlier_box_stands_in_for_the_last(reply: str, detail: str):
    assert Boxed().extract(reply, ITEM) == Found(None, detail)


def test_a_question_of_the_models_own_ends_the_reply():
    reply = "\\boxed{7}\n\nQuestion: and now?\n\\boxed{9}"
    assert Boxed().extract(reply, ITEM) == Found("9")
    assert Boxed(stop=("Question:",)).extract(reply, ITEM) == Found("7", "truncated_runon")


@pytest.mark.parametrize(
    ("reply", "answer"),
    [
        (r"\boxed{14} (marked with \boxed as asked)", "14"),
        (r"I mark it by \boxed here: \boxed{14}", "14"),
        (r"\boxed{9}, as \boxed 9 says", "9"),
        (r"\boxed\frac13", r"\frac13"),
        (r"\boxed\frac{1}{3}.", r"\frac{1}{3}"),
        (r"$\boxed\sqrt2$", r"\sqrt2"),
        (r"\boxed\pi", r"\pi"),
        (r"\boxed 6", "6"),
        (r"\boxed -6.", "-6"),
        (r"\boxed 2.5 is it", "2.5"),
        (r"\boxed12", "12"),
        ("$\\boxed{\n58\n}$", "58"),
        (r"\[ \boxed{58} \]", "58"),
        (r"\(\boxed{\frac{a}{b}}\)", r"\frac{a}{b}"),
    ],
)
def test_a_box_without_braces_holds_a_number_or_a_command(reply: str, answer: str):
    assert Boxed().extract(reply, ITEM) == Found(answer)


@pytest.mark.parametrize(
    ("reply", "detail"),
    [
        (r"Mark it with \boxed so: 5", "no_box"),
        (r"use \boxed as asked", "no_box"),
        (r"\boxed x", "no_box"),
        (r"\boxed 5x", "unbraced_box"),
        (r"\boxed 5^2", "unbraced_box"),
        (r"\boxed 8 or more", "unbraced_box"),
        (r"It is not \boxed{7}.", "negated_box"),
    ],
)
def test_what_a_box_does_not_hold_is_not_taken(reply: str, detail: str):
    assert Boxed().extract(reply, ITEM) == Found(None, detail)


@pytest.mark.parametrize(
    ("reply", "reference", "score"),
    [
        (r"$x = \boxed{5}$", "5", 1),
        (r"$x = -\boxed{5}$", "5", 0),
        (r"$x = -\boxed{5}$", "-5", 1),
        (r"$10 - \boxed{5}$", "5", 1),
        (r"$x \ge \boxed{5}$", "5", None),
        (r"$x \ge \boxed{5}$", r"[5,\infty)", 1),
        (r"at least \boxed{5}", "5", None),
        (r"\boxed{5} or more", "5", None),
        (r"\boxed{5} cm", "5 m", 0),
        (r"$\boxed{5}\text{ cm}$", "5 cm", 1),
        (r"$\boxed{5}$ cm long", "5 m", 0),
        (r"$\boxed{500}$ cm", "5 m", 1),
        (r"$\boxed{50}\%$", "50", 0),
        (r"$\boxed{3}$ million", "3000000", 1),
        (r"\boxed{5} apples in all", "5", 1),
        (r"\boxed{5} is a prime", "5", 1),
        (r"\boxed{n - 1} boxes", "n + 1", 0),
    ],
)
def test_what_stands_beside_a_box_goes_with_it(reply: str, reference: str, score: float | None):
    (got,) = Grader.of("math@2", "boxed@2", {}).verdicts([(Item("i", answer=reference), reply)])
    assert got.score == score, got


def test_a_hostile_reply_takes_no_long_time():
    for piece in (r"\boxed{", r"\boxed\frac", r"\boxed ", "$ -", "{" * 5, " not "):
        start = time.process_time()
        Boxed().extract((piece * (200_000 // len(piece))) + r"\boxed{5}", ITEM)
        assert time.process_time() - start < 2
