"""Settings of a run, from the environment: the same for the command line and the daemon."""

import os

from eval_pipeline.orchestration.stage import Settings

UNSAFE_CODE_VARIABLE = "EVAL_PIPELINE_ALLOW_UNSAFE_CODE"
WORKERS_VARIABLE = "EVAL_PIPELINE_WORKERS"
SENSOR_VARIABLE = "EVAL_PIPELINE_SENSOR_SECONDS"
SENSOR_SECONDS = 30


def settings_from_environment() -> Settings:
    """Reads EVAL_PIPELINE_ALLOW_UNSAFE_CODE (0 or 1) and EVAL_PIPELINE_WORKERS (from 1).

    Raises ValueError for any other value: a typo must not become a permission.
    """
    allowed = os.environ.get(UNSAFE_CODE_VARIABLE, "0")
    if allowed not in ("0", "1"):
        raise ValueError(f"{UNSAFE_CODE_VARIABLE} is {allowed!r}: set it to 0 or 1")
    workers = _whole_number(WORKERS_VARIABLE, 1)
    return Settings(allow_unsafe_code=allowed == "1", workers=workers)


def sensor_seconds() -> int:
    """How often the disk is looked at for new checkpoints: EVAL_PIPELINE_SENSOR_SECONDS."""
    return _whole_number(SENSOR_VARIABLE, SENSOR_SECONDS)


def _whole_number(variable: str, otherwise: int) -> int:
    text = os.environ.get(variable, str(otherwise))
    if not (text.isascii() and text.isdigit() and int(text) >= 1):
        raise ValueError(f"{variable} is {text!r}: set it to a whole number from 1")
    return int(text)
