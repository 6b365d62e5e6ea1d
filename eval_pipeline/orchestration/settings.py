"""Settings of a run, from the environment: the same for the command line and the daemon."""

import math
import os

from eval_pipeline.judging.asking.purse import Purse
from eval_pipeline.orchestration.stage import Settings

UNSAFE_CODE_VARIABLE = "EVAL_PIPELINE_ALLOW_UNSAFE_CODE"
WORKERS_VARIABLE = "EVAL_PIPELINE_WORKERS"
DASK_VARIABLE = "EVAL_PIPELINE_DASK"
SCAN_VARIABLE = "EVAL_PIPELINE_SCAN_MEGABYTES"
SENSOR_VARIABLE = "EVAL_PIPELINE_SENSOR_SECONDS"
SENSOR_SECONDS = 30
BUDGET_CALLS_VARIABLE = "EVAL_PIPELINE_JUDGE_BUDGET_CALLS"
BUDGET_USD_VARIABLE = "EVAL_PIPELINE_JUDGE_BUDGET_USD"


def settings_from_environment() -> Settings:
    """Reads EVAL_PIPELINE_ALLOW_UNSAFE_CODE (0 or 1), EVAL_PIPELINE_WORKERS (from 1), what live
    judges may cost in a run (EVAL_PIPELINE_JUDGE_BUDGET_CALLS and _USD), EVAL_PIPELINE_DASK
    (address of a scheduler) and EVAL_PIPELINE_SCAN_MEGABYTES (from 1).

    Raises ValueError for any other value: a typo must not become a permission.
    """
    allowed = os.environ.get(UNSAFE_CODE_VARIABLE, "0")
    if allowed not in ("0", "1"):
        raise ValueError(f"{UNSAFE_CODE_VARIABLE} is {allowed!r}: set it to 0 or 1")
    workers = _whole_number(WORKERS_VARIABLE, 1)
    return Settings(
        allow_unsafe_code=allowed == "1",
        workers=workers,
        purse=_purse(),
        dask=os.environ.get(DASK_VARIABLE) or None,
        scan_megabytes=_whole_number(SCAN_VARIABLE, Settings.scan_megabytes),
    )


def sensor_seconds() -> int:
    """How often the disk is looked at for new checkpoints: EVAL_PIPELINE_SENSOR_SECONDS."""
    return _whole_number(SENSOR_VARIABLE, SENSOR_SECONDS)


def _purse() -> Purse:
    calls, usd = os.environ.get(BUDGET_CALLS_VARIABLE), os.environ.get(BUDGET_USD_VARIABLE)
    limit = _whole_number(BUDGET_CALLS_VARIABLE, 1) if calls else None
    if not usd:
        return Purse(limit)
    try:
        money = float(usd)
    except ValueError:
        money = math.nan
    if not (math.isfinite(money) and money > 0):
        raise ValueError(f"{BUDGET_USD_VARIABLE} is {usd!r}: set it to US dollars above 0")
    return Purse(limit, money)


def _whole_number(variable: str, otherwise: int) -> int:
    text = os.environ.get(variable, str(otherwise))
    if not (text.isascii() and text.isdigit() and int(text) >= 1):
        raise ValueError(f"{variable} is {text!r}: set it to a whole number from 1")
    return int(text)
