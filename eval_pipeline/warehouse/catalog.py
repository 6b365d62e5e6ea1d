"""`catalog.duckdb`: the warehouse for a person with DuckDB, made anew after each run.

Its views name the current parts by paths below the warehouse, so the folder may move; it is
opened with the warehouse as working directory. It is replaced at once: who has it open keeps
reading the state that they opened.
"""

import errno
import hashlib
import json
import os
from pathlib import Path

import duckdb

from eval_pipeline.warehouse.durable import disk_full, move_into_place, room_in, temporary_name
from eval_pipeline.warehouse.lineage import RECORD_FILES
from eval_pipeline.warehouse.pointer import pointer_to
from eval_pipeline.warehouse.store import Warehouse
from eval_pipeline.warehouse.views import create_views, lineage_view, table_views

CATALOG_NAME = "catalog.duckdb"


def publish_catalog(warehouse: Warehouse) -> bool:
    """Brings the catalogue up to date with what lineage says stands; True if it was not.

    Raises DiskFull where there is no room, DamagedPart where a part cannot be read; the old
    catalogue then stays.
    """
    with warehouse.lock():
        pointers = [pointer_to(record) for record in warehouse.standing().values()]
        has_records = len(warehouse.history()) > 0
        statements = [
            *table_views(pointers, "tables"),
            *lineage_view([f"tables/lineage/{RECORD_FILES}"] if has_records else []),
        ]
        fingerprint = _fingerprint(statements)
        path = warehouse.path / CATALOG_NAME
        if _published(path) == fingerprint:
            return False
        _write(path, statements, fingerprint)
        return True


def _fingerprint(statements: list[str]) -> str:
    return hashlib.sha256(json.dumps([duckdb.__version__, *statements]).encode()).hexdigest()


def _published(path: Path) -> str | None:
    """The fingerprint of the catalogue that is there, if it can be read."""
    if not path.exists():
        return None
    try:
        with duckdb.connect(":memory:") as connection:
            connection.execute(f"ATTACH {_text(path)} AS published (READ_ONLY)")
            row = connection.execute("SELECT fingerprint FROM published.published_from").fetchone()
    except duckdb.Error:
        return None  # of another DuckDB, or damaged: it is derived, and made anew
    return None if row is None else str(row[0])


def _write(path: Path, statements: list[str], fingerprint: str) -> None:
    temporary = temporary_name(path)
    try:
        with room_in(path.parent):
            with duckdb.connect(temporary) as connection:
                connection.execute("SET file_search_path = ?", [str(path.parent)])
                connection.execute("BEGIN")
                create_views(connection, statements)
                connection.execute(
                    "CREATE TABLE published_from AS SELECT ? AS fingerprint", [fingerprint]
                )
                connection.execute("COMMIT")
            with open(temporary, "rb") as file:
                os.fsync(file.fileno())
            move_into_place(temporary, path)
    except duckdb.Error as error:
        if os.strerror(errno.ENOSPC) not in str(error):  # DuckDB gives the words, not the number
            raise
        raise disk_full(path.parent, errno.ENOSPC) from error
    finally:
        temporary.unlink(missing_ok=True)
        temporary.with_name(f"{temporary.name}.wal").unlink(missing_ok=True)


def _text(path: Path) -> str:
    return "'" + str(path).replace("'", "''") + "'"
