"""From the stage to the data root: whole or not at all, whenever the process is killed.

What is to be moved stands in the import's record before the first move. A record that says
`landing` or `undoing` belongs to a process that was killed: whoever imports next finishes it.
"""

import fcntl
import hashlib
import json
import shutil
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from eval_pipeline.ingest.checkpoint import MARKER, write_success
from eval_pipeline.ingest.imports.staging import REJECTED
from eval_pipeline.ingest.peers.entries import Json
from eval_pipeline.layout import DataRoot

FOLDER, RECORD, STAGE, LOCK = "imports", "import.json", ".import-", ".importing"
UNFINISHED = f".{RECORD}"  # a record while it is written
LANDING, LANDED, UNDOING = "landing", "landed", "undoing"
ID_DIGITS = 12


@dataclass(frozen=True)
class ImportRecord:
    """What an import brought. files: path below the root -> sha256. joined: checkpoints that were
    there before, whose markers are written anew. told: what a person should know of it."""

    name: str
    state: str
    sources: Mapping[str, str]  # file name -> sha256
    forms: tuple[str, ...]
    files: Mapping[str, str] = field(default_factory=dict)
    joined: tuple[str, ...] = ()
    told: Mapping[str, Json] = field(default_factory=dict)


def import_id(sources: Mapping[str, str], asked: Mapping[str, Json]) -> str:
    """The name of an import: the digest of its files and of what was asked for."""
    said = json.dumps([sorted(sources.values()), dict(sorted(asked.items()))])
    return hashlib.sha256(said.encode()).hexdigest()[:ID_DIGITS]


@contextmanager
def importing(root: DataRoot) -> Iterator[None]:
    """One import or undo at a time; the lock dies with its process.

    What is staged and was not begun to land is gone at the end. Raises ValueError where another
    process imports.
    """
    with (root.path / LOCK).open("a") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise ValueError("another process imports into this data folder: wait") from None
        try:
            yield
        finally:
            begun = {record.name for record in records(root)}
            for stage in root.path.glob(f"{STAGE}*"):
                if stage.is_dir() and stage.name.removeprefix(STAGE) not in begun:
                    shutil.rmtree(stage)


def stage_of(root: DataRoot, name: str) -> DataRoot:
    """An empty stage for the import, on the disk of the root; what a killed one left is gone."""
    folder = root.path / f"{STAGE}{name}"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    return DataRoot(folder)


def land(root: DataRoot, stage: DataRoot, record: ImportRecord) -> ImportRecord:
    """Moves all that is staged to its place, contracts last; the record as it then stands.

    Raises ValueError that names a file which is there already, before anything is moved.
    """
    staged = sorted(_files(stage.path), key=_in_order)
    taken = [path for path in staged if (root.path / path).exists()]
    if taken:
        raise ValueError(
            f"{taken[0]} is there already{_more(taken)}: "
            "name another with --benchmark, --contract or --rename, or take it away first"
        )
    joined = {path.split("/")[1] for path in staged if path.startswith("checkpoints/")}
    there = tuple(sorted(name for name in joined if root.checkpoint(name).exists()))
    for name in sorted(joined - set(there)):
        write_success(stage.checkpoint(name))
    digests = {path: _sha256(stage.path / path) for path in staged}
    begun = ImportRecord(
        record.name, LANDING, record.sources, record.forms, digests, there, record.told
    )
    _write(root, begun)
    return _finish_landing(root, begun)


def finish_cut(root: DataRoot) -> list[str]:
    """Finishes the imports that a kill has cut, and removes stages without a record; their names.

    Nobody else may be importing.
    """
    finished = []
    for record in records(root):
        if record.state == LANDING:
            _finish_landing(root, record)
            finished.append(record.name)
        elif record.state == UNDOING:
            _finish_undoing(root, record)
            finished.append(record.name)
    for stage in sorted(root.path.glob(f"{STAGE}*")):
        shutil.rmtree(stage)
    for unfinished in sorted((root.path / FOLDER).glob(f"*/{UNFINISHED}")):
        unfinished.unlink()
    for folder in sorted((root.path / FOLDER).glob("*")):
        if folder.is_dir() and not any(folder.iterdir()):
            folder.rmdir()
    return finished


def undo(root: DataRoot, name: str) -> ImportRecord:
    """Takes away what the import brought.

    Raises ValueError where there is no such import, a file is no longer what it brought, or a
    later import needs it.
    """
    record = next((one for one in records(root) if one.name == name), None)
    if record is None:
        have = ", ".join(one.name for one in records(root)) or "none"
        raise ValueError(f"there is no import {name!r} (there are: {have})")
    for path, digest in record.files.items():
        file = root.path / path
        if file.exists() and _sha256(file) != digest:
            raise ValueError(
                f"{path} was changed since it was imported: put it back, or take it away yourself"
            )
    for checkpoint in _landed_whole(record):
        own = {path.split("/")[2] for path in record.files if path.startswith(_below(checkpoint))}
        folder = root.checkpoint(checkpoint)
        there = {file.name for file in folder.iterdir()} if folder.is_dir() else set()
        if strange := sorted(there - own - {MARKER}):
            raise ValueError(
                f"checkpoints/{checkpoint} has got {strange[0]} since: undo what brought it first"
            )
    if others := sorted(_leaning_on(root, record)):
        raise ValueError(
            f"import {others[0]} holds replies to a benchmark that came with {name}: undo it first"
        )
    _write(root, _in_state(record, UNDOING))
    _finish_undoing(root, record)
    return record


