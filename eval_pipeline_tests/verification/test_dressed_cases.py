"""Answers in more dress: what is written otherwise and means the same, and what only looks so."""

import pytest

from eval_pipeline.verification.code.code_block import CodeBlock
from eval_pipeline.verification.scoring import Grader
from eval_pipeline.verification.verdict import Item
from eval_pipeline_tests.verification.test_sibling_cases import Case, holds, verdict

NUMBERS: list[Case] = [
    ("1/3", ".333...", 1), ("1/3", r"0.333\ldots", 1), ("0.5", "٠٫٥", 1), ("3.14", "٣٫١٤", 1),
    ("123000", "1.23·10^5", 1), ("123000", "1.23⋅10⁵", 1), ("100000", "10**5", 1),
    ("100000", "1.0 e5", 1), ("-1/2", r"\frac{1}{-2}", 1), ("1/2", "-1/-2", 1), ("-2", "1/-2", 0),
    ("5", "--5", "sign"), ("5", "+-5", "sign"), ("3", "3+", "bound"),
    ("42", r"\begin{equation}42\end{equation}", 1), ("42", r"\underline{42}", 1),
    ("42", r"\color{red}{42}", 1), ("42", r"\textcolor{blue}{42}", 1), ("42", "4\u200b2", 1),
    ("42", "**42**", 1),
]  # fmt: skip


@pytest.mark.parametrize(("gold", "reply", "right"), NUMBERS)
def test_a_number_is_the_same_however_it_is_written(gold: str, reply: str, right: float | str):
    assert holds(verdict("numeric@2", "whole_text@2", gold, reply), right)


def test_a_negative_denominator_is_no_number_of_its_own():
    assert verdict("numeric@2", "last_number@2", "-1/2", "It is 1/-2.").score == 1.0


UNREAD = "not_mathematics"
FORMULAS: list[Case] = [
    (r"3\sqrt{2}", "3√2", 1), (r"\sqrt{x}", "√(x)", 1), ("2", "∛8", 1), (r"\ln 2", r"\log_e 2", 1),
    ("1/3", "0.333...", 1), (r"(-\infty,0)\cup(0,\infty)", r"x \neq 0", 1),
    # of these a reader of LaTeX takes the beginning, or adds what stands side by side
    ("3", "3∜2", UNREAD), ("3", "3|4", UNREAD), ("3", "3/", UNREAD), ("3", "3⌊2⌋", 0),
    ("3", "⌊3.7⌋", 1), (r"2\alpha+1", "2α + 1", 1),
    ("3", "3_2", UNREAD), ("7", "3 4", UNREAD), ("x", "x'", "name_spelling"), ("x", "x_1 + 1", 0),
    (r"\sqrt{2}", r"\sqrt{2} \approx 1.41", 1), ("8", "∛8", 0), ("3.7", "⌊3.7⌋", 0),
]  # fmt: skip


def test_a_formula_is_read_to_its_end():
    grader = Grader.of("math@2", "whole_text@2", {})  # at once: the engine starts slowly
    got = grader.verdicts([(Item("i", answer=gold), reply) for gold, reply, _ in FORMULAS])
    pairs = zip(FORMULAS, got, strict=True)
    assert [(case, one.score, one.detail) for case, one in pairs if not holds(one, case[2])] == []


RANGES: list[Case] = [
    ("(-inf,0) U (0,inf)", "x ≠ 0", 1), ("(-inf,0)U(0,inf)", "x != 0", 1),
    ("(0,1)", "1 > x > 0", 1),
    ("[0,1)", "1 > x >= 0", 1), ("[1,inf)", "1 ≤ x", 1), ("(-inf,3]", "3 >= x", 1),
    ("(-inf,3]", "3 > x", 0), ("[1,2]", "1 <= x >= 2", "not_an_interval"),
]  # fmt: skip


@pytest.mark.parametrize(("gold", "reply", "right"), RANGES)
def test_an_inequality_may_be_read_from_either_side(gold: str, reply: str, right: float | str):
    assert holds(verdict("interval@2", "whole_text@2", gold, reply), right)


CHOSEN = [
    "Answer\u200b: B", "Answer: \u200bB", "Answer: 𝐁", "Cevap: B", "Đáp án: B", "उत्तर: B",
    "الجواب: B", "| Answer | B |", "| **Answer** | **B** |", "So it's B.", "Thus, B.", "I'd say B",
    "It is (B).", "Correct: B", "Selected: **B**", "Answer choice B", "Ans. B", r"\text{B}",
    "B is the answer", "(B) is the final answer.", "A, C and D fail, so **B**",
]  # fmt: skip
UNCHOSEN = [
    "B is correct: C fails", "It is A or B", "So is B better?", "Is B the answer?",
    "That is correct. B fails", "It is Boyle's law", "B is the answer that most people give",
]  # fmt: skip


@pytest.mark.parametrize("reply", CHOSEN)
def test_a_letter_is_found_in_more_words(reply: str):
    got = verdict("choice@2", "choice_letter@2", "B", reply, labels="ABCD")
    assert (got.score, got.extracted) == (1.0, "B")


@pytest.mark.parametrize("reply", UNCHOSEN)
def test_no_other_letter_is_taken(reply: str):
    got = verdict("choice@2", "choice_letter@2", "C", reply, labels="ABCD")
    assert got.extracted in (None, "B")
    assert got.score != 1.0


ADD = "def add(a, b):\n    return a + b"
INDENTED = ADD.replace("\n", "\n   ")


@pytest.mark.parametrize(
    "reply",
    [
        f"1. So:\n   ```python\n   {INDENTED}\n   ```",
        "> ```python\n> " + ADD.replace("\n", "\n> ") + "\n> ```",
        f"<code>\n{ADD}\n</code>",
        f"<pre><code class='python'>{ADD}</code></pre>",
        f"[PYTHON]\n{ADD}\n[/PYTHON]",
        f"[BEGIN]\n{ADD}\n[DONE]",
        f"\ufeff```python\n{ADD}\n```",
        f"```python\u200b\n{ADD}\n```",
        f"<|im_start|>```python\n{ADD}\n```<|im_end|>",
        f"{ADD}\n</s>",
    ],
)
def test_a_program_is_found_in_other_frames(reply: str):
    assert CodeBlock().extract(reply, Item("i", entry_point="add")).answer == ADD
