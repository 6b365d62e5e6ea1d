"""Drops of several checkpoints beside each other, from files to the report."""

import pytest

from eval_pipeline.layout import DataRoot
from eval_pipeline_tests.cli.calling import succeeded
from eval_pipeline_tests.integration.roots import json_lines, land, write_items
from eval_pipeline_tests.orchestration.plainly import run_plainly
from eval_pipeline_tests.orchestration.small import CONTRACT

PAIRS = 12
RIGHT = {"owl@1": (12, 6), "owl@2": (9, 9), "owl@3": (8, 6)}  # originals, then their versions


def test_each_checkpoints_drop_stands_beside_that_of_the_others(tmp_path):
    root = DataRoot(tmp_path / "data")
    path = root.contract_file("sums", 1)
    path.parent.mkdir(parents=True)
    made = CONTRACT.format(contract="sums", version=1, status="frozen")
    made = made.replace("[{name: pass_at_k, k: 1}]", "[{name: robustness_drop}]")
    made = made.replace("{of_analysis: item}", "{of_analysis: item, clustered_by: pair}")
    path.write_text(made, encoding="utf-8")
    items = [{"item_id": f"{kind}{i:02}", "question": f"{kind} {i} + {i}?", "answer": str(2 * i),
              "pair": f"p{i}", **({"original": f"a{i:02}"} if kind == "b" else {})}
             for kind in "ab" for i in range(PAIRS)]  # fmt: skip
    write_items(root, "sums@1", items)
    for day, (name, right) in enumerate(RIGHT.items(), start=1):
        rows = [{"item_id": f"{kind}{i:02}", "draw": 0, "text": f"A: {2 * i + (i >= n)}"}
                for kind, n in zip("ab", right, strict=True) for i in range(PAIRS)]  # fmt: skip
        land(root, name, "owl", f"2026-01-{day:02}", {"sums.jsonl": json_lines(rows)})
    run_plainly(root)
    query = "select * from robustness_drops order by checkpoint"
    found = succeeded(root.path, "query", query, "--json").json
    rows = found["rows"] if isinstance(found, dict) else found
    assert [row["own_drop"] for row in rows] == pytest.approx([0.5, 0.0, 0.25])
    assert [row["excess"] for row in rows] == pytest.approx([0.375, -0.375, 0.0])
    assert {(row["status"], row["n_panel"], row["n_pairs"]) for row in rows} == {("ok", 2, PAIRS)}
    assert all(row["ci_low"] < row["excess"] < row["ci_high"] for row in rows)
    page = tmp_path / "report.html"
    succeeded(root.path, "report", "sums", "--out", str(page))
    assert "Robustness beside the others</h2>" in page.read_text(encoding="utf-8")
