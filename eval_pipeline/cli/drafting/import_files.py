"""The files that an import is given: by their names, told apart, with their digests."""

import glob
import hashlib
import shutil
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import click

from eval_pipeline.ingest.lines import open_regular
from eval_pipeline.ingest.peers.sources import files_below

BLOCK_BYTES = 1 << 20
STANDARD_INPUT = "-"


@contextmanager
def given_files(given: Sequence[str]) -> Iterator[list[Path]]:
    """The files that are meant: by name, by pattern, below a folder, or what is piped in.

    Raises ValueError where there is none.
    """
    with tempfile.TemporaryDirectory() as folder:
        paths: list[Path] = []
        for one in given:
            if one == STANDARD_INPUT:
                paths.append(_piped(Path(folder)))
            elif Path(one).exists():
                paths.append(Path(one))
            elif found := sorted(glob.glob(one, recursive=True)):
                paths += map(Path, found)
            else:
                raise click.BadParameter(f"{one!r} does not exist", param_hint="PATHS")
        files = list(dict.fromkeys(file for path in paths for file in files_below(path)))
        if not files:
            raise ValueError(f"{', '.join(given)} holds no file")
        yield files


def _piped(folder: Path) -> Path:
    """What is piped in, as a file: forms are told by a first look, and read by a second."""
    path = folder / "stdin"
    with path.open("wb") as file:
        shutil.copyfileobj(sys.stdin.buffer, file)
    return path


def told_apart(files: Sequence[Path]) -> dict[str, Path]:
    """The files by their names, with as many folders before them as tell them apart."""
    deepest = max(len(file.absolute().parts) for file in files)
    for length in range(1, deepest + 1):
        named = {"/".join(file.absolute().parts[-length:]): file for file in files}
        if len(named) == len(files):
            break
    return named


def digest_of(path: Path) -> str:
    digest = hashlib.sha256()
    with open_regular(path) as file:
        while block := file.read(BLOCK_BYTES):
            digest.update(block)
    return digest.hexdigest()
