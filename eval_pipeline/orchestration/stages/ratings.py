"""Strength of each model from judged pairs, judge by judge: Bradley-Terry."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

from eval_pipeline.contracts.model import Contract
from eval_pipeline.contracts.strengths import Ranking
from eval_pipeline.layout import PANEL
from eval_pipeline.orchestration.stage import Computed, Stage, StageInputs
from eval_pipeline.orchestration.stages import pair_outcomes
from eval_pipeline.orchestration.stages.pair_outcomes import cast_pairs
from eval_pipeline.warehouse.schemas import TABLES

if TYPE_CHECKING:
    import pyarrow as pa

PAIR = ("item_id", "model_a", "model_b")
WRITES = ("ratings", "contrasts", "rank_sets", "fit_diagnostics")


def compute(inputs: StageInputs) -> Computed:
    import pyarrow.compute as pc

    from eval_pipeline.ranking.pairs import pairs_of_table
    from eval_pipeline.ranking.rows import judge_rows
    from eval_pipeline.statistics.randomness import generator

    contract = inputs.contract
    ranking = contract.ranking or Ranking.model_validate({})
    outcomes = cast_pairs(inputs.table("pair_outcomes"))
    judges = sorted(pc.unique(outcomes["judge"]).to_pylist())
    pairs = {
        judge: pairs_of_table(
            outcomes.filter(pc.equal(outcomes["judge"], judge)), ranking.covariates
        )
        for judge in judges
    }
    rows: dict[str, list[Mapping[str, object]]] = {name: [] for name in WRITES}
    quarantine = {judge: _any_quarantined(outcomes, judge) for judge in judges}
    members = heard(quarantine)
    shared = _judged_by_all(outcomes)
    for judge in judges:
        alone = judge == PANEL and len(members) == 1  # both then show the same numbers
        found = judge_rows(
            pairs[judge],
            order_effect=ranking.order_effect,
            by_vote=ranking.weigh == "votes",
            prior_sd=ranking.prior_sd,
            anchor=ranking.anchor,
            confidence=contract.confidence,
            replicates=contract.statistics.replicates,
            rng=generator(contract.statistics.seed, "rank_sets", members[0] if alone else judge),
            members=(
                {
                    one: pairs_of_table(
                        shared.filter(pc.equal(shared["judge"], one)), ranking.covariates
                    )
                    for one in members
                }
                if judge == PANEL
                else None
            ),
        )
        for name in WRITES:
            named = {"judge": judge}
            if name != "fit_diagnostics":
                named["quarantined"] = quarantine[judge]
            rows[name] += [{**named, **row} for row in found[name]]
    return Computed({name: TABLES[name].from_rows(rows[name]) for name in WRITES})


def heard(quarantine: Mapping[str, bool]) -> list[str]:
    """Whose votes make the panel: the judges in good standing, or all where there is none."""
    judges = sorted(judge for judge in quarantine if judge != PANEL)
    return [judge for judge in judges if not quarantine[judge]] or judges


def _judged_by_all(outcomes: "pa.Table") -> "pa.Table":
    """The outcomes of the pairs that the panel has: a judge may be done where another is not."""
    import pyarrow as pa

    keys = list(zip(*(outcomes[name].to_pylist() for name in PAIR), strict=True))
    judges = outcomes["judge"].to_pylist()
    panel = {key for key, judge in zip(keys, judges, strict=True) if judge == PANEL}
    return outcomes.filter(pa.array([key in panel for key in keys], pa.bool_()))


def _any_quarantined(outcomes: "pa.Table", judge: str) -> bool:
    import pyarrow.compute as pc

    own = outcomes.filter(pc.equal(outcomes["judge"], judge))
    return bool(pc.any(own["quarantined"]).as_py())


def wanted(contract: Contract) -> bool:
    return pair_outcomes.wanted(contract)


STAGE = Stage(
    name="ratings",
    tables=WRITES,
    scope="contract",
    reads=("pair_outcomes",),
    version=5,
    compute=compute,
    wanted=wanted,
)
