"""The chain of stages, in order, and what a contract takes of it."""

from collections.abc import Sequence
from functools import cache

from eval_pipeline.contracts.model import Contract
from eval_pipeline.orchestration.stage import Stage
from eval_pipeline.orchestration.stages import (
    annotations,
    awaited_votes,
    contamination_delta,
    contamination_evidence,
    contamination_hits,
    contamination_index,
    contamination_items,
    contamination_validation,
    contract,
    decisions,
    generations,
    item_analysis,
    items,
    judge_audits,
    judge_licences,
    judge_probes,
    judge_score_estimates,
    judge_scores,
    judge_sentinels,
    judge_votes,
    label_accuracies,
    leaderboard,
    length_controlled_win_rates,
    metric_estimates,
    metric_validity,
    near_duplicates,
    pair_outcomes,
    pair_plan,
    paired_comparisons,
    raters,
    ratings,
    reliability_bins,
    report,
    robustness_drops,
    safety_frontier,
    verdict_agreement,
    verifier_scores,
)

CHAIN: tuple[Stage, ...] = tuple(
    module.STAGE
    for module in (
        contract,
        items,
        contamination_index,
        contamination_hits,
        near_duplicates,
        contamination_validation,
        contamination_items,
        annotations,
        raters,
        generations,
        verifier_scores,
        verdict_agreement,
        metric_estimates,
        reliability_bins,
        contamination_evidence,
        pair_plan,
        judge_votes,
        judge_scores,
        awaited_votes,
        judge_probes,
        judge_audits,
        label_accuracies,
        judge_sentinels,
        judge_licences,
        judge_score_estimates,
        pair_outcomes,
        length_controlled_win_rates,
        ratings,
        contamination_delta,
        item_analysis,
        metric_validity,
        safety_frontier,
        robustness_drops,
        paired_comparisons,
        decisions,
        leaderboard,
        report,
    )
)


@cache
def stage_of_table() -> dict[str, Stage]:
    """Which stage writes a table."""
    return {table: stage for stage in CHAIN for table in stage.tables}


def stages_of(contract: Contract) -> Sequence[Stage]:
    """The stages that a contract asks for, each after those it reads."""
    return [stage for stage in CHAIN if stage.wanted(contract)]


def reads_of(stage: Stage, contract: Contract) -> Sequence[str]:
    """The tables that the stage reads under this contract: those that the contract has."""
    named = dict.fromkeys((*stage.reads, *stage.also_reads(contract)))
    return [table for table in named if stage_of_table()[table].wanted(contract)]


def aggregates(stage: Stage) -> bool:
    """Whether the stage rests, through any way, on tables of single checkpoints."""
    if stage.scope == "checkpoint":
        return False
    upstream = [stage_of_table()[table] for table in stage.reads]
    return any(one.scope == "checkpoint" or aggregates(one) for one in upstream)
