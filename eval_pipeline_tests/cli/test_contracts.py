"""Verbs on contracts and their results: diff, freeze, compare, report, plan, lab."""

import datetime
from pathlib import Path

import pytest

from eval_pipeline.cli.forecast.sample_size import sample_sizes, size_of
from eval_pipeline.ingest.checkpoint import write_success
from eval_pipeline.layout import DataRoot
from eval_pipeline.statistics.power import items_to_detect
from eval_pipeline_tests.cli.calling import called, refused, succeeded
from eval_pipeline_tests.cli.project import BASE, BETTER, ITEMS, WORSE, put


def test_diff_names_fields_effects_and_tables(finished: Path) -> None:
    told = succeeded(finished, "diff", "sums@1", "sums/v2", "--json").json
    fields = {one["field"]: one for one in told["fields"]}
    assert set(fields) == {"decision.margin", "decision.rule", "statistics.seed", "version"}
    assert (fields["decision.rule"]["left"], fields["decision.rule"]["right"]) == (
        "non_inferior",
        "superior",
    )
    assert fields["decision.rule"]["effect"] == "another rule decides"
    assert told["tables"]["verifier_scores"] == "comparable"
    assert told["tables"]["decisions"].startswith("not comparable: decision.margin")
    shown = succeeded(finished, "diff", "sums@1", "sums@2").stdout
    assert "another rule decides" in shown
    assert "4 fields differ" in shown
    assert "say the same" in succeeded(finished, "diff", "sums@1", "sums@1").stdout


def test_freeze_changes_one_word_of_a_draft(own: Path) -> None:
    path = own / "contracts" / "hostile" / "v1.yaml"
    before = path.read_text()
    told = succeeded(own, "freeze", "hostile", "--json").json
    assert told["identity"].startswith("c1:")
    assert path.read_text() == before.replace("status: draft", "status: frozen")
    assert "is frozen already" in refused(own, "freeze", "hostile")


def test_compare_counts_won_lost_and_tied_items(finished: Path) -> None:
    told = succeeded(finished, "compare", BETTER, WORSE, "--contract", "sums@1", "--json").json
    whole = told["rows"][0]
    won, lost, tied = whole["items_won"], whole["items_lost"], told["items_tied"]
    assert len(won) + len(lost) + len(tied) == whole["n_shared"] == ITEMS
    assert "s-05" in won
    assert whole["ci_low"] < whole["difference"] < whole["ci_high"]
    assert {row["slice"] for row in told["rows"]} == {"all", "size=small", "size=large"}
    assert told["statuses"][BETTER] == {"model_refusal": 1, "ok": 2 * ITEMS - 2}
    shown = succeeded(finished, "compare", BETTER, WORSE, "--contract", "sums@1").stdout
    assert f"won by {BETTER}" in shown
    assert f"{whole['difference']:.4f} [{whole['ci_low']:.4f}" in shown


def test_compare_agrees_with_the_recorded_comparison(finished: Path) -> None:
    told = succeeded(finished, "compare", BETTER, BASE, "--contract", "sums@1", "--json").json
    sql = f"""
        SELECT * FROM paired_comparisons WHERE contract = 'sums' AND version = 1
        AND checkpoint = '{BETTER}' AND slice = 'all' AND role = 'reference'
    """
    (recorded,) = succeeded(finished, "query", sql, "--json").json
    for name, value in told["rows"][0].items():
        assert recorded[name] == (pytest.approx(value) if isinstance(value, float) else value)


def test_compare_works_where_a_judge_decides(finished: Path) -> None:
    call = ("compare", BETTER, BASE, "--contract", "preferences")
    told = succeeded(finished, *call, "--json").json
    assert told["quarantined"]
    assert told["rows"][0]["n_unshared"] == 1
    assert "QUARANTINED" in succeeded(finished, *call).stdout
    line = refused(finished, "compare", WORSE, BASE, "--contract", "preferences")
    assert "never judged against each other" in line


