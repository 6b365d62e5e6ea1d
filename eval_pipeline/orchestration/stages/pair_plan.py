"""The pairs to be judged that belong to a checkpoint: those with checkpoints before it."""

from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from eval_pipeline.contracts.model import Contract
from eval_pipeline.layout import DataRoot
from eval_pipeline.orchestration.stage import Computed, Stage, StageInputs
from eval_pipeline.warehouse.schemas import TABLES

if TYPE_CHECKING:
    import pyarrow as pa

    from eval_pipeline.contracts.targets import CheckpointFacts
    from eval_pipeline.judging.plan import Partner

READ = ("checkpoint.yaml", "_SUCCESS")  # of every checkpoint up to this one
Stamps = tuple[tuple[int, int, int], ...]


def compute(inputs: StageInputs) -> Computed:
    from eval_pipeline.contracts.pinned import evidence

    contract, root, checkpoint = inputs.contract, inputs.root, inputs.checkpoint or ""
    rows = planned_rows(root, contract, checkpoint, inputs.table("items"))
    read = [evidence(root, path) for path in files(root, contract, checkpoint) if path.exists()]
    return Computed({"pair_plan": TABLES["pair_plan"].from_rows(rows)}, read)


def planned_rows(
    root: DataRoot, contract: Contract, checkpoint: str, items: "pa.Table"
) -> list[dict[str, Any]]:
    """Rows of `pair_plan`, from the checkpoints that have landed."""
    from eval_pipeline.judging.plan import Sampling, item_slices, plan_rows

    asked = contract.judging.sample if contract.judging else None
    return plan_rows(
        checkpoint,
        chosen_partners(root, contract, checkpoint),
        item_slices(items),
        Sampling(asked.per_pair, asked.stratify) if asked else None,
        contract.statistics.seed,
    )


def chosen_partners(root: DataRoot, contract: Contract, checkpoint: str) -> "Sequence[Partner]":
    """The earlier checkpoints that the contract's pairing asks for; none without a pairing."""
    from eval_pipeline.contracts.ledgers import read_accepted
    from eval_pipeline.judging.plan import partners

    pairing = contract.pairing
    if pairing is None:
        return ()
    earlier = earlier_targets(root, contract, checkpoint)
    if not pairing.last_accepted:
        return partners(checkpoint, earlier, pairing.anchors, None, pairing.nearest)
    home = (contract.contract, contract.version)
    accepted = {
        one.checkpoint for one in read_accepted(root) if (one.contract, one.version) == home
    }
    return partners(checkpoint, earlier, pairing.anchors, accepted, pairing.nearest)


def files(root: DataRoot, contract: Contract, checkpoint: str | None) -> Sequence[Path]:
    """What tells of the checkpoints before this one; later ones land without a trace here."""
    known = [*earlier_targets(root, contract, checkpoint or ""), checkpoint or ""]
    folders = [root.checkpoint(name) for name in known]
    paths = [folder / name for folder in folders for name in READ]
    asks = contract.pairing is not None and contract.pairing.last_accepted
    return [*paths, *([root.accepted] if asks else [])]


def earlier_targets(root: DataRoot, contract: Contract, checkpoint: str) -> list[str]:
    """The landed targets of the contract before this one, by (date, name).

    Less those that were trained on its evaluators, and those without a file of its benchmark.
    Raises ValueError where the checkpoint is no target.
    """
    from eval_pipeline.contracts.targets import decoupling_faults, targets

    names = sorted(path.name for path in root.checkpoints.iterdir() if path.is_dir())
    known = {name: facts for name in names if (facts := _facts(root, name)) is not None}
    order = targets(contract, known)
    if checkpoint not in order:
        raise ValueError(f"{checkpoint!r} is no target of {contract.title}: see targets.families")
    return [
        name
        for name in order[: order.index(checkpoint)]
        if not decoupling_faults(contract, known[name]) and _was_asked(root, contract, name)
    ]


def _facts(root: DataRoot, name: str) -> "CheckpointFacts | None":
    """What checkpoint.yaml says; None where there is no complete checkpoint of that name."""
    return _facts_as_of(root, name, _stamps(root, name))


def _was_asked(root: DataRoot, contract: Contract, name: str) -> bool:
    return _has_file_as_of(root, contract.benchmark, name, _stamps(root, name))


def _stamps(root: DataRoot, name: str) -> Stamps:
    """Changes when files are put into the folder, or one of those that are read is written."""
    folder = root.checkpoints / name
    facts = [path.stat() for path in (folder, *(folder / file for file in READ)) if path.exists()]
    return tuple((one.st_mtime_ns, one.st_size, one.st_ino) for one in facts)


# Planning asks these for each checkpoint about all those before it: they remember by stamps.


@lru_cache(maxsize=4096)
def _facts_as_of(root: DataRoot, name: str, stamps: Stamps) -> "CheckpointFacts | None":
    from eval_pipeline.contracts.faults import CheckpointFaults
    from eval_pipeline.contracts.targets import checkpoint_facts
    from eval_pipeline.ingest.checkpoint import Landed, checkpoint_state

    if not isinstance(checkpoint_state(root, name), Landed):
        return None
    try:
        return checkpoint_facts(root, name)
    except CheckpointFaults:  # such a checkpoint is no target; `validate` says why
        return None


@lru_cache(maxsize=4096)
def _has_file_as_of(root: DataRoot, benchmark: str, name: str, stamps: Stamps) -> bool:
    from eval_pipeline.ingest.benchmark_files import benchmark_files

    return bool(benchmark_files(root.checkpoint(name), benchmark))


def wanted(contract: Contract) -> bool:
    return contract.judging is not None


STAGE = Stage(
    name="pair_plan",
    tables=("pair_plan",),
    scope="checkpoint",
    reads=("items", "run_manifest"),
    version=1,
    compute=compute,
    wanted=wanted,
    files=files,
)
