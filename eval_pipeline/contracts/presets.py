"""Presets: parts of a contract that several contracts share.

`extends: presets/numeric_answer@1` names the file `contracts/presets/numeric_answer@1.yaml`. A
preset holds any sections of a contract except contract, version, status and extends. It is merged
before anything is checked or digested: mappings key by key, everything else as a whole, and the
contract wins. A section that the contract gives as `unknown`, or as null, replaces the preset's.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from eval_pipeline.contracts.faults import Fault, Path, field_of, nearest, shown
from eval_pipeline.contracts.reading import Document, read_yaml_file
from eval_pipeline.layout import DataRoot, versioned

PREFIX = "presets/"
OWN_KEYS = ("contract", "version", "status", "extends")  # what a preset may not say


@dataclass(frozen=True)
class Expanded:
    """A contract with its preset merged in, and where each value comes from.

    places: path to (file, line). flawed: paths of values with a fault.
    """

    file: str
    data: Mapping[str, object]
    places: Mapping[Path, tuple[str, int]]
    faults: tuple[Fault, ...]
    flawed: frozenset[Path]

    def place_of(self, path: Path) -> tuple[str, int]:
        """File and line of the path, or of the nearest thing above it."""
        while path and path not in self.places:
            path = path[:-1]
        return self.places.get(path, (self.file, 1))

    def fault(self, path: Path, message: str, mend: str) -> Fault:
        """A fault at the path."""
        return Fault(field_of(path), *self.place_of(path), message, mend)


def expand(root: DataRoot, own: Document) -> Expanded:
    """The contract with the preset that it extends, if it extends one."""
    data = dict(own.data)
    reference = data.pop("extends", None)
    places = {path: (own.file, line) for path, line in own.lines.items()}
    if reference is None:
        return Expanded(own.file, data, places, own.faults, own.flawed)
    preset, faults = _preset(root, own, reference)
    faults = (*own.faults, *faults)
    if preset is None:
        return Expanded(own.file, data, places, faults, own.flawed)
    sections = {key: value for key, value in preset.data.items() if key not in OWN_KEYS}
    merged, taken = _merged(data, sections, ())

    def is_taken(path: Path) -> bool:
        return any(path[:depth] in taken for depth in range(1, len(path) + 1))

    places |= {path: (preset.file, n) for path, n in preset.lines.items() if is_taken(path)}
    flawed = own.flawed | frozenset(filter(is_taken, preset.flawed))
    return Expanded(own.file, merged, places, faults, flawed)


def known_presets(root: DataRoot) -> list[str]:
    """What `extends` may name, sorted."""
    if not root.presets.is_dir():
        return []
    return sorted(f"{PREFIX}{path.stem}" for path in root.presets.glob("*.yaml"))


def _preset(
    root: DataRoot, own: Document, reference: Any
) -> tuple[Document | None, tuple[Fault, ...]]:
    def refused(message: str, mend: str) -> tuple[None, tuple[Fault, ...]]:
        return None, (Fault("extends", own.file, own.line_of(("extends",)), message, mend),)

    if not isinstance(reference, str) or not reference.startswith(PREFIX):
        return refused(f"is {shown(reference)}, which is no preset", "write it as presets/name@1")
    try:
        name, version = versioned(reference.removeprefix(PREFIX), "preset")
    except ValueError as error:
        return refused(f"is {shown(reference)}, which is no preset", str(error))
    path = root.presets / f"{name}@{version}.yaml"
    if not path.exists():
        mend = nearest(reference, known_presets(root)) or f"add contracts/{PREFIX}{path.name}"
        return refused(f"names {shown(reference)}, which is not there", mend)
    preset = read_yaml_file(path, f"contracts/{PREFIX}{path.name}")
    if preset.data is None and preset.faults:
        return None, preset.faults
    if not isinstance(preset.data, dict):
        mend = "write sections of a contract"
        return None, (Fault("", preset.file, 1, "holds no sections", mend),)
    misplaced = (
        Fault(key, preset.file, preset.line_of((key,)), "may not stand in a preset", "take it out")
        for key in OWN_KEYS
        if key in preset.data
    )
    return preset, (*preset.faults, *misplaced)


def _merged(
    ours: Mapping[str, object], theirs: Mapping[str, object], path: Path
) -> tuple[dict[str, object], set[Path]]:
    """Both mappings as one, ours first; and the paths of what was taken from theirs."""
    values = dict(ours)
    taken: set[Path] = set()
    for key, value in theirs.items():
        if key not in ours:
            values[key] = value
            taken.add((*path, key))
        elif (
            isinstance(mine := ours[key], dict)
            and isinstance(value, dict)
            and "unknown" not in {**mine, **value}
        ):
            values[key], below = _merged(mine, value, (*path, key))
            taken |= below
    return values, taken
