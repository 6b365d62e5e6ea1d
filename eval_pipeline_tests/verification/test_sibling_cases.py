"""The reported failures' brothers and sisters: other scripts, units, words, brackets and dress.

The score is 1, 0, or a status with its reason where reading more would be guessing.
"""

from contextlib import suppress
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from eval_pipeline.verification.formulas.mathematics import Mathematics, UntoldError
from eval_pipeline.verification.numbers.numeric import Numeric
from eval_pipeline.verification.scoring import Grader
from eval_pipeline.verification.verdict import Item, Verdict

Case = tuple[str, str, float | str]  # reference, reply, score or detail


def verdict(verifier: str, extraction: str, gold: str, reply: str, **options: Any) -> Verdict:
    grader = Grader.of(verifier, extraction, options)
    item = Item("i", answer=gold)
    grader.check([item])
    return grader.verdicts([(item, reply)])[0]


def holds(got: Verdict, right: float | str) -> bool:
    if isinstance(right, str):
        return (got.score, got.detail) == (None, right)
    return got.score == right


SCALED: list[Case] = [
    ("1200000", "1.2 million", 1), ("1200", "1.2k", 1), ("5000000", "$5M", 1),
    ("5000000", "$5m", 1), ("3000000000", "3bn", 1), ("500000", "5 lakh", 1),
    ("50000", "5万", 1), ("24", "2 dozen", 1), ("3/4", "3 quarters", 1), ("500", "5 hundred", 1),
    ("5 million dollars", "$5 million", 1), ("5 million", "5,000,000", "not_a_number"),
    ("1.2", "1.2 million", "scale_on_one_side"), ("3", "3 quarters", "scale_on_one_side"),
    ("5 million", "5", "scale_on_one_side"), ("8", "8 dozen", "scale_on_one_side"),
    ("7", "5 million", 0), ("5", "5m", 1), ("5 m", "5m", 1), ("300 K", "300K", 1),
    ("300", "300K", "scale_on_one_side"), ("300000", "300K", 1), ("3", "3 third-graders",
    "multiplier"),
]  # fmt: skip
SIGNED_AND_SHARED: list[Case] = [
    ("-5", "negative 5", 1), ("5", "negative 5", 0), ("-5", "minus 5", 1),
    ("5", "10 minus 5", "several_numbers"), ("5", "—5", "dash"), ("-5", "–5", 1),
    ("75", "75 out of 100", "several_numbers"), ("3/4", "75 out of 100", "several_numbers"),
    ("7%", "7 per cent", 1), ("7", "7 per cent", 0), ("7%", "7 pct", 1), ("0.5%", "50 bps", 1),
    ("0.5%", "5‰", 1), ("3", "3-5", "several_numbers"), ("3", "3 to 5", "several_numbers"),
    ("12", "12 ± 1", "several_numbers"), ("2016", "2024-05-03", "several_numbers"),
    ("12:30", "12:30", "unread"),
]  # fmt: skip
MEASURED: list[Case] = [
    ("90 minutes", "1 hour 30 minutes", 1), ("1.5 hours", "1 h 30 min", 1),
    ("63 inches", "5 feet 3 inches", 1), ("91 minutes", "1 hour 30 minutes", 0),
    ("1.5", "1 hour 30 minutes", "scale_on_one_side"), ("90", "1 hour 30 minutes", 1),
    ("5", "5 apples and 3 pears", "several_numbers"), ("5 km", "5000 m", 1), ("5 cm", "5 m", 0),
    ("5 kg", "5 km", 0), ("2 cups", "1 pint", 1),
]  # fmt: skip


@pytest.mark.parametrize(("gold", "reply", "right"), SCALED + SIGNED_AND_SHARED + MEASURED)
def test_a_number_is_read_whole_or_not_at_all(gold: str, reply: str, right: float | str):
    if right == "unread":
        with pytest.raises(ValueError, match="is no single number"):
            verdict("numeric@2", "whole_text@2", gold, reply)
        return
    assert holds(verdict("numeric@2", "whole_text@2", gold, reply), right)


