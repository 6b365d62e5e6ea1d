"""What verbs start from: the data root, the contracts that people name, moments in time."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING

from eval_pipeline.layout import DATA_VARIABLE, DataRoot, contract_reference

if TYPE_CHECKING:
    from eval_pipeline.contracts.ledgers import Retirement
    from eval_pipeline.contracts.model import Contract
    from eval_pipeline.orchestration.evaluation import Evaluation
    from eval_pipeline.orchestration.planning.world import World

Home = tuple[str, int]  # a contract's name and version


def data_root() -> DataRoot:
    """The data folder; raises LookupError with the mend where there is none."""
    root = DataRoot.from_environment()
    if not root.path.is_dir():
        raise LookupError(
            f"there is no data folder {root.path}: `eval-pipeline init --from answers.jsonl` "
            f"makes one, or set {DATA_VARIABLE}"
        )
    return root


def evaluation(purpose: str, root: DataRoot | None = None) -> "Evaluation":
    """The data root (the environment's else) with its warehouse and the settings of a run."""
    from eval_pipeline.orchestration.evaluation import Evaluation
    from eval_pipeline.orchestration.settings import settings_from_environment

    return Evaluation(root or data_root(), settings_from_environment(), purpose)


@dataclass(frozen=True)
class Chosen:
    """A contract version that somebody named; `retired` where it is evaluated no longer."""

    contract: "Contract"
    retired: "Retirement | None" = None

    @property
    def home(self) -> Home:
        return self.contract.contract, self.contract.version

    @property
    def title(self) -> str:
        return self.contract.title


def chosen(world: "World", named: str, version: int | None = None) -> Chosen:
    """The contract that `name`, `name@1` or `name/v1` names, retired ones included.

    Without a version: the highest active one, else the highest retired one.
    Raises ValueError that says what is wrong with the contract, or names the nearest.
    """
    candidates = [Chosen(active.contract) for active in world.active]
    candidates += [Chosen(contract, gone) for contract, gone in world.retired]
    name, asked = contract_reference(named, {one.home[0] for one in candidates})
    if version is not None and asked not in (None, version):
        raise ValueError(f"{named} names version {asked}, and --version says {version}: keep one")
    asked = version if asked is None else asked
    found = [one for one in candidates if one.home[0] == name and asked in (None, one.home[1])]
    if found:
        best = max(found, key=lambda one: (one.retired is None, one.home[1]))
        if asked is None:
            _note_broken(world, best)
        return best
    raise ValueError(_why_not(world, candidates, name, asked))


def unknown(kind: str, name: str, known: Iterable[str]) -> str:
    """A sentence that says that there is no such name, and which are near."""
    from eval_pipeline.contracts.faults import nearest, shown

    return f"there is no {kind} {shown(name)}: {nearest(name, known) or 'there is none at all'}"


def tell_faults(world: "World") -> None:
    """A line on stderr for each fault of a file, so that no answer hides what it leaves out."""
    import click

    from eval_pipeline.reporting.escaping import for_terminal

    for lines in world.faults.values():
        for line in lines:
            click.echo(f"fault: {for_terminal(line)}", err=True)


def moment(text: str) -> datetime | str:
    """What --as-of names: a moment with a time zone, else the id of a lineage record.

    Raises ValueError for a moment without a time zone.
    """
    try:
        parsed = datetime.fromisoformat(text)
    except ValueError:
        return text
    if parsed.tzinfo is None:
        mend = parsed.isoformat(timespec="minutes")
        raise ValueError(f"--as-of {text} has no time zone: write it as {mend}Z, or with +01:00")
    return parsed


def _note_broken(world: "World", best: Chosen) -> None:
    """Says so where a later version would have been taken, and has faults."""
    from eval_pipeline.cli.showing.printing import note

    name, version = best.home
    later = re.compile(rf"contracts/{re.escape(name)}/v([0-9]+)\.yaml")
    for file in world.faults:
        if (found := later.fullmatch(file)) and int(found[1]) > version:
            note(f"{file} has faults (`eval-pipeline validate` names them): {best.title} is taken")


def _why_not(world: "World", candidates: Iterable[Chosen], name: str, version: int | None) -> str:
    from eval_pipeline.contracts.faults import cannot_be_used

    folder = f"contracts/{name}/"
    wanted = folder if version is None else f"{folder}v{version}.yaml"
    broken = [
        line for file, lines in world.faults.items() if file.startswith(wanted) for line in lines
    ]
    if broken:
        return cannot_be_used("contract", name, broken)
    versions = sorted({one.home[1] for one in candidates if one.home[0] == name})
    if versions:
        there = ", ".join(f"v{one}" for one in versions)
        return f"contract {name} has no v{version}: it has {there}"
    return unknown("contract", name, sorted({one.home[0] for one in candidates}))
