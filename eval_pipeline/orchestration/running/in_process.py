"""Executes batches as Dagster runs in this process, under a warehouse that is already held."""

import logging
import os
import signal
import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from uuid import uuid4

import dagster as dg

from eval_pipeline.orchestration.code_location.location import code_location
from eval_pipeline.orchestration.code_location.triggers import register_partitions, selection
from eval_pipeline.orchestration.code_location.warehouse_io import WarehouseIO
from eval_pipeline.orchestration.evaluation import Evaluation
from eval_pipeline.orchestration.planning.plan import PlannedRun
from eval_pipeline.orchestration.running.databases import make_databases, room_for
from eval_pipeline.orchestration.running.home import HOME_VARIABLE, set_environment
from eval_pipeline.orchestration.running.runs import JOB, LAUNCH_SECONDS, report_dead

QUIET = {"loggers": {"console": {"config": {"log_level": "CRITICAL"}}}}


class Location:
    """The code location, loaded once, with the session's own evaluation behind it.

    The evaluation must hold the warehouse's lock; older runs that stand as started are dead then.
    """

    def __init__(self, evaluation: Evaluation) -> None:
        set_environment(evaluation.root)
        self._home = Path(os.environ[HOME_VARIABLE])
        logging.getLogger("dagster").setLevel(logging.CRITICAL)
        self.last_failure = "no step failed"
        self._evaluation = evaluation
        manager = dg.IOManagerDefinition.hardcoded_io_manager(WarehouseIO(evaluation, ExitStack()))
        self._job = code_location(evaluation.world, manager).resolve_job_def(JOB)
        with room_for(self._home):
            make_databases(self._home)
            self._instance = dg.DagsterInstance.get()
            report_dead(self._instance, silent=0, launch=LAUNCH_SECONDS)

    def execute(self, batch: PlannedRun) -> None:
        """One run; failures of cells are kept by the evaluation and do not raise.

        Raises DiskFull where Dagster can no longer keep its records, KeyboardInterrupt where a
        person stopped the run.
        """
        with stop_noticed(), room_for(self._home):
            self._execute(batch)

    def _execute(self, batch: PlannedRun) -> None:
        if batch.checkpoint is not None:
            register_partitions(self._instance, [batch.checkpoint])
        self._evaluation.run_id = str(uuid4())
        result = self._job.execute_in_process(
            instance=self._instance,
            partition_key=batch.checkpoint,
            asset_selection=selection(batch),
            raise_on_error=False,
            run_id=self._evaluation.run_id,
            run_config=QUIET,
        )
        for event in result.all_events:
            if event.is_failure and event.message:
                self.last_failure = event.message


@contextmanager
def stop_noticed() -> Iterator[None]:
    """Raises KeyboardInterrupt at its end if the process was told to stop meanwhile.

    Dagster takes the signal for the failure of a step, and the next batch would go on.
    """
    if threading.current_thread() is not threading.main_thread():
        yield  # signals come to the main thread only
        return
    reader, writer = os.pipe()
    os.set_blocking(reader, False)
    os.set_blocking(writer, False)
    before = signal.set_wakeup_fd(writer, warn_on_full_buffer=False)
    try:
        yield
    finally:
        signal.set_wakeup_fd(before)
        os.close(writer)
        with os.fdopen(reader, "rb") as seen:
            told = seen.read()  # ends at once: nobody writes any more
        if {signal.SIGINT, signal.SIGTERM}.intersection(told):
            raise KeyboardInterrupt
