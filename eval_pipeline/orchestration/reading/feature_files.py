"""The files of features that rows of items and generations name, read when they are asked for."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from eval_pipeline.contracts.model import Contract
from eval_pipeline.ingest.checkpoint import landed_checkpoint
from eval_pipeline.layout import DataRoot, FileRead
from eval_pipeline.orchestration.stage import StageInputs

if TYPE_CHECKING:
    from numpy.typing import NDArray


class FeatureFiles:
    """Reads each file once, and keeps what was read as evidence."""

    def __init__(self, inputs: StageInputs) -> None:
        self._inputs = inputs
        self._known = {
            (table, path.name): path
            for table, paths in _by_table(inputs.root, inputs.contract, inputs.checkpoint).items()
            for path in paths
        }
        self._arrays: dict[tuple[str, str], NDArray[Any]] = {}
        self.files: list[FileRead] = []

    def __call__(self, table: str, name: str) -> "NDArray[Any]":
        """The array behind a name; ValueError where no such file lies beside the rows."""
        from eval_pipeline.ingest.features import read_features

        if (table, name) not in self._known:
            there = sorted(file for owner, file in self._known if owner == table)
            raise ValueError(
                f"{name!r:.80} is no file of features beside the {table}: "
                + (f"there are {', '.join(there)}" if there else "there is none")
            )
        if (table, name) not in self._arrays:
            path = self._known[table, name]
            self._arrays[table, name], read = read_features(path)
            if table == "generations":
                landed = landed_checkpoint(self._inputs.root, self._inputs.checkpoint or "")
                landed.check_bytes(read.path, read.sha256)
            below = path.relative_to(self._inputs.root.path).as_posix()
            self.files.append(FileRead(below, read.sha256, read.bytes))
        return self._arrays[table, name]


def files_of(root: DataRoot, contract: Contract, checkpoint: str | None) -> Sequence[Path]:
    """All that rows could name, where a metric of the contract reads features at all."""
    found = _by_table(root, contract, checkpoint) if _wanted(contract) else {}
    return [path for paths in found.values() for path in paths]


def _by_table(
    root: DataRoot, contract: Contract, checkpoint: str | None
) -> dict[str, Sequence[Path]]:
    from eval_pipeline.ingest.features import feature_files

    folder = root.checkpoint(checkpoint or "")
    return {
        "generations": feature_files(folder, contract.benchmark),
        "items": feature_files(root.items(contract.task.benchmark).parent),
    }


def _wanted(contract: Contract) -> bool:
    from eval_pipeline.metrics.registry import asked
    from eval_pipeline.orchestration import terms

    metrics = (asked(label).metric for label in terms.from_columns(contract))
    return any(column.kind == "features" for one in metrics for column in one.columns)
