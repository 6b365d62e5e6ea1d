"""Contracts from disk: all that can be used, and all that is wrong with the others."""

import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path as FilePath

from eval_pipeline.contracts.faults import (
    ContractFaults,
    Fault,
    Path,
    field_of,
    in_order,
    shown,
)
from eval_pipeline.contracts.ledgers import Retirement, read_retired
from eval_pipeline.contracts.model import Contract
from eval_pipeline.contracts.pinned import absent_files
from eval_pipeline.contracts.presets import Expanded, expand
from eval_pipeline.contracts.reading import Document, read_yaml_file
from eval_pipeline.contracts.rules import broken_rules
from eval_pipeline.contracts.shape import Problem, problems_of, whole_sections
from eval_pipeline.layout import DataRoot, checked_name

CONTRACTS = "contracts"
BESIDE = ("presets", "retired.yaml", "accepted.yaml", "contracts.lock")
_VERSION_FILE = re.compile(r"v([1-9][0-9]{0,5})\.yaml")

FurtherRule = Callable[[Contract], Iterable[Problem]]


@dataclass(frozen=True)
class LoadedContract:
    """A contract that can be used, and the file it came from.

    file: path below the data root. sha256: of the file's bytes. lines: field to (file, line),
    where a field that a preset gives lies in the preset's file.
    """

    contract: Contract
    file: str
    sha256: str
    lines: Mapping[str, tuple[str, int]]


@dataclass(frozen=True)
class Loaded:
    """All contracts of a project, sorted by name and version, and what is wrong with the rest."""

    contracts: tuple[LoadedContract, ...]
    faults_by_file: Mapping[str, tuple[Fault, ...]]
    retired: tuple[Retirement, ...]

    @property
    def active(self) -> tuple[LoadedContract, ...]:
        """Those that are not retired."""
        gone = {(one.contract, one.version) for one in self.retired}
        return tuple(
            one
            for one in self.contracts
            if (one.contract.contract, one.contract.version) not in gone
        )


def load_contract(
    root: DataRoot, path: FilePath, further_rules: Sequence[FurtherRule] = ()
) -> LoadedContract:
    """The contract in one file, which must lie at contracts/<contract>/v<N>.yaml.

    further_rules: what other rooms ask of a contract, such as options that its verifier knows.
    Raises ContractFaults with everything that is wrong at once.
    """
    file = _below_root(root, path)
    misplaced = _place_faults(file, path)
    document = read_yaml_file(path, file)
    if misplaced or not isinstance(document.data, dict):
        raise ContractFaults(misplaced or document.faults or [_no_mapping(document)])
    expanded = expand(root, document)
    faults = [*expanded.faults, *_placed(expanded, _problems(root, expanded))]
    if faults:
        raise ContractFaults(faults)
    contract = Contract.model_validate(expanded.data)
    if further := [problem for rule in further_rules for problem in rule(contract)]:
        raise ContractFaults(_placed(expanded, further))
    lines = {field_of(path): place for path, place in expanded.places.items() if path}
    return LoadedContract(contract, file, document.sha256, lines)


def load_all(root: DataRoot, further_rules: Sequence[FurtherRule] = ()) -> Loaded:
    """Every contract of the project. A broken file never takes the others down."""
    found: list[LoadedContract] = []
    faults: list[Fault] = []
    paths, odd = _contract_files(root)
    for path in paths:
        try:
            found.append(load_contract(root, path, further_rules))
        except ContractFaults as error:
            faults += error.faults
    retired, ledger_faults = read_retired(root)
    found.sort(key=lambda one: (one.contract.contract, one.contract.version))
    kept, collisions = _without_collisions(found)
    by_file: dict[str, list[Fault]] = {}
    for fault in in_order([*odd, *faults, *ledger_faults, *collisions]):
        by_file.setdefault(fault.file, []).append(fault)
    return Loaded(tuple(kept), {file: tuple(those) for file, those in by_file.items()}, retired)


def key_form(name: str) -> str:
    """A name as it stands in asset keys, which do not allow `@ . + -`."""
    return re.sub(r"[@.+-]", "_", name)


def _below_root(root: DataRoot, path: FilePath) -> str:
    try:
        below = FilePath(os.path.abspath(path)).relative_to(os.path.abspath(root.path))
    except ValueError:
        raise ValueError(
            f"{path} lies outside {root.path}: contracts lie at contracts/<contract>/v1.yaml there"
        ) from None
    return _printable(below.as_posix())


def _printable(file: str) -> str:
    return file if file.isprintable() else repr(file)


