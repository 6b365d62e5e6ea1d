"""People look at flagged items: a sheet out, decisions in, and the next run uses them."""

import csv
import io
import json
from pathlib import Path

import pytest

from eval_pipeline.layout import DataRoot
from eval_pipeline_tests.cli.calling import called, refused, succeeded
from eval_pipeline_tests.cli.project import SUMS, put

ASKED = "contamination: {corpora: [web@1], fields: [question], false_positive_bar: 0.5}\n"


@pytest.fixture
def searched(own: Path) -> Path:
    """The project with sums@4, which searches a page that holds the first question."""
    root = DataRoot(own)
    text = SUMS.format(version=4, status="frozen", rule="superior", margin=0.0, seed=1)
    put(root.contract_file("sums", 4), text + ASKED)
    first = json.loads(root.items("sums@1").read_text().split("\n", 1)[0])["question"]
    page = json.dumps({"text": f"=1+1 {first} and so on"})
    put(root.corpus("web@1") / "page.jsonl", page)
    for odd in (own / "checkpoints").glob("*=*"):
        odd.rmdir()
    succeeded(own, "run", "--contract", "sums")
    return own


def test_decisions_are_kept_and_used(searched: Path, tmp_path: Path) -> None:
    statuses = ("contaminated", "short_exact", "review", "clean", "untestable")
    every = [part for status in statuses for part in ("--status", status)]
    out = succeeded(searched, "review", "export", "sums@4", *every).stdout
    rows = list(csv.DictReader(io.StringIO(out)))
    assert rows
    assert all(not cell.startswith(("=", "+", "-", "@")) for row in rows for cell in row.values())
    first = rows[0]
    rows = [{**row, "decision": ""} for row in rows]
    rows[0]["decision"] = "Clean"
    rows += [{**first, "decision": "maybe"}, {**first, "evidence": "0" * 20, "decision": "clean"}]
    sheet = tmp_path / "sheet.csv"
    with sheet.open("w", newline="", encoding="utf-8-sig") as stream:
        writer = csv.DictWriter(stream, rows[0].keys(), delimiter=";")
        writer.writeheader()
        writer.writerows(rows)
    call = ("review", "import", "sums@4", str(sheet), "--by")
    answer = called(searched, *call, "ann", "--json")
    assert answer.code == 1  # the good row is kept, and a script learns of the others
    told = answer.json
    assert (told["kept"], len(told["refused"])) == (1, 2)
    assert "must be contaminated or clean, not 'maybe'" in told["refused"][0]
    assert "export the sheet anew" in told["refused"][1]
    path = DataRoot(searched).contamination_review("sums", 4)
    before = path.read_bytes()
    assert called(searched, *call, "bob").code == 1
    assert called(searched, *call, "bob").code == 1  # the same word again is no further decision
    assert path.read_bytes().startswith(before)  # nothing that was kept is changed
    standing = ("review", "standing", "sums@4", "--json")
    assert succeeded(searched, *standing).json["decisions_after_last_run"] == 2
    succeeded(searched, "run", "--contract", "sums")
    told = succeeded(searched, *standing).json
    assert told["decisions_after_last_run"] == 0
    assert {"decided"} <= {row["review"] for row in told["fields"]}
    assert "must name who" in refused(searched, *call, " ")


def test_a_contract_without_corpora_says_so(finished: Path) -> None:
    assert "searches no corpora" in refused(finished, "review", "export", "sums@1")


def test_an_empty_sheet_names_the_verdicts_that_it_leaves_out(searched: Path) -> None:
    found = succeeded(searched, "review", "export", "sums@4")
    rows = succeeded(searched, "review", "standing", "sums@4", "--json").json["fields"]
    others = {row["status"] for row in rows} - {"clean", "review", "short_exact", "low_information"}
    assert others
    assert all(f"--status {status}" in found.stderr for status in others)
