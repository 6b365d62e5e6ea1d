"""The search of a corpus: the kernel beside lm-eval's janitor, from Parquet, by two threads.

The corpus is the documentation that is installed here, EVAL_PIPELINE_BENCHMARK_MB of it (64 by
default); Parquet is packed with zstd. Items are new sentences of the corpus's own words, and one
in twenty is hidden in a document. The peer runs in an interpreter of its own
(EVAL_PIPELINE_PEER_PYTHON, else this one), on documents from all of the same corpus.
"""

import hashlib
import json
import os
import re
import resource
import subprocess
import sys
import tempfile
import time
import unicodedata
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from eval_pipeline.contamination.index.entries import entries_of
from eval_pipeline.contamination.index.masks import masked_entries
from eval_pipeline.contamination.index.packed import Packed, packed
from eval_pipeline.contamination.index.segment import Segment, write_segment
from eval_pipeline.contamination.kernel.scanner import KernelScanner
from eval_pipeline.contamination.rule import MIN_SPAN
from eval_pipeline.contamination.search.by_kernel import LEAST_SHARE
from eval_pipeline.contamination.search.spread import merged, shard_counts
from eval_pipeline.contamination.search.workforce import Workforce
from eval_pipeline.contamination.text.buffers import text_buffers
from eval_pipeline.contamination.text.exact_kernel import kernel_digests
from eval_pipeline.contamination.text.fields import Field
from eval_pipeline_tests.benchmarks.figure import Figure
from eval_pipeline_tests.benchmarks.installed_texts import documents

MEGABYTES = float(os.environ.get("EVAL_PIPELINE_BENCHMARK_MB") or 64)
PEER_BYTES = 3_000_000
PYTHON_BYTES = 4_000_000
ITEM_WORDS = 50
ROUNDS = 4  # over the shards, where threads are timed
NGRAMS, MANY_NGRAMS = 200_000, 5_000_000
SCAN_BAR, MANY_BAR, PARQUET_BAR = 250.0, 150.0, 150.0  # MB/s
JANITOR_BAR, EXACT_BAR, THREADS_BAR = 100.0, 25.0, 1.7  # times
MEMORY_BAR = 1024.0  # MiB beside the index

PEER_PROGRAM = """
import contextlib, importlib.util, json, os, sys, time
texts, items = (json.load(open(path, encoding="utf-8")) for path in sys.argv[1:])
spec = importlib.util.find_spec("lm_eval")
name = "a set of tuples"
if spec is not None:
    path = os.path.join(os.path.dirname(spec.origin), "decontamination", "janitor.py")
    found = importlib.util.spec_from_file_location("janitor", path)
    module = importlib.util.module_from_spec(found)
    with contextlib.redirect_stdout(None), contextlib.redirect_stderr(None):
        found.loader.exec_module(module)
    name = "lm-eval's janitor"
    janitor = module.Janitor()
    for item in items:
        janitor.register_contaminant_python(item)
    scan = janitor.clean_python
else:
    def ngrams(text):
        words = text.lower().split()
        return zip(*(words[i:] for i in range(5)))
    known = {gram for item in items for gram in ngrams(item)}
    def scan(text):
        return [gram for gram in ngrams(text) if gram in known]
began = time.process_time()
for text in texts:
    scan(text)
print(json.dumps([name, time.process_time() - began]))
"""

MEMORY_PROGRAM = """
import re, sys
from pathlib import Path
from eval_pipeline.contamination.search.shard import scan_shard
scan_shard(Path(sys.argv[1]), Path(sys.argv[2]), "kernel")
print(int(re.search(r"VmHWM:\\s+(\\d+) kB", Path("/proc/self/status").read_text())[1]) / 1024)
"""


def measure() -> Iterator[Figure]:
    rng = np.random.default_rng(20260102)
    texts = documents(MEGABYTES)
    vocabulary = _vocabulary(texts)
    items = _items(vocabulary, NGRAMS, rng)
    texts = _planted(texts, items, rng)
    corpus = pa.array(texts, pa.large_string())
    with tempfile.TemporaryDirectory() as folder:
        shards = [Path(folder) / f"{n}.parquet" for n in range(2)]
        for n, shard in enumerate(shards):
            half = pa.table({"text": corpus[n::2] if n else corpus[::2]})
            pq.write_table(half, shard, compression="zstd", row_group_size=4096)
        fields = [Field(f"i{n:07d}", "question", item) for n, item in enumerate(items)]
        spread = merged([shard_counts(shard, fields) for shard in shards])
        segment = write_segment(
            Path(folder) / "index", masked_entries(entries_of(fields), spread), {}
        )
        index = segment.packed()[0].index
        speed, cpu, wall = _speed(index, corpus)
        yield _figure("scan, 200,000 n-grams", speed, "MB/s", SCAN_BAR, cpu, wall)
        yield _janitor(texts, items, speed, Path(folder))
        many = _items(vocabulary, MANY_NGRAMS, rng)
        wide = packed([Field(f"j{n:07d}", "question", item) for n, item in enumerate(many)])
        speed, cpu, wall = _speed(wide, corpus)
        yield _figure("scan, 5,000,000 n-grams", speed, "MB/s", MANY_BAR, cpu, wall)
        yield from _from_parquet(shards, segment, corpus)
        yield _exact(corpus, texts)
        yield _memory(shards[0], segment)


def _vocabulary(texts: Sequence[str]) -> list[str]:
    """Words as often as the corpus has them."""
    return [word for text in texts[::7] for word in re.findall(r"[^\W_]+", text)]


