"""People look at flagged items: a sheet out, decisions in, and the next run uses them."""

import csv
import io
import json
import shutil
from pathlib import Path

import pytest

from eval_pipeline.layout import DataRoot
from eval_pipeline_tests.cli.calling import called, refused, succeeded
from eval_pipeline_tests.cli.project import SUMS, put

ASKED = "contamination: {corpora: [web@1], fields: [question], false_positive_bar: 0.5}\n"


@pytest.fixture(scope="module")
def searched_once(finished: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The project with sums@4, which searches a page that holds the first question."""
    own = tmp_path_factory.mktemp("searched") / "data"
    shutil.copytree(finished, own)
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


@pytest.fixture
def searched(searched_once: Path, tmp_path: Path) -> Path:
    """A copy of it that a test may change."""
    return shutil.copytree(searched_once, tmp_path / "data")


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
    after = path.read_bytes()
    assert after.startswith(before)  # nothing that was kept is changed
    again = called(searched, *call, " bob", "--json").json
    assert (again["kept"], again["again"], path.read_bytes()) == (0, 1, after)
    planned = succeeded(searched, "plan", "--json").json["cells"]
    (why,) = (cell["reason"] for cell in planned if cell["stage"] == "contamination_items")
    place = f"{first['item_id']}, {first['field']}"
    assert why == f"after a review: ann says clean of {place}; bob says clean of {place}"
    standing = ("review", "standing", "sums@4", "--json")
    assert succeeded(searched, *standing).json["decisions_after_last_run"] == 2
    succeeded(searched, "run", "--contract", "sums")
    told = succeeded(searched, *standing).json
    assert told["decisions_after_last_run"] == 0
    assert {"decided"} <= {row["review"] for row in told["fields"]}
    assert "must name who" in refused(searched, *call, " ")


def test_rows_that_cannot_be_meant_are_refused_with_their_lines(
    searched: Path, tmp_path: Path
) -> None:
    statuses = ("contaminated", "short_exact", "review", "clean", "untestable")
    every = [part for status in statuses for part in ("--status", status)]
    out = succeeded(searched, "review", "export", "sums@4", *every).stdout
    one, two, three, *_ = csv.DictReader(io.StringIO(out))
    rows = [
        {**one, "decision": "clean"},
        {**one, "decision": "contaminated"},
        {**two, "item_id": "elsewhere", "decision": "clean"},
        {**three, "evidence": f" {three['evidence']} ", "decision": "clean", "note": "a\nb"},
        {**three, "decision": "clean", "note": "seen"},
    ]
    sheet = tmp_path / "sheet.csv"
    with sheet.open("w", newline="") as stream:
        writer = csv.DictWriter(stream, rows[0].keys())
        writer.writeheader()
        writer.writerows(rows)
    told = called(searched, "review", "import", "sums@4", str(sheet), "--by", "ann", "--json").json
    assert (told["kept"], told["again"]) == (1, 0)
    edited, contradicting = told["refused"]
    assert f"line 4: this evidence is of item {two['item_id']}, not of elsewhere" in edited
    assert f"lines 2, 3 contradict each other on {one['item_id']}" in contradicting
    path = DataRoot(searched).contamination_review("sums", 4)
    assert json.loads(path.read_text())["note"] == "seen"
    path.write_text("")
    succeeded(searched, "run", "--contract", "sums")
    path.write_text("{}\n")
    planned = succeeded(searched, "plan", "--json").json["cells"]
    assert "v4.jsonl, line 1 is no decision" in str(planned)


def test_a_contract_without_corpora_says_so(finished: Path) -> None:
    assert "searches no corpora" in refused(finished, "review", "export", "sums@1")


def test_an_empty_sheet_names_the_verdicts_that_it_leaves_out(searched: Path) -> None:
    found = succeeded(searched, "review", "export", "sums@4")
    rows = succeeded(searched, "review", "standing", "sums@4", "--json").json["fields"]
    others = {row["status"] for row in rows} - {"clean", "review", "short_exact", "low_information"}
    assert others
    assert all(f"--status {status}" in found.stderr for status in others)
