"""A publisher's verdicts in the rows: as the only verifier, and beside one of our own."""

import json
import re
import shutil
from pathlib import Path
from typing import Any

import pytest

from eval_pipeline.ingest.checkpoint import write_success
from eval_pipeline.layout import DataRoot
from eval_pipeline_tests.cli.calling import called, refused, succeeded
from eval_pipeline_tests.cli.project import (
    BASE,
    BETTER,
    ITEMS,
    SUMS,
    lines,
    manifest,
    put,
    sum_item,
    sum_sample,
)

WHO = "the <b>authors'</b> script"
OURS = "{verifier: numeric@1, extraction: last_number@1, options: {}}"
BESIDE = f"""
  verifier: numeric@1
  extraction: last_number@1
  recorded: {{field: grade, grader: "{WHO}", metric: "exact_match", values: {{C: 1, I: 0}}}}
"""
ALONE = f"""
  verifier: recorded@1
  extraction: whole_text@2
  options: {{field: grade, grader: "{WHO}", values: {{C: 1, I: 0}}}}
"""
UNKNOWN = "decision: {unknown: it rests on another's word}"


def contract(version: int, verification: str, decision: str | None = None) -> str:
    text = SUMS.format(version=version, status="frozen", rule="superior", margin=0.0, seed=1)
    text = text.replace(OURS, verification)
    return re.sub(r"decision: .*", decision, text) if decision else text


def graded(i: int, draw: int) -> dict[str, Any]:
    """What the publisher says: right, but for item 3, which they miss, and item 4, ungraded."""
    if i == 4:
        return {} if draw else {"grade": "no idea"}
    sample = sum_sample(BASE, i, draw)
    right = str(i + 2) in sample["text"]
    if draw:
        return {"published": {"grade": "C" if right else "I"}}
    return {"grade": "I" if i == 3 or not right else "C"}


