"""The mean score of each checkpoint, by each judge of single replies and by the licensed ones."""

from typing import TYPE_CHECKING

from eval_pipeline.contracts.model import Contract
from eval_pipeline.orchestration.live_judges import live_judging
from eval_pipeline.orchestration.stage import Check, Computed, Stage, StageInputs
from eval_pipeline.orchestration.stages import judge_scores
from eval_pipeline.orchestration.stages.judge_audits import declared
from eval_pipeline.warehouse.schemas import TABLES

if TYPE_CHECKING:
    import pyarrow as pa

    from eval_pipeline.metrics.measures.item_values import ItemValues
    from eval_pipeline.metrics.samples import Items

NAME = "judge_score_estimates"


def compute(inputs: StageInputs) -> Computed:
    from eval_pipeline.judging.awaited import pending
    from eval_pipeline.judging.scoring.reply_scores import due_replies, reply_scores
    from eval_pipeline.judging.scoring.score_estimates import score_estimate_rows
    from eval_pipeline.judging.standing import panel_of
    from eval_pipeline.metrics.samples import ITEM_COLUMNS, Items
    from eval_pipeline.orchestration import terms

    contract, judging = inputs.contract, declared(inputs.contract)
    rows = live_judging.scored_part(contract, inputs.table("items", ITEM_COLUMNS))
    items = rows.select(["item_id", "cluster_id"]).to_pydict()
    clusters = dict(zip(items["item_id"], items["cluster_id"], strict=True))
    statuses = _reply_statuses(inputs)
    due = due_replies(clusters, statuses, sorted({checkpoint for checkpoint, _ in statuses}))
    judges = [judge.name for judge in judging.pointwise]
    awaited = inputs.table("awaited_votes").to_pylist()
    scores = reply_scores(
        inputs.table("judge_scores"),
        due,
        judges,
        panel_of(judges, inputs.table("judge_licences").to_pylist()),
        live_judging.rubric(inputs.root, judging),
        pending(awaited, "scores"),
    )
    estimates = score_estimate_rows(
        scores, Items.from_table(rows), terms.design(contract), contract.failures.handling()
    )
    return Computed(
        {"reply_scores": scores, NAME: TABLES[NAME].from_rows(estimates)},
        notes=terms.notes(contract),
    )


def _reply_statuses(inputs: StageInputs) -> dict[tuple[str, str], str]:
    """(checkpoint, item) to the status of the reply that is judged: draw 0."""
    import pyarrow.compute as pc

    columns = ["checkpoint", "item_id", "draw", "status"]
    drawn = inputs.table("generations", columns)
    judged = drawn.filter(pc.equal(drawn["draw"], 0)).to_pydict()
    keys = zip(judged["checkpoint"], judged["item_id"], strict=True)
    return dict(zip(keys, judged["status"], strict=True))


def panel_values(
    scores: "pa.Table", items: "Items", contract: Contract, checkpoint: str
) -> "tuple[ItemValues, float] | None":
    """The panel's score of each item's reply on the criterion of the primary endpoint.

    scores: `reply_scores`; items: those whose replies are scored. Beside it the width of the
    scale. None where the checkpoint's replies were never scored.
    """
    import pyarrow.compute as pc

    from eval_pipeline.judging.scoring.score_estimates import score_values, scored_checkpoint
    from eval_pipeline.layout import PANEL
    from eval_pipeline.metrics.registry import asked

    endpoint = asked(contract.question.primary_endpoint.label)
    criterion = str(endpoint.options["criterion"])
    for name, value in (("judge", PANEL), ("checkpoint", checkpoint), ("criterion", criterion)):
        scores = scores.filter(pc.equal(scores[name], value))
    if not scores.num_rows:
        return None
    found = scored_checkpoint(scores, items, criterion, contract.failures.handling())
    metric = found.metric.metric
    return score_values(found, items), metric.most - metric.least


def every_reply_has_an_outcome(inputs: StageInputs, computed: Computed) -> str | None:
    """Each judge, and the panel, has every due reply once on every criterion."""
    judging = declared(inputs.contract)
    voices = len(judging.pointwise) + 1
    criteria = len(live_judging.rubric(inputs.root, judging).criteria) + 1
    items = live_judging.scored_part(inputs.contract, inputs.table("items", ["item_id", "slices"]))
    replies = len({checkpoint for checkpoint, _ in _reply_statuses(inputs)}) * items.num_rows
    due, found = voices * criteria * replies, computed.tables["reply_scores"].num_rows
    return None if found == due else f"{due} scores are due, and {found} are there"


STAGE = Stage(
    name=NAME,
    tables=("reply_scores", NAME),
    scope="contract",
    reads=("items", "generations", "judge_scores", "judge_licences", "awaited_votes"),
    version=3,
    compute=compute,
    wanted=judge_scores.wanted,
    checks=(Check("every_due_reply_has_an_outcome", "reply_scores", every_reply_has_an_outcome),),
)
