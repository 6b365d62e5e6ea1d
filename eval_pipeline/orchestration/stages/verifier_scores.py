"""The verdict on each sample of a checkpoint, and its score under the failure policy."""

from collections.abc import Mapping

from eval_pipeline.contracts.model import Contract
from eval_pipeline.contracts.verification import Verification
from eval_pipeline.orchestration.stage import Check, Computed, Settings, Stage, StageInputs
from eval_pipeline.warehouse.schemas import TABLES


def compute(inputs: StageInputs) -> Computed:
    from eval_pipeline.verification.scoring import Grader
    from eval_pipeline.verification.tables import ITEM_COLUMNS, sample_columns, score_rows

    asked = declared(inputs.contract)
    allowed = inputs.settings.allow_unsafe_code
    grader = Grader.of(asked.verifier, asked.extraction, asked.options, allowed)
    rows = score_rows(
        inputs.table("items", ITEM_COLUMNS),
        inputs.table("generations", sample_columns(grader)),
        grader,
        inputs.contract.failures.handling(),
        inputs.settings.workers,
    )
    table = TABLES["verifier_scores"].from_rows(rows)
    return Computed({"verifier_scores": table}, notes=grader.notes())


def declared(contract: Contract) -> Verification:
    if contract.verification is None:
        raise ValueError(f"{contract.title} declares no verification: add the section")
    return contract.verification


def wanted(contract: Contract) -> bool:
    return contract.verification is not None


def instruments(contract: Contract) -> Mapping[str, str]:
    from eval_pipeline.verification.extractions.chain import instrument_names

    asked = declared(contract)
    extraction = instrument_names(asked.extraction, asked.options)
    return {"verifier": asked.verifier, "extraction": extraction}


def withheld(contract: Contract, settings: Settings) -> str | None:
    from eval_pipeline.verification.registry import runs_code

    verifier = declared(contract).verifier
    if settings.allow_unsafe_code or not runs_code(verifier):
        return None
    from eval_pipeline.verification.code.level import absent

    if (reason := absent()) is None:
        return None
    return (
        f"its verifier {verifier} runs model code, and there is no sandbox here ({reason}): "
        "allow it without one with --allow-unsafe-code"
    )


def unscored_samples(inputs: StageInputs, computed: Computed) -> str | None:
    samples = inputs.table("generations", ["draw"]).num_rows
    scored = computed.tables["verifier_scores"].num_rows
    return None if scored == samples else f"{samples} samples, but {scored} scores"


STAGE = Stage(
    name="verifier_scores",
    tables=("verifier_scores",),
    scope="checkpoint",
    reads=("items", "generations"),
    version=3,
    compute=compute,
    wanted=wanted,
    instruments=instruments,
    withheld=withheld,
    checks=(Check("every_sample_is_scored", "verifier_scores", unscored_samples),),
)
