"""The search against its definition, and what it must not depend on."""

from dataclasses import replace
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from eval_pipeline.contamination.index.entries import FieldEntry, entries_of, is_short
from eval_pipeline.contamination.index.masks import masked_entries
from eval_pipeline.contamination.rule import FieldMatch
from eval_pipeline.contamination.search.reference import Scanner
from eval_pipeline.contamination.text.fields import Field
from eval_pipeline_tests.contamination.search import naive

WORDS = st.lists(st.sampled_from("abc"), min_size=0, max_size=30)


def entries(*texts: str, name: str = "question") -> list[FieldEntry]:
    return entries_of([Field(f"i{n}", name, text) for n, text in enumerate(texts)])


@settings(max_examples=200)
@given(st.lists(WORDS, min_size=1, max_size=4), WORDS)
def test_scores_are_those_of_the_definition(items: list[list[str]], document: list[str]):
    made = [e for e in entries(*map(" ".join, items)) if not is_short(e)]
    found = {o.entry.field.item_id: alone(o.match) for o in Scanner(made).scan(" ".join(document))}
    for entry in made:
        assert found.get(entry.field.item_id) == naive.match(entry, document)


def alone(match: FieldMatch) -> FieldMatch:
    """The evidence without what surrounds the match, which has tests of its own."""
    return replace(match, other_numbers=0, whole_ratio=0.0)


@settings(max_examples=100)
@given(st.lists(WORDS, min_size=6, max_size=9), WORDS)
def test_masked_ngrams_count_nowhere(items: list[list[str]], document: list[str]):
    made = [e for e in masked_entries(entries(*map(" ".join, items))) if not is_short(e)]
    found = {o.entry.field.item_id: alone(o.match) for o in Scanner(made).scan(" ".join(document))}
    for entry in made:
        assert found.get(entry.field.item_id) == naive.match(entry, document)


@given(WORDS, WORDS)
def test_a_short_field_is_found_whole_or_not_at_all(item: list[str], document: list[str]):
    (entry,) = entries(" ".join(item))
    found = [o.match.match_type for o in Scanner([entry]).scan(" ".join(document))]
    if is_short(entry) and len(item) >= 3:
        assert found == (["short_exact"] if naive.whole(entry, document) else [])
    elif is_short(entry):
        assert found == []


def test_a_short_field_keeps_its_word_boundaries():
    scanner = Scanner(entries("Capital of France?"))
    assert [o.match.match_type for o in scanner.scan("... capital OF france: Paris")] == [
        "short_exact"
    ]
    assert scanner.scan("capital of francefurt") == []
    assert scanner.scan("capital of southern France") == []


def test_scattered_hits_fill_no_window():
    item = "a1 a2 a3 a4 a5 a6 a7 a8 a9 a10 a11 a12"
    gap = " " + "x " * 40
    (near,) = Scanner(entries(item)).scan("a1 a2 a3 a4 a5 y a7 a8 a9 a10 a11")
    (far,) = Scanner(entries(item)).scan("a1 a2 a3 a4 a5" + gap + "a7 a8 a9 a10 a11")
    assert near.match.ratio == far.match.ratio == 2 / 8
    assert (near.match.window_ratio, far.match.window_ratio) == (2 / 8, 1 / 8)
    assert (near.match.longest_span, far.match.longest_span) == (5, 5)
    assert (far.start, far.end) == (0, 5)


QUESTION = "How many apples does Ann have after she buys four more and eats two of them?"


def with_answer(answer: str) -> Scanner:
    return Scanner(entries_of([Field("i", "question", QUESTION), Field("i", "answer", answer)]))


@pytest.mark.parametrize(
    ("document", "answer", "found"),
    [
        (f"{QUESTION} Answer: 42", "42", True),
        (f"42 is the answer to: {QUESTION}", "42", True),
        (f"{QUESTION} {'x ' * 60} 42", "42", False),
        (f"{QUESTION} 142 or 4 2", "42", False),
        ("the answer is 42 and 42 it is", "42", False),
        (f"{QUESTION} x", "four", False),
        (f"{QUESTION} the old mill", "The old mill!", True),
        ("we met at the old mill", "The old mill!", False),
    ],
)
def test_a_short_answer_counts_only_beside_its_question(document, answer, found):
    types = {o.entry.field.name: o.match.match_type for o in with_answer(answer).scan(document)}
    assert types.get("answer") == ("short_exact" if found else None)


def test_a_long_answer_counts_alone():
    answer = "She buys four, so she has nine, then eats two and seven are left over."
    assert [o.match.match_type for o in with_answer(answer).scan(answer)] == ["exact"]


def test_order_of_entries_changes_nothing():
    texts = [" ".join(Random(n).choices("abcdef", k=20)) for n in range(8)]
    made = entries(*texts)
    document = " ".join(texts[3:6])
    first = Scanner(made).scan(document)
    assert first
    assert Scanner(made[::-1]).scan(document) == first


def test_code_is_compared_as_code():
    code = "def add(a, b):\n    total = a + b\n    return total"
    scanner = Scanner(entries(code, name="canonical_solution"))
    (same,) = scanner.scan("def add(a,b):\n\ttotal=a+b\n\treturn total")
    assert same.match.match_type == "exact"
    (other,) = scanner.scan(code.replace("+", "-"))
    assert other.match.match_type == "ngram"
