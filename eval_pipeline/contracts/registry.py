"""Which identity a contract version has had results under, and the refusal of any other.

`contracts.lock` lies beside the contracts and is kept in version control: one JSON object a line,
sorted by contract and version, with the identity and the canonical form that it is the digest of.
The form makes the file longer and the refusal exact: it names the field that was changed.
"""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass

from eval_pipeline.contracts.comparability import changes
from eval_pipeline.contracts.digest import ALGORITHMS, Pinned, algorithm_of, identity_of, written
from eval_pipeline.contracts.faults import ContractFaults, Fault
from eval_pipeline.contracts.model import Contract
from eval_pipeline.contracts.pinned import FileDigest, pinned, sha256_of
from eval_pipeline.contracts.writing import replace_file
from eval_pipeline.layout import DataRoot, is_regular

LOCK_FILE = "contracts/contracts.lock"
SHOWN_CHANGES = 5


class ContractChangedError(ValueError):
    """A contract version no longer says what its recorded results were made under."""


@dataclass(frozen=True)
class Recorded:
    """The identity of a contract version with results, and its canonical form."""

    contract: str
    version: int
    identity: str
    form: Mapping[str, object]


Lock = Mapping[tuple[str, int], Recorded]


def read_lock(root: DataRoot) -> dict[tuple[str, int], Recorded]:
    """What contracts.lock records, by contract and version.

    Raises ContractFaults for lines that were not written by `record_identity`.
    """
    if not root.contracts_lock.exists() and not root.contracts_lock.is_symlink():
        return {}
    if not is_regular(root.contracts_lock):
        mend = "restore the file from version control"
        raise ContractFaults([Fault("", LOCK_FILE, None, "is no plain file", mend)])
    lock: dict[tuple[str, int], Recorded] = {}
    faults = []
    lines = root.contracts_lock.read_bytes().split(b"\n")
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            one = _recorded(line)
            if (one.contract, one.version) in lock:
                raise ValueError(f"{one.contract} v{one.version} stands twice")
        except ValueError as error:
            mend = "restore the file from version control"
            faults.append(Fault("", LOCK_FILE, number, f"is no record ({error})", mend))
            continue
        lock[one.contract, one.version] = one
    if faults:
        raise ContractFaults(faults)
    return lock


def check_identity(
    root: DataRoot,
    contract: Contract,
    file_digest: FileDigest = sha256_of,
    lock: Lock | None = None,
    in_warehouse: Recorded | None = None,
) -> str:
    """The identity that the contract's results stand under, by the algorithm of their record.

    lock: what `read_lock` gave, to read it once for many contracts. in_warehouse: under what
    the warehouse holds frozen results, so that a lost lock file frees nothing.
    Raises ContractChangedError where results were recorded under another identity.
    """
    files = pinned(root, contract, file_digest)
    home = (contract.contract, contract.version)
    known = (read_lock(root) if lock is None else lock).get(home)
    records = [one for one in (known, in_warehouse) if one is not None]
    for record in records:
        _check(root, contract, files, record)
    algorithms = [algorithm_of(record.identity) for record in records[:1]]
    return identity_of(contract, files, *algorithms)


def record_identity(root: DataRoot, contract: Contract, file_digest: FileDigest = sha256_of) -> str:
    """The contract's identity, written to contracts.lock if it is new there.

    To be called when the first results are published. A draft is never recorded.
    Raises ContractChangedError where another identity is recorded.
    """
    lock = read_lock(root)
    found = check_identity(root, contract, file_digest, lock)
    home = (contract.contract, contract.version)
    if contract.status == "draft" or home in lock:
        return found
    form = ALGORITHMS[algorithm_of(found)](contract, pinned(root, contract, file_digest))
    lock[home] = Recorded(*home, found, form)
    lines = [_line(lock[one]) for one in sorted(lock)]
    replace_file(root.contracts_lock, "".join(lines).encode())
    return found


def next_version(root: DataRoot, contract: str) -> int:
    """The first version above all that have a file or recorded results."""
    folder = root.contracts / contract
    on_disk = [int(path.stem[1:]) for path in folder.glob("v*.yaml") if path.stem[1:].isdecimal()]
    recorded = [version for name, version in read_lock(root) if name == contract]
    return max([0, *on_disk, *recorded]) + 1


def _check(root: DataRoot, contract: Contract, files: Pinned, record: Recorded) -> None:
    name = f"contract {contract.contract} v{contract.version}"
    new = f"add v{next_version(root, contract.contract)}"
    if contract.status == "draft":
        raise ContractChangedError(
            f"{name} has recorded results and cannot be a draft: write status: frozen, or {new}"
        )
    algorithm = algorithm_of(record.identity)
    if identity_of(contract, files, algorithm) == record.identity:
        return
    differences = changes(record.form, ALGORITHMS[algorithm](contract, files))
    shown = [
        difference.effect if difference.field.startswith("files.") else str(difference)
        for difference in differences[:SHOWN_CHANGES]
    ]
    if len(differences) > SHOWN_CHANGES:
        shown.append(f"and {len(differences) - SHOWN_CHANGES} more")
    raise ContractChangedError(
        f"{name} was changed after results were recorded: restore it or {new} ({'; '.join(shown)})"
    )


def _line(record: Recorded) -> str:
    entry = {
        "contract": record.contract,
        "version": record.version,
        "identity": record.identity,
        "form": record.form,
    }
    ordered = {**entry, "form": json.loads(written(record.form))}
    return json.dumps(ordered, separators=(",", ":"), ensure_ascii=False) + "\n"


def _recorded(line: bytes) -> Recorded:
    entry = json.loads(line)
    fields = {"contract": str, "version": int, "identity": str, "form": dict}
    if not isinstance(entry, dict) or entry.keys() != fields.keys():
        raise ValueError(f"its keys are not {', '.join(fields)}")
    if not all(type(entry[key]) is kind for key, kind in fields.items()):
        raise ValueError("a value has another type")
    digest = hashlib.sha256(written(entry["form"]).encode()).hexdigest()
    if entry["identity"].partition(":")[2] != digest:
        raise ValueError("its identity is not the digest of its form")
    return Recorded(**entry)
