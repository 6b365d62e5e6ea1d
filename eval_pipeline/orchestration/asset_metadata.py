"""What a person sees of a table in the Dagster UI; all untrusted text passes the escaping room."""

from collections.abc import Mapping, Sequence
from typing import Any

import dagster as dg
import pyarrow as pa

from eval_pipeline.contracts.model import Contract
from eval_pipeline.reporting.escaping import for_markdown, shortened
from eval_pipeline.warehouse.schemas import Table

HEAD_ROWS = 8
HEAD_COLUMNS = 12
CELL_WIDTH = 60
COUNTED = ("status", "outcome", "category", "standing", "reason_code")


def column_schema(table: Table) -> dg.TableSchema:
    """The registry's columns, as Dagster shows them."""
    return dg.TableSchema(
        columns=[
            dg.TableColumn(
                name=column.name,
                type=str(column.type),
                description=column.meaning,
                constraints=dg.TableColumnConstraints(nullable=column.nullable),
            )
            for column in (*table.stamps, *table.columns)
        ]
    )


def table_metadata(data: pa.Table) -> dict[str, Any]:
    """Rows, counts by status or outcome, and the head of the table."""
    metadata: dict[str, Any] = {"dagster/row_count": data.num_rows}
    for name in COUNTED:
        if name in data.column_names:
            counts = data[name].value_counts().to_pylist()
            rows = sorted((str(pair["values"]), pair["counts"]) for pair in counts)
            metadata[f"by {name.replace('_', ' ')}"] = dg.MetadataValue.md(
                markdown_table((name, "rows"), rows)
            )
    shown = [name for name in data.column_names if name != "html"][:HEAD_COLUMNS]
    head = data.select(shown).slice(0, HEAD_ROWS).to_pylist()
    body = [[row[name] for name in shown] for row in head]
    metadata["head"] = dg.MetadataValue.md(markdown_table(shown, body))
    return metadata


def contract_metadata(contract: Contract, identity: str) -> dict[str, Any]:
    """The contract's body and identity, for each asset of its group."""
    return {
        "identity": identity,
        "contract": dg.MetadataValue.json(contract.model_dump(mode="json", exclude_none=True)),
    }


def markdown_table(header: Sequence[str], rows: Sequence[Sequence[Any]]) -> str:
    """A table of escaped cells."""
    lines = [_line(header), "|" + " --- |" * len(header), *map(_line, rows)]
    return "\n".join(lines)


def figure_metadata(svg_by_name: Mapping[str, str]) -> dict[str, Any]:
    """Figures as images in the page; they were made by the reporting room."""
    import base64

    return {
        name: dg.MetadataValue.md(
            f"![figure](data:image/svg+xml;base64,{base64.b64encode(svg.encode()).decode()})"
        )
        for name, svg in svg_by_name.items()
    }


def _line(cells: Sequence[Any]) -> str:
    return "| " + " | ".join(_cell(cell) for cell in cells) + " |"


def _cell(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, float):
        return f"{value:.4f}"
    return for_markdown(shortened(str(value), CELL_WIDTH))
