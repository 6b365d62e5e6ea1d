"""Answers in the plain words of chat models, of which a careful reader is certain.

The score is 1, 0, or None where nobody can tell; a tuple gives all that are allowed.
"""

import time

import pytest

from eval_pipeline.verification.choices.choice import ChoiceLetter
from eval_pipeline.verification.numbers.factorials import is_factorial
from eval_pipeline.verification.numbers.last_number import LastNumber
from eval_pipeline.verification.verdict import Item
from eval_pipeline_tests.verification.test_sibling_cases import verdict

UNTOLD = (None, 0)  # never 1
Right = float | None | tuple[float | None, ...]


def off(
    cases: list[tuple[str, str, Right]], verifier: str, extraction: str, **options: object
) -> list[tuple[object, ...]]:
    wrong: list[tuple[object, ...]] = []
    for reference, reply, right in cases:
        got = verdict(verifier, extraction, reference, reply, **options)
        if got.score not in (right if isinstance(right, tuple) else (right,)):
            wrong.append((reference, reply, right, got.status, got.score, got.explanation))
    return wrong


MEASURED: list[tuple[str, str, Right]] = [
    ("90 minutes", "It takes 1 hour and 30 minutes.", 1),
    ("30", "It takes 1 hour 30 minutes.", UNTOLD),
    ("90", "So 1 hr 30 min", (1, None)), ("3661 seconds", "1 hour, 1 minute, and 1 second", 1),
    ("66 inches", "He is 5 feet 6 inches tall", 1), ("6", "He is 5 feet 6 inches.", UNTOLD),
    ("5.5 feet", "That is 5 ft. 6 in.", 1), ("1.05 m", "1 m 5 cm", 1), ("5", "1 m 5 cm", UNTOLD),
    ("$5.25", "5 dollars and 25 cents", 1), ("25", "5 dollars and 25 cents", UNTOLD),
    ("51 hours", "2 days and 3 hours", 1), ("3 hours", "2 days and 3 hours", UNTOLD),
    ("14 months", "1 year 2 months", 1), ("30", "1 heure 30", UNTOLD), ("30", "1h30", UNTOLD),
    ("90 minutes", "1 Stunde und 30 Minuten", (1, None)), ("3", "It is 4 cm x 3 cm", UNTOLD),
    ("30 minutes", "He drives 50 km in 30 minutes", 1),
    ("30 minutes", "After 2 hours, he rests 30 minutes.", 1),
    ("7 kg", "7 kg\n\nJ'ai fini.", 1), ("7 kg", "7 g\n\nC'est tout.", 0),
    ("7 m", "7 m\n\nA bientôt", 1),
]  # fmt: skip
WORKED: list[tuple[str, str, Right]] = [
    ("18", r"The answer is $9 \times 2 = 18$.", 1),
    ("17", r"The answer is $9 \times 2 = 17$.", UNTOLD),
    ("18", r"The answer is \(9 \times 2 = 18\).", 1),
    ("9", r"The answer is \(9 \times 2 = 18\).", UNTOLD),
    ("58", r"The answer is $\frac{116}{2} = 58$.", 1), ("58", "The answer is $60 - 2 = 58$.", 1),
    ("18", "The answer is 9 × $2 = $18.", 1), ("1500", "The answer is $1,200 + $300 = $1,500.", 1),
    ("1500", "The answer is $1,200 + $400 = $1,500.", UNTOLD),
    ("58", "The answer is $f(3) = 58$.", 1), ("3", "The answer is $f(3) = 58$.", UNTOLD),
    ("58", "The answer is $S_{10} = 58$.", 1), ("58", "The answer is log(2) = 58.", UNTOLD),
    ("18", "The answer is 3 + 2(9) = 18.", UNTOLD), ("58", r"The answer is $\large 58$.", 1),
    ("18", "The answer comes out to 18.", 1), ("18", "The answer works out to 18.", 1),
    ("36", "Ответ равен 36.", 1), ("36", "Ответ равен 37.", 0),
    ("7", "The final answer (in dollars) is 7.", 1), ("7", "The answer for part (b) is 7.", 1),
    ("7", "The correct answer to 3 + 4 is 7.", 1), ("3", "The answer to question 3 is 7.", 0),
    ("15", "The answer is 15. Hmm, wait, that's not right.", None),
    ("15", "The answer is 15. Oh, that is wrong.", None),
]  # fmt: skip
BOUNDED: list[tuple[str, str, Right]] = [
    ("7", "7 apples or more", None), ("7", "7 days at most", None),
    ("7", "7 apples at least", None),
    ("7", "7 Äpfel oder mehr", None), ("7", "7 manzanas o más", None), ("7", "7 apples more", 1),
    ("7", "7 apples and more luck", 1), ("7", "7 apples for more people", 1),
    ("7", "7 people maximum", None), ("7", "7 apples, the least of all", 1),
]  # fmt: skip
ALTERNATIVES: list[tuple[str, str, Right]] = [
    ("3", "x = 2 or x = 3", None), ("3", "x=2, x=3", None), ("3", "$x_1 = 2$ and $x_2 = 3$", None),
    ("3", r"$x = 2 \text{ or } x = 3$", None), ("-3", "y = 2 oder y = -3", None),
    ("6", "The roots are 2 and 3; the product is 6.", 1), ("3", "x = 1, so x + 2 = 3", (1, None)),
]  # fmt: skip
EXCLAIMED: list[tuple[str, str, Right]] = [
    ("35", "The answer is 35!", 1), ("35", "Thus the answer is **35**!", 1),
    ("35", "The answer is $35$!", 1), ("35", "So it's **35**!", 1), ("34", "So it's **35**!", 0),
    ("35", "35!", UNTOLD), ("5", "5!", UNTOLD), ("5", "There are 5!", (1, None)),
    ("5", "The number of permutations is 5!", UNTOLD), ("5", "2! = 2. The answer is 5!", UNTOLD),
    ("20", "6!/(3! 3!) = 20. The answer is 20!", 1), ("35", r"It is \(35\)!", 1),
    ("35", r"It is \(35!\)", UNTOLD),
]  # fmt: skip


