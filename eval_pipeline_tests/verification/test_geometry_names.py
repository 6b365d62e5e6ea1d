"""Names of geometry: one thing under its several names, and things that are two."""

import pytest

from eval_pipeline.verification.formulas.geometry import read_name
from eval_pipeline.verification.scoring import Grader
from eval_pipeline.verification.verdict import Item


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (r"\angle ABC", r"\angle{CBA}"),
        ("∠PQR", r"\angle R Q P"),
        (r"\triangle ABC", r"\triangle BCA"),
        (r"\overline{AB}", r"\overline{BA}"),
        (r"\overleftrightarrow{AB}", r"\overleftrightarrow{BA}"),
        (r"\vec{AB}", r"\overrightarrow{AB}"),
    ],
)
def test_one_thing_has_many_names(one: str, other: str):
    assert read_name(one) == read_name(other) is not None


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (r"\angle ABC", r"\angle BAC"),
        (r"\angle ABC", r"\triangle ABC"),
        (r"\overline{AB}", r"\overleftrightarrow{AB}"),
        (r"\overrightarrow{AB}", r"\overrightarrow{BA}"),
    ],
)
def test_two_things_have_two_names(one: str, other: str):
    assert read_name(one) != read_name(other)


@pytest.mark.parametrize("text", [r"\bar{x}", r"\vec{v}", r"\overline{z}", "AB", r"\angle ABC + 1"])
def test_what_names_no_figure(text: str):
    assert read_name(text) is None


@pytest.mark.parametrize(
    ("reference", "reply"), [("A=12", r"\text{Area}=12"), (r"\angle ABC=40", r"m\angle ABC=40")]
)
def test_a_name_in_words_may_be_another_spelling(reference: str, reply: str):
    grader = Grader.of("math@2", "whole_text@2", {})
    (verdict,) = grader.verdicts([(Item("i", answer=reference), reply)])
    assert (verdict.status, verdict.detail) == ("undecided", "other_name")
