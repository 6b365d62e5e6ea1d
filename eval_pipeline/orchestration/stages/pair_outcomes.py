"""What each judge and the panel say of every planned pair of replies."""

from typing import TYPE_CHECKING

from eval_pipeline.contracts.model import Contract
from eval_pipeline.orchestration.stage import Check, Computed, Stage, StageInputs
from eval_pipeline.orchestration.stages import pair_plan
from eval_pipeline.warehouse.schemas import TABLES

if TYPE_CHECKING:
    import pyarrow as pa


def compute(inputs: StageInputs) -> Computed:
    from eval_pipeline.judging.awaited import waiting_pairs
    from eval_pipeline.judging.pairs.outcomes import ballots, outcome_rows, planned_pairs
    from eval_pipeline.judging.pairs.replies import replies_of
    from eval_pipeline.judging.pairs.swap import combine_votes
    from eval_pipeline.judging.standing import panel_of

    contract = inputs.contract
    judging = contract.judging
    by_probability = judging is not None and judging.score == "probability"
    pairs = combine_votes(inputs.table("judge_votes"), by_probability=by_probability)
    plan = inputs.table("pair_plan")
    planned = planned_pairs(plan, inputs.table("items"), pairs, contract.pairing is not None)
    judges = [judge.name for judge in judging.pairwise] if judging else []
    handling = contract.failures.handling()
    replies = replies_of(inputs.table("generations"), handling, marks_wanted(contract))
    votes = ballots(pairs)
    orders = judging.orders if judging is not None else "both"
    panel = panel_of(judges, inputs.table("judge_licences").to_pylist())
    waits = waiting_pairs(plan, inputs.table("awaited_votes").to_pylist())
    rows = outcome_rows(planned, votes, judges, panel, replies, waits, orders=orders)
    outside = sum(key not in planned for of_judge in votes.values() for key in of_judge)
    table = TABLES["pair_outcomes"].from_rows(rows)
    return Computed({"pair_outcomes": table}, notes={"judged_pairs_outside_the_plan": outside})


def cast_pairs(outcomes: "pa.Table") -> "pa.Table":
    """The outcomes without pairs that await votes: these are in no fit."""
    import pyarrow.compute as pc

    return outcomes.filter(pc.not_equal(outcomes["category"], "pending"))


def marks_wanted(contract: Contract) -> list[str]:
    """Kinds of Markdown marks that replies are to be held equal in."""
    style = contract.length_control.style if contract.length_control else []
    covariates = contract.ranking.covariates if contract.ranking else []
    return sorted({*style, *covariates} - {"length"})


def wanted(contract: Contract) -> bool:
    return pair_plan.wanted(contract)


def pairs_without_outcome(inputs: StageInputs, computed: Computed) -> str | None:
    """Each judge, and the panel, has every planned pair once."""
    if inputs.contract.pairing is None or inputs.contract.judging is None:
        return None
    voices = len(inputs.contract.judging.pairwise) + 1
    planned = inputs.table("pair_plan").num_rows * voices
    found = computed.tables["pair_outcomes"].num_rows
    return None if found == planned else f"{planned} outcomes are due, and {found} are there"


STAGE = Stage(
    name="pair_outcomes",
    tables=("pair_outcomes",),
    scope="contract",
    reads=("items", "judge_votes", "pair_plan", "generations", "judge_licences", "awaited_votes"),
    version=3,
    compute=compute,
    wanted=wanted,
    checks=(Check("every_planned_pair_has_an_outcome", "pair_outcomes", pairs_without_outcome),),
)
