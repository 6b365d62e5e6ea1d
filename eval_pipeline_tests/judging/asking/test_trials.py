"""Live judges are asked their probes and their sentinels, once each, and the stages read it."""

import json
import os
from collections import Counter
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import dagster as dg
import pytest

from eval_pipeline.layout import DATA_VARIABLE, DataRoot
from eval_pipeline.orchestration.code_location.location import code_location
from eval_pipeline.orchestration.evaluation import Evaluation
from eval_pipeline.orchestration.planning.cells import Cell
from eval_pipeline.orchestration.running.runs import WATCH
from eval_pipeline.orchestration.settings import BUDGET_CALLS_VARIABLE, settings_from_environment
from eval_pipeline_tests.cli.calling import refused, succeeded
from eval_pipeline_tests.judging.asking.calls import KEY, files_with
from eval_pipeline_tests.judging.asking.endpoint import Answer, Endpoint, longer_wins, said, serving
from eval_pipeline_tests.judging.asking.live_project import CONTRACT, STAGES, live_root, run_live

SENTINELS = 8
NIGHTLY = 2 * SENTINELS  # in both orders
TRIED = CONTRACT.replace(
    "  repeats: 2\n", f"  repeats: 2\n  probes: [tricks]\n  sentinels: {SENTINELS}\n"
)
NIGHT = ("probe", "sentinels", "talks", "--judge", "owl", "--live", "--date")


