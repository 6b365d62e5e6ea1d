r"""boxed@2: what stands in the last \boxed."""

import pytest

from eval_pipeline.verification.boxed import Boxed
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
