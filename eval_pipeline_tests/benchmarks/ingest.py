"""Ingest of a 200 MB file of generations with full accounting, beside pandas.read_json.

Each reading runs in a process of its own, in turns, so that its peak memory is its own and a
busy machine slows both alike. Speed is of CPU time, without imports.
"""

import json
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from statistics import median

from eval_pipeline.statistics.randomness import generator
from eval_pipeline_tests.benchmarks.figure import Figure

BYTES = 200_000_000
DRAWS = 8
TURNS = 3
WORDS = ["apple", "river", "stone", "count", "twelve", "because", "therefore", "and", "the", "of"]
WORDS += ["“quoted”", "naïve", "total:", "=", "42", "\n"]


def measure() -> Iterator[Figure]:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "b.jsonl"
        n_rows = write_generations(path, BYTES)
        turns = [(_in_child("ours", path), _in_child("pandas", path)) for _ in range(TURNS)]
    rows = {run["rows"] for turn in turns for run in turn}
    if rows != {n_rows}:
        raise ValueError(f"{n_rows} rows were written, {sorted(rows)} were read")
    ours, theirs = (
        {key: median(turn[side][key] for turn in turns) for key in ("cpu", "wall", "peak_mib")}
        for side in (0, 1)
    )
    speed = theirs["cpu"] / ours["cpu"]
    share = ours["peak_mib"] / theirs["peak_mib"]
    megabytes = BYTES / 1e6
    yield Figure(
        name="ingest: speed, share of the peer's",
        value=speed,
        unit="x",
        peer="pandas.read_json MB/s",
        peer_value=megabytes / theirs["cpu"],
        bar=">= 0.8 x",
        held=speed >= 0.8,
        cpu_seconds=ours["cpu"],
        wall_seconds=ours["wall"],
    )
    yield Figure(
        name="ingest: peak memory, share of the peer's",
        value=share,
        unit="x",
        peer="pandas.read_json MiB",
        peer_value=theirs["peak_mib"],
        bar="<= 1/3",
        held=share <= 1 / 3,
        cpu_seconds=ours["cpu"],
        wall_seconds=ours["wall"],
    )


def write_generations(path: Path, size: int) -> int:
    """Writes rows with every ordinary key until the file has `size` bytes; returns their number."""
    rng = generator(20260101, "benchmark", "ingest")
    texts = [json.dumps(" ".join(rng.choice(WORDS, rng.integers(20, 140)))) for _ in range(2000)]
    written = rows = 0
    with path.open("w", encoding="utf-8", newline="\n") as file:
        while written < size:
            line = (
                f'{{"item_id": "{item_id(rows // DRAWS)}", "draw": {rows % DRAWS}, '
                f'"text": {texts[rows % len(texts)]}, "attempt": 1, "status": "ok", '
                f'"finish_reason": "stop", "tokens_in": {61 + rows % 7}, '
                f'"tokens_out": {rows % 300}, "latency_ms": {rows % 999 + 0.125}, '
                f'"cost_usd": 0.0001, "confidence": {rows % 100 / 100}}}\n'
            )
            file.write(line)
            written += len(line)
            rows += 1
    return rows


def item_id(number: int) -> str:
    return f"aw-{number:06d}"


def read_once(reader: str, path: Path) -> dict[str, float]:
    """Reads the file in this process: rows, CPU and wall seconds, peak memory in MiB."""
    if reader == "ours":
        from eval_pipeline.ingest.generations import read_generations

        items = [item_id(number) for number in range(100_000)]
        cpu, wall = time.process_time(), time.perf_counter()
        read = read_generations([path], items)
        (account,) = read.ingest_files.to_pylist()
        rows = account["accepted"] + account["rejected"]
    else:
        import pandas as pd

        cpu, wall = time.process_time(), time.perf_counter()
        rows = len(pd.read_json(path, lines=True))
    return {
        "rows": rows,
        "cpu": time.process_time() - cpu,
        "wall": time.perf_counter() - wall,
        "peak_mib": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
    }


def _in_child(reader: str, path: Path) -> dict[str, float]:
    command = [sys.executable, "-m", __name__, reader, str(path)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    measured: dict[str, float] = json.loads(done.stdout)
    return measured


if __name__ == "__main__":
    print(json.dumps(read_once(sys.argv[1], Path(sys.argv[2]))))
