"""A corpus that does not hold the benchmark: published training and test questions."""

import json
from collections import Counter

import pyarrow.parquet as pq
import pytest

from eval_pipeline.contamination.corpus import Unread
from eval_pipeline.contamination.fields import fields_of
from eval_pipeline.contamination.ngram import index_rows, open_index
from eval_pipeline.contamination.shard import scan_entries
from eval_pipeline.contamination.verdicts import item_rows

# looked at one by one: the same problem with other names and numbers
NEAR_DUPLICATES = {"i0602", "i0632", "i0824"}


@pytest.fixture(scope="module")
def corpus(reference_data, tmp_path_factory):
    train = pq.read_table(reference_data / "contamination/gsm8k_train.parquet").to_pylist()
    path = tmp_path_factory.mktemp("corpus") / "train.jsonl"
    lines = [json.dumps({"text": f"{row['question']}\n{row['answer']}"}) for row in train]
    path.write_text("\n".join(lines))
    return path


@pytest.fixture(scope="module")
def questions(reference_data):
    test = pq.read_table(reference_data / "math/gsm8k_test.parquet").to_pylist()
    items = [{"item_id": f"i{n:04d}", **row} for n, row in enumerate(test)]
    return fields_of(items, ["question"])


def test_clean_questions_are_spared(corpus, questions):
    entries = open_index(questions, index_rows(questions))
    rows = item_rows(entries, scan_entries("train@1", corpus, entries, {}, Unread()), 1)
    assert Counter(row["status"] for row in rows) == {
        "clean": 1299,
        "review": 17,
        "contaminated": 3,
    }
    assert {r["item_id"] for r in rows if r["status"] == "contaminated"} == NEAR_DUPLICATES


def test_a_leaked_question_is_found_among_them(corpus, questions, tmp_path):
    leaked = tmp_path / "leaked.jsonl"
    text = f"Homework: {(questions[7].text or '').upper()}"
    leaked.write_bytes(corpus.read_bytes() + b"\n" + json.dumps({"text": text}).encode())
    entries = open_index(questions, index_rows(questions))
    rows = item_rows(entries, scan_entries("train@1", leaked, entries, {}, Unread()), 1)
    found = {r["item_id"] for r in rows if r["status"] == "contaminated"}
    assert found == NEAR_DUPLICATES | {"i0007"}


def test_known_leaks_are_found(reference_data, tmp_path):
    """Questions that were published as found in a training set."""
    pairs = pq.read_table(reference_data / "contamination/routellm_contaminated_prompts.parquet")
    rows = pairs.to_pylist()
    path = tmp_path / "prompts.jsonl"
    path.write_text("\n".join(json.dumps({"text": row["train_prompt"]}) for row in rows))
    items = [{"item_id": f"i{n:02d}", "question": r["eval_prompt"]} for n, r in enumerate(rows)]
    entries = open_index(fields_of(items, ["question"]), index_rows(fields_of(items, ["question"])))
    verdicts = item_rows(entries, scan_entries("c@1", path, entries, {}, Unread()), 1)
    assert sum(v["status"] == "contaminated" for v in verdicts) == len(rows)
