"""A run that kills itself: `python -m ...integration.killed_run POINT [STAGE ...]`.

POINT is where in a stage: `computed` (nothing is published yet) or `recorded` (the lineage
record is written, the pointer is not moved). It dies in the first stage that is not named, by
SIGKILL, as it would by hand, and says that stage's name before.
"""

import os
import signal
import sys
from collections.abc import Collection
from typing import Any, TextIO

from eval_pipeline.layout import DataRoot
from eval_pipeline.orchestration.evaluation import Evaluation
from eval_pipeline.orchestration.observer import Silent
from eval_pipeline.orchestration.running.session import bring_up_to_date
from eval_pipeline.warehouse import store


def run_and_die(point: str, spared: Collection[str], told: TextIO) -> None:
    """Runs in this process, which is lost with it: told of the stage, it is no more."""
    publish = Evaluation.publish
    write_pointer = store.write_pointer
    current = ""

    def die() -> None:
        print(current, file=told, flush=True)
        os.kill(os.getpid(), signal.SIGKILL)

    def publish_or_die(self: Evaluation, made: Any, table: str) -> Any:
        nonlocal current
        current = made.cell.stage if made.computed is not None else ""
        if point == "computed" and current and current not in spared:
            die()
        return publish(self, made, table)

    def write_pointer_or_die(*arguments: Any) -> None:
        if point == "recorded" and current and current not in spared:
            die()
        write_pointer(*arguments)

    Evaluation.publish = publish_or_die  # type: ignore[method-assign] # only this process has it
    store.write_pointer = write_pointer_or_die
    bring_up_to_date(DataRoot.from_environment(), Silent())


if __name__ == "__main__":
    run_and_die(sys.argv[1], sys.argv[2:], sys.stdout)
