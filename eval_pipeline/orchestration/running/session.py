"""One invocation of `run`: executes the plan batch by batch, as Dagster runs in this process."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field

from eval_pipeline.contracts.faults import cannot_be_used, nearest, shown
from eval_pipeline.contracts.remarks import remarks
from eval_pipeline.layout import DataRoot, contract_reference
from eval_pipeline.orchestration.boards import board
from eval_pipeline.orchestration.evaluation import Evaluation
from eval_pipeline.orchestration.observer import Observer
from eval_pipeline.orchestration.planning.plan import ATTEMPTS, Plan
from eval_pipeline.orchestration.planning.world import World, said_of_gone
from eval_pipeline.orchestration.settings import settings_from_environment

NEVER = 10**9


@dataclass
class SessionOutcome:
    """What a session did, and how things stand after it."""

    done: dict[str, str] = field(default_factory=dict)  # cell -> ok or unchanged
    failed: dict[str, str] = field(default_factory=dict)  # cell -> why
    at_budget: dict[str, str] = field(default_factory=dict)  # cell -> what is left of it
    faults: dict[str, tuple[str, ...]] = field(default_factory=dict)
    withheld: dict[str, str] = field(default_factory=dict)  # cell -> why it may not run
    parked: dict[str, str] = field(default_factory=dict)  # cell -> why it is not tried again
    set_aside: dict[str, Mapping[str, int]] = field(default_factory=dict)  # cell -> what, how many
    notes: tuple[str, ...] = ()  # what is no fault, and may still surprise

    @property
    def complete(self) -> bool:
        """Whether nothing is left that a person must mend.

        What is withheld, or stopped at a budget, is a person's wish.
        """
        return not (self.failed or self.faults or self.parked)

    def as_json(self) -> dict[str, object]:
        return {
            "computed": sorted(cell for cell, how in self.done.items() if how == "ok"),
            "unchanged": sorted(cell for cell, how in self.done.items() if how == "unchanged"),
            "failed": self.failed,
            "at_budget": self.at_budget,
            "not_run": {
                **{cell: f"withheld: {why}" for cell, why in self.withheld.items()},
                **{cell: f"parked: {why}" for cell, why in self.parked.items()},
            },
            "set_aside": {cell: dict(counts) for cell, counts in self.set_aside.items()},
            "notes": list(self.notes),
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

    contract (as name, name@1 or name/v1), checkpoint: narrow what is run; aggregates of the
    contract are always included.
    Raises WarehouseBusy where another process runs, DiskFull where there is no room left,
    ValueError for a name that there is not.
    """
    evaluation = Evaluation(root, settings_from_environment(), "session", observer)
    attempts = NEVER if retry_parked else ATTEMPTS
    outcome = SessionOutcome()
    with evaluation.exclusive():
        home = _checked_names(evaluation.world, contract, checkpoint)
        plan = narrowed(evaluation.plan(attempts), *home, checkpoint)
        location = None
        while batches := remaining(plan, evaluation).batches():
            observer.planned(plan)
            if location is None:
                from eval_pipeline.orchestration.running.in_process import Location

                location = Location(evaluation)
            ended = len(evaluation.done) + len(evaluation.failed)
            location.execute(batches[0])
            if evaluation.stopped is not None:
                raise evaluation.stopped
            if len(evaluation.done) + len(evaluation.failed) == ended:
                raise RuntimeError(f"the run ended without a result: {location.last_failure}")
            plan = narrowed(evaluation.plan(attempts), *home, checkpoint)
        evaluation.finish()
    outcome.done = {str(cell): how for cell, how in evaluation.done.items()}
    for cell, why in evaluation.failed.items():
        kind = outcome.at_budget if cell in evaluation.over_budget else outcome.failed
        kind[str(cell)] = why
    outcome.faults = {**evaluation.world.faults, **nothing_there(evaluation.world)}
    outcome.set_aside = {str(cell): counts for cell, counts in evaluation.set_aside.items()}
    left_alone = sorted(set(evaluation.settings.given_up.values()))
    outcome.notes = (
        *notes(evaluation.world),
        *votes_pending(evaluation),
        *(f"an endpoint of a judge was left alone: {why}" for why in left_alone),
    )
    for one in remaining(plan, evaluation).cells:
        if one.state == "withheld":
            outcome.withheld[str(one.cell)] = one.reason
        elif one.state == "parked":
            outcome.parked[str(one.cell)] = one.reason
    return outcome


