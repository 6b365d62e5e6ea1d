"""Published leaks, all of which must be found, and a corpus that is no leak.

Sources: the prompts that RouteLLM published as near-duplicates of GSM8K and MMLU in its training
data; and the training questions of GSM8K, which its test questions were split from.
"""

import json
import os
import tempfile
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import pyarrow.parquet as pq

from eval_pipeline.contamination.corpus.batch import UnreadLines
from eval_pipeline.contamination.index.table import index_rows, open_index
from eval_pipeline.contamination.near_duplicates.rows import placed, shard_rows
from eval_pipeline.contamination.text.fields import fields_of
from eval_pipeline.contamination.verdict.items import item_rows
from eval_pipeline_tests.contamination.engines import shard_by_reference
from eval_pipeline_tests.reproduce.row import Row

KNOWN = "contamination/routellm_contaminated_prompts.parquet"
TRAIN = "contamination/gsm8k_train.parquet"
TEST = "math/gsm8k_test.parquet"
# Looked at one by one: of three test questions the training set holds the same problem with other
# names and numbers. That is no leak of the question, so they are for review.
SAME_PROBLEM = 3
REPORTED_ONLY = 1319


def rows() -> list[Row]:
    """Known leaks found; of the test questions those that a training question flags."""
    folder = Path(os.environ.get("EVAL_PIPELINE_REFERENCE_DATA") or "../shared/data")
    known = pq.read_table(folder / KNOWN).to_pylist()
    leaks = statuses([r["eval_prompt"] for r in known], [r["train_prompt"] for r in known])
    train = pq.read_table(folder / TRAIN).to_pylist()
    test = [r["question"] for r in pq.read_table(folder / TEST).to_pylist()]
    split = statuses(test, [f"{r['question']}\n{r['answer']}" for r in train])
    found, flagged = leaks["contaminated"], split["contaminated"]
    review = split["review"]
    return [
        Row("known near-duplicates found, of 25", len(known), found, found - len(known), 0),
        Row("gsm8k test flagged by train, of 1,319", 0, flagged, flagged, 0),
        Row("gsm8k test for review, of 1,319", SAME_PROBLEM, review, review - 3, REPORTED_ONLY),
    ]


def statuses(questions: Sequence[str], documents: Sequence[str]) -> Counter[str]:
    """How many questions get each status against documents, near-duplicates included."""
    items = [{"item_id": f"i{n:05d}", "question": text} for n, text in enumerate(questions)]
    fields = fields_of(items, ["question"])
    entries = open_index(fields, index_rows(fields))
    with tempfile.TemporaryDirectory() as folder:
        shard = Path(folder) / "documents.jsonl"
        shard.write_text("\n".join(json.dumps({"text": text}) for text in documents))
        hits = shard_by_reference("corpus@1", shard, entries, UnreadLines())
        pairs = shard_rows(shard, {"question": fields}).to_pylist()
    near = placed(pairs, "corpus", "corpus@1", shard.name)
    return Counter(row["status"] for row in item_rows(entries, hits, 1, near))
