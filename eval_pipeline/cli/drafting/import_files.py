"""The files that an import is given: by their names, told apart, with their digests."""

import hashlib
from collections.abc import Sequence
from pathlib import Path

from eval_pipeline.ingest.lines import open_regular

BLOCK_BYTES = 1 << 20


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
