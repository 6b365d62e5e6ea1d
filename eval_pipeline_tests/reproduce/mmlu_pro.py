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

from eval_pipeline.metrics.item_values import item_values
from eval_pipeline.metrics.registry import METRICS
from eval_pipeline.metrics.samples import SAMPLE_COLUMNS, Items, Samples
from eval_pipeline.verification.policy import score
from eval_pipeline.verification.scoring import Grader, Sample, score_samples
from eval_pipeline.verification.verdict import Item
from eval_pipeline_tests.reproduce.row import Row

FILE = "mmlu_pro/predictions_29_models.parquet"
VERIFIER, EXTRACTION = "choice@1", "choice_letter@1"
OPTIONS = {"outside": "wrong"}  # four replies name a letter that is no option: they have answered
PUBLISHED = {("Meta-Llama-3-70B", "wrong"): 52.01, ("Meta-Llama-3-70B", "chance"): 52.73}
WITH_DICE = {"Meta-Llama-3-70B": 52.78}  # one run of random guesses on the 814 unparsed replies
HALF_A_DIGIT = 0.005
# standard error of the guesses alone is 0.08 points: three of them
OF_DICE = 0.24

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
    """Accuracy in percent of each model under each of the two policies."""
    found = {}
    for model in sorted(answers["model"].unique().to_pylist()):
        of_model = answers.filter(pc.equal(answers["model"], model)).to_pylist()
        for handling, value in accuracies_of(of_model).items():
            found[model, handling] = value
    return found


def accuracies_of(answers: Sequence[Mapping[str, Any]]) -> dict[str, float]:
    """One model's accuracy in percent by how a reply without a letter is counted."""
    items = {row["question_id"]: _item(row) for row in answers}
    samples = [Sample(row["question_id"], 0, row["pred"], "ok") for row in answers]
    grader = Grader.of(VERIFIER, EXTRACTION, OPTIONS)
    scored = score_samples(samples, items, grader, _policy("wrong"))
    names = sorted(items)
    described = Items(np.array(names, dtype=object), np.arange(len(names)), {})
    found = {}
    for handling in ("wrong", "chance"):
        policy = _policy(handling)
        credits = [score(r["status"], r["verdict"], policy, r["chance"]) for r in scored]
        table = pa.table(
            {
                **{name: [r[name] for r in scored] for name in SAMPLE_COLUMNS if name != "score"},
                "score": pa.array(credits, pa.float64()),
            }
        )
        made = Samples.from_table(table, described)
        values = item_values(METRICS["mean_score"], None, described, made, draws_per_item=1)
        found[handling] = float(100 * values.value.mean())
    return found


def _policy(handling: str) -> dict[str, str]:
    """The failure policy of a contract, of the statuses that occur here."""
    return {"parser_failure": handling, "model_refusal": handling}


def _item(row: Mapping[str, Any]) -> Item:
    return Item(row["question_id"], "", row["answer"], ("",) * row["n_options"])
