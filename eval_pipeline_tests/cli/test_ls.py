"""What `ls` says of contracts, checkpoints and numbers."""

import shutil
from pathlib import Path

from eval_pipeline.ingest.checkpoint import write_success
from eval_pipeline.layout import DataRoot
from eval_pipeline_tests.cli.calling import called, refused, succeeded
from eval_pipeline_tests.cli.project import BASE, BETTER, DATES, WORSE, manifest, put, write_project


def test_everything_is_listed_with_its_standing(finished: Path) -> None:
    listed = succeeded(finished, "ls", "--json").json
    contracts = {row["contract"]: row for row in listed["contracts"]}
    assert list(contracts) == ["hostile/v1", "preferences/v1", "sums/v1", "sums/v2"]
    assert contracts["hostile/v1"]["status"] == "draft"
    assert contracts["sums/v1"]["checkpoints"] == 3
    assert set(contracts["sums/v1"]["cells"]) == {"current"}
    judges = contracts["preferences/v1"]["judges"]
    assert judges == "0 of 1 licensed; board quarantined: no judge of pairs holds a licence"
    assert contracts["sums/v1"]["judges"] is None
    assert contracts["sums/v1"]["computed"].startswith("20")
    states = {row["checkpoint"]: row["state"] for row in listed["checkpoints"]}
    assert states[BASE] == states[BETTER] == states[WORSE] == "landed"
    assert states["waiting@1"] == "waiting"
    (red,) = (row for row in listed["checkpoints"] if row["state"] == "refused")
    assert "use letters, digits" in red["why"]


def test_tables_fit_a_hundred_columns(finished: Path) -> None:
    for call in (("ls",), ("ls", "sums"), ("ls", "preferences"), ("plan", "--all")):
        shown = succeeded(finished, *call).stdout
        assert max(map(len, shown.splitlines())) <= 100, call


def test_the_leaderboard_shows_interval_counts_and_decision(finished: Path) -> None:
    board = succeeded(finished, "ls", "sums@1", "--json").json
    assert [row["checkpoint"] for row in board["rows"]] == [BETTER, BASE, WORSE]
    first = board["rows"][0]
    assert first["ci_low"] < first["value"] < first["ci_high"]
    assert (first["n_items"], first["n_samples"], first["n_excluded"]) == (14, 27, 0)
    assert first["outcome"] == "ship"
    assert board["stale"] == {}
    shown = succeeded(finished, "ls", "sums/v1").stdout
    assert "sums/v1: pass@1" in shown
    assert f"{first['value']:.4f} [{first['ci_low']:.4f}, {first['ci_high']:.4f}]" in shown
    assert "95% intervals, clustered by item_id; pass_at_k@1" in shown
    assert board["identity"] in shown


def test_a_draft_and_a_quarantine_stand_in_the_title(finished: Path) -> None:
    assert "DRAFT, decides nothing" in succeeded(finished, "ls", "hostile").stdout
    assert "QUARANTINED" in succeeded(finished, "ls", "preferences").stdout


def test_without_a_warehouse_nothing_is_computed_yet(tmp_path: Path) -> None:
    write_project(DataRoot(tmp_path))
    listed = succeeded(tmp_path, "ls").stdout
    assert "not computed yet" in listed
    assert "eval-pipeline run --contract sums" in succeeded(tmp_path, "ls", "sums").stdout


def test_an_empty_data_folder_says_how_to_begin(tmp_path: Path) -> None:
    assert "init --from answers.jsonl" in succeeded(tmp_path, "ls").stdout


def test_a_broken_contract_is_a_fault_and_takes_no_other_down(own: Path) -> None:
    path = own / "contracts" / "sums" / "v1.yaml"
    put(path, path.read_text().replace("seed: 1", "seed: one"))
    listed = called(own, "ls")
    assert listed.code == 0
    assert "contracts/sums/v1.yaml" in listed.stderr
    assert "sums/v2" in listed.stdout
    told = called(own, "ls", "sums@1")
    assert told.code == 1
    assert "contract sums cannot be used" in told.stderr
    assert "statistics.seed" in told.stderr


def test_a_broken_later_version_is_not_passed_over_in_silence(own: Path) -> None:
    put(own / "contracts" / "sums" / "v3.yaml", "contract: sums\n")
    asked = called(own, "ls", "sums", "--json")
    assert asked.json["version"] == 2
    assert "note: contracts/sums/v3.yaml has faults" in asked.stderr
    assert "has faults" not in called(own, "ls", "sums@2").stderr


def test_a_contract_changed_after_its_results_is_told_apart(own: Path) -> None:
    path = own / "contracts" / "sums" / "v1.yaml"
    put(path, path.read_text().replace("margin: 0.3", "margin: 0.4"))
    told = called(own, "gate", "sums@1", BETTER)
    assert told.code == 1
    assert "changed after results were recorded" in told.stderr


