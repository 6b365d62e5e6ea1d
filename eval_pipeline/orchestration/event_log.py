"""Dagster's own records in SQLite, through connections that stay open.

Dagster opens a connection an event and closes it after; the last one that closes writes the whole
journal back to the disk. Over a run of a thousand events that takes longer than the evaluation.
The files are those that Dagster makes, and its own storage reads them.
"""

import threading
from collections import OrderedDict
from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Any

import sqlalchemy as sql
from dagster._core.storage.event_log import SqliteEventLogStorage
from dagster._core.storage.sqlite import SQLITE_BUSY_TIMEOUT_SECONDS
from dagster._core.storage.sqlite_storage import DagsterSqliteStorage
from dagster._serdes import ConfigurableClassData
from sqlalchemy.pool import StaticPool

EVENTS = "history/runs"  # below Dagster's home, where its own storage keeps them
INDEX = "index"  # the file of events that are asked for across runs
OPEN_FILES = 4  # the index, and the runs that were written or shown last


class OpenEventLog(SqliteEventLogStorage):
    """Dagster's event log, a file a run and one over all, of which the last few stay open.

    A write waits for the operating system, not for the disk: what was written outlives the
    process, and after a power cut at most the last events are missing from Dagster's history. The
    warehouse does not rest on them.
    """

    def __init__(self, base_dir: str, inst_data: ConfigurableClassData | None = None) -> None:
        self._engines: OrderedDict[str, sql.Engine] = OrderedDict()
        self._one_at_a_time = threading.Lock()
        self._tables: set[str] = set()
        super().__init__(base_dir, inst_data)

    def run_connection(self, run_id: str | None = None) -> AbstractContextManager[sql.Connection]:
        if run_id is None:
            raise ValueError("a run's events are asked for by its id")
        return self._connected(run_id)

    def index_connection(self) -> AbstractContextManager[sql.Connection]:
        return self._connected(INDEX)

    def has_table(self, table_name: str) -> bool:
        """Asked with each event; a table that is there stays."""
        if table_name not in self._tables and super().has_table(table_name):
            self._tables.add(table_name)
        return table_name in self._tables

    def wipe(self) -> None:
        self._close()
        super().wipe()

    def dispose(self) -> None:
        self._close()
        super().dispose()

    @contextmanager
    def _connected(self, shard: str) -> Iterator[sql.Connection]:
        with self._one_at_a_time:
            engine = self._engines.get(shard)
            if engine is None or not Path(self.path_for_shard(shard)).exists():
                engine = self._opened(shard)
            self._engines.move_to_end(shard)
            with engine.begin() as connection:
                yield connection

    def _opened(self, shard: str) -> sql.Engine:
        with self._connect(shard):  # Dagster's own way, which makes the file where there is none
            pass
        engine = sql.create_engine(
            self.conn_string_for_shard(shard),
            poolclass=StaticPool,
            connect_args={"timeout": SQLITE_BUSY_TIMEOUT_SECONDS, "check_same_thread": False},
        )
        sql.event.listen(engine, "connect", _without_waiting)
        if shard in self._engines:
            self._engines.pop(shard).dispose()
        self._engines[shard] = engine
        closable = [one for one in self._engines if one not in (INDEX, shard)]
        for oldest in closable[: max(0, len(self._engines) - OPEN_FILES)]:
            self._engines.pop(oldest).dispose()
        return engine

    def _close(self) -> None:
        with self._one_at_a_time:
            while self._engines:
                self._engines.popitem()[1].dispose()


class OpenStorage(DagsterSqliteStorage):
    """Dagster's SQLite storage with the event log of this module."""

    def __init__(self, base_dir: str, inst_data: ConfigurableClassData | None = None) -> None:
        super().__init__(base_dir, inst_data)
        self._event_log_storage = OpenEventLog(str(Path(base_dir) / EVENTS))

    @classmethod
    def from_config_value(
        cls, inst_data: ConfigurableClassData, config_value: Mapping[str, Any]
    ) -> "OpenStorage":
        return cls.from_local(config_value["base_dir"], inst_data)


def _without_waiting(connection: Any, _: Any) -> None:
    connection.execute("PRAGMA synchronous=NORMAL")
