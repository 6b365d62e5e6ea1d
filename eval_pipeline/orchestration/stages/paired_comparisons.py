"""Each checkpoint against its reference and its parent, on the primary endpoint.

Reads verifier_scores where a verifier makes the primary endpoint, the generations where it is made
from their columns, the panel's pair_outcomes where it is made from votes on pairs, and the panel's
reply_scores where it is made from scores; a table whose stage the contract does not have is absent
from the inputs.
"""

import json
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

from eval_pipeline.contracts.model import Contract
from eval_pipeline.layout import PANEL, DataRoot
from eval_pipeline.orchestration.live_judges import live_judging
from eval_pipeline.orchestration.stage import Computed, Stage, StageInputs
from eval_pipeline.orchestration.stages.judge_score_estimates import panel_values
from eval_pipeline.warehouse.schemas import TABLES

if TYPE_CHECKING:
    from eval_pipeline.decision.lineup import Against
    from eval_pipeline.metrics.comparisons.rows import Differences
    from eval_pipeline.metrics.samples import Items

REFERENCES = "references"
OUTCOME_COLUMNS = ("judge", "item_id", "model_a", "model_b", "score_a")


def compute(inputs: StageInputs) -> Computed:
    from eval_pipeline.metrics.comparisons.rows import comparison_rows, nothing_to_compare
    from eval_pipeline.metrics.samples import ITEM_COLUMNS, Items
    from eval_pipeline.orchestration import terms

    contract = inputs.contract
    source = terms.primary(contract).made_from
    rows_of_items = inputs.table("items", ITEM_COLUMNS)
    if source == "scores":
        rows_of_items = live_judging.scored_part(contract, rows_of_items)
    items = Items.from_table(rows_of_items)
    pairs, references = _pairings(inputs)
    judged = source == "judge"
    metric = "win_rate" if judged else contract.question.primary_endpoint.label
    differences = _DIFFERENCES.get(source, _verified)(inputs, items, pairs)
    quarantined = _quarantined(inputs, _FLAGGED[source]) if source in _FLAGGED else None
    waits = _awaited(inputs, source)
    rows = []
    for pair in pairs:
        found = differences.get((pair.checkpoint, pair.baseline))
        awaited = waits(pair.checkpoint, pair.baseline)
        if found is None or awaited is not None:
            why = "was never judged against" if judged else "shares no scores with"
            reason = awaited or f"{pair.checkpoint} {why} {pair.baseline} under {contract.title}"
            made = [nothing_to_compare(reason, contract.confidence)]
        else:
            made = comparison_rows(items, found, terms.comparison_terms(contract))
        named = {
            "checkpoint": pair.checkpoint,
            "baseline": pair.baseline,
            "role": pair.role,
            "metric": metric,
            "quarantined": quarantined,
        }
        rows += [{**named, **row} for row in made]
    rows.sort(key=lambda r: (r["checkpoint"], r["baseline"], r["role"], r["metric"], r["slice"]))
    table = TABLES["paired_comparisons"].from_rows(rows)
    return Computed({"paired_comparisons": table}, notes={**terms.notes(contract), **references})


def _pairings(inputs: StageInputs) -> tuple[list["Against"], Mapping[str, str]]:
    """Who is compared with whom, and the references as `facts` gives them."""
    from eval_pipeline.contracts.ledgers import read_accepted, references
    from eval_pipeline.decision.lineup import lineup, pairings

    entries = lineup(inputs.table("run_manifest").to_pylist())
    order = [entry.checkpoint for entry in entries]
    found = references(inputs.contract, order, read_accepted(inputs.root))
    return pairings(entries, found), _told(found)


def facts(
    root: DataRoot, contract: Contract, checkpoint: str | None, order: Sequence[str]
) -> Mapping[str, str]:
    """What each checkpoint is held against, by who is accepted under this contract."""
    from eval_pipeline.contracts.faults import ContractFaults
    from eval_pipeline.contracts.ledgers import read_accepted, references

    try:
        return _told(references(contract, order, read_accepted(root)))
    except ContractFaults as error:  # the plan stands; computing raises it, and the cell fails
        return {REFERENCES: f"unknown: {error}"}


def _told(found: Mapping[str, str | None]) -> Mapping[str, str]:
    return {REFERENCES: json.dumps(dict(found), sort_keys=True)}


def _verified(
    inputs: StageInputs, items: "Items", pairs: Sequence["Against"]
) -> dict[tuple[str, str], "Differences"]:
    from eval_pipeline.metrics.comparisons.rows import item_differences
    from eval_pipeline.metrics.measures.item_values import item_values
    from eval_pipeline.metrics.registry import asked
    from eval_pipeline.orchestration import terms
    from eval_pipeline.orchestration.reading import measured

    contract = inputs.contract
    verified = inputs.has("verifier_scores")
    table = "verifier_scores" if verified else "generations"
    if not inputs.has(table):
        return {}
    label = contract.question.primary_endpoint.label
    one = asked(label)
    recorded = set(inputs.table(table, ["checkpoint"])["checkpoint"].unique().to_pylist())
    named = {name for pair in pairs for name in (pair.checkpoint, pair.baseline)}
    read = measured.reading_of_checkpoints(inputs)
    values = {}
    for name in sorted(named & recorded):
        samples = measured.samples_of(read(name), items, [label], contract, verified=verified)
        values[name] = item_values(
            one.metric,
            one.k,
            items,
            samples,
            draws_per_item=terms.draws_per_item(contract),
            options=one.options,
        )
    width = one.metric.most - one.metric.least
    return {
        (pair.checkpoint, pair.baseline): item_differences(
            values[pair.checkpoint], values[pair.baseline], width
        )
        for pair in pairs
        if pair.checkpoint in values and pair.baseline in values
    }


