"""Plain rows and code tasks, from `import` to a table."""

import io
import sys
from pathlib import Path

import pytest

from eval_pipeline_tests.cli.calling import called, refused, succeeded
from eval_pipeline_tests.cli.project import lines, put
from eval_pipeline_tests.ingest.peers.made import put_json

ROWS = [
    {"qid": f"n{i}", "query": f"{i} + 1?", "gt": str(i + 1), "pred": f"So {i + 1 + i % 2}"}
    for i in range(12)
]


def test_plain_rows_become_a_table_and_keep_their_map(tmp_path: Path) -> None:
    root, source = tmp_path / "data", tmp_path / "sums.jsonl"
    put(source, lines({**row, "correct": i % 2 == 0} for i, row in enumerate(ROWS)))
    told = succeeded(root, "import", str(source), "--json").json
    (task,) = told["tasks"]
    assert (task["contract"], task["state"], task["agreement"]) == (
        "sums/v1, a draft",
        "read",
        "100.0%",
    )
    assert any("reply is pred" in guess for guess in told["guesses"])
    mapping = root / "imports" / told["import"] / "mapping.yaml"
    assert 'reply: "pred"' in mapping.read_text()
    assert succeeded(root, "run", "--json").json["failed"] == {}
    (row,) = succeeded(root, "ls", "sums", "--json").json["rows"]
    assert (row["checkpoint"], row["value"]) == ("sums", pytest.approx(0.5))
    kept = tmp_path / "mapping.yaml"
    kept.write_text(mapping.read_text())
    again = succeeded(
        root, "import", str(source), "--map", str(kept), "--benchmark", "more", "--json"
    ).json
    assert again["tasks"][0]["items"] == len(ROWS)
    succeeded(root, "import", "--undo", again["import"])
    assert not mapping.parent.with_name(again["import"]).exists()
    assert mapping.exists()


def test_a_mapping_that_is_none_is_refused(tmp_path: Path) -> None:
    root, source, kept = tmp_path / "data", tmp_path / "sums.jsonl", tmp_path / "map.yaml"
    put(source, lines(ROWS))
    put(kept, "- reply\n")
    line = refused(root, "import", str(source), "--map", str(kept))
    assert "write a line `part: key`" in line
    put(kept, "answr: gt\n")
    assert called(root, "import", str(source), "--map", str(kept)).code == 2


def test_patterns_and_standard_input_are_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = tmp_path / "data"
    for model in ("wren", "robin"):
        put(tmp_path / f"sums_{model}.jsonl", lines(ROWS))
    told = succeeded(root, "import", str(tmp_path / "sums_*.jsonl"), "--json").json
    assert told["tasks"][0]["replies"] == {"robin": 12, "wren": 12}
    content = lines({**row, "model": "pine"} for row in ROWS).encode()
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(content)))
    told = succeeded(root, "import", "-", "--benchmark", "sums", "--json").json
    assert told["tasks"][0]["contract"] == "sums/v1, which was there"
    assert told["tasks"][0]["replies"] == {"pine": 12}
    assert called(root, "import", str(tmp_path / "nothing*")).code == 2


def test_programs_and_tests_become_a_draft_that_runs_them(tmp_path: Path) -> None:
    root = tmp_path / "data"
    programs = put_json(tmp_path / "wren.json", [["def f():\n    return 1", "def f():\n    pass"]])
    tests = put_json(tmp_path / "tests.json", ["def check(c):\n    assert c() == 1\ncheck(f)"])
    (task,) = succeeded(root, "import", str(programs), str(tests), "--json").json["tasks"]
    assert (task["judged by"], task["state"]) == ("code@2 on code_block@2", "read")
    assert succeeded(root, "run", "--json").json["failed"] == {}
    (row,) = succeeded(root, "ls", "tests", "--json").json["rows"]
    assert (row["checkpoint"], row["value"]) == ("wren", 0.5)
