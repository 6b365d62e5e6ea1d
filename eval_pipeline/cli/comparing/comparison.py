"""Two checkpoints under one contract, item by item: what `compare` shows."""

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from eval_pipeline.cli.reading.project import Chosen, Home, unknown
from eval_pipeline.layout import PANEL

if TYPE_CHECKING:
    import pyarrow as pa

    from eval_pipeline.length_control.between import RateBetween
    from eval_pipeline.metrics.comparisons.rows import Differences
    from eval_pipeline.metrics.measures.item_values import ItemValues
    from eval_pipeline.metrics.samples import Items
    from eval_pipeline.orchestration.evaluation import Evaluation
    from eval_pipeline.warehouse.stored import Stored

_WIN_RATE = "win rate of {} minus one half"


@dataclass(frozen=True)
class ItemComparison:
    """A held against B.

    rows: as in `paired_comparisons`, all items first, then the slices. tied: items on which both
    score the same. statuses: how many samples of each have each status. quarantined: whether it
    rests on judges without a licence. rows are none where the two were never judged together;
    equal_length then says what their pairs with the baseline tell.
    """

    metric: str
    rows: list[dict[str, Any]]
    tied: list[str]
    statuses: dict[str, dict[str, int]]
    quarantined: bool
    equal_length: "RateBetween | None" = None


def compared(found: "Evaluation", one: Chosen, a: str, b: str, b_home: Home) -> ItemComparison:
    """A under the contract against B under `b_home`, mostly the same contract.

    Raises ValueError where the two were never scored, or judged, together.
    """
    from eval_pipeline.metrics.comparisons.rows import comparison_rows
    from eval_pipeline.metrics.samples import ITEM_COLUMNS, Items
    from eval_pipeline.orchestration import terms

    stored = found.warehouse.read("items", *one.home)
    source = terms.primary(one.contract).made_from
    items = Items.from_table(_compared_items(one, source, stored.table(ITEM_COLUMNS)))
    judged = source == "judge"
    equal_length = None
    if judged:
        together, quarantined, equal_length = _judged(found, one, items, stored, a, b)
        if together is None:
            statuses = {who: _statuses(found, one.home, who) for who in (a, b)}
            return ItemComparison(_WIN_RATE.format(a), [], [], statuses, quarantined, equal_length)
        differences = together
    elif source == "scores":
        differences, quarantined = _scored(found, one, items, stored, a, b)
    else:
        differences, quarantined = _verified(found, one, items, stored, a, b, b_home), False
    rows = comparison_rows(items, differences, terms.comparison_terms(one.contract))
    moved = {*rows[0]["items_won"], *rows[0]["items_lost"]}
    shared = items.ids[differences.value == differences.value]  # NaN: not shared
    return ItemComparison(
        _WIN_RATE.format(a) if judged else one.contract.question.primary_endpoint.label,
        rows,
        [item for item in shared.tolist() if item not in moved],
        {a: _statuses(found, one.home, a), _other(a, b, b_home): _statuses(found, b_home, b)},
        quarantined,
        equal_length,
    )


def _compared_items(one: Chosen, source: str, items: "pa.Table") -> "pa.Table":
    """The items that the primary endpoint is about: of scores, those whose replies are scored."""
    if source != "scores":
        return items
    from eval_pipeline.orchestration.live_judges.live_judging import scored_part

    return scored_part(one.contract, items)


def _scored(
    found: "Evaluation", one: Chosen, items: "Items", stored: "Stored", a: str, b: str
) -> "tuple[Differences, bool]":
    """The panel's scores of A minus those of B, and whether they are quarantined."""
    import pyarrow.compute as pc

    from eval_pipeline.metrics.comparisons.rows import item_differences
    from eval_pipeline.orchestration.stages.judge_score_estimates import panel_values
    from eval_pipeline.warehouse.stored import require_one_identity

    scores = _read(found, one.home, "reply_scores", None)
    require_one_identity(stored, scores)
    rows = scores.table()
    panel = rows.filter(pc.equal(rows["judge"], PANEL))

    def scored(checkpoint: str) -> "tuple[ItemValues, float]":
        if (found := panel_values(panel, items, one.contract, checkpoint)) is None:
            there = sorted(set(panel["checkpoint"].to_pylist()))
            what = unknown("checkpoint", checkpoint, there)
            raise ValueError(f"reply_scores of {one.title}: {what}")
        return found

    (left, width), (right, _) = scored(a), scored(b)
    return item_differences(left, right, width), bool(pc.any(panel["quarantined"]).as_py())


