"""Win rate of each model against the baseline, with length and seating taken out."""

from collections.abc import Mapping
from functools import partial
from typing import TYPE_CHECKING

from eval_pipeline.contracts.model import Contract
from eval_pipeline.contracts.strengths import LengthControl
from eval_pipeline.orchestration.stage import Computed, Stage, StageInputs
from eval_pipeline.orchestration.stages.pair_outcomes import cast_pairs
from eval_pipeline.warehouse.schemas import TABLES

if TYPE_CHECKING:
    import pyarrow as pa

    from eval_pipeline.length_control.between import RateBetween
    from eval_pipeline.length_control.gamed import GamedBaseline

NAME = "length_controlled_win_rates"
MOST_REFITS = 500  # the bootstrap error is then known to 3 %


def compute(inputs: StageInputs) -> Computed:
    import pyarrow.compute as pc

    from eval_pipeline.length_control.item_keys import item_numbers
    from eval_pipeline.length_control.rows import Refits, win_rate_rows
    from eval_pipeline.statistics.randomness import generator

    contract = inputs.contract
    control = contract.length_control
    if control is None:
        raise ValueError(f"contract {contract.title} has no length_control: name its baseline")
    items = inputs.table("items", ["item_id", "extra"])
    difficulty = item_numbers(items, control.difficulty) if control.difficulty else None
    outcomes = cast_pairs(inputs.table("pair_outcomes"))
    replicates = min(contract.statistics.replicates, MOST_REFITS)
    rows: list[Mapping[str, object]] = []
    for judge in sorted(pc.unique(outcomes["judge"]).to_pylist()):
        own = outcomes.filter(pc.equal(outcomes["judge"], judge))
        named = {"judge": judge, "quarantined": pc.any(own["quarantined"]).as_py()}
        found = win_rate_rows(
            own,
            control.baseline,
            contract.confidence,
            difficulty=difficulty,
            gamed=gamed_baseline(control, own, items, difficulty),
            style=control.style,
            refits=Refits(replicates, partial(generator, contract.statistics.seed, NAME, judge)),
        )
        rows += [{**named, **row} for row in found]
    return Computed({NAME: TABLES[NAME].from_rows(rows)})


def rate_between_models(
    contract: Contract, outcomes: "pa.Table", items: "pa.Table", one: str, two: str
) -> "RateBetween | None":
    """Two models at equal length as the contract fits them; None without length control.

    outcomes: of one judge. items: columns item_id and extra.
    """
    from eval_pipeline.length_control.item_keys import item_numbers
    from eval_pipeline.length_control.pair_rate import rate_of_pair

    if (control := contract.length_control) is None:
        return None
    difficulty = item_numbers(items, control.difficulty) if control.difficulty else None
    return rate_of_pair(
        outcomes,
        one,
        two,
        control.baseline,
        contract.confidence,
        difficulty=difficulty,
        gamed=gamed_baseline(control, outcomes, items, difficulty),
        style=control.style,
    )


def gamed_baseline(
    control: LengthControl,
    outcomes: "pa.Table",
    items: "pa.Table",
    difficulty: Mapping[str, float] | None,
) -> "GamedBaseline | None":
    """What the contract declares of gamed versions of the baseline."""
    from eval_pipeline.length_control.item_keys import gamed_of_items
    from eval_pipeline.length_control.rows import gamed_versions

    if control.gamed_weight is not None:
        return gamed_versions(
            outcomes, control.baseline, control.gamed, control.gamed_weight, difficulty
        )
    if (known := control.gamed_statistics) is None:
        return None
    return gamed_of_items(
        items,
        known.baseline_length,
        known.lengths,
        difficulty,
        weight=known.weight,
        won_length=known.won_length,
        won_difficulty=known.won_difficulty,
    )


def wanted(contract: Contract) -> bool:
    return contract.length_control is not None


STAGE = Stage(
    name=NAME,
    tables=(NAME,),
    scope="contract",
    reads=("items", "pair_outcomes"),
    version=4,
    compute=compute,
    wanted=wanted,
)
