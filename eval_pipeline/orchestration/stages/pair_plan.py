"""The pairs to be judged that belong to a checkpoint: those with checkpoints before it."""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from eval_pipeline.contracts.model import Contract
from eval_pipeline.layout import DataRoot
from eval_pipeline.orchestration.reading.judgments import recorded_files
from eval_pipeline.orchestration.stage import Computed, Stage, StageInputs
from eval_pipeline.warehouse.schemas import TABLES

if TYPE_CHECKING:
    import pyarrow as pa

    from eval_pipeline.contracts.targets import CheckpointFacts
    from eval_pipeline.judging.pairs.plan import Partner

LAST_ACCEPTED = "last accepted"
READ = ("checkpoint.yaml", "_SUCCESS")  # of every checkpoint up to this one
Stamps = tuple[tuple[int, int, int], ...]


def compute(inputs: StageInputs) -> Computed:
    from eval_pipeline.contracts.pinned import evidence

    contract, root, checkpoint = inputs.contract, inputs.root, inputs.checkpoint or ""
    rows = planned_rows(root, contract, checkpoint, inputs.table("items"))
    read = [evidence(root, path) for path in files(root, contract, checkpoint) if path.exists()]
    table = TABLES["pair_plan"].from_rows(rows)
    return Computed({"pair_plan": table}, read, _last_accepted(root, contract, checkpoint))


def planned_rows(
    root: DataRoot, contract: Contract, checkpoint: str, items: "pa.Table"
) -> list[dict[str, str]]:
    """Rows of `pair_plan`, from the checkpoints that have landed."""
    from eval_pipeline.judging.pairs.plan import Sampling, item_slices, plan_rows

    if _of_votes(contract):
        return _recorded_rows(root, contract, checkpoint, items)
    asked = contract.judging.sample if contract.judging else None
    return plan_rows(
        checkpoint,
        chosen_partners(root, contract, checkpoint),
        item_slices(items),
        Sampling(asked.per_pair, asked.stratify) if asked else None,
        contract.statistics.seed,
    )


def _recorded_rows(
    root: DataRoot, contract: Contract, checkpoint: str, items: "pa.Table"
) -> list[dict[str, str]]:
    """What the judges' files hold votes on, of the checkpoint and those before it."""
    from eval_pipeline.ingest.voted_pairs import voted_pairs
    from eval_pipeline.judging.pairs.plan import recorded_rows

    held = [pair for path in _votes(root, contract, checkpoint) for pair in voted_pairs(path)]
    earlier = earlier_targets(root, contract, checkpoint)
    return recorded_rows(checkpoint, earlier, set(items["item_id"].to_pylist()), held)


def _votes(root: DataRoot, contract: Contract, checkpoint: str) -> list[Path]:
    """The files of votes on the checkpoint's pairs, where the pairing follows them."""
    if not _of_votes(contract) or contract.judging is None:
        return []
    judges = contract.judging.pairwise
    found = recorded_files(root, contract, judges, checkpoint)
    return [path for _, path in found]


def _of_votes(contract: Contract) -> bool:
    return contract.pairing is not None and bool(contract.pairing.recorded)


def chosen_partners(root: DataRoot, contract: Contract, checkpoint: str) -> "Sequence[Partner]":
    """The earlier checkpoints that the contract's pairing asks for; none without a pairing.

    Where it follows the recorded votes: every earlier one, since any may be voted on.
    """
    from eval_pipeline.judging.pairs.plan import RECORDED, Partner, partners

    pairing = contract.pairing
    if pairing is None:
        return ()
    earlier = earlier_targets(root, contract, checkpoint)
    if pairing.recorded:
        return [Partner(name, RECORDED) for name in sorted(earlier)]
    if not pairing.last_accepted:
        return partners(checkpoint, earlier, pairing.anchors, None, pairing.nearest)
    accepted = _accepted(root, contract, earlier)
    return partners(checkpoint, earlier, pairing.anchors, accepted, pairing.nearest)


def files(root: DataRoot, contract: Contract, checkpoint: str | None) -> Sequence[Path]:
    """What tells of the checkpoints before this one; later ones land without a trace here.

    Where the pairing follows the recorded votes, they too.
    """
    known = [*earlier_targets(root, contract, checkpoint or ""), checkpoint or ""]
    folders = [root.checkpoint(name) for name in known]
    landed = [folder / name for folder in folders for name in READ]
    return [*landed, *_votes(root, contract, checkpoint or "")]


def facts(
    root: DataRoot, contract: Contract, checkpoint: str | None, order: Sequence[str]
) -> Mapping[str, str]:
    """The last accepted checkpoint before this one, where the pairing asks for it."""
    from eval_pipeline.contracts.faults import ContractFaults

    try:
        return _last_accepted(root, contract, checkpoint or "")
    except ContractFaults as error:  # the plan stands; computing raises it, and the cell fails
        return {LAST_ACCEPTED: f"unknown: {error}"}


def _last_accepted(root: DataRoot, contract: Contract, checkpoint: str) -> Mapping[str, str]:
    if contract.pairing is None or not contract.pairing.last_accepted:
        return {}
    found = _accepted(root, contract, earlier_targets(root, contract, checkpoint))
    return {LAST_ACCEPTED: found[-1] if found else "none"}


def _accepted(root: DataRoot, contract: Contract, earlier: Sequence[str]) -> list[str]:
    """Those of the earlier checkpoints that were accepted under this contract, in their order."""
    lines = _accepted_as_of(root, _stamp(root.accepted))
    passed = {name for *home, name in lines if home == [contract.contract, contract.version]}
    return [name for name in earlier if name in passed]


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
    paths = (folder, *(folder / file for file in READ))
    return tuple(stamp for path in paths for stamp in _stamp(path))


def _stamp(path: Path) -> Stamps:
    """Changes when the file does; empty where there is none."""
    if not path.exists():
        return ()
    one = path.stat()
    return ((one.st_mtime_ns, one.st_size, one.st_ino),)


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


@lru_cache(maxsize=16)
def _accepted_as_of(root: DataRoot, stamp: Stamps) -> tuple[tuple[str, int, str], ...]:
    from eval_pipeline.contracts.ledgers import read_accepted

    return tuple((one.contract, one.version, one.checkpoint) for one in read_accepted(root))


@lru_cache(maxsize=4096)
def _has_file_as_of(root: DataRoot, benchmark: str, name: str, stamps: Stamps) -> bool:
    from eval_pipeline.ingest.benchmark_files import benchmark_files

    return bool(benchmark_files(root.checkpoint(name), benchmark))


def wanted(contract: Contract) -> bool:
    """Whether a judge sees pairs."""
    return contract.judging is not None and bool(contract.judging.pairwise)


STAGE = Stage(
    name="pair_plan",
    tables=("pair_plan",),
    scope="checkpoint",
    reads=("items", "run_manifest"),
    version=1,
    compute=compute,
    wanted=wanted,
    files=files,
    facts=facts,
)