def _verified(
    found: "Evaluation",
    one: Chosen,
    items: "Items",
    stored: "Stored",
    a: str,
    b: str,
    b_home: Home,
) -> "Differences":
    from eval_pipeline.metrics.comparisons.rows import item_differences
    from eval_pipeline.orchestration import terms
    from eval_pipeline.warehouse.stored import require_one_identity

    table = "verifier_scores" if _is_verified(one) else "generations"
    left = _read(found, one.home, table, a)
    right = _read(found, b_home, table, b)
    if b_home == one.home:  # two versions are held against each other on purpose, and it is said
        require_one_identity(stored, left, right)
    metric = terms.primary(one.contract)
    return item_differences(
        _values(found, one, items, one.home, a),
        _values(found, one, items, b_home, b),
        metric.most - metric.least,
    )


def _values(
    found: "Evaluation", one: Chosen, items: "Items", home: Home, checkpoint: str
) -> "ItemValues":
    from eval_pipeline.metrics.measures.item_values import item_values
    from eval_pipeline.metrics.registry import asked
    from eval_pipeline.orchestration import terms
    from eval_pipeline.orchestration.reading import measured
    from eval_pipeline.warehouse.schemas import TABLES

    def read(table: str, columns: Sequence[str]) -> "pa.Table":
        of_checkpoint = checkpoint if TABLES[table].scope == "checkpoint" else None
        place = home if of_checkpoint else one.home
        return _read(found, place, table, of_checkpoint).table(columns)

    label = one.contract.question.primary_endpoint.label
    wanted = asked(label)
    samples = measured.samples_of(read, items, [label], one.contract, verified=_is_verified(one))
    return item_values(
        wanted.metric,
        wanted.k,
        items,
        samples,
        draws_per_item=terms.draws_per_item(one.contract),
        options=wanted.options,
    )


def _is_verified(one: Chosen) -> bool:
    return one.contract.verification is not None


def _judged(
    found: "Evaluation", one: Chosen, items: "Items", stored: "Stored", a: str, b: str
) -> "tuple[Differences | None, bool, RateBetween | None]":
    """The panel's win rate of A against B, whether it is quarantined, and the rate at equal length.

    Raises ValueError where nothing joins the two: never judged together, and no length control.
    """
    import pyarrow.compute as pc

    from eval_pipeline.metrics.comparisons.judged import judged_differences
    from eval_pipeline.orchestration.stages.length_controlled_win_rates import rate_between_models
    from eval_pipeline.warehouse.stored import require_one_identity

    outcomes = _read(found, one.home, "pair_outcomes", None)
    require_one_identity(stored, outcomes)
    panel = outcomes.table()
    panel = panel.filter(pc.equal(panel["judge"], PANEL))
    columns = ["item_id", "model_a", "model_b", "score_a"]
    differences = judged_differences(items, panel.select(columns).to_pydict(), a, b)
    texts = stored.table(["item_id", "extra"])
    equal_length = rate_between_models(one.contract, panel, texts, a, b)
    if differences is None and (equal_length is None or math.isnan(equal_length.rate)):
        raise ValueError(
            f"{a} and {b} were never judged against each other under {one.title}: "
            "its `pairing` says which pairs are"
        )
    return differences, bool(pc.any(panel["quarantined"]).as_py()), equal_length


def _other(a: str, b: str, b_home: Home) -> str:
    """B's name in a table where A stands already."""
    return b if a != b else f"{b} ({b_home[0]}/v{b_home[1]})"


def _read(found: "Evaluation", home: Home, table: str, checkpoint: str | None) -> "Stored":
    """The stored table; raises ValueError that names the checkpoints which have it."""
    from eval_pipeline.warehouse.errors import NotMaterialised

    try:
        return found.warehouse.read(table, *home, checkpoint=checkpoint)
    except NotMaterialised:
        places = found.warehouse.standing()
        there = sorted(
            place.checkpoint
            for place in places
            if (place.table, place.contract, place.version) == (table, *home) and place.checkpoint
        )
        if checkpoint is None or not there:
            raise
        what = unknown("checkpoint", checkpoint, there)
        raise ValueError(f"{table} of {home[0]}/v{home[1]}: {what}") from None


def _statuses(found: "Evaluation", home: Home, checkpoint: str) -> dict[str, int]:
    """Samples by status, after verification where there is one; empty where there are none."""
    places = {
        place.table
        for place in found.warehouse.standing()
        if (place.contract, place.version, place.checkpoint) == (*home, checkpoint)
    }
    for table in ("verifier_scores", "generations"):
        if table in places:
            rows: pa.Table = found.warehouse.read(table, *home, checkpoint=checkpoint).table(
                ["status"]
            )
            return dict(sorted(Counter(rows["status"].to_pylist()).items()))
    return {}


def side_by_side(statuses: Mapping[str, Mapping[str, int]]) -> list[dict[str, Any]]:
    """A row a status, a column a checkpoint."""
    names = sorted({status for counts in statuses.values() for status in counts})
    return [
        {"status": name, **{who: counts.get(name, 0) for who, counts in statuses.items()}}
        for name in names
    ]
