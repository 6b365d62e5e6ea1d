"""Live judging through the chain: asked once, kept at once, resumed, within what may be spent."""

import json
import os
import shutil
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import dagster as dg
import pytest

from eval_pipeline.layout import DATA_VARIABLE, DataRoot
from eval_pipeline.orchestration.code_location.location import code_location
from eval_pipeline.orchestration.evaluation import Evaluation
from eval_pipeline.orchestration.live_judges.judge_costs import judge_costs
from eval_pipeline.orchestration.planning.cells import Cell
from eval_pipeline.orchestration.recomputation import verify
from eval_pipeline.orchestration.running.home import HOME_VARIABLE
from eval_pipeline.orchestration.running.runs import AT_BUDGET
from eval_pipeline.orchestration.settings import (
    BUDGET_CALLS_VARIABLE,
    BUDGET_USD_VARIABLE,
    settings_from_environment,
)
from eval_pipeline.warehouse.place import Place
from eval_pipeline_tests.cli.calling import refused, succeeded
from eval_pipeline_tests.judging.asking.calls import KEY, files_with
from eval_pipeline_tests.judging.asking.endpoint import (
    Answer,
    Endpoint,
    Request,
    longer_wins,
    said,
    serving,
)
from eval_pipeline_tests.judging.asking.live_project import (
    CONTRACT,
    ITEMS,
    MARKS,
    digests,
    live_root,
    run_live,
    write_contract,
)

URL, KEY_VARIABLE = "EVAL_PIPELINE_JUDGE_URL", "EVAL_PIPELINE_JUDGE_KEY"
CALLS = (ITEMS - 1) * 4  # both orders, two repeats; one side of one item refused
NIGHT = "2026-01-02"
VOTES = Cell("talks", 1, "judge_votes", "late")
BOTH = CONTRACT.replace("  repeats: 2\n", MARKS + "  repeats: 1\n")


