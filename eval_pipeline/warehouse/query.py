"""One question in SQL, asked of the warehouse by somebody who need not be trusted.

The views are made in a database in memory, over the current parts by absolute paths: the
answer does not depend on where the process stands, and no thread has to change directory.
DuckDB is then shut in: it sees `tables/` only, loads nothing, and its settings are locked.
Inside that room it could still write, so the statement itself must be a plain question.
"""

import json
import re
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import duckdb
import pyarrow as pa
import pyarrow.compute as pc

from eval_pipeline.warehouse.errors import QueryFailed, QueryRefused
from eval_pipeline.warehouse.lineage import RECORD_FILES
from eval_pipeline.warehouse.pointer import pointer_to
from eval_pipeline.warehouse.store import Warehouse
from eval_pipeline.warehouse.views import create_views, lineage_view, one_line, table_views

_EXPLAIN = re.compile(r"\s*EXPLAIN\s+(ANALYZE\s+|\([^()]*\)\s*)?", re.IGNORECASE)
_TIMES = re.compile(r"date|timestamp")
_QUESTIONS = {"SELECT_NODE", "SET_OPERATION_NODE", "RECURSIVE_CTE_NODE", "CTE_NODE"}


def query(
    warehouse: Warehouse, sql: str, seconds: float | None = None, memory_mb: int | None = None
) -> pa.Table:
    """The answer to one SELECT or EXPLAIN over the tables of the registry and `lineage`.

    seconds, memory_mb: how long DuckDB may think and what it may hold, as far as it counts; None
    sets no limit. Dates and times that Python cannot hold come as text. Raises QueryRefused for
    any other statement and for files outside `tables/`, QueryFailed where DuckDB has no answer or
    none in time, DamagedPart where a part cannot be read; each in one line.
    """
    with duckdb.connect(":memory:") as connection:
        connection.execute("SET python_enable_replacements = false")  # no caller's variables
        connection.execute("SET temp_directory = ''")  # it would count as allowed
        connection.execute("SET autoinstall_known_extensions = false")
        connection.execute("SET autoload_known_extensions = false")
        if memory_mb is not None:
            connection.execute(f"SET memory_limit = '{memory_mb} MiB'")
        _check(connection, sql)
        create_views(connection, _views(warehouse))
        allowed = [f"{warehouse.tables}/"]
        connection.execute("SET allowed_directories = $1", [allowed])
        connection.execute("SET enable_external_access = false")
        connection.execute("SET lock_configuration = true")
        try:
            with _interrupted_after(seconds, connection):
                return _within_python(connection, connection.sql(sql).to_arrow_table())
        except duckdb.InterruptException as error:
            raise QueryFailed(
                f"no answer within {seconds:g} s: ask for less, or allow it more seconds"
            ) from error
        except duckdb.OutOfMemoryException as error:
            raise QueryFailed(
                f"no room for the answer within {memory_mb} MiB: ask for less, or allow it more"
            ) from error
        except duckdb.PermissionException as error:
            raise QueryRefused(f"refused: {one_line(error)}: only {allowed[0]} is read") from error
        except duckdb.Error as error:
            raise QueryFailed(one_line(error)) from error


def _check(connection: duckdb.DuckDBPyConnection, sql: str) -> None:
    """Raises QueryRefused where a statement is more than a question.

    The statement's type does not tell: WITH may hold INSERT, DELETE or COPY, and EXPLAIN ANALYZE
    executes. So the parsed tree is looked through.
    """
    statement = _one_statement(connection, sql)
    question = sql
    if statement.type == duckdb.StatementType.EXPLAIN:
        opening = _EXPLAIN.match(sql)
        question = "" if opening is None else sql[opening.end() :]
        statement = _one_statement(connection, question)
    if statement.type != duckdb.StatementType.SELECT:
        name = statement.type.name
        if name == "MULTI":  # it makes a type of the values first, and cannot be looked through
            raise QueryRefused(
                "PIVOT without its values is refused: name them, as in ON metric IN ('a', 'b')"
            )
        raise QueryRefused(f"{name} is refused: ask with one SELECT or EXPLAIN SELECT")
    row = connection.execute("SELECT json_serialize_sql($1::VARCHAR)", [question]).fetchone()
    try:
        tree = json.loads(row[0]) if row else {"error": True}
    except RecursionError as error:
        raise QueryRefused("the statement is nested too deeply: name its parts in WITH") from error
    if tree["error"]:
        raise QueryRefused("the statement is refused: ask with one SELECT or EXPLAIN SELECT")
    if other := sorted(_node_types(tree) - _QUESTIONS):
        names = ", ".join(name.removesuffix("_NODE").removesuffix("_QUERY") for name in other)
        raise QueryRefused(f"{names} inside WITH is refused: use SELECT only")


def _one_statement(connection: duckdb.DuckDBPyConnection, sql: str) -> duckdb.Statement:
    try:
        statements = connection.extract_statements(sql)
    except duckdb.Error as error:
        raise QueryFailed(one_line(error)) from error
    if not statements:
        raise QueryRefused("there is no question: ask with one SELECT or EXPLAIN SELECT")
    if len(statements) != 1:
        raise QueryRefused(f"{len(statements)} statements are refused: ask one question at a time")
    return statements[0]


def _node_types(tree: Any) -> set[str]:
    """The kinds of query node in a serialised statement, at any depth."""
    found, left = set(), [tree]
    while left:
        part = left.pop()
        if isinstance(part, dict):
            left += part.values()
            kind = part.get("type")
            if isinstance(kind, str) and kind.endswith("_NODE"):
                found.add(kind)
        elif isinstance(part, list):
            left += part
    return found


def _within_python(connection: duckdb.DuckDBPyConnection, answer: pa.Table) -> pa.Table:
    """The answer with columns of dates that Python has no value for (year 310000) as text."""
    for place, name in enumerate(answer.column_names):
        column = answer.column(place)
        if _TIMES.search(str(column.type)) and not _fits_python(column):
            said = connection.from_arrow(pa.table({"c": column})).project("CAST(c AS VARCHAR) AS c")
            answer = answer.set_column(place, name, said.to_arrow_table().column(0))
    return answer


def _fits_python(column: pa.ChunkedArray) -> bool:
    ends = pc.min_max(column) if pa.types.is_temporal(column.type) else column
    try:
        ends.as_py() if isinstance(ends, pa.Scalar) else ends.to_pylist()
    except (OverflowError, ValueError):
        return False
    return True


@contextmanager
def _interrupted_after(
    seconds: float | None, connection: duckdb.DuckDBPyConnection
) -> Iterator[None]:
    """Stops what the connection does once the time is over."""
    if seconds is None:
        yield
        return
    alarm = threading.Timer(seconds, connection.interrupt)
    alarm.start()
    try:
        yield
    finally:
        alarm.cancel()
        alarm.join()  # it must not interrupt a connection that is closed


def _views(warehouse: Warehouse) -> list[str]:
    pointers = [pointer_to(record) for record in warehouse.standing().values()]
    files = sorted(str(path) for path in warehouse.lineage.folder.glob(RECORD_FILES))
    return [*table_views(pointers, str(warehouse.tables)), *lineage_view(files)]