def _items(vocabulary: Sequence[str], ngrams: int, rng: np.random.Generator) -> list[str]:
    count = ngrams // (ITEM_WORDS - 4)
    drawn = rng.integers(len(vocabulary), size=(count, ITEM_WORDS)).tolist()
    return [" ".join(vocabulary[i] for i in row) for row in drawn]


def _planted(texts: Sequence[str], items: Sequence[str], rng: np.random.Generator) -> list[str]:
    """The texts with one item in twenty in the middle of one of them."""
    changed = list(texts)
    for item in items[::20]:
        i = int(rng.integers(len(changed)))
        middle = len(changed[i]) // 2
        changed[i] = f"{changed[i][:middle]}\n{item}\n{changed[i][middle:]}"
    return changed


def _best(work: Callable[[], object], repeats: int = 3) -> tuple[float, float]:
    """Least CPU seconds, and the wall seconds of that time."""
    times = []
    for _ in range(repeats):
        cpu, wall = time.process_time(), time.perf_counter()
        work()
        times.append((time.process_time() - cpu, time.perf_counter() - wall))
    return min(times)


def _speed(index: Packed, corpus: pa.Array) -> tuple[float, float, float]:
    """MB of text a CPU second, hits compared and scored, with CPU and wall seconds."""
    data, offsets = text_buffers(corpus)
    KernelScanner(index, LEAST_SHARE, MIN_SPAN).reports(data, offsets[:2])
    scanners = iter([KernelScanner(index, LEAST_SHARE, MIN_SPAN) for _ in range(3)])
    cpu, wall = _best(lambda: next(scanners).reports(data, offsets))
    return float(offsets[-1] - offsets[0]) / 1e6 / cpu, cpu, wall


def _figure(
    name: str,
    value: float,
    unit: str,
    bar: float,
    cpu: float,
    wall: float,
    peer: str = "",
    peer_value: float | None = None,
) -> Figure:
    return Figure(
        name, value, unit, peer, peer_value, f">= {bar:g} {unit}", value >= bar, cpu, wall
    )


def _janitor(texts: Sequence[str], items: Sequence[str], speed: float, folder: Path) -> Figure:
    total = sum(len(text.encode()) for text in texts)
    some = texts[:: max(1, total // PEER_BYTES)]  # of all of the corpus, as its families differ
    size = sum(len(text.encode()) for text in some)
    paths = [folder / "texts.json", folder / "items.json"]
    for path, strings in zip(paths, (some, items), strict=True):
        path.write_text(json.dumps(strings), encoding="utf-8")
    python = os.environ.get("EVAL_PIPELINE_PEER_PYTHON") or sys.executable
    done = subprocess.run(
        [python, "-c", PEER_PROGRAM, *map(str, paths)], check=True, capture_output=True, text=True
    )
    name, cpu = json.loads(done.stdout.splitlines()[-1])
    peer = size / 1e6 / cpu
    ratio = speed / peer
    return _figure("scan beside the peer", ratio, "x", JANITOR_BAR, cpu, cpu, f"{name}, MB/s", peer)


def _from_parquet(shards: Sequence[Path], segment: Segment, corpus: pa.Array) -> Iterator[Figure]:
    megabytes = corpus.nbytes / 1e6
    alone, both = Workforce(1), Workforce(2)
    cpu, wall = _best(lambda: list(alone.scan(shards, segment.folder, "kernel")))
    yield _figure("scan from zstd Parquet", megabytes / cpu, "MB/s", PARQUET_BAR, cpu, wall)
    work = [*shards] * ROUNDS
    walls: dict[Workforce, list[tuple[float, float]]] = {alone: [], both: []}
    for force in (alone, both) * 5:  # in turns, so that others on the machine slow both
        walls[force].append(_best(lambda f=force: list(f.scan(work, segment.folder, "kernel")), 1))
    one, two = (min(wall for _, wall in walls[force]) for force in (alone, both))
    cpu = min(walls[both])[0]
    yield _figure("two threads beside one, wall", one / two, "x", THREADS_BAR, cpu, two)


def _exact(corpus: pa.Array, texts: Sequence[str]) -> Figure:
    kernel_digests(corpus[:2])
    cpu, wall = _best(lambda: kernel_digests(corpus))
    speed = corpus.nbytes / 1e6 / cpu
    some = texts[: max(1, int(len(texts) * PYTHON_BYTES / corpus.nbytes))]
    python, _ = _best(lambda: [_python_digest(text) for text in some], 2)
    peer = sum(len(text.encode()) for text in some) / 1e6 / python
    return _figure(
        "exact digest", speed / peer, "x", EXACT_BAR, cpu, wall, "NFKC and sha256, MB/s", peer
    )


def _python_digest(text: str) -> str:
    """Case, then punctuation, then white space: what a careful loop does."""
    plain = re.sub(r"[^\w\s]", "", unicodedata.normalize("NFKC", text).casefold())
    return hashlib.sha256(re.sub(r"\s+", " ", plain).strip().encode()).hexdigest()


def _memory(shard: Path, segment: Segment) -> Figure:
    index = sum(path.stat().st_size for path in segment.folder.rglob("*") if path.is_file()) / 2**20
    wall = time.perf_counter()
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    done = subprocess.run(
        [sys.executable, "-c", MEMORY_PROGRAM, str(shard), str(segment.folder)],
        check=True,
        capture_output=True,
        text=True,
    )
    used = float(done.stdout) - index
    cpu = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before
    return Figure(
        "memory beside the index",
        used,
        "MiB",
        "index, MiB",
        index,
        f"<= {MEMORY_BAR:g} MiB",
        used <= MEMORY_BAR,
        cpu,
        time.perf_counter() - wall,
    )
