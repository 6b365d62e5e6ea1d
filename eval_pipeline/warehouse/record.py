"""The record of one materialisation: what came out, what it was made of, how it went.

Records are only ever added. Everything that planning and `trace` ask is answered from them, so
this module needs neither Arrow nor the registry.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any, Literal, get_args

from eval_pipeline.layout import FileRead
from eval_pipeline.warehouse.place import Place, TableRef

Outcome = Literal["ok", "unchanged", "failed"]
OUTCOMES: tuple[str, ...] = get_args(Outcome)
FORM = 1  # of the JSON below


@dataclass(frozen=True)
class CheckResult:
    """What a blocking check found, in a sentence."""

    name: str
    passed: bool
    detail: str = ""


@dataclass(frozen=True)
class Inputs:
    """What was really read: tables as they were, raw files with their digests."""

    tables: tuple[TableRef, ...] = ()
    files: tuple[FileRead, ...] = ()


@dataclass(frozen=True)
class Record:
    """One attempt at one place.

    `id` orders records by the time they were made. `outcome` is `ok`, `unchanged` (as the last
    success, value for value) or `failed`; `digest`, `rows` and `schema_version` are None where
    nothing was computed. `key` is the staleness key that planning gave. `attempt` counts the
    failures in a row under this key, from 1. Times are ISO 8601 in UTC.
    """

    id: str
    place: Place
    identity: str
    stage: str
    key: str
    outcome: Outcome
    run_id: str
    attempt: int
    started_at: str
    written_at: str
    digest: str | None = None
    rows: int | None = None
    schema_version: int | None = None
    detail: str = ""
    checks: tuple[CheckResult, ...] = ()
    instruments: Mapping[str, str] = field(default_factory=dict)
    packages: Mapping[str, str] = field(default_factory=dict)
    seed: int | None = None
    notes: Mapping[str, str] = field(default_factory=dict)
    inputs: Inputs = field(default_factory=Inputs)

    @property
    def succeeded(self) -> bool:
        return self.outcome != "failed"

    @property
    def ref(self) -> TableRef:
        """The state of the place that this record made.

        Raises ValueError for a failure that computed nothing.
        """
        if self.digest is None:
            raise ValueError(f"record {self.id} of {self.place} failed and made no table")
        c = self.place
        return TableRef(c.table, c.contract, c.version, c.checkpoint, self.digest)

    def to_json(self) -> str:
        """One line of JSON."""
        body = {
            "form": FORM,
            "id": self.id,
            "table": self.place.table,
            "contract": self.place.contract,
            "version": self.place.version,
            "checkpoint": self.place.checkpoint,
            "identity": self.identity,
            "stage": self.stage,
            "key": self.key,
            "outcome": self.outcome,
            "detail": self.detail,
            "digest": self.digest,
            "rows": self.rows,
            "schema_version": self.schema_version,
            "checks": [vars(check) for check in self.checks],
            "instruments": dict(sorted(self.instruments.items())),
            "packages": dict(sorted(self.packages.items())),
            "seed": self.seed,
            "notes": dict(sorted(self.notes.items())),
            "run_id": self.run_id,
            "attempt": self.attempt,
            "started_at": self.started_at,
            "written_at": self.written_at,
            "inputs": {
                "tables": [vars(table) for table in self.inputs.tables],
                "files": [vars(file) for file in self.inputs.files],
            },
        }
        return json.dumps(body, ensure_ascii=False, separators=(",", ":"))

    @classmethod
    def from_json(cls, line: str | bytes) -> "Record":
        """Raises ValueError for a line that is no record, or one of a later form."""
        try:
            body = json.loads(line)
        except RecursionError as error:
            raise ValueError("no lineage record: nested too deeply") from error
        if not isinstance(body, dict) or not isinstance(form := body.pop("form", None), int):
            raise ValueError("no lineage record: its form is missing")
        if form > FORM:
            raise ValueError(
                f"lineage record of form {form}, this installation knows {FORM}: "
                "install the eval_pipeline that wrote it"
            )
        return _record(body)


def _record(body: dict[str, Any]) -> Record:
    try:
        names = [body.pop(name) for name in ("table", "contract", "version", "checkpoint")]
        checks = tuple(CheckResult(**check) for check in body.pop("checks"))
        inputs = body.pop("inputs")
        tables = tuple(TableRef(**table) for table in inputs["tables"])
        files = tuple(FileRead(**file) for file in inputs["files"])
        record = Record(place=Place(*names), checks=checks, inputs=Inputs(tables, files), **body)
    except (KeyError, TypeError) as error:
        raise ValueError(f"no lineage record: {error}") from error
    if record.outcome not in OUTCOMES:
        raise ValueError(f"lineage record {record.id}: outcome {record.outcome!r} is not known")
    return record


def timestamp(moment: datetime) -> str:
    """ISO 8601 in UTC with microseconds: text that sorts by time."""
    return moment.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ")


def now() -> datetime:
    return datetime.now(UTC)