@pytest.fixture
def endpoint(monkeypatch: pytest.MonkeyPatch) -> Iterator[Endpoint]:
    for name in [name for name in os.environ if name.startswith("EVAL_PIPELINE_JUDGE_")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv(BUDGET_CALLS_VARIABLE, "")  # what a call sets is undone after the test
    with serving() as found:
        monkeypatch.setenv("EVAL_PIPELINE_JUDGE_URL", found.url)
        monkeypatch.setenv("EVAL_PIPELINE_JUDGE_KEY", KEY)
        yield found


@pytest.fixture
def root(tmp_path: Path, endpoint: Endpoint) -> DataRoot:
    """All is judged, and the endpoint has forgotten it."""
    found = live_root(tmp_path, TRIED, items=12)
    assert run_live(found, STAGES[: STAGES.index("judge_votes") + 1])[1] == []
    succeeded(found.path, "probe", "write", "talks", "--set", "tricks", "--n", "3")
    endpoint.seen.clear()
    return found


def computed(root: DataRoot, stage: str, table: str) -> list[dict[str, object]]:
    evaluation = Evaluation(root, settings_from_environment(), "test")
    cell = Cell("talks", 1, stage)
    with evaluation.exclusive():
        evaluation.run_cell(cell)
    rows: list[dict[str, object]] = evaluation.published_table(cell, table).to_pylist()
    return rows


def test_each_night_is_asked_once_past_the_kept_replies(root: DataRoot, endpoint: Endpoint) -> None:
    for night in ("2025-01-01", "2025-01-02"):
        before = len(endpoint.seen)
        succeeded(root.path, *NIGHT, night)
        assert len(endpoint.seen) - before == NIGHTLY
        written = (root.sentinels("owl", "talks") / f"{night}.jsonl").read_bytes()
        assert "nothing was asked" in succeeded(root.path, *NIGHT, night).stdout
        (root.sentinels("owl", "talks") / f"{night}.jsonl").unlink()
        succeeded(root.path, *NIGHT, night)  # from the kept replies
        assert (root.sentinels("owl", "talks") / f"{night}.jsonl").read_bytes() == written
        assert len(endpoint.seen) - before == NIGHTLY
    idempotent = Counter(one.headers["idempotency-key"] for one in endpoint.seen)
    assert len(idempotent) == 2 * NIGHTLY
    rows = computed(root, "judge_sentinels", "judge_sentinel_votes")
    assert Counter((row["night"], row["verdict"]) for row in rows) == {
        ("2025-01-01", "model_b"): NIGHTLY,
        ("2025-01-02", "model_b"): NIGHTLY,
    }
    assert files_with(root.path, KEY) == []


def test_a_pair_that_lacks_a_reply_is_never_drawn_and_the_lack_is_counted(
    root: DataRoot, endpoint: Endpoint
) -> None:
    succeeded(root.path, *NIGHT, "2025-01-01")
    told = succeeded(root.path, "probe", "sentinels", "talks")
    drawn = {json.loads(line)["item_id"] for line in told.stdout.splitlines()}
    assert len(drawn) == SENTINELS
    assert "i000" not in drawn  # refused by `late`
    assert "drawn from 11 of 12 planned pairs: 1 lack a reply" in told.stderr
    refused_one = min(drawn)
    endpoint.script = lambda r: Answer(400) if refused_one in r.case["question"] else longer_wins(r)
    succeeded(root.path, *NIGHT, "2025-01-02")
    drift = computed(root, "judge_sentinels", "judge_drift")
    assert {(row["night"], row["n_pairs"], row["n_excluded"]) for row in drift} == {
        ("2025-01-01", SENTINELS, 0),
        ("2025-01-02", SENTINELS - 1, 1),
    }


def test_the_cost_counts_probes_and_a_night_of_sentinels_and_what_is_kept_of_them(
    root: DataRoot, endpoint: Endpoint, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("EVAL_PIPELINE_JUDGE_OWL_USD_PER_MILLION_IN", "3")
    monkeypatch.setenv("EVAL_PIPELINE_JUDGE_OWL_USD_PER_MILLION_OUT", "15")

    def costs() -> dict[str, dict[str, Any]]:
        rows = succeeded(root.path, "plan", "cost", "--json").json
        return {row["kind"]: row for row in rows if row["of"] != "early"}

    due = costs()
    n_probes = len(root.probes("tricks").read_text().splitlines())
    assert {kind: (row["calls"], row["kept"]) for kind, row in due.items()} == {
        "pairs": (0, 44),
        "probes": (2 * n_probes, 0),
        "sentinels": (NIGHTLY, 0),
    }
    for row in (due["probes"], due["sentinels"]):
        usd = (3 * row["tokens_in"] + 15 * row["tokens_out"]) / 1e6
        assert (row["usd"], row["tokens_out"]) == (pytest.approx(usd), 200 * row["calls"])
    assert "lack a reply" in due["sentinels"]["note"]
    assert endpoint.seen == []
    today = due["sentinels"]["of"]
    refused(root.path, *NIGHT, today, "--judge-calls", "5")
    monkeypatch.setenv(BUDGET_CALLS_VARIABLE, "")
    assert (costs()["sentinels"]["calls"], costs()["sentinels"]["kept"]) == (NIGHTLY - 5, 5)
    succeeded(root.path, "probe", "ask", "talks", "--live")
    succeeded(root.path, *NIGHT, today)
    done = costs()
    assert {kind: row["calls"] for kind, row in done.items()} == dict.fromkeys(due, 0)
    assert len(endpoint.seen) == sum(row["calls"] for row in due.values())
    root.probes("tricks").unlink()
    assert "is not there: `eval-pipeline probe write`" in costs()["probes"]["note"]


def test_a_judge_that_has_changed_is_seen_in_its_sentinels(
    root: DataRoot, endpoint: Endpoint
) -> None:
    endpoint.script = lambda request: said('{"reasoning": "x", "verdict": "1"}')
    succeeded(root.path, *NIGHT, "2025-01-01")
    rows = computed(root, "judge_sentinels", "judge_drift")
    shift = {row["measure"]: row["estimate"] for row in rows}["position_shift"]
    assert shift != 0


def test_a_spent_budget_writes_no_file_and_the_next_try_goes_on(
    root: DataRoot, endpoint: Endpoint, monkeypatch: pytest.MonkeyPatch
) -> None:
    said_of = refused(root.path, *NIGHT, "2025-01-01", "--judge-calls", "5")
    assert "the budget of 5 calls is spent" in said_of
    assert not root.sentinels("owl", "talks").exists()
    monkeypatch.setenv(BUDGET_CALLS_VARIABLE, "")
    succeeded(root.path, *NIGHT, "2025-01-01")
    assert Counter(Counter(one.call for one in endpoint.seen).values()) == {1: NIGHTLY}


def test_probes_are_asked_once_in_both_orders(root: DataRoot, endpoint: Endpoint) -> None:
    endpoint.script = lambda r: Answer(400) if r.number == 0 else longer_wins(r)
    probes = [json.loads(line) for line in root.probes("tricks").read_text().splitlines()]
    succeeded(root.path, "probe", "ask", "talks", "--judge", "owl", "--live")
    calls = len(endpoint.seen)
    texts = {frozenset((p["original"], p["variant"])) for p in probes}
    assert {frozenset((r.case["reply_1"], r.case["reply_2"])) for r in endpoint.seen} == texts
    again = succeeded(root.path, "probe", "ask", "talks", "tricks", "--live").stdout
    assert "nothing was asked" in again
    assert len(endpoint.seen) == calls
    rows = computed(root, "judge_probes", "judge_probe_votes")
    assert len(rows) == 2 * len(probes)
    assert {row["status"] for row in rows} == {"ok", "judge_error"}
    sides = {p["probe"]: len(p["variant"]) - len(p["original"]) for p in probes}
    for row in rows:
        if row["status"] == "ok":
            longer = sides[str(row["probe"])]
            assert row["verdict"] == ("variant" if longer > 0 else "original" if longer else "tie")


def test_the_schedule_asks_before_the_nightly_run_and_only_once(
    root: DataRoot, endpoint: Endpoint, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(DATA_VARIABLE, str(root.path))
    definitions = code_location()
    schedule = definitions.resolve_schedule_def("sentinels")
    with dg.instance_for_test() as instance:

        def tick() -> dg.RunRequest | None:
            context = dg.build_schedule_context(
                instance=instance, scheduled_execution_time=datetime(2025, 1, 1, 1, 30, tzinfo=UTC)
            )
            return next(iter(schedule.evaluate_tick(context).run_requests or ()), None)

        request = tick()
        assert request is not None
        job = definitions.resolve_job_def(WATCH)
        monkeypatch.setenv(BUDGET_CALLS_VARIABLE, "5")
        assert job.execute_in_process(run_config=request.run_config, instance=instance).success
        assert not root.sentinels("owl", "talks").exists()  # stopped as a person wished
        monkeypatch.setenv(BUDGET_CALLS_VARIABLE, "")
        assert job.execute_in_process(run_config=request.run_config, instance=instance).success
        assert len(endpoint.seen) == NIGHTLY
        assert (root.sentinels("owl", "talks") / "2025-01-01.jsonl").exists()
        assert tick() is None
        monkeypatch.delenv("EVAL_PIPELINE_JUDGE_URL")
        (root.sentinels("owl", "talks") / "2025-01-01.jsonl").unlink()
        assert tick() is None  # nobody is there to ask


def test_what_cannot_be_asked_is_said_in_one_line(
    root: DataRoot, endpoint: Endpoint, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert "has not come" in refused(root.path, *NIGHT, "2999-01-01")
    assert "is no date" in refused(root.path, *NIGHT, "yesterday")
    assert "it has owl" in refused(root.path, "probe", "ask", "talks", "--judge", "elk", "--live")
    assert "say --live" in refused(
        root.path, "probe", "ask", "talks", "tricks", "--judge", "owl", code=2
    )
    assert "is not there" in refused(root.path, "probe", "ask", "talks", "none", "--live")
    other = root.sentinels("owl", "talks") / "2025-01-03.jsonl"
    other.parent.mkdir(parents=True)
    other.write_text('{"item_id": "i001"}\n')
    assert "with other votes" in refused(root.path, *NIGHT, "2025-01-03")
    monkeypatch.delenv("EVAL_PIPELINE_JUDGE_URL")
    held = refused(root.path, *NIGHT, "2025-01-01")
    assert "no endpoint is named: set EVAL_PIPELINE_JUDGE_URL" in held
    assert endpoint.seen == []