def test_a_changed_checkpoint_makes_its_numbers_stale(own: Path) -> None:
    folder = own / "checkpoints" / BETTER
    marker = folder / "_SUCCESS"
    marker.unlink()
    assert BETTER not in succeeded(own, "ls", "--json").json["contracts"][2]["cells"]
    put(folder / "checkpoint.yaml", (folder / "checkpoint.yaml").read_text() + "dtype: bf16\n")
    from eval_pipeline.ingest.checkpoint import write_success

    write_success(folder)
    told = called(own, "ls", "sums@1")
    assert f"note: {BETTER} is not up to date" in told.stderr
    assert f"note: {BASE} is not up to date" not in told.stderr


def test_a_retired_contract_stays_readable(own: Path) -> None:
    retired = "- {contract: sums, version: 1, reason: too easy, date: 2026-05-01}\n"
    put(own / "contracts" / "retired.yaml", retired)
    rows = succeeded(own, "ls", "--json").json["contracts"]
    (row,) = (row for row in rows if row["contract"] == "sums/v1")
    assert row["status"] == "retired"
    assert row["note"] == "retired on 2026-05-01: too easy"
    assert "retired on" in succeeded(own, "ls").stdout
    assert "retired: too easy" in succeeded(own, "ls", "sums@1").stdout
    assert "was retired on 2026-05-01" in refused(own, "gate", "sums@1", BETTER)
    told = called(own, "report", "sums@1", "--out", str(own / "r.html"))
    assert "note: sums/v1 was retired" in told.stderr


def test_as_of_reads_what_stood_then(own: Path) -> None:
    board = succeeded(own, "ls", "sums@1", "--json").json
    assert "not computed yet as of" in (
        succeeded(own, "ls", "sums@1", "--as-of", "2020-01-01T00:00Z").stdout
    )
    then = succeeded(own, "ls", "sums@1", "--as-of", board["written_at"], "--json").json
    assert then["rows"][0]["value"] == board["rows"][0]["value"]
    assert "no time zone" in refused(own, "ls", "sums", "--as-of", "2026-01-01")
    assert "no lineage record" in refused(own, "ls", "sums", "--as-of", "yesterday")


def test_a_name_that_does_not_fit_is_broken_and_never_cut(tmp_path: Path) -> None:
    root = DataRoot(tmp_path)
    write_project(root)
    name = "long-" + "x" * 90 + "@1"
    shutil.copytree(root.checkpoint(BASE), root.checkpoint(name))
    shown = "".join(succeeded(tmp_path, "ls").stdout.split())
    assert name.replace("@1", "") in shown or shown.count("x") >= 90


def test_what_gate_says_beside_a_decision_is_marked_in_the_leaderboard(own: Path) -> None:
    folder = own / "checkpoints" / WORSE
    put(folder / "checkpoint.yaml", manifest(DATES[WORSE]).replace("null", BETTER))
    write_success(folder)
    for odd in (own / "checkpoints").glob("*=*"):
        odd.rmdir()
    succeeded(own, "run", "--contract", "sums")
    shown = succeeded(own, "ls", "sums@1")
    assert "see the note" in " ".join(shown.stdout.split())
    assert f"{WORSE}: worse than its parent {BETTER}" in shown.stderr
    assert list(succeeded(own, "ls", "sums@1", "--json").json["remarks"]) == [WORSE]


def test_a_checkpoint_that_is_gone_is_said_on_every_page(own: Path) -> None:
    shutil.rmtree(own / "checkpoints" / WORSE)
    said = f"note: checkpoint {WORSE} is gone from disk (its folder is gone)"
    rows = succeeded(own, "ls", "--json").json["checkpoints"]
    assert {row["checkpoint"]: row["state"] for row in rows}[WORSE] == "gone"
    pages = (
        ("ls", "sums@1"),
        ("plan",),
        ("plan", "--checkpoint", WORSE),
        ("compare", BETTER, WORSE, "--contract", "sums@1"),
        ("trace", "sums@1", "--checkpoint", WORSE),
        ("why", "parser_failure", "--checkpoint", WORSE),
    )
    for page in pages:
        assert said in called(own, *page).stderr, page
    assert "GONE from disk" in succeeded(own, "ls", "sums@1").stdout
    asked = called(own, "gate", "sums@1", WORSE, "--json")
    assert (asked.code, asked.json["reason_code"]) == (12, "gone")
    assert "its folder is gone" in asked.json["reason"]


def test_a_board_says_what_it_waits_for(own: Path) -> None:
    assert succeeded(own, "ls", "sums@1", "--json").json["behind"] is None
    shutil.rmtree(own / "checkpoints" / WORSE)
    board = called(own, "ls", "sums@1")
    assert "note: the leaderboard is not up to date" in board.stderr
