"""How often each judge of pairs is right, where the contract's labels are the truth."""

from eval_pipeline.contracts.model import Contract
from eval_pipeline.orchestration.stage import Computed, Stage, StageInputs
from eval_pipeline.orchestration.stages.judge_audits import audited_pairs, counted, declared
from eval_pipeline.warehouse.schemas import TABLES


def compute(inputs: StageInputs) -> Computed:
    from eval_pipeline.judging.audits.label_accuracy import accuracy_rows, confusion_rows, truth_of
    from eval_pipeline.judging.pairs.plan import item_slices
    from eval_pipeline.judging.pairs.replies import replies_of
    from eval_pipeline.judging.people.labels import combine_labels

    contract, judging = inputs.contract, declared(inputs.contract)
    replies = replies_of(inputs.table("generations"), contract.failures.handling())
    pairs, _ = audited_pairs(inputs, replies)
    labels = combine_labels(counted(inputs, "annotations"))
    slices = item_slices(inputs.table("items"))
    rows, confusions = [], []
    for judge in sorted(judge.name for judge in judging.pairwise):
        truth = truth_of(pairs.where(pairs.judge == judge), labels)
        rows += accuracy_rows(judge, truth, slices, judging.ruled_by, contract.confidence)
        confusions += confusion_rows(judge, truth)
    tables = {"label_accuracies": rows, "label_confusions": confusions}
    return Computed({name: TABLES[name].from_rows(found) for name, found in tables.items()})


def wanted(contract: Contract) -> bool:
    return contract.judging is not None and contract.judging.truth is not None


STAGE = Stage(
    name="label_accuracies",
    tables=("label_accuracies", "label_confusions"),
    scope="contract",
    reads=(
        "items",
        "judge_votes",
        "annotations",
        "rater_quality",
        "generations",
        "pair_plan",
        "awaited_votes",
    ),
    version=1,
    compute=compute,
    wanted=wanted,
)
