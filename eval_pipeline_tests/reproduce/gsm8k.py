"""Grade-school maths: published flags of four models' answers, item by item.

Source: openai/grade-school-math, example_model_solutions; the answer line is "A: N".
"""

import os
from pathlib import Path

import pyarrow.parquet as pq

from eval_pipeline.verification.scoring import Grader
from eval_pipeline.verification.verdict import Item
from eval_pipeline_tests.reproduce.row import Row

FILE = "math/gsm8k_openai_solutions.parquet"
VERIFIER = "numeric@2"
EXTRACTION = "answer_line@2"
OPTIONS = {"pattern": "gsm8k", "thousands": ","}
ACCURACIES = {
    "6b_finetuning": 21.68,
    "6b_verification": 39.04,
    "175b_finetuning": 34.72,
    "175b_verification": 56.25,
}
HALF_A_DIGIT = 0.005


def rows() -> list[Row]:
    """Accuracy of each model in percent, and the number of flags that agree."""
    folder = Path(os.environ.get("EVAL_PIPELINE_REFERENCE_DATA") or "../shared/data")
    answers = pq.read_table(folder / FILE).to_pylist()
    items = {a["item_id"]: Item(a["item_id"], answer=reference(a["ground_truth"])) for a in answers}
    grader = Grader.of(VERIFIER, EXTRACTION, OPTIONS)
    grader.check(list(items.values()))
    verdicts = grader.verdicts([(items[a["item_id"]], a["completion"]) for a in answers])
    flags = [verdict.score == 1.0 for verdict in verdicts]
    table = []
    for model, published in ACCURACIES.items():
        of_model = [flag for flag, a in zip(flags, answers, strict=True) if a["model"] == model]
        ours = 100 * sum(of_model) / len(of_model)
        name = f"gsm8k accuracy of {model}, %"
        table.append(Row(name, published, ours, ours - published, HALF_A_DIGIT))
    agree = sum(f == a["published_correct"] for f, a in zip(flags, answers, strict=True))
    name = "gsm8k flags that agree, of 5,276"
    table.append(Row(name, len(answers), agree, agree - len(answers), 0))
    return table


def reference(solution: str) -> str:
    """The number on the last line of a published solution."""
    return solution.rsplit("A:", 1)[1].strip()
