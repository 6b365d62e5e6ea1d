"""Crowd comparisons of 59 models: published Bradley-Terry scores.

Source: dustalov/llmfao (comparisons) and dustalov/evalica (golden scores); scores are
exp(strength), scaled to a mean strength of 0 before they are compared.
"""

import os
from pathlib import Path

import numpy as np
import pyarrow.parquet as pq

from eval_pipeline.ranking.bradley_terry import fit_bradley_terry
from eval_pipeline.ranking.counts import pair_counts
from eval_pipeline.ranking.encode import Battles, encode_battles, outcome_scores
from eval_pipeline_tests.reproduce.row import Row

COMPARISONS = "battles/llmfao_comparisons.parquet"
GOLDEN = "battles/llmfao_golden_scores_evalica.parquet"
ALLOWED = 1e-9


def crowd_battles(folder: Path) -> Battles:
    """The crowd's comparisons; each prompt is a cluster."""
    rows = pq.read_table(folder / COMPARISONS, filters=[("judge", "==", "crowd")])
    labels = rows["winner"].to_pylist()
    return encode_battles(
        rows["left"].to_pylist(),
        rows["right"].to_pylist(),
        outcome_scores(labels, {"left": 1.0, "right": 0.0, "tie": 0.5}),
        cluster=[str(prompt) for prompt in rows["prompt"].to_pylist()],
    )


def rows() -> list[Row]:
    """Strength in logits, mean 0, of each model."""
    folder = Path(os.environ.get("EVAL_PIPELINE_REFERENCE_DATA") or "../shared/data")
    golden = pq.read_table(folder / GOLDEN, filters=[("algorithm", "==", "bradley_terry")])
    published = np.log(golden["score"].to_numpy())
    published = published - published.mean()
    fit = fit_bradley_terry(pair_counts(crowd_battles(folder)))
    ours = dict(zip(fit.models, fit.theta.tolist(), strict=True))
    return [
        Row(f"llmfao: {model}", score, ours[model], ours[model] - score, ALLOWED)
        for model, score in sorted(zip(golden["item"].to_pylist(), published.tolist(), strict=True))
    ]
