"""Checkpoint folders, and the marker that says that one is complete.

`_SUCCESS` holds one line for each other file of the folder, sorted by name:

    <sha256, 64 hex digits> <two spaces> <size in bytes> <two spaces> <file name> <LF>

No marker: not yet a checkpoint. A file that is missing, has another size or other bytes than the
marker says, or is not named there: the checkpoint is refused, and the file is named. So is one
whose folder holds anything but regular files, or whose name may not stand in a path and a
partition key; names are never changed.

Planning reads this module at every start: it needs nothing but the standard library.
"""

import hashlib
import os
import re
import stat
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from eval_pipeline.ingest.excerpts import printable
from eval_pipeline.layout import DataRoot, FileRead, checked_name, refusal

MARKER = "_SUCCESS"
MANIFEST = "checkpoint.yaml"
MAX_MARKER_BYTES = 16 << 20

_ENTRY = re.compile(r"([0-9a-f]{64})  (0|[1-9][0-9]{0,18})  ([A-Za-z0-9][A-Za-z0-9._@+-]{0,254})")


@dataclass(frozen=True)
class Landed:
    """A complete checkpoint: every file is there with the size that the marker states.

    The bytes are compared when they are read: see `check_bytes`. `marker` changes when any file
    is stated anew.
    """

    name: str
    folder: Path
    files: Mapping[str, FileRead]  # as the marker states them
    marker: FileRead

    def check_bytes(self, file: str, sha256: str) -> None:
        """Raises ValueError that names the file if the marker states other bytes, or none."""
        if file not in self.files:
            raise ValueError(f"checkpoint {self.name}: {_unlisted(file)}")
        if self.files[file].sha256 != sha256:
            raise ValueError(
                f"checkpoint {self.name}: {file} is not the file that {MARKER} states "
                f"(sha256 {sha256[:12]}..., stated {self.files[file].sha256[:12]}...): {_MEND}"
            )


@dataclass(frozen=True)
class NotLanded:
    """A folder that is no checkpoint: it still waits for its marker, or it is refused."""

    name: str
    reason: str
    refused: bool


@dataclass(frozen=True)
class CheckpointListing:
    """All that lies in the checkpoints folder, sorted by name.

    `refused` holds the name, made printable, and the reason.
    """

    landed: tuple[str, ...]
    waiting: tuple[str, ...]
    refused: tuple[tuple[str, str], ...]


def list_checkpoints(root: DataRoot) -> CheckpointListing:
    """Which checkpoints have landed, which wait for their marker, and what is refused and why.

    Hidden files (not folders) are passed over.
    """
    landed, waiting, refused = [], [], []
    for entry in _entries(root.checkpoints):
        if entry.name.startswith(".") and entry.is_file(follow_symlinks=False):
            continue
        state = checkpoint_state(root, entry.name)
        if isinstance(state, Landed):
            landed.append(state.name)
        elif state.refused:
            refused.append((printable(state.name, 260), state.reason))
        else:
            waiting.append(state.name)
    return CheckpointListing(tuple(landed), tuple(waiting), tuple(refused))


def checkpoint_state(root: DataRoot, name: str) -> Landed | NotLanded:
    """Whether the checkpoint has landed; looks at names and sizes, not at the files' bytes."""
    try:
        folder = root.checkpoint(name)
        if folder.is_symlink() or not folder.is_dir():
            what = "a symbolic link" if folder.is_symlink() else "not a folder"
            raise ValueError(f"is {what}: put the checkpoint's folder itself there")
        if not _is_there(folder / MARKER):
            return NotLanded(name, f"has no {MARKER} yet", refused=False)
        files = _regular_files(folder)
        marker = _marker_bytes(folder)
        stated = _parsed(marker)
        _check_sizes(files, stated)
    except OSError as error:
        return NotLanded(name, printable(refusal(error), 500), refused=True)
    except ValueError as error:
        return NotLanded(name, printable(str(error), 500), refused=True)
    digest = hashlib.sha256(marker).hexdigest()
    return Landed(name, folder, stated, FileRead(MARKER, digest, len(marker)))


def landed_checkpoint(root: DataRoot, name: str) -> Landed:
    """The checkpoint; raises ValueError that says why it is none."""
    state = checkpoint_state(root, name)
    if isinstance(state, NotLanded):
        raise ValueError(f"checkpoint {printable(name, 260)}: {state.reason}")
    return state


def read_marker(folder: Path) -> Mapping[str, str]:
    """The sha256 that the marker states of each file; raises ValueError for a broken marker."""
    return {name: file.sha256 for name, file in _parsed(_marker_bytes(folder)).items()}