def records(root: DataRoot) -> list[ImportRecord]:
    """All imports that are recorded, by name.

    Raises ValueError that names a record which cannot be read.
    """
    found = []
    for path in sorted((root.path / FOLDER).glob(f"*/{RECORD}")):
        try:
            said = json.loads(path.read_text(encoding="utf-8"))
            found.append(
                ImportRecord(
                    said["name"],
                    said["state"],
                    said["sources"],
                    tuple(said["forms"]),
                    said["files"],
                    tuple(said["joined"]),
                    said["told"],
                )
            )
        except (ValueError, KeyError, TypeError) as error:
            place = path.relative_to(root.path).as_posix()
            raise ValueError(f"{place} is no record of an import ({error}): restore it") from None
    return found


def _finish_landing(root: DataRoot, record: ImportRecord) -> ImportRecord:
    stage = root.path / f"{STAGE}{record.name}"
    for name in _landed_whole(record):
        _move(stage / "checkpoints" / name, root.checkpoint(name))
    for path in record.files:
        _move(stage / path, root.path / path)
    for name in record.joined:
        write_success(root.checkpoint(name))
    landed = _in_state(record, LANDED)
    rejected = stage / REJECTED
    _move(rejected, root.path / FOLDER / record.name / REJECTED)
    _write(root, landed)
    shutil.rmtree(stage, ignore_errors=True)
    return landed


def _finish_undoing(root: DataRoot, record: ImportRecord) -> None:
    for path in sorted(record.files, key=_in_order, reverse=True):
        (root.path / path).unlink(missing_ok=True)
    for name in record.joined:
        if root.checkpoint(name).is_dir():
            write_success(root.checkpoint(name))
    for name in _landed_whole(record):
        (root.checkpoint(name) / MARKER).unlink(missing_ok=True)
    for folder in sorted(
        {parent for path in record.files for parent in _parents(path)}, reverse=True
    ):
        if (root.path / folder).is_dir() and not any((root.path / folder).iterdir()):
            (root.path / folder).rmdir()
    # a folder on the stage's name is removed by whoever comes next, should this be cut
    gone = root.path / f"{STAGE}{record.name}"
    shutil.rmtree(gone, ignore_errors=True)
    (root.path / FOLDER / record.name).rename(gone)
    shutil.rmtree(gone)


def _leaning_on(root: DataRoot, record: ImportRecord) -> Iterator[str]:
    """Other imports that hold replies to a benchmark which this one brought."""
    parts = (path.split("/") for path in record.files if path.startswith("benchmarks/"))
    names = {f"{folder.partition('@')[0]}.jsonl" for _, folder, *_ in parts}
    for other in records(root):
        paths = (path.split("/") for path in other.files if path.startswith("checkpoints/"))
        if other.name != record.name and any(path[-1] in names for path in paths):
            yield other.name


def _landed_whole(record: ImportRecord) -> list[str]:
    """Checkpoints that are new with the import, and move as one folder."""
    named = {path.split("/")[1] for path in record.files if path.startswith("checkpoints/")}
    return sorted(named - set(record.joined))


def _below(checkpoint: str) -> str:
    return f"checkpoints/{checkpoint}/"


def _parents(path: str) -> Iterator[str]:
    parts = path.split("/")[:-1]
    for length in range(2, len(parts) + 1):
        yield "/".join(parts[:length])


def _in_order(path: str) -> tuple[int, str]:
    """Benchmarks, then checkpoints, then contracts, which ask for both."""
    first = path.split("/")[0]
    order = ("benchmarks", "checkpoints", "contracts")
    return (order.index(first) if first in order else len(order), path)


def _in_state(record: ImportRecord, state: str) -> ImportRecord:
    return ImportRecord(
        record.name,
        state,
        record.sources,
        record.forms,
        record.files,
        record.joined,
        record.told,
    )


def _write(root: DataRoot, record: ImportRecord) -> None:
    path = root.path / FOLDER / record.name / RECORD
    path.parent.mkdir(parents=True, exist_ok=True)
    unfinished = path.with_name(UNFINISHED)
    unfinished.write_text(json.dumps(vars(record), indent=1, sort_keys=True), encoding="utf-8")
    unfinished.replace(path)


def _move(source: Path, target: Path) -> None:
    """Renames what is still on the stage; what is not was moved before the kill."""
    if source.exists():
        target.parent.mkdir(parents=True, exist_ok=True)
        source.rename(target)


def _files(folder: Path) -> Iterator[str]:
    """All files of the stage that go to the data root, as paths below it."""
    for path in folder.rglob("*"):
        if path.is_file() and path.parent != folder:
            yield path.relative_to(folder).as_posix()


def _sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _more(paths: Sequence[str]) -> str:
    return f" (and {len(paths) - 1} more)" if len(paths) > 1 else ""
