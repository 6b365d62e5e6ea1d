"""A checkpoint's manifest and generations, with an account of every row."""

from collections.abc import Sequence
from pathlib import Path

from eval_pipeline.contracts.model import Contract
from eval_pipeline.ingest.benchmark_files import benchmark_files
from eval_pipeline.layout import DataRoot
from eval_pipeline.orchestration.reading.landed import landed_files, read_landed
from eval_pipeline.orchestration.stage import Check, Computed, Stage, StageInputs

REPLIES = "replies"  # note: a digest of all that the checkpoint answered, and of nothing else
KEY = ("item_id", "draw")
ANSWERED = (*KEY, "status", "text")


def compute(inputs: StageInputs) -> Computed:
    from eval_pipeline.ingest.excerpts import listed
    from eval_pipeline.warehouse.digest import table_digest

    items = inputs.table("items", ["item_id"])["item_id"].to_pylist()
    landed = read_landed(inputs.root, inputs.contract, inputs.checkpoint or "", items)
    read = landed.generations
    tables = {
        "run_manifest": landed.manifest.table,
        "ingest_files": read.ingest_files,
        "generations": read.generations,
        "rejected_lines": read.rejected_lines,
        "missing_draws": read.missing_draws,
    }
    answered = read.generations.select(ANSWERED).sort_by([(name, "ascending") for name in KEY])
    notes = {"keys kept in extra": listed(read.extra_keys), REPLIES: table_digest(answered)}
    return Computed(tables, landed.files, notes)


def files(root: DataRoot, contract: Contract, checkpoint: str | None) -> Sequence[Path]:
    return landed_files(root, contract, checkpoint or "")


def not_applicable(root: DataRoot, contract: Contract, checkpoint: str | None) -> str | None:
    if benchmark_files(root.checkpoint(checkpoint or ""), contract.benchmark):
        return None
    return f"checkpoint {checkpoint} has no file of benchmark {contract.benchmark}"


def unaccounted_rows(inputs: StageInputs, computed: Computed) -> str | None:
    wrong = [
        f"{row['file']}: {row['lines']} rows read, {row['accepted']} accepted, "
        f"{row['rejected']} rejected"
        for row in computed.tables["ingest_files"].to_pylist()
        if row["lines"] != row["accepted"] + row["rejected"]
    ]
    return "; ".join(wrong) or None


def lost_rows(inputs: StageInputs, computed: Computed) -> str | None:
    accounts = computed.tables["ingest_files"].to_pylist()
    for table, stated in (
        ("generations", sum(row["accepted"] - row["superseded"] for row in accounts)),
        ("rejected_lines", sum(row["rejected"] for row in accounts)),
    ):
        held = computed.tables[table].num_rows
        if held != stated:
            return f"{table} holds {held} rows, the accounts of the files say {stated}"
    return None


STAGE = Stage(
    name="generations",
    tables=("run_manifest", "ingest_files", "generations", "rejected_lines", "missing_draws"),
    scope="checkpoint",
    reads=("items",),
    version=3,
    compute=compute,
    files=files,
    not_applicable=not_applicable,
    checks=(
        Check("accepted_and_rejected_add_up", "ingest_files", unaccounted_rows),
        Check("every_row_is_held", "generations", lost_rows),
    ),
)
