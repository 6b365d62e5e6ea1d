"""Every audit of every judge, from its recorded votes and the labels of people."""

import pyarrow as pa

from eval_pipeline.contracts.model import Contract, Judging
from eval_pipeline.orchestration.stage import Check, Computed, Stage, StageInputs
from eval_pipeline.warehouse.schemas import TABLES


def compute(inputs: StageInputs) -> Computed:
    from eval_pipeline.judging.audits import Evidence, Rules, audit_rows
    from eval_pipeline.judging.labels import combine_labels
    from eval_pipeline.judging.outcomes import planned_pairs
    from eval_pipeline.judging.plan import item_slices
    from eval_pipeline.judging.probes.votes import combine_probe_votes
    from eval_pipeline.judging.replies import families_of, has_both_replies, lengths_of, replies_of
    from eval_pipeline.judging.swap import combine_votes, with_planned

    contract, judging = inputs.contract, declared(inputs.contract)
    replies = replies_of(inputs.table("generations"), contract.failures.model_dump())
    items, plan = inputs.table("items"), inputs.table("pair_plan")
    voted = combine_votes(inputs.table("judge_votes"))
    planned = planned_pairs(plan, items, voted, contract.pairing is not None)
    judges = [judge.name for judge in judging.pairwise]
    one_order = judging.orders == "one"
    pairs = with_planned(voted, judges, planned, judging.repeats, one_order=one_order)
    answered = has_both_replies(pairs, replies)
    labels = counted_labels(inputs)
    evidence = Evidence(
        pairs.where(answered),
        combine_labels(labels),
        lengths_of(replies),
        item_slices(items),
        families_of(inputs.table("run_manifest")),
        combine_probe_votes(inputs.table("judge_probe_votes"))
        if inputs.has("judge_probe_votes")
        else None,
    )
    rules = Rules(
        judge_family={judge.name: judge.family for judge in judging.pairwise},
        bars={name: bar for name, bar in judging.bars.model_dump().items() if bar is not None},
        confidence=contract.confidence,
    )
    rows = audit_rows(evidence, rules)
    notes = {"pairs_with_a_failed_reply": int((~answered).sum())}
    return Computed({"judge_audits": TABLES["judge_audits"].from_rows(rows)}, notes=notes)


def counted_labels(inputs: StageInputs) -> pa.Table:
    """The labels of people, less those of raters who failed the contract's honeypots."""
    if not inputs.has("annotations"):
        return TABLES["annotations"].empty()
    from eval_pipeline.judging.raters import without_raters

    return without_raters(inputs.table("annotations"), inputs.table("rater_quality").to_pylist())


def declared(contract: Contract) -> Judging:
    if contract.judging is None:
        raise ValueError(f"{contract.title} declares no judging: add the section")
    return contract.judging


def wanted(contract: Contract) -> bool:
    return contract.judging is not None


def unaudited_judges(inputs: StageInputs, computed: Computed) -> str | None:
    audited = set(computed.tables["judge_audits"]["judge"].to_pylist())
    asked = {judge.name for judge in declared(inputs.contract).pairwise}
    lacking = sorted(asked - audited)
    return f"no audits of {', '.join(lacking)}" if lacking else None


STAGE = Stage(
    name="judge_audits",
    tables=("judge_audits",),
    scope="contract",
    reads=(
        "items",
        "run_manifest",
        "judge_votes",
        "annotations",
        "rater_quality",
        "generations",
        "pair_plan",
        "judge_probe_votes",
    ),
    version=3,
    compute=compute,
    wanted=wanted,
    checks=(Check("every_judge_is_audited", "judge_audits", unaudited_judges),),
)
