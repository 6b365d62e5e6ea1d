"""The verdict on each field of each item."""

from eval_pipeline.orchestration.stage import Check, Computed, Stage, StageInputs
from eval_pipeline.orchestration.stages import corpora
from eval_pipeline.warehouse.schemas import TABLES


def compute(inputs: StageInputs) -> Computed:
    from eval_pipeline.contamination.verdicts import item_rows

    hits = inputs.table("contamination_hits", corpora.EVIDENCE).to_pylist()
    n_corpora = len(corpora.declared(inputs.contract).corpora)
    rows = item_rows(corpora.entries_of(inputs), hits, n_corpora)
    return Computed({"contamination_items": TABLES["contamination_items"].from_rows(rows)})


def unjudged_fields(inputs: StageInputs, computed: Computed) -> str | None:
    from eval_pipeline.contamination.canary import FIELD

    names = computed.tables["contamination_items"]["field"].to_pylist()
    judged = sum(name != FIELD for name in names)
    asked = len(set(corpora.declared(inputs.contract).fields))
    fields = inputs.table("items", ["item_id"]).num_rows * asked
    return None if judged == fields else f"{fields} fields of items, but {judged} verdicts"


STAGE = Stage(
    name="contamination_items",
    tables=("contamination_items",),
    scope="contract",
    reads=("items", "contamination_index", "contamination_hits"),
    version=1,
    compute=compute,
    wanted=corpora.wanted,
    instruments=corpora.instruments,
    checks=(Check("every_field_is_judged", "contamination_items", unjudged_fields),),
)
