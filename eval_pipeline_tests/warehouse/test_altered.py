"""What was altered after it was published is not believed."""

import json
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from eval_pipeline.warehouse.errors import DamagedPart
from eval_pipeline.warehouse.schemas import TABLES
from eval_pipeline.warehouse.store import Warehouse

HOME = {"contract": "words", "version": 1, "identity": "c1:0", "key": "k", "run_id": "r"}


@pytest.fixture
def warehouse(tmp_path: Path) -> Warehouse:
    found = Warehouse(tmp_path)
    page = TABLES["report"].from_rows([{"title": "as published", "html": "x"}])
    found.publish("report", page, stage="report", **HOME)
    return found


def test_a_part_with_other_values_is_refused(warehouse: Warehouse) -> None:
    (part,) = warehouse.tables.glob("report/**/part-*.parquet")
    table = pq.read_table(part, partitioning=None)
    other = pa.array(["forged"], pa.string())
    column = table.schema.get_field_index("title")
    pq.write_table(table.set_column(column, table.schema.field("title"), other), part)
    with pytest.raises(DamagedPart, match="was altered"):
        warehouse.read("report", "words", 1).table()


@pytest.mark.parametrize("field", ["file", "contract"])
def test_a_pointer_that_leads_elsewhere_is_refused(warehouse: Warehouse, field: str) -> None:
    (pointer,) = warehouse.tables.glob("report/**/current.json")
    body = json.loads(pointer.read_text(encoding="utf-8"))
    pointer.write_text(json.dumps(body | {field: "../../elsewhere"}), encoding="utf-8")
    with pytest.raises(DamagedPart, match="points elsewhere"):
        warehouse.read("report", "words", 1)
