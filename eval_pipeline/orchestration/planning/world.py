"""What lies on disk: contracts that can be used, checkpoints that have landed, and what is wrong.

Read afresh for each plan; a broken contract or checkpoint never takes the others down.
"""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from eval_pipeline.contracts.conditions import contradictions
from eval_pipeline.contracts.faults import CheckpointFaults, nearest
from eval_pipeline.contracts.judging import Judging
from eval_pipeline.contracts.ledgers import Retirement
from eval_pipeline.contracts.load import LoadedContract, load_all
from eval_pipeline.contracts.metric_rules import score_criteria
from eval_pipeline.contracts.model import Contract
from eval_pipeline.contracts.pinned import template_file
from eval_pipeline.contracts.registry import (
    ContractChangedError,
    Lock,
    Recorded,
    check_identity,
    read_lock,
)
from eval_pipeline.contracts.shape import Problem
from eval_pipeline.contracts.targets import (
    CheckpointFacts,
    checkpoint_facts,
    decoupling_faults,
    targets,
)
from eval_pipeline.ingest.checkpoint import list_checkpoints, read_marker
from eval_pipeline.layout import DataRoot, refusal
from eval_pipeline.orchestration.planning.cells import ActiveContract, FileDigests


@dataclass(frozen=True)
class World:
    """The disk as it stands.

    faults: file or folder below the data root to what is wrong, one line each.
    waiting: checkpoints without a marker yet. gone: checkpoints with results that are no longer
    complete on disk, and what became of each.
    """

    active: tuple[ActiveContract, ...]
    retired: tuple[tuple[Contract, Retirement], ...]
    facts: Mapping[str, CheckpointFacts]
    waiting: tuple[str, ...]
    faults: Mapping[str, tuple[str, ...]]
    gone: Mapping[str, str] = field(default_factory=dict)

    def contract(self, name: str, version: int | None = None) -> ActiveContract:
        """The active contract of that name; its highest version where none is said.

        Raises ValueError that lists what there is.
        """
        found = [
            active
            for active in self.active
            if active.home[0] == name and version in (None, active.home[1])
        ]
        if not found:
            known = ", ".join(active.contract.title for active in self.active) or "none"
            asked = name if version is None else f"{name}/v{version}"
            raise ValueError(f"there is no active contract {asked}: there is {known}")
        return max(found, key=lambda active: active.home[1])


def said_of_gone(name: str, became: str) -> str:
    """A sentence for every page that names a checkpoint which is gone."""
    return f"checkpoint {name} is gone from disk ({became}); its results stay as history"


InWarehouse = Callable[[str, int, str], Recorded | None]
WithResults = Callable[[str, int, str], Collection[str]]


def read_world(
    root: DataRoot, digests: FileDigests, in_warehouse: InWarehouse, with_results: WithResults
) -> World:
    """Reads contracts, their identities, and the checkpoints that they target.

    in_warehouse: what the warehouse has recorded of a contract version under another identity
    than the one that is given, if anything: contracts.lock may be edited, or lost. with_results:
    the checkpoints of which it holds results under that identity.
    """
    loaded = load_all(root, [instruments_exist, partial(prompts_keep_the_rules, root)])
    faults = {
        file: tuple(str(fault) for fault in found) for file, found in loaded.faults_by_file.items()
    }
    facts, waiting = _read_checkpoints(root, faults)
    lock = read_lock(root)
    active = []
    for one in loaded.active:
        home = (one.contract.contract, one.contract.version)
        try:
            identity = check_identity(root, one.contract, digests.of, lock)
            if (known := in_warehouse(*home, identity)) is not None:
                check_identity(root, one.contract, digests.of, {}, known)
        except (ContractChangedError, OSError) as error:
            line = refusal(error) if isinstance(error, OSError) else str(error)
            faults[one.file] = (*faults.get(one.file, ()), line)
            continue
        lost = tuple(sorted(set(with_results(*home, identity)) - facts.keys()))
        template = "".join(digests.of(path) for path in template_file(root, one.contract))
        kept = _targets(one, facts, faults, template)
        active.append(ActiveContract(one.contract, identity, kept, lost))
    _name_missing_files(root, lock, loaded.retired, faults)
    retired = _retired(loaded.contracts, loaded.retired)
    names = sorted({name for one in active for name in one.gone})
    gone = {name: _what_became(name, waiting, faults) for name in names}
    return World(tuple(active), retired, facts, waiting, dict(sorted(faults.items())), gone)


def _what_became(name: str, waiting: Collection[str], faults: Mapping[str, tuple[str, ...]]) -> str:
    """Of a checkpoint that had results, and is no complete checkpoint any more."""
    if name in waiting:
        return "its _SUCCESS is gone"
    return "; ".join(faults.get(f"checkpoints/{name}", ())) or "its folder is gone"


