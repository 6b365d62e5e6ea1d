"""`plan cost`: the calls that live judges are due, from what lies on disk. Nothing is sent."""

import os
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from eval_pipeline.contracts.judging import Judge, Judging
from eval_pipeline.contracts.model import Contract
from eval_pipeline.layout import DataRoot
from eval_pipeline.orchestration.live_judges import live_judging
from eval_pipeline.orchestration.live_judges.trial_calls import TrialCalls, sentinel_file, was_asked
from eval_pipeline.orchestration.planning.cells import ActiveContract
from eval_pipeline.orchestration.stages import judge_votes, pair_plan

if TYPE_CHECKING:
    import pyarrow as pa

    from eval_pipeline.judging.asking.asks import Ask
    from eval_pipeline.judging.asking.call_costs import Cost

Row = dict[str, Any]


def judge_costs(
    root: DataRoot, active: ActiveContract, night: str, detect: float | None = None
) -> list[Row]:
    """A row a live judge and checkpoint, one for each set of probes, and one for a night.

    night: the date whose sentinels are counted. Keys: contract, judge, kind (pairs, scores, probes
    or sentinels), of (the checkpoint, the set or the night), checkpoint (None for probes and
    sentinels), calls, kept, tokens_in, tokens_out, usd, items (of each pair, of the checkpoint, or
    probes or sentinels), shows (the smallest win rate away from 1/2 that so many items show with a
    power of 0.8, at the widest spread; pairs only), needed (items that would show 1/2 +/- detect),
    note (what keeps calls from being made, or from being counted).
    """
    from eval_pipeline.contracts.items import read_items

    contract = active.contract
    judging = contract.judging
    if judging is None or all(judge.source == "recorded" for judge in judging.judges):
        return []
    items = read_items(root, contract).table
    rows = []
    for checkpoint in active.targets:
        for judge, asks, n_items in _due(root, contract, judging, checkpoint, items):
            path = root.judge_calls(judge.name, contract.benchmark, checkpoint)
            kind = "scores" if judge.form == "pointwise" else "pairs"
            row = _row(contract, judge, kind, checkpoint, _cost(judge, asks, path), n_items)
            rows.append({**row, **_power(kind, n_items, detect), "checkpoint": checkpoint})
    trials = TrialCalls(root, contract, active.targets, items)
    for judge in judging.pairwise:
        if judge.source == "openai":
            rows += _trial_rows(trials, judging, judge, night)
    return rows


def _row(contract: Contract, judge: Judge, kind: str, of: str, cost: "Cost", n_items: int) -> Row:
    return {
        "contract": contract.title,
        "judge": judge.name,
        "kind": kind,
        "of": of,
        "checkpoint": None,
        **asdict(cost),
        "items": n_items,
        "shows": None,
        "needed": None,
        "note": None,
    }


def _power(kind: str, n_items: int, detect: float | None) -> Row:
    """What the votes on so many items of a pair can show; scores are held against no share."""
    from eval_pipeline.statistics.power import detectable_share, items_for_share

    if kind != "pairs" or n_items == 0:
        return {}
    needed = items_for_share(0.5 + detect) if detect else None
    return {"shows": detectable_share(n_items), "needed": needed}


def _trial_rows(trials: TrialCalls, judging: Judging, judge: Judge, night: str) -> Iterator[Row]:
    """What a judge is due on trial; what cannot be counted costs nothing, and says why."""
    root, contract = trials.root, trials.contract
    for name in judging.probes:
        ledger = root.probe_calls(judge.name, contract.benchmark, name)
        file = root.probe_votes(judge.name, name)
        yield _trial_row(trials, judge, "probes", name, ledger, file)
    if judging.sentinels is not None:
        ledger = root.sentinel_calls(judge.name, contract.benchmark, night)
        file = sentinel_file(root, contract, judge, night)
        yield _trial_row(trials, judge, "sentinels", night, ledger, file)


def _trial_row(
    trials: TrialCalls, judge: Judge, kind: str, of: str, ledger: Path, file: Path
) -> Row:
    from eval_pipeline.judging.asking.call_costs import Cost

    contract = trials.contract
    try:
        due = trials.on_probes if kind == "probes" else trials.on_sentinels
        asks = due(judge, of)
        done = was_asked(file, asks, judge)
    except ValueError as error:
        return {**_row(contract, judge, kind, of, Cost(), 0), "note": str(error)}
    cost = Cost(kept=len(asks)) if done else _cost(judge, asks, ledger)
    n_items = len({ask.subject["item_id"] for ask in asks})
    note = trials.sentinels.lack if kind == "sentinels" else None
    return {**_row(contract, judge, kind, of, cost, n_items), "note": note}


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


def _cost(judge: Judge, asks: "Sequence[Ask]", ledger: Path) -> "Cost":
    """What the calls cost that are not kept, at the declared price."""
    from eval_pipeline.judging.asking.call_costs import cost_of
    from eval_pipeline.judging.asking.call_records import is_settled, outcome_of
    from eval_pipeline.judging.asking.services import price_of
    from eval_pipeline.warehouse.call_ledger import CallLedger

    found = CallLedger(ledger).read({ask.key for ask in asks}, outcome_of)
    kept = {key for key, (outcome, _) in found.items() if is_settled(outcome)}
    return cost_of(asks, kept, price_of(judge.name, os.environ))