LAST: list[Case] = [
    ("1200000", "So it costs about $1.2 million.", 1), ("1.2", "It is 1.2 million.",
    "scale_on_one_side"), ("75", "He got 75 out of 100.", "ambiguous_number"),
    ("5", "It is between 3 and 5.", "ambiguous_number"), ("5", "Either 4 or 5.",
    "ambiguous_number"), ("3", "On 2024-05-03.", "ambiguous_number"),
    ("5", "a ratio of 3 to 5", "ambiguous_number"), ("-4", "it fell from 9 to -4", 1),
    ("1234", "call 555-1234", "ambiguous_number"), ("5", "The change is negative 5.", 0),
    ("-5", "The change is negative 5.", 1), ("5", "10 minus 5 is 5", 1), ("3", "so 10-7=3", 1),
    ("19", "It is 19 (not COVID-20)", 1), ("48", "48 eggs (that is 4 dozen)", 1),
    ("0.5%", "It rose by 50 bps", 1), ("5", "- 5", "ambiguous_number"),
]  # fmt: skip


@pytest.mark.parametrize(("gold", "reply", "right"), LAST)
def test_the_last_number_is_not_half_of_something(gold: str, reply: str, right: float | str):
    assert holds(verdict("numeric@2", "last_number@2", gold, reply), right)


CHOSEN = [
    "Answer: （B）", "答案：【B】", "答案是（B）", "【答案】B", "故选B", "选项B正确", "正解はB",
    "정답: B", "Ответ: B", "Réponse : B", "Respuesta: «B»", "Antwort: 「B」", "Answer: Ｂ",
    "Answer: Ⓑ", "b)", "(b)", '{"answer": "B"}', "Answer → B", "**Answer** - (B)", "Answer B",
    "B is the correct answer.", "Thus B is correct.", "I would go with B", "We'd choose (B).",
    r"\boxed{\textbf{(B)}\ 42}", r"Answer: \(\text{B}\)", "ans: B",
    "Answer: B\n\nQuestion: What next?\nAnswer: C",
]  # fmt: skip
UNCHOSEN = {
    "A: no. B: yes": "several_choices", "(A) wrong (B) right": "several_choices",
    "B\nC": "several_choices", "Answer: B/C": "several_choices",
    "Ответ: В": "no_choice", "Answer: 2": "no_choice", "The answer is not B": "no_choice",
    "Answer: A B C": "several_choices",
    "It may be A, B or C.": "no_choice", "选项B错误": "no_choice",
}  # fmt: skip


@pytest.mark.parametrize("reply", CHOSEN)
def test_a_letter_is_found_in_any_dress(reply: str):
    got = verdict("choice@2", "choice_letter@2", "B", reply, labels="ABCD")
    assert (got.score, got.extracted) == (1.0, "B")


@pytest.mark.parametrize("reply", UNCHOSEN)
def test_a_letter_is_not_guessed(reply: str):
    got = verdict("choice@2", "choice_letter@2", "B", reply, labels="ABCD")
    assert (got.score, got.detail) == (None, UNCHOSEN[reply])


MATHEMATICS: list[Case] = [
    ("-1", r"e^{i\pi}", 1), (r"e^{i\pi}+1", "0", 1), ("1", r"e^{i\pi}", 0), ("i^2", "-1", 1),
    (r"\frac{1+i\sqrt{3}}{2}", r"e^{i\pi/3}", 1), (r"\cos x", r"e^{ix}", 0),
    (r"e^{i\theta}", r"\cos\theta+i\sin\theta", "unit_or_index_i"),
    (r"\sin 30^\circ", r"\frac12", 1), (r"\frac{\pi}{6}", r"30^\circ", 1),
    (r"\frac{\pi}{6}", r"60^\circ", 0), (r"\sum_{i=1}^{n} i", r"\frac{n(n+1)}{2}", 1),
    (r"\sum_{i=1}^{n} i", r"\frac{n(n-1)}{2}", 0), ("y=x+1", "x=y-1", 1), ("y=2x", "x=2y", 0),
    (r"3\sqrt{2} \text{ cm}", r"3\sqrt{2} \text{ m}", 0), (r"36\pi\text{ cm}^2",
    r"36\pi\text{ cm}^3", 0), (r"3\sqrt{2} \text{ m}", r"300\sqrt{2}\text{ cm}", 1),
    ("3x", "the answer is 4x", "words_in_formula"), (r"\emptyset", "no solution", 1),
    (r"\mathbb{R}", r"(-\infty, \infty)", 1), ("DNE", "does not exist", 1),
    ("[[1,2],[3,4]]", r"\begin{pmatrix}1&2\\3&4\end{pmatrix}", 1),
    ("2024-05-03", "May 3, 2024", 1), ("2016", "2024-05-03", 0), ("May 3, 2024", "3 May 2023", 0),
    ("3:30 pm", "15:30", 1), ("3:30 pm", "3:30 am", 0), ("3/2", "3:2", 1),
    ("1:20", "2:40", "ratio_or_time"), ("101_2", "101", 1), ("101_2", "101_3", 0),
    ("101_2", "5", "base_on_one_side"), (r"1.2 \text{ million}", "1200000", 1),
    ("1.2", r"1.2 \text{ million}", "scale_on_one_side"),
    (r"\sqrt{2}", "1.4142135623730951", 0), (r"\pi", "3.141592653589793", 0),
    ("e", "2.718281828459045", 0),
]  # fmt: skip