@pytest.fixture(autouse=True)
def no_judge(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [name for name in os.environ if name.startswith("EVAL_PIPELINE_JUDGE_")]:
        monkeypatch.delenv(name)


@pytest.fixture
def endpoint(monkeypatch: pytest.MonkeyPatch) -> Iterator[Endpoint]:
    with serving() as found:
        monkeypatch.setenv(URL, found.url)
        monkeypatch.setenv(KEY_VARIABLE, KEY)
        yield found


def votes(evaluation: Evaluation, table: str = "judge_votes") -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = evaluation.published_table(
        replace(VOTES, stage=table), table
    ).to_pylist()
    return rows


def test_without_an_endpoint_nobody_is_asked(tmp_path: Path) -> None:
    root = live_root(tmp_path)
    evaluation, unfinished = run_live(root)
    assert unfinished == []
    states = {str(one.cell): one for one in evaluation.plan().cells}
    held = states["talks/v1 judge_votes of late"]
    assert held.state == "withheld"
    assert "no endpoint is named: set EVAL_PIPELINE_JUDGE_URL" in held.reason


def test_each_call_is_made_once_and_a_second_run_makes_none(
    tmp_path: Path, endpoint: Endpoint
) -> None:
    root = live_root(tmp_path)
    evaluation, unfinished = run_live(root)
    assert unfinished == []
    assert Counter(Counter(one.call for one in endpoint.seen).values()) == {1: CALLS}
    rows = votes(evaluation)
    assert Counter(row["verdict"] for row in rows) == {"model_b": CALLS}
    for row in rows[:3]:  # a vote leads to the line of its raw reply
        lines = (root.path / row["file"]).read_text().splitlines()
        kept = json.loads(lines[row["line"] - 1])
        assert [kept[name] for name in ("item_id", "slot_order", "repeat")] == [
            row[name] for name in ("item_id", "slot_order", "repeat")
        ]
        assert "by length" in kept["reply"]["text"]
    shutil.rmtree(root.warehouse)  # all is to be computed again
    again, unfinished = run_live(root)
    assert (unfinished, len(endpoint.seen)) == ([], CALLS)
    assert votes(again) == rows
    assert {one.verdict for one in verify(again, list(again.warehouse.standing()))} == {"same"}
    assert len(endpoint.seen) == CALLS
    root.judge_calls("owl", "talks", "late").unlink()
    (lost,) = verify(again, [Place("judge_votes", "talks", 1, "late")])
    assert (lost.verdict, len(endpoint.seen)) == ("cannot", CALLS)
    assert f"{CALLS} of {CALLS} calls are not kept" in lost.reason
    assert files_with(tmp_path, KEY) == []
    assert files_with(tmp_path, str(endpoint.port)) == []


def test_a_changed_prompt_is_another_version_and_reuses_no_vote(
    tmp_path: Path, endpoint: Endpoint
) -> None:
    root = live_root(tmp_path)
    run_live(root)
    lines = (root.judge_calls("owl", "talks", "late")).read_bytes()
    path = root.judge_prompt("better_reply@1")
    old = path.read_text()
    path.write_text(old.replace("arbitrary", "random"))
    with pytest.raises(AssertionError, match="a judge's prompt differs"):
        run_live(root)
    path.write_text(old)
    second = root.judge_prompt("better_reply@2")
    second.write_text(old.replace("arbitrary", "random"))
    write_contract(root, CONTRACT.replace("better_reply@1", "better_reply@2"), version=2)
    run_live(root)
    assert Counter(Counter(one.call for one in endpoint.seen).values()) == {1: 2 * CALLS}
    assert root.judge_calls("owl", "talks", "late").read_bytes().startswith(lines)


def test_two_contracts_share_the_calls_that_are_the_same(
    tmp_path: Path, endpoint: Endpoint
) -> None:
    root = live_root(tmp_path)
    write_contract(root, CONTRACT.replace("repeats: 2", "repeats: 3"), version=2)
    run_live(root)
    assert Counter(Counter(one.call for one in endpoint.seen).values()) == {1: CALLS * 3 // 2}


def test_a_spent_budget_stops_cleanly_and_the_next_run_goes_on(
    tmp_path: Path, endpoint: Endpoint, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = live_root(tmp_path / "whole")
    run_live(whole)
    endpoint.seen.clear()
    root = live_root(tmp_path / "bit by bit")
    monkeypatch.setenv(BUDGET_CALLS_VARIABLE, "40")
    for made in (40, 80):
        evaluation, unfinished = run_live(root)
        assert unfinished == [
            f"judge owl: the budget of 40 calls is spent; 40 calls were answered, {CALLS - made} "
            "are left: the next run goes on from there"
        ]
        assert len(endpoint.seen) == made
        records = evaluation.warehouse.history().of(Place("judge_votes", "talks", 1, "late"))
        assert records == []  # a spent budget is no failure of the cell
    assert run_live(root)[1] == []
    assert Counter(Counter(one.call for one in endpoint.seen).values()) == {1: CALLS}
    assert digests(root) == digests(whole)


def requested(root: DataRoot, instance: dg.DagsterInstance) -> dict[str, str | set[str]]:
    """What the sensor and the nightly schedule ask for, or why they do not."""
    definitions = code_location(Evaluation(root, settings_from_environment(), "test").world)
    at = {"instance": instance, "repository_def": definitions.get_repository_def()}
    sensor = dg.build_sensor_context(**at, instance_ref=instance.get_ref())
    night = dg.build_schedule_context(
        **at, scheduled_execution_time=datetime(2026, 1, 3, 2, tzinfo=UTC)
    )
    ticks = {
        "sensor": definitions.resolve_sensor_def("new_checkpoints").evaluate_tick(sensor),
        "nightly": definitions.resolve_schedule_def("nightly").evaluate_tick(night),
    }
    return {
        name: {key.path[-1] for one in tick.run_requests for key in one.asset_selection or ()}
        if tick.run_requests
        else str(tick.skip_message)
        for name, tick in ticks.items()
    }


def test_a_run_that_stops_at_its_budget_says_so_and_is_no_failure(
    tmp_path: Path, endpoint: Endpoint, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(BUDGET_CALLS_VARIABLE, "")  # what the call sets is undone after the test
    monkeypatch.setenv(DATA_VARIABLE, str(tmp_path / "data"))
    root = live_root(tmp_path)
    told = succeeded(root.path, "run", "--contract", "talks", "--judge-calls", "40")
    left = f"40 calls were answered, {CALLS - 40} are left: the next run goes on from there"
    (line,) = [one for one in told.stderr.split("\n") if one.startswith("stopped at the budget: ")]
    assert line.endswith(f"judge owl: the budget of 40 calls is spent; {left}")
    assert "0 failed, 1 stopped at the budget in" in told.stdout
    assert "at budget talks/v1 judge_votes of late" in told.stderr
    monkeypatch.setenv(HOME_VARIABLE, str(root.warehouse / "dagster"))
    with dg.DagsterInstance.get() as instance:
        runs = instance.get_runs()
        assert {run.status for run in runs} == {dg.DagsterRunStatus.SUCCESS}
        assert sum(AT_BUDGET in run.tags for run in runs) == 1
        key = dg.AssetKey(["talks", "v1", "judge_votes"])
        (seen,) = instance.fetch_observations(key, limit=5).records
        said_of = seen.asset_observation.metadata["not made"].text
        assert said_of == f"judge owl: the budget of 40 calls is spent; {left}"
        asked = requested(root, instance)  # each run has a budget: what looks often must not go on
        why = "stopped at the budget of its judges, the nightly run goes on: talks/v1 judge_votes"
        assert str(asked["sensor"]).startswith(why)
        assert "judge_votes" in asked["nightly"]
    monkeypatch.setenv(BUDGET_CALLS_VARIABLE, "")
    succeeded(root.path, "run", "--contract", "talks")
    assert len(endpoint.seen) == CALLS
    with dg.DagsterInstance.get() as instance:
        partition = dg.AssetRecordsFilter(key, asset_partitions=["late"])
        (made,) = instance.fetch_materializations(partition, limit=1).records
        shown = made.asset_materialization.metadata
        assert {name: one.value for name, one in shown.items() if name.startswith("judge ")} == {
            "judge calls": CALLS,
            "judge calls without a reply": 0,
            "judge requests sent in this run": CALLS - 40,
            "judge tokens in": 100 * CALLS,
            "judge tokens out": 20 * CALLS,
        }
    assert files_with(tmp_path, KEY) == []
    assert files_with(tmp_path, f"127.0.0.1:{endpoint.port}") == []


def test_an_outage_publishes_nothing_and_is_made_good_later(
    tmp_path: Path, endpoint: Endpoint, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("EVAL_PIPELINE_JUDGE_ATTEMPTS", "1")
    root = live_root(tmp_path)
    endpoint.script = lambda r: Answer(500) if r.number % 4 == 0 else longer_wins(r)
    evaluation, unfinished = run_live(root)
    (line,) = unfinished
    assert line.startswith(f"judge owl: 29 of {CALLS} calls had no reply (such as: HTTP 500), more")
    assert ("judge_votes", "late") not in {
        (p.table, p.checkpoint) for p in evaluation.warehouse.standing()
    }
    endpoint.script = longer_wins
    evaluation, unfinished = run_live(root)
    assert unfinished == []
    assert len(endpoint.seen) == CALLS + 29
    assert {row["status"] for row in votes(evaluation)} == {"ok"}


@pytest.mark.parametrize(
    ("status", "why"),
    [
        (500, "20 calls in a row had no reply, the last one: HTTP 500"),
        (401, "HTTP 401: the key is refused"),
    ],
)
def test_an_endpoint_that_is_silent_or_refuses_all_is_given_up_once_a_run(
    status: int, why: str, tmp_path: Path, endpoint: Endpoint, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("EVAL_PIPELINE_JUDGE_ATTEMPTS", "1")
    root = live_root(tmp_path)
    write_contract(root, CONTRACT.replace("repeats: 2", "repeats: 3"), version=2)
    endpoint.script = lambda _: Answer(status)
    unfinished = run_live(root)[1]
    assert unfinished[0].startswith(f"judge owl: {why}; 0 calls were answered, {CALLS} are left")
    assert unfinished[1].startswith(f"judge owl: not asked again in this run, in which {why};")
    assert len(endpoint.seen) < 20 + 64  # those of one cell
    endpoint.script = longer_wins
    assert run_live(root)[1] == []  # the next run asks again


def test_what_an_endpoint_refuses_for_good_is_a_missing_vote(
    tmp_path: Path, endpoint: Endpoint
) -> None:
    root = live_root(tmp_path)
    endpoint.script = lambda r: Answer(400) if "i007" in r.case["question"] else longer_wins(r)
    evaluation, unfinished = run_live(root)
    assert unfinished == []
    rows = votes(evaluation)
    assert Counter(row["status"] for row in rows) == {"ok": CALLS - 4, "judge_error": 4}
    assert {row["detail"] for row in rows if row["status"] != "ok"} == {"HTTP 400"}
    audits = evaluation.published_table(
        Cell("talks", 1, "judge_audits"), "judge_audits"
    ).to_pylist()
    (missing,) = [r for r in audits if (r["audit"], r["slice"]) == ("missing_rate", "all")]
    assert missing["estimate"] == pytest.approx(4 / CALLS)
    assert missing["outcome"] == "outside"


def test_kept_replies_do_without_an_endpoint(
    tmp_path: Path, endpoint: Endpoint, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = live_root(tmp_path / "first")
    run_live(first)
    root = live_root(tmp_path / "second")
    monkeypatch.setenv(URL, "kept")
    _, unfinished = run_live(root)
    assert f"{CALLS} of {CALLS} calls are not kept" in unfinished[0]
    kept = root.judge_calls("owl", "talks", "late")
    kept.parent.mkdir(parents=True)
    kept.write_bytes(first.judge_calls("owl", "talks", "late").read_bytes())
    assert run_live(root)[1] == []
    assert digests(root) == digests(first)
    assert len(endpoint.seen) == CALLS


def test_single_replies_are_scored_beside_pairs(tmp_path: Path, endpoint: Endpoint) -> None:
    def script(request: Request) -> Answer:
        if "reply" in request.case:
            return said('{"reasoning": "x", "scores": {"helpful": 5, "accurate": 4, "clear": 3}}')
        return longer_wins(request)

    endpoint.script = script
    sampled = BOTH.replace("  bars:", "  sample: {per_pair: 10, stratify: [topic]}\n  bars:")
    root = live_root(tmp_path, sampled)
    active = Evaluation(root, settings_from_environment(), "test").world.contract("talks")
    costs = {
        (row["judge"], row["checkpoint"]): row for row in judge_costs(root, active, NIGHT, 0.1)
    }
    assert costs["owl", "late"]["needed"] == pytest.approx(193.8, abs=0.1)
    due = sum(row["calls"] for row in costs.values())
    evaluation, unfinished = run_live(root)
    assert unfinished == []
    assert len(endpoint.seen) == due
    rows = votes(evaluation, "judge_scores")
    assert len(rows) == 4 * costs["marks", "late"]["calls"]
    whole = [row["score"] for row in rows if row["criterion"] == "all"]
    assert whole == pytest.approx([4.3] * len(whole))
    topics = Counter(row["item_id"][-1] for row in rows if row["criterion"] == "all")
    assert max(topics.values()) <= 1  # ten topics, ten items
    licences = evaluation.published_table(Cell("talks", 1, "judge_licences"), "judge_licences")
    assert set(licences["judge"].to_pylist()) == {"marks", "owl"}
    assert sum(row["calls"] for row in judge_costs(root, active, NIGHT)) == 0


def test_the_command_says_what_is_wrong_in_a_line(
    tmp_path: Path, endpoint: Endpoint, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = live_root(tmp_path)
    said_costs = succeeded(root.path, "plan", "cost", "--json").json
    assert [row["calls"] for row in said_costs] == [0, CALLS]
    assert "no money" not in succeeded(root.path, "plan", "cost").stdout
    assert "less than 0.5" in refused(root.path, "plan", "cost", "--detect", "0.6")
    assert endpoint.seen == []
    write_contract(root, CONTRACT.replace("decoding", "decodings"), version=2)
    told = succeeded(root.path, "plan", "cost").stderr
    assert "fault: contracts/talks/v2.yaml" in told
    root.contract_file("talks", 2).unlink()
    monkeypatch.setenv(BUDGET_USD_VARIABLE, "plenty")
    assert "set it to US dollars above 0" in refused(root.path, "plan")
    monkeypatch.delenv(BUDGET_USD_VARIABLE)
    path = root.judge_prompt("better_reply@1")
    path.write_text(
        path.read_text().replace("Judge by", "The expected answer is {answer}. Judge by")
    )
    told = succeeded(root.path, "ls").stderr
    assert "speaks of an expected answer" in told
    assert "has the place {answer}" in told
