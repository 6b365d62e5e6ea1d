"""Probes, and a judge's votes on them.

A set holds one probe a line: probe, item_id, kind, detail, original, variant. A vote names its
probe, `shown_first` (original or variant) and `verdict` (original, variant, tie, or null where the
judge gave none); `error` where the call failed.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa

from eval_pipeline.ingest.forms import INT32, Form, Text, Whole, Word, taken
from eval_pipeline.ingest.lines import LineReader
from eval_pipeline.ingest.objects import Object, read_batches
from eval_pipeline.ingest.rejects import Rejects, RowFault
from eval_pipeline.ingest.table_builder import TableBuilder
from eval_pipeline.layout import FileRead
from eval_pipeline.warehouse.schemas import TABLES
from eval_pipeline.warehouse.schemas.vocabulary import PROBE_KINDS

SIDES = ("original", "variant")
PROBE_FORMS: dict[str, Form] = {
    "probe": Text(required=True),
    "item_id": Text(required=True),
    "kind": Word(PROBE_KINDS, "unknown_label", required=True),
    "detail": Text(required=True),
    "original": Text(required=True, whole=False),
    "variant": Text(required=True, whole=False),
}
VOTE_FORMS: dict[str, Form] = {
    "probe": Text(required=True),
    "shown_first": Word(SIDES, "unknown_slot", required=True),
    "repeat": Whole(0, INT32),
    "verdict": Text(),
}


@dataclass(frozen=True)
class ProbeText:
    """One probe as its set has it."""

    item_id: str
    kind: str
    detail: str
    original: str
    variant: str


@dataclass(frozen=True)
class ProbesRead:
    """The probes of a set by name; faulty lines."""

    probes: Mapping[str, ProbeText]
    rejected: pa.Table
    file: FileRead


@dataclass(frozen=True)
class ProbeVotesRead:
    """The votes of one judge on one set; faulty lines."""

    votes: pa.Table
    rejected: pa.Table
    file: FileRead


def read_probes(
    path: Path, name: str, clusters: Mapping[str, str], name_of: Callable[[ProbeText], str]
) -> ProbesRead:
    """Reads a set of probes.

    name: the file's path below the data root. clusters: each item's cluster. name_of: the name
    that a probe's texts give; another name is that of another probe, and the line is rejected.
    """
    found: dict[str, ProbeText] = {}

    def keep(row: Object, line: int) -> None:
        said = taken(row, PROBE_FORMS)
        probe = ProbeText(*(said[key] for key in list(PROBE_FORMS)[1:]))
        if probe.item_id not in clusters:
            raise RowFault("unknown_item", f"the benchmark has no item {probe.item_id!r:.80}")
        if said["probe"] != name_of(probe):
            raise RowFault("changed_probe", f"probe {said['probe']!r:.80} has other texts now")
        if said["probe"] in found:
            raise RowFault("duplicate", "this probe was read before")
        found[said["probe"]] = probe

    rejects, file = _each_row(path, name, keep)
    return ProbesRead(found, rejects, file)


def read_probe_votes(
    path: Path,
    name: str,
    judge: str,
    probe_set: str,
    probes: Mapping[str, ProbeText],
    clusters: Mapping[str, str],
    characters_per_token: float,
) -> ProbeVotesRead:
    """Reads the votes of one judge on one set."""
    votes = TableBuilder(TABLES["judge_probe_votes"])
    seen: set[tuple[Any, ...]] = set()

    def keep(row: Object, line: int) -> None:
        said = taken(row, VOTE_FORMS)
        probe = probes.get(said["probe"])
        if probe is None:
            raise RowFault("unknown_probe", f"{probe_set} has no probe {said['probe']!r:.80}")
        status, verdict = _outcome(row, said["verdict"])
        order = f"{said['shown_first']}_first"
        key = (said["probe"], order, said["repeat"] or 0)
        if key in seen:
            raise RowFault("duplicate", "this vote was read before; number the repeats")
        seen.add(key)
        added = (len(probe.variant) - len(probe.original)) / characters_per_token
        place = (judge, probe_set, said["probe"], probe.item_id, clusters[probe.item_id])
        what = (probe.kind, probe.detail, added, order, key[2], status, verdict)
        votes.add_row((*place, *what, name, line))

    rejects, file = _each_row(path, name, keep)
    return ProbeVotesRead(votes.finish(), rejects, file)


def _each_row(
    path: Path, name: str, keep: Callable[[Object, int], None]
) -> tuple[pa.Table, FileRead]:
    """Gives each row to `keep`; those that it refuses become rejects."""
    rejects = Rejects(TABLES["rejected_probe_votes"])
    reader = LineReader(path)
    for batch in read_batches(reader):
        for i, row in enumerate(batch.objects):
            line, byte_offset = batch.lines.place(i)
            try:
                if i in batch.faults:
                    raise batch.faults[i]
                keep(row, line)
            except RowFault as fault:
                rejects.add(name, line, byte_offset, fault, batch.lines.contents[i])
    return rejects.finish(), reader.file_read(name)


def _outcome(row: Object, said: str | None) -> tuple[str, str | None]:
    """Status and verdict, as of any recorded vote."""
    if row.get("error") is not None:
        if said is not None:
            raise RowFault("contradictory", "the row has a verdict and an error: keep one of them")
        return "judge_error", None
    if "verdict" not in row:
        raise RowFault("missing_key", "verdict is absent: write null where the judge gave none")
    return ("ok", said) if said in (*SIDES, "tie") else ("judge_unknown", None)
