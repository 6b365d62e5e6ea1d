"""`python -m eval_pipeline_tests.mutation --sample 200 --seed 1`: which faults no test tells.

First the faults planted by hand, then a sample of all faults of the rooms, each with the tests of
its room that enter the function, the quick ones first. Survivors are printed by name. Exits 1
where a planted fault survives, or fewer than nine in ten of the sample die.
"""

import argparse
import ast
import json
import os
import random
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from queue import SimpleQueue

from eval_pipeline_tests.mutation.entries import ENTRIES
from eval_pipeline_tests.mutation.equivalent import EQUIVALENT
from eval_pipeline_tests.mutation.operators import Mutant, mutants
from eval_pipeline_tests.mutation.trying import Bench, Tried

PROJECT = Path(__file__).resolve().parents[2]
ROOMS = ("statistics", "decision", "warehouse", "judging", "metrics")
BAR = 0.9
QUICK = 3.0  # seconds of processor that a test may take
BUDGET = 10.0  # of all tests on one fault
CONTROL = "eval_pipeline/statistics/intervals.py"  # tried without a fault: its test must pass
CONTROL_TEST = "eval_pipeline_tests/statistics/test_planted_faults.py"
PAGES = "eval_pipeline_tests/documents/test_generated.py"  # it tells a changed column, or choice
DEAD = ("died", "timed out")
Covered = Mapping[str, dict[str, object]]


def all_mutants(rooms: Sequence[str]) -> list[Mutant]:
    """Every fault of the rooms, in the order of their files."""
    return [
        mutant
        for room in rooms
        for path in sorted((PROJECT / "eval_pipeline" / room).rglob("*.py"))
        for mutant in mutants(PROJECT, path)
    ]


def covered(rooms: Sequence[str], kept: Path) -> Covered:
    """Which functions each test of the rooms enters; made once where `kept` holds it already."""
    if not kept.exists():
        folders = [*(f"eval_pipeline_tests/{room}" for room in (*rooms, "golden")), PAGES]
        plugin = ["-p", "eval_pipeline_tests.mutation.covering", f"--covering-out={kept}"]
        call = [sys.executable, "-m", "pytest", "-q", "-n", "0", *plugin, *folders]
        subprocess.run(call, cwd=PROJECT, check=True, stdout=subprocess.DEVNULL)
    told: Covered = json.loads(kept.read_text(encoding="utf-8"))
    return told


def tests_of(mutant: Mutant, told: Covered) -> list[str]:
    """The quick tests that enter the mutant's function, the quickest first.

    Those that enter its module where it stands in no function, those of its room where none does.
    """
    place = _function(mutant)
    within = place or f"{mutant.path}:"
    folder = f"{'/'.join(mutant.path.split('/')[:2])}/".replace("pipeline/", "pipeline_tests/", 1)
    entering = [
        test
        for test, facts in told.items()
        if any(
            str(name) == place or (not place and str(name).startswith(within))
            for name in _listed(facts["functions"])
        )
    ]
    if not entering and place is None:
        entering = [test for test in told if test.startswith((folder, PAGES))]
    picked, spent = [], 0.0
    for seconds, test in sorted((_seconds(told, test), test) for test in entering):
        if spent and (seconds > QUICK or spent + seconds > BUDGET):
            break
        picked.append(test)
        spent += seconds
    return picked


def _seconds(told: Covered, test: str) -> float:
    return float(str(told[test]["seconds"]))


def _listed(value: object) -> list[object]:
    return value if isinstance(value, list) else []


def _function(mutant: Mutant) -> str | None:
    """The innermost function around a mutant's line, as a map of tests names it."""
    tree = ast.parse((PROJECT / mutant.path).read_text(encoding="utf-8"))
    around = [
        min([node.lineno, *(one.lineno for one in node.decorator_list)])
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        and node.body[0].lineno <= mutant.line <= (node.end_lineno or node.lineno)
    ]
    return f"{mutant.path}:{max(around)}" if around else None


def tried(work: Iterable[tuple[Mutant, Sequence[str], float]], workers: int) -> Iterable[Tried]:
    """What became of each fault, in the order given."""
    with tempfile.TemporaryDirectory(prefix="mutation_") as folder:
        benches: SimpleQueue[Bench] = SimpleQueue()
        every = [Bench(PROJECT, Path(folder) / str(i)) for i in range(workers)]
        for bench in every:
            benches.put(bench)

        def one(task: tuple[Mutant, Sequence[str], float]) -> Tried:
            bench = benches.get()
            try:
                return bench.tried(*task)
            finally:
                benches.put(bench)

        control = Mutant(CONTROL, 1, "nothing", "", (PROJECT / CONTROL).read_text("utf-8"))
        try:
            for bench in every:
                if (found := bench.tried(control, [CONTROL_TEST], 300.0)).fate != "survived":
                    raise RuntimeError(f"the control {found.fate}: {CONTROL_TEST} fails by itself")
            with ThreadPoolExecutor(workers) as pool:
                yield from pool.map(one, work)
        finally:
            for bench in every:
                bench.close()


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m eval_pipeline_tests.mutation")
    parser.add_argument("--sample", type=int, default=200, help="faults drawn; 0 for none")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--rooms", nargs="+", choices=ROOMS, default=ROOMS)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--part", default="1/1", help="only this slice of the sample, such as 2/10")
    parser.add_argument("--covering", type=Path, help="keep the map of tests in this file")
    parser.add_argument("--entries", action="store_true", help="only the faults planted by hand")
    asked = parser.parse_args(arguments)
    planted = [(entry.mutant(PROJECT), [entry.test], 300.0) for entry in ENTRIES]
    part, parts = map(int, asked.part.split("/"))
    failed = 0
    if part == 1:
        for entry, result in zip(ENTRIES, tried(planted, asked.workers), strict=True):
            failed += result.fate not in DEAD
            print(f"{result.fate:9} {entry.said} ({entry.path})", flush=True)
    if asked.entries:
        return int(bool(failed))
    every = all_mutants(asked.rooms)
    sample = random.Random(asked.seed).sample(every, min(asked.sample, len(every)))
    mine = [one for one in sample[part - 1 :: parts] if one.key not in EQUIVALENT]
    alike = len(sample[part - 1 :: parts]) - len(mine)
    with tempfile.TemporaryDirectory() as folder:
        told = covered(asked.rooms, asked.covering or Path(folder) / "covering.json")
    work = []
    for mutant in mine:
        tests = tests_of(mutant, told)
        seconds = sum(_seconds(told, test) for test in tests)
        work.append((mutant, tests, 30.0 + 5 * seconds * (1 + os.getloadavg()[0] / 2)))
    fates: Counter[str] = Counter()
    for result in tried(work, asked.workers):
        fates[result.fate] += 1
        if result.fate not in DEAD:
            print(f"{result.fate:9} {result.mutant.name}", flush=True)
    dead = sum(fates[fate] for fate in DEAD)
    print(
        f"{dead} of {len(mine)} died ({dict(fates)}); {alike} more change nothing (equivalent.py)"
    )
    return int(bool(failed) or dead < BAR * len(mine))


if __name__ == "__main__":
    sys.exit(main())
