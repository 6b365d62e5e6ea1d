"""What the items are worth, over all checkpoints: facility, discrimination, curves, group odds."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

from eval_pipeline.contracts.model import Contract
from eval_pipeline.orchestration.stage import Computed, Stage, StageInputs
from eval_pipeline.warehouse.schemas import TABLES

if TYPE_CHECKING:
    from eval_pipeline.contracts.analyses import ItemAnalysis


def compute(inputs: StageInputs) -> Computed:
    import numpy as np

    from eval_pipeline.metrics.item_analysis.responses import answers_of, scores_of
    from eval_pipeline.metrics.item_analysis.rows import functioning_rows, item_rows
    from eval_pipeline.metrics.samples import ITEM_COLUMNS, Items
    from eval_pipeline.orchestration.reading import measured

    contract, wanted = inputs.contract, _section(inputs.contract)
    items = Items.from_table(inputs.table("items", ITEM_COLUMNS))
    samples = measured.samples_of_checkpoints(inputs, items, [])
    scores = scores_of(items, samples)
    answers = answers_of(items, samples, scores.checkpoints, wanted.respondents)
    rows = item_rows(items, scores, answers)
    functioning = []
    if wanted.groups is not None:
        of = _families(inputs)
        family = np.array([of.get(name) for name in answers.checkpoint], dtype=object)
        functioning = functioning_rows(
            items,
            answers,
            family,
            wanted.groups.reference,
            wanted.groups.focal,
            strata=wanted.strata,
            rule=contract.statistics.multiplicity,
        )
    notes: dict[str, str] = {"respondents": wanted.respondents}
    if scores.left_out:
        notes["left out, too few items answered"] = ", ".join(scores.left_out)
    return Computed(
        {
            "item_analysis": TABLES["item_analysis"].from_rows(rows),
            "differential_functioning": TABLES["differential_functioning"].from_rows(functioning),
        },
        notes=notes,
    )


def _section(contract: Contract) -> "ItemAnalysis":
    if contract.item_analysis is None:
        raise ValueError(f"{contract.title} asks for no item_analysis")
    return contract.item_analysis


def _families(inputs: StageInputs) -> Mapping[str, str]:
    """The family of each checkpoint."""
    manifest = inputs.table("run_manifest", ["checkpoint", "field", "value"]).to_pylist()
    return {row["checkpoint"]: row["value"] for row in manifest if row["field"] == "family"}


def wanted(contract: Contract) -> bool:
    return contract.item_analysis is not None and contract.verification is not None


STAGE = Stage(
    name="item_analysis",
    tables=("item_analysis", "differential_functioning"),
    scope="contract",
    reads=("run_manifest", "items", "verifier_scores"),
    version=3,
    compute=compute,
    wanted=wanted,
)
