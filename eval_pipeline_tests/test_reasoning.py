"""Reasoning is cut from a reply in every usual spelling, and nothing else is."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from eval_pipeline.reply_text import Spoken, spoken

BLOCKS = [
    ("<think>", "</think>"),
    ("<THINK>", "</Think>"),
    ("<think>", "</thinking>"),
    ('<thinking duration="3">', "</thinking>"),
    ("<thought>", "</thought>"),
    ("<reasoning>", "</reasoning>"),
    ("<reflection>", "</reflection>"),
    ("<scratchpad>", "</scratchpad>"),
    ("<inner_monologue>", "</inner_monologue>"),
    ("<seed:think>", "</seed:think>"),
    ("<analysis>", "</analysis>"),
    ("&lt;think&gt;", "&lt;/think&gt;"),
    ("[THINK]", "[/THINK]"),
    ("◁think▷", "◁/think▷"),
    ("<|begin_of_thought|>", "<|end_of_thought|>"),
    ("<|START_THINKING|>", "<|END_THINKING|>"),
    ("<|channel>thought\n", "<channel|>"),
    (
        "<|channel|>analysis<|message|>",
        "<|end|><|start|>assistant<|channel|>final<|message|>",
    ),
    ("analysis", "assistantfinal"),
    ("Here is my thought process:", "Here is my response:"),
]
TAGS = BLOCKS[:-3]
STRONG = [block for block in TAGS if "analysis" not in block[0]]


@pytest.mark.parametrize(("opening", "closing"), BLOCKS)
@pytest.mark.parametrize("thought", ["\nAnswer: A\n", "A, or ```py\nx", "", "5 < 6 [so] B"])
@pytest.mark.parametrize("answer", ["C", "The answer is **C**.", "```python\nx = 1\n```"])
def test_a_leading_block_is_reasoning(opening: str, closing: str, thought: str, answer: str):
    for gap in ("", "\n\n"):
        found = spoken(f"{gap}{opening}{thought}{closing}{gap}{answer}")
        assert found == Spoken(answer, thought.strip())


@pytest.mark.parametrize(("opening", "closing"), STRONG)
def test_a_block_that_never_ends_leaves_no_answer(opening: str, closing: str):
    assert spoken(f"{opening}Answer: A") == Spoken("", "Answer: A", is_closed=False)
    assert spoken(f"Let me see.\n{opening}\nAnswer: A").text == ""
    assert spoken(f"{opening}{closing}").text == ""


@pytest.mark.parametrize(("opening", "closing"), STRONG)
def test_what_stands_before_a_lone_end_is_reasoning(opening: str, closing: str):
    assert spoken(f"Answer: A? no.{closing}\nC") == Spoken("C", "Answer: A? no.")
    assert spoken(f"It is A. {closing} C").text == "C"
    assert spoken(f"{closing}\nC") == Spoken("C", "")
    assert spoken(f"{opening}A{closing} or B{closing}C") == Spoken("C", "A\n\nor B")


@pytest.mark.parametrize(("opening", "closing"), STRONG)
def test_several_blocks_are_cut_each(opening: str, closing: str):
    block = f"{opening}A{closing}"
    assert spoken(f"{block}\n{block}\nC") == Spoken("C", "A\n\nA")
    assert spoken(f"Sure.\n{block}\nC") == Spoken("Sure.\n\nC", "A")
    assert spoken(f"Sure. {block} C").text == "Sure.  C"
    assert spoken(f"{block}It is {block}C").text == "It is C"
    assert spoken(f"{block}C\n{closing}\n").text.strip() == "C"  # an end said again


@pytest.mark.parametrize(
    "reply",
    [
        "The tag <think> opens",
        "The tag </think> ends it.\nAnswer: B",
        "I forgot the </think> tag. Answer: B",
        "Reasoning stands between `<think>` and `</think>`. Answer: B",
        'It says "</think>" at the end. B',
        "Put it in <think>...</think> and answer",
        "The tags <think> and </think> mark it.\nAnswer: B",
        "Write:\n```html\n<think>\nx\n</think>\n```\nAnswer: B",
        "<thinker>A</thinker> B",
        "def f(t):\n    return t.split('</think>\\n')[-1]",
        'def f(t):\n    return t[t.find("\\n</think>") :]',
        'x = re.sub(r"<think>.*?</think>", "", text)',
        "<no_think>\nB",
        "<think/>B",
        "where a < think and b > [1]",
        "<analysis>Answer: A</analysis>",
        "<analysis>Answer: A",
        "analysis of variance: A",
        "an aside <|channel|> B",
        "Here is my thought process: 2 + 2. Answer: 4",
    ],
)
def test_a_tag_that_is_written_about_is_text(reply: str):
    assert spoken(reply) == Spoken(reply)


def test_a_tag_within_reasoning_does_not_end_it():
    reply = '<think>I close with "</think>" and `</think>`. A\n```\n</think>\n```\n</think>C'
    assert spoken(reply).text == "C"
    nested = "<thinking>A<reflection>B</reflection>A</thinking>C"
    assert spoken(nested) == Spoken("C", "A<reflection>B</reflection>A")
    assert spoken('<think>"B"</think>"B"') == Spoken('"B"', '"B"')
    assert spoken("I don't know. It's A? no.</think>That's C").text == "That's C"
    assert spoken("<think>It's 'A', isn't it</think>It's C").text == "It's C"


def test_only_the_last_final_channel_is_spoken():
    end = "<|end|><|start|>assistant<|channel|>"
    reply = f"<|channel|>analysis<|message|>A{end}commentary<|message|>B"
    assert spoken(reply) == Spoken("", "AB", is_closed=False)
    whole = f"{reply}{end}final <|constrain|>json<|message|>C<|return|>"
    assert spoken(whole) == Spoken("C", "AB")
    assert spoken("A<|end|><|start|>assistant<|channel|>final<|message|>C").text == "C"


@pytest.mark.parametrize("word", ["Tags: a, b", "tags: a", "Elements are 5", "Markers, C"])
def test_words_after_the_end_are_text(word: str):
    assert spoken(f"<think>A</think>\n{word}").text == word
    assert spoken(f"I count the tags\n</think>\n{word}").text == word
    assert spoken(f"<think>so I use the tag </think>{word}").text == word


def test_a_block_round_all_that_is_said_is_taken_away():
    assert spoken("<thinking>A</thinking>\n<output>\nC\n</output>") == Spoken("C", "A")
    assert spoken("<output>C</output>") == Spoken("<output>C</output>")


def test_tokens_round_the_answer_are_taken_away():
    around = "<|begin_of_solution|>C<|end_of_solution|>"
    assert spoken(f"<|begin_of_thought|>A<|end_of_thought|>\n{around}").text == "C"


@given(st.text(st.characters(exclude_characters="<[&◁"), max_size=60))
def test_text_without_a_tag_is_left_as_it_is(text: str):
    if "analysis" not in text and "Here is my" not in text:
        assert spoken(text) == Spoken(text)


@given(st.lists(st.sampled_from(["<think>", "</think>", "`", "```\n", "\n", "A. ", " tag "])))
def test_no_letter_is_invented_or_said_twice(parts: list[str]):
    reply = "".join(parts)
    found = spoken(reply)
    assert found.is_closed or found.text == ""
    assert found.text.count("A") + (found.reasoning or "").count("A") == reply.count("A")


@pytest.mark.parametrize(
    "piece",
    [
        "<think>", "</think>", "<think></think>", "a <think> ", "`<think>` ", "<", "< ", "<think ",
        "[/", "&lt;", "<|", "<|channel|>", "<|channel|>final", "```\n<think>",
        "<think>```\n</think>\n```\n", "analysis", "assistant", "\n", " ",
    ],
)  # fmt: skip
def test_a_hostile_reply_costs_no_more_than_its_length(piece: str):
    reply = (piece * (200_000 // len(piece)))[:200_000] + "<think>"
    began = time.process_time()
    spoken(reply)
    assert time.process_time() - began < 2
