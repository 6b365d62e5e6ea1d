"""The checkpoints of a contract in order of age, and what each says it comes from."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from eval_pipeline.rows.samples import RunManifestRow

_UNDATED = "9999-12-31"


@dataclass(frozen=True)
class Entry:
    """A checkpoint; date in ISO form, empty where unknown; parent None where it names none."""

    checkpoint: str
    date: str
    parent: str | None


@dataclass(frozen=True)
class Against:
    """Who is compared with whom, candidate first, and why."""

    checkpoint: str
    baseline: str
    role: str


def lineup(manifest: Iterable[RunManifestRow]) -> tuple[Entry, ...]:
    """The checkpoints by (date, name) from rows of `run_manifest`; unknown dates come last."""
    facts: dict[str, dict[str, str | None]] = {}
    for row in manifest:
        facts.setdefault(row["checkpoint"], {})[row["field"]] = row["value"]
    entries = [
        Entry(name, known.get("date") or "", known.get("parent") or None)
        for name, known in facts.items()
    ]
    return tuple(sorted(entries, key=lambda e: (e.date or _UNDATED, e.checkpoint)))


def pairings(entries: Iterable[Entry], references: Mapping[str, str | None]) -> list[Against]:
    """Each checkpoint against its reference, and against its parent where that is present.

    references: checkpoint -> what it is held against, None for the reference itself.
    """
    entries = list(entries)
    present = {entry.checkpoint for entry in entries}
    found = []
    for entry in entries:
        reference = references[entry.checkpoint]
        if reference is not None:
            found.append(Against(entry.checkpoint, reference, "reference"))
        if entry.parent in present and entry.parent != entry.checkpoint:
            found.append(Against(entry.checkpoint, str(entry.parent), "parent"))
    return found
