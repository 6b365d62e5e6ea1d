"""From generations to scores: one row a sample, one status, and the policy that was declared."""

import pytest

from eval_pipeline.verification.policy import score
from eval_pipeline.verification.refusal import is_refusal
from eval_pipeline.verification.scoring import Grader, Sample, score_samples
from eval_pipeline.verification.verdict import Item

FAILURES = {
    "parser_failure": "wrong",
    "model_refusal": "wrong",
    "timeout": "chance",
    "permission_denied": "wrong",
    "infra_error": "exclude",
    "invalid_sample": "retry",
}
NUMERIC = Grader.of("numeric@2", "last_number@2", {"thousands": ","})
ITEMS = {"a": Item("a", answer="4"), "b": Item("b", answer="5")}


def rows(*samples: Sample, grader: Grader = NUMERIC, items=ITEMS, failures=FAILURES):
    return score_samples(samples, items, grader, failures)


def test_every_sample_gets_one_row_in_order():
    made = rows(
        Sample("b", 1, "5", "ok"),
        Sample("a", 0, "", "ok"),
        Sample("a", 1, "half a rep", "infra_error", "engine_died"),
        Sample("a", 2, "I can't help with that.", "ok"),
        Sample("a", 3, "5", "ok"),
    )
    assert [(r["item_id"], r["draw"], r["status"], r["detail"], r["score"]) for r in made] == [
        ("b", 1, "ok", None, 1.0),
        ("a", 0, "parser_failure", "empty", 0.0),
        ("a", 1, "infra_error", "engine_died", None),
        ("a", 2, "model_refusal", "refusal", 0.0),
        ("a", 3, "ok", "wrong", 0.0),
    ]
    assert [r["verdict"] for r in made] == [1.0, None, None, None, 0.0]
    assert {r["verifier"] for r in made} == {"last_number@2 + numeric@2"}
    assert all(r["explanation"] for r in made)


def test_a_failed_sample_is_not_judged_even_if_its_text_is_right():
    (row,) = rows(Sample("a", 0, "4", "timeout"), failures={**FAILURES, "timeout": "wrong"})
    assert (row["status"], row["verdict"], row["score"]) == ("timeout", None, 0.0)


def test_a_choice_item_earns_the_credit_of_a_guess():
    items = {"c": Item("c", answer="B", options=("x", "y", "z", "w"))}
    grader = Grader.of("choice@2", "choice_letter@2", {})
    (late, good) = rows(
        Sample("c", 0, "", "timeout"), Sample("c", 1, "B", "ok"), grader=grader, items=items
    )
    assert (late["score"], late["chance"], good["score"]) == (0.25, 0.25, 1.0)


def test_chance_without_options_is_refused():
    with pytest.raises(ValueError, match=r"failures\.timeout is chance"):
        rows(Sample("a", 0, "", "timeout"))


@pytest.mark.parametrize(
    ("status", "expected"),
    [("parser_failure", 0.0), ("infra_error", None), ("invalid_sample", None), ("timeout", 0.2)],
)
def test_the_policy_maps_each_status(status: str, expected: float | None):
    assert score(status, None, FAILURES, 0.2) == expected


def test_a_status_without_a_policy_is_refused():
    with pytest.raises(ValueError, match=r"failures\.lost"):
        score("lost", None, FAILURES, None)
    with pytest.raises(ValueError, match="no verdict"):
        score("ok", None, FAILURES, None)


def test_an_unknown_item_is_named():
    with pytest.raises(ValueError, match="1 unknown items, such as 'z'"):
        rows(Sample("z", 0, "4", "ok"))


def test_items_that_cannot_be_judged_are_named_and_counted():
    items = {"a": Item("a", answer="four"), "b": Item("b", answer=None)}
    with pytest.raises(ValueError, match=r"item 'a'.*\(2 such items\)"):
        rows(Sample("a", 0, "4", "ok"), Sample("b", 0, "4", "ok"), items=items)


@pytest.mark.parametrize(
    ("reply", "refused"),
    [
        ("I can't help with that.", True),
        ("I'm sorry, but I cannot assist with this request.", True),
        ("I am unable to answer this question.", True),
        ("I’m not able to provide that.", True),
        ("The pump cannot help with four tons.", False),
        ("We can answer this at once.", False),
        ("x " * 300 + "I can't help with that.", False),
    ],
)
def test_a_refusal_says_so_at_once(reply: str, refused: bool):
    assert is_refusal(reply) is refused
