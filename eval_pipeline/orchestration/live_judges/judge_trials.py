"""Asks live judges what they are tried on: sets of probes once, their sentinels each night.

The votes are written as the file of recorded votes that the stages read, whole or not at all; the
replies are kept call by call before that, so whatever ends it, the next try goes on from there.
"""

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from eval_pipeline.contracts.judging import Judge
from eval_pipeline.contracts.model import Contract
from eval_pipeline.orchestration.evaluation import Evaluation
from eval_pipeline.orchestration.live_judges import live_judging
from eval_pipeline.orchestration.live_judges.trial_calls import TrialCalls, sentinel_file, was_asked
from eval_pipeline.orchestration.stage import StageInputs

if TYPE_CHECKING:
    from eval_pipeline.judging.asking.asks import Ask
    from eval_pipeline.judging.asking.live_rows import Answered


@dataclass(frozen=True)
class JudgeTrial:
    """What became of it: the file of votes, how many it holds; asked: by this call.

    lack: what could not be asked, in a sentence.
    """

    judge: str
    file: Path
    votes: int
    asked: bool
    lack: str | None = None


def live_judges(contract: Contract, name: str | None = None) -> list[Judge]:
    """The judges of pairs that can be asked live: the named one, all of them else.

    Raises ValueError where there is none, or it may not be asked now, with why.
    """
    pairwise = contract.judging.pairwise if contract.judging else []
    live = [judge for judge in pairwise if judge.source == "openai" and name in (None, judge.name)]
    if not live:
        who = "no judge of pairs" if name is None else f"no judge of pairs {name}"
        known = ", ".join(judge.name for judge in pairwise if judge.source == "openai") or "none"
        raise ValueError(
            f"{contract.title} has {who} that is asked live (source: openai); it has {known}"
        )
    if why := live_judging.withheld(live):
        raise ValueError(why)
    return live


def ask_probes(found: Evaluation, contract: Contract, judge: Judge, name: str) -> JudgeTrial:
    """Asks a judge about each probe of a set, in both orders, unless it was asked before.

    The warehouse's lock must be held. Raises UnfinishedError where calls are left, and ValueError
    where there is no such set, or a file of other votes stands in the way.
    """
    from eval_pipeline.judging.asking.trials import probe_votes

    asks = trial_calls(found, contract).on_probes(judge, name)
    ledger = found.root.probe_calls(judge.name, contract.benchmark, name)
    file = found.root.probe_votes(judge.name, name)
    return _tried(found, contract, judge, asks, ledger, file, probe_votes)


def ask_sentinels(found: Evaluation, contract: Contract, judge: Judge, night: str) -> JudgeTrial:
    """Asks a judge about its sentinels for one night, in both orders, unless that was done.

    The warehouse's lock must be held. Raises as `ask_probes`, and where the contract asks for no
    sentinels or no pair can be judged yet.
    """
    from eval_pipeline.judging.asking.trials import sentinel_votes

    calls = trial_calls(found, contract)
    asks = calls.on_sentinels(judge, night)
    ledger = found.root.sentinel_calls(judge.name, contract.benchmark, night)
    file = sentinel_file(found.root, contract, judge, night)
    tried = _tried(found, contract, judge, asks, ledger, file, sentinel_votes)
    return replace(tried, lack=calls.sentinels.lack)


def trial_calls(found: Evaluation, contract: Contract) -> TrialCalls:
    """What the contract's live judges are due on trial, as the disk stands."""
    from eval_pipeline.contracts.items import read_items

    active = found.world.contract(contract.contract, contract.version)
    return TrialCalls(found.root, contract, active.targets, read_items(found.root, contract).table)


def _tried(
    found: Evaluation,
    contract: Contract,
    judge: Judge,
    asks: "Sequence[Ask]",
    ledger: Path,
    file: Path,
    as_rows: "Callable[[Answered], list[dict[str, Any]]]",
) -> JudgeTrial:
    from eval_pipeline.orchestration.live_judges.judge_calls import answered
    from eval_pipeline.warehouse.durable import write_text

    if was_asked(file, asks, judge):
        return JudgeTrial(judge.name, file, len(asks), asked=False)
    inputs = StageInputs(contract, found.root, {}, settings=found.settings)
    rows = as_rows(answered(inputs, judge, asks, ledger))
    write_text(file, "".join(json.dumps(row, ensure_ascii=True) + "\n" for row in rows))
    return JudgeTrial(judge.name, file, len(rows), asked=True)
