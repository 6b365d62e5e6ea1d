"""What a number was computed with: recorded beside it, never part of its identity."""

import platform
from functools import cache

RECORDED = (
    "duckdb",
    "eval-pipeline",
    "numba",
    "numpy",
    "pyarrow",
    "scipy",
)


@cache
def package_versions() -> dict[str, str]:
    """Name to version of the packages that numbers pass through, with Python and the machine."""
    from importlib.metadata import PackageNotFoundError, version  # slow to load

    found = {"python": platform.python_version(), "machine": platform.machine()}
    for name in RECORDED:
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            found[name] = "absent"
    return found
