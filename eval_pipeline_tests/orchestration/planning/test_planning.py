"""What would run and why: the real chain over small projects, and a history made up for it."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from eval_pipeline.ingest.checkpoint import write_success
from eval_pipeline.orchestration.planning.cells import Cell
from eval_pipeline.orchestration.planning.plan import ATTEMPTS, open_cell, stage_of_name
from eval_pipeline.orchestration.stage import Settings
from eval_pipeline.verification.code import level
from eval_pipeline_tests.integration.three_contracts import (
    land_answers,
    sums_of,
    three_contracts,
    write_contract,
)
from eval_pipeline_tests.orchestration.desk import Desk, contract_cells, restate


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    return Desk(three_contracts(tmp_path, "sums"))


@contextmanager
def stage_at(name: str, version: int) -> Iterator[None]:
    """A stage whose numbers have changed; stages are frozen, so this goes past the dataclass."""
    stage = stage_of_name()[name]
    before = stage.version
    object.__setattr__(stage, "version", version)
    try:
        yield
    finally:
        object.__setattr__(stage, "version", before)


def running(states: Mapping[str, str]) -> set[str]:
    return {cell for cell, state in states.items() if state in ("missing", "stale", "upstream")}


PER_CHECKPOINT = ("generations", "verifier_scores", "metric_estimates")


def cells_of(checkpoint: str, stages: Sequence[str] = PER_CHECKPOINT) -> set[str]:
    return {f"sums/v1 {stage} of {checkpoint}" for stage in stages}


def test_in_an_empty_warehouse_all_is_missing(desk: Desk) -> None:
    states = desk.states()
    assert set(states) == {
        *contract_cells(("contract", "items")),
        *cells_of("early"),
        *cells_of("late"),
        *contract_cells(),
    }
    assert set(states.values()) == {"missing"}
    assert desk.cell("sums/v1 items").reason == "never computed"
    assert desk.cell("sums/v1 generations of late").reason == "items will run"


def test_what_was_computed_from_what_is_there_is_current(desk: Desk) -> None:
    done = desk.settle()
    assert len(done) == len(set(done)) == len(desk.plan().cells)
    plan = desk.plan()
    assert plan.counts() == {"current": len(done)}
    assert not plan.to_run
    assert not plan.batches()


def test_a_changed_file_makes_its_cell_stale_and_what_follows_upstream(desk: Desk) -> None:
    desk.settle()
    restate(desk.root, "late", "sums.jsonl", sums_of("another"))
    states = desk.states()
    assert states.pop("sums/v1 generations of late") == "stale"
    following = {*cells_of("late", PER_CHECKPOINT[1:]), *contract_cells()}
    assert {cell for cell, state in states.items() if state == "upstream"} == following
    assert {state for cell, state in states.items() if cell not in following} == {"current"}
    assert "has changed" in desk.cell("sums/v1 generations of late").reason


def test_a_changed_table_makes_its_readers_stale(desk: Desk) -> None:
    desk.settle()
    cell = Cell("sums", 1, "verifier_scores", "early")
    part = desk.books.parts["verifier_scores", cell]
    desk.books.parts["verifier_scores", cell] = replace(part, digest="other values")
    stale = {cell for cell, state in desk.states().items() if state == "stale"}
    assert stale == {"sums/v1 metric_estimates of early", "sums/v1 paired_comparisons"}


def test_what_comes_out_the_same_is_not_followed_further(desk: Desk) -> None:
    def values(table: str, cell: Cell) -> str:
        return f"{table} of {cell}"  # whatever it was computed from

    desk.settle(values)
    restate(desk.root, "late", "sums.jsonl", sums_of("another"))
    desk.compute(Cell("sums", 1, "generations", "late"), values)
    assert set(desk.states().values()) == {"current"}


def test_a_new_version_of_an_instrument_makes_its_stage_stale(desk: Desk) -> None:
    desk.settle()
    with stage_at("metric_estimates", 99):
        stale = {cell for cell, state in desk.states().items() if state == "stale"}
    assert stale == {
        *cells_of("early", ["metric_estimates"]),
        *cells_of("late", ["metric_estimates"]),
    }
    assert set(desk.states().values()) == {"current"}


def test_three_failures_in_a_row_on_the_same_inputs_park_a_cell(desk: Desk) -> None:
    name = "sums/v1 generations of late"
    desk.compute(Cell("sums", 1, "contract"))
    desk.compute(Cell("sums", 1, "items"))
    for attempt in range(1, ATTEMPTS + 1):
        assert desk.cell(name).state == "missing"
        assert desk.cell(name).attempt == attempt
        desk.fail(name)
    assert desk.cell(name).state == "parked"
    assert "--retry-parked" in desk.cell(name).reason
    assert desk.states(attempts=ATTEMPTS + 1)[name] == "missing"
    restate(desk.root, "late", "sums.jsonl", sums_of("mended"))
    assert desk.cell(name).state == "missing"
    assert desk.cell(name).attempt == 1


def test_a_cell_that_failed_in_this_invocation_is_not_planned_again(desk: Desk) -> None:
    desk.compute(Cell("sums", 1, "items"))
    lost = Cell("sums", 1, "generations", "early")
    states = desk.states(failed=[lost])
    assert states[str(lost)] == "parked"
    assert states["sums/v1 verifier_scores of early"] == "blocked"


def test_without_a_sandbox_model_code_is_withheld_until_it_is_allowed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(level, "absent", lambda: "no user namespaces")
    root = three_contracts(tmp_path, "sums")
    write_contract(
        root, "sums", {"numeric@1, extraction: last_number@1": "code@1, extraction: code_block@1"}
    )
    desk = Desk(root)
    desk.settle()
    states = desk.states()
    assert states["sums/v1 generations of early"] == "current"
    assert states["sums/v1 verifier_scores of early"] == "withheld"
    assert states["sums/v1 metric_estimates of early"] == "blocked"
    assert states["sums/v1 report"] == "blocked"
    assert "--allow-unsafe-code" in desk.cell("sums/v1 verifier_scores of early").reason
    assert desk.cell("sums/v1 report").reason == desk.cell("sums/v1 decisions").reason
    desk.settings = Settings(allow_unsafe_code=True)
    assert running(desk.states()) == {
        *cells_of("early", PER_CHECKPOINT[1:]),
        *cells_of("late", PER_CHECKPOINT[1:]),
        *contract_cells(),
    }
    desk.settle()
    desk.settings = Settings()
    assert set(desk.states().values()) == {"current"}  # what need not run needs no leave
    restate(root, "late", "sums.jsonl", sums_of("another"))
    assert desk.states()["sums/v1 verifier_scores of late"] == "withheld"
    assert desk.states()["sums/v1 metric_estimates of late"] == "blocked"


def test_a_checkpoint_without_a_file_of_the_benchmark_is_passed_over(desk: Desk) -> None:
    land_answers(desk.root, "other", "2026-01-03", files={"talks.jsonl": ""})
    states = desk.states()
    assert {states[cell] for cell in cells_of("other")} == {"not_applicable"}
    reason = desk.cell("sums/v1 metric_estimates of other").reason
    assert reason == "checkpoint other has no file of benchmark sums"
    desk.settle()
    assert Counter(desk.states().values()) == {"current": 12, "not_applicable": 3}


def test_without_a_checkpoint_what_rests_on_one_is_not_applicable(tmp_path: Path) -> None:
    desk = Desk(three_contracts(tmp_path, "sums", checkpoints=()))
    desk.root.checkpoints.mkdir(exist_ok=True)
    assert desk.states() == {
        **dict.fromkeys(contract_cells(("contract", "items")), "missing"),
        **dict.fromkeys(contract_cells(), "not_applicable"),
    }
    assert desk.cell("sums/v1 report").reason == "no checkpoint matches the targets yet"


def test_what_needs_a_parked_cell_is_blocked_and_says_by_what(desk: Desk) -> None:
    desk.fail("sums/v1 items", ATTEMPTS)
    states = desk.states()
    assert states.pop("sums/v1 contract") == "missing"
    assert states.pop("sums/v1 items") == "parked"
    assert set(states.values()) == {"blocked"}
    reason = desk.cell("sums/v1 decisions").reason
    assert reason.startswith("items")
    assert "is parked: failed 3 times on the same inputs" in reason


def test_aggregates_go_on_without_a_checkpoint_that_failed_and_take_it_in_later(desk: Desk) -> None:
    desk.settle()
    restate(desk.root, "late", "sums.jsonl", sums_of("broken"))
    desk.fail("sums/v1 generations of late", ATTEMPTS)
    states = desk.states()
    assert states["sums/v1 generations of late"] == "parked"
    assert states["sums/v1 verifier_scores of late"] == "blocked"
    assert states["sums/v1 paired_comparisons"] == "stale"  # it still holds the old late
    desk.settle()
    (active,) = desk.active
    cell = Cell("sums", 1, "paired_comparisons")
    opened = open_cell(desk.root, active, desk.books, desk.digests, desk.settings, cell)
    assert set(opened.reads["verifier_scores"]) == {"early"}
    assert desk.states()["sums/v1 report"] == "current"

    restate(desk.root, "late", "sums.jsonl", sums_of("mended"))
    assert running(desk.states()) == {*cells_of("late"), *contract_cells()}


def test_where_one_failed_and_the_other_has_no_file_the_failure_is_the_reason(desk: Desk) -> None:
    (desk.root.checkpoint("early") / "sums.jsonl").unlink()
    write_success(desk.root.checkpoint("early"))
    desk.compute(Cell("sums", 1, "items"))
    desk.fail("sums/v1 generations of late", ATTEMPTS)
    report = desk.cell("sums/v1 paired_comparisons")
    assert report.state == "blocked"
    assert "generations" in report.reason
    assert "late" in report.reason


def test_an_edited_draft_is_missing_and_not_merely_stale(tmp_path: Path) -> None:
    root = three_contracts(tmp_path, "sums")
    write_contract(root, "sums", {"version: 1\n": "version: 1\nstatus: draft\n"})
    desk = Desk(root)
    desk.settle()
    write_contract(
        root, "sums", {"version: 1\n": "version: 1\nstatus: draft\n", "seed: 1": "seed: 2"}
    )
    assert set(desk.states().values()) == {"missing"}


def test_a_checkpoint_that_lands_with_an_earlier_date_changes_the_pairs_of_later_ones(
    tmp_path: Path,
) -> None:
    root = three_contracts(tmp_path, "talks")
    desk = Desk(root)
    desk.settle()
    land_answers(root, "first", "2025-12-01")
    states = desk.states()
    assert states["talks/v1 pair_plan of early"] == "stale"  # first stands before it now
    assert states["talks/v1 judge_votes of early"] == "upstream"
    assert states["talks/v1 generations of early"] == "current"
    assert states["talks/v1 pair_plan of late"] == "stale"
    assert states["talks/v1 generations of first"] == "missing"
    desk.settle()
    land_answers(root, "zenith", "2026-03-01")
    later = {cell for cell in running(desk.states()) if " of " in cell}
    assert all(cell.endswith(" of zenith") for cell in later)
