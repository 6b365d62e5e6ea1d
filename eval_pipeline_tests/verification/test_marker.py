"""A marker says what the answer is; a template, a denial and another's answer say nothing."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from eval_pipeline.verification.extractions.extraction import AnswerLine
from eval_pipeline.verification.extractions.marker import Marker
from eval_pipeline.verification.scoring import Grader
from eval_pipeline.verification.verdict import EMPTY, Found, Item

ITEM = Item("i")
MARKER = Marker()

FRAMES = [
    "The answer is {}.", "So the answer is {}", "the final answer is: {}", "Answer: {}", "Ans: {}",
    "**Answer:** {}", "**Answer: {}**", "Final answer: **{}**", "ANSWER: {}\n", "Answer:\n{}",
    "Answer:\n\n**{}**\n", "## Final Answer\n\n{}\n", "**Final Answer**\n{}", "Answer\n---\n{}",
    "The answer is therefore {}.", "The answer, then, is {}.", "The answer turns out to be {}.",
    "The correct answer to the question is {}.", "Answer (in all): {}", "answer = {}",
    "The answer is {} (check: 2 + 3).", "The answer is {}. Let me know if you need more.",
    "The answer is {} because 2 + 3 is that.", "The answer is {}, since it adds up.",
    "The answer is {}, not 99.", "The answer: 15 + 2. The answer is {}", "#### {}", "#### **{}**",
    "The wrong answer is 99. The answer is {}", "If the answer is 99, we err. The answer is {}.",
    "Answer: 99\nNo. Answer: {}", "The answer is {}!\n\nI hope it is correct.", "Answer: `{}`",
    "<answer>{}</answer>", "<answer>\n{}\n</answer>\nDone.", "| Answer | {} |", 'Answer: "{}"',
    "Answer:\n```\n{}\n```", 'The "answer" is {}', "The answer is \\boxed{{{}}}.",
    "Answer: $\\boxed{{{}}}$",
    "Answer: {}\n\nExplanation: the answer is obtained by adding.", "Answer: {}\n#### Notes\nNone.",
    "Answer: {}\nAnswer: <your answer>", "The answer is {}. So the answer is not 99.",
    "La réponse est {}.", "Réponse : {}", "La respuesta final es {}.", "Respuesta: {}",
    "A resposta é {}.", "La risposta è {}.", "Die Antwort lautet {}.", "Antwort: **{}**",
    "Ответ: {}.", "Odpowiedź: {}", "Odpověď: {}", "Het antwoord is {}.", "Svaret är {}.",
    "Vastaus: {}", "Cevap: {}", "Jawabannya adalah {}.", "Đáp án là {}.", "Η απάντηση είναι {}.",
    "התשובה היא {}", "الجواب هو {}", "الإجابة: {}", "उत्तर: {}", "उत्तर {} है", "คำตอบคือ {}",
    "答案是{}。", "答案：{}", "所以答案为 {}。", "答えは{}です。", "答え：{}",
    "정답은 {}입니다.", "정답: {}",
]  # fmt: skip


@pytest.mark.parametrize("frame", FRAMES)
@pytest.mark.parametrize("answer", ["18", "-5", "1,234.56", "3/4"])
@pytest.mark.parametrize("before", ["", "We add 3 and 4.\n\n"])
def test_what_a_marker_announces_is_the_answer(frame: str, answer: str, before: str):
    assert MARKER.extract(before + frame.format(answer), ITEM).answer == answer


@pytest.mark.parametrize(
    ("reply", "answer"),
    [
        ("The answer is 3 (mod 5).", "3 (mod 5)"),
        ("The answer is 5 (or 6).", "5 (or 6)"),
        ("The answer is 5 or 6.", "5 or 6"),
        ("The answer is approx. 5 km.", "approx. 5 km"),
        ("The answer is 0.333...", "0.333..."),
        ("The answer is x = 5.", "x = 5"),
        ("The answer is f(x) = x + 1.", "f(x) = x + 1"),
        ("The answer is x - y", "x - y"),
        ("The answer is (2, 3).", "(2, 3)"),
        ("The answer is $70,000. He paid $5.", "$70,000"),
        ("The answer is \\(\\frac{1}{2}\\).", "\\(\\frac{1}{2}\\)"),
        ("**Answer**\n\n$$\n\\frac{1}{2}\n$$", "$$\n\\frac{1}{2}\n$$"),
        ("The answer is B. The reason is C.", "B"),
        ("The answer is 3. Oktober 1990.", "3. Oktober 1990"),
        ("The answer is **18** apples.", "18 apples"),
        ("The answers are 3 and 4.", "3 and 4"),
        ("Answer:\n- 3", "3"),
        ("Answer:\n1. 3\n2. 4\n", "3, 4"),
        ("Answer - 5", "5"),
        ("Answer: There are 5 apples left.", "There are 5 apples left"),
        ("4! is a factorial. The answer is 5!", "5!"),
        ("Result: 18", "18"),
        ("The answer is 5. The result is 6.", "5"),
        ("#### Step 1\n#### 27", "27"),
        ("The answer is no.", "no"),
        ("The answer is unknown. We have 5.", "unknown"),
        ("The answer is 5!.", "5!"),
        ("The answer is not 5 but 6.", "6"),
        ("The answer is\n5\n6", "5\n6"),
        ("The answer is 5\n* 2", "5\n* 2"),
        ("The answer is 5\n\n6 apples are left.", "5"),
        ("Final answer: <s>5</s> 6", "<s>5</s> 6"),
        ("Some say the answer is 5, but the answer is 6.", "6"),
    ],
)
def test_an_answer_keeps_what_belongs_to_it(reply: str, answer: str):
    assert MARKER.extract(reply, ITEM).answer == answer


@pytest.mark.parametrize(
    ("reply", "detail"),
    [
        ("no idea 5", "no_marker"),
        ("Answer: <your answer>", "no_marker"),
        ("Answer: [number]\n#### {answer}", "no_marker"),
        ("Answer: ...", "no_marker"),
        ('{"answer": "18"}', "no_marker"),
        ("Your answer is 18, and Ann's answer is 17.", "no_marker"),
        ("If the answer is 7, then x is 2.", "no_marker"),
        ("Is it so that the answer is 5?", "no_marker"),
        ("The answer is obtained by adding 5.", "no_marker"),
        ("Answer: Let's compute 3 * 4 = 12.", "no_marker"),
        ("Solution: Let x be what he has; after 3 days it is 5.", "no_marker"),
        ("He gave an answer to 5 questions.", "no_marker"),
        ("The solution of |x| = 5", "no_marker"),
        ("I don't think the answer is 7.", "denied_marker"),
        ("It is not true that the answer is 7.", "denied_marker"),
        ("The answer is not 7.", "denied_marker"),
        ("Nobody said that the answer is 7.", "denied_marker"),
        ("It would be wrong to say that the answer is 7.", "denied_marker"),
        ("The answer could be 7.", "denied_marker"),
        ("There is no answer: 7 is a guess.", "denied_marker"),
        ("The answer is 5. No! It's 6.", "withdrawn_marker"),
        ("The answer is 5. Wait, that is wrong.", "withdrawn_marker"),
        ("The answer is 4. The answer is 5. No, wait.", "withdrawn_marker"),
        ("The answer is 5.\nFinal answer:", "empty_marker"),
        ("Answer: **", "empty_marker"),
    ],
)
def test_a_marker_that_says_nothing_is_no_answer(reply: str, detail: str):
    assert MARKER.extract(reply, ITEM) == Found(None, detail)


def test_a_question_of_the_models_own_ends_the_reply():
    reply = "Answer: 5\n\nQuestion: Ann has 3?\nAnswer: 6"
    assert MARKER.extract(reply, ITEM) == Found("5", "truncated_runon")
    assert Marker(stop=()).extract(reply, ITEM) == Found("6")
    again = "I give the answer: ...\nQuestion: 4 pens?\nAnswer: 4"
    assert MARKER.extract(again, ITEM) == Found("4")
    assert MARKER.extract(" \n", ITEM) == EMPTY


def test_words_alone_may_be_asked_for():
    reply = "The answer is 5.\n#### 6"
    assert MARKER.extract(reply, ITEM).answer == "6"
    assert Marker(words_only=True).extract(reply, ITEM).answer == "5"
    assert AnswerLine(pattern="final_answer").extract(reply, ITEM).answer == "5"
    assert AnswerLine(pattern="marker").extract(reply, ITEM).answer == "6"


@pytest.mark.parametrize(
    ("options", "message"),
    [({"words_only": "yes"}, "words_only must be"), ({"stop": "Q:"}, "list of words")],
)
def test_a_bad_option_is_refused(options: dict[str, object], message: str):
    with pytest.raises(ValueError, match=message):
        Marker(**options)
    with pytest.raises(ValueError, match="leave occurrence out"):
        AnswerLine(pattern="marker", occurrence="first")


@given(st.sampled_from(FRAMES), st.integers(-10_000, 10_000), st.integers(-10_000, 10_000))
def test_only_the_number_of_the_marker_decides(frame: str, said: int, wanted: int):
    grader = Grader.of("numeric@2", "marker@1", {})
    (verdict,) = grader.verdicts([(Item("i", answer=str(wanted)), frame.format(said))])
    assert verdict.score in (float(said == wanted), None)


@given(st.text(max_size=80), st.integers(0, 10_000))
def test_the_place_is_where_the_answer_stands(before: str, number: int):
    reply = f"{before}\nThe answer is {number}."
    found = MARKER.extract(reply, ITEM)
    if found.answer == str(number) and found.place:
        start, end = found.place
        assert reply[start:end] == str(number)


@pytest.mark.parametrize(
    "piece",
    [
        "answer is ", "Answer: ", "answer ", "####", "the answer is 5. ", "答案是", "Answer: $",
        "answer is \\[", "Answer:\n", "Answer:\n- ", "<answer>", "[answer]", "*", " ", "answer to ",
        "(", "a. ", "Answer: (a b", "Answer: **", "answer, a", "\n# ",
    ],
)  # fmt: skip
def test_a_hostile_reply_costs_no_more_than_its_length(piece: str):
    reply = (piece * (200_000 // len(piece) + 1))[:200_000]
    began = time.process_time()
    MARKER.extract(reply, ITEM)
    assert time.process_time() - began < 3
