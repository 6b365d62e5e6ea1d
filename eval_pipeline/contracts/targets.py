"""Which checkpoints a contract is about, and what their own files say of them."""

import datetime
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Annotated

from pydantic import Field

from eval_pipeline.contracts.faults import CheckpointFaults, Fault, field_of, shown
from eval_pipeline.contracts.model import (
    Contract,
    NotKnown,
    OrUnknown,
    Stated,
    Targets,
    Unknown,
)
from eval_pipeline.contracts.part import Name, Part, Text
from eval_pipeline.contracts.reading import Document, read_yaml_file
from eval_pipeline.contracts.shape import problems_of
from eval_pipeline.layout import DataRoot

CONDITIONS = ("decoding", "prompt", "conditions")
_VERSION = re.compile(r"@[1-9][0-9]*$")


class TrainedOn(Part):
    """What shaped the weights and may therefore not judge them."""

    judges: list[Text] = Field(default_factory=list)
    reward_models: list[Text] = Field(default_factory=list)
    preference_sets: list[Text] = Field(default_factory=list)
    benchmarks: list[Text] = Field(default_factory=list)


class Provenance(Part):
    """The fields of checkpoint.yaml that must be said, if only as `unknown: <reason>`."""

    family: Annotated[Annotated[Name, Stated] | NotKnown, OrUnknown] = Field(
        description="name the model family, or write {unknown: <reason>}"
    )
    weights_digest: Annotated[Annotated[Text, Stated] | NotKnown, OrUnknown] = Field(
        description="give the digest of the weights, or write {unknown: <reason>}"
    )
    parent: Annotated[Annotated[Name | None, Stated] | NotKnown, OrUnknown] = Field(
        description="name the checkpoint it was trained from, null for none, "
        "or write {unknown: <reason>}"
    )
    date: Annotated[Annotated[datetime.date, Stated] | NotKnown, OrUnknown] = Field(
        description="give the day, or write {unknown: <reason>}"
    )
    trained_on: Annotated[Annotated[TrainedOn, Stated] | NotKnown, OrUnknown] = Field(
        description="name judges, reward_models, preference_sets and benchmarks, {} for none, "
        "or write {unknown: <reason>}"
    )


@dataclass(frozen=True)
class CheckpointFacts:
    """What checkpoint.yaml says of a checkpoint; None where it says unknown (see `unknown`).

    parent is None as well where there is none. unknown: field to reason. conditions: what it states
    of how replies were drawn (`CONDITIONS`), as it stands there.
    """

    name: str
    family: str | None
    parent: str | None
    date: datetime.date | None
    trained_on: TrainedOn | None
    weights_digest: str | None
    unknown: Mapping[str, str]
    conditions: Mapping[str, object] = field(default_factory=dict)

    @property
    def order(self) -> tuple[datetime.date, str]:
        """The place among checkpoints: (date, name); without a date after all others."""
        return self.date or datetime.date.max, self.name


def checkpoint_facts(root: DataRoot, name: str) -> CheckpointFacts:
    """The facts of one checkpoint; of the run manifest beside them, only its conditions.

    Raises CheckpointFaults with all that is missing or of another type.
    """
    path = root.checkpoint(name) / "checkpoint.yaml"
    document = read_yaml_file(path, path.relative_to(root.path).as_posix())
    if document.faults or not isinstance(document.data, dict):
        raise CheckpointFaults(document.faults or [_no_mapping(document)])
    stated = {key: document.data[key] for key in Provenance.model_fields if key in document.data}
    if problems := problems_of(Provenance, stated):
        raise CheckpointFaults(
            Fault(field_of(p.path), document.file, document.line_of(p.path), p.message, p.mend)
            for p in problems
        )
    facts = dict(Provenance.model_validate(stated))
    unknown = {key: value.unknown for key, value in facts.items() if isinstance(value, Unknown)}
    conditions = {key: document.data[key] for key in CONDITIONS if key in document.data}
    known = facts | dict.fromkeys(unknown)
    return CheckpointFacts(name, **known, unknown=unknown, conditions=conditions)


def targets(contract: Contract, manifests: Mapping[str, CheckpointFacts]) -> list[str]:
    """The checkpoints that the contract is about, by (date, name).

    Without families named, or with targets unknown, all of them.
    """
    chosen: Iterable[CheckpointFacts] = manifests.values()
    if isinstance(contract.targets, Targets):
        wanted, unwanted = contract.targets.families, contract.targets.exclude
        chosen = [
            facts
            for facts in chosen
            if facts.name not in unwanted and (not wanted or facts.family in wanted)
        ]
    return [facts.name for facts in sorted(chosen, key=lambda facts: facts.order)]


def decoupling_faults(contract: Contract, facts: CheckpointFacts) -> list[str]:
    """Why the contract's evaluators may not judge this checkpoint: it was trained on them.

    One sentence a reason; none where trained_on is unknown, which the run manifest shows.
    """
    trained_on = facts.trained_on
    if trained_on is None:
        return []
    found: list[str] = []
    labels = {_bare(name) for name in trained_on.preference_sets}
    found += [f"annotation set {s}" for s in contract.annotation_sets if _bare(s) in labels]
    if contract.judging is not None:
        taught = {_bare(name) for name in (*trained_on.judges, *trained_on.reward_models)}
        for judge in contract.judging.judges:
            names = {"judge": judge.name, "judge family": judge.family, "judge model": judge.model}
            found += [f"{kind} {name}" for kind, name in names.items() if _bare(name) in taught]
    if contract.benchmark in {_bare(name) for name in trained_on.benchmarks}:
        found.append(f"benchmark {contract.benchmark}")
    return [
        f"checkpoint {facts.name} was trained on {what}, which may not evaluate it in "
        f"{contract.title}: name another there, or put {facts.name} into targets.exclude"
        for what in sorted(found)
    ]


def _bare(name: str | None) -> str:
    """The name without a version: training on one version taught the others too."""
    return _VERSION.sub("", name or "")


def _no_mapping(document: Document) -> Fault:
    what = "is empty" if document.data is None else f"holds {shown(document.data)} at its top"
    return Fault("", document.file, 1, what, "write it as `key: value` lines")
