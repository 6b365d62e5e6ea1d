"""The replies of live judges to the calls that they are due: kept ones first, the rest paid for."""

import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from eval_pipeline.contracts.judging import Judge
from eval_pipeline.orchestration.stage import BudgetSpentError, StageInputs, UnfinishedError

if TYPE_CHECKING:
    from eval_pipeline.judging.asking.asks import Ask
    from eval_pipeline.judging.asking.call_records import Outcome
    from eval_pipeline.warehouse.call_ledger import CallLedger

    Answered = list[tuple[Ask, Outcome, str, int]]
    Found = Mapping[str, tuple[Outcome, int | None]]  # by key; the line, None in the journal

GOES_ON = "the next run goes on from there"


def answered(
    inputs: StageInputs, judge: Judge, asks: "Sequence[Ask]", ledger_file: Path | None = None
) -> "Answered":
    """Each call with its outcome, and the file and line that keep it.

    ledger_file: what keeps the replies; that of the checkpoint's own calls else.
    Raises UnfinishedError where calls are left that this run could not make.
    """
    from eval_pipeline.judging.asking.call_records import is_settled, outcome_of
    from eval_pipeline.judging.collector import at_rest
    from eval_pipeline.warehouse.call_ledger import CallLedger

    path = ledger_file or inputs.root.judge_calls(
        judge.name, inputs.contract.benchmark, inputs.checkpoint or ""
    )
    may_ask = inputs.settings.ask_judges
    due = {ask.key: ask for ask in asks}
    with CallLedger(path) as ledger:
        with at_rest():
            kept = ledger.read(due, outcome_of, with_journal=may_ask)
            open_calls = due.keys() - {key for key, (one, _) in kept.items() if is_settled(one)}
        left = [ask for ask in due.values() if ask.key in open_calls] if open_calls else []
        if left and may_ask and _ask(inputs, judge, left, ledger):
            kept = ledger.read(due, outcome_of)
        _refuse_gaps(inputs, judge, due, kept)
        if any(line is None for _, line in kept.values()):
            ledger.settle(due, _order)
            kept = ledger.read(due, outcome_of)
    place = path.relative_to(inputs.root.path).as_posix()
    with at_rest():
        return [(ask, kept[ask.key][0], place, kept[ask.key][1] or 0) for ask in asks]


def asked_of(
    inputs: StageInputs, judges: "Sequence[Judge]", asks: "Mapping[str, Sequence[Ask]]"
) -> "tuple[list[Answered], dict[str, str | int | float]]":
    """What each judge answered, and notes of what the calls cost. asks: by the judge's name."""
    purse = inputs.settings.purse
    before = (purse.spent_calls, purse.spent_usd)
    replies = [answered(inputs, judge, asks[judge.name]) for judge in judges]
    return replies, call_notes(inputs, replies, *before)


def call_notes(
    inputs: StageInputs, replies: "Iterable[Answered]", sent: int, usd: float
) -> dict[str, str | int | float]:
    """What a cell's calls took: tokens as the endpoints counted them, of kept replies as well.

    sent, usd: what the run's purse had spent before the cell. Money is told only where each of the
    judges has a declared price.
    """
    from eval_pipeline.judging.asking.call_records import EndpointReply
    from eval_pipeline.judging.asking.services import price_of

    found = [(answered[0][0].judge.name, answered) for answered in replies if answered]
    if not found:
        return {}
    n_calls = sum(len(answered) for _, answered in found)
    said = [
        one[1] for _, answered in found for one in answered if isinstance(one[1], EndpointReply)
    ]
    purse = inputs.settings.purse
    notes: dict[str, str | int | float] = {
        "judge calls": n_calls,
        "judge calls without a reply": n_calls - len(said),
        "judge requests sent in this run": purse.spent_calls - sent,
        "judge tokens in": sum(one.tokens_in or 0 for one in said),
        "judge tokens out": sum(one.tokens_out or 0 for one in said),
    }
    if closed := sorted(set(inputs.settings.given_up.values())):
        notes["judge endpoints left alone"] = "; ".join(closed)
    if all(price_of(judge, os.environ) is not None for judge, _ in found):
        notes["judge US dollars spent in this run"] = round(purse.spent_usd - usd, 9)
    return notes


def _ask(
    inputs: StageInputs, judge: Judge, open_calls: "Sequence[Ask]", ledger: "CallLedger"
) -> bool:
    """Makes the calls, if an endpoint is named; whether one is.

    Endpoints that were silent, or refuse everything, are left alone for the rest of the run,
    whatever cell asks them.
    """
    from eval_pipeline.judging.asking.call_records import record_of
    from eval_pipeline.judging.asking.conduct import conduct
    from eval_pipeline.judging.asking.services import service_of

    service = service_of(judge.name, os.environ)
    if service is None or not service.endpoints:
        return False

    given_up = inputs.settings.given_up
    known = {
        one: given_up.get((one, None)) or given_up.get((one, judge.model))
        for one in service.endpoints
    }
    if all(known.values()):
        raise UnfinishedError(
            f"judge {judge.name}: not asked again in this run, in which "
            f"{'; '.join(dict.fromkeys(map(str, known.values())))}; {len(open_calls)} calls are "
            f"left: {GOES_ON}"
        )
    usable = tuple(one for one, why in known.items() if why is None)

    def keep(ask: "Ask", outcome: "Outcome", attempts: int, latency_ms: float) -> None:
        ledger.append(record_of(ask, outcome, attempts, latency_ms))

    ended = conduct(open_calls, replace(service, endpoints=usable), inputs.settings.purse, keep)
    for endpoint, closed in ended.closed.items():
        given_up[endpoint, judge.model if closed.of_model else None] = closed.reason
    if ended.stopped is not None:
        left = len(open_calls) - ended.replies
        error = BudgetSpentError if ended.over_budget else UnfinishedError
        raise error(
            f"judge {judge.name}: {ended.stopped}; {ended.replies} calls were answered, {left} are "
            f"left: {GOES_ON}"
        )
    return True


def _refuse_gaps(
    inputs: StageInputs, judge: Judge, due: "Mapping[str, Ask]", kept: "Found"
) -> None:
    """What was never asked is no vote that is missing, and an outage is no judgement."""
    from eval_pipeline.judging.asking.call_records import CallFailed, is_settled

    if absent := len(due.keys() - kept.keys()):
        raise UnfinishedError(
            f"judge {judge.name}: {absent} of {len(due)} calls are not kept, and nobody may be "
            "asked for them here: name an endpoint, and run it again"
        )
    failures = [one for one, _ in kept.values() if isinstance(one, CallFailed)]
    lost = [one.reason for one in failures if not is_settled(one)]
    allowed = inputs.contract.judging.bars.missing_rate if inputs.contract.judging else 0.0
    if len(lost) > allowed * len(due):
        raise UnfinishedError(
            f"judge {judge.name}: {len(lost)} of {len(due)} calls had no reply (such as: "
            f"{min(lost)}), more than bars.missing_rate {allowed:g} allows: {GOES_ON}"
        )


def _order(record: Mapping[str, Any]) -> tuple[Any, ...]:
    """By what the call is about: which reply came first must not show."""
    text = [record.get(name, "") for name in ("item_id", "model_a", "model_b", "slot_order")]
    return (*text, record["repeat"], record["call"])
