"""Dagster's home of a data root: beside the warehouse, with one run at a time and no telemetry.

No dagster import: the command sets the environment before dagster is loaded.
"""

import os
from pathlib import Path

from eval_pipeline.layout import DATA_VARIABLE, DataRoot
from eval_pipeline.warehouse.durable import write_text

HOME_VARIABLE = "DAGSTER_HOME"
_ALWAYS = """\
# Written by eval-pipeline where it is missing; yours to change.
telemetry:
  enabled: false
nux:
  enabled: false
concurrency:
  runs:
    max_concurrent_runs: 1
"""
CONFIGURATION = f"""\
{_ALWAYS}storage:  # Dagster's own SQLite files, through connections that stay open
  custom:
    module: eval_pipeline.orchestration.event_log
    class: OpenStorage
    config:
      base_dir:
        env: {HOME_VARIABLE}
"""
FORMER = (_ALWAYS,)  # as it was once written; one that nobody changed is brought up to date


def prepared_home(root: DataRoot) -> Path:
    """The folder for DAGSTER_HOME, with its dagster.yaml; one that is set already is kept."""
    set_already = os.environ.get(HOME_VARIABLE)
    home = Path(set_already) if set_already else root.warehouse / "dagster"
    home.mkdir(parents=True, exist_ok=True)
    configuration = home / "dagster.yaml"
    if not configuration.exists() or configuration.read_text(encoding="utf-8") in FORMER:
        write_text(configuration, CONFIGURATION)  # whole: an empty one would allow telemetry
    return home


def set_environment(root: DataRoot) -> None:
    """Points this process and its children at the data root and its Dagster home."""
    os.environ[DATA_VARIABLE] = str(root.path)
    os.environ[HOME_VARIABLE] = str(prepared_home(root))
