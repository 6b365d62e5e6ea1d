"""From a sample to its raw line on disk, read again."""

import gzip
import json
from dataclasses import dataclass
from pathlib import Path

from eval_pipeline.layout import DataRoot
from eval_pipeline.warehouse.digest import file_digest
from eval_pipeline.warehouse.errors import NotMaterialised
from eval_pipeline.warehouse.store import Warehouse

LONGEST_LINE = 64 << 20  # bytes; ingest takes no longer ones


@dataclass(frozen=True)
class RawLine:
    """The line that a sample came from, as it lies on disk today.

    `path` is below the data root; `line` counts from 1; `byte_offset` counts in the unpacked
    file and is None in Parquet, where `raw` is the row as JSON. `sha256` is the file's digest
    now, `sha256_read` the one in lineage, None where no record tells.
    """

    path: str
    line: int
    byte_offset: int | None
    raw: bytes
    sha256: str
    sha256_read: str | None

    @property
    def changed(self) -> bool:
        """Whether the file is known not to be the one that was read."""
        return self.sha256_read is not None and self.sha256 != self.sha256_read


def raw_line(
    warehouse: Warehouse,
    root: DataRoot,
    contract: str,
    version: int,
    checkpoint: str,
    item_id: str,
    draw: int,
) -> RawLine:
    """The raw line of one sample of `generations`.

    Raises NotMaterialised where there is no such sample, FileNotFoundError where its file is
    gone, ValueError where the file lies outside the checkpoint's folder.
    """
    import pyarrow.compute as pc

    stored = warehouse.read("generations", contract, version, checkpoint=checkpoint)
    samples = stored.table(["item_id", "draw", "file", "line", "byte_offset"])
    is_it = pc.and_(pc.equal(samples["item_id"], item_id), pc.equal(samples["draw"], draw))
    found = samples.filter(is_it).to_pylist()
    if not found:
        raise NotMaterialised(
            f"generations of {contract} v{version}, checkpoint {checkpoint} has no item "
            f"{item_id!r} with draw {draw}"
        )
    sample = found[0]
    path = _inside(root.checkpoint(checkpoint), sample["file"])
    name = path.relative_to(root.path.resolve()).as_posix()
    digest, _ = file_digest(path)
    history, record_id = warehouse.history(), stored.pointers[0].record
    files = history[record_id].inputs.files if record_id in history else ()
    read = {file.path: file.sha256 for file in files}
    return RawLine(
        name,
        sample["line"],
        sample["byte_offset"],
        _read(path, sample["line"], sample["byte_offset"]),
        digest,
        read.get(name),
    )


def _inside(folder: Path, file: str) -> Path:
    """The file of a checkpoint folder; its name comes from data, so it may say `..`."""
    path = (folder / file).resolve()
    if not path.is_relative_to(folder.resolve()):
        raise ValueError(f"{file!r} lies outside {folder}: it is not read")
    if not path.is_file():
        raise FileNotFoundError(f"{path} is gone: put the checkpoint's files back to see the line")
    return path


def _read(path: Path, line: int, byte_offset: int | None) -> bytes:
    if byte_offset is None:
        return _parquet_row(path, line - 1)
    with gzip.open(path) if path.suffix == ".gz" else open(path, "rb") as file:
        file.seek(byte_offset)
        return file.readline(LONGEST_LINE).rstrip(b"\r\n")


def _parquet_row(path: Path, row: int) -> bytes:
    import pyarrow.parquet as pq

    with pq.ParquetFile(path) as file:
        for group in range(file.num_row_groups):
            rows = file.metadata.row_group(group).num_rows
            if row < rows:
                (found,) = file.read_row_group(group).slice(row, 1).to_pylist()
                return json.dumps(found, ensure_ascii=False, default=str).encode()
            row -= rows
    raise ValueError(f"{path} has no row {row + 1}: it is not the file that was read")
