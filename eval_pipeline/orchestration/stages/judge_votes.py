"""The votes on the pairs that belong to a checkpoint: recorded, or asked for."""

from collections.abc import Collection, Mapping, Sequence
from functools import partial
from pathlib import Path

import pyarrow as pa

from eval_pipeline.contracts.model import Contract, Judge
from eval_pipeline.layout import DataRoot, FileRead
from eval_pipeline.orchestration.stage import Computed, Settings, Stage, StageInputs
from eval_pipeline.orchestration.stages import live_judging, pair_plan
from eval_pipeline.orchestration.stages.landed import landed_files, read_landed
from eval_pipeline.warehouse.schemas import TABLES

Planned = Collection[tuple[str, str, str]]  # item, model_a, model_b


def compute(inputs: StageInputs) -> Computed:
    from eval_pipeline.ingest.votes import read_votes
    from eval_pipeline.judging.recorded import recorded_votes

    items = inputs.table("items", ["item_id", "cluster_id", "question"])
    clusters = dict(zip(items["item_id"].to_pylist(), items["cluster_id"].to_pylist(), strict=True))
    plan = inputs.table("pair_plan", ["item_id", "model_a", "model_b"]).to_pydict()
    planned = set(zip(plan["item_id"], plan["model_a"], plan["model_b"], strict=True))
    read = [
        read_votes(
            path,
            path.relative_to(inputs.root.path).as_posix(),
            judge.name,
            clusters,
            planned,
            partial(recorded_votes, form=judge.verdicts, key=judge.verdict_key),
        )
        for judge, path in _recorded(inputs.root, inputs.contract, inputs.checkpoint)
        if path.exists()
    ]
    asked, seen, notes = _live_votes(inputs, items, clusters, planned)
    votes = [TABLES["judge_votes"].empty(), *(one.judge_votes for one in read), asked]
    rejected = [TABLES["rejected_votes"].empty(), *(one.rejected_votes for one in read)]
    return Computed(
        {"judge_votes": pa.concat_tables(votes), "rejected_votes": pa.concat_tables(rejected)},
        [*(one.file for one in read), *seen],
        notes,
    )


def _live_votes(
    inputs: StageInputs, items: pa.Table, clusters: Mapping[str, str], planned: Planned
) -> tuple[pa.Table, list[FileRead], dict[str, str | int | float]]:
    """The votes of the judges that are asked, the files that hold what they were shown, notes."""
    judging = inputs.contract.judging
    judges = [judge for judge in judging.pairwise if judge.source == "openai"] if judging else []
    if judging is None or not judges:
        return TABLES["judge_votes"].empty(), [], {}
    from eval_pipeline.judging.live_rows import vote_rows
    from eval_pipeline.orchestration.stages.judge_calls import answered, call_notes

    questions = live_judging.questions_of(items)
    models = {inputs.checkpoint or "", *(model for _, *pair in planned for model in pair)}
    texts, seen = shown_texts(inputs.root, inputs.contract, models, questions)
    purse = inputs.settings.purse
    before = (purse.spent_calls, purse.spent_usd)
    replies = [
        answered(
            inputs,
            judge,
            live_judging.due_pairs(inputs.root, judging, judge, planned, questions, texts),
        )
        for judge in judges
    ]
    rows = [row for one in replies for row in vote_rows(one, clusters)]
    return TABLES["judge_votes"].from_rows(rows), seen, call_notes(inputs, replies, *before)


def shown_texts(
    root: DataRoot, contract: Contract, models: Collection[str], items: Collection[str]
) -> tuple[dict[tuple[str, str], str], list[FileRead]]:
    """(model, item) to the reply that is judged, of all the models; the files that hold them."""
    texts: dict[tuple[str, str], str] = {}
    seen: list[FileRead] = []
    for model in sorted(models):
        landed = read_landed(root, contract, model, sorted(items))
        texts |= live_judging.judged_texts(landed.generations.generations, model)
        seen += landed.files
    return texts, seen


def wanted(contract: Contract) -> bool:
    return pair_plan.wanted(contract)


def withheld(contract: Contract, settings: Settings) -> str | None:
    return live_judging.withheld(contract.judging.pairwise if contract.judging else ())


def files(root: DataRoot, contract: Contract, checkpoint: str | None) -> Sequence[Path]:
    """One file a recorded judge, whether it is there or not; what a live one is shown."""
    recorded = [path for _, path in _recorded(root, contract, checkpoint)]
    judges = contract.judging.pairwise if contract.judging else []
    if all(judge.source == "recorded" for judge in judges):
        return recorded
    partners = pair_plan.chosen_partners(root, contract, checkpoint or "")
    models = [checkpoint or "", *(partner.name for partner in partners)]
    shown = [path for model in models for path in landed_files(root, contract, model)]
    return [*recorded, *shown]


def _recorded(
    root: DataRoot, contract: Contract, checkpoint: str | None
) -> list[tuple[Judge, Path]]:
    judges = contract.judging.pairwise if contract.judging else []
    return [
        (judge, root.judgments(judge.name, contract.benchmark, checkpoint or ""))
        for judge in judges
        if judge.source == "recorded"
    ]


STAGE = Stage(
    name="judge_votes",
    tables=("judge_votes", "rejected_votes"),
    scope="checkpoint",
    reads=("items", "pair_plan"),
    version=3,
    compute=compute,
    wanted=wanted,
    files=files,
    withheld=withheld,
)
