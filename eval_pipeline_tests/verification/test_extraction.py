"""Extractions: the answer that stands there, or none with the reason."""

import textwrap
import time

import pytest

from eval_pipeline.verification.code.code_block import CodeBlock
from eval_pipeline.verification.extractions import extraction, json_field, marker
from eval_pipeline.verification.extractions.extraction import AnswerLine, WholeText
from eval_pipeline.verification.extractions.json_field import JsonField
from eval_pipeline.verification.extractions.marker import Marker
from eval_pipeline.verification.numbers.last_number import LastNumber
from eval_pipeline.verification.verdict import Found, Item

ITEM = Item("i", entry_point="add")
GSM8K = AnswerLine(pattern="gsm8k")


@pytest.mark.parametrize(
    "extraction", [WholeText(), GSM8K, LastNumber(), CodeBlock()], ids=lambda e: type(e).__name__
)
@pytest.mark.parametrize("reply", ["", " \n\t "])
def test_an_empty_reply_holds_no_answer(extraction, reply: str):
    assert extraction.extract(reply, ITEM) == Found(None, "empty")


@pytest.mark.parametrize(
    ("reply", "answer"),
    [
        ("so 9 * 2 = 18\nA: 18", "18"),
        ("so 18\n#### $29.00", "$29.00"),
        ("Answer: #### 9", "9"),
        ("A: 1,000 \nmore", "1,000"),
        ("BA: 5", None),
        ("no marker 5", None),
        ("A:", None),
        ("#### 7\n#### 9", "9"),
        ("#### Step 1\n#### 27", "27"),
        ("#### 27\n#### Done", "27"),
        ("####\n27", "27"),
        ("####\n#### 27 ####", "27"),
        ("####\n\nDone", None),
        ("##### 5\n#### The answer is 27", "27"),
    ],
)
def test_the_answer_line_is_found(reply: str, answer: str | None):
    assert GSM8K.extract(reply, ITEM).answer == answer


@pytest.mark.parametrize(
    ("module", "made", "reply"),
    [
        (extraction, WholeText(), "{}"),
        (extraction, GSM8K, "#### {}"),
        (extraction, AnswerLine(pattern=r"^(\d+.*)$"), "so\n{}"),
        (marker, Marker(), "The answer is {}"),
        (marker, AnswerLine(pattern="final_answer"), "The answer is {}"),
        (json_field, JsonField(), '{{"answer": {}'),
    ],
)
def test_tokens_that_end_a_turn_are_no_text(monkeypatch, module, made, reply: str):
    monkeypatch.setattr(module, "without_turn_tokens", lambda text: text.replace("<end>", ""))
    found = made.extract(reply.format("18<end>") + "<end>", ITEM)
    assert found == made.extract(reply.format("18"), ITEM)


def test_a_hostile_reply_of_lines_costs_no_more_than_its_length():
    for piece in ("#### ", "A:", "A: 5\n", "####5", "\n"):
        reply = (piece * (200_000 // len(piece) + 1))[:200_000]
        began = time.process_time()
        GSM8K.extract(reply, ITEM)
        assert time.process_time() - began < 2


def test_a_question_of_the_models_own_ends_the_reply():
    reply = "#### 7\n\nQuestion: Ann has 4 pens...\n#### 9"
    for occurrence in ("first", "last"):
        extraction = AnswerLine(pattern="gsm8k", occurrence=occurrence)
        assert extraction.extract(reply, ITEM) == Found("7", "truncated_runon")
    last = AnswerLine(pattern="gsm8k", occurrence="last")
    assert last.extract("A: 5\nNo, wait.\nA: 6", ITEM) == Found("6")
    assert LastNumber(stop=("Q:",)).extract("It is 7.\nQ: 9?", ITEM) == Found(
        "7", "truncated_runon"
    )


def test_a_question_said_again_before_the_answer_is_no_end():
    assert GSM8K.extract("Well.\nQuestion: 4 pens?\n#### 4", ITEM) == Found("4")


def test_a_pattern_needs_no_group():
    assert AnswerLine(pattern=r"\d+").extract("The answer is 42", ITEM).answer == "42"


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({}, "gsm8k"),
        ({"pattern": "("}, "no regular expression"),
        ({"pattern": r"(a)(b)"}, r"write the others as \(\?:"),
        ({"pattern": "a", "occurrence": "second"}, "first or last"),
        ({"pattern": "a", "stop": "Q:"}, "list of words"),
    ],
)
def test_a_bad_declaration_is_refused_before_any_reply(options, message: str):
    with pytest.raises(ValueError, match=message):
        AnswerLine(**options)


@pytest.mark.parametrize(
    ("reply", "found"),
    [
        ("so the profit is $70,000.", Found("$70,000")),
        ("It is 5 ... so we are done...", Found("5")),
        ("it is 3, or 1.234,5", Found(None, "ambiguous_number")),
        ("none at all", Found(None, "no_number")),
        ("from 9 to −4", Found("-4")),
        ("The total is 10 000.", Found(None, "ambiguous_number")),
        ("the area is 5 cm^2", Found("5 cm^2")),
    ],
)
def test_the_last_number_is_whole_or_nothing(reply: str, found: Found):
    assert LastNumber(thousands=",").extract(reply, ITEM) == found


CODE = "def add(a, b):\n    return a + b"


@pytest.mark.parametrize(
    "reply",
    [
        CODE,
        f"{CODE}\n```",
        f"```python\n{CODE}\n```",
        f"```\n{CODE}\n```\nIt adds.",
        f"Sure:\n```py\n{CODE}\n",
        f"```python\nimport os\n```\nand\n```python\n{CODE}\n```",
        f"```bash\nls\n```\n~~~python3\n{CODE}\n~~~",
        f"```python title=x\r\n{CODE}\r\n```",
    ],
)
def test_a_program_is_taken_out_of_its_fences(reply: str):
    assert CodeBlock().extract(reply, ITEM).answer == CODE


def test_a_body_keeps_its_indentation():
    assert CodeBlock().extract("    return a + b\n```", ITEM).answer == "    return a + b"


def test_a_fence_of_another_language_is_no_program():
    assert CodeBlock().extract("```bash\nls\n```", ITEM) == Found(None, "no_code")
    assert CodeBlock().extract("```\n```", ITEM) == Found(None, "no_code")


@pytest.mark.parametrize(
    ("reply", "code"),
    [
        (f"Here it is:\n\n{CODE}", CODE),
        (f"1. Write\n    ```python\n{textwrap.indent(CODE, '    ')}\n    ```\n2. Run it.", CODE),
        (f"```{{.python}}\n{CODE}\n```", CODE),
        (f'{CODE}\n\ndef text():\n    return """\n    ```\n    x\n    ```\n    """', None),
        ("def add(a, b)\n    return a + b", None),  # broken, and shown as it is
        ("print(7)", None),
        ("I'd use the + operator.\nNote: it adds.", ""),
        ("I cannot help with that.", ""),
    ],
)
def test_a_program_without_a_fence_at_the_margin(reply: str, code: str | None):
    found = CodeBlock().extract(reply, ITEM)
    assert found.answer == ((reply if code is None else code) or None)
    assert found.detail == ("no_code" if code == "" else None)