def test_compare_across_versions_says_what_stays_comparable(own: Path) -> None:
    call = ("compare", BETTER, BETTER, "--contract", "sums@1", "--against")
    told = succeeded(own, *call, "sums@2", "--json").json
    assert told["compared"] > 0
    assert told["flipped"] == 0
    assert refused(own, *call, "hostile").startswith("error: sums/v1 and hostile/v1 are about")
    assert "has no verifier" in refused(own, *call, "preferences")


def test_compare_refuses_what_is_not_two_checkpoints(finished: Path) -> None:
    call = ("compare", BETTER, BETTER, "--contract", "sums")
    assert "the same checkpoint" in refused(finished, *call, code=2)
    line = refused(finished, "compare", BETTER, "bass@1", "--contract", "sums")
    assert f"did you mean {BASE}" in line


def test_the_report_is_written_and_its_path_printed(
    finished: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    nowhere = str(tmp_path / "nowhere" / "x.html")
    line = refused(finished, "report", "sums@1", "--out", nowhere)
    assert f"there is no folder {tmp_path / 'nowhere'}: make it, or name another" in line
    assert succeeded(finished, "report", "sums@1").stdout == "report_sums_v1.html\n"
    page = (tmp_path / "report_sums_v1.html").read_text(encoding="utf-8")
    assert page.lstrip().lower().startswith("<!doctype html>")
    out = tmp_path / "other.html"
    told = succeeded(finished, "report", "sums@1", "--out", str(out), "--json").json
    assert (told["path"], told["stale"]) == (str(out), None)
    assert out.read_text(encoding="utf-8") == page


def test_a_report_that_is_not_up_to_date_is_written_with_a_note(own: Path, tmp_path: Path) -> None:
    put(own / "truth.yaml", "seed: 1\n")
    told = called(own, "report", "sums@1", "--out", str(tmp_path / "r.html"))
    assert told.code == 0
    assert "note: the report is not up to date" in told.stderr
    assert (tmp_path / "r.html").exists()
    line = refused(own, "report", "sums@1", "--as-of", "2020-01-01T00:00Z")
    assert "there is no report of sums v1 as of 2020" in line
    now = datetime.datetime.now(datetime.UTC).isoformat()
    then = succeeded(own, "report", "sums@1", "--as-of", now, "--out", str(tmp_path / "s.html"))
    assert then.stderr == ""


def test_a_report_before_the_first_run_says_what_makes_it(tmp_path: Path, own: Path) -> None:
    text = (own / "contracts" / "sums" / "v1.yaml").read_text()
    put(own / "contracts" / "sums" / "v3.yaml", text.replace("version: 1", "version: 3"))
    assert "`eval-pipeline run` makes it" in refused(own, "report", "sums")


def test_plan_names_what_would_run_and_why(own: Path) -> None:
    assert "0 cells would run" in succeeded(own, "plan").stdout
    put(own / "contracts" / "accepted.yaml", "# nobody yet\n")  # changes nobody's reference
    assert "0 cells would run" in succeeded(own, "plan").stdout
    put(own / "truth.yaml", "seed: 1\n")
    told = succeeded(own, "plan", "--contract", "sums@1", "--json").json
    states = {cell["stage"]: cell["state"] for cell in told["cells"]}
    assert states == {"report": "stale"}
    assert told["counts"]["stale"] == 1
    both = succeeded(own, "plan", "--contract", "sums", "--json").json
    assert both["counts"]["stale"] == 2
    assert f"did you mean {BETTER}" in refused(own, "plan", "--checkpoint", "beter@1")


def test_detect_counts_items_from_the_comparisons_that_are_there(finished: Path) -> None:
    sizes = sample_sizes(DataRoot(finished), "sums@1", 0.1, 0.9)
    (size,) = (one for one in sizes if one["checkpoint"] == WORSE)
    sql = f"""
        SELECT se FROM paired_comparisons WHERE contract = 'sums' AND version = 1
        AND checkpoint = '{WORSE}' AND slice = 'all'
    """
    (row,) = succeeded(finished, "query", sql, "--json").json
    exact = items_to_detect(0.1, row["se"], ITEMS, confidence=0.95, power=0.9)
    assert size["needed"] - 1 < exact <= size["needed"]
    assert size["items"] == ITEMS
    again = size_of(
        {
            **row,
            "reason": None,
            "metric": "",
            "checkpoint": "",
            "baseline": "",
            "confidence": 0.95,
            "ci_method": "cr1_t",
        }
        | {"n_shared": ITEMS},
        size["detectable"],
        0.9,
    )
    assert abs(again["needed"] - ITEMS) <= 1
    assert "'--detect'" in refused(finished, "plan", "size", "--power", "0.9", code=2)
    shown = succeeded(finished, "plan", "size", "--detect", "0.1", "--power", "0.9").stdout
    assert str(size["needed"]) in shown


@pytest.mark.parametrize(
    ("se", "items", "reason", "note"),
    [
        (None, 0, "worse was never run", "worse was never run"),
        (None, 5, None, "too few clusters for a standard error"),
        (0.0, 50, None, "the two never differ: nothing tells the spread"),
    ],
)
def test_without_a_spread_no_number_of_items_is_given(
    se: float | None, items: int, reason: str | None, note: str
) -> None:
    row = {
        "metric": "m",
        "checkpoint": "a",
        "baseline": "b",
        "confidence": 0.95,
        "ci_method": "cr1_t",
    }
    size = size_of({**row, "se": se, "n_shared": items, "reason": reason}, 0.02, 0.8)
    assert (size["detectable"], size["needed"], size["note"]) == (None, None, note)


def test_detect_without_results_says_so(own: Path) -> None:
    text = (own / "contracts" / "sums" / "v1.yaml").read_text()
    put(own / "contracts" / "sums" / "v3.yaml", text.replace("version: 1", "version: 3"))
    (size,) = sample_sizes(DataRoot(own), "sums", 0.1, 0.8)
    assert size["needed"] is None
    assert "no comparison yet" in size["note"]


def test_the_lab_is_written_once_and_tells_what_was_planted(tmp_path: Path) -> None:
    call = ("lab", "write", "--out", str(tmp_path / "lab"))
    told = succeeded(tmp_path, *call, "--seed", "5", "--json").json
    assert told["seed"] == 5
    assert len(told["planted"]) > 10
    assert set(told["licences"].values()) == {True, False}
    assert list(told["changes"]) == ["heron_judge"]
    assert (tmp_path / "lab" / "truth.yaml").is_file()
    line = refused(tmp_path, *call)
    assert "has the contracts arithmetic_words" in line
    assert "--force" in line


def test_verify_computes_tables_again(finished: Path) -> None:
    call = ("verify", "sums@1", "metric_estimates", "--checkpoint", BETTER)
    (row,) = succeeded(finished, *call, "--json").json
    assert (row["table"], row["checkpoint"], row["verdict"]) == ("metric_estimates", BETTER, "same")
    assert "1 of 1 tables came out the same" in succeeded(finished, *call).stdout
    assert "did you mean items?" in refused(finished, "verify", "sums", "itmes")


def test_verify_tells_a_table_whose_files_have_changed(own: Path) -> None:
    folder = own / "checkpoints" / BETTER
    put(folder / "sums.jsonl", (folder / "sums.jsonl").read_text().replace("100", "101"))
    write_success(folder)
    asked = called(own, "verify", "sums@1", "generations", "--checkpoint", BETTER, "--json")
    assert asked.code == 1
    assert asked.json[0]["verdict"] == "cannot"
    assert "has changed since it was read" in asked.json[0]["reason"]


def test_validate_names_every_fault(own: Path) -> None:
    put(own / "contracts" / "sums" / "v1.yaml", "contract: sums\n")
    asked = called(own, "validate", "--json")
    assert asked.code == 1
    assert any("contracts/sums/v1.yaml" in fault for fault in asked.json["faults"])
    assert any("red=1" in fault for fault in asked.json["faults"])
