"""The whole product on a copy of the bundled data, each command in a process of its own."""

import json
import os
import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from eval_pipeline.ingest.checkpoint import write_success
from eval_pipeline.layout import DataRoot
from eval_pipeline.orchestration.chain import aggregates, stage_of_table
from eval_pipeline_tests.benchmarks.figure import Figure
from eval_pipeline_tests.integration.command import PROJECT, START, environment

TURNS = 3
NEWCOMER = "heron@step3000"
QUERY = "SELECT count(*) FROM metric_estimates"
QUICK = (  # command, seconds
    (("--help",), 0.5),
    (("ls",), 1.0),
    (("plan",), 1.0),
    (("query", QUERY), 1.0),
)


@dataclass(frozen=True)
class Measured:
    """A command's output, and what it took."""

    out: str
    cpu: float
    wall: float
    peak_gib: float


def measure() -> Iterator[Figure]:
    with tempfile.TemporaryDirectory() as folder:
        root = DataRoot(Path(folder) / "data")
        shutil.copytree(PROJECT / "data", root.path, ignore=shutil.ignore_patterns("warehouse"))
        first = measured(root, "run", "--json")
        yield _figure("run from an empty warehouse, CPU", first.cpu, "s", 60, first)
        yield _figure("run from an empty warehouse, peak memory", first.peak_gib, "GiB", 1.5, first)
        second = measured(root, "run", "--json")
        yield _figure("a second run", second.wall, "s", 5, second)
        again = len(cells_run(second))
        yield _figure("a second run, cells computed", again, "cells", 0, second)
        for arguments, seconds in QUICK:
            turns = [measured(root, *arguments) for _ in range(TURNS)]
            best = min(turns, key=lambda one: one.wall)
            yield _figure(f"eval-pipeline {arguments[0]}", best.wall, "s", seconds, best)
        land_newcomer(root)
        third = measured(root, "run", "--json")
        strangers = [cell for cell in cells_run(third) if not belongs_to_newcomer(cell)]
        yield _figure("a new checkpoint, cells run", len(cells_run(third)), "cells", None, third)
        yield _figure("a new checkpoint, other cells run", len(strangers), "cells", 0, third)


def measured(root: DataRoot, *arguments: str) -> Measured:
    """Runs the command; raises RuntimeError with what it said where it fails."""
    with tempfile.TemporaryFile("w+") as out, tempfile.TemporaryFile("w+") as err:
        started = time.perf_counter()
        child = subprocess.Popen(
            [*START, *arguments], env=environment(root), stdout=out, stderr=err, text=True
        )
        _, status, used = os.wait4(child.pid, 0)
        wall = time.perf_counter() - started
        child.returncode = os.waitstatus_to_exitcode(status)
        if child.returncode:
            err.seek(0)
            raise RuntimeError(f"eval-pipeline {' '.join(arguments)} failed: {err.read()[-2000:]}")
        out.seek(0)
        peak = used.ru_maxrss / 2**20  # ru_maxrss is in KiB
        return Measured(out.read(), used.ru_utime + used.ru_stime, wall, peak)


def cells_run(run: Measured) -> Sequence[str]:
    """The cells that a run computed, or looked at and found unchanged."""
    outcome = json.loads(run.out)
    return [*outcome["computed"], *outcome["unchanged"]]


def land_newcomer(root: DataRoot) -> None:
    """A checkpoint more: the answers of the last one, a month later."""
    folder = root.checkpoint(NEWCOMER)
    shutil.copytree(root.checkpoint("heron@step2000"), folder)
    manifest = folder / "checkpoint.yaml"
    text = manifest.read_text(encoding="utf-8")
    manifest.write_text(text.replace("date: 2026-02-23", "date: 2026-03-23"), encoding="utf-8")
    write_success(folder)


def belongs_to_newcomer(cell: str) -> bool:
    """Whether this is a cell of the new checkpoint, or an aggregate that rests on it."""
    _, stage, *rest = cell.split(" ")
    if rest:
        return rest[-1] == NEWCOMER
    return aggregates(next(one for one in stage_of_table().values() if one.name == stage))


def _figure(name: str, value: float, unit: str, bar: float | None, run: Measured) -> Figure:
    return Figure(
        name=f"pipeline: {name}",
        value=value,
        unit=unit,
        peer="",
        peer_value=None,
        bar="-" if bar is None else f"<= {bar:g} {unit}",
        held=bar is None or value <= bar,
        cpu_seconds=run.cpu,
        wall_seconds=run.wall,
    )