@pytest.mark.parametrize(
    ("cases", "extraction"),
    [
        (MEASURED, "last_number@2"),
        (WORKED, "marker@1"),
        (EXCLAIMED, "last_number@2"),
        (BOUNDED, "last_number@2"),
        (ALTERNATIVES, "last_number@2"),
    ],
    ids=["measured in parts", "worked out", "exclaimed", "bounded", "alternatives"],
)
def test_a_number_is_what_the_reply_says(cases: list[tuple[str, str, Right]], extraction: str):
    assert off(cases, "numeric@2", extraction, thousands=",") == []


def test_a_formula_is_no_factorial_because_its_sentence_is_loud():
    cases: list[tuple[str, str, Right]] = [
        ("35", "The answer is 35!", 1), ("35", "The answer is $35$!", 1),
        ("120", "There are 5! = 120 ways. The answer is 120!", 1),
        ("120", "By permutations the answer is 5!", 1),
    ]  # fmt: skip
    for extraction in ("last_number@2", "marker@1"):
        assert off(cases, "math@2", extraction) == []
    assert off([("5", "5!", UNTOLD), ("120", "5!", 1)], "math@2", "whole_text@2") == []


def test_a_result_is_no_factorial():
    assert not is_factorial("3! = 6. So 6!", 12)
    assert is_factorial("3! = 6. So 5!", 12)
    assert not is_factorial("So 5!", 4)


@pytest.mark.parametrize(
    ("verifier", "reference", "answer", "right"),
    [
        ("set@2", "1, 2", "x=1 or x=2", (None, 1)),
        ("set@2", "{-1, 1}", r"\pm 1", (None, 1)),
        ("set@2", "1, 2", "1, ???", None),
        ("set@2", "1, 2", "1, more than 2", None),
        ("set@2", "1, 2", "1, 3", 0),
        ("tuple@2", "(1, 2)", "y = 2, x = 1", (None, 1)),
        ("tuple@2", "(1, 2)", "(1, 2 or 3)", None),
        ("tuple@2", "(1, 2)", "(1, at least 2)", None),
        ("tuple@2", "(1, 2)", "(1, ?)", None),
        ("tuple@2", "(1, 2)", "(1, -2)", 0),
        ("tuple@2", r"(1, \infty)", "(1, 2)", 0),
        ("interval@2", "[1, 2]", "[1, banana]", None),
        ("interval@2", "[1, 2]", "[1, ?]", None),
        ("interval@2", "[1, 2]", "(1, 2]", 0),
    ],
)
def test_a_part_that_says_more_than_one_thing_settles_nothing(
    verifier: str, reference: str, answer: str, right: Right
):
    assert off([(reference, answer, right)], verifier, "whole_text@2") == []


NAMED = {  # what a reply says of the letter L, with the text T
    "ticked": "✅ L", "ticked after": "L ✅", "pointed at": "👉 **L**", "an arrow": "➡️ L",
    "a speaker": "Assistant: L", "a response": "Response: L", "set in bold": r"$\textbf{(L) } T$",
    "most accurate": "Among the options, L is the most accurate.",
    "most likely": "So L is the most likely answer.",
    "which is": "The value is 16, which is option L",
    "a heading": "### Analysis\nA) ...\nB) ...\n\n### Answer\n**L**",
    "here": "I'd pick L here.", "going with": "I'm going with L.", "let us": "So let's go with L.",
    "a pick": "My pick is L.", "therefore": "∴ L", "final": "Final: L", "a formula": r"\( L \)",
    "German": "Also ist die richtige Antwort L.", "Portuguese": "Gabarito: L",
    "corresponds": "This corresponds to option (L).",
}  # fmt: skip


@pytest.mark.parametrize("reply", NAMED.values(), ids=NAMED)
def test_a_letter_is_found_in_its_dress(reply: str):
    texts = dict(zip("ABCD", ("Paris", "London", "Berlin", "Madrid"), strict=True))
    item = Item("i", answer="A", options=tuple(texts.values()))
    for letter, text in texts.items():
        said = reply.replace("L", letter).replace("T", text)
        assert ChoiceLetter().extract(said, item).answer == letter, said


@pytest.mark.parametrize(
    "reply",
    [
        "Answer\nA. one\nB. two\nC. three", "I'm going with my gut.", "Let's go with A or B.",
        "Answer:\nA good question.", "✅ A\n✅ C", "A is the most likely to be wrong.",
        "Is it option A or option B?",
        "❌ A\n❌ B",
    ],
)  # fmt: skip
def test_no_letter_is_found_where_none_is_chosen(reply: str):
    assert ChoiceLetter(labels="ABCD").extract(reply, Item("i")).answer is None


@pytest.mark.parametrize(
    "piece", ["1 hour ", "5! ", "1 h 30 min ", "f(3) = ", "✅ A ", "$1,200 + ", "4 cm x "]
)
def test_cost_is_linear(piece: str):
    reply = piece * (200_000 // len(piece))
    item = Item("i", options=("a", "b"))
    began = time.perf_counter()
    LastNumber(thousands=",").extract(reply, item)
    ChoiceLetter().extract(reply, item)
    assert time.perf_counter() - began < 5
