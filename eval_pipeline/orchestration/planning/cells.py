"""A cell of the warehouse, and the key that says whether it must be computed again.

The key covers what may change a number: the contract's identity, the stage's version and
instruments, the digests of the tables read and of the raw files. Package versions are recorded
in lineage, not keyed.
"""

import hashlib
import json
import stat
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from eval_pipeline.contracts.model import Contract
from eval_pipeline.layout import DataRoot, FileRead
from eval_pipeline.orchestration.stage import Stage
from eval_pipeline.warehouse.cache import sealed, unsealed
from eval_pipeline.warehouse.durable import write_file

ABSENT = "absent"


@dataclass(frozen=True)
class Cell:
    """One stage under one contract version, for one checkpoint where it is per checkpoint."""

    contract: str
    version: int
    stage: str
    checkpoint: str | None = None

    @property
    def home(self) -> tuple[str, int]:
        """The contract version."""
        return self.contract, self.version

    def __str__(self) -> str:
        tail = f" of {self.checkpoint}" if self.checkpoint else ""
        return f"{self.contract}/v{self.version} {self.stage}{tail}"


@dataclass(frozen=True)
class ActiveContract:
    """A contract version that is to be evaluated, with the identity of its results.

    targets: checkpoints, by (date, name). gone: those with results of it that are no longer
    complete on disk, by name.
    """

    contract: Contract
    identity: str
    targets: tuple[str, ...]
    gone: tuple[str, ...] = ()

    @property
    def home(self) -> tuple[str, int]:
        return self.contract.contract, self.contract.version


@dataclass(frozen=True)
class Published:
    """What the warehouse holds for one table of one cell; files: that were read for it."""

    digest: str
    key: str
    identity: str
    files: Sequence[FileRead] = ()


def instruments_of(stage: Stage, contract: Contract) -> dict[str, str]:
    """Names and versions of all that shapes the stage's numbers, the stage itself among them."""
    return {"stage": f"{stage.name}@{stage.version}", **stage.instruments(contract)}


def cell_key(
    stage: Stage,
    active: ActiveContract,
    tables: Mapping[str, Mapping[str, str]],
    files: Mapping[str, str],
    facts: Mapping[str, str],
) -> str:
    """The digest that a cell's records carry.

    tables: for each table read, checkpoint (or "") to output digest.
    files: path below the data root to sha256, or `absent`.
    facts: what is taken from lists that contracts share.
    """
    parts = {
        "identity": active.identity,
        "instruments": instruments_of(stage, active.contract),
        "tables": {name: dict(refs) for name, refs in tables.items()},
        "files": dict(files),
    }
    if facts:
        parts["facts"] = dict(facts)
    return hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()


class FileDigests:
    """sha256 of raw files, remembered by path, size and times of change.

    `marked` gives what a checkpoint's `_SUCCESS` marker says of its files, by the checkpoint's
    name: those are not read. A file that does not exist has the digest `absent`.
    """

    def __init__(
        self, root: DataRoot, memory: Path, marked: Callable[[str], Mapping[Path, str]]
    ) -> None:
        self._root = root
        self._memory = memory
        self._marked = cache(marked)
        self._kept = _remembered(memory)
        self._changed = False

    def of(self, path: Path) -> str:
        """The digest of one file."""
        if path.parent.parent == self._root.checkpoints:
            marked = self._marked(path.parent.name)
            if path in marked:
                return marked[path]
        try:
            facts = path.stat()
        except FileNotFoundError:
            return ABSENT
        if not stat.S_ISREG(facts.st_mode):
            return ABSENT  # a pipe would keep whoever opens it waiting
        stamp = [facts.st_size, facts.st_mtime_ns, facts.st_ctime_ns, facts.st_ino]
        name = self.name_of(path)
        kept = self._kept.get(name)
        if kept is not None and kept[:4] == stamp:
            return str(kept[4])
        with path.open("rb") as stream:
            digest = hashlib.file_digest(stream, "sha256").hexdigest()
        self._kept[name] = [*stamp, digest]
        self._changed = True
        return digest

    def of_all(self, paths: Sequence[Path]) -> dict[str, str]:
        """Path below the data root to digest, sorted."""
        return {self.name_of(path): self.of(path) for path in sorted(paths)}

    def forget(self, path: Path) -> None:
        """The file is read again when it is next asked for."""
        self._kept.pop(self.name_of(path), None)
        self._changed = True

    def name_of(self, path: Path) -> str:
        return path.relative_to(self._root.path).as_posix()

    def remember(self) -> None:
        """Writes what was learnt, for the next start; losing it costs time only."""
        if not self._changed:
            return
        content = json.dumps(self._kept, sort_keys=True).encode()
        write_file(self._memory, lambda file: file.write(sealed(content, self._memory.name)))
        self._changed = False


def _remembered(memory: Path) -> dict[str, list[object]]:
    """What was learnt before; a memory that was cut short or altered is begun anew."""
    try:
        content = unsealed(memory.read_bytes(), memory.name)
    except FileNotFoundError:
        return {}
    kept: dict[str, list[object]] = {} if content is None else json.loads(content)
    return kept