def notes(world: World) -> tuple[str, ...]:
    """Checkpoints not complete yet or gone, contracts without one, names that nobody bears."""
    waiting = [f"checkpoints/{name} waits for its _SUCCESS" for name in world.waiting]
    gone = [said_of_gone(name, why) for name, why in world.gone.items()]
    lonely = [
        f"{one.contract.title} has no number: no landed checkpoint matches its targets"
        for one in world.active
        if world.facts and not one.targets
    ]
    remarked = [line for one in world.active for line in remarks(one.contract, world.facts)]
    return (*waiting, *gone, *lonely, *remarked)


def votes_pending(evaluation: Evaluation) -> list[str]:
    """What judges have not cast yet on each checkpoint, by the leaderboards as they stand."""
    said = []
    for one in evaluation.world.active:
        if one.contract.judging is None:
            continue
        made = board(evaluation.root, evaluation.warehouse, one.contract)
        waiting = [row for row in made.rows if row["votes_pending"]] if made else []
        said += [
            f"{one.contract.title}, {row['checkpoint']}: {row['votes_pending']}" for row in waiting
        ]
    return said


def nothing_there(world: World) -> dict[str, tuple[str, ...]]:
    """What a project lacks without which no number can be: doing nothing is no success."""
    if not (world.active or world.retired or world.faults):
        mend = "`eval-pipeline init --from answers.jsonl` writes one"
        return {"contracts": (f"contracts: there is none; {mend}",)}
    if world.active and not world.facts:
        mend = "put one into checkpoints/<name>/, its _SUCCESS last"
        return {"checkpoints": (f"checkpoints: none has landed; {mend}",)}
    return {}


def remaining(plan: Plan, evaluation: Evaluation) -> Plan:
    """The plan without the cells that ended in this session: each is tried once."""
    return Plan(
        tuple(
            one
            for one in plan.cells
            if one.cell not in evaluation.done and one.cell not in evaluation.failed
        )
    )


def narrowed(plan: Plan, contract: str | None, version: int | None, checkpoint: str | None) -> Plan:
    """The plan's cells of one contract or version of it, of one checkpoint and of no checkpoint."""
    return Plan(
        tuple(
            one
            for one in plan.cells
            if contract in (None, one.cell.contract)
            and version in (None, one.cell.version)
            and (checkpoint is None or one.cell.checkpoint in (None, checkpoint))
        )
    )


def _checked_names(
    world: World, contract: str | None, checkpoint: str | None
) -> tuple[str | None, int | None]:
    """Name and version of the contract that was named; raises ValueError for what there is not."""
    version = None
    if contract is not None:
        versions = {one.home for one in world.active}
        contract, version = contract_reference(contract, {name for name, _ in versions})
        _check_known(world, "contract", contract, {name for name, _ in versions})
        if version is not None and (contract, version) not in versions:
            if wrong := _faults_below(world, f"contracts/{contract}/v{version}.yaml/"):
                raise ValueError(cannot_be_used("contract", f"{contract}@{version}", wrong))
            there = ", ".join(f"v{n}" for name, n in sorted(versions) if name == contract)
            raise ValueError(f"contract {contract} has no v{version} to run: it has {there}")
    if checkpoint is not None and checkpoint in world.gone:
        raise ValueError(f"{said_of_gone(checkpoint, world.gone[checkpoint])}: put it back to run")
    if checkpoint in world.waiting:
        raise ValueError(f"checkpoints/{checkpoint} waits for its _SUCCESS: write that last")
    if checkpoint is not None:
        _check_known(world, "checkpoint", checkpoint, world.facts)
    return contract, version


def _faults_below(world: World, place: str) -> list[str]:
    return [
        line
        for file, lines in world.faults.items()
        if f"{file}/".startswith(place)
        for line in lines
    ]


def _check_known(world: World, kind: str, name: str, known: Collection[str]) -> None:
    """Raises ValueError that says what is wrong with the named thing, or which are like it."""
    if name in known:
        return
    if wrong := _faults_below(world, f"{kind}s/{name}/"):
        raise ValueError(cannot_be_used(kind, name, wrong))
    near = nearest(name, sorted(known)) or "there is none at all"
    raise ValueError(f"there is no {kind} {shown(name)} to run: {near}")
