"""A corpus that does not hold the benchmark: published training and test questions."""

import json
from collections import Counter

import pyarrow.parquet as pq

from eval_pipeline.contamination.corpus.batch import UnreadLines
from eval_pipeline.contamination.index.table import index_rows, open_index
from eval_pipeline.contamination.text.fields import fields_of
from eval_pipeline.contamination.verdict.items import item_rows
from eval_pipeline_tests.contamination.engines import shard_by_reference

# looked at one by one: the same problem with other names and numbers, no leak of the item
RENUMBERED = {"i0581", "i0602", "i0632", "i0824"}


def test_clean_questions_are_spared_and_a_leaked_one_is_found_among_them(reference_data, tmp_path):
    train = pq.read_table(reference_data / "contamination/gsm8k_train.parquet").to_pylist()
    test = pq.read_table(reference_data / "math/gsm8k_test.parquet").to_pylist()
    fields = fields_of(
        [{"item_id": f"i{n:04d}", **row} for n, row in enumerate(test)], ["question"]
    )
    documents = [f"{row['question']}\n{row['answer']}" for row in train]
    documents.append(f"Homework: {test[7]['question'].upper()}")
    path = tmp_path / "train.jsonl"
    path.write_text("\n".join(json.dumps({"text": text}) for text in documents))
    entries = open_index(fields, index_rows(fields))
    rows = item_rows(entries, shard_by_reference("train@1", path, entries, UnreadLines()), 1)
    assert Counter(row["status"] for row in rows) == {
        "clean": 1306,
        "review": 10,
        "low_information": 2,
        "contaminated": 1,
    }
    found = {r["item_id"] for r in rows if r["status"] == "contaminated"}
    assert found == {"i0007"}
    said = {r["item_id"]: r["reason"] for r in rows if r["status"] == "review"}
    assert {item for item, reason in said.items() if "with other numbers" in reason} == RENUMBERED


def test_known_leaks_are_found(reference_data, tmp_path):
    """Questions that were published as found in a training set."""
    pairs = pq.read_table(reference_data / "contamination/routellm_contaminated_prompts.parquet")
    rows = pairs.to_pylist()
    path = tmp_path / "prompts.jsonl"
    path.write_text("\n".join(json.dumps({"text": row["train_prompt"]}) for row in rows))
    items = [{"item_id": f"i{n:02d}", "question": r["eval_prompt"]} for n, r in enumerate(rows)]
    entries = open_index(fields_of(items, ["question"]), index_rows(fields_of(items, ["question"])))
    verdicts = item_rows(entries, shard_by_reference("c@1", path, entries, UnreadLines()), 1)
    assert sum(v["status"] == "contaminated" for v in verdicts) == len(rows)
