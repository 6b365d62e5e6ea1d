"""The recorded votes on the pairs that belong to a checkpoint."""

from collections.abc import Sequence
from pathlib import Path

import pyarrow as pa

from eval_pipeline.contracts.model import Contract
from eval_pipeline.layout import DataRoot
from eval_pipeline.orchestration.stage import Computed, Stage, StageInputs
from eval_pipeline.warehouse.schemas import TABLES


def compute(inputs: StageInputs) -> Computed:
    from eval_pipeline.ingest.votes import read_votes

    items = inputs.table("items", ["item_id", "cluster_id"]).to_pydict()
    clusters = dict(zip(items["item_id"], items["cluster_id"], strict=True))
    plan = inputs.table("pair_plan", ["item_id", "model_a", "model_b"]).to_pydict()
    planned = set(zip(plan["item_id"], plan["model_a"], plan["model_b"], strict=True))
    read = [
        read_votes(path, path.relative_to(inputs.root.path).as_posix(), judge, clusters, planned)
        for judge, path in _paths(inputs.root, inputs.contract, inputs.checkpoint).items()
        if path.exists()
    ]
    tables = {
        "judge_votes": [TABLES["judge_votes"].empty(), *(one.judge_votes for one in read)],
        "rejected_votes": [TABLES["rejected_votes"].empty(), *(one.rejected_votes for one in read)],
    }
    return Computed(
        {name: pa.concat_tables(parts) for name, parts in tables.items()},
        [one.file for one in read],
    )


def wanted(contract: Contract) -> bool:
    return contract.judging is not None


def files(root: DataRoot, contract: Contract, checkpoint: str | None) -> Sequence[Path]:
    """One file a judge, whether it is there or not."""
    return list(_paths(root, contract, checkpoint).values())


def _paths(root: DataRoot, contract: Contract, checkpoint: str | None) -> dict[str, Path]:
    judges = contract.judging.judges if contract.judging else []
    return {
        judge.name: root.judgments(judge.name, contract.benchmark, checkpoint or "")
        for judge in judges
    }


STAGE = Stage(
    name="judge_votes",
    tables=("judge_votes", "rejected_votes"),
    scope="checkpoint",
    reads=("items", "pair_plan"),
    version=1,
    compute=compute,
    wanted=wanted,
    files=files,
)
