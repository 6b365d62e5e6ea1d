"""Every audit of a million votes: four judges, ten pairs of models, labels, slices."""

import resource
import subprocess
import sys
import time
from collections.abc import Iterator

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from eval_pipeline.judging.audits.pair_audits import Evidence, Rules, audit_rows
from eval_pipeline.judging.pairs.swap import combine_votes
from eval_pipeline.judging.people.labels import combine_labels
from eval_pipeline.statistics.randomness import generator
from eval_pipeline.warehouse.schemas import TABLES
from eval_pipeline_tests.benchmarks.figure import Figure

ITEMS, JUDGES, REPEATS = 6250, 4, 2
MODELS = tuple(f"model{i}@step{i}000" for i in range(5))
PAIRS = tuple((a, b) for i, a in enumerate(MODELS) for b in MODELS[i + 1 :])
LABELLED = 300  # items with three labels on each pair
REPEATS_OF_ALL = 3
SECONDS_BAR = 5.0
BYTES_BAR = 1 << 30
BARS = {"position_effect": 0.05, "flip_excess": 0.15, "verbosity_per_100_tokens": 0.03}


def measure() -> Iterator[Figure]:
    """Time and memory of a process of its own: the benchmarks before it leave their peak behind."""
    code = "from eval_pipeline_tests.benchmarks.audits import audit; audit()"
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    wall, cpu, peak, floor = map(float, ran.stdout.split())
    yield Figure(
        "audits of 1,000,000 votes",
        wall,
        "s",
        "counting verdicts in Arrow",
        floor,
        f"<= {SECONDS_BAR:g} s",
        wall <= SECONDS_BAR,
        cpu,
        wall,
    )
    bar = f"<= {BYTES_BAR >> 30} GiB"
    held = peak <= BYTES_BAR
    yield Figure("memory of these audits", peak / 2**20, "MiB", "none", None, bar, held, cpu, wall)


def audit() -> None:
    """Prints wall s, CPU s, peak bytes, and the seconds that counting the verdicts takes."""
    votes, items = _votes(), [f"item-{i:06d}" for i in range(ITEMS)]
    rng = generator(1, "benchmark", "labels")
    labels = combine_labels(_labels(items[:LABELLED], rng))
    lengths = {(m, i): int(rng.integers(100, 2000)) for m in MODELS for i in items}
    slices = {item: {"topic": "abcde"[i % 5]} for i, item in enumerate(items)}
    family = {model: ("heron", "tern")[i % 2] for i, model in enumerate(MODELS)}
    rules = Rules({f"judge{i}": "tern" for i in range(JUDGES)}, BARS, 0.95)
    start = time.perf_counter()
    votes.group_by(["judge", "item_id", "model_a", "model_b", "slot_order", "verdict"]).aggregate(
        [([], "count_all")]
    )
    floor = time.perf_counter() - start
    times = []
    for _ in range(REPEATS_OF_ALL):
        wall, cpu = time.perf_counter(), time.process_time()
        audit_rows(Evidence(combine_votes(votes), labels, lengths, slices, family), rules)
        times.append((time.perf_counter() - wall, time.process_time() - cpu))
    wall, cpu = min(times)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
    print(wall, cpu, peak, floor)


def _votes() -> pa.Table:
    n = ITEMS * len(PAIRS) * JUDGES * 2 * REPEATS
    at = np.arange(n)
    shape = (ITEMS, len(PAIRS), JUDGES, 2, REPEATS)
    item, pair, judge, order, repeat = np.unravel_index(at, shape)
    rng = generator(1, "benchmark", "votes")
    verdict = rng.choice(3, n, p=(0.5, 0.45, 0.05))
    lost = rng.random(n) < 0.005
    said = _words(verdict, ["model_a", "model_b", "tie"])
    return TABLES["judge_votes"].from_columns(
        {
            "judge": _words(judge, [f"judge{i}" for i in range(JUDGES)]),
            "item_id": _words(item, [f"item-{i:06d}" for i in range(ITEMS)]),
            "cluster_id": _words(item // 2, [f"cluster-{i:06d}" for i in range(ITEMS)]),
            "model_a": _words(pair, [a for a, _ in PAIRS]),
            "model_b": _words(pair, [b for _, b in PAIRS]),
            "slot_order": _words(order, ["a_first", "b_first"]),
            "repeat": pa.array(repeat.astype(np.int32)),
            "status": _words(lost.astype(np.int64), ["ok", "judge_unknown"]),
            "verdict": pa.array(np.where(lost, None, np.asarray(said.to_pylist(), object))),
            "file": pa.repeat("votes.jsonl", n),
            "line": pa.array(at + 1),
        }
    )


def _words(codes: NDArray[np.int64], words: list[str]) -> pa.Array:
    return pa.DictionaryArray.from_arrays(pa.array(codes.astype(np.int32)), words).cast(pa.string())


def _labels(items: list[str], rng: np.random.Generator) -> pa.Table:
    rows = [
        {
            "annotation_set": "people",
            "item_id": item,
            "cluster_id": f"cluster-{i // 2:06d}",
            "model_a": a,
            "model_b": b,
            "rater": f"r{rater}",
            "label": ("model_a", "model_b", "tie")[int(rng.choice(3, p=(0.5, 0.45, 0.05)))],
            "honeypot": False,
            "file": "labels.jsonl",
            "line": 1,
        }
        for i, item in enumerate(items)
        for a, b in PAIRS
        for rater in range(3)
    ]
    return TABLES["annotations"].from_rows(rows)
