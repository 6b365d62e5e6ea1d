"""One invocation of `run`: executes the plan batch by batch, as Dagster runs in this process."""

from dataclasses import dataclass, field
from typing import Any

from eval_pipeline.layout import DataRoot
from eval_pipeline.orchestration.evaluation import Evaluation, Observer
from eval_pipeline.orchestration.planning import ATTEMPTS, Plan
from eval_pipeline.orchestration.settings import settings_from_environment

NEVER = 10**9


@dataclass
class SessionOutcome:
    """What a session did, and how things stand after it."""

    done: dict[str, str] = field(default_factory=dict)  # cell -> ok or unchanged
    failed: dict[str, str] = field(default_factory=dict)  # cell -> why
    faults: dict[str, tuple[str, ...]] = field(default_factory=dict)
    not_run: dict[str, str] = field(default_factory=dict)  # cell -> why it may not or cannot run

    def as_json(self) -> dict[str, Any]:
        return {
            "computed": sorted(cell for cell, how in self.done.items() if how == "ok"),
            "unchanged": sorted(cell for cell, how in self.done.items() if how == "unchanged"),
            "failed": self.failed,
            "not_run": self.not_run,
            "faults": {file: list(lines) for file, lines in self.faults.items()},
        }


def bring_up_to_date(
    root: DataRoot,
    observer: Observer,
    contract: str | None = None,
    checkpoint: str | None = None,
    retry_parked: bool = False,
) -> SessionOutcome:
    """Computes what is missing or stale; cells that fail are tried once.

    contract, checkpoint: narrow what is run; aggregates of the contract are always included.
    Raises WarehouseBusy where another process runs, ValueError for a name that there is not.
    """
    evaluation = Evaluation(root, settings_from_environment(), "session", observer)
    attempts = NEVER if retry_parked else ATTEMPTS
    outcome = SessionOutcome()
    with evaluation.exclusive():
        _check_names(evaluation, contract, checkpoint)
        plan = narrowed(evaluation.plan(attempts), contract, checkpoint)
        location = None
        while batches := remaining(plan, evaluation).batches():
            observer.planned(plan)
            if location is None:
                from eval_pipeline.orchestration.in_process import Location

                location = Location(evaluation)
            ended = len(evaluation.done) + len(evaluation.failed)
            location.execute(batches[0])
            if len(evaluation.done) + len(evaluation.failed) == ended:
                raise RuntimeError(f"the run ended without a result: {location.last_failure}")
            plan = narrowed(evaluation.plan(attempts), contract, checkpoint)
        evaluation.finish()
    outcome.done = {str(cell): how for cell, how in evaluation.done.items()}
    outcome.failed = {str(cell): why for cell, why in evaluation.failed.items()}
    outcome.faults = dict(evaluation.world.faults)
    outcome.not_run = not_run(remaining(plan, evaluation))
    return outcome


def remaining(plan: Plan, evaluation: Evaluation) -> Plan:
    """The plan without the cells that ended in this session: each is tried once."""
    return Plan(
        tuple(
            one
            for one in plan.cells
            if one.cell not in evaluation.done and one.cell not in evaluation.failed
        )
    )


def narrowed(plan: Plan, contract: str | None, checkpoint: str | None) -> Plan:
    """The plan's cells of one contract, of one checkpoint and of no checkpoint."""
    return Plan(
        tuple(
            one
            for one in plan.cells
            if contract in (None, one.cell.contract)
            and (checkpoint is None or one.cell.checkpoint in (None, checkpoint))
        )
    )


def not_run(plan: Plan) -> dict[str, str]:
    """Cells that may not run, or are parked, with the reason."""
    return {
        str(one.cell): f"{one.state}: {one.reason}"
        for one in plan.cells
        if one.state in ("withheld", "parked")
    }


def _check_names(evaluation: Evaluation, contract: str | None, checkpoint: str | None) -> None:
    if contract is not None:
        evaluation.world.contract(contract)
    if checkpoint is not None and checkpoint not in evaluation.world.facts:
        known = ", ".join(sorted(evaluation.world.facts)) or "none"
        raise ValueError(f"there is no landed checkpoint {checkpoint}: there is {known}")
