"""Near-duplicates among documents: from text to verified pairs, beside datasketch and rensa.

Peers run in an interpreter of their own (EVAL_PIPELINE_PEER_PYTHON, else this one), on the same
documents, from text to the candidates that they call duplicates; they verify nothing. The size is
EVAL_PIPELINE_BENCHMARK_MB, 24 by default.
"""

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

import pyarrow as pa

from eval_pipeline.contamination.near_duplicates.banding import CORPORA
from eval_pipeline.contamination.near_duplicates.pairs import near_duplicates
from eval_pipeline_tests.benchmarks.figure import Figure
from eval_pipeline_tests.benchmarks.installed_texts import documents

MEGABYTES = float(os.environ.get("EVAL_PIPELINE_BENCHMARK_MB") or 24)
PEERS = {"datasketch": 50.0, "rensa": 15.0}  # our speed must be so many times theirs
CORPUS_BAR = 150.0  # MB/s, verification included

PEER_PROGRAM = """
import json, re, sys, time
peer, path = sys.argv[1:]
texts = [json.loads(line) for line in open(path, encoding="utf-8")]
def shingles(text):
    words = re.findall(r"\\w+", text.lower())
    return {" ".join(words[i:i + 5]) for i in range(max(1, len(words) - 4))}
if peer == "datasketch":
    from datasketch import MinHash, MinHashLSH
    began = time.process_time()
    lsh = MinHashLSH(num_perm=128, params=(16, 8))
    sketches = []
    for i, text in enumerate(texts):
        sketch = MinHash(num_perm=128)
        sketch.update_batch([s.encode() for s in shingles(text)])
        lsh.insert(i, sketch)
        sketches.append(sketch)
else:
    from rensa import RMinHash, RMinHashLSH
    began = time.process_time()
    lsh = RMinHashLSH(threshold=0.8, num_perm=128, num_bands=16)
    sketches = []
    for i, text in enumerate(texts):
        sketch = RMinHash(num_perm=128, seed=42)
        sketch.update(list(shingles(text)))
        lsh.insert(i, sketch)
        sketches.append(sketch)
found = sum(len(lsh.query(sketch)) for sketch in sketches)
print(time.process_time() - began, found)
"""


def measure() -> Sequence[Figure]:
    """Speed of the whole way, and beside each peer."""
    near_duplicates(["compile the loops"] * 2, banding=CORPORA, kind="one")
    texts = documents(MEGABYTES)
    rate, cpu, wall = _rate(texts)
    figures = [
        Figure(
            "near-duplicates of documents, verified",
            rate,
            "MB/s",
            "-",
            None,
            f">= {CORPUS_BAR:g} MB/s",
            rate >= CORPUS_BAR,
            cpu,
            wall,
        )
    ]
    for peer, bar in PEERS.items():
        theirs = _peer(peer, texts)
        figures.append(
            Figure(
                f"the same beside {peer}, times",
                rate / theirs if theirs else float("nan"),
                "x",
                f"{peer}, MB/s" if theirs else f"{peer} is not installed",
                theirs,
                f">= {bar:g}x",
                theirs is not None and rate >= bar * theirs,
                cpu,
                wall,
            )
        )
    return figures


def _rate(texts: Sequence[str]) -> tuple[float, float, float]:
    """MB/s of UTF-8 text, and seconds of the best of three rounds."""
    column = pa.array(texts, pa.large_string())
    best = (float("inf"), float("inf"))
    for _ in range(3):
        cpu, wall = time.process_time(), time.perf_counter()
        near_duplicates(column, banding=CORPORA, kind="one")
        best = min(best, (time.process_time() - cpu, time.perf_counter() - wall))
    return _megabytes(texts) / best[0], *best


def _peer(peer: str, texts: Sequence[str]) -> float | None:
    """MB/s of a peer, or None where it is not installed."""
    python = os.environ.get("EVAL_PIPELINE_PEER_PYTHON") or sys.executable
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "texts.jsonl"
        path.write_text("".join(json.dumps(text) + "\n" for text in texts), encoding="utf-8")
        done = subprocess.run(
            [python, "-c", PEER_PROGRAM, peer, str(path)], capture_output=True, text=True
        )
    if "ModuleNotFoundError" in done.stderr:
        return None
    done.check_returncode()
    return _megabytes(texts) / float(done.stdout.split()[0])


def _megabytes(texts: Sequence[str]) -> float:
    return sum(len(text.encode()) for text in texts) / 1e6
