"""Choice: the letter that the reply commits to, or none."""

import pytest

from eval_pipeline.verification.choices.choice import Choice, ChoiceLetter, chance
from eval_pipeline.verification.verdict import Found, Item

FOUR = Item("i", answer="B", options=("red", "green", "blue", "black"))


@pytest.mark.parametrize(
    ("reply", "letter"),
    [
        ("ANSWER: $B$", "B"),
        ("ANSWER: **B**", "B"),
        ("**Answer:** B", "B"),
        ("Answer: (B)", "B"),
        (r"answer: \boxed{\text{B}}", "B"),
        (r"So \boxed{B}.", "B"),
        ("answer: b", "B"),
        ("The answer is B because a car moves.", "B"),
        ("The correct answer is option C.", "C"),
        ("Answer seems to be A.\n\nAnswer: A", "A"),
        ("A, B and D fail.\nANSWER: C", "C"),
        ("The answer is A? No. The answer is D.", "D"),
        ("The answer is B. The answer is a car.", "B"),
        ("B", "B"),
        ("**B**", "B"),
        ("(C)", "C"),
        ("B. green", "B"),
        ("C: blue, since it is", "C"),
        ("I think so.\n\nD\n", "D"),
        ("Answer: A", "A"),
        ("Answer: A.", "A"),
        ("Answer: A because it floats", "A"),
    ],
)
def test_the_letter_is_found(reply: str, letter: str):
    assert ChoiceLetter().extract(reply, FOUR) == Found(letter)


@pytest.mark.parametrize(
    ("reply", "detail"),
    [
        ("", "empty"),
        ("A car moves, I guess", "no_choice"),
        ("Answer: A car", "no_choice"),
        ("Answer: A or B", "several_choices"),
        ("ANSWER: A, B, C, D", "several_choices"),
        ("Answer: (A) and (C)", "several_choices"),
        ("Answer: G", "not_an_option"),
        ("The answer is not B.", "no_choice"),
        ("Both could be right", "no_choice"),
    ],
)
def test_no_letter_is_guessed(reply: str, detail: str):
    assert ChoiceLetter().extract(reply, FOUR) == Found(None, detail)


def test_the_key_may_be_a_letter_or_an_options_text():
    assert Choice().key(FOUR) == "B"
    assert Choice().key(Item("i", answer="blue", options=FOUR.options)) == "C"
    for answer, options in (("E", ("x", "y")), ("x", ("x", "x")), ("A", ("B", "A"))):
        with pytest.raises(ValueError, match="item 'i'"):
            Choice().check(Item("i", answer=answer, options=options))


def test_letters_may_be_declared_where_items_have_no_options():
    item = Item("i", answer="B")
    assert Choice(labels="ABC").verify(item, "B").score == 1.0
    assert ChoiceLetter(labels="ABC").extract("Answer: C", item) == Found("C")
    with pytest.raises(ValueError, match="item 'i' has no options"):
        Choice().check(item)
    with pytest.raises(ValueError, match="different letters"):
        ChoiceLetter(labels="AA")
    with pytest.raises(ValueError, match="4 options"):
        Choice(labels="AB").check(FOUR)


def test_a_guess_is_worth_one_over_the_options():
    assert chance(FOUR) == 0.25
    assert chance(Item("i", options=("only",))) == 1.0
    assert chance(Item("i", answer="5")) is None


def test_a_verdict_names_letter_and_key():
    verdict = Choice().verify(FOUR, "C")
    assert (verdict.score, verdict.detail, verdict.extracted) == (0.0, "wrong", "C")
    assert "the key is B" in verdict.explanation
    assert Choice().verify(FOUR, "green").status == "parser_failure"


@pytest.mark.parametrize(
    ("reply", "letter"),
    [
        (r"ANSWER: $\text{B}$", "B"),
        (r"Answer: $\mathbf{B}$", "B"),
        ("ANSWER: `B`", "B"),
        ("**ANSWER: B**", "B"),
        ("Answer:\nB", "B"),
        ("Answer： B", "B"),
        ("答案是B", "B"),
        ("<answer>B</answer>", "B"),
        ("The correct answer is: **(B) green**", "B"),
        ("The answer is (A) red", "A"),
        (r"The answer is \boxed{\textbf{(C)}}", "C"),
        ("The answer is **option B**", "B"),
        ("So the answer would be B.", "B"),
        ("The answer is therefore B", "B"),
        ("Option B is correct.", "B"),
        ("I choose C", "C"),
        ("Answer: B\n\nExplanation: A is wrong.", "B"),
        ("Answer is B, not A.", "B"),
        ("(B) green", "B"),
    ],
)
def test_a_wrapped_or_worded_letter_is_found(reply: str, letter: str):
    assert ChoiceLetter().extract(reply, FOUR) == Found(letter)


def test_a_letter_that_is_no_option_may_be_declared_an_answer():
    assert ChoiceLetter(outside="wrong").extract("Answer: G", FOUR) == Found("G")
    assert Choice(outside="wrong").verify(FOUR, "G").score == 0.0
    assert Choice(outside="wrong").verify(FOUR, "green").status == "parser_failure"
    with pytest.raises(ValueError, match="outside must be"):
        Choice(outside="right")


@pytest.mark.parametrize(
    ("reply", "detail"),
    [
        ("Answer: B) blue", "label_and_text_differ"),
        ("Answer: blue (B)", "label_and_text_differ"),
        ("The answer is B. No wait, B is wrong.", "withdrawn"),
        ("Answer: B? No.", "withdrawn"),
        ("Answer: B -> C or D", "several_choices"),
        ("The answer is none of the above.", "no_choice"),
    ],
)
def test_a_choice_that_is_none_says_why(reply: str, detail: str):
    assert ChoiceLetter().extract(reply, FOUR) == Found(None, detail)


def test_a_letter_that_is_another_options_text_is_read_in_brackets_only():
    item = Item("i", answer="B", options=("Tl", "Al", "B", "C"))
    assert ChoiceLetter().extract("The answer is B.", item) == Found(None, "label_and_text_differ")
    assert ChoiceLetter().extract("The answer is (B).", item) == Found("B")
    assert ChoiceLetter().extract("The answer is Al.", item) == Found("B")


def test_two_options_of_one_text_are_named_by_label_alone():
    item = Item("i", answer="B", options=("red", "blue", "blue"))
    assert ChoiceLetter().extract("blue", item) == Found(None, "no_choice")
    assert ChoiceLetter().extract("B) blue", item) == Found("B")


@pytest.mark.parametrize(
    "reply", ["A. one B. two C. three", "A) one\nB) two\nC) three", "Answer: A. one, B. two"]
)
def test_a_list_is_no_choice_where_texts_are_unknown(reply: str):
    assert ChoiceLetter(labels="ABC").extract(reply, Item("i", answer="A")).answer is None


def test_a_question_of_the_models_own_ends_the_reply():
    item = Item("i", "Which colour is the sky?", "C", FOUR.options)
    read = ChoiceLetter().extract
    assert read("C\n\nQuestion: And grass?\nAnswer: B", item) == Found("C", "truncated_runon")
    assert read("Hm.\n\nQuestion: And grass?\nAnswer: B", item) == Found(None, "no_choice")
    restated = "Hm.\nQuestion: Which colour is the sky?\nAnswer: C"
    assert read(restated, item) == Found("C")
    assert read(f"Let me think of this:\n{restated[4:]}", item) == Found("C")
