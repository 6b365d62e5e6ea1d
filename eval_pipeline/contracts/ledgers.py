"""Lists that people keep beside the contracts: what is retired, what is accepted.

They stand apart from the contracts, so that a line more changes no identity.
"""

import datetime
import json
from collections.abc import Sequence
from pathlib import Path as FilePath
from typing import TypeVar

from pydantic import Field

from eval_pipeline.contracts.faults import ContractFaults, Fault, field_of, shown
from eval_pipeline.contracts.model import Contract, Targets
from eval_pipeline.contracts.part import Count, Name, Part, Text
from eval_pipeline.contracts.reading import Document, read_yaml, read_yaml_file
from eval_pipeline.contracts.shape import problems_of
from eval_pipeline.contracts.writing import replace_file
from eval_pipeline.layout import DataRoot

LAST_ACCEPTED = "last_accepted"
RETIRED_FILE = "contracts/retired.yaml"
ACCEPTED_FILE = "contracts/accepted.yaml"
_ACCEPTED_HEAD = (
    "# Which checkpoints were accepted, and by whom: one line each, added by `accept`.\n"
)


class Retirement(Part):
    """A contract version that is evaluated no longer; its results stay."""

    contract: Name = Field(description="name the contract")
    version: Count = Field(description="give its version")
    reason: Text = Field(description="say why it was retired")
    date: datetime.date = Field(description="give the day")


class Acceptance(Part):
    """A checkpoint that somebody accepted under a contract version."""

    contract: Name = Field(description="name the contract")
    version: Count = Field(description="give its version")
    checkpoint: Name = Field(description="name the checkpoint")
    date: datetime.date = Field(description="give the day")
    by: Text = Field(description="say who or what accepted it")


Entry = TypeVar("Entry", bound=Part)


def read_retired(root: DataRoot) -> tuple[tuple[Retirement, ...], tuple[Fault, ...]]:
    """The retirements that can be read, and what is wrong with the others.

    One bad line must neither bring the others back to life nor stop the rest of the project.
    """
    document = _read(root.retired, RETIRED_FILE)
    entries, faults = _entries(document, Retirement)
    faults = (*faults, *_unknown_contracts(root, document, entries))
    return tuple(entry for _, entry in entries), faults


def read_accepted(root: DataRoot) -> tuple[Acceptance, ...]:
    """All acceptances, in the order of the file.

    Raises ContractFaults: with a line that cannot be read, the last accepted one is not known.
    """
    return _accepted(_read(root.accepted, ACCEPTED_FILE))


def accept(
    root: DataRoot, contract: str, version: int, checkpoint: str, by: str, on: datetime.date
) -> bool:
    """Adds a line to accepted.yaml; False where the checkpoint is accepted already.

    Everything that stands in the file stays as it is. Raises ValueError for names that are
    refused or a file that cannot be read.
    """
    if not by.isprintable():
        raise ValueError(f"accepted by {shown(by)}: use one line of printable text")
    new = Acceptance(contract=contract, version=version, checkpoint=checkpoint, by=by, date=on)
    before = read_accepted(root)
    if any(_same_subject(one, new) for one in before):
        return False
    old = root.accepted.read_bytes() if root.accepted.exists() else _ACCEPTED_HEAD.encode()
    quoted = {key: json.dumps(value, ensure_ascii=False) for key, value in new if key != "date"}
    line = ", ".join(f"{key}: {quoted.get(key) or on.isoformat()}" for key, _ in new)
    content = old + (b"" if old.endswith(b"\n") else b"\n") + f"- {{{line}}}\n".encode()
    if _accepted(read_yaml(content, ACCEPTED_FILE)) != (*before, new):
        raise ValueError(
            f"{ACCEPTED_FILE} is not a list of lines that begin with `- `; write it so"
        )
    replace_file(root.accepted, content)
    return True


def reference_for(
    contract: Contract,
    checkpoint: str,
    targets_in_order: Sequence[str],
    accepted: Sequence[Acceptance],
) -> str | None:
    """What the checkpoint is held against; None for one that is the reference itself.

    targets_in_order: all targets by (date, name). With `last_accepted`: the latest accepted
    target before the checkpoint, or the earliest target where nothing is accepted. An accepted
    checkpoint that is no target any more (its folder is refused, or gone) stays the reference, so
    that no decision is made against one that nobody accepted: mend it, or its line.
    Raises ValueError where the checkpoint is no target.
    """
    named = contract.targets.reference if isinstance(contract.targets, Targets) else LAST_ACCEPTED
    if named != LAST_ACCEPTED:
        return None if named == checkpoint else named
    if checkpoint not in targets_in_order:
        raise ValueError(f"{checkpoint} is no target of {contract.title}: see targets.families")
    before = targets_in_order[: targets_in_order.index(checkpoint)]
    passed = {
        one.checkpoint
        for one in accepted
        if (one.contract, one.version) == (contract.contract, contract.version)
    }
    if lost := sorted(passed - set(targets_in_order)):
        return lost[0]  # nobody accepted another in its place: what cannot be compared is blocked
    latest = [name for name in before if name in passed][-1:] or before[:1]
    return latest[0] if latest else None


def references(
    contract: Contract, targets_in_order: Sequence[str], accepted: Sequence[Acceptance]
) -> dict[str, str | None]:
    """`reference_for` each target."""
    return {
        name: reference_for(contract, name, targets_in_order, accepted) for name in targets_in_order
    }


def _same_subject(one: Acceptance, other: Acceptance) -> bool:
    return (one.contract, one.version, one.checkpoint) == (
        other.contract,
        other.version,
        other.checkpoint,
    )


def _read(path: FilePath, file: str) -> Document:
    if not path.exists() and not path.is_symlink():
        return Document(file, [])
    return read_yaml_file(path, file)


def _accepted(document: Document) -> tuple[Acceptance, ...]:
    entries, faults = _entries(document, Acceptance)
    if faults:
        raise ContractFaults(faults)
    return tuple(entry for _, entry in entries)


def _entries(
    document: Document, model: type[Entry]
) -> tuple[list[tuple[int, Entry]], tuple[Fault, ...]]:
    """The good entries with their place in the list, and every fault."""
    faults = list(document.faults)
    if document.data is None:
        return [], tuple(faults)  # only comments, or nothing that can be read
    if not isinstance(document.data, list):
        message = f"must be a list, not {shown(document.data)}"
        mend = "begin each entry with `- `"
        return [], (*faults, Fault("", document.file, 1, message, mend))
    good = []
    for i, value in enumerate(document.data):
        flawed = any(path[:1] == (i,) for path in document.flawed)
        problems = () if flawed else problems_of(model, value)
        for problem in problems:
            path = (i, *problem.path)
            line = document.line_of(path)
            faults.append(Fault(field_of(path), document.file, line, problem.message, problem.mend))
        if not flawed and not problems:
            good.append((i, model.model_validate(value)))
    return good, tuple(faults)


def _unknown_contracts(
    root: DataRoot, document: Document, entries: Sequence[tuple[int, Retirement]]
) -> list[Fault]:
    faults = []
    for i, one in entries:
        if not root.contract_file(one.contract, one.version).exists():
            message = f"retires {one.contract}/v{one.version}, whose file is not there"
            mend = "correct the name, or put the file back: its results stay"
            faults.append(
                Fault(field_of((i,)), document.file, document.line_of((i,)), message, mend)
            )
    return faults
