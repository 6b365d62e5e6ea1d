"""The samples of a checkpoint with the columns that a contract's metrics read."""

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING

from eval_pipeline.contracts.model import Contract
from eval_pipeline.orchestration.stage import StageInputs
from eval_pipeline.warehouse.schemas import TABLES

if TYPE_CHECKING:
    import pyarrow as pa

    from eval_pipeline.metrics.columns import ReadVectors
    from eval_pipeline.metrics.samples import Items, Samples

# Reads the named columns of a table: of `items`, or of the checkpoint's rows.
Read = Callable[[str, Sequence[str]], "pa.Table"]


def further_columns(labels: Iterable[str]) -> dict[str, list[str]]:
    """Table -> columns that must be read for these metrics, beyond those of all samples.

    A key that is no column of its table is a key of the raw row, which `extra` holds.
    """
    from eval_pipeline.metrics.registry import asked

    found: dict[str, set[str]] = {}
    for label in labels:
        metric = asked(label).metric
        for column in metric.columns if metric.made_from == "columns" else ():
            names = set(TABLES[column.table].schema.names)
            kept = found.setdefault(column.table, set())
            for key in filter(None, (column.key, column.instead)):
                kept |= {key} if key in names else {"extra", "slices", "cluster_id"} & names
    return {table: sorted(columns) for table, columns in sorted(found.items())}


def further_tables(labels: Iterable[str]) -> tuple[str, ...]:
    """The tables that these metrics read beside the items and the verifier's scores."""
    known = ("items", "verifier_scores")
    return tuple(table for table in further_columns(labels) if table not in known)


def samples_of(
    read: Read,
    items: "Items",
    labels: Sequence[str],
    contract: Contract,
    *,
    verified: bool,
    vectors: "ReadVectors | None" = None,
) -> "Samples":
    """The samples, scored or as generated, with what the metrics read of them.

    Where nothing verifies them, a failed one has the score that the failure policy gives it and
    the others have none.
    """
    from eval_pipeline.metrics.samples import SAMPLE_COLUMNS, Samples

    rows = (
        read("verifier_scores", SAMPLE_COLUMNS)
        if verified
        else _unverified(read("generations", ("item_id", "draw", "status")), contract)
    )
    samples = Samples.from_table(rows, items)
    tables = {}
    for table, columns in further_columns(labels).items():
        if table == "contamination_items":
            if contract.contamination is not None:
                tables[table] = _item_verdicts(read(table, ["item_id", "status"]), items)
        elif table != "verifier_scores" or verified:
            key = ["item_id"] if table == "items" else ["item_id", "draw"]
            tables[table] = read(table, list(dict.fromkeys([*key, *columns])))
    if not tables:
        return samples
    return samples.with_tables(items, tables, contract.unit.clustered_by, vectors)


def reading_of_checkpoints(inputs: StageInputs) -> Callable[[str], Read]:
    """How a stage of all checkpoints reads the rows of one; each column comes from disk once."""
    import pyarrow.compute as pc

    whole: dict[tuple[str, ...], pa.Table] = {}

    def of_checkpoint(checkpoint: str) -> Read:
        def read(table: str, columns: Sequence[str]) -> "pa.Table":
            stamped = ["checkpoint"] if TABLES[table].scope == "checkpoint" else []
            asked = (table, *stamped, *columns)
            if asked not in whole:
                whole[asked] = inputs.table(table, [*stamped, *columns])
            rows = whole[asked]
            if stamped:
                rows = rows.filter(pc.equal(rows["checkpoint"], checkpoint))
            return rows.select(list(columns))

        return read

    return of_checkpoint


def samples_of_checkpoints(
    inputs: StageInputs, items: "Items", labels: Sequence[str]
) -> dict[str, "Samples"]:
    """The samples of every checkpoint that has any, by name, for a stage of all checkpoints."""
    verified = inputs.has("verifier_scores")
    table = "verifier_scores" if verified else "generations"
    names = inputs.table(table, ["checkpoint"])["checkpoint"].unique().to_pylist()
    read = reading_of_checkpoints(inputs)
    return {
        name: samples_of(read(name), items, labels, inputs.contract, verified=verified)
        for name in sorted(names)
    }


def _item_verdicts(fields: "pa.Table", items: "Items") -> "pa.Table":
    """The gravest verdict on the fields of each item; none where it was not examined."""
    import pyarrow as pa

    from eval_pipeline.contamination.verdict.items import item_status

    found: dict[str, list[str]] = {}
    for item, status in zip(*(fields[c].to_pylist() for c in ("item_id", "status")), strict=True):
        found.setdefault(item, []).append(status)
    names = items.ids.tolist()
    statuses = [item_status(found[name]) if name in found else None for name in names]
    return pa.table({"item_id": names, "status": pa.array(statuses, pa.string())})


def _unverified(generations: "pa.Table", contract: Contract) -> "pa.Table":
    import pyarrow as pa

    failures = contract.failures.handling()
    statuses = generations["status"].to_pylist()
    scores = [0.0 if failures.get(status) == "wrong" else None for status in statuses]
    texts = pa.nulls(len(scores), pa.string())
    return generations.append_column("extracted", texts).append_column(
        "score", pa.array(scores, pa.float64())
    )
