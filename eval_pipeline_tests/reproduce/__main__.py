"""Published numbers against ours: `python -m eval_pipeline_tests.reproduce [NAME ...]`.

Reads the real public data (EVAL_PIPELINE_REFERENCE_DATA, else ../shared/data).
"""

import importlib
import pkgutil
import sys
from collections.abc import Sequence

import eval_pipeline_tests.reproduce as room

NOT_REPRODUCTIONS = {"__main__", "row"}


def names() -> list[str]:
    """The reproductions that there are."""
    found = (m.name for m in pkgutil.iter_modules(room.__path__))
    return sorted(name for name in found if name not in NOT_REPRODUCTIONS)


def main(arguments: Sequence[str]) -> int:
    """A row a number, then the module's table if it has one.

    Exit code 1 where one is off, 2 for a name that there is not.
    """
    if unknown := sorted(set(arguments) - set(names())):
        known = ", ".join(names())
        print(f"no reproduction {', '.join(unknown)}; there are {known}", file=sys.stderr)
        return 2
    off = 0
    print(f"{'name':<52} {'published':>12} {'ours':>12} {'difference':>12} {'allowed':>10}")
    for name in arguments or names():
        module = importlib.import_module(f"eval_pipeline_tests.reproduce.{name}")
        for row in module.rows():
            wrong = not abs(row.difference) <= row.allowed
            off += wrong
            print(
                f"{row.name:<52} {row.published:>12.6g} {row.ours:>12.6g} "
                f"{row.difference:>12.3g} {row.allowed:>10.3g}{'  OFF' if wrong else ''}",
                flush=True,
            )
            for note in row.notes:
                print(f"    {note}", flush=True)
        if hasattr(module, "table"):
            print("", *module.table(), "", sep="\n")
    print(f"{off} off" if off else "all within what is allowed")
    return 1 if off else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
