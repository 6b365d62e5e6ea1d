"""What a person sees of a table in the Dagster UI; all untrusted text passes the escaping room."""

import base64
from collections.abc import Mapping, Sequence
from typing import Any

import dagster as dg
import pyarrow as pa
import pyarrow.compute as pc

from eval_pipeline.contracts.model import Contract
from eval_pipeline.orchestration.code_location.figures import SLICED, figures_of
from eval_pipeline.orchestration.evaluation import Made
from eval_pipeline.reporting.escaping import for_markdown, shortened, visible
from eval_pipeline.warehouse.schemas import Table

Metadata = dict[str, dg.MetadataValue[Any] | dg.TableSchema | str | int | float]

HEAD_ROWS = 8
HEAD_COLUMNS = 12
CELL_WIDTH = 60
TEXT_WIDTH = 2000
COUNTED = (
    "status",
    "outcome",
    "category",
    "standing",
    "reason_code",
    "quarantined",
    "draft",
    "gone",
)
HEADS = {  # of tables that are wide: what a person looks for
    "leaderboard": (
        *("checkpoint", "value", "ci_low", "ci_high", "n_items", "n_excluded", "outcome"),
        *("reason_code", "worst_slice", "worst_value", "quarantine_scope", "gone"),
    )
}
HIDDEN = ("contract", "version", "html")  # said by the key; the report is a page and no cell


def publication_metadata(table: str, data: pa.Table, made: Made) -> Metadata:
    """All that is shown of one table of a cell: its rows, its figures, and how it was made."""
    metadata = {
        **table_metadata(data, HEADS.get(table)),
        **figure_metadata(figures_of(table, data)),
    }
    for name, note in (made.computed.notes if made.computed else {}).items():
        metadata[name] = text(note) if isinstance(note, str) else note
    if made.opened.behind:
        metadata["made without"] = markdown_list(made.opened.behind)
    return metadata


def table_metadata(data: pa.Table, columns: Sequence[str] | None = None) -> Metadata:
    """Rows, counts by status or outcome, and the head of the table, headline rows first.

    columns: that the head shows; the first ones where none are named.
    """
    metadata: Metadata = {"dagster/row_count": data.num_rows}
    for name in COUNTED:
        if name in data.column_names:
            counts = data[name].value_counts().to_pylist()
            rows = sorted((str(pair["values"]), pair["counts"]) for pair in counts)
            metadata[f"by {name.replace('_', ' ')}"] = dg.MetadataValue.md(
                markdown_table((name, "rows"), rows)
            )
    every = [name for name in data.column_names if name not in HIDDEN]
    shown = columns or every[:HEAD_COLUMNS]
    head = _headline(data).slice(0, HEAD_ROWS).to_pylist()
    body = [[row[name] for name in shown] for row in head]
    metadata["head"] = dg.MetadataValue.md(markdown_table(shown, body))
    return metadata


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


def contract_metadata(contract: Contract, identity: str) -> Metadata:
    """The contract's body and identity."""
    return {
        "identity": identity,
        "contract": dg.MetadataValue.json(contract.model_dump(mode="json", exclude_none=True)),
    }


def figure_metadata(svg_by_name: Mapping[str, str]) -> Metadata:
    """Figures as images in the page; they were made by the reporting room."""
    return {
        name: dg.MetadataValue.md(
            f"![figure](data:image/svg+xml;base64,{base64.b64encode(svg.encode()).decode()})"
        )
        for name, svg in svg_by_name.items()
    }


def markdown_table(header: Sequence[str], rows: Sequence[Sequence[object]]) -> str:
    """A table of escaped cells."""
    lines = [_line(header), "|" + " --- |" * len(header), *map(_line, rows)]
    return "\n".join(lines)


def markdown_list(lines: Sequence[str]) -> dg.MarkdownMetadataValue:
    """A list of escaped lines."""
    return dg.MetadataValue.md("\n".join(f"- {plain(line)}" for line in lines))


def plain(untrusted: str) -> str:
    """A paragraph that is text and nothing else, where Dagster reads markdown."""
    return for_markdown(shortened(untrusted, TEXT_WIDTH))


def text(untrusted: str) -> str:
    """One line without hidden characters, where Dagster shows text as it is."""
    return shortened(visible(untrusted, keep=""), TEXT_WIDTH)


def _headline(data: pa.Table) -> pa.Table:
    """The rows that speak of the whole, where there are such; else all."""
    for name, value in SLICED.items():
        if name in data.column_names:
            chosen = data.filter(pc.equal(data[name], value))
            data = chosen if chosen.num_rows else data
    return data


def _line(cells: Sequence[object]) -> str:
    return "| " + " | ".join(_cell(cell) for cell in cells) + " |"


def _cell(value: object) -> str:
    if value is None:
        return ""
    if isinstance(value, float):
        return f"{value:.4f}"
    return for_markdown(shortened(str(value), CELL_WIDTH))
