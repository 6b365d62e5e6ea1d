"""Which files of a checkpoint folder hold the generations of a benchmark.

`<benchmark>.jsonl`, `.jsonl.gz` or `.parquet` is the base; `<benchmark>.part-<n>` with one of the
same endings is a top-up. Planning asks this of every checkpoint: names only, nothing is opened.
"""

import re
from collections.abc import Sequence
from pathlib import Path

ENDINGS = (".jsonl", ".jsonl.gz", ".parquet")


def benchmark_files(folder: Path, benchmark: str) -> list[Path]:
    """The base file, then the top-ups by number; none where the folder is not there."""
    endings = "|".join(map(re.escape, ENDINGS))
    form = re.compile(rf"{re.escape(benchmark)}(?:\.part-([0-9]{{1,9}}))?(?:{endings})")
    found = []
    for path in folder.iterdir() if folder.is_dir() else ():
        if named := form.fullmatch(path.name):
            part = -1 if named[1] is None else int(named[1])
            found.append((part, path.name, path))
    return [path for _, _, path in sorted(found)]


def check_forms(files: Sequence[Path]) -> None:
    """Raises ValueError where one file is there in two forms: its rows would count twice."""
    by_stem: dict[str, str] = {}
    for path in files:
        stem = path.name
        for ending in sorted(ENDINGS, key=len, reverse=True):
            stem = stem.removesuffix(ending)
        if stem in by_stem:
            raise ValueError(
                f"{by_stem[stem]} and {path.name} are one file in two forms: keep one of them"
            )
        by_stem[stem] = path.name
