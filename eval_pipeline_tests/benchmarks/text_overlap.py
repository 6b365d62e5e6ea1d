"""Corpus BLEU and ROUGE of real replies beside the packages whose numbers they are."""

import os
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
from rouge_score.rouge_scorer import RougeScorer
from sacrebleu.metrics import BLEU

from eval_pipeline.metrics.text_overlap.formula_bleu import bleu_sums
from eval_pipeline.metrics.text_overlap.formula_rouge import rouge
from eval_pipeline_tests.benchmarks.figure import Figure

FILE = "math/gsm8k_openai_solutions.parquet"
REPLIES = 5276
PEER_REPLIES = 200  # rouge-score fills its table word by word: the rest of its time is scaled
KINDS = ["rouge1", "rouge2", "rougeL"]
BLEU_BAR = 1.0  # times sacrebleu: tokens are its own, and we keep the counts of every sample
ROUGE_BAR = 0.1  # times rouge-score


def measure() -> Iterator[Figure]:
    said, wanted = replies()
    wall, cpu = _timed(lambda: bleu_sums(said, wanted).value)
    _, peer = _timed(lambda: BLEU(smooth_method="none").corpus_score(said, [wanted]))
    yield _figure(f"BLEU of {REPLIES:,} replies, by sample", wall, cpu, "sacrebleu", peer, BLEU_BAR)
    wall, cpu = _timed(lambda: rouge(said, wanted, KINDS))
    tool = RougeScorer(KINDS)
    some = list(zip(wanted, said, strict=True))[:PEER_REPLIES]
    _, peer = _timed(lambda: [tool.score(*pair) for pair in some])
    peer *= REPLIES / PEER_REPLIES
    name = f"ROUGE-1, 2 and L of {REPLIES:,} replies"
    yield _figure(name, wall, cpu, "rouge-score (scaled)", peer, ROUGE_BAR)


def replies() -> tuple[list[str], list[str]]:
    """Replies of four models and the solutions that people wrote, 92 tokens each in the mean."""
    folder = Path(os.environ.get("EVAL_PIPELINE_REFERENCE_DATA") or "../shared/data")
    table = pq.read_table(folder / FILE, columns=["completion", "ground_truth"]).slice(0, REPLIES)
    return table["completion"].to_pylist(), table["ground_truth"].to_pylist()


def _figure(name: str, wall: float, cpu: float, peer: str, other: float, bar: float) -> Figure:
    held = cpu <= bar * other
    return Figure(
        name, cpu, "cpu s", peer, other, f"<= {bar:g} x {peer.split()[0]}", held, cpu, wall
    )


def _timed(work: Callable[[], Any]) -> tuple[float, float]:
    """Wall and CPU seconds of one run: a second one would find the tokenizer's cache filled."""
    wall, cpu = time.perf_counter(), time.process_time()
    work()
    return time.perf_counter() - wall, time.process_time() - cpu
