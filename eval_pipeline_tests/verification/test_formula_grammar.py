"""f against f is 1 and f against a mutant never, over a grammar whose truth is known by values."""

import random
from fractions import Fraction

import mpmath
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from eval_pipeline.verification.formulas.equality import settled
from eval_pipeline.verification.formulas.evaluation import NoValueError, points, value_at
from eval_pipeline.verification.formulas.reader import read_term
from eval_pipeline.verification.formulas.terms import symbols
from eval_pipeline.verification.formulas.tokens import tokens
from eval_pipeline.verification.scoring import Grader
from eval_pipeline.verification.verdict import Item
from eval_pipeline_tests.verification import formula_grammar as grammar
from eval_pipeline_tests.verification import formula_spelling as spelling

pytest.importorskip("sympy", reason="the extra `math` is not installed")


def verdicts(pairs: list[tuple[str, str]]) -> list[float | None]:
    grader = Grader.of("math@2", "whole_text@2", {})
    items = [(Item("i", answer=reference), reply) for reference, reply in pairs]
    grader.check([item for item, _ in items])
    return [verdict.score for verdict in grader.verdicts(items, 2)]


@pytest.mark.parametrize("seed", [11, 12])
def test_a_formula_is_itself_and_none_of_its_mutants(seed: int):
    equal, wrong = [], []
    for _, reference, others, mutants in spelling.cases(100, seed, 5):
        equal += [(reference, other) for other in others]
        wrong += [(reference, text) for _, text in mutants]
    lost = [pair for pair, score in zip(equal, verdicts(equal), strict=True) if score == 0]
    passed = [pair for pair, score in zip(wrong, verdicts(wrong), strict=True) if score == 1]
    assert (passed, lost) == ([], [])
    assert verdicts(equal).count(1.0) > 0.98 * len(equal)


@given(st.integers(0, 2**32))
@settings(max_examples=60, deadline=None)
def test_values_agree_with_those_of_many_digits(seed: int):
    rng = random.Random(seed)
    tree = grammar.tree(rng, 3, "xyk")
    term = read_term(tokens(spelling.spread(spelling.latex(tree), "")))[0]
    for at in points(sorted(symbols(term)))[:6]:
        try:
            ball = value_at(term, at)
        except NoValueError:
            continue
        exact = grammar.value(tree, {name: mpmath.mpf(x) for name, x in at.items()})
        if exact is not None:
            assert abs(ball.value - exact) <= 10 * ball.error + 1e-30


@given(st.integers(0, 2**32), st.integers(0, 2**32))
@settings(max_examples=60, deadline=None)
def test_normal_forms_never_contradict_values(seed: int, other: int):
    rng, names = random.Random(seed), "xk"
    one, two = grammar.tree(rng, 2, names), grammar.tree(random.Random(other), 2, names)
    texts = [spelling.spread(spelling.latex(tree), "") for tree in (one, two)]
    terms = [read_term(tokens(text))[0] for text in texts]
    if settled(*terms):
        assert not grammar.differs(*(grammar.Statement("term", (t,)) for t in (one, two)))


@given(st.fractions(-50, 50, max_denominator=50), st.fractions(-50, 50, max_denominator=50))
@settings(max_examples=60, deadline=None)
def test_an_equation_is_its_multiples(slope: Fraction, factor: Fraction):
    if not factor or not slope:
        return
    line = f"y = {slope}*x + 1"
    moved = f"({factor})*y - ({factor * slope})*x = {factor}"
    wrong = f"({factor})*y - ({factor * slope})*x = -({factor})"
    assert verdicts([(line, moved), (line, wrong)]) == [1.0, 0.0]
