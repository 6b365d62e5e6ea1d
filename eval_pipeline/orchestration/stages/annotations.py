"""What people say of pairs and of single replies, from every set that the contract names."""

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import pyarrow as pa

from eval_pipeline.contracts.model import Contract
from eval_pipeline.layout import DataRoot
from eval_pipeline.orchestration.stage import Computed, Stage, StageInputs

if TYPE_CHECKING:
    from eval_pipeline.ingest.annotations import Scored

WRITES = ("annotations", "annotation_scores", "rejected_annotations")


def compute(inputs: StageInputs) -> Computed:
    from eval_pipeline.ingest.annotations import read_annotations

    items = inputs.table("items", ["item_id", "cluster_id"]).to_pydict()
    clusters = dict(zip(items["item_id"], items["cluster_id"], strict=True))
    scored = scores_by_rubric(inputs.root, inputs.contract)
    read = [
        read_annotations(
            path, path.relative_to(inputs.root.path).as_posix(), name, clusters, scored
        )
        for name, path in _paths(inputs.root, inputs.contract).items()
    ]
    tables = {name: pa.concat_tables([getattr(one, name) for one in read]) for name in WRITES}
    return Computed(tables, [one.file for one in read])


def scores_by_rubric(root: DataRoot, contract: Contract) -> "Scored | None":
    """How scores of people are read; None where no judge of the contract scores single replies."""
    if contract.judging is None or not contract.judging.pointwise:
        return None
    from eval_pipeline.judging.prompts.rubric import given_scores
    from eval_pipeline.orchestration.live_judges.live_judging import rubric

    return partial(given_scores, rubric=rubric(root, contract.judging))


def wanted(contract: Contract) -> bool:
    return bool(contract.annotation_sets)


def files(root: DataRoot, contract: Contract, checkpoint: str | None) -> Sequence[Path]:
    """One file a set."""
    return list(_paths(root, contract).values())


def _paths(root: DataRoot, contract: Contract) -> dict[str, Path]:
    return {name: root.annotations(name) for name in contract.annotation_sets}


STAGE = Stage(
    name="annotations",
    tables=WRITES,
    scope="contract",
    reads=("items",),
    version=3,
    compute=compute,
    wanted=wanted,
    files=files,
)
