"""Measures every figure, one line each: `python -m eval_pipeline_tests.benchmarks [NAME ...]`."""

import importlib
import pkgutil
import sys
from collections.abc import Sequence

import eval_pipeline_tests.benchmarks as room
from eval_pipeline_tests.benchmarks.figure import Figure

NOT_BENCHMARKS = {"__main__", "figure", "installed_texts", "planted_suite"}


def names() -> list[str]:
    """The benchmarks that there are."""
    found = (module.name for module in pkgutil.iter_modules(room.__path__) if not module.ispkg)
    return sorted(name for name in found if name not in NOT_BENCHMARKS)


def line(figure: Figure) -> str:
    """Name, value, unit, peer or floor of the same run, bar, held or missed, CPU beside wall."""
    peer = f"{figure.peer} {figure.peer_value:.4g}" if figure.peer_value is not None else "-"
    verdict = "held" if figure.held else "MISSED"
    return (
        f"{figure.name:<44} {figure.value:>10.4g} {figure.unit:<10} peer: {peer:<28} "
        f"bar: {figure.bar:<16} {verdict:<7} cpu {figure.cpu_seconds:.2f} s "
        f"wall {figure.wall_seconds:.2f} s"
    )


def main(arguments: Sequence[str]) -> int:
    """Exit code 1 where a bar is missed, 2 for an unknown name."""
    if unknown := sorted(set(arguments) - set(names())):
        print(f"no benchmark {', '.join(unknown)}; there are {', '.join(names())}", file=sys.stderr)
        return 2
    missed = 0
    for name in arguments or names():
        module = importlib.import_module(f"eval_pipeline_tests.benchmarks.{name}")
        for figure in module.measure():
            print(line(figure), flush=True)
            missed += not figure.held
    print(f"{missed} missed" if missed else "all bars held")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