def write_success(folder: Path) -> Path:
    """Writes the marker for the files that are in the folder now, and returns its path.

    The marker appears whole or not at all.
    Raises ValueError for a folder that could not be read back as a checkpoint.
    """
    checked_name(folder.name, "checkpoint")
    lines = []
    for name in sorted(_regular_files(folder).keys() - {MARKER}):
        with (folder / name).open("rb") as file:
            digest = hashlib.file_digest(file, "sha256").hexdigest()
            line = f"{digest}  {file.tell()}  {name}"
        if not _ENTRY.fullmatch(line):
            raise ValueError(
                f"checkpoint {folder.name}: file name {printable(name, 260)} is refused: "
                "use letters, digits and . _ @ + -, starting with a letter or digit"
            )
        lines.append(line)
    if not lines:
        raise ValueError(
            f"checkpoint {folder.name}: the folder is empty: put its files there first"
        )
    marker = folder / MARKER
    unfinished = (
        folder.parent / f".{folder.name}.{MARKER}"
    )  # in the folder it would be a stray file
    with unfinished.open("w", encoding="ascii", newline="\n") as file:
        file.write("".join(f"{line}\n" for line in lines))
        file.flush()
        os.fsync(file.fileno())
    unfinished.replace(marker)
    return marker


_MEND = f"put the stated file back, or write {MARKER} again"


def _entries(folder: Path) -> list[os.DirEntry[str]]:
    if not folder.is_dir():
        return []
    with os.scandir(folder) as entries:
        return sorted(entries, key=lambda entry: entry.name)


def _is_there(path: Path) -> bool:
    """Whether the name is there, whatever it names; a folder that cannot be read is no "no"."""
    try:
        path.lstat()
    except FileNotFoundError:
        return False
    return True


def _regular_files(folder: Path) -> dict[str, int]:
    """Name and size of each file of the folder; raises ValueError if anything else is in it."""
    files = {}
    for entry in _entries(folder):
        facts = entry.stat(follow_symlinks=False)
        if not stat.S_ISREG(facts.st_mode):
            raise ValueError(
                f"{printable(entry.name, 260)} is {_kind(facts.st_mode)}: {_ONLY_FILES}"
            )
        files[entry.name] = facts.st_size
    return files


_ONLY_FILES = "a checkpoint folder holds regular files only"


def _kind(mode: int) -> str:
    kinds = (
        (stat.S_ISLNK, "a symbolic link"),
        (stat.S_ISDIR, "a folder"),
        (stat.S_ISFIFO, "a pipe"),
        (stat.S_ISSOCK, "a socket"),
    )
    return next((name for is_it, name in kinds if is_it(mode)), "a device")


def _marker_bytes(folder: Path) -> bytes:
    """The marker's bytes; a marker that is a link or a pipe was refused before it was opened."""
    path = folder / MARKER
    if not stat.S_ISREG(path.lstat().st_mode):
        raise ValueError(f"{MARKER} is {_kind(path.lstat().st_mode)}: {_ONLY_FILES}")
    with path.open("rb") as file:
        content = file.read(MAX_MARKER_BYTES + 1)
    if len(content) > MAX_MARKER_BYTES:
        raise ValueError(f"{MARKER} is larger than {MAX_MARKER_BYTES} bytes: write it again")
    return content


def _parsed(marker: bytes) -> dict[str, FileRead]:
    """What the marker states; raises ValueError that names the line that is broken."""
    *lines, rest = marker.decode("ascii", errors="backslashreplace").split("\n")
    if not lines or rest:
        raise ValueError(f"{MARKER} is {'cut off' if rest else 'empty'}: write it again")
    files: dict[str, FileRead] = {}
    for number, line in enumerate(lines, start=1):
        entry = _ENTRY.fullmatch(line)
        if not entry or entry[3] in files:
            raise ValueError(
                f"{MARKER}, line {number}: expected `<sha256>  <bytes>  <name>`, each name once, "
                f"got {printable(line, 120)!r}: write it again"
            )
        files[entry[3]] = FileRead(entry[3], entry[1], int(entry[2]))
    return files


def _check_sizes(files: Mapping[str, int], stated: Mapping[str, FileRead]) -> None:
    if unlisted := sorted(files.keys() - stated.keys() - {MARKER}):
        raise ValueError(_unlisted(unlisted[0]) + _more(unlisted))
    if missing := sorted(stated.keys() - files.keys()):
        raise ValueError(f"{missing[0]} is stated in {MARKER} and missing{_more(missing)}: {_MEND}")
    if changed := sorted(name for name in stated if files[name] != stated[name].bytes):
        name = changed[0]
        raise ValueError(
            f"{name} has {files[name]} bytes, {MARKER} states {stated[name].bytes}"
            f"{_more(changed)}: {_MEND}"
        )


def _unlisted(name: str) -> str:
    return (
        f"{printable(name, 260)} is not stated in {MARKER}: take it away, or write {MARKER} again"
    )


def _more(names: Iterable[str]) -> str:
    others = len(list(names)) - 1
    return f" (and {others} more)" if others else ""
