"""The index: distinct n-grams, boilerplate masks, and refusal of an index that does not fit."""

import pytest

from eval_pipeline.contamination.exact import digest
from eval_pipeline.contamination.fields import Field
from eval_pipeline.contamination.ngram import (
    entries_of,
    index_rows,
    masked_entries,
    ngram_overlap,
    open_index,
)
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
    fields = questions(*(f"{shared} w{n} x{n} y{n} z{n}" for n in range(6)))
    entries = masked_entries(entries_of(fields))
    assert all(e.masked == {"choose the best answer from", "the best answer from these",
                            "best answer from these options"} for e in entries)  # fmt: skip
    assert not any(e.masked for e in masked_entries(entries_of(fields[:5])))
    assert entries[0].masked_share == pytest.approx(3 / 7)


def test_index_rows_fit_their_table_and_open_again():
    fields = [*questions("one two three four five six", "", "seven"), Field("i0", "answer", "six")]
    rows = index_rows(fields)
    table = TABLES["contamination_index"].from_rows(rows)
    assert table.num_rows == 4
    keys = [(r["item_id"], r["field"], r["ngram"]) for r in rows]
    assert keys == sorted(set(keys))
    assert ("i2", "question", digest(["seven"])) in keys
    assert open_index(fields, table.to_pylist()) == masked_entries(entries_of(fields))


def test_an_index_of_other_items_is_refused():
    rows = index_rows(questions("one two three four five six"))
    with pytest.raises(ValueError, match="does not fit item 'i0', field 'question'"):
        open_index(questions("one two three four five seven"), rows)
