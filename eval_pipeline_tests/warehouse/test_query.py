import os
import re
import subprocess
import sys
import threading
from datetime import date

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from eval_pipeline.warehouse.errors import QueryFailed, QueryRefused
from eval_pipeline.warehouse.query import query
from eval_pipeline.warehouse.store import Warehouse
from eval_pipeline_tests.warehouse.samples import items, publish, scores


@pytest.fixture(scope="module")
def warehouse(tmp_path_factory):
    made = Warehouse(tmp_path_factory.mktemp("query") / "warehouse")
    publish(made)
    publish(made, "items", items("a", "b"))
    pq.write_table(pa.table({"secret": [1]}), made.path / "outside.parquet")
    (made.path / "tables2").mkdir()
    pq.write_table(pa.table({"secret": [1]}), made.path / "tables2" / "outside.parquet")
    return made


def files(warehouse):
    return sorted(str(path) for path in warehouse.path.rglob("*"))


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT count(*) AS n FROM verifier_scores",
        "FROM verifier_scores SELECT count(*) AS n",
        "WITH s AS (SELECT * FROM verifier_scores) SELECT count(*) AS n FROM s;",
        "-- a remark\nSELECT 3 AS n",
        "VALUES (3)",
        "SELECT n FROM (SELECT 1 AS n UNION ALL SELECT 3) WHERE n > 1",
        "PIVOT (SELECT 3 AS n, 'a' AS c) ON c IN ('a') USING sum(n)",
        "WITH RECURSIVE a AS (SELECT 1 AS n UNION ALL SELECT n + 1 FROM a WHERE n < 3) "
        "SELECT max(n) FROM a",
    ],
)
def test_a_question_is_answered(warehouse, sql):
    assert query(warehouse, sql).column(0).to_pylist() == [3]


def test_maps_and_lists_come_back_typed(warehouse):
    answer = query(warehouse, "SELECT slices, options FROM items ORDER BY item_id LIMIT 1")
    assert answer.to_pylist() == [
        {"slices": [("area", "x"), ("topic", "a")], "options": ["yes", "no"]}
    ]


@pytest.mark.parametrize("how", ["EXPLAIN", "explain analyze", "EXPLAIN (FORMAT json)"])
def test_a_plan_is_explained(warehouse, how):
    answer = query(warehouse, f"{how} SELECT count(*) FROM verifier_scores")
    assert answer.column_names == ["explain_key", "explain_value"]
    assert answer.num_rows >= 1


def test_the_tables_can_be_listed_with_their_meaning(warehouse):
    names = query(warehouse, "SHOW TABLES")["name"].to_pylist()
    assert {"generations", "lineage", "verifier_scores"} <= set(names)
    answer = query(warehouse, "SELECT comment FROM duckdb_views() WHERE view_name = 'generations'")
    assert answer["comment"].to_pylist()[0].startswith("One row a sample")


