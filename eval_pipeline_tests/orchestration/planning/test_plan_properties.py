"""What holds for every plan: its order, its batches, its fingerprint, and no contradiction."""

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from eval_pipeline.contracts.model import Contract
from eval_pipeline.layout import DataRoot
from eval_pipeline.orchestration.chain import CHAIN, aggregates, reads_of, stage_of_table
from eval_pipeline.orchestration.planning.cells import ActiveContract, Cell, FileDigests, Published
from eval_pipeline.orchestration.planning.plan import PlannedCell, make_plan, stage_of_name
from eval_pipeline.orchestration.stage import Settings
from eval_pipeline_tests.integration.three_contracts import (
    land_answers,
    sums_of,
    three_contracts,
    variant,
)
from eval_pipeline_tests.orchestration.desk import Books, Desk, contract_cells, restate


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    return Desk(three_contracts(tmp_path, "sums"))


@pytest.fixture(scope="module")
def full(tmp_path_factory: pytest.TempPathFactory) -> DataRoot:
    root = three_contracts(tmp_path_factory.mktemp("full"))
    land_answers(root, "third", "2026-01-03")
    land_answers(root, "mute", "2026-01-04", files={"sums.jsonl": sums_of("mute")})
    variant(
        root,
        "sums",
        "coded",
        {"numeric@1, extraction: last_number": "code@1, extraction: code_block"},
    )
    return root


def test_batches_hold_roots_first_one_checkpoint_each_and_aggregates_last(full: DataRoot) -> None:
    plan = Desk(full).plan()
    batches = plan.batches()
    assert [batch.checkpoint for batch in batches] == ["early", "late", "mute", "third"]
    for number, batch in enumerate(batches):
        for planned in batch.cells:
            stage = stage_of_name()[planned.cell.stage]
            if stage.scope == "checkpoint":
                assert planned.cell.checkpoint == batch.checkpoint
            elif aggregates(stage):
                assert number == len(batches) - 1
            else:
                assert number == 0
    cells = [planned.cell for batch in batches for planned in batch.cells]
    assert sorted(map(str, cells)) == sorted(str(one.cell) for one in plan.to_run)


def test_aggregates_alone_are_one_batch_without_a_checkpoint(desk: Desk) -> None:
    desk.settle()
    del desk.books.parts["decisions", Cell("sums", 1, "decisions")]
    (batch,) = desk.plan().batches()
    assert batch.checkpoint is None
    assert {str(planned.cell) for planned in batch.cells} == contract_cells(
        ("decisions", "leaderboard", "report")
    )


def test_the_plan_does_not_depend_on_the_order_of_what_it_is_given(full: DataRoot) -> None:
    desk = Desk(full)
    desk.settle()
    for cell in list(desk.books.parts)[::3]:
        del desk.books.parts[cell]
    contracts = list(desk.active)
    expected = desk.plan()
    shuffled = random.Random(1)
    for _ in range(3):
        entries = list(desk.books.parts.items())
        shuffled.shuffle(entries)
        shuffled.shuffle(contracts)
        books = Books(dict(entries), desk.books.failed)
        plan = make_plan(full, contracts, books, desk.digests, desk.settings)
        assert set(plan.cells) == set(expected.cells)
        assert plan.counts() == expected.counts()


def test_the_fingerprint_follows_keys_and_attempts_and_nothing_else(desk: Desk) -> None:
    seen = [desk.plan().fingerprint]
    assert desk.plan().fingerprint == seen[0]
    desk.compute(Cell("sums", 1, "contract"))
    desk.compute(Cell("sums", 1, "items"))
    seen.append(desk.plan().fingerprint)
    restate(desk.root, "late", "sums.jsonl", sums_of("another"))
    seen.append(desk.plan().fingerprint)
    desk.fail("sums/v1 generations of late")
    seen.append(desk.plan().fingerprint)
    assert len(set(seen)) == len(seen)
    desk.settle()
    idle = desk.plan().fingerprint
    land_answers(desk.root, "other", "2026-01-03", files={"talks.jsonl": ""})
    assert desk.plan().fingerprint == idle


def test_a_retired_contract_is_not_planned(desk: Desk) -> None:
    variant(desk.root, "sums", "old")
    desk.root.retired.write_text(
        "- {contract: old, version: 1, reason: replaced, date: 2026-01-01}\n"
    )
    assert {one.cell.contract for one in desk.plan().cells} == {"sums"}


@pytest.fixture(scope="module")
def settled(full: DataRoot) -> tuple[Sequence[ActiveContract], FileDigests, Books]:
    """All computed once: reading the disk for each example would take most of the time."""
    desk = Desk(full)
    desk.settle()
    return desk.active, desk.digests, desk.books


damages = st.lists(
    st.tuples(st.sampled_from(["lost", "other", "failed"]), st.integers(0, 10**6)), max_size=12
)


@given(damages)
def test_no_plan_contradicts_itself(
    full: DataRoot,
    settled: tuple[Sequence[ActiveContract], FileDigests, Books],
    damages: list[tuple[str, int]],
) -> None:
    active, digests, books = settled
    parts, failed = damaged(books.parts, damages)
    plan = make_plan(full, active, Books(parts), digests, Settings(), failed)
    states = {one.cell: one for one in plan.cells}
    assert len(states) == len(plan.cells)
    batch_of = {
        planned.cell: number
        for number, batch in enumerate(plan.batches())
        for planned in batch.cells
    }
    assert batch_of.keys() == {one.cell for one in plan.to_run}
    contracts = {one.home: one.contract for one in active}
    for one in plan.cells:
        tables = stage_of_name()[one.cell.stage].tables
        if one.state == "current":
            assert all((table, one.cell) in parts for table in tables)
        for ups in upstream_of(one.cell, contracts[one.cell.home], states):
            if one.runs or one.state == "current":
                assert any(up.runs or up.state == "current" for up in ups)
            if one.state == "current":
                assert not any(up.runs for up in ups)
            if one.runs:
                assert all(batch_of[up.cell] <= batch_of[one.cell] for up in ups if up.runs)


def damaged(
    parts: Mapping[tuple[str, Cell], Published], damages: Sequence[tuple[str, int]]
) -> tuple[dict[tuple[str, Cell], Published], list[Cell]]:
    """The parts, some lost, some with other values; and cells that failed."""
    left, failed = dict(parts), []
    names = sorted(parts, key=str)
    for kind, number in damages:
        name = names[number % len(names)]
        if kind == "failed":
            failed.append(name[1])
        elif kind == "lost":
            left.pop(name, None)
        elif name in left:
            left[name] = replace(left[name], digest=f"other {number}")
    return left, failed


def upstream_of(
    cell: Cell, contract: Contract, states: Mapping[Cell, PlannedCell]
) -> Iterator[list[PlannedCell]]:
    """For each table that the cell reads, the cells that write it, found by their names alone."""
    stage = stage_of_name()[cell.stage]
    for table in reads_of(stage, contract):
        writer = stage_of_table()[table].name
        yield [
            one
            for other, one in states.items()
            if (other.home, other.stage) == (cell.home, writer)
            and (stage.scope == "contract" or other.checkpoint in (None, cell.checkpoint))
        ]


def test_every_table_is_written_by_one_stage_and_read_after_it() -> None:
    written: set[str] = set()
    for stage in CHAIN:
        assert set(stage.reads) <= written
        assert written.isdisjoint(stage.tables)
        written.update(stage.tables)
