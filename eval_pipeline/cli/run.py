"""`run`: bring every number up to date."""

import os
import sys

import click

from eval_pipeline.cli.reading.project import data_root
from eval_pipeline.cli.showing.examples import example
from eval_pipeline.cli.showing.printing import print_json


@click.command(epilog=example("run --contract arithmetic_words@1"))
@click.option("--contract", "contract", help="Only this contract: its name, or name@1.")
@click.option("--checkpoint", help="Only the cells of this checkpoint, and the aggregates.")
@click.option("--retry-parked", is_flag=True, help="Try cells again that failed three times.")
@click.option(
    "--allow-unsafe-code",
    is_flag=True,
    help="Execute model-written code where no sandbox can be made. It can do all that you can.",
)
@click.option(
    "--workers",
    type=click.IntRange(1),
    default=1,
    show_default=True,
    help="Threads or processes for work that can be split.",
)
@click.option(
    "--dask",
    metavar="ADDRESS",
    help="Search corpora on this Dask cluster, such as tcp://host:8786. It sees the same paths.",
)
@click.option(
    "--judge-calls", type=click.IntRange(1), help="Make at most so many calls to live judges."
)
@click.option(
    "--judge-usd",
    type=click.FloatRange(0, min_open=True),
    help="Spend at most so many US dollars on live judges, at their declared price.",
)
@click.option("--json", "as_json", is_flag=True, help="JSON for programs.")
def command(
    contract: str | None,
    checkpoint: str | None,
    retry_parked: bool,
    allow_unsafe_code: bool,
    workers: int,
    judge_calls: int | None,
    judge_usd: float | None,
    dask: str | None,
    as_json: bool,
) -> None:
    """Compute what is missing or stale, and nothing else.

    Exits 1 where a cell failed or is parked, or a file has a fault. A contract that fails leaves
    the others complete. Cells that stop at a budget are told, and are no failure: the next run
    goes on with them.
    """
    from eval_pipeline.orchestration.settings import (
        BUDGET_CALLS_VARIABLE,
        BUDGET_USD_VARIABLE,
        DASK_VARIABLE,
        UNSAFE_CODE_VARIABLE,
        WORKERS_VARIABLE,
    )

    if allow_unsafe_code:
        os.environ[UNSAFE_CODE_VARIABLE] = "1"
    os.environ[WORKERS_VARIABLE] = str(workers)
    for variable, limit in ((BUDGET_CALLS_VARIABLE, judge_calls), (BUDGET_USD_VARIABLE, judge_usd)):
        if limit is not None:
            os.environ[variable] = str(limit)
    if dask is not None:
        os.environ[DASK_VARIABLE] = dask
    from eval_pipeline.cli.showing.progress import Progress
    from eval_pipeline.orchestration.running.session import bring_up_to_date

    root = data_root()
    with Progress(quiet=as_json) as progress:
        outcome = bring_up_to_date(root, progress, contract, checkpoint, retry_parked)
    if as_json:
        print_json(outcome.as_json())
    else:
        progress.summary(outcome)
    sys.exit(0 if outcome.complete else 1)
