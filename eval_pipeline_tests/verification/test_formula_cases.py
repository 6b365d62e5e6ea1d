"""math@2 on whole kinds of answers: each case with its siblings, in both directions."""

import pytest

from eval_pipeline.verification.scoring import Grader
from eval_pipeline.verification.verdict import Item, Verdict
from eval_pipeline_tests.verification.formula_cases import CASES, UNTOLD

pytest.importorskip("sympy", reason="the extra `math` is not installed")


def said(verdict: Verdict) -> int | str:
    return UNTOLD if verdict.score is None else int(verdict.score)


@pytest.mark.parametrize("kind", CASES)
def test_a_careful_reader_says_the_same(kind: str):
    grader = Grader.of("math@2", "boxed@2", {})
    items = [Item(str(i), answer=reference) for i, (reference, _, _) in enumerate(CASES[kind])]
    grader.check(items)
    replies = [rf"So $\boxed{{{reply}}}$." for _, reply, _ in CASES[kind]]
    got = grader.verdicts(list(zip(items, replies, strict=True)))
    wrong = []
    for (reference, reply, right), verdict in zip(CASES[kind], got, strict=True):
        allowed = right if isinstance(right, tuple) else (right,)
        if said(verdict) not in allowed:
            wrong.append((reference, reply, right, said(verdict), verdict.explanation))
    assert wrong == []


@pytest.mark.parametrize("kind", CASES)
def test_what_is_not_judged_says_why(kind: str):
    grader = Grader.of("math@2", "whole_text@2", {})
    pairs = [(Item("i", answer=reference), reply) for reference, reply, _ in CASES[kind]]
    for verdict in grader.verdicts(pairs):
        assert (verdict.status == "undecided") == (verdict.score is None)
        assert verdict.score is not None or (verdict.detail and verdict.explanation)
