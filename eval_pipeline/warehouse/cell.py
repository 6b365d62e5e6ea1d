"""What is published at once: one table of one contract version, for one checkpoint."""

from dataclasses import dataclass
from pathlib import PurePosixPath

from eval_pipeline.layout import checked_name


@dataclass(frozen=True)
class Cell:
    """The place of a result; `checkpoint` is None for tables of contract scope."""

    table: str
    contract: str
    version: int
    checkpoint: str | None = None

    def __str__(self) -> str:
        where = f"{self.table} of {self.contract} v{self.version}"
        return where if self.checkpoint is None else f"{where}, checkpoint {self.checkpoint}"

    @property
    def folder(self) -> PurePosixPath:
        """Where its parts lie, below `tables/`.

        Raises ValueError for a name that may not become a folder.
        """
        folder = version_folder(self.table, self.contract, self.version)
        if self.checkpoint is None:
            return folder
        return folder / f"checkpoint={checked_name(self.checkpoint, 'checkpoint')}"

    @property
    def sort_key(self) -> tuple[str, str, int, str]:
        return (self.table, self.contract, self.version, self.checkpoint or "")


def version_folder(table: str, contract: str, version: int) -> PurePosixPath:
    """Where all cells of a table lie under one contract version, below `tables/`."""
    if version < 1:
        raise ValueError(f"contract {contract}: version {version} is below 1")
    home = f"contract={checked_name(contract, 'contract')}"
    return PurePosixPath(checked_name(table, "table"), home, f"version={version}")


@dataclass(frozen=True)
class TableRef:
    """One state of a cell: what an input really was."""

    table: str
    contract: str
    version: int
    checkpoint: str | None
    digest: str

    @property
    def cell(self) -> Cell:
        return Cell(self.table, self.contract, self.version, self.checkpoint)
