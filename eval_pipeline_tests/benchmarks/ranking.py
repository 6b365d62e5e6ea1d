"""Bradley-Terry of 200 models and 2,000,000 battles from Parquet, beside three peers.

Every contestant runs in a process of its own with one BLAS thread. The peers need an environment
of their own: EVAL_PIPELINE_PEER_PYTHON names its interpreter; without it one is made in a
temporary folder and `PEERS` are installed into it. A peer that cannot run is said and left out.
"""

import json
import os
import resource
import subprocess
import sys
import tempfile
import time
import venv
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from eval_pipeline.statistics.randomness import generator
from eval_pipeline_tests.benchmarks.figure import Figure

PEER_VARIABLE = "EVAL_PIPELINE_PEER_PYTHON"
PEERS = ("evalica==0.4.2", "arena-rank==0.1.1", "pandas", "pyarrow", "scipy")
PEER_SCRIPT = Path(__file__).parent / "peers" / "ranking.py"
TIMES_AS_FAST = {"evalica": 6.0, "arena-rank": 35.0, "pandas": 3.0}
MODELS, BATTLES, PROMPTS = 200, 2_000_000, 20_000
EXACT, ONE_STEP = 100, 1000
EXACT_BAR, ONE_STEP_BAR, MEMORY_BAR = 0.9, 0.6, 700  # CPU seconds, CPU seconds, MB
ELO_BAR = 0.02
TURNS = 3
MEANING = {"model_a": 1.0, "model_b": 0.0, "tie": 0.5}
ENVIRONMENT = {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1", "MKL_NUM_THREADS": "1"}


def measure() -> Iterator[Figure]:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "battles.parquet"
        write_battles(path)
        ours = _child([sys.executable, "-m", __spec__.name, str(path)])
        python = os.environ.get(PEER_VARIABLE) or _peer_python(Path(folder) / "peers")
        for peer, bar in TIMES_AS_FAST.items():
            turns = str(1 if peer == "arena-rank" else TURNS)
            theirs = _child([python, str(PEER_SCRIPT), peer, str(path), turns])
            if theirs is None:
                print(f"{peer} cannot run here and is left out", file=sys.stderr)
                continue
            yield from _beside(peer, bar, ours, theirs)
    for name, bar in (("exact", EXACT_BAR), ("one_step", ONE_STEP_BAR)):
        number = {"exact": EXACT, "one_step": ONE_STEP}[name]
        spent = ours[name]
        yield Figure(
            f"ranking: {number} {name} prompt replicates",
            spent["cpu"],
            "s CPU",
            "the fit alone, s CPU",
            ours["cpu"],
            f"<= {bar:g} s CPU",
            spent["cpu"] <= bar,
            spent["cpu"],
            spent["wall"],
        )
    yield Figure(
        "ranking: peak memory of all of it",
        ours["peak_mb"],
        "MB",
        "",
        None,
        f"<= {MEMORY_BAR} MB",
        ours["peak_mb"] <= MEMORY_BAR,
        ours["cpu"],
        ours["wall"],
    )


def write_battles(path: Path) -> None:
    """Battles whose prompts favour models of their own, with 15 % ties."""
    rng = generator(1, "benchmark", "ranking")
    theta = rng.normal(0, 1, MODELS)
    one = rng.integers(0, MODELS, BATTLES)
    two = (one + rng.integers(1, MODELS, BATTLES)) % MODELS
    prompt = rng.integers(0, PROMPTS, BATTLES)
    own = rng.normal(0, 0.5, (PROMPTS, MODELS)) + theta
    won = rng.random(BATTLES) < 1 / (1 + np.exp(own[prompt, two] - own[prompt, one]))
    winner = np.where(won, "model_a", "model_b")
    winner[rng.random(BATTLES) < 0.15] = "tie"
    names = np.array([f"model-{k:03}" for k in range(MODELS)])
    columns = {"model_a": names[one], "model_b": names[two], "winner": winner, "prompt": prompt}
    pq.write_table(pa.table(columns), path)


def _beside(
    peer: str, bar: float, ours: dict[str, Any], theirs: dict[str, Any]
) -> Iterator[Figure]:
    ratio = theirs["wall"] / ours["wall"]
    yield Figure(
        f"ranking: fit from Parquet, times as fast as {peer}",
        ratio,
        "x",
        f"{peer} s (cpu {theirs['cpu']:.2f})",
        theirs["wall"],
        f">= {bar:g} x",
        ratio >= bar,
        ours["cpu"],
        ours["wall"],
    )
    apart = max(abs(ours["theta"][m] - value) for m, value in theirs["theta"].items())
    elo = 400 / np.log(10) * apart
    yield Figure(
        f"ranking: farthest model from {peer}",
        elo,
        "Elo",
        "",
        None,
        f"<= {ELO_BAR:g} Elo",
        bool(elo <= ELO_BAR),
        ours["cpu"],
        ours["wall"],
    )


def _ours(path: Path) -> dict[str, Any]:
    from eval_pipeline.ranking.bootstrap import cluster_replicates
    from eval_pipeline.ranking.bradley_terry import fit_bradley_terry
    from eval_pipeline.ranking.parquet import BattleColumns, battles_of_parquet, counts_of_parquet
    from eval_pipeline.ranking.uncertainty import cluster_covariance

    columns = BattleColumns("model_a", "model_b", "winner", "prompt")

    def spent(work: Any, turns: int) -> tuple[dict[str, float], Any]:
        times, found = [], None
        for _ in range(turns):
            found = None  # a turn's result is not held through the next
            wall, cpu = time.perf_counter(), time.process_time()
            found = work()
            times.append((time.perf_counter() - wall, time.process_time() - cpu))
        return dict(zip(("wall", "cpu"), min(times), strict=True)), found

    fit_time, fit = spent(
        lambda: fit_bradley_terry(counts_of_parquet(path, columns, MEANING)), TURNS
    )
    battles = battles_of_parquet(path, columns, MEANING)
    # The influence of each prompt is part of one-step replicates, and a start for exact ones.
    exact, _ = spent(
        lambda: cluster_replicates(
            fit,
            battles,
            cluster_covariance(fit, battles),
            EXACT,
            generator(1, "replicates"),
            exact=True,
        ),
        TURNS,
    )
    one_step, _ = spent(
        lambda: cluster_replicates(
            fit, battles, cluster_covariance(fit, battles), ONE_STEP, generator(1, "replicates")
        ),
        TURNS,
    )
    return {
        **fit_time,
        "theta": dict(zip(fit.models, fit.theta.tolist(), strict=True)),
        "exact": exact,
        "one_step": one_step,
        "peak_mb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024 / 1e6,
    }


def _child(command: list[str]) -> Any:
    """What the child printed; None where it failed."""
    environment = {**os.environ, **ENVIRONMENT}
    run = subprocess.run(command, env=environment, text=True, check=False, stdout=subprocess.PIPE)
    return json.loads(run.stdout) if run.returncode == 0 else None


def _peer_python(folder: Path) -> str:
    venv.create(folder, with_pip=True)
    python = folder / "bin" / "python"
    for peer in PEERS:  # one by one, so that one that is not to be had does not lose the others
        subprocess.run([python, "-m", "pip", "install", "-q", peer], check=False)
    return str(python)


if __name__ == "__main__":
    print(json.dumps(_ours(Path(sys.argv[1]))))