def _name_missing_files(
    root: DataRoot,
    lock: Lock,
    retired: Sequence[Retirement],
    faults: dict[str, tuple[str, ...]],
) -> None:
    """A contract with recorded results whose file is gone is a fault, not a silence."""
    gone = {(one.contract, one.version) for one in retired}
    for name, version in sorted(lock):
        file = root.contract_file(name, version)
        if (name, version) not in gone and not file.exists():
            place = file.relative_to(root.path).as_posix()
            line = f"{place}: has recorded results and is gone: restore it, or retire it"
            faults[place] = (*faults.get(place, ()), line)


def instruments_exist(contract: Contract) -> Iterator[Problem]:
    """Whether the verifier and the extraction that a contract names exist and take its options."""
    asked = contract.verification
    if asked is None:
        return
    from eval_pipeline.verification.registry import EXTRACTIONS, VERIFIERS, instruments

    known = {"verifier": VERIFIERS, "extraction": EXTRACTIONS}
    unknown = [kind for kind, names in known.items() if getattr(asked, kind) not in names]
    for kind in unknown:
        name = getattr(asked, kind)
        yield Problem(
            ("verification", kind), f"is {name}, which is none", nearest(name, known[kind])
        )
    if unknown:
        return
    try:
        instruments(asked.verifier, asked.extraction, asked.options)
    except ValueError as error:
        said = str(error).removeprefix("verification.options: ")
        yield Problem(("verification", "options"), said, "mend it there")


def prompts_keep_the_rules(root: DataRoot, contract: Contract) -> Iterator[Problem]:
    """Whether the prompts of judges may be put before them, and scores have one rubric."""
    judging = contract.judging
    if judging is None:
        return
    from eval_pipeline.orchestration.live_judges import live_judging

    broken = False
    for i, judge in enumerate(judging.judges):
        if judge.source == "openai" or judge.form == "pointwise":
            try:
                live_judging.checked_judge_prompt(root, judge)
            except ValueError as error:
                broken = True
                yield Problem(
                    ("judging", "judges", i, "prompt"),
                    f"is refused: {error}",
                    "mend the file, or name another; where it has results, add its next version",
                )
    if judging.pointwise and not broken:
        yield from _one_rubric(root, contract, judging)


def _one_rubric(root: DataRoot, contract: Contract, judging: Judging) -> Iterator[Problem]:
    """All judges of single replies score by one, and criteria that are asked for are in it."""
    from eval_pipeline.metrics.judged.entry import WHOLE
    from eval_pipeline.orchestration.live_judges.live_judging import rubric

    try:
        criteria = (*rubric(root, judging).criteria, WHOLE)
    except ValueError as error:
        yield Problem(("judging", "judges"), str(error), "name one prompt for them")
        return
    for path, criterion in score_criteria(contract):
        if criterion not in criteria:
            mend = nearest(criterion, criteria) or f"choose one of {', '.join(criteria)}"
            yield Problem(path, f"is {criterion}, which is no criterion of the rubric", mend)


def _read_checkpoints(
    root: DataRoot, faults: dict[str, tuple[str, ...]]
) -> tuple[dict[str, CheckpointFacts], tuple[str, ...]]:
    listing = list_checkpoints(root)
    for name, reason in listing.refused:
        faults[f"checkpoints/{name}"] = (f"checkpoints/{name}: {reason}",)
    facts = {}
    for name in listing.landed:
        try:
            facts[name] = checkpoint_facts(root, name)
        except CheckpointFaults as error:
            faults[f"checkpoints/{name}"] = tuple(str(fault) for fault in error.faults)
    return facts, tuple(listing.waiting)


def _targets(
    one: LoadedContract,
    facts: Mapping[str, CheckpointFacts],
    faults: dict[str, tuple[str, ...]],
    template: str,
) -> tuple[str, ...]:
    """The contract's targets, less those trained on its evaluators or run in another way."""
    kept = []
    for name in targets(one.contract, facts):
        refused = [
            *decoupling_faults(one.contract, facts[name]),
            *contradictions(one.contract, facts[name], template),
        ]
        if refused:
            place = f"checkpoints/{name}"
            faults[place] = (*faults.get(place, ()), *refused)
        else:
            kept.append(name)
    return tuple(kept)


def _retired(
    contracts: Sequence[LoadedContract], retirements: Sequence[Retirement]
) -> tuple[tuple[Contract, Retirement], ...]:
    known = {(one.contract.contract, one.contract.version): one.contract for one in contracts}
    return tuple(
        (known[home], gone)
        for gone in retirements
        if (home := (gone.contract, gone.version)) in known
    )


def marker_digests(root: DataRoot, checkpoint: str) -> Mapping[Path, str]:
    """What a checkpoint's `_SUCCESS` says of its files, without reading them; nothing before it."""
    folder = root.checkpoint(checkpoint)
    try:
        return {folder / name: digest for name, digest in read_marker(folder).items()}
    except FileNotFoundError:
        return {}
