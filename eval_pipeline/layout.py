"""Where things lie on disk, and which names may become folders.

The ground that every room that touches files stands on; it reads nothing but the environment.
"""

import errno
import os
import re
import stat
from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path

NAME_FORM = r"[A-Za-z0-9][A-Za-z0-9._@+-]{0,127}"
_NAME = re.compile(NAME_FORM)

VERSION_DIGITS = 6
PANEL = "panel"  # the name of all judges of a contract together, so that no judge may bear it
CALLS = "calls"  # beside the files of recorded votes, which end in .jsonl
DATA_VARIABLE = "EVAL_PIPELINE_DATA"


def checked_name(name: str, kind: str) -> str:
    """The name itself, if it may stand in a path, a partition key and a table.

    A name is refused rather than changed: two names must never become one.
    Raises ValueError that says what is allowed.
    """
    if not isinstance(name, str) or not _NAME.fullmatch(name):
        raise ValueError(
            f"{kind} name {name!r} is refused: use letters, digits and . _ @ + -, "
            "starting with a letter or digit, at most 128 characters"
        )
    return name


def contract_reference(named: str, known: Collection[str]) -> tuple[str, int | None]:
    """Name and version of a contract that is written as name, name@1 or name/v1.

    known: names of contracts; one of them goes before a version in it. None where no version is
    named.
    """
    if named in known:
        return named, None
    for separator in ("/v", "@"):
        name, found, version = named.rpartition(separator)
        if found and version.isascii() and version.isdigit():
            return name, int(version)
    return named, None


def versioned(reference: str, kind: str) -> tuple[str, int]:
    """Splits `name@3` into ("name", 3); raises ValueError where the version is missing."""
    name, at, version = reference.rpartition("@")
    digits = version.isascii() and version.isdigit() and not version.startswith("0")
    if not at or not digits or len(version) > VERSION_DIGITS:
        shown = reference if len(reference) <= 80 else reference[:80] + "..."
        raise ValueError(f"{kind} {shown!r} has no version: write it as name@1")
    return checked_name(name, kind), int(version)


def refusal(error: OSError) -> str:
    """What the system says of a path, in one line with the mend; the error's own words else."""
    if error.filename is None or error.strerror is None:
        return str(error)
    mend = _MENDS.get(error.errno or 0, "look at it there, and run again")
    return f"{os.fsdecode(error.filename)}: {error.strerror.lower()}: {mend}"


_MENDS = {
    errno.EACCES: "mend its permissions",
    errno.EPERM: "mend its permissions",
    errno.EROFS: "make the place writable",
    errno.ENOSPC: "free some space, and run again",
    errno.ENOENT: "put it there, or correct the name",
    errno.ENOTDIR: "put a folder there",
    errno.EISDIR: "put a file there",
}


def is_regular(path: Path) -> bool:
    """Whether a file itself is there: no symbolic link, pipe or device, which none may follow."""
    try:
        return stat.S_ISREG(path.lstat().st_mode)
    except OSError:
        return False


@dataclass(frozen=True)
class FileRead:
    """A raw file as it was really read: the evidence that lineage keeps."""

    path: str  # below the data root, with forward slashes
    sha256: str
    bytes: int


