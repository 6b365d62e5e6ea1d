"""The scores that pointwise judges give to a checkpoint's replies."""

from eval_pipeline.contracts.model import Contract
from eval_pipeline.orchestration.stage import Computed, Settings, Stage, StageInputs
from eval_pipeline.orchestration.stages import live_judging
from eval_pipeline.orchestration.stages.judge_audits import declared
from eval_pipeline.warehouse.schemas import TABLES


def compute(inputs: StageInputs) -> Computed:
    from eval_pipeline.judging.live_rows import score_rows
    from eval_pipeline.orchestration.stages.judge_calls import answered, call_notes

    judging, checkpoint = declared(inputs.contract), inputs.checkpoint or ""
    items = inputs.table("items", ["item_id", "cluster_id", "question", "slices"])
    clusters = dict(zip(items["item_id"].to_pylist(), items["cluster_id"].to_pylist(), strict=True))
    asked = live_judging.questions_of(items)
    questions = {item: asked[item] for item in live_judging.scored_items(inputs.contract, items)}
    generations = inputs.table("generations", ["item_id", "draw", "status", "text"])
    texts = live_judging.judged_texts(generations, checkpoint)
    purse = inputs.settings.purse
    before = (purse.spent_calls, purse.spent_usd)
    replies = [
        answered(
            inputs,
            judge,
            live_judging.due_scores(inputs.root, judging, judge, checkpoint, questions, texts),
        )
        for judge in judging.pointwise
    ]
    rows = [row for one in replies for row in score_rows(one, clusters)]
    table = TABLES["judge_scores"].from_rows(rows)
    return Computed({"judge_scores": table}, notes=call_notes(inputs, replies, *before))


def wanted(contract: Contract) -> bool:
    return contract.judging is not None and bool(contract.judging.pointwise)


def withheld(contract: Contract, settings: Settings) -> str | None:
    return live_judging.withheld(contract.judging.pointwise if contract.judging else ())


STAGE = Stage(
    name="judge_scores",
    tables=("judge_scores",),
    scope="checkpoint",
    reads=("items", "generations"),
    version=1,
    compute=compute,
    wanted=wanted,
    withheld=withheld,
)
