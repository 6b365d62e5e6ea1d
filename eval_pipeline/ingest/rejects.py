"""Why a row is rejected: the fixed list of reasons, and the table of rejects.

A reject says where the row stands and shows its start, so that a person finds it without a tool.
"""

import pyarrow as pa

from eval_pipeline.ingest.excerpts import excerpt, printable
from eval_pipeline.ingest.table_builder import TableBuilder
from eval_pipeline.warehouse.schemas import Table

REASONS = {
    "line_too_long": "the line is longer than a line may be",
    "cut_gzip": "the gzip stream ends before its end marker",
    "truncated": "the last line has no line end and is not a whole JSON object",
    "invalid_utf8": "the bytes are not UTF-8",
    "nul_byte": "a NUL byte stands in the line",
    "invalid_json": "the line is not JSON",
    "not_finite": "NaN, Infinity or a number beyond float64",
    "duplicate_key": "a key stands twice in one object",
    "lone_surrogate": "a name or a short text holds half of a character",
    "too_deep": "objects or lists are nested too deeply",
    "not_an_object": "the line is JSON, but not an object",
    "missing_key": "a required key is absent or null",
    "wrong_type": "a value has another type than its key asks for; nothing is converted",
    "out_of_range": "a number lies outside its range",
    "unknown_status": "the status is not in the vocabulary",
    "unknown_item": "the benchmark has no such item",
    "beyond_budget": "the draw lies beyond the contract's draws per item",
    "duplicate": "the same thing was recorded before",
    "not_planned": "the pair, or reply, is not among those to be judged",
    "unknown_slot": "shown_first is neither of the two models",
    "unknown_label": "the label is neither of the two models nor tie",
    "same_model": "both sides of the pair are one model",
    "ambiguous_form": "the verdict could be read in several forms, and none is declared",
    "contradictory": "the row says two things that exclude each other",
    "unknown_probe": "the probe is in no set that the contract names",
    "changed_probe": "the probe's texts are not those that its name was made of",
    "not_pairwise": "the row scores a single reply, and no judge of the contract does",
    "unknown_criterion": "a criterion is missing, or is none of the rubric's",
}

DETAIL_CHARS = 500
MAX_REJECTED = 1_000_000  # a file of so many bad rows is no file of rows, and memory is bounded


class RowFault(ValueError):  # noqa: N818 - it is the row that is at fault
    """A row that cannot be used: the reason (a key of REASONS) and what exactly is wrong."""

    def __init__(self, reason: str, detail: str = "") -> None:
        self.reason = reason
        self.detail = printable(detail, DETAIL_CHARS) or REASONS[reason]
        super().__init__(f"{self.reason}: {self.detail}")


class Rejects:
    """Collects the rejected rows of one kind of file."""

    def __init__(self, table: Table) -> None:
        self._rows = TableBuilder(table)
        self.count = 0

    def add(
        self, file: str, line: int, byte_offset: int | None, fault: RowFault, content: bytes | str
    ) -> None:
        self._rows.add_row((file, line, byte_offset, fault.reason, fault.detail, excerpt(content)))
        self.count += 1
        if self.count > MAX_REJECTED:
            raise ValueError(
                f"{file}, line {line}: more than {MAX_REJECTED} rows are rejected, "
                f"the last one as {fault.reason}: {fault.detail}"
            )

    def finish(self) -> pa.Table:
        """The rejects in the order they came."""
        return self._rows.finish()