def _place_faults(file: str, path: FilePath) -> list[Fault]:
    """What is wrong with where the file lies, before it is opened."""
    top, *inner = file.split("/")
    if top != CONTRACTS or len(inner) != 2 or not _VERSION_FILE.fullmatch(inner[1]):
        mend = "contracts lie at contracts/<contract>/v1.yaml, v2.yaml and so on"
        return [Fault("", file, None, "is no place of a contract", mend)]
    try:
        checked_name(inner[0], "contract")
    except ValueError as error:
        return [Fault("", file, None, "lies in a folder that cannot be named", str(error))]
    if path.parent.is_symlink():
        mend = "put the folder itself there"
        return [Fault("", file, None, "lies in a symbolic link", mend)]
    return []


def _problems(root: DataRoot, expanded: Expanded) -> list[Problem]:
    """All that is wrong with the values, but for what the reader has said already."""
    shape = [p for p in problems_of(Contract, expanded.data) if not _is_flawed(expanded, p.path)]
    paths = {*expanded.flawed, *(problem.path for problem in shape)}
    broken = frozenset(str(path[0]) for path in paths if path)
    whole = whole_sections(expanded.data, broken)
    return [
        *shape,
        *broken_rules(whole, broken),
        *absent_files(root, expanded.data, paths),
        *_other_names(whole, expanded.file, broken),
    ]


def _placed(expanded: Expanded, problems: Iterable[Problem]) -> list[Fault]:
    return [expanded.fault(problem.path, problem.message, problem.mend) for problem in problems]


def _no_mapping(document: Document) -> Fault:
    mend = "write the contract as `key: value` lines, or start with `eval-pipeline init`"
    if document.data is None:
        return Fault("", document.file, 1, "is empty", mend)
    return Fault("", document.file, 1, f"holds {shown(document.data)} at its top", mend)


def _is_flawed(expanded: Expanded, path: Path) -> bool:
    """Whether the reader has spoken of this value, or of what holds it, already."""
    return any(path[:depth] in expanded.flawed for depth in range(1, len(path) + 1))


def _other_names(contract: Contract, file: str, broken: frozenset[str]) -> Iterator[Problem]:
    """Where the file says another name or version than its place."""
    _, folder, name = file.split("/")
    if "contract" not in broken and contract.contract != folder:
        mend = f"write {folder}, or move the file"
        yield Problem(
            ("contract",), f"is {shown(contract.contract)}, but the folder is {folder}", mend
        )
    if "version" not in broken and f"v{contract.version}.yaml" != name:
        mend = "make them agree: a changed contract is a new file and a new version"
        yield Problem(("version",), f"is {contract.version}, but the file is {name}", mend)


def _contract_files(root: DataRoot) -> tuple[list[FilePath], list[Fault]]:
    """All files in the folders of contracts, and what is odd beside them."""
    if not root.contracts.is_dir():
        mend = "make it with `eval-pipeline init`, or set EVAL_PIPELINE_DATA"
        return [], [Fault("", CONTRACTS, None, f"is not a folder in {root.path}", mend)]
    paths: list[FilePath] = []
    odd: list[Fault] = []
    for folder in _visible(root.contracts):
        if folder.name in BESIDE:
            continue
        label = _printable(f"{CONTRACTS}/{folder.name}")
        if folder.is_symlink() or not folder.is_dir():
            mend = "contracts lie at contracts/<contract>/v1.yaml"
            odd.append(Fault("", label, None, "is not the folder of a contract", mend))
            continue
        try:
            paths += _visible(folder)
        except OSError as error:
            message = f"cannot be read ({error.strerror})"
            odd.append(Fault("", label, None, message, "mend its permissions"))
    return paths, odd


def _visible(folder: FilePath) -> list[FilePath]:
    return sorted(path for path in folder.iterdir() if not path.name.startswith("."))


def _without_collisions(
    found: Sequence[LoadedContract],
) -> tuple[list[LoadedContract], list[Fault]]:
    """Contracts whose asset keys differ: of two names that would share one, the first is kept."""
    owner: dict[str, str] = {}
    kept: list[LoadedContract] = []
    faults: list[Fault] = []
    for one in found:
        name = one.contract.contract
        first = owner.setdefault(key_form(name), name)
        if first == name:
            kept.append(one)
            continue
        file, line = one.lines["contract"]
        message = f"is {name}, which shares its asset key with {first}"
        faults.append(Fault("contract", file, line, message, "choose another name"))
    return kept, faults
