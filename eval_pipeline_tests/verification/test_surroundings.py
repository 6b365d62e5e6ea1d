"""A verdict rests on the answer: what stands around it changes nothing, and adding never pays."""

from dataclasses import dataclass, field
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from eval_pipeline.reply_text import spoken
from eval_pipeline.verification.scoring import Grader
from eval_pipeline.verification.verdict import Item, Verdict
from eval_pipeline_tests.verification.surroundings import PROSE, SURROUNDINGS

STONES = ("granite", "marble", "slate", "basalt")


@dataclass(frozen=True)
class Said:
    """An item and how replies give its right and a wrong answer."""

    verifier: str
    extraction: str
    answer: str
    right: str
    wrong: str
    options: dict[str, Any] = field(default_factory=dict)
    choices: tuple[str, ...] | None = None

    def judged(self, replies: list[str]) -> list[Verdict]:
        grader = Grader.of(self.verifier, self.extraction, self.options)
        item = Item("i", "", self.answer, self.choices)
        return grader.verdicts([(item, spoken(reply).text) for reply in replies])


GSM8K = {"pattern": "gsm8k"}
FIELD = {"field": "answer"}
SAID = {
    "a number": Said("numeric@2", "last_number@2", "42", "There are 42.", "There are 41."),
    "a negative number": Said("numeric@2", "last_number@2", "-17", "It is -17.", "It is 17."),
    "a number with its unit": Said("numeric@2", "last_number@2", "7 kg", "7 kg", "7 g"),
    "a bold number": Said("numeric@2", "last_number@2", "42", "**42**", "**-42**"),
    "a marked line": Said("numeric@2", "answer_line@2", "42", "#### 42", "#### 41", GSM8K),
    "a field": Said("numeric@2", "json_field@2", "4", '{"answer": 4}', '{"answer": 5}', FIELD),
    "a formula": Said("math@2", "boxed@2", "p-4", r"$\boxed{p - 4}$", r"$\boxed{p + 4}$"),
    "a boxed number": Said("math@2", "boxed@2", "4", r"\[\boxed{4}\]", r"\[\boxed{k + 4}\]"),
    "a tuple": Said("math@2", "boxed@2", "(1,2)", r"$\boxed{(1, 2)}$", r"$\boxed{(2, 1)}$"),
    **{
        f"option {letter}": Said(
            "choice@2",
            "choice_letter@2",
            letter,
            f"Answer: {letter}",
            f"Answer: {wrong}",
            {},
            STONES,
        )
        for letter, wrong in zip("ABCD", "BCDA", strict=True)
    },
    "a bare letter": Said("choice@2", "choice_letter@2", "A", "(A)", "(C)", {}, STONES),
}


@pytest.mark.parametrize("name", SAID)
def test_a_frame_keeps_the_verdict(name: str):
    case = SAID[name]
    for reply, score in ((case.right, 1.0), (case.wrong, 0.0)):
        verdicts = case.judged([frame(reply) for frame in SURROUNDINGS.values()])
        off = {
            frame: (verdict.status, verdict.score, verdict.extracted)
            for frame, verdict in zip(SURROUNDINGS, verdicts, strict=True)
            if verdict.score != score
        }
        assert not off


WORDS = sorted({word for pair in PROSE.values() for text in pair for word in text.split()})
MARKS = ("...", "\n", "**", "?", "!", "(", ")", "=>", "~", "`", "\n\n", "</s>", "…", "、", ":")


@given(st.data())
def test_adding_text_never_pays(data: st.DataObject):
    case = SAID[data.draw(st.sampled_from(sorted(SAID)))]
    added = [data.draw(st.lists(st.sampled_from([*WORDS, *MARKS]), max_size=8)) for _ in range(2)]
    before, after = (" ".join(words) for words in added)
    plain, framed = case.judged([case.wrong, f"{before} {case.wrong} {after}"])
    assert (framed.score or 0.0) <= (plain.score or 0.0)
