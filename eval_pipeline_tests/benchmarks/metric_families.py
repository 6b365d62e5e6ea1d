"""Every family of metrics for one checkpoint of 20,000 samples, from tables to rows."""

import json
import time
from collections.abc import Iterator

import pyarrow as pa

from eval_pipeline.metrics.estimates.row import Design
from eval_pipeline.metrics.estimates.rows import estimate_rows
from eval_pipeline.metrics.registry import asked
from eval_pipeline.metrics.samples import Items, Samples
from eval_pipeline.statistics.randomness import generator
from eval_pipeline.warehouse.schemas import TABLES
from eval_pipeline_tests.benchmarks.figure import Figure

ITEMS, DRAWS = 5_000, 4
WORDS_A_REPLY, TOKENS_A_REPLY = 12, 16
BAR = 2.0  # seconds of one core
LABELS = (
    "pass@1",
    "pass@4",
    "pass^4",
    "majority@4",
    "pass_majority_gap@4",
    "accuracy",
    "refusal_rate",
    "brier_binary",
    "nll_binary",
    "ece_event",
    "murphy_reliability",
    "risk_coverage_area",
    "confidence_auroc",
    "confidence_auprc",
    "macro_f1",
    "perplexity",
    "bits_per_byte",
    "bleu",
    "rouge(variant=rouge1)",
    "rouge(variant=rouge2)",
    "rouge",
    "ndcg",
    "support_precision",
    "vqa_accuracy",
    "pope_f1",
    "attack_success_rate",
    "success_given_healthy",
    "meteor",
)


def measure() -> Iterator[Figure]:
    items, scores, generations = _tables()
    walls = []
    for _ in range(3):
        wall, cpu = time.perf_counter(), time.process_time()
        placed = Items.from_table(items)
        samples = Samples.from_table(scores, placed)
        samples = samples.with_tables(placed, {"items": items, "generations": generations})
        rows = estimate_rows(placed, samples, Design(LABELS, DRAWS, 0.95, "item_id", None, ()))
        walls.append((time.perf_counter() - wall, time.process_time() - cpu))
    defined = {row["metric"] for row in rows if row["value"] == row["value"]}
    if lacking := sorted(set(LABELS) - defined):
        raise ValueError(f"no value of {', '.join(lacking)}")
    families = {asked(label).metric.family for label in LABELS}
    wall, cpu = min(walls, key=lambda times: times[1])
    yield Figure(
        f"{len(LABELS)} metrics of {len(families)} families, {ITEMS * DRAWS:,} samples",
        cpu,
        "s CPU",
        "none",
        None,
        f"<= {BAR:g} s CPU",
        cpu <= BAR,
        cpu,
        wall,
    )


def _tables() -> tuple[pa.Table, pa.Table, pa.Table]:
    rng = generator(1, "benchmark", "families")
    words = [f"word{i}" for i in range(2_000)]
    documents = [f"d{i}" for i in range(20)]
    n = ITEMS * DRAWS
    texts = [" ".join(row) for row in rng.choice(words, (ITEMS + n, WORDS_A_REPLY)).tolist()]
    items = [
        {
            "item_id": f"i{i:05}",
            "cluster_id": f"c{i // 2:05}",
            "question": "q",
            "answer": "ab"[i % 2],
            "slices": [],
            "extra": json.dumps(
                {
                    "references": [texts[i]],
                    "relevance": {documents[i % 20]: 1, documents[(i + 7) % 20]: 2},
                    "human_answers": ["red", "blue", "red"],
                    "present": i % 2 == 0,
                    "kind": "harmful" if i % 3 else "benign",
                }
            ),
        }
        for i in range(ITEMS)
    ]
    confidence = rng.random(n).round(3)
    right = rng.random(n) < confidence
    failed = rng.random(n) < 0.01
    logprobs = (-rng.exponential(1.0, (n, TOKENS_A_REPLY))).tolist()
    scores, generations = [], []
    for i in range(n):
        key = {"item_id": f"i{i // DRAWS:05}", "draw": i % DRAWS}
        status = "model_refusal" if failed[i] else "ok"
        found = float(right[i] and not failed[i])
        scores.append(
            {
                **key,
                "cluster_id": "",
                "status": status,
                "extracted": "ab"[int(right[i])],
                "verdict": None if failed[i] else found,
                "score": found,
                "explanation": "",
                "verifier": "v@1",
            }
        )
        said = {
            "label": "ab"[i % 3 % 2],
            "retrieved": documents[i % 10 : i % 10 + 10],
            "claims": [{"verdict": "supported", "cited": True}],
            "answer": "red",
            "said_yes": i % 5 < 3,
            "refused": i % 4 == 0,
            "harmful_success": i // DRAWS % 3 > 0 and i % 7 == 0,
            "unauthorized_effect": False,
            "meteor": 0.5,
        }
        generations.append(
            {
                **key,
                "text": texts[ITEMS + i],
                "n_chars": len(texts[ITEMS + i]),
                "status": status,
                "attempts": 1,
                "confidence": float(confidence[i]),
                "token_logprobs": logprobs[i],
                "file": "f",
                "line": i + 1,
                "extra": json.dumps(said),
            }
        )
    return (
        TABLES["items"].from_rows(items),
        TABLES["verifier_scores"].from_rows(scores),
        TABLES["generations"].from_rows(generations),
    )
