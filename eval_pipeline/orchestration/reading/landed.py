"""A checkpoint's manifest and generations, read from its folder and held against its marker."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from eval_pipeline.contracts.model import Budget, Contract
from eval_pipeline.ingest.benchmark_files import benchmark_files
from eval_pipeline.ingest.checkpoint import MANIFEST, MARKER, landed_checkpoint
from eval_pipeline.layout import DataRoot, FileRead

if TYPE_CHECKING:
    from eval_pipeline.ingest.generations import GenerationRead
    from eval_pipeline.ingest.manifest import ManifestRead


@dataclass(frozen=True)
class LandedRead:
    """What was read, and from which files below the data root."""

    manifest: "ManifestRead"
    generations: "GenerationRead"
    files: Sequence[FileRead]


def landed_files(root: DataRoot, contract: Contract, checkpoint: str) -> list[Path]:
    """The marker, the manifest and the benchmark's generation files."""
    folder = root.checkpoint(checkpoint)
    return [folder / MARKER, folder / MANIFEST, *benchmark_files(folder, contract.benchmark)]


def read_landed(
    root: DataRoot, contract: Contract, checkpoint: str, item_ids: Sequence[str]
) -> LandedRead:
    """Raises ValueError that names the file which is damaged, or is not what its marker says."""
    from eval_pipeline.ingest.generations import read_generations
    from eval_pipeline.ingest.manifest import read_manifest

    landed = landed_checkpoint(root, checkpoint)
    below = landed.folder.relative_to(root.path).as_posix()
    budget = contract.budget if isinstance(contract.budget, Budget) else None
    try:
        manifest = read_manifest(landed.folder / MANIFEST)
        read = read_generations(
            benchmark_files(landed.folder, contract.benchmark),
            item_ids,
            draws_per_item=budget.draws_per_item if budget else None,
            retried=[status for status, handling in contract.failures if handling == "retry"],
        )
    except ValueError as error:  # the readers know a file by its name
        raise ValueError(f"{below}/{error}") from error
    for file in (manifest.file, *read.files):
        landed.check_bytes(file.path, file.sha256)
    files = [
        FileRead(f"{below}/{file.path}", file.sha256, file.bytes)
        for file in (landed.marker, manifest.file, *read.files)
    ]
    return LandedRead(manifest, read, files)
