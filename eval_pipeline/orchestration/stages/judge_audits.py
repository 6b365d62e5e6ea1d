"""Every audit of every judge, from its recorded votes or scores and what people say."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

import pyarrow as pa

from eval_pipeline.contracts.judging import Judge, Judging
from eval_pipeline.contracts.model import Contract
from eval_pipeline.orchestration.live_judges import live_judging
from eval_pipeline.orchestration.stage import Check, Computed, Stage, StageInputs
from eval_pipeline.warehouse.schemas import TABLES

if TYPE_CHECKING:
    from collections.abc import Sequence

    from eval_pipeline.judging.audits.pair_audits import Rules
    from eval_pipeline.judging.pairs.replies import Replies
    from eval_pipeline.judging.pairs.swap import JudgedPairs

Rows = list[dict[str, object]]


def compute(inputs: StageInputs) -> Computed:
    from eval_pipeline.judging.pairs.replies import replies_of

    contract, judging = inputs.contract, declared(inputs.contract)
    replies = replies_of(inputs.table("generations"), contract.failures.handling())
    rows: Rows = []
    notes: Mapping[str, int] = {}
    if judging.pairwise:
        rows, notes = _of_pairs(inputs, replies)
    if judging.pointwise:
        rows += _of_scores(inputs, replies)
    rows.sort(key=lambda row: (row["judge"], row["slice"], row["audit"]))
    return Computed({"judge_audits": TABLES["judge_audits"].from_rows(rows)}, notes=notes)


def _of_pairs(inputs: StageInputs, replies: "Replies") -> tuple[Rows, Mapping[str, int]]:
    """Audits of the judges of pairs, and how many pairs had a reply that failed."""
    from eval_pipeline.judging.audits.pair_audits import Evidence, audit_rows
    from eval_pipeline.judging.pairs.plan import item_slices
    from eval_pipeline.judging.pairs.replies import families_of, lengths_of
    from eval_pipeline.judging.people.labels import combine_labels
    from eval_pipeline.judging.probes.votes import combine_probe_votes

    contract, judging = inputs.contract, declared(inputs.contract)
    pairs, n_failed = audited_pairs(inputs, replies)
    evidence = Evidence(
        pairs,
        combine_labels(counted(inputs, "annotations")),
        lengths_of(replies),
        item_slices(inputs.table("items")),
        families_of(inputs.table("run_manifest")),
        combine_probe_votes(inputs.table("judge_probe_votes"))
        if inputs.has("judge_probe_votes")
        else None,
    )
    rows = audit_rows(evidence, _rules(contract, judging.pairwise))
    return rows, {"pairs_with_a_failed_reply": n_failed}


def audited_pairs(inputs: StageInputs, replies: "Replies") -> "tuple[JudgedPairs, int]":
    """The pairs that judges are held to, those without a vote among them; and how many failed.

    Left out are pairs whose votes are pending, and those of which a reply failed.
    """
    from eval_pipeline.judging.awaited import not_pending, pending
    from eval_pipeline.judging.pairs.outcomes import planned_pairs
    from eval_pipeline.judging.pairs.replies import has_both_replies
    from eval_pipeline.judging.pairs.swap import combine_votes, with_planned

    contract, judging = inputs.contract, declared(inputs.contract)
    plan = inputs.table("pair_plan")
    by_probability = judging.score == "probability"
    voted = combine_votes(inputs.table("judge_votes"), by_probability=by_probability)
    planned = planned_pairs(plan, inputs.table("items"), voted, contract.pairing is not None)
    judges = [judge.name for judge in judging.pairwise]
    own = contract.pairing is not None and bool(contract.pairing.recorded)
    due = {} if own else planned  # else a judge is due what it recorded
    pairs = with_planned(voted, judges, due, judging.repeats, orders=judging.orders)
    waits = pending(inputs.table("awaited_votes").to_pylist(), "pairs")
    pairs = pairs.where(not_pending(pairs, plan, waits))
    answered = has_both_replies(pairs, replies)
    return pairs.where(answered), int((~answered).sum())


def _of_scores(inputs: StageInputs, replies: "Replies") -> Rows:
    """Audits of the judges of single replies."""
    from eval_pipeline.judging.audits.score_audits import ScoreEvidence, score_audit_rows
    from eval_pipeline.judging.awaited import pending
    from eval_pipeline.judging.pairs.plan import item_slices
    from eval_pipeline.judging.pairs.replies import families_of, lengths_of

    contract, judging = inputs.contract, declared(inputs.contract)
    items = live_judging.scored_part(contract, inputs.table("items"))
    cluster = dict(zip(items["item_id"].to_pylist(), items["cluster_id"].to_pylist(), strict=True))
    due = {
        (model, item): cluster[item]
        for (model, item), reply in replies.items()
        if reply.failure is None and item in cluster
    }
    evidence = ScoreEvidence(
        inputs.table("judge_scores"),
        counted(inputs, "annotation_scores"),
        due,
        lengths_of(replies),
        item_slices(items),
        families_of(inputs.table("run_manifest")),
        live_judging.rubric(inputs.root, judging),
        judging.repeats,
        pending(inputs.table("awaited_votes").to_pylist(), "scores"),
    )
    return score_audit_rows(evidence, _rules(contract, judging.pointwise))


def _rules(contract: Contract, judges: "Sequence[Judge]") -> "Rules":
    from eval_pipeline.judging.audits.pair_audits import Rules

    return Rules(
        judge_family={judge.name: judge.family for judge in judges},
        bars=declared(contract).bars.by_audit,
        confidence=contract.confidence,
        truth_rule=declared(contract).ruled_by if declared(contract).truth else None,
    )


def counted(inputs: StageInputs, table: str) -> pa.Table:
    """What people say, less what raters say who failed the contract's honeypots.

    table: `annotations`, or `annotation_scores`.
    """
    if not inputs.has(table):
        return TABLES[table].empty()
    from eval_pipeline.judging.people.raters import without_raters

    return without_raters(inputs.table(table), inputs.table("rater_quality").to_pylist())


def declared(contract: Contract) -> Judging:
    if contract.judging is None:
        raise ValueError(f"{contract.title} declares no judging: add the section")
    return contract.judging


def wanted(contract: Contract) -> bool:
    return contract.judging is not None


def also_reads(contract: Contract) -> tuple[str, ...]:
    """People's scores, where a judge gives any."""
    scored = contract.judging is not None and contract.judging.pointwise
    return ("annotation_scores",) if scored else ()


def unaudited_judges(inputs: StageInputs, computed: Computed) -> str | None:
    audited = set(computed.tables["judge_audits"]["judge"].to_pylist())
    asked = {judge.name for judge in declared(inputs.contract).judges}
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
        "judge_scores",
        "annotations",
        "rater_quality",
        "generations",
        "pair_plan",
        "judge_probe_votes",
        "awaited_votes",
    ),
    version=6,
    compute=compute,
    wanted=wanted,
    also_reads=also_reads,
    checks=(Check("every_judge_is_audited", "judge_audits", unaudited_judges),),
)
