"""The settings that the environment may hold."""

from eval_pipeline.judging.asking.services import PREFIX, SETTINGS
from eval_pipeline.layout import DATA_VARIABLE
from eval_pipeline.orchestration.settings import (
    BUDGET_CALLS_VARIABLE,
    BUDGET_USD_VARIABLE,
    DASK_VARIABLE,
    SCAN_VARIABLE,
    SENSOR_SECONDS,
    SENSOR_VARIABLE,
    UNSAFE_CODE_VARIABLE,
    WORKERS_VARIABLE,
)
from eval_pipeline.orchestration.stage import Settings

OF_THE_PIPELINE = {
    DATA_VARIABLE: "the data folder (`./data`)",
    UNSAFE_CODE_VARIABLE: "1 runs model-written code even where no sandbox can be made (0)",
    WORKERS_VARIABLE: "processes for work that can be split (1)",
    DASK_VARIABLE: "address of a Dask scheduler that searches corpora (none)",
    SCAN_VARIABLE: f"MiB of text that a search holds at a time ({Settings().scan_megabytes})",
    SENSOR_VARIABLE: f"how often the sensor looks for new checkpoints ({SENSOR_SECONDS} s)",
    BUDGET_CALLS_VARIABLE: "calls of live judges that one run may make (no limit)",
    BUDGET_USD_VARIABLE: "US dollars that live judges may cost in one run (no limit)",
}
OF_JUDGES = {f"{PREFIX}_{name}": meaning for name, meaning in SETTINGS.items()}
OF_TESTS = {
    "EVAL_PIPELINE_REFERENCE_DATA": "public data that tests and `reproduce` read "
    "(`../shared/data`)",
}
OF_DAGSTER = {"DAGSTER_HOME": "Dagster's home (`<data>/warehouse/dagster`)"}
KNOWN = {**OF_THE_PIPELINE, **OF_JUDGES, **OF_TESTS, **OF_DAGSTER}


def settings() -> str:
    """Each variable with its meaning and, in brackets, what holds where it is not set."""
    return "\n".join(f"- `{name}`: {meaning}." for name, meaning in KNOWN.items())
