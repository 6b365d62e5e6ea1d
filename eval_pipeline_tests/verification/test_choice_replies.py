"""What holds of every reply: its option is found, whichever its letter and whatever is round it."""

import random
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from eval_pipeline.verification.choices.choice import Choice, ChoiceLetter
from eval_pipeline.verification.verdict import Item
from eval_pipeline_tests.verification import test_dressed_cases, test_sibling_cases
from eval_pipeline_tests.verification.choice_replies import CASES, LETTERS, Case
from eval_pipeline_tests.verification.frames import FRAMES

READER = ChoiceLetter()
OTHERS = [
    Case(reply, ("red", "green", "blue", "black"), ())
    for reply in (
        *test_sibling_cases.CHOSEN,
        *test_sibling_cases.UNCHOSEN,
        *test_dressed_cases.CHOSEN,
        *test_dressed_cases.UNCHOSEN,
    )
]


def read(case: Case) -> tuple[str | None, str | None]:
    found = READER.extract(case.reply, case.item)
    return found.answer, found.detail


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.reply[:50])
def test_the_option_is_found_or_none(case: Case):
    assert read(case)[0] in case.right


@pytest.mark.parametrize("case", CASES + OTHERS, ids=lambda case: case.reply[:50])
def test_no_letter_is_read_in_another_way_than_the_rest(case: Case):
    whole = case.relabelled(dict(zip(LETTERS, LETTERS, strict=True)))
    if whole is None:
        return
    label, detail = read(whole)
    for seed in range(8):
        letters = random.Random(seed).sample(LETTERS, len(LETTERS))
        labels = dict(zip(LETTERS, letters, strict=True))
        other = case.relabelled(labels)
        assert other is not None
        assert read(other) == (label and labels[label], detail), other.reply


def test_most_cases_can_be_relabelled():
    same = dict(zip(LETTERS, LETTERS, strict=True))
    assert sum(case.relabelled(same) is not None for case in CASES + OTHERS) > 500


@given(st.sampled_from(CASES), st.permutations(LETTERS))
def test_a_verdict_moves_with_its_key(case: Case, letters: list[str]):
    labels = dict(zip(LETTERS, letters, strict=True))
    other = case.relabelled(labels)
    whole = case.relabelled(dict(zip(LETTERS, LETTERS, strict=True)))
    if other is None or whole is None:
        return
    key = case.right[0] or "A"
    verdicts = []
    for one, answer in ((whole, key), (other, labels[key])):
        found = READER.extract(one.reply, one.item)
        item = Item("i", answer=answer, options=one.options)
        verdicts.append(found.answer and Choice().verify(item, found.answer).score)
    assert verdicts[0] == verdicts[1]


# within its frame it is another text: a turn, a list, a first point
UNFRAMED = ("<|im_start|>user", "- ", "> ", "b)")


@pytest.mark.parametrize("frame", FRAMES)
def test_a_frame_changes_nothing(frame: str):
    assert len(FRAMES) >= 40
    for case in CASES[FRAMES.index(frame) % 5 :: 5]:
        if not any(sign in case.reply for sign in UNFRAMED):
            framed = Case(frame.replace("{}", case.reply), case.options, case.right)
            may_be_lost = {None} & set(case.right)
            assert read(framed)[0] in {read(case)[0], *may_be_lost}, framed.reply


@settings(max_examples=300)
@given(st.sampled_from(CASES), st.sampled_from(FRAMES), st.sampled_from(FRAMES))
def test_two_frames_name_no_other_option(case: Case, inner: str, outer: str):
    framed = Case(outer.replace("{}", inner.replace("{}", case.reply)), case.options, case.right)
    assert read(framed)[0] in (read(case)[0], None)


CLAIMS = [
    "Answer: B",
    "The answer is B.",
    "B",
    "(B) marble",
    "b) marble",
    "marble",
    "**B**",
    "答案：B",
]
REMARKS = [
    "Slate splits easily.", "C) slate splits.", "Option C is softer.", "I like slate.",
    "A, C and D are other rocks.", "It is not C.", "C is wrong.", "Could it be C?", "Nicht C.",
    "Some would say C.", "If it were hard, the answer would be C.", "Slate (C) is a rock too.",
    "Why not C?", "The answer is not C.", "Compare C and D.", "Is it C? No.", "C不对。", "</s>",
    "The next option is C.", "Wait, C splits.", "No, C splits.", "C?", "C est une roche.",
    "- C) slate: splits", "A) granite\nB) marble",
]  # fmt: skip
ALONE = ["C", "C) slate", "slate", "(C)", "**C**", "c)"]  # would be answers, were they the last


@given(
    st.sampled_from(CLAIMS),
    st.lists(st.sampled_from(REMARKS + ALONE), max_size=4),
    st.lists(st.sampled_from(REMARKS), max_size=4),
    st.sampled_from(["\n", "\n\n"]),
)
@settings(max_examples=600)
def test_no_remark_makes_a_wrong_answer_right(
    claim: str, before: list[str], after: list[str], joint: str
):
    reply = joint.join([*before, claim, *after])
    assert read(Case(reply, ("granite", "marble", "slate", "basalt"), ()))[0] != "C", reply


HOSTILE = [
    "answer is ", "answer: A ", "答", "选", "B ", "B) marble\n", "A. ", "(", "*", "\n", "wait, ",
    "answer is B, ", "B is right. ", "no, ", "wait no C. ", "->", "so ", "it is B. ", "marble ",
    "A and ", "'", "<s>", "~~", "~~a~~", "\\boxed{", "\\boxed{B} ", "I choose ", "> ", "b)",
    "Q: B\n", "not ", "if the answer is B ", "B\n\n", "A.I. ", "B is wrong. ", "scratch that B ",
    "A->", "option A is correct ", "answer to a b c ", "<b>", "[", "。",
]  # fmt: skip


@pytest.mark.parametrize("part", HOSTILE)
def test_a_hostile_reply_costs_no_more_than_its_length(part: str):
    begin = "Answer: B. " if HOSTILE.index(part) % 2 else ""
    seconds = []
    for length in (20_000, 200_000):
        started = time.process_time()
        READER.extract(begin + part * (length // len(part)), CASES[0].item)
        seconds.append(time.process_time() - started)
    assert seconds[1] < 25 * max(seconds[0], 0.02)
