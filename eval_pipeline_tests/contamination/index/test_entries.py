"""The index: distinct n-grams, boilerplate masks, and refusal of an index that does not fit."""

import math

import pytest

from eval_pipeline.contamination.comparing import ngram_overlap
from eval_pipeline.contamination.index.entries import entries_of, ngrams
from eval_pipeline.contamination.index.masks import Spread, masked_entries, weight_of
from eval_pipeline.contamination.index.table import index_rows, open_index
from eval_pipeline.contamination.text.exact import digest
from eval_pipeline.contamination.text.fields import Field
from eval_pipeline.contamination.verdict.fields import verdict
from eval_pipeline.warehouse.schemas import TABLES


def questions(*texts: str) -> list[Field]:
    return [Field(f"i{n}", "question", text) for n, text in enumerate(texts)]


def test_golden_vector(golden_vectors):
    (case,) = [c for c in golden_vectors("instruments.json") if c["instrument"] == "ngram_overlap"]
    assert ngram_overlap(**case["inputs"])._asdict() == case["expected"]


def test_an_item_without_words_has_no_coverage():
    found = ngram_overlap("...", "a b c", 3)
    assert (found.total, found.coverage != found.coverage) == (0, True)


def test_distinct_ngrams_keep_all_their_places():
    (entry,) = entries_of(questions("a b c d e a b c d e"))
    assert entry.positions["a b c d e"] == (0, 5)
    assert entry.positions["e a b c d"] == (4,)
    assert entry.n == 5


def test_a_short_field_is_one_ngram():
    (entry,) = entries_of(questions("Capital of France?"))
    assert (dict(entry.positions), entry.n) == ({"capital of france": (0,)}, 3)


def test_what_many_items_share_is_masked():
    shared = "choose the best answer from these options"
    fields = questions(*(f"w{n} x{n} y{n} z{n} {shared} t{n} u{n} v{n} s{n}" for n in range(6)))
    grams = {"choose the best answer from", "the best answer from these",
             "best answer from these options"}  # fmt: skip
    entries = masked_entries(entries_of(fields))
    assert all(e.masked == grams and not e.shared for e in entries)
    for few in (2, 5):
        some = masked_entries(entries_of(fields[:few]))
        assert all(e.masked == e.shared == grams for e in some)
    assert not any(e.masked for e in masked_entries(entries_of(fields[:1])))
    assert entries[0].masked_share == pytest.approx(3 / 11)


def test_a_template_is_stripped_with_what_straddles_it():
    before, after = "choose the best answer from these options", "and say why you think so"
    own = [" ".join(f"{letter}{n}" for letter in "abcdefg") for n in range(6)]
    fields = questions(*(f"{before} {words} {after}" for words in own))
    for entry, words in zip(masked_entries(entries_of(fields)), own, strict=True):
        assert entry.open == set(ngrams(words.split(), 5))
        assert entry.masked_share == 0.0


def test_the_named_template_is_stripped_from_a_single_item():
    asked = "Read this with care. {question}\nThink step by step and end with the answer."
    text = asked.replace("{question}", "a b c d e f g")
    (entry,) = masked_entries(entries_of(questions(text)), template=asked)
    assert {"a b c d e", "b c d e f", "c d e f g"} <= entry.open
    assert "think step by step and" in entry.masked
    assert "e f g think step" in entry.masked  # straddles
    assert "with care a b c" in entry.open  # four words are no n-gram


def test_a_field_that_is_all_template_has_no_information():
    entries = masked_entries(
        entries_of(questions(*["the very same nine words in all of them"] * 6))
    )
    assert {e.masked_share for e in entries} == {1.0}
    assert {verdict(e, [], 1).status for e in entries} == {"low_information"}


def test_what_is_common_in_the_corpora_is_masked_and_the_rest_weighed():
    (field,) = questions("this is free software you can copy it as the owls at dawn do")
    common = {("text_v2", "this is free software you"): (50, 3)}
    (entry,) = masked_entries(entries_of([field]), Spread(1000, 3, common))
    assert "this is free software you" in entry.masked
    assert entry.weights["the owls at dawn do"] == weight_of(math.log(1002 / 1))
    for rare in ((49, 3), (500, 2)):
        spread = Spread(1000, 3, {("text_v2", "this is free software you"): rare})
        assert not masked_entries(entries_of([field]), spread)[0].masked


def test_index_rows_fit_their_table_and_open_again():
    fields = [*questions("one two three four five six", "", "seven"), Field("i0", "answer", "six")]
    rows = index_rows(fields)
    table = TABLES["contamination_index"].from_rows(rows)
    assert table.num_rows == 4
    keys = [(r["item_id"], r["field"], r["ngram"]) for r in rows]
    assert keys == sorted(set(keys))
    assert ("i2", "question", digest(["seven"])) in keys
    assert open_index(fields, table.to_pylist()) == masked_entries(entries_of(fields))


def test_an_index_of_another_normaliser_is_refused():
    fields = questions("one two three four five six")
    rows = [{**row, "normaliser": "text_v2, Unicode 1.1"} for row in index_rows(fields)]
    with pytest.raises(ValueError, match=r"made by text_v2, Unicode 1\.1, this is .*compute it"):
        open_index(fields, rows)


def test_an_index_of_other_items_is_refused():
    rows = index_rows(questions("one two three four five six"))
    with pytest.raises(ValueError, match="does not fit item 'i0', field 'question'"):
        open_index(questions("one two three four five seven"), rows)
