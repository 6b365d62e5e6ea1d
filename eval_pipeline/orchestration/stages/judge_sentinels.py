"""The judges' votes on their sentinels, night by night, and how far each judge has drifted."""

from collections.abc import Mapping, Sequence
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc

from eval_pipeline.contracts.judging import Judge
from eval_pipeline.contracts.model import Contract
from eval_pipeline.layout import DataRoot
from eval_pipeline.orchestration.live_judges.live_judging import judged_texts
from eval_pipeline.orchestration.stage import Computed, Stage, StageInputs
from eval_pipeline.orchestration.stages import judge_votes
from eval_pipeline.warehouse.schemas import TABLES


def compute(inputs: StageInputs) -> Computed:
    from eval_pipeline.ingest.sentinels import as_sentinel_votes
    from eval_pipeline.ingest.votes import read_votes
    from eval_pipeline.judging.audits.drift import drift_rows

    contract, root = inputs.contract, inputs.root
    items = inputs.table("items", ["item_id", "cluster_id"]).to_pydict()
    clusters = dict(zip(items["item_id"], items["cluster_id"], strict=True))
    plan = inputs.table("pair_plan", ["item_id", "model_a", "model_b"]).to_pydict()
    planned = set(zip(plan["item_id"], plan["model_a"], plan["model_b"], strict=True))
    votes = [TABLES["judge_sentinel_votes"].empty()]
    rejected = [TABLES["rejected_sentinel_votes"].empty()]
    replies = _replies(inputs)
    seen = []
    for judge, night, path in _nights(root, contract):
        name = path.relative_to(root.path).as_posix()
        verdicts = judge_votes.verdict_reader(judge)
        read = read_votes(path, name, judge.name, clusters, planned, verdicts, replies)
        votes.append(as_sentinel_votes(read.judge_votes, night))
        rejected.append(read.rejected_votes.cast(rejected[0].schema))
        seen.append(read.file)
    sentinels = pa.concat_tables(votes)
    names = [judge.name for judge in _judges(contract)]
    rows = drift_rows(inputs.table("judge_votes"), sentinels, names, contract.confidence)
    return Computed(
        {
            "judge_sentinel_votes": sentinels,
            "rejected_sentinel_votes": pa.concat_tables(rejected),
            "judge_drift": TABLES["judge_drift"].from_rows(rows),
        },
        seen,
    )


def _replies(inputs: StageInputs) -> dict[tuple[str, str], str]:
    """What the judges were shown, where their own text is read."""
    if not judge_votes.reads_text(inputs.contract):
        return {}
    columns = ["checkpoint", "item_id", "draw", "status", "text"]
    generations = inputs.table("generations", columns)
    return {
        found: text
        for model in pc.unique(generations["checkpoint"]).to_pylist()
        for found, text in judged_texts(
            generations.filter(pc.equal(generations["checkpoint"], model)), model
        ).items()
    }


def also_reads(contract: Contract) -> tuple[str, ...]:
    return ("generations",) if judge_votes.reads_text(contract) else ()


def instruments(contract: Contract) -> Mapping[str, str]:
    from eval_pipeline.judging.verdicts import READER

    return {"reader": READER} if judge_votes.reads_text(contract) else {}


def wanted(contract: Contract) -> bool:
    return contract.judging is not None and contract.judging.sentinels is not None


def files(root: DataRoot, contract: Contract, checkpoint: str | None) -> Sequence[Path]:
    """The nights that are there."""
    return [path for _, _, path in _nights(root, contract)]


def _nights(root: DataRoot, contract: Contract) -> list[tuple[Judge, str, Path]]:
    """(judge, date, file) of every night of every judge."""
    from eval_pipeline.ingest.sentinels import nights

    return [
        (judge, night, path)
        for judge in _judges(contract)
        for night, path in nights(root.sentinels(judge.name, contract.benchmark))
    ]


def _judges(contract: Contract) -> list[Judge]:
    return sorted(contract.judging.pairwise, key=lambda one: one.name) if contract.judging else []


STAGE = Stage(
    name="judge_sentinels",
    tables=("judge_sentinel_votes", "rejected_sentinel_votes", "judge_drift"),
    scope="contract",
    reads=("items", "pair_plan", "judge_votes"),
    version=2,
    compute=compute,
    wanted=wanted,
    files=files,
    instruments=instruments,
    also_reads=also_reads,
)
