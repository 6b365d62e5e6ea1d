"""HumanEval: 16,400 published samples of codegen-16B-mono, run and judged in the sandbox.

Samples: microsoft/CodeT (temperature .8). Published pass@k: Chen et al. 2022, CodeT, table of
baselines (arXiv:2207.10397). The flags `reference_passed` come from an execution in one process.
"""

import os
import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow.parquet as pq

from eval_pipeline.metrics.draws.formula_at_k import pass_at_k
from eval_pipeline.verification.scoring import Grader
from eval_pipeline.verification.verdict import Item, Verdict
from eval_pipeline_tests.reproduce.row import Row

SAMPLES, PROBLEMS = "code/humaneval_codegen16b_n100.parquet", "code/humaneval_problems.parquet"
VERIFIER, EXTRACTION = "code@2", "whole_text@2"
OPTIONS = {"cpu_seconds": 1, "wall_seconds": 15, "packages": ["numpy", "pandas"]}
STOP = ("\nclass", "\ndef", "\n#", "\nif", "\nprint")
PUBLISHED = {1: 22.13, 10: 50.44, 100: 74.39}
ALLOWED = 0.3
AGREEMENT = 99.8
MINUTES = 4
WORKERS = 2


def rows() -> list[Row]:
    """pass@k in percent, the agreement of flags, and the wall time in seconds."""
    samples, items = read(_folder())
    start = time.perf_counter()
    verdicts = judged(samples, items)
    seconds = time.perf_counter() - start
    flags = [verdict.score == 1.0 for verdict in verdicts]
    table = []
    for k, published in PUBLISHED.items():
        ours = 100 * estimate(samples, flags, k)
        table.append(Row(f"humaneval pass@{k}, %", published, ours, ours - published, ALLOWED))
    agree = np.mean([f == s["reference_passed"] for f, s in zip(flags, samples, strict=True)])
    ours = 100 * float(agree)
    name = "humaneval flags that agree, of 16,400, %"
    notes = disagreements(samples, verdicts)
    table.append(Row(name, 100.0, ours, ours - 100, 100 - AGREEMENT, notes))
    name = f"humaneval wall time on {WORKERS} workers, s"
    table.append(Row(name, 0, seconds, seconds, 60 * MINUTES))
    return table


def read(folder: Path) -> tuple[list[dict[str, Any]], dict[str, Item]]:
    """The samples, each with its `code`, and the problems by name."""
    items = {
        row["task_id"]: Item(
            row["task_id"], row["prompt"], entry_point=row["entry_point"], test=row["test"]
        )
        for row in pq.read_table(folder / PROBLEMS).to_pylist()
    }
    samples = pq.read_table(folder / SAMPLES).to_pylist()
    return [{**sample, "code": truncated(sample["completion"])} for sample in samples], items


def truncated(completion: str) -> str:
    """The completion up to the first stop word."""
    return completion[: min((at for w in STOP if (at := completion.find(w)) >= 0), default=None)]


def judged(samples: Sequence[dict[str, Any]], items: dict[str, Item]) -> list[Verdict]:
    """A verdict for each sample."""
    verifier = Grader.of(VERIFIER, EXTRACTION, OPTIONS).verifier
    return verifier.verify_all([(items[s["task_id"]], s["code"]) for s in samples], WORKERS)


def disagreements(
    samples: Sequence[dict[str, Any]], verdicts: Sequence[Verdict]
) -> tuple[str, ...]:
    """A line on each sample whose flag is not the published one: what it did here, and why."""
    found = [
        f"{sample['task_id']}, sample {number}: published as "
        f"{'passed' if sample['reference_passed'] else 'failed'}; here {verdict.status}, "
        f"{verdict.explanation}"
        for number, (sample, verdict) in enumerate(zip(samples, verdicts, strict=True))
        if (verdict.score == 1.0) != sample["reference_passed"]
    ]
    counts = Counter(v.detail or v.status for v in verdicts if v.score != 1.0)
    said = ", ".join(f"{name} {count}" for name, count in counts.most_common())
    return (f"{len(found)} flags differ; what did not pass: {said}", *found)


def estimate(samples: Sequence[dict[str, Any]], flags: Sequence[bool], k: int) -> float:
    """The mean over problems of the chance that one of k draws passes."""
    drawn = Counter(sample["task_id"] for sample in samples)
    right = Counter(s["task_id"] for s, flag in zip(samples, flags, strict=True) if flag)
    n, c = [drawn[task] for task in drawn], [right[task] for task in drawn]
    return float(np.mean(pass_at_k(n, c, k)))


def _folder() -> Path:
    return Path(os.environ.get("EVAL_PIPELINE_REFERENCE_DATA") or "../shared/data")
