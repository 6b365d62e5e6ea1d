"""People and probes on the command line: sheets out, answers in, what a licence needs."""

import csv
import io
import json
from pathlib import Path

from eval_pipeline_tests.cli.calling import called, refused, succeeded


def sheet(root: Path, rater: str = "ann") -> list[dict[str, str]]:
    printed = succeeded(root, "label", "export", "preferences", "--rater", rater, "--n", "6").stdout
    return list(csv.DictReader(io.StringIO(printed)))


def test_a_sheet_goes_out_blind_and_comes_back_as_labels(own: Path) -> None:
    rows = sheet(own)
    assert len(rows) == 7  # one honeypot among them
    shown = json.dumps(rows)
    assert "base@1" not in shown
    assert "better@1" not in shown
    filled = own.parent / "filled.csv"
    with filled.open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, list(rows[0]), delimiter=";")  # as some spreadsheets save
        writer.writeheader()
        answers = ["1", "2", "tie", "unsure", "left", "", "1"]
        for row, answer in zip(rows, answers, strict=True):
            writer.writerow({**row, "answer": answer})
    call = ("label", "import", "preferences", str(filled), "--rater", "ann", "--set", "people")
    told = called(own, *call, "--json")
    kept = told.json
    assert told.code == 1
    assert (kept["kept"], kept["unsure"], kept["empty"]) == (4, 1, 1)
    assert kept["refused"] == ["line 6: answer 'left' is none of 1, 2, tie, unsure"]
    lines = (own / "annotations" / "people.jsonl").read_text("utf-8").splitlines()
    assert len(lines) == 4
    again = called(own, *call, "--json").json
    assert (again["kept"], again["known"]) == (0, 4)
    told = refused(own, *call[:-3], "bob", *call[-2:])
    assert "none of its 6 answers is on a sheet of bob under preferences/v1" in told


def test_a_page_is_written_and_names_no_checkpoint(own: Path) -> None:
    page = own.parent / "sheet.html"
    succeeded(own, "label", "export", "preferences", "--rater", "ann", "--html", str(page))
    text = page.read_text("utf-8")
    assert "default-src" in text
    assert "base@1" not in text


def test_probes_are_written_once_and_asked_in_both_orders(own: Path) -> None:
    write = ("probe", "write", "preferences", "--set", "tricks", "--n", "3")
    succeeded(own, *write)
    assert "is there already" in refused(own, *write)
    asked = [
        json.loads(line)
        for line in succeeded(own, "probe", "ask", "preferences", "tricks").stdout.splitlines()
    ]
    probes = (own / "probes" / "tricks.jsonl").read_text("utf-8").splitlines()
    assert len(asked) == 2 * len(probes)
    assert set(asked[0]) == {"probe", "shown_first", "question", "first", "second"}
    assert asked[0]["first"] == asked[1]["second"]


def test_what_a_licence_needs_is_told_for_every_bar(finished: Path) -> None:
    (found,) = succeeded(finished, "plan", "licence", "--contract", "preferences", "--json").json
    needs = {row["audit"]: row for row in found["needs"]}
    assert set(needs) == {"flip_excess", "missing_rate", "position_effect"}
    assert needs["flip_excess"]["made_of"] == "pairs repeated in both orders"
    assert needs["flip_excess"]["needed"] > needs["flip_excess"]["units"]
    shown = succeeded(finished, "plan", "licence").stdout
    assert max(map(len, shown.splitlines())) <= 100


def test_wrong_calls_are_refused_in_one_line(finished: Path) -> None:
    assert "has no judging" in refused(finished, "label", "export", "sums", "--rater", "ann")
    assert "names no labels" in refused(finished, "label", "raters", "preferences")
    assert "names no labels" in refused(finished, "label", "disputes", "preferences")
    assert "asks for no sentinels" in refused(finished, "probe", "sentinels", "preferences")
    assert "is not there" in refused(finished, "probe", "ask", "preferences", "nothing")
    assert "has no audits yet" in refused(finished, "plan", "licence", "--contract", "sums")
