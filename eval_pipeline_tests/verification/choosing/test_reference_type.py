"""What a benchmark's references are, told by all of them together."""

import random
from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from eval_pipeline.verification.choosing.reference_type import Asked, ReferenceType, reference_type


def typed(*answers: str, options: tuple[str, ...] | None = None) -> ReferenceType:
    return reference_type(
        [Asked(f"q{n:03d}", f"Question {n}?", (one,), options) for n, one in enumerate(answers)]
    )


LETTERS = tuple("ABCDABCD")
FORMULAS = (r"\frac{1}{2}", "x^2-1", r"\sqrt{3}", "2x+5", r"\pi/4", "3")


@pytest.mark.parametrize(
    ("answers", "kind", "verifier"),
    [
        (("3", "1,000", "-2.5", "7"), "number", "numeric@2"),
        (LETTERS, "choice", "choice@2"),
        (("yes", "no", "yes"), "closed", "exact@1"),
        (("Yes", "NO", "yes"), "closed", "exact@1"),
        (("joy", "fear", "rage") * 7, "closed", "exact@1"),
        (FORMULAS, "maths", "math@2"),
        (("Orla Vane", "Idris Quist", "Salka Marsh"), "text", "exact@1"),
        (("joy", "fear", "rage"), "text", "exact@1"),  # too few items for a closed set
    ],
)
def test_kinds(answers: tuple[str, ...], kind: str, verifier: str) -> None:
    found = typed(*answers)
    assert (found.kind, found.verifier) == (kind, verifier)
    assert found.odd == ()


def test_a_few_odd_references_are_named_and_change_nothing() -> None:
    found = typed(*(str(n) for n in range(40)), "about a dozen or so")
    assert (found.kind, found.odd) == ("number", ("q040",))
    assert len(found.answers) == 40
    assert "all but 1" in found.reason


def test_many_odd_references_are_no_exception() -> None:
    assert typed(*(str(n) for n in range(10)), "blue", "the red one").kind == "text"


@pytest.mark.parametrize(
    ("write", "dress"),
    [
        (lambda x: f"Some work.\n#### {x}", "####"),
        (lambda x: f"We see:\n\\boxed{{{x}}}", "boxed"),
        (lambda x: f"The answer is {x}.", "marker"),
    ],
)
def test_a_dress_of_all_is_taken_off(write: Callable[[int], str], dress: str) -> None:
    found = typed(*(write(n) for n in range(30, 60)))
    assert (found.kind, list(found.answers.values())[:2]) == ("number", ["30", "31"])
    assert found.dress is not None
    assert dress in found.dress


def test_letters_say_how_many_options_there_are() -> None:
    assert typed(*"ABAB").options == {"labels": "ABCD"}
    assert typed(*"ABAJ").options == {"labels": "ABCDEFGHIJ"}


def test_options_are_choices_whether_the_key_is_a_letter_or_the_text() -> None:
    options = ("red", "green", "blue")
    assert typed("A", "C", "B", options=options).kind == "choice"
    assert typed("red", "blue", "green", options=options).kind == "choice"
    assert typed("red", "mauve", "green", options=options).kind != "choice"


def test_several_right_answers_are_a_list() -> None:
    found = reference_type([Asked("a", "?", ("Paris", "Lutetia")), Asked("b", "?", ("Rome",))])
    assert (found.kind, found.options["references"]) == ("text", "json")
    assert found.answers["a"] == '["Paris", "Lutetia"]'


def test_an_item_without_a_reference_is_named() -> None:
    with pytest.raises(ValueError, match="1 items have no reference, b among them"):
        reference_type([Asked("a", "?", ("1",)), Asked("b", "?", ())])


SETS = st.sampled_from(
    [
        [str(n) for n in range(25)],
        list(LETTERS * 3),
        ["yes", "no"] * 12,
        list(FORMULAS * 4),
        [f"name {n} of {n % 7}" for n in range(25)],
        [*(str(n) for n in range(30)), "a few"],
    ]
)


@settings(max_examples=40)
@given(SETS, st.integers(0, 10_000))
def test_the_order_and_the_owner_of_a_reference_do_not_matter(
    answers: list[str], seed: int
) -> None:
    shuffled = answers[:]
    random.Random(seed).shuffle(shuffled)
    one, other = typed(*answers), typed(*shuffled)
    assert (one.kind, one.verifier, one.options, one.labels, one.dress, len(one.odd)) == (
        other.kind,
        other.verifier,
        other.options,
        other.labels,
        other.dress,
        len(other.odd),
    )
