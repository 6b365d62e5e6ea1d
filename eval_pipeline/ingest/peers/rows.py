"""Rows of a file of any kind, each with its place, for forms that are told by the keys of a row."""

from collections.abc import Iterator, Mapping

from eval_pipeline.ingest.peers.entries import Json, PeerReject
from eval_pipeline.ingest.peers.glance import Glance
from eval_pipeline.ingest.peers.reading import an_object
from eval_pipeline.ingest.plain.files import Rejected, raw_rows
from eval_pipeline.ingest.plain.parquet_rows import PARQUET, parquet_rows

Row = tuple[str, Mapping[str, Json]]  # place, values


def first_row(glance: Glance) -> Mapping[str, Json]:
    """The first row of JSON lines, of a list or of Parquet; empty for any other file."""
    if glance.members:
        return {}
    with glance.source.open() as file:
        start = file.read(len(PARQUET))
    if start == PARQUET:
        _, row, _ = next(parquet_rows(glance.source), (0, dict[str, object](), ""))
        return as_json(row)
    return glance.first or (an_object(glance.rows[0]) if glance.rows else {})


def rows_of(glance: Glance) -> Iterator[Row | PeerReject]:
    """All rows in order, and those that cannot be read where they stand."""
    lost: list[Rejected] = []
    for line, row, _ in raw_rows(glance.source, lost):
        yield from _rejects(glance, lost)
        yield f"{glance.name}:{line}", as_json(row)
    yield from _rejects(glance, lost)


def as_json(row: Mapping[str, object]) -> Mapping[str, Json]:
    """A row that was read as JSON, by its kinds of values."""
    return {
        key: value
        for key, value in row.items()
        if value is None or isinstance(value, bool | int | float | str | list | dict)
    }


def _rejects(glance: Glance, lost: list[Rejected]) -> Iterator[PeerReject]:
    for one in lost:
        yield PeerReject(f"{glance.name}:{one.line}", one.reason, one.detail)
    lost.clear()
