"""A new verifier version on old replies, and people's audit of a verifier."""

import csv
import io
import json
import shutil
from pathlib import Path

import pytest

from eval_pipeline.layout import DataRoot
from eval_pipeline_tests.cli.calling import called, refused, succeeded
from eval_pipeline_tests.cli.project import BASE, BETTER, SUMS, put

SHIFTED = '{verifier: numeric@1, extraction: answer_line@1, options: {pattern: "is ([0-9])"}}'


@pytest.fixture(scope="module")
def rescored(finished: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The project with sums/v3, which differs from v1 in its extraction alone, brought up to date.

    Its pattern takes the first digit only. The replies are those that lie there already. It is
    never written to.
    """
    own = tmp_path_factory.mktemp("rescored") / "data"
    shutil.copytree(finished, own)
    text = SUMS.format(version=3, status="frozen", rule="non_inferior", margin=0.3, seed=1)
    old = "{verifier: numeric@1, extraction: last_number@1, options: {}}"
    put(DataRoot(own).contract_file("sums", 3), text.replace(old, SHIFTED))
    for odd in (own / "checkpoints").glob("*=*"):
        odd.rmdir()
    succeeded(own, "run", "--contract", "sums")
    return own


def test_the_rows_that_flipped_are_listed_with_the_reason(rescored: Path) -> None:
    call = ("compare", BASE, BASE, "--contract", "sums@3", "--against", "sums@1")
    told = succeeded(rescored, *call, "--json").json
    assert (told["was"], told["now"], told["other_reply"]) == ("sums/v1", "sums/v3", 0)
    assert told["flipped"] == len(told["flips"]) > 0
    assert told["gained"] + told["lost"] == told["flipped"]
    flip = told["flips"][0]
    assert (flip["cause"], flip["was"], flip["now"]) == ("extraction", 1.0, 0.0)
    assert "found '10', now '1'; verdict 1, now verdict 0" in flip["why"]
    assert told["by_cause"]["extraction"] == told["flipped"]
    assert [(move["was"], move["now"]) for move in told["by_status"]] == [("right", "wrong")]
    assert told["by_status"][0]["n"] == told["by_status"][0]["flipped"] == told["flipped"]
    was, now = (told["ends"][title] for title in ("sums/v1", "sums/v3"))
    assert was["right"] - now["right"] == now["wrong"] - was["wrong"] == told["flipped"]
    assert (flip["ended"], flip["ends"], flip["extracted"]) == ("right", "wrong", "1")
    shown = succeeded(rescored, *call).stdout
    assert f"{BASE}: {told['flipped']} sample" in shown
    assert "answer_line@1 + numeric@1" in shown
    assert f"by cause: extraction {told['flipped']}" in shown
    assert "right -> wrong" in shown
    assert "shows all" not in shown
    first = succeeded(rescored, *call, "--show", "1").stdout
    assert f"1 of {told['flipped']} shown: --show 0 shows all" in first
    assert "shows all" not in succeeded(rescored, *call, "--show", "0").stdout


def test_what_cannot_flip_is_refused(finished: Path) -> None:
    call = ("compare", BASE, BASE, "--contract", "sums@1")
    assert "--against" in refused(finished, *call, code=2)
    assert "against itself" in refused(finished, *call, "--against", "sums@1")
    assert "other items" in refused(finished, *call, "--against", "hostile@1")
    assert "no verifier" in refused(finished, *call, "--against", "preferences@1")
    other = ("compare", "nobody@1", "nobody@1", "--contract", "hostile@1", "--against", "sums@1")
    assert "other items" in refused(finished, *other)


def test_a_checkpoint_that_is_not_there_is_said_to_be_none(rescored: Path) -> None:
    call = ("compare", "nobody@1", "nobody@1", "--contract", "sums@3", "--against", "sums@1")
    assert f"no checkpoint nobody@1: there is {BASE}" in refused(rescored, *call)


def test_other_checkpoints_are_looked_up_before_the_versions_are_compared(rescored: Path) -> None:
    call = ("--contract", "sums@3", "--against", "sums@1")
    assert "there is no checkpoint 'nobody@1'" in refused(
        rescored, "compare", "nobody@1", BASE, *call
    )


def sheet(root: Path, *args: str) -> list[dict[str, str]]:
    printed = succeeded(root, "audit", "export", "sums@1", "--checkpoint", BASE, *args).stdout
    return list(csv.DictReader(io.StringIO(printed)))


def filled(path: Path, rows: list[dict[str, str]]) -> Path:
    with path.open("w", newline="", encoding="utf-8") as stream:
        writer = csv.DictWriter(stream, rows[0].keys())
        writer.writeheader()
        writer.writerows(rows)
    return path


def test_a_filled_sheet_becomes_rates_with_intervals(own: Path, tmp_path: Path) -> None:
    rows = sheet(own)
    assert len({row["item_id"] for row in rows}) == len(rows) == 14
    assert sheet(own) == rows
    for row in rows:
        row["verifier_is"] = "right"
    rows[0]["verifier_is"], rows[1]["verifier_is"] = "Wrong", ""
    path = filled(tmp_path / "sheet.csv", rows)
    told = succeeded(own, "audit", "import", "sums@1", str(path), "--by", "ann", "--json").json
    assert (told["kept"], told["empty"], told["refused"]) == (13, 1, [])
    rates = {row["rate"]: row for row in told["rates"]}
    assert rates["any error"]["events"] == 1
    assert rates["any error"]["n"] == 13
    assert rates["any error"]["low"] < 1 / 13 < rates["any error"]["high"]
    lines = [json.loads(x) for x in DataRoot(own).verifier_audit("sums", 1).open()]
    assert {line["by"] for line in lines} == {"ann"}
    assert all(line["at"].endswith("+00:00") for line in lines)
    assert "Clopper-Pearson" in succeeded(own, "audit", "rates", "sums@1").stdout

    page = tmp_path / "page.html"
    said = succeeded(own, "report", "sums@1", "--out", str(page))
    assert "not up to date" in said.stderr
    assert "no person has checked its verdicts" in page.read_text(encoding="utf-8")
    for odd in (own / "checkpoints").glob("*=*"):
        odd.rmdir()
    succeeded(own, "run", "--contract", "sums")
    succeeded(own, "report", "sums@1", "--out", str(page))
    assert "13 verdicts checked by people (ann 13)" in page.read_text(encoding="utf-8")
    assert "same" in succeeded(own, "verify", "sums", "report", "--version", "1").stdout


def test_a_row_that_is_none_of_the_contract_is_named(own: Path, tmp_path: Path) -> None:
    rows = sheet(own, "--n", "3")
    rows[0]["row"], rows[1]["verifier_is"], rows[2]["verifier_is"] = "0" * 20, "maybe", "right"
    rows[0]["verifier_is"] = "right"
    path = filled(tmp_path / "sheet.csv", rows)
    told = called(own, "audit", "import", "sums@1", str(path), "--by", "ann", "--json")
    assert (told.code, told.json["kept"]) == (1, 1)
    assert "no longer" in told.json["refused"][0]
    assert "right or wrong, not 'maybe'" in told.json["refused"][1]
    assert "must name who" in refused(own, "audit", "import", "sums@1", str(path), "--by", " ")
    (tmp_path / "other.csv").write_text("a,b\n1,2\n", encoding="utf-8")
    other = str(tmp_path / "other.csv")
    assert "lacks the column row" in refused(own, "audit", "import", "sums", other, "--by", "ann")


def test_no_cell_of_a_sheet_starts_a_formula(finished: Path) -> None:
    call = ("audit", "export", "hostile@1", "--checkpoint", BASE)
    for row in csv.reader(io.StringIO(succeeded(finished, *call).stdout)):
        for cell in row:
            assert not cell.startswith(("=", "+", "-", "@", "\t", "\r"))
            assert "\x1b" not in cell


def test_nothing_decided_is_said(finished: Path) -> None:
    told = succeeded(finished, "audit", "rates", "sums@1", "--json").json
    assert told["decided"] == 0
    assert {row["value"] for row in told["rates"]} == {None}
    assert BETTER not in json.dumps(told)
