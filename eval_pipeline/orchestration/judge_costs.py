"""`plan --cost`: the calls that live judges are due, from what lies on disk. Nothing is sent."""

import os
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from eval_pipeline.contracts.model import Contract, Judge, Judging
from eval_pipeline.layout import DataRoot
from eval_pipeline.orchestration.cells import ActiveContract
from eval_pipeline.orchestration.stages import judge_votes, live_judging, pair_plan

if TYPE_CHECKING:
    import pyarrow as pa

    from eval_pipeline.judging.asks import Ask


def judge_costs(
    root: DataRoot, active: ActiveContract, detect: float | None = None
) -> list[dict[str, Any]]:
    """A row a live judge and checkpoint: calls, tokens, money, and what its pairs would show.

    Keys: contract, judge, checkpoint, calls, kept, tokens_in, tokens_out, usd, items (of each
    pair, or of the checkpoint), shows (the smallest win rate away from 1/2 that so many items
    show with a power of 0.8, at the widest spread; None for scores), needed (items that would
    show 1/2 +/- detect).
    """
    from eval_pipeline.contracts.items import read_items
    from eval_pipeline.judging.call_costs import cost_of
    from eval_pipeline.judging.services import price_of
    from eval_pipeline.statistics.power import detectable_share, items_for_share

    contract = active.contract
    judging = contract.judging
    if judging is None or all(judge.source == "recorded" for judge in judging.judges):
        return []
    items = read_items(root, contract).table
    rows = []
    for checkpoint in active.targets:
        for judge, asks, n_items in _due(root, contract, judging, checkpoint, items):
            path = root.judge_calls(judge.name, contract.benchmark, checkpoint)
            cost = cost_of(asks, _kept(path, asks), price_of(judge.name, os.environ))
            pairs = judge.form != "pointwise" and n_items > 0
            rows.append(
                {
                    "contract": contract.title,
                    "judge": judge.name,
                    "checkpoint": checkpoint,
                    **asdict(cost),
                    "items": n_items,
                    "shows": detectable_share(n_items) if pairs else None,
                    "needed": items_for_share(0.5 + detect) if pairs and detect else None,
                }
            )
    return rows


def _due(
    root: DataRoot, contract: Contract, judging: Judging, checkpoint: str, items: "pa.Table"
) -> "Iterator[tuple[Judge, list[Ask], int]]":
    """Each live judge with its calls, and the items of each pair, or of the checkpoint."""
    questions = live_judging.questions_of(items)
    plan = pair_plan.planned_rows(root, contract, checkpoint, items)
    planned = {(row["item_id"], row["model_a"], row["model_b"]) for row in plan}
    models = {checkpoint, *(model for _, *pair in planned for model in pair)}
    texts, _ = judge_votes.shown_texts(root, contract, models, questions)
    n_pairs = len({tuple(pair) for _, *pair in planned})
    for judge in judging.judges:
        if judge.source != "openai":
            continue
        if judge.form == "pointwise":
            scored = live_judging.scored_items(contract, items)
            due = live_judging.due_scores(
                root, judging, judge, checkpoint, {item: questions[item] for item in scored}, texts
            )
            yield judge, due, len(scored)
        else:
            due = live_judging.due_pairs(root, judging, judge, planned, questions, texts)
            yield judge, due, len(planned) // n_pairs if n_pairs else 0


def _kept(path: Path, asks: "list[Ask]") -> set[str]:
    from eval_pipeline.judging.call_records import is_settled, outcome_of
    from eval_pipeline.warehouse.call_ledger import CallLedger

    kept = CallLedger(path).read({ask.key for ask in asks}, outcome_of)
    return {key for key, (outcome, _) in kept.items() if is_settled(outcome)}
