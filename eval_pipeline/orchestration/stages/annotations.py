"""Human labels on pairs, from every annotation set that the contract names."""

from collections.abc import Sequence
from pathlib import Path

import pyarrow as pa

from eval_pipeline.contracts.model import Contract
from eval_pipeline.layout import DataRoot
from eval_pipeline.orchestration.stage import Computed, Stage, StageInputs


def compute(inputs: StageInputs) -> Computed:
    from eval_pipeline.ingest.annotations import read_annotations

    items = inputs.table("items", ["item_id", "cluster_id"]).to_pydict()
    clusters = dict(zip(items["item_id"], items["cluster_id"], strict=True))
    read = [
        read_annotations(path, path.relative_to(inputs.root.path).as_posix(), name, clusters)
        for name, path in _paths(inputs.root, inputs.contract).items()
    ]
    return Computed(
        {
            "annotations": pa.concat_tables([one.annotations for one in read]),
            "rejected_annotations": pa.concat_tables([one.rejected_annotations for one in read]),
        },
        [one.file for one in read],
    )


def wanted(contract: Contract) -> bool:
    return bool(contract.annotation_sets)


def files(root: DataRoot, contract: Contract, checkpoint: str | None) -> Sequence[Path]:
    """One file a set."""
    return list(_paths(root, contract).values())


def _paths(root: DataRoot, contract: Contract) -> dict[str, Path]:
    return {name: root.annotations(name) for name in contract.annotation_sets}


STAGE = Stage(
    name="annotations",
    tables=("annotations", "rejected_annotations"),
    scope="contract",
    reads=("items",),
    version=2,
    compute=compute,
    wanted=wanted,
    files=files,
)
