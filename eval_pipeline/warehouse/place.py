"""What is published at once: one table of one contract version, for one checkpoint."""

from dataclasses import dataclass
from pathlib import PurePosixPath

from eval_pipeline.layout import checked_name


@dataclass(frozen=True)
class Place:
    """The place of a result; `checkpoint` is None for tables of contract scope."""

    table: str
    contract: str
    version: int
    checkpoint: str | None = None

    def __str__(self) -> str:
        where = f"{self.table} of {self.contract} v{self.version}"
        return where if self.checkpoint is None else f"{where}, checkpoint {self.checkpoint}"

    def checked(self) -> "Place":
        """Itself; raises ValueError for a name that may not become a folder."""
        checked_name(self.table, "table")
        checked_name(self.contract, "contract")
        if self.version < 1:
            raise ValueError(f"contract {self.contract}: version {self.version} is below 1")
        if self.checkpoint is not None:
            checked_name(self.checkpoint, "checkpoint")
        return self

    @property
    def folder(self) -> PurePosixPath:
        """Where its parts lie, below `tables/`; else as `checked`."""
        place = self.checked()
        levels = [place.table, f"contract={place.contract}", f"version={place.version}"]
        if place.checkpoint is not None:
            levels.append(f"checkpoint={place.checkpoint}")
        return PurePosixPath(*levels)

    @property
    def sort_key(self) -> tuple[str, str, int, str]:
        return (self.table, self.contract, self.version, self.checkpoint or "")


@dataclass(frozen=True)
class TableRef:
    """One state of a place: what an input really was."""

    table: str
    contract: str
    version: int
    checkpoint: str | None
    digest: str

    @property
    def place(self) -> Place:
        return Place(self.table, self.contract, self.version, self.checkpoint)
