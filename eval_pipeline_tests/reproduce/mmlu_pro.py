"""MMLU-Pro: accuracy of Llama-3-70B on 12,032 questions, under two failure policies.

The published table gives 52.78: its authors guessed at random where no letter was found. The same
answers are scored here under `parser_failure: wrong` and under `parser_failure: chance`, which
gives such a reply the expected credit of a guess and so needs no dice.
Source: TIGER-AI-Lab/MMLU-Pro, eval_results; the two accuracies are those of the same files.
"""

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from eval_pipeline.metrics.measures.item_values import item_values
from eval_pipeline.metrics.registry import METRICS
from eval_pipeline.metrics.samples import Items, Samples
from eval_pipeline.verification.scoring import Grader, Sample, score_samples
from eval_pipeline.verification.verdict import Item
from eval_pipeline_tests.reproduce.row import Row

FILE = "mmlu_pro/predictions_29_models.parquet"
VERIFIER, EXTRACTION = "choice@2", "choice_letter@2"
OPTIONS = {"outside": "wrong"}  # four replies name a letter that is no option: they have answered
PUBLISHED = {("Meta-Llama-3-70B", "wrong"): 52.01, ("Meta-Llama-3-70B", "chance"): 52.73}
WITH_DICE = {"Meta-Llama-3-70B": 52.78}  # one run of random guesses on the 814 unparsed replies
HALF_A_DIGIT = 0.005
# standard error of the guesses alone is 0.08 points: three of them
OF_DICE = 0.24

KIND = ("answer", "n_options", "pred")  # all that a verdict rests on
Kind = tuple[str, int, str]
Accuracies = Mapping[tuple[str, str], float]


def rows() -> list[Row]:
    """Accuracy in percent under each policy, over all models that were published."""
    accuracies = all_accuracies(predictions())
    table = []
    for (model, handling), published in PUBLISHED.items():
        ours = accuracies[model, handling]
        name = f"mmlu_pro accuracy of {model}, unparsed = {handling}, %"
        table.append(Row(name, published, ours, ours - published, HALF_A_DIGIT))
    for model, published in WITH_DICE.items():
        ours = accuracies[model, "chance"]
        name = f"mmlu_pro {model} as published, by random guesses, %"
        table.append(Row(name, published, ours, ours - published, OF_DICE))
    return table


def predictions() -> pa.Table:
    """All answers of 29 models: model, question_id, answer, pred, n_options."""
    folder = Path(os.environ.get("EVAL_PIPELINE_REFERENCE_DATA") or "../shared/data")
    return pq.read_table(folder / FILE)


def all_accuracies(answers: pa.Table) -> Accuracies:
    """Accuracy in percent of each model by how a reply without a letter is counted."""
    kinds = sorted(set(zip(*(answers[c].to_pylist() for c in KIND), strict=True)))
    found = {}
    for handling in ("wrong", "chance"):
        scores = dict(zip(kinds, scored(kinds, handling), strict=True))
        for model in sorted(answers["model"].unique().to_pylist()):
            rows = answers.filter(pc.equal(answers["model"], model))
            found[model, handling] = accuracy(rows, scores)
    return found


def scored(kinds: Sequence[Kind], handling: str) -> list[dict[str, Any]]:
    """The row of each reply to a question with this key and number of options.

    Nothing else decides the verdict, and 347,215 rows are of some hundred kinds.
    """
    items = {str(kind): Item(str(kind), "", kind[0], ("",) * kind[1]) for kind in kinds}
    samples = [Sample(str(kind), 0, kind[2], "ok") for kind in kinds]
    failures = {"parser_failure": handling, "model_refusal": handling}
    return score_samples(samples, items, Grader.of(VERIFIER, EXTRACTION, OPTIONS), failures)


def accuracy(answers: pa.Table, scores: Mapping[Kind, Mapping[str, Any]]) -> float:
    """One model's mean score over its questions, in percent."""
    names = answers["question_id"].to_pylist()
    kinds = zip(*(answers[c].to_pylist() for c in KIND), strict=True)
    rows = [scores[kind] for kind in kinds]
    described = Items(np.array(sorted(names), dtype=object), np.arange(len(names)), {})
    table = pa.table(
        {
            "item_id": names,
            "draw": [0] * len(names),
            "status": [row["status"] for row in rows],
            "extracted": pa.array([row["extracted"] for row in rows], pa.string()),
            "score": pa.array([row["score"] for row in rows], pa.float64()),
        }
    )
    samples = Samples.from_table(table, described)
    values = item_values(METRICS["mean_score"], None, described, samples, draws_per_item=1)
    return float(100 * values.value.mean())
