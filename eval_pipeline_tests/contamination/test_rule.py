"""Rule F at its edges, and the one status of each field."""

import pytest

from eval_pipeline.contamination.index.entries import FieldEntry, entries_of
from eval_pipeline.contamination.rule import FieldMatch, judged
from eval_pipeline.contamination.text.fields import Field
from eval_pipeline.contamination.verdict.fields import verdict
from eval_pipeline.contamination.verdict.items import item_status

LONG = "one two three four five six seven eight nine ten eleven twelve"


def seen(hits: int, ratio: float, window: float, span: int, kind: str = "ngram") -> FieldMatch:
    return FieldMatch(kind, hits, ratio, window, span)


@pytest.mark.parametrize(
    ("match", "expected"),
    [
        (seen(4, 0.3, 0.3, 8), "contaminated"),
        (seen(3, 0.9, 0.9, 7), None),
        (seen(4, 0.3, 0.29, 8), "review"),
        (seen(4, 0.15, 0.15, 8), "review"),
        (seen(4, 0.149, 0.149, 8), None),
        (seen(4, 0.01, 0.01, 20), "contaminated"),
        (seen(3, 0.01, 0.01, 50), None),  # one word again and again is a long run too
        (seen(15, 0.14, 0.1, 19), None),
        (seen(0, 1.0, 1.0, 9, "exact"), "contaminated"),
        (seen(1, 1.0, 1.0, 1, "canary"), "contaminated"),
        (seen(1, 1.0, 1.0, 3, "short_exact"), "short_exact"),
    ],
)
def test_share_needs_an_absolute_number_beside_it(match: FieldMatch, expected: str | None):
    assert judged(match, "text") == expected


@pytest.mark.parametrize(
    ("hits", "share", "span", "coverage", "expected"),
    [
        (8, 0.3, 12, 0.5, "contaminated"),
        (7, 0.3, 11, 0.9, "review"),  # enough where words are words
        (8, 0.3, 12, 0.49, "review"),  # one idiom, however long
        (9, 0.29, 13, 0.4, None),
        (20, 0.2, 40, 0.2, "contaminated"),
        (20, 0.2, 39, 0.2, None),
        (8, 1.0, 12, 1.0, "contaminated"),
    ],
)
def test_where_characters_are_words_twice_as_much_is_asked(hits, share, span, coverage, expected):
    match = FieldMatch("ngram", hits, share, share, span, coverage, True)
    assert judged(match, "text") == expected


@pytest.mark.parametrize(
    ("hits", "window", "whole", "expected"),
    [
        (3, 0.5, 0.5, "contaminated"),
        (3, 0.29, 0.9, "review"),
        (2, 1.0, 0.9, "review"),
        (1, 1.0, 0.9, None),  # a template with one idiom of the item
        (3, 0.5, 0.49, None),
        (0, 0.0, 1.0, None),
    ],
)
def test_what_is_shared_counts_together_with_what_is_the_items_own(hits, window, whole, expected):
    match = FieldMatch("ngram", hits, window, window, 7, whole_ratio=whole)
    assert judged(match, "text") == expected
    assert judged(match, "code") is None


def test_a_field_of_single_characters_is_known_by_its_words():
    for text, expected in (
        ("日本語の問題です", True),
        ("LibreOffice の help for them 日本", False),
        ("LibreOffice の help 日本", True),
        ("one two", False),
        ("", False),
        (None, False),
    ):
        assert entry(text).unspaced is expected


def test_shared_idioms_of_code_are_for_review_only():
    assert judged(seen(9, 0.6, 0.6, 13), "code") == "review"
    assert judged(seen(16, 0.6, 0.6, 20), "code") == "contaminated"


def entry(text: str | None, name: str = "question") -> FieldEntry:
    return entries_of([Field("i", name, text)])[0]


@pytest.mark.parametrize(
    ("of", "found", "status"),
    [
        (entry(LONG), [], "clean"),
        (entry(LONG), [seen(1, 0.1, 0.1, 5)], "clean"),
        (entry(LONG), [seen(4, 0.2, 0.2, 8), seen(5, 0.5, 0.5, 9)], "contaminated"),
        (entry(LONG), [seen(4, 0.2, 0.2, 8)], "review"),
        (entry(LONG, "passage"), [seen(8, 1.0, 1.0, 12, "exact")], "source_overlap"),
        (entry("Capital of France?"), [seen(1, 1.0, 1.0, 3, "short_exact")], "short_exact"),
        (entry("Capital of France?"), [], "clean"),
        (entry("Why?"), [], "untestable"),
        (entry("42", "answer"), [seen(1, 1.0, 1.0, 1, "short_exact")], "short_exact"),
        (entry("...!"), [], "untestable"),
        (entry(None), [], "untestable"),
    ],
)
def test_each_field_has_one_status(of: FieldEntry, found: list[FieldMatch], status: str):
    said = verdict(of, found, n_corpora=1)
    assert said.status == status
    assert said.reason
    assert said.n_documents == len(found)


def test_boilerplate_says_little():
    made = entry(LONG)
    grams = sorted(made.positions)
    mostly = FieldEntry(made.field, made.words, made.positions, frozenset(grams[:5]))
    assert verdict(mostly, [], 1).status == "low_information"
    half = FieldEntry(made.field, made.words, made.positions, frozenset(grams[:4]))
    assert verdict(half, [], 1).status == "clean"


def test_nothing_is_clean_that_was_not_searched_for():
    assert verdict(entry(LONG), [], n_corpora=0).status == "untestable"


def test_the_largest_over_documents_are_kept():
    said = verdict(entry(LONG), [seen(2, 0.2, 0.1, 9), seen(2, 0.2, 0.2, 6)], 1)
    assert (said.max_ratio, said.max_span) == (0.2, 9)


def test_an_item_is_as_bad_as_its_worst_field():
    assert item_status(["clean", "untestable"]) == "clean"
    assert item_status(["untestable", "untestable"]) == "untestable"
    assert item_status(["clean", "short_exact", "contaminated"]) == "contaminated"
    assert item_status(["clean", "review"]) == "review"
