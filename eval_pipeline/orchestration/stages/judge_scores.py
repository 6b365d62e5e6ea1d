"""The scores that pointwise judges give to a checkpoint's replies: recorded, or asked for."""

from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import pyarrow as pa

from eval_pipeline.contracts.judging import Judge, Judging
from eval_pipeline.contracts.model import Contract
from eval_pipeline.layout import DataRoot
from eval_pipeline.orchestration.live_judges import live_judging
from eval_pipeline.orchestration.reading.judgments import recorded_files
from eval_pipeline.orchestration.stage import Computed, Settings, Stage, StageInputs
from eval_pipeline.orchestration.stages.judge_audits import declared
from eval_pipeline.warehouse.schemas import TABLES

if TYPE_CHECKING:
    from eval_pipeline.ingest.scores import Said


def compute(inputs: StageInputs) -> Computed:
    from eval_pipeline.ingest.scores import read_scores

    judging = declared(inputs.contract)
    items = inputs.table("items", ["item_id", "cluster_id", "question", "slices"])
    clusters = dict(zip(items["item_id"].to_pylist(), items["cluster_id"].to_pylist(), strict=True))
    due = set(live_judging.scored_items(inputs.contract, items))
    generations = inputs.table("generations", ["item_id", "draw", "status", "text"])
    texts = live_judging.judged_texts(generations, inputs.checkpoint or "")
    replies = {item: text for (_, item), text in texts.items()}
    read = [
        read_scores(
            path,
            path.relative_to(inputs.root.path).as_posix(),
            judge.name,
            clusters,
            due,
            score_reader(inputs.root, judging, judge),
            replies,
        )
        for judge, path in _recorded(inputs.root, inputs.contract, inputs.checkpoint)
        if path.exists()
    ]
    asked, notes = _asked(inputs, items)
    scores = [TABLES["judge_scores"].empty(), *(one.judge_scores for one in read), asked]
    rejected = [TABLES["rejected_scores"].empty(), *(one.rejected_scores for one in read)]
    return Computed(
        {
            "judge_scores": pa.concat_tables(scores),
            "rejected_scores": pa.concat_tables(rejected),
        },
        [one.file for one in read],
        notes=notes,
    )


def score_reader(root: DataRoot, judging: Judging, judge: Judge) -> "Said":
    """How the recorded scores of a judge are read."""
    from eval_pipeline.judging.reading.recorded_scores import recorded_scores

    prompt = live_judging.checked_judge_prompt(root, judge)
    return partial(
        recorded_scores,
        rubric=live_judging.rubric(root, judging),
        yes_no=judge.verdicts == "yes_no" or prompt.yes_no,
    )


def _asked(inputs: StageInputs, items: pa.Table) -> tuple[pa.Table, dict[str, str | int | float]]:
    """The scores of the judges that are asked live, and notes of what the calls cost."""
    judging, checkpoint = declared(inputs.contract), inputs.checkpoint or ""
    judges = [judge for judge in judging.pointwise if judge.source == "openai"]
    if not judges:
        return TABLES["judge_scores"].empty(), {}
    from eval_pipeline.judging.asking.live_rows import score_rows
    from eval_pipeline.orchestration.live_judges.judge_calls import asked_of

    clusters = dict(zip(items["item_id"].to_pylist(), items["cluster_id"].to_pylist(), strict=True))
    known = live_judging.questions_of(items)
    questions = {item: known[item] for item in live_judging.scored_items(inputs.contract, items)}
    generations = inputs.table("generations", ["item_id", "draw", "status", "text"])
    texts = live_judging.judged_texts(generations, checkpoint)
    asks = {
        judge.name: live_judging.due_scores(
            inputs.root, judging, judge, checkpoint, questions, texts
        )
        for judge in judges
    }
    replies, notes = asked_of(inputs, judges, asks)
    rows = [row for one in replies for row in score_rows(one, clusters)]
    return TABLES["judge_scores"].from_rows(rows), notes


def instruments(contract: Contract) -> Mapping[str, str]:
    from eval_pipeline.judging.verdicts import READER

    return {"reader": READER}


def wanted(contract: Contract) -> bool:
    return contract.judging is not None and bool(contract.judging.pointwise)


def withheld(contract: Contract, settings: Settings) -> str | None:
    return live_judging.withheld(contract.judging.pointwise if contract.judging else ())


def files(root: DataRoot, contract: Contract, checkpoint: str | None) -> Sequence[Path]:
    """One file a recorded judge, whether it is there or not."""
    return [path for _, path in _recorded(root, contract, checkpoint)]


def _recorded(
    root: DataRoot, contract: Contract, checkpoint: str | None
) -> list[tuple[Judge, Path]]:
    judges = contract.judging.pointwise if contract.judging else ()
    return recorded_files(root, contract, judges, checkpoint or "")


STAGE = Stage(
    name="judge_scores",
    tables=("judge_scores", "rejected_scores"),
    scope="checkpoint",
    reads=("items", "generations"),
    version=2,
    compute=compute,
    wanted=wanted,
    files=files,
    instruments=instruments,
    withheld=withheld,
)