REFUSED = [
    "COPY verifier_scores TO 'OUT/x.csv'",
    "COPY (SELECT 1) TO 'OUT/x.parquet'",
    "EXPLAIN COPY verifier_scores TO 'OUT/x.csv'",
    "EXPLAIN ANALYZE COPY verifier_scores TO 'OUT/x.csv'",
    "EXPLAIN (ANALYZE, FORMAT json) COPY verifier_scores TO 'OUT/x.csv'",
    "EXPLAIN ANALYZE CREATE TABLE x AS SELECT 1",
    "EXPLAIN ANALYZE WITH x AS (COPY (SELECT 1) TO 'OUT/x.csv') SELECT 1",
    "WITH x AS (COPY (SELECT 1) TO 'OUT/x.csv') SELECT 1",
    "WITH y AS (SELECT 1), x AS (COPY (SELECT 1) TO 'OUT/x.csv') SELECT * FROM y",
    "SELECT * FROM (WITH x AS (COPY (SELECT 1) TO 'OUT/x.csv') SELECT 1)",
    "WITH x AS (INSERT INTO verifier_scores VALUES (1) RETURNING *) SELECT * FROM x",
    "WITH x AS (DELETE FROM verifier_scores RETURNING *) SELECT * FROM x",
    "WITH x AS (UPDATE items SET item_id = 'z' RETURNING *) SELECT * FROM x",
    "ATTACH 'OUT/x.duckdb'",
    "ATTACH ':memory:' AS other",
    "DETACH memory",
    "INSTALL httpfs",
    "LOAD httpfs",
    "PRAGMA version",
    "PRAGMA table_info('items')",
    "SET threads = 1",
    "RESET threads",
    "USE memory",
    "CALL pragma_version()",
    "CHECKPOINT",
    "VACUUM",
    "ANALYZE",
    "BEGIN",
    "CREATE TABLE x AS SELECT 1",
    "CREATE TEMP VIEW x AS SELECT 1",
    "CREATE MACRO f() AS 1",
    "CREATE SECRET s (TYPE s3)",
    "DROP VIEW items",
    "ALTER VIEW items RENAME TO x",
    "INSERT INTO items VALUES (1)",
    "DELETE FROM items",
    "EXPORT DATABASE 'OUT/x'",
    "IMPORT DATABASE 'OUT/x'",
    "PREPARE q AS SELECT 1",
    "EXECUTE q",
    "COMMENT ON VIEW items IS 'x'",
    "SELECT 1; SELECT 2",
    "SELECT 1; COPY items TO 'OUT/x.csv'",
    "",
    ";",
    "-- nothing",
    "EXPLAIN",
    "EXPLAIN ANALYZE",
    "EXPLAIN SELECT 1; SELECT 2",
]


@pytest.mark.parametrize("sql", REFUSED)
def test_what_is_no_question_is_refused_in_one_line(warehouse, sql):
    before = files(warehouse)
    sql = sql.replace("OUT", str(warehouse.tables))
    with pytest.raises((QueryRefused, QueryFailed)) as caught:
        query(warehouse, sql)
    assert "\n" not in str(caught.value)
    assert files(warehouse) == before


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT * FROM read_text('/etc/passwd')",
        "SELECT * FROM read_blob('/etc/passwd')",
        "SELECT * FROM read_csv('/etc/passwd')",
        "SELECT * FROM glob('/etc/*')",
        "SELECT * FROM read_parquet('HOME/outside.parquet')",
        "SELECT * FROM 'HOME/outside.parquet'",
        "SELECT * FROM read_parquet('HOME/tables2/outside.parquet')",
        "SELECT * FROM read_parquet('HOME/tables/../outside.parquet')",
        "SELECT * FROM read_parquet('outside.parquet')",
        "SELECT * FROM parquet_metadata('HOME/outside.parquet')",
        "SELECT * FROM read_json('https://example.com/x.json')",
        "SELECT (SELECT content FROM read_text('/etc/passwd'))",
        "SELECT * FROM query('SELECT * FROM read_text(''/etc/passwd'')')",
        "EXPLAIN ANALYZE SELECT * FROM read_text('/etc/passwd')",
        "SELECT * FROM duckdb_secrets()",
    ],
)
def test_files_outside_the_tables_are_not_read(warehouse, monkeypatch, sql):
    monkeypatch.chdir(warehouse.path)
    with pytest.raises(
        QueryRefused, match=re.escape(f"only {warehouse.tables}/ is read")
    ) as caught:
        query(warehouse, sql.replace("HOME", str(warehouse.path)))
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT * FROM enable_logging(storage = 'file', storage_path = '/tmp/x')",
        "SELECT * FROM query('COPY items TO ''x.csv''')",
        "SELECT * FROM sqlite_scan('x', 'y')",
        "SELECT getenv('HOME')",
        "SELECT colour FROM items",
        "SELECT * FROM '/etc/passwd'",
        "SELECT * FROM samples_of_the_caller",
        "SELEC 1",
    ],
)
def test_what_has_no_answer_says_so_in_one_line(warehouse, sql):
    samples_of_the_caller = pa.table({"x": [1]})
    with pytest.raises((QueryRefused, QueryFailed)) as caught:
        query(warehouse, sql)
    assert "\n" not in str(caught.value)
    assert samples_of_the_caller.num_rows == 1