@dataclass(frozen=True)
class DataRoot:
    """The data folder of one project."""

    path: Path

    @classmethod
    def from_environment(cls) -> "DataRoot":
        """`EVAL_PIPELINE_DATA`, else `./data`."""
        return cls(Path(os.environ.get(DATA_VARIABLE) or "data").resolve())

    @property
    def contracts(self) -> Path:
        return self.path / "contracts"

    @property
    def presets(self) -> Path:
        return self.contracts / "presets"

    @property
    def contracts_lock(self) -> Path:
        return self.contracts / "contracts.lock"

    @property
    def retired(self) -> Path:
        return self.contracts / "retired.yaml"

    @property
    def accepted(self) -> Path:
        """Which checkpoints were accepted under which contract, a line each: a person's act."""
        return self.contracts / "accepted.yaml"

    @property
    def checkpoints(self) -> Path:
        return self.path / "checkpoints"

    @property
    def prompts(self) -> Path:
        return self.path / "prompts"

    @property
    def warehouse(self) -> Path:
        return self.path / "warehouse"

    @property
    def truth(self) -> Path:
        return self.path / "truth.yaml"

    def contract_file(self, contract: str, version: int) -> Path:
        return self.contracts / checked_name(contract, "contract") / f"v{version}.yaml"

    def checkpoint(self, checkpoint: str) -> Path:
        return self.checkpoints / checked_name(checkpoint, "checkpoint")

    def items(self, benchmark: str) -> Path:
        """`benchmark` is `name@version`."""
        name, version = versioned(benchmark, "benchmark")
        return self.path / "benchmarks" / name / f"v{version}" / "items.jsonl"

    def corpus(self, corpus: str) -> Path:
        """The folder of `name@version`; its shards are *.parquet and *.jsonl[.gz]."""
        name, version = versioned(corpus, "corpus")
        return self.path / "corpora" / name / f"v{version}"

    def judgments(self, judge: str, benchmark: str, checkpoint: str) -> Path:
        """Votes on the pairs whose later checkpoint is `checkpoint`; `benchmark` without version.

        The `.jsonl.gz` form is used where only that exists.
        """
        folder = self.path / "judgments" / checked_name(judge, "judge")
        folder = folder / checked_name(benchmark, "benchmark")
        plain = folder / f"{checked_name(checkpoint, 'checkpoint')}.jsonl"
        packed = plain.with_name(plain.name + ".gz")
        return packed if packed.exists() and not plain.exists() else plain

    def judge_calls(self, judge: str, benchmark: str, checkpoint: str) -> Path:
        """The replies of a live judge, which were paid for; laid out as `judgments`."""
        folder = self.judgments(judge, benchmark, checkpoint).parent / CALLS
        return folder / f"{checkpoint}.jsonl"

    def probe_calls(self, judge: str, benchmark: str, name: str) -> Path:
        """The replies of a live judge on a set of probes, which were paid for."""
        folder = self.judgments(judge, benchmark, name).parent / CALLS / "probes"
        return folder / f"{checked_name(name, 'probe set')}.jsonl"

    def sentinel_calls(self, judge: str, benchmark: str, night: str) -> Path:
        """The replies of a live judge on its sentinels in one night, which were paid for."""
        folder = self.judgments(judge, benchmark, night).parent / CALLS / "sentinels"
        return folder / f"{night}.jsonl"

    def judge_prompt(self, prompt: str) -> Path:
        """The template of `name@version`."""
        name, version = versioned(prompt, "prompt")
        return self.prompts / "judges" / name / f"v{version}.yaml"

    def annotations(self, name: str) -> Path:
        return self.path / "annotations" / f"{checked_name(name, 'annotation set')}.jsonl"

    def probes(self, name: str) -> Path:
        """A set of probes: pairs of texts of which it is known what a judge should say."""
        return self.path / "probes" / f"{checked_name(name, 'probe set')}.jsonl"

    def probe_votes(self, judge: str, name: str) -> Path:
        """A judge's votes on a set of probes."""
        folder = self.path / "probe_votes" / checked_name(judge, "judge")
        return folder / f"{checked_name(name, 'probe set')}.jsonl"

    def sentinels(self, judge: str, benchmark: str) -> Path:
        """The folder of a judge's sentinel votes, one file a night: `2026-02-28.jsonl`."""
        folder = self.path / "sentinels" / checked_name(judge, "judge")
        return folder / checked_name(benchmark, "benchmark")

    def verifier_audit(self, contract: str, version: int) -> Path:
        """What people said of a verifier's verdicts, a JSON object a line."""
        folder = self.path / "audits" / checked_name(contract, "contract")
        return folder / f"v{version}.jsonl"

    def contamination_review(self, contract: str, version: int) -> Path:
        """What people decided of flagged items, a JSON object a line."""
        folder = self.path / "reviews" / checked_name(contract, "contract")
        return folder / f"v{version}.jsonl"
