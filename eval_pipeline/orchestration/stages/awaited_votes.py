"""What each judge has still to cast on each checkpoint: no failure of the judge, and no vote."""

from dataclasses import replace
from typing import TYPE_CHECKING

from eval_pipeline.contracts.judging import Judging
from eval_pipeline.contracts.model import Contract
from eval_pipeline.orchestration.live_judges import live_judging
from eval_pipeline.orchestration.stage import Computed, Stage, StageInputs
from eval_pipeline.warehouse.schemas import TABLES

if TYPE_CHECKING:
    from eval_pipeline.judging.awaited import Casting
    from eval_pipeline.judging.standing import Form


def compute(inputs: StageInputs) -> Computed:
    from eval_pipeline.judging.awaited import awaited_pairs, awaited_scores
    from eval_pipeline.judging.pairs.replies import replies_of

    contract, judging = inputs.contract, inputs.contract.judging
    if judging is None:
        raise ValueError(f"{contract.title} declares no judging: add the section")
    replies = replies_of(
        inputs.table("generations", ["checkpoint", "item_id", "draw", "n_chars", "status"]),
        contract.failures.handling(),
    )
    rows = []
    if judging.pairwise and contract.pairing is not None:
        plan, votes = inputs.table("pair_plan"), inputs.table("judge_votes")
        casting = replace(_casting(judging, "pairs"), own=bool(contract.pairing.recorded))
        rows += awaited_pairs(plan, votes, replies, casting)
    if judging.pointwise:
        items = live_judging.scored_part(contract, inputs.table("items", ["item_id", "slices"]))
        names = sorted({checkpoint for checkpoint, _ in replies})
        wanted = {(name, item) for name in names for item in items["item_id"].to_pylist()}
        drawn = {one for one in wanted if one in replies and replies[one].failure is None}
        scores = inputs.table("judge_scores", ["judge", "checkpoint", "item_id"])
        rows += awaited_scores(drawn, wanted - replies.keys(), scores, _casting(judging, "scores"))
    rows.sort(key=lambda row: (str(row["judge"]), str(row["checkpoint"]), str(row["form"])))
    return Computed({"awaited_votes": TABLES["awaited_votes"].from_rows(rows)})


def _casting(judging: Judging, form: "Form") -> "Casting":
    from eval_pipeline.judging.awaited import Casting

    judges = judging.pairwise if form == "pairs" else judging.pointwise
    orders = 2 if form == "pairs" and judging.orders == "both" else 1
    names = [judge.name for judge in judges]
    return Casting(form, names, orders, judging.bars.missing_rate)


def wanted(contract: Contract) -> bool:
    return contract.judging is not None


STAGE = Stage(
    name="awaited_votes",
    tables=("awaited_votes",),
    scope="contract",
    reads=("items", "generations", "pair_plan", "judge_votes", "judge_scores"),
    version=1,
    compute=compute,
    wanted=wanted,
)
