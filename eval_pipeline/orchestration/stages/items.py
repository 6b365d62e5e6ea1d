"""The benchmark's items as the contract pins them."""

from collections.abc import Sequence
from pathlib import Path

from eval_pipeline.contracts.model import Contract
from eval_pipeline.layout import DataRoot
from eval_pipeline.orchestration.stage import Computed, Stage, StageInputs


def compute(inputs: StageInputs) -> Computed:
    """All items, or a refusal that names every fault in the file."""
    from eval_pipeline.contracts.items import read_items

    items = read_items(inputs.root, inputs.contract)
    notes = {"keys kept in extra": ", ".join(items.extra_keys) or "none"}
    return Computed({"items": items.table}, (items.file,), notes)


def files(root: DataRoot, contract: Contract, checkpoint: str | None) -> Sequence[Path]:
    """The items."""
    return (root.items(contract.task.benchmark),)


STAGE = Stage(
    name="items",
    tables=("items",),
    scope="contract",
    reads=(),
    version=1,
    compute=compute,
    files=files,
)