@pytest.fixture(scope="module")
def judged(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Sums of which the publisher's grades are in the rows: v1 ours and theirs, v2 theirs alone."""
    path = tmp_path_factory.mktemp("recorded") / "data"
    root = DataRoot(path)
    put(root.contract_file("sums", 1), contract(1, BESIDE))
    put(root.contract_file("sums", 2), contract(2, ALONE, UNKNOWN))
    put(root.contract_file("sums", 3), contract(3, OURS))
    put(root.items("sums@1"), lines(sum_item(i) for i in range(ITEMS)))
    folder = root.checkpoint(BASE)
    put(folder / "checkpoint.yaml", manifest("2026-01-01"))
    rows = [
        {**sum_sample(BASE, i, draw), **graded(i, draw)} for i in range(ITEMS) for draw in (0, 1)
    ]
    put(folder / "sums.jsonl", lines(rows))
    write_success(folder)
    succeeded(path, "run")
    return path


def test_the_table_says_how_far_the_two_agree(judged: Path) -> None:
    asked = "select * from verdict_agreement"
    (row,) = succeeded(judged, "query", asked, "--json").json
    assert (row["metric"], row["grader"]) == ("exact_match", WHO)
    assert (row["n_samples"], row["n_only_ours"], row["n_only_recorded"]) == (28, 2, 1)
    assert row["n_compared"] == 25
    assert (row["only_ours_right"], row["only_recorded_right"]) == (1, 0)
    assert row["both_right"] + row["both_wrong"] == 24
    assert row["agreement"] == pytest.approx(24 / 25)
    assert row["agreement_low"] < row["agreement"] < row["agreement_high"]
    assert 0 < row["kappa_low"] < row["kappa"] < 1
    assert row["ours"] - row["recorded"] == pytest.approx(1 / 25)
    assert row["n_units"] == 13  # item 4 was judged by one side only
    (twin,) = succeeded(
        judged,
        "query",
        "select count(*) filter (relation = 'differs') as n, count(*) as rows "
        "from recorded_verdicts",
        "--json",
    ).json
    assert (twin["n"], twin["rows"]) == (1, 28)


def test_why_differs_shows_all_that_tells_the_two_apart(judged: Path) -> None:
    told = succeeded(judged, "why", "differs", "--json").json
    assert [(one["contract"], one["n"]) for one in told["counts"]] == [("sums/v1", 1)]
    (row,) = told["rows"]
    assert (row["question"], row["reference"], row["extracted"]) == ("3 + 2 = ?", "5", "5")
    assert (row["ours"], row["recorded"]) == (1.0, 0.0)
    assert WHO in row["recorded_explanation"]
    path = judged / row["file"]
    raw = json.loads(path.read_text(encoding="utf-8").split("\n")[row["line"] - 1])
    assert (raw["item_id"], raw["grade"]) == ("s-03", "I")
    shown = succeeded(judged, "why", "differs", "--contract", "sums", "--version", "1").stdout
    for said in ("question: 3 + 2 = ?", "reference: 5", "ours: 1", "recorded: 0", "line 7"):
        assert said in shown
    assert "1 sample" in shown
    only = succeeded(judged, "why", "only_ours", "--json").json["rows"]
    assert {row["recorded_explanation"].partition(",")[0] for row in only} == {
        "exact_match is 'no idea'",
        "the row holds no grade: the <b>authors'</b> script gave no verdict on it",
    }
    assert f"there is no checkpoint '{BETTER}'" in refused(
        judged, "why", "differs", "--checkpoint", BETTER
    )


def test_the_report_shows_both_numbers_and_escapes_who_graded(judged: Path, tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    succeeded(judged, "report", "sums@1", "--out", str(page))
    text = page.read_text(encoding="utf-8")
    assert "Ours and the publisher" in text
    assert "Cohen" in text
    assert "1 of 1 samples on which the two differ" in text
    assert "<b>authors" not in text
    succeeded(judged, "report", "sums@2", "--out", str(page))
    text = page.read_text(encoding="utf-8")
    assert "nothing here judged the replies" in text
    assert "Ours and the publisher" not in text
    assert "recorded@1" in text


def test_a_number_from_recorded_verdicts_says_so_and_decides_nothing(judged: Path) -> None:
    board = succeeded(judged, "ls", "sums", "--version", "2")
    assert f"RECORDED by {WHO}" in board.stdout
    assert "of verdicts recorded by" in " ".join(board.stdout.split())
    told = succeeded(judged, "ls", "sums", "--version", "2", "--json").json
    assert told["recorded_by"] == WHO
    assert told["unjudged"][BASE]["undecided"] == pytest.approx(1 / 14)
    assert "% not judged" in board.stdout
    assert "why undecided" in board.stderr
    assert called(judged, "gate", "sums@2", BASE).code == 12
    plain = succeeded(judged, "ls", "sums", "--version", "3", "--json").json
    assert plain["recorded_by"] is None
    assert "RECORDED" not in succeeded(judged, "ls", "sums", "--version", "3").stdout


def test_undecided_is_told_by_why(judged: Path) -> None:
    told = succeeded(judged, "why", "undecided", "--json").json
    assert sum(one["n"] for one in told["counts"]) == len(told["rows"]) == 2
    assert {row["detail"] for row in told["rows"]} == {"unknown_verdict", "no_recorded_verdict"}


def test_verify_says_what_it_cannot_compute_again(judged: Path) -> None:
    rows = succeeded(judged, "verify", "sums", "--version", "2", "--json").json
    said = {row["table"]: row["reason"] for row in rows}
    assert {row["verdict"] for row in rows} == {"same"}
    assert "read from the rows again" in said["verifier_scores"]
    assert said["generations"] == ""
    rows = succeeded(judged, "verify", "sums", "--version", "1", "--json").json
    said = {row["table"]: row["reason"] for row in rows}
    assert WHO in said["verdict_agreement"]
    assert WHO in said["recorded_verdicts"]
    assert said["verifier_scores"] == ""


def test_the_new_table_leads_to_its_raw_lines(judged: Path) -> None:
    shown = succeeded(
        judged, "trace", "sums", "verdict_agreement", "--version", "1", "--checkpoint", BASE
    ).stdout
    assert "sums.jsonl" in shown
    assert "verifier_scores" in shown


def test_a_sample_is_told_with_both_verdicts(judged: Path) -> None:
    call = ("trace", "sums", "--version", "1", "--checkpoint", BASE, "--item", "s-03")
    told = succeeded(judged, *call, "--json").json
    assert (told["recorded"]["recorded"], told["recorded"]["relation"]) == (0.0, "differs")
    assert told["score"]["verdict"] == 1.0
    assert "differs" in succeeded(judged, *call).stdout


def test_the_plan_holds_it_where_the_contract_asks_for_it(judged: Path, tmp_path: Path) -> None:
    own = tmp_path / "data"
    shutil.copytree(judged, own)
    put(DataRoot(own).contract_file("sums", 4), contract(4, BESIDE))
    put(DataRoot(own).contract_file("sums", 5), contract(5, OURS))
    cells = succeeded(own, "plan", "--json").json["cells"]
    planned = {(cell["contract"], cell["stage"]) for cell in cells}
    assert ("sums/v4", "verdict_agreement") in planned
    assert ("sums/v5", "verifier_scores") in planned
    assert ("sums/v5", "verdict_agreement") not in planned


def test_the_section_moves_the_agreement_and_no_score(judged: Path) -> None:
    told = succeeded(judged, "diff", "sums@1", "sums@3", "--json").json
    assert told["tables"]["verifier_scores"] == "comparable"
    assert told["tables"]["verdict_agreement"].startswith("not comparable")


def test_a_decision_on_recorded_verdicts_is_asked_for_by_name(judged: Path, tmp_path: Path) -> None:
    root = DataRoot(tmp_path / "data")
    put(root.items("sums@1"), lines(sum_item(i) for i in range(ITEMS)))
    put(root.contract_file("sums", 1), contract(1, ALONE))
    said = called(root.path, "validate")
    assert said.code == 1
    assert "may_decide: true" in said.stdout + said.stderr
    allowed = ALONE.replace("I: 0}}", "I: 0}, may_decide: true}")
    put(root.contract_file("sums", 1), contract(1, allowed))
    succeeded(root.path, "validate")


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        (f'grader: "{WHO}", ', "", "grader"),
        ("field: grade, ", "", "field"),
        ("C: 1", "C: 3", "values"),
        ("I: 0}}", "I: 0}, treshold: 0.5}", "treshold"),
    ],
)
def test_what_is_not_declared_is_refused(tmp_path: Path, old: str, new: str, said: str) -> None:
    root = DataRoot(tmp_path / "data")
    put(root.items("sums@1"), lines(sum_item(i) for i in range(ITEMS)))
    for verification, decision in ((BESIDE, None), (ALONE, UNKNOWN)):
        put(root.contract_file("sums", 1), contract(1, verification.replace(old, new), decision))
        found = called(root.path, "validate")
        assert found.code == 1
        assert said in found.stdout + found.stderr


def test_an_unknown_word_is_refused_with_the_known_ones(judged: Path) -> None:
    assert "differs" in refused(judged, "why", "differ")


def test_nothing_compared_is_told_apart_from_nothing_that_differs(judged: Path) -> None:
    told = succeeded(judged, "why", "differs", "--contract", "sums", "--version", "3").stdout
    assert "declare verification.recorded in a contract" in told


def test_a_key_that_no_row_has_is_told_before_anything_runs(judged: Path, tmp_path: Path) -> None:
    path = tmp_path / "data"
    shutil.copytree(judged, path, ignore=shutil.ignore_patterns("warehouse", "contracts*"))
    samples = path / "checkpoints" / BASE / "sums.jsonl"
    put(samples, samples.read_text().replace('"published"', '"given"'))
    write_success(samples.parent)
    for number, verification in enumerate((BESIDE, ALONE), start=1):
        text = contract(number, verification.replace("grade,", "grades,"), UNKNOWN)
        put(DataRoot(path).contract_file("sums", number), text.replace("frozen", "draft"))
    told = succeeded(path, "validate").stdout
    for title in ("sums/v1", "sums/v2"):
        assert f"{title} takes recorded verdicts of grades, a key of no row; did you mean" in told
