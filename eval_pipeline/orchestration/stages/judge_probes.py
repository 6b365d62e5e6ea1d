"""The recorded votes of the judges on the sets of probes that the contract names."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import pyarrow as pa

from eval_pipeline.contracts.model import Contract
from eval_pipeline.layout import DataRoot, FileRead
from eval_pipeline.orchestration.stage import Computed, Stage, StageInputs
from eval_pipeline.warehouse.schemas import TABLES

if TYPE_CHECKING:
    from eval_pipeline.ingest.probes import ProbesRead


def compute(inputs: StageInputs) -> Computed:
    from eval_pipeline.ingest.probes import read_probe_votes
    from eval_pipeline.judging.probes.variants import CHARACTERS_PER_TOKEN

    root = inputs.root
    items = inputs.table("items", ["item_id", "cluster_id"]).to_pydict()
    clusters = dict(zip(items["item_id"], items["cluster_id"], strict=True))
    votes = [TABLES["judge_probe_votes"].empty()]
    rejected = [TABLES["rejected_probe_votes"].empty()]
    seen: list[FileRead] = []
    for name in _sets(inputs.contract):
        probes = read_set(root, name, clusters)
        rejected.append(probes.rejected)
        seen.append(probes.file)
        for judge in _judges(inputs.contract):
            path = root.probe_votes(judge, name)
            if not path.exists():
                continue
            place = _below(root, path)
            read = read_probe_votes(
                path, place, judge, name, probes.probes, clusters, CHARACTERS_PER_TOKEN
            )
            votes.append(read.votes)
            rejected.append(read.rejected)
            seen.append(read.file)
    return Computed(
        {
            "judge_probe_votes": pa.concat_tables(votes),
            "rejected_probe_votes": pa.concat_tables(rejected),
        },
        seen,
    )


def read_set(root: DataRoot, name: str, clusters: Mapping[str, str]) -> "ProbesRead":
    """A set of probes on the items of `clusters`, each under the name that its texts give."""
    from eval_pipeline.ingest.probes import ProbeText, read_probes
    from eval_pipeline.judging.probes.writing import probe_name

    def name_of(probe: ProbeText) -> str:
        return probe_name(probe.item_id, probe.kind, probe.original, probe.variant)

    return read_probes(root.probes(name), _below(root, root.probes(name)), clusters, name_of)


def wanted(contract: Contract) -> bool:
    return bool(_sets(contract))


def files(root: DataRoot, contract: Contract, checkpoint: str | None) -> Sequence[Path]:
    """Each set, and each judge's votes on it, whether they are there or not."""
    votes = [root.probe_votes(j, name) for j in _judges(contract) for name in _sets(contract)]
    return [*(root.probes(name) for name in _sets(contract)), *votes]


def _sets(contract: Contract) -> list[str]:
    return contract.judging.probes if contract.judging else []


def _judges(contract: Contract) -> list[str]:
    return [judge.name for judge in contract.judging.pairwise] if contract.judging else []


def _below(root: DataRoot, path: Path) -> str:
    return path.relative_to(root.path).as_posix()


STAGE = Stage(
    name="judge_probes",
    tables=("judge_probe_votes", "rejected_probe_votes"),
    scope="contract",
    reads=("items",),
    version=1,
    compute=compute,
    wanted=wanted,
    files=files,
)
