"""The expanded contract and its identity, one row."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from eval_pipeline.contracts.model import Contract
from eval_pipeline.layout import DataRoot
from eval_pipeline.orchestration.stage import Computed, Stage, StageInputs


def compute(inputs: StageInputs) -> Computed:
    """The contract as its results stand under it; refused where it was changed after results."""
    from eval_pipeline.contracts.digest import algorithm_of, canonical
    from eval_pipeline.contracts.pinned import evidence, pinned, pinned_files
    from eval_pipeline.contracts.registry import check_identity
    from eval_pipeline.warehouse.schemas import TABLES

    contract, root = inputs.contract, inputs.root
    read = {path: evidence(root, path) for path in pinned_files(root, contract)}

    def digest(path: Path) -> str:
        return read[path].sha256

    identity = check_identity(root, contract, digest)
    row = {
        "identity": identity,
        "status": contract.status,
        "question": contract.question.text,
        "primary_endpoint": contract.question.primary_endpoint.label,
        "body": canonical(contract, pinned(root, contract, digest), algorithm_of(identity)),
    }
    return Computed({"contract": TABLES["contract"].from_rows([row])}, tuple(read.values()))


def files(root: DataRoot, contract: Contract, checkpoint: str | None) -> Sequence[Path]:
    """The files whose digests stand in the identity."""
    from eval_pipeline.contracts.pinned import pinned_files

    return pinned_files(root, contract)


def instruments(contract: Contract) -> Mapping[str, str]:
    """The contract's status, which stands outside its identity: freezing a draft counts anew."""
    return {"status": contract.status}


STAGE = Stage(
    name="contract",
    tables=("contract",),
    scope="contract",
    reads=(),
    version=1,
    compute=compute,
    files=files,
    instruments=instruments,
)
