"""Win rate of each model against the baseline, with length and seating taken out."""

from collections.abc import Mapping
from typing import Any

from eval_pipeline.contracts.model import Contract
from eval_pipeline.orchestration.stage import Computed, Stage, StageInputs
from eval_pipeline.warehouse.schemas import TABLES

NAME = "length_controlled_win_rates"


def compute(inputs: StageInputs) -> Computed:
    import pyarrow.compute as pc

    from eval_pipeline.length_control.rows import win_rate_rows

    contract = inputs.contract
    if contract.length_control is None:
        raise ValueError(f"contract {contract.title} has no length_control: name its baseline")
    baseline = contract.length_control.baseline
    outcomes = inputs.table("pair_outcomes")
    rows: list[Mapping[str, Any]] = []
    for judge in sorted(pc.unique(outcomes["judge"]).to_pylist()):
        own = outcomes.filter(pc.equal(outcomes["judge"], judge))
        named = {"judge": judge, "quarantined": pc.any(own["quarantined"]).as_py()}
        found = win_rate_rows(own, baseline, contract.confidence)
        rows += [{**named, **row} for row in found]
    return Computed({NAME: TABLES[NAME].from_rows(rows)})


def wanted(contract: Contract) -> bool:
    return contract.length_control is not None


STAGE = Stage(
    name=NAME,
    tables=(NAME,),
    scope="contract",
    reads=("pair_outcomes",),
    version=1,
    compute=compute,
    wanted=wanted,
)