def test_the_settings_are_locked_and_only_tables_is_allowed(warehouse):
    answer = query(
        warehouse,
        "SELECT current_setting('allowed_directories') AS allowed, "
        "current_setting('enable_external_access') AS outside, "
        "current_setting('lock_configuration') AS locked",
    )
    assert answer.to_pylist() == [
        {"allowed": [f"{warehouse.tables}/"], "outside": False, "locked": True}
    ]


def test_the_answer_does_not_depend_on_where_the_process_stands(warehouse, tmp_path, monkeypatch):
    other = Warehouse(tmp_path / "other")
    publish(other, data=scores([0.5]))
    monkeypatch.chdir(other.path)
    assert query(warehouse, "SELECT count(*) FROM verifier_scores").column(0).to_pylist() == [3]
    assert os.getcwd() == str(other.path)


def test_threads_may_ask_two_warehouses_at_once(warehouse, tmp_path):
    other = Warehouse(tmp_path / "other")
    publish(other, data=scores([0.5]))
    found = []

    def ask(one, expected):
        rows = query(one, "SELECT count(*) FROM verifier_scores").column(0).to_pylist()
        found.append(rows == [expected])

    threads = [threading.Thread(target=ask, args=a) for a in ((warehouse, 3), (other, 1))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [True, True]


@pytest.mark.parametrize("name", ["it's", "a [b]*?", 'q"uote', "ä b"])
def test_any_folder_name_will_do(tmp_path, name):
    warehouse = Warehouse(tmp_path / name)
    publish(warehouse)
    assert query(warehouse, "SELECT count(*) FROM verifier_scores").column(0).to_pylist() == [3]
    assert query(warehouse, "SELECT count(*) FROM lineage").column(0).to_pylist() == [1]


def test_a_warehouse_without_results_can_be_asked(tmp_path):
    warehouse = Warehouse(tmp_path / "warehouse")
    assert query(warehouse, "SELECT * FROM generations").num_rows == 0
    assert query(warehouse, "SELECT * FROM lineage").num_rows == 0
    assert not warehouse.path.exists()


def test_pandas_is_not_needed(warehouse):
    script = (
        "import sys\n"
        "from pathlib import Path\n"
        "from eval_pipeline.warehouse.query import query\n"
        "from eval_pipeline.warehouse.store import Warehouse\n"
        "query(Warehouse(Path(sys.argv[1])), 'FROM verifier_scores')\n"
        "assert not {'pandas', 'dagster', 'scipy', 'pydantic'} & set(sys.modules)\n"
    )
    subprocess.run([sys.executable, "-W", "error", "-c", script, str(warehouse.path)], check=True)


def test_a_deeply_nested_question_is_answered_or_refused_in_a_line(warehouse):
    deep = "SELECT 1 AS n"
    for level in range(2_000):
        deep = f"SELECT n FROM ({deep}) AS s{level}"
    with pytest.raises((QueryRefused, QueryFailed), match=r"^[^\n]+$"):
        query(warehouse, deep)


def test_a_question_without_end_is_stopped_after_its_seconds(warehouse):
    endless = (
        "SELECT count(*) FROM range(1000000000) a, range(1000000000) b WHERE a.range < b.range"
    )
    with pytest.raises(QueryFailed, match=r"no answer within 0\.2 s: ask for less"):
        query(warehouse, endless, seconds=0.2)
    assert query(warehouse, "SELECT 3 AS n", seconds=60)["n"].to_pylist() == [3]


def test_a_pivot_must_name_its_values(warehouse):
    with pytest.raises(QueryRefused, match="name them, as in ON metric IN"):
        query(warehouse, "PIVOT verifier_scores ON status USING count(*)")


def test_dates_that_python_cannot_hold_are_shown_as_text(warehouse):
    answer = query(
        warehouse,
        "SELECT DATE '310000-02-03' AS far, TIMESTAMP 'infinity' AS never, "
        "DATE '2026-05-06' AS day, [DATE '310000-02-03'] AS those",
    )
    assert answer.to_pylist() == [
        {
            "far": "310000-02-03",
            "never": "infinity",
            "day": date(2026, 5, 6),
            "those": "[310000-02-03]",
        }
    ]
