"""Faults that were planted by hand and once passed unseen: each fails a test here."""

from pathlib import Path

import pytest

from eval_pipeline.warehouse.lineage import Lineage
from eval_pipeline.warehouse.pointer import read_pointer
from eval_pipeline.warehouse.record import Record
from eval_pipeline.warehouse.store import Warehouse
from eval_pipeline_tests.warehouse.samples import publish, scores


def test_a_pointer_never_names_what_lineage_does_not_tell(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A writer that dies at the record leaves the pointer where it was."""
    warehouse = Warehouse(tmp_path / "warehouse")
    first = publish(warehouse)

    def full(self: Lineage, record: Record) -> None:
        raise OSError("no space left on device")

    monkeypatch.setattr(Lineage, "append", full)
    with pytest.raises(OSError, match="no space left"):
        publish(warehouse, data=scores((0.0, 0.0)), key="key-2")
    pointer = read_pointer(warehouse.tables, first.place)
    assert pointer is not None
    assert pointer.digest == first.digest
