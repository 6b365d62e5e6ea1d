"""Strength of each model from judged pairs, judge by judge: Bradley-Terry."""

from collections.abc import Mapping
from typing import Any

import pyarrow as pa

from eval_pipeline.contracts.model import Contract, Ranking
from eval_pipeline.contracts.rules import PANEL
from eval_pipeline.orchestration.stage import Computed, Stage, StageInputs
from eval_pipeline.warehouse.schemas import TABLES

WRITES = ("ratings", "contrasts", "rank_sets", "fit_diagnostics")


def compute(inputs: StageInputs) -> Computed:
    import pyarrow.compute as pc

    from eval_pipeline.ranking.pairs import pairs_of_table
    from eval_pipeline.ranking.rows import judge_rows
    from eval_pipeline.statistics.randomness import generator

    contract = inputs.contract
    ranking = contract.ranking or Ranking.model_validate({})
    outcomes = inputs.table("pair_outcomes")
    rows: dict[str, list[Mapping[str, Any]]] = {name: [] for name in WRITES}
    names = streams(outcomes)
    for judge in sorted(pc.unique(outcomes["judge"]).to_pylist()):
        own = outcomes.filter(pc.equal(outcomes["judge"], judge))
        found = judge_rows(
            pairs_of_table(own),
            order_effect=ranking.order_effect,
            by_vote=ranking.weigh == "votes",
            prior_sd=ranking.prior_sd,
            anchor=ranking.anchor,
            confidence=contract.confidence,
            replicates=contract.statistics.replicates,
            rng=generator(contract.statistics.seed, "rank_sets", names[judge]),
        )
        quarantined = pc.any(own["quarantined"]).as_py()
        for name in WRITES:
            named = {"judge": judge}
            if name != "fit_diagnostics":
                named["quarantined"] = quarantined
            rows[name] += [{**named, **row} for row in found[name]]
    return Computed({name: TABLES[name].from_rows(rows[name]) for name in WRITES})


def streams(outcomes: pa.Table) -> dict[str, str]:
    """The name under which each judge's random numbers are drawn: its own.

    A panel of one licensed judge draws under that judge's, so that both show the same numbers.
    """
    import pyarrow.compute as pc

    names = {judge: judge for judge in pc.unique(outcomes["judge"]).to_pylist()}
    licensed = pc.unique(outcomes.filter(pc.invert(outcomes["quarantined"]))["judge"]).to_pylist()
    members = [judge for judge in licensed if judge != PANEL] or [j for j in names if j != PANEL]
    if PANEL in names and len(members) == 1:
        names[PANEL] = members[0]
    return names


def wanted(contract: Contract) -> bool:
    return contract.judging is not None


STAGE = Stage(
    name="ratings",
    tables=WRITES,
    scope="contract",
    reads=("pair_outcomes",),
    version=3,
    compute=compute,
    wanted=wanted,
)
