"""The votes on the pairs that belong to a checkpoint: recorded, or asked for."""

from collections.abc import Collection, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import pyarrow as pa

from eval_pipeline.contracts.judging import Judge
from eval_pipeline.contracts.model import Contract
from eval_pipeline.layout import DataRoot, FileRead
from eval_pipeline.orchestration.live_judges import live_judging
from eval_pipeline.orchestration.reading.judgments import recorded_files
from eval_pipeline.orchestration.reading.landed import landed_files, read_landed
from eval_pipeline.orchestration.stage import Computed, Settings, Stage, StageInputs
from eval_pipeline.orchestration.stages import pair_plan
from eval_pipeline.warehouse.schemas import TABLES

if TYPE_CHECKING:
    from eval_pipeline.ingest.votes import Verdicts

Planned = Collection[tuple[str, str, str]]  # item, model_a, model_b


def compute(inputs: StageInputs) -> Computed:
    from eval_pipeline.ingest.votes import read_votes

    items = inputs.table("items", ["item_id", "cluster_id", "question"])
    clusters = dict(zip(items["item_id"].to_pylist(), items["cluster_id"].to_pylist(), strict=True))
    plan = inputs.table("pair_plan", ["item_id", "model_a", "model_b"]).to_pydict()
    planned = set(zip(plan["item_id"], plan["model_a"], plan["model_b"], strict=True))
    replies, shown = _replies(inputs, clusters, planned)
    judging = inputs.contract.judging
    lack = judging is not None and judging.orders == "unrecorded"
    read = [
        read_votes(
            path,
            path.relative_to(inputs.root.path).as_posix(),
            judge.name,
            clusters,
            planned,
            verdict_reader(judge),
            replies,
            orders_lack=lack,
        )
        for judge, path in _recorded(inputs.root, inputs.contract, inputs.checkpoint)
        if path.exists()
    ]
    asked, notes = _live_votes(inputs, items, clusters, planned, replies)
    votes = [TABLES["judge_votes"].empty(), *(one.judge_votes for one in read), asked]
    rejected = [TABLES["rejected_votes"].empty(), *(one.rejected_votes for one in read)]
    return Computed(
        {"judge_votes": pa.concat_tables(votes), "rejected_votes": pa.concat_tables(rejected)},
        [*(one.file for one in read), *shown],
        notes,
    )


def verdict_reader(judge: Judge) -> "Verdicts":
    """How the recorded verdicts of a judge are read."""
    from eval_pipeline.judging.reading.recorded import recorded_votes

    labels = judge.labels.seats if judge.labels else None
    return partial(recorded_votes, form=judge.verdicts, key=judge.verdict_key, labels=labels)


def _replies(
    inputs: StageInputs, items: Collection[str], planned: Planned
) -> tuple[Mapping[tuple[str, str], str], list[FileRead]]:
    """What the judges were shown, where it matters for a verdict, and the files that hold it."""
    if not _are_shown(inputs.contract):
        return {}, []
    models = {inputs.checkpoint or "", *(model for _, *pair in planned for model in pair)}
    return shown_texts(inputs.root, inputs.contract, models, items)


def _are_shown(contract: Contract) -> bool:
    """Whether what was judged is needed: to ask a judge, or to read its text."""
    judges = contract.judging.pairwise if contract.judging else []
    return reads_text(contract) or any(judge.source == "openai" for judge in judges)


def reads_text(contract: Contract) -> bool:
    """Whether a recorded judge's own text is read, which may quote what it was shown."""
    from eval_pipeline.judging.reading.recorded import TEXT_FORMS

    judges = contract.judging.pairwise if contract.judging else []
    return any(judge.verdicts in TEXT_FORMS for judge in judges)


def _live_votes(
    inputs: StageInputs,
    items: pa.Table,
    clusters: Mapping[str, str],
    planned: Planned,
    texts: Mapping[tuple[str, str], str],
) -> tuple[pa.Table, dict[str, str | int | float]]:
    """The votes of the judges that are asked, and notes of what the calls cost."""
    judging = inputs.contract.judging
    judges = [judge for judge in judging.pairwise if judge.source == "openai"] if judging else []
    if judging is None or not judges:
        return TABLES["judge_votes"].empty(), {}
    from eval_pipeline.judging.asking.live_rows import vote_rows
    from eval_pipeline.orchestration.live_judges.judge_calls import asked_of

    questions = live_judging.questions_of(items)
    asks = {
        judge.name: live_judging.due_pairs(inputs.root, judging, judge, planned, questions, texts)
        for judge in judges
    }
    replies, notes = asked_of(inputs, judges, asks)
    rows = [row for one in replies for row in vote_rows(one, clusters)]
    return TABLES["judge_votes"].from_rows(rows), notes


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


def instruments(contract: Contract) -> Mapping[str, str]:
    """What reads a judge's text, where one is read; labels and numbers need no reader."""
    from eval_pipeline.judging.verdicts import READER

    return {"reader": READER} if _are_shown(contract) else {}


def wanted(contract: Contract) -> bool:
    return pair_plan.wanted(contract)


def withheld(contract: Contract, settings: Settings) -> str | None:
    return live_judging.withheld(contract.judging.pairwise if contract.judging else ())


def files(root: DataRoot, contract: Contract, checkpoint: str | None) -> Sequence[Path]:
    """One file a recorded judge, whether it is there or not; what the judges were shown."""
    recorded = [path for _, path in _recorded(root, contract, checkpoint)]
    if not _are_shown(contract):
        return recorded
    partners = pair_plan.chosen_partners(root, contract, checkpoint or "")
    models = [checkpoint or "", *(partner.name for partner in partners)]
    shown = [path for model in models for path in landed_files(root, contract, model)]
    return [*recorded, *shown]


def _recorded(
    root: DataRoot, contract: Contract, checkpoint: str | None
) -> list[tuple[Judge, Path]]:
    judges = contract.judging.pairwise if contract.judging else ()
    return recorded_files(root, contract, judges, checkpoint or "")


STAGE = Stage(
    name="judge_votes",
    tables=("judge_votes", "rejected_votes"),
    scope="checkpoint",
    reads=("items", "pair_plan"),
    version=3,
    compute=compute,
    wanted=wanted,
    files=files,
    instruments=instruments,
    withheld=withheld,
)
