"""The watch over live judges: a schedule that asks them their sentinels before the nightly run.

The night's files make the nightly run compute the drift. A judge without an endpoint is left
alone, and so is a night that was asked already.
"""

import os

import dagster as dg

from eval_pipeline.contracts.judging import Judge
from eval_pipeline.contracts.model import Contract
from eval_pipeline.layout import DataRoot
from eval_pipeline.orchestration.code_location.asset_metadata import text
from eval_pipeline.orchestration.evaluation import Evaluation
from eval_pipeline.orchestration.live_judges import live_judging
from eval_pipeline.orchestration.live_judges.judge_trials import ask_sentinels
from eval_pipeline.orchestration.live_judges.trial_calls import sentinel_file
from eval_pipeline.orchestration.running.runs import WATCH
from eval_pipeline.orchestration.settings import settings_from_environment
from eval_pipeline.orchestration.stage import BudgetSpentError
from eval_pipeline.warehouse.errors import WarehouseBusy

TRIES, PAUSE_SECONDS = 60, 30  # the warehouse may be in use; a longer silence would look dead


class WatchConfig(dg.Config):
    """The date by which the night is called, such as 2026-02-28."""

    date: str


@dg.op(description="Asks each live judge about its sentinels, past what is kept.")
def ask_each_judge(context: dg.OpExecutionContext, config: WatchConfig) -> None:
    found = Evaluation(DataRoot.from_environment(), settings_from_environment(), context.run_id)
    failed, asked = [], {}
    try:
        with found.exclusive():
            for contract, judge in unasked(found, config.date):
                if sentinel_file(found.root, contract, judge, config.date).exists():
                    continue  # another version has just asked
                who = f"{contract.title}, judge {judge.name}"
                try:
                    trial = ask_sentinels(found, contract, judge, config.date)
                except BudgetSpentError as error:  # as a person wished
                    asked[who] = str(error)
                    context.log.warning(f"{who}: {error}")
                except ValueError as error:  # one judge's trouble is not another's
                    failed.append(f"{who}: {error}")
                else:
                    lack = f"; {trial.lack}" if trial.lack else ""
                    asked[who] = f"{trial.votes} votes{lack}"
                    context.log.info(f"{trial.file}: {asked[who]}")
    except WarehouseBusy as error:
        raise dg.RetryRequested(max_retries=TRIES, seconds_to_wait=PAUSE_SECONDS) from error
    purse = found.settings.purse
    spent = {"judge US dollars spent in this run": purse.spent_usd} if purse.spent_usd else {}
    context.add_output_metadata(
        {
            **{who: text(what) for who, what in asked.items()},
            "judge requests sent in this run": purse.spent_calls,
            **spent,
        }
    )
    if failed:
        raise dg.Failure("; ".join(failed), allow_retries=False)


@dg.job(
    name=WATCH,
    description="Asks live judges their sentinels again, so that drift shows.",
    executor_def=dg.in_process_executor,
)
def watch_job() -> None:
    ask_each_judge()


@dg.schedule(
    name="sentinels",
    job=watch_job,
    cron_schedule="30 1 * * *",
    execution_timezone="UTC",
    default_status=dg.DefaultScheduleStatus.RUNNING,
    description="Asks live judges their sentinels at 01:30 UTC, before the nightly run.",
)
def watch(context: dg.ScheduleEvaluationContext) -> dg.RunRequest | dg.SkipReason:
    night = context.scheduled_execution_time.strftime("%Y-%m-%d")
    found = Evaluation(DataRoot.from_environment(), settings_from_environment(), "plan")
    if not unasked(found, night):
        return dg.SkipReason("no live judge with an endpoint has sentinels left to be asked")
    ops = {"ask_each_judge": {"config": {"date": night}}}
    return dg.RunRequest(run_key=f"{WATCH}-{night}", run_config={"ops": ops})


def unasked(found: Evaluation, night: str) -> list[tuple[Contract, Judge]]:
    """Contracts and live judges whose file of that night is not there, newest version first.

    Only those that have votes: before the audit there is nothing to hold a night against.
    """
    judged = {
        (place.contract, place.version)
        for place, record in found.warehouse.standing().items()
        if place.table == "judge_votes" and record.rows
    }
    watched = sorted(
        (one for one in found.world.active if one.home in judged),
        key=lambda one: (one.home[0], -one.home[1]),
    )
    return [
        (one.contract, judge)
        for one in watched
        if one.contract.judging is not None and one.contract.judging.sentinels is not None
        for judge in one.contract.judging.pairwise
        if judge.source == "openai"
        and _reachable(judge)
        and not sentinel_file(found.root, one.contract, judge, night).exists()
    ]


def _reachable(judge: Judge) -> bool:
    from eval_pipeline.judging.asking.services import service_of

    if live_judging.withheld([judge]) is not None:
        return False
    service = service_of(judge.name, os.environ)
    return service is not None and bool(service.endpoints)