def test_mathematics_is_told_apart_or_not_judged():
    grader = Grader.of("math@2", "whole_text@2", {})  # at once: the engine starts slowly
    asked = [(Item("i", answer=gold), reply) for gold, reply, _ in MATHEMATICS]
    got = grader.verdicts(asked)
    wrong = [
        (case, one.score, one.detail)
        for case, one in zip(MATHEMATICS, got, strict=True)
        if not holds(one, case[2])
    ]
    assert wrong == []


@pytest.mark.parametrize(
    ("reply", "answer"),
    [
        (r"\boxed{2} and \boxed{3}", "2, 3"), (r"$\boxed{2}$, $\boxed{3}$", "2, 3"),
        (r"\boxed{1}, \boxed{2}, and \boxed{3}", "1, 2, 3"), (r"\boxed{5}, \boxed{5}", "5"),
        (r"\boxed{2} no: \boxed{3}", "3"), (r"\boxed{\{1, \{2\}\}}", r"\{1, \{2\}\}"),
        (r"\boxed 12", "12"), (r"\boxed{\frac{1}{\sqrt{2}}}", r"\frac{1}{\sqrt{2}}"),
    ],
)  # fmt: skip
def test_boxes_side_by_side_are_one_answer(reply: str, answer: str):
    assert Grader.of("exact@1", "boxed@2", {"policy": "identity"}).extraction.extract(
        reply, Item("i")
    ).answer == answer  # fmt: skip


@pytest.mark.parametrize(
    ("reply", "right"),
    [
        ('So:\n```json\n{"a": 5}\n```\nDone {with} it.', 1), ('[{"a": 5}]', 1),
        ('{"b": "use {x}", "a": 5}', 1), ('{"a": 5,}', 1), ("{'a': 5}", "broken_json"),
        ('{"a": 5', "broken_json"), ('{"a": 5} // {"a": 6', "broken_json"),
        ('{"a": 5, "a": 6}', "duplicate_key"), ('{"a": 1e400}', "not_a_number"),
        ('{"a": NaN}', "not_a_number"), ('{"a": null}', "null_field"), ('{"A": 5}', "no_field"),
    ],
)  # fmt: skip
def test_json_is_read_as_it_stands(reply: str, right: float | str):
    assert holds(verdict("numeric@2", "json_field@2", "5", reply, field="a"), right)


numbers = st.fractions(-(10**6), 10**6, max_denominator=1000)


@given(numbers, numbers, st.sampled_from(["{}", "${}$", r"\boxed{{{}}}", "**{}**", "x = {}"]))
def test_dress_never_changes_a_verdict(one: Fraction, other: Fraction, dress: str):
    got = verdict("math@2", "whole_text@2", str(other), dress.format(one))
    assert got.score == float(one == other)


@given(st.integers(-(10**9), 10**9), st.sampled_from(["million", "thousand", "dozen", "k"]))
def test_a_factor_is_never_passed_over(figures: int, factor: str):
    said = f"{figures}{factor}" if factor == "k" else f"{figures} {factor}"
    times = {"million": 10**6, "thousand": 1000, "dozen": 12, "k": 1000}[factor]
    assert verdict("numeric@2", "whole_text@2", str(figures * times), said).score == 1.0
    assert verdict("numeric@2", "whole_text@2", str(figures), said).score == (
        1.0 if figures == 0 else None
    )
    assert verdict("numeric@2", "whole_text@2", str(figures * times + 1), said).score != 1.0


@given(st.text(max_size=60))
def test_no_text_makes_an_exact_reader_fail(text: str):
    assert Numeric(thousands=",", number_words=True).equivalent(text, "5") in (True, False, None)
    with suppress(UntoldError):
        assert Mathematics().equal(text, "5") in (True, False, None)
