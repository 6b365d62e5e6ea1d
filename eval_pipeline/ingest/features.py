"""Files of features that lie beside rows too many to hold them: an array, a row an image.

`<benchmark>.features.npy` (or `.parquet`, or `.features-<n>` of them) beside a checkpoint's
generations, `features.npy` beside a benchmark's items. A row of generations or items names file
and row: {"file": "images.features.npy", "row": 17}.
"""

import hashlib
import re
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from numpy.typing import NDArray

from eval_pipeline.ingest.excerpts import printable, shown_name
from eval_pipeline.ingest.lines import BLOCK_BYTES, open_regular
from eval_pipeline.layout import FileRead

MOST_NUMBERS = 400_000_000  # in one file: 50,000 images of 2,048 features are a quarter of it
COLUMN = "features"  # of a Parquet file: a list of numbers a row


def feature_files(folder: Path, benchmark: str = "") -> list[Path]:
    """The files of features in a folder, by name; benchmark: that of a checkpoint's files."""
    stem = f"{re.escape(benchmark)}\\." if benchmark else ""
    form = re.compile(rf"{stem}features(-[0-9]{{1,9}})?\.(npy|parquet)")
    found = folder.iterdir() if folder.is_dir() else ()
    return sorted(path for path in found if form.fullmatch(path.name))


def read_features(path: Path) -> tuple[NDArray[Any], FileRead]:
    """Numbers of shape (images, features), and the evidence under the file's own name.

    A .npy file stays on disk and is mapped. Raises ValueError that names the file where it is a
    link, is damaged, holds objects or anything but such numbers, or more of them than fit.
    """
    digest, size = hashlib.sha256(), 0
    with open_regular(path) as file:
        while block := file.read(BLOCK_BYTES):
            digest.update(block)
            size += len(block)
    read = FileRead(path.name, digest.hexdigest(), size)
    try:
        found = _from_parquet(path) if path.suffix == ".parquet" else _from_npy(path)
    except (pa.ArrowException, OSError, EOFError, ValueError) as error:
        raise ValueError(f"{shown_name(path)}: {printable(str(error), 200)}") from error
    return found, read


def _from_npy(path: Path) -> NDArray[Any]:
    found: NDArray[Any] = np.load(path, mmap_mode="r", allow_pickle=False)
    _check(found.shape, found.dtype.kind in "iuf")
    return found


def _from_parquet(path: Path) -> NDArray[Any]:
    file = pq.ParquetFile(path)
    schema = file.schema_arrow
    if schema.names != [COLUMN] or not _is_list_of_numbers(schema.field(COLUMN).type):
        raise ValueError(f"must have one column, {COLUMN}, of lists of numbers")
    metadata = file.metadata
    unpacked = sum(metadata.row_group(i).total_byte_size for i in range(metadata.num_row_groups))
    if unpacked > 8 * MOST_NUMBERS:
        raise ValueError(f"unpacks to {unpacked} bytes: split it into several files")
    column = pq.read_table(path)[COLUMN].combine_chunks()
    sizes = np.asarray(pa.compute.list_value_length(column).to_numpy(zero_copy_only=False))
    if not len(sizes) or column.null_count or (sizes != sizes[0]).any():
        raise ValueError("must hold lists of one length, one a row")
    flat = column.flatten().to_numpy(zero_copy_only=False)
    found: NDArray[Any] = flat.reshape(len(sizes), int(sizes[0]))
    _check(found.shape, found.dtype.kind in "iuf")
    return found


def _is_list_of_numbers(kind: pa.DataType) -> bool:
    if not (pa.types.is_list(kind) or pa.types.is_fixed_size_list(kind)):
        return False
    return bool(pa.types.is_floating(kind.value_type) or pa.types.is_integer(kind.value_type))


def _check(shape: tuple[int, ...], are_numbers: bool) -> None:
    if len(shape) != 2 or 0 in shape or not are_numbers:
        raise ValueError(f"must hold numbers, images x features, got shape {shape}")
    if shape[0] * shape[1] > MOST_NUMBERS:
        raise ValueError(f"holds {shape[0]} x {shape[1]} numbers: split it into several files")
