"""From numbers to raw lines: `trace` and `why`."""

import hashlib
from pathlib import Path

from eval_pipeline.ingest.checkpoint import write_success
from eval_pipeline_tests.cli.calling import called, refused, succeeded
from eval_pipeline_tests.cli.project import BASE, BETTER, put


def test_a_table_leads_to_the_raw_files_with_their_digests(finished: Path) -> None:
    steps = succeeded(finished, "trace", "sums@1", "--checkpoint", BETTER, "--json").json["steps"]
    assert [steps[0][key] for key in ("table", "checkpoint", "depth")] == [
        "metric_estimates",
        BETTER,
        0,
    ]
    files = {file["path"]: file["sha256"] for step in steps for file in step["files"]}
    name = f"checkpoints/{BETTER}/sums.jsonl"
    assert files[name] == hashlib.sha256((finished / name).read_bytes()).hexdigest()
    shown = succeeded(finished, "trace", "sums@1", "--checkpoint", BETTER).stdout
    assert f"└─ {name}  sha256 {files[name][:12]}" in shown
    assert "benchmarks/sums/v1/items.jsonl" in shown


def test_without_a_table_the_decisions_are_traced(finished: Path) -> None:
    shown = succeeded(finished, "trace", "sums").stdout
    assert shown.startswith("decisions ")
    for checkpoint in (BASE, BETTER):
        assert f"metric_estimates of {checkpoint}" in shown
    assert "(opened above)" in shown


def test_a_metric_is_shown_before_what_it_rests_on(finished: Path) -> None:
    call = ("trace", "sums@1", "--checkpoint", BETTER, "--metric")
    rows = succeeded(finished, *call, "pass@1", "--json").json["rows"]
    assert {row["metric"] for row in rows} == {"pass@1"}
    primary = next(r for r in rows if (r["slice"], r["policy"]) == ("all", "primary"))
    assert f"{primary['value']:.4f}" in succeeded(finished, *call, "pass@1").stdout
    assert "did you mean pass@" in refused(finished, *call, "pass@3")


def test_an_item_shows_its_score_and_the_line_as_it_lies_on_disk(finished: Path) -> None:
    call = ("trace", "sums@1", "--checkpoint", BETTER, "--item", "s-13")
    told = succeeded(finished, *call, "--json").json
    source = told["source"]
    content = (finished / source["file"]).read_bytes()
    assert content[source["byte_offset"] :].startswith(source["raw"].encode())
    assert content.split(b"\n")[source["line"] - 1].decode() == source["raw"]
    assert source["sha256"] == source["sha256_read"] == hashlib.sha256(content).hexdigest()
    assert told["score"]["extracted"] == "100"
    assert told["score"]["score"] == 0.0
    shown = succeeded(finished, *call).stdout
    assert "the reference is 15" in shown
    assert f"line {source['line']}, byte {source['byte_offset']}" in shown
    assert "yes: the file is the one that was read" in shown
    assert shown.rstrip().endswith(source["raw"])


def test_a_file_that_changed_since_is_told(own: Path) -> None:
    folder = own / "checkpoints" / BETTER
    put(folder / "sums.jsonl", (folder / "sums.jsonl").read_text().replace("100", "101"))
    write_success(folder)
    told = succeeded(own, "trace", "sums@1", "--checkpoint", BETTER, "--item", "s-13")
    assert "no: what was read had sha256" in told.stdout
    assert "101" in told.stdout


def test_the_votes_on_a_judged_item_are_shown(finished: Path) -> None:
    call = ("trace", "preferences", "--checkpoint", BETTER, "--item", "s-06")
    votes = succeeded(finished, *call, "--json").json["votes"]
    assert [vote["verdict"] for vote in votes] == ["tie", "tie"]
    assert "Votes on pairs" in succeeded(finished, *call).stdout


def test_what_cannot_be_traced_is_named(finished: Path) -> None:
    assert "name one of base@1" in refused(finished, "trace", "sums", "generations", code=2)
    assert "did you mean decisions?" in refused(finished, "trace", "sums", "decision")
    call = ("trace", "sums", "--checkpoint", BETTER, "--item")
    assert "did you mean s-13" in refused(finished, *call, "s-133")
    assert "no item 's-13' with draw 7" in refused(finished, *call, "s-13", "--draw", "7")
    assert "--item needs --checkpoint" in refused(finished, "trace", "sums", "--item", "s", code=2)
    line = refused(finished, "trace", "sums", "--checkpoint", "bettr@1")
    assert f"did you mean {BETTER}" in line


def test_the_samples_behind_a_status_are_shown_with_their_text(finished: Path) -> None:
    told = succeeded(finished, "why", "model_refusal", "--contract", "sums@1", "--json").json
    assert [row["n"] for row in told["counts"]] == [1, 1, 1]
    assert {row["where"] for row in told["rows"]} == {"s-00, draw 1"}
    assert {row["excerpt"] for row in told["rows"]} == {"I will not say."}
    shown = succeeded(finished, "why", "model_refusal", "--contract", "sums@1").stdout
    assert "I will not say." in shown


def test_rejected_lines_and_missing_draws_are_shown(finished: Path) -> None:
    told = succeeded(finished, "why", "duplicate", "--checkpoint", BASE, "--json").json
    assert told["rows"][0]["where"].startswith("sums.jsonl:")
    assert "It is" in told["rows"][0]["excerpt"]
    told = succeeded(finished, "why", "absent", "--contract", "sums@1", "--json").json
    assert {row["where"] for row in told["rows"]} == {"s-13, draw 1"}


def test_a_vote_is_shown_in_the_judges_own_words(finished: Path) -> None:
    told = succeeded(finished, "why", "judge_unknown", "--json").json
    assert len(told["rows"]) == 2
    assert {row["excerpt"] for row in told["rows"]} == {"\x1b[2J I cannot say."}


def test_the_limit_is_said(finished: Path) -> None:
    shown = succeeded(finished, "why", "ok", "--limit", "3").stdout
    assert "3 of " in shown
    assert "--limit 0 shows all" in shown


def test_a_word_that_is_no_status_names_the_nearest(finished: Path) -> None:
    assert "did you mean parser_failure?" in refused(finished, "why", "parser_failures")
    assert called(finished, "why", "timeout").stdout == "nothing has the status timeout\n"