def _judged(
    inputs: StageInputs, items: "Items", pairs: Sequence["Against"]
) -> dict[tuple[str, str], "Differences"]:
    import pyarrow.compute as pc

    from eval_pipeline.metrics.comparisons.judged import judged_differences

    if not inputs.has("pair_outcomes"):
        return {}
    outcomes = inputs.table("pair_outcomes", OUTCOME_COLUMNS)
    panel = outcomes.filter(pc.equal(outcomes["judge"], PANEL)).to_pydict()
    found = {
        (pair.checkpoint, pair.baseline): judged_differences(
            items, panel, pair.checkpoint, pair.baseline
        )
        for pair in pairs
    }
    return {pair: differences for pair, differences in found.items() if differences is not None}


def _scored(
    inputs: StageInputs, items: "Items", pairs: Sequence["Against"]
) -> dict[tuple[str, str], "Differences"]:
    from eval_pipeline.metrics.comparisons.rows import item_differences

    scores = inputs.table("reply_scores")
    names = sorted({name for pair in pairs for name in (pair.checkpoint, pair.baseline)})
    found = {name: panel_values(scores, items, inputs.contract, name) for name in names}
    differences = {}
    for pair in pairs:
        candidate, baseline = found[pair.checkpoint], found[pair.baseline]
        if candidate is not None and baseline is not None:
            differences[pair.checkpoint, pair.baseline] = item_differences(
                candidate[0], baseline[0], candidate[1]
            )
    return differences


def _awaited(inputs: StageInputs, source: str) -> Callable[[str, str], str | None]:
    """What the panel has still to cast before two checkpoints can be compared, in a sentence."""
    import pyarrow.compute as pc

    from eval_pipeline.judging.awaited import awaited_words
    from eval_pipeline.judging.standing import panel_of
    from eval_pipeline.orchestration import terms

    jury = next((one for one in terms.juries(inputs.contract) if one.primary), None)
    if source not in _FLAGGED or jury is None:
        return lambda one, other: None
    rows = inputs.table("awaited_votes").to_pylist()
    heard = panel_of(jury.judges, inputs.table("judge_licences").to_pylist()).members
    of_pairs = jury.form == "pairs"
    waiting: set[tuple[str, str]] = set()
    if of_pairs:
        outcomes = inputs.table("pair_outcomes", ["judge", "model_a", "model_b", "category"])
        is_waiting = pc.and_(
            pc.equal(outcomes["judge"], PANEL), pc.equal(outcomes["category"], "pending")
        )
        pairs = outcomes.filter(is_waiting)
        waiting = set(zip(pairs["model_a"].to_pylist(), pairs["model_b"].to_pylist(), strict=True))

    def words(one: str, other: str) -> str | None:
        if of_pairs and (min(one, other), max(one, other)) not in waiting:
            return None  # votes on a pair are its later checkpoint's, whatever else that awaits
        said = (awaited_words(rows, name, heard, jury.form) for name in (one, other))
        return next(filter(None, said), None)

    return words


def _quarantined(inputs: StageInputs, table: str) -> bool | None:
    """Whether the panel rests on judges of whom none is licensed; None without the table."""
    import pyarrow.compute as pc

    if not inputs.has(table):
        return None
    outcomes = inputs.table(table, ["judge", "quarantined"])
    panel = outcomes.filter(pc.equal(outcomes["judge"], PANEL))
    return bool(pc.any(panel["quarantined"]).as_py())


_DIFFERENCES = {"judge": _judged, "scores": _scored}  # by what makes the primary endpoint
_FLAGGED = {"judge": "pair_outcomes", "scores": "reply_scores"}


def wanted(contract: Contract) -> bool:
    from eval_pipeline.orchestration import terms

    scored = contract.verification is not None or contract.judging is not None
    return scored or terms.primary(contract).made_from == "columns"


def also_reads(contract: Contract) -> tuple[str, ...]:
    """The generations, where the primary endpoint is made from their columns."""
    from eval_pipeline.orchestration.reading import measured

    return measured.further_tables([contract.question.primary_endpoint.label])


def instruments(contract: Contract) -> Mapping[str, str]:
    """The version of the primary endpoint."""
    from eval_pipeline.orchestration import terms

    return terms.versions([contract.question.primary_endpoint.label])


STAGE = Stage(
    name="paired_comparisons",
    tables=("paired_comparisons",),
    scope="contract",
    reads=(
        "run_manifest",
        "items",
        "verifier_scores",
        "pair_outcomes",
        "reply_scores",
        "awaited_votes",
        "judge_licences",
    ),
    version=4,
    compute=compute,
    wanted=wanted,
    facts=facts,
    instruments=instruments,
    also_reads=also_reads,
)
