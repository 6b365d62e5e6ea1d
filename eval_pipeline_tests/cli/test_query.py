"""What `query` prints, for people and for programs."""

import csv
import io
from pathlib import Path

from eval_pipeline_tests.cli.calling import refused, succeeded


def test_a_table_shows_some_rows_and_says_how_many_there_are(finished: Path) -> None:
    shown = succeeded(finished, "query", "FROM range(50)").stdout
    assert "40 of 50 rows: --limit 0 shows all" in shown
    shown = succeeded(finished, "query", "FROM range(50)", "--limit", "0").stdout
    assert shown.endswith("\n50 rows\n")
    assert succeeded(finished, "query", "SELECT 1 AS a").stdout.endswith("\n1 row\n")


def test_json_gives_every_row_in_plain_types(finished: Path) -> None:
    sql = """
        SELECT 1 AS one, 'nan'::DOUBLE AS undefined, 0.5 AS half, sum(x) AS total, true AS yes,
               [1, 2] AS list, {'a': 1} AS struct, MAP {'k': 'v'} AS map, NULL AS nothing,
               DATE '2026-01-02' AS day
        FROM range(3) t(x)
    """
    assert succeeded(finished, "query", sql, "--json").json == [
        {
            "one": 1,
            "undefined": None,
            "half": 0.5,
            "total": 3,
            "yes": True,
            "list": [1, 2],
            "struct": {"a": 1},
            "map": {"k": "v"},
            "nothing": None,
            "day": "2026-01-02",
        }
    ]


def test_csv_keeps_numbers_and_leaves_undefined_cells_empty(finished: Path) -> None:
    sql = "SELECT -1.5 AS a, 'nan'::DOUBLE AS b, NULL AS c, 'x,\"y\"' AS d, false AS e"
    shown = succeeded(finished, "query", sql, "--csv").stdout
    assert list(csv.reader(io.StringIO(shown))) == [
        ["a", "b", "c", "d", "e"],
        ["-1.5", "", "", 'x,"y"', "false"],
    ]


def test_many_columns_are_shown_as_fields(finished: Path) -> None:
    columns = ", ".join(f"{i} AS column_{i}" for i in range(20))
    shown = succeeded(finished, "query", f"SELECT {columns}").stdout
    assert "column_19" in shown
    assert max(map(len, shown.splitlines())) <= 100


def test_columns_of_one_name_are_not_lost(finished: Path) -> None:
    shown = succeeded(finished, "query", "SELECT 1 AS a, 2 AS a").stdout
    assert "1" in shown
    assert "2" in shown
    line = refused(finished, "query", "SELECT 1 AS a, 2 AS a", "--json")
    assert "two columns are called a" in line


def test_a_question_that_cannot_be_answered_is_one_line(finished: Path) -> None:
    assert "numbers" in refused(finished, "query", "SELECT * FROM numbers")
    assert "refused" in refused(finished, "query", "DROP VIEW items")
    assert "there is no question" in refused(finished, "query", " -- nothing")
    assert "--json and --csv" in refused(finished, "query", "FROM items", "--json", "--csv", code=2)


def test_tables_are_there_before_the_first_run(tmp_path: Path) -> None:
    assert succeeded(tmp_path, "query", "SELECT * FROM metric_estimates").stdout.endswith(
        "0 rows\n"
    )
