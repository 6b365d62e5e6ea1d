"""One way in which a table comes about: what is read is recorded, and what is recorded was read."""

import builtins
import hashlib
import io
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
import pytest

from eval_pipeline.contracts.load import load_all
from eval_pipeline.ingest.checkpoint import write_success
from eval_pipeline.layout import DataRoot
from eval_pipeline.orchestration.chain import CHAIN, stage_of_table
from eval_pipeline.orchestration.evaluation import Evaluation
from eval_pipeline.orchestration.observer import Silent
from eval_pipeline.orchestration.planning.cells import Cell
from eval_pipeline.orchestration.planning.plan import stage_of_name
from eval_pipeline.orchestration.recomputation import Verified, verify
from eval_pipeline.orchestration.stage import Computed, Settings, StageInputs
from eval_pipeline.warehouse.errors import MixedIdentities
from eval_pipeline.warehouse.place import Place
from eval_pipeline.warehouse.pointer import pointer_to
from eval_pipeline.warehouse.store import Warehouse
from eval_pipeline.warehouse.stored import require_one_identity
from eval_pipeline.warehouse.trace import trace
from eval_pipeline_tests.integration.three_contracts import (
    DRAWS,
    SUMS,
    sum_items,
    sums_of,
    three_contracts,
    write_contract,
)
from eval_pipeline_tests.orchestration.plainly import run_plainly

HOME = ("sums", 1)


@pytest.fixture
def root(tmp_path: Path) -> DataRoot:
    return three_contracts(tmp_path, "sums")


def opened(root: DataRoot) -> Evaluation:
    return Evaluation(root, Settings(), "test")


def restate(root: DataRoot, checkpoint: str, file: str, text: str) -> None:
    (root.checkpoint(checkpoint) / file).write_text(text, encoding="utf-8")
    write_success(root.checkpoint(checkpoint))


def rows(root: DataRoot, table: str, checkpoint: str | None = None) -> list[dict[str, Any]]:
    stored = Warehouse(root.warehouse).read(table, *HOME, checkpoint=checkpoint)
    found: list[dict[str, Any]] = stored.table().to_pylist()
    return found


def test_what_comes_out_the_same_is_not_followed_further(root: DataRoot) -> None:
    run_plainly(root)
    restate(root, "late", "talks.jsonl", "")  # a file of another benchmark, in the same marker
    done = {str(cell): how for cell, how in run_plainly(root).done.items()}
    assert done == {"sums/v1 generations of late": "ok"}  # nothing that follows
    history = Warehouse(root.warehouse).history()
    record = history.latest_success(Place("generations", *HOME, "late"))
    assert record is not None
    assert record.outcome == "unchanged"
    assert not run_plainly(root).done


def test_a_frozen_contract_cannot_be_edited_once_it_has_results(root: DataRoot) -> None:
    run_plainly(root)
    write_contract(root, "sums", {"seed: 1": "seed: 2"})
    for lock in (root.contracts_lock.read_bytes(), None):
        if lock is None:
            root.contracts_lock.unlink()  # the warehouse remembers as well
        found = opened(root)
        assert not found.world.active
        (fault,) = found.world.faults["contracts/sums/v1.yaml"]
        assert "was changed after results were recorded: restore it or add v2" in fault
        assert "statistics.seed was 1 and is 2" in fault
        assert not run_plainly(root).done
    write_contract(root, "sums")
    assert not run_plainly(root).done


def test_items_may_be_mended_until_they_could_be_read_and_not_after(root: DataRoot) -> None:
    path = root.items("sums@1")
    whole = path.read_text()
    path.write_text(whole + "{\n")
    assert {str(cell) for cell in run_plainly(root).failed} == {"sums/v1 items"}
    path.write_text(whole)
    assert not run_plainly(root).failed
    path.write_text(whole.replace("old market", "new market"))
    (fault,) = opened(root).world.faults["contracts/sums/v1.yaml"]
    assert "items.jsonl" in fault


def test_results_of_two_identities_are_never_joined(root: DataRoot) -> None:
    draft = {"version: 1\n": "version: 1\nstatus: draft\n"}
    write_contract(root, "sums", draft)
    run_plainly(root)
    write_contract(root, "sums", {**draft, "seed: 1": "seed: 2"})
    evaluation = opened(root)
    with evaluation.exclusive():
        for stage in ("contract", "items"):
            evaluation.run_cell(Cell(*HOME, stage))
        for stage in ("generations", "verifier_scores"):
            evaluation.run_cell(Cell(*HOME, stage, "early"))  # and late is as it was
        mixed = evaluation.warehouse.read("verifier_scores", *HOME)
        with pytest.raises(MixedIdentities, match="join results of one identity only"):
            require_one_identity(mixed)
        identity = evaluation.world.contract("sums").identity
        with pytest.raises(MixedIdentities, match="checkpoint late was made under identity"):
            evaluation.warehouse.read("verifier_scores", *HOME, identity=identity)
        cell = Cell(*HOME, "paired_comparisons")
        made = evaluation.make(cell)
    assert set(made.opened.reads["verifier_scores"]) == {"early"}
    assert any("late" in line for line in made.opened.behind)


def test_draws_that_are_lacking_are_listed_until_they_arrive(root: DataRoot) -> None:
    lines = sums_of("late").splitlines(keepends=True)
    restate(root, "late", "sums.jsonl", "".join(lines[:-3]))
    run_plainly(root)
    missing = [
        (row["item_id"], row["draw"], row["reason"]) for row in rows(root, "missing_draws", "late")
    ]
    last, before = sum_items()[-1]["item_id"], sum_items()[-2]["item_id"]
    assert missing == [(before, 1, "absent"), (last, 0, "absent"), (last, 1, "absent")]
    assert len(rows(root, "verifier_scores", "late")) == SUMS * DRAWS - 3
    restate(root, "late", "sums.part-1.jsonl", "".join(lines[-3:]))
    assert not run_plainly(root).failed
    assert rows(root, "missing_draws", "late") == []
    assert len(rows(root, "verifier_scores", "late")) == SUMS * DRAWS


class Watch(Silent):
    """Notes which files below the data root are opened while a cell is computed."""

    def __init__(self, root: DataRoot) -> None:
        self.root = root
        self.reads: dict[Cell, set[str]] = {}
        self.cell: Cell | None = None

    def started(self, cell: Cell) -> None:
        self.cell = cell
        self.reads[cell] = set()

    def saw(self, path: Any) -> None:
        if self.cell is None or not isinstance(path, str | os.PathLike):
            return
        seen = Path(path)
        if seen.is_relative_to(self.root.path) and not seen.is_relative_to(self.root.warehouse):
            self.reads[self.cell].add(seen.relative_to(self.root.path).as_posix())


@pytest.fixture
def watched(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[DataRoot, Watch]:
    """All three contracts, computed under watch."""
    root = three_contracts(tmp_path)
    watch = Watch(root)

    def watching(opener: Callable[..., Any]) -> Callable[..., Any]:
        def watched_open(path: Any, *arguments: Any, **named: Any) -> Any:
            watch.saw(path)
            return opener(path, *arguments, **named)

        return watched_open

    evaluation = Evaluation(root, Settings(), "watched", watch)
    with evaluation.exclusive():
        while waiting := [
            one.cell for one in evaluation.plan().to_run if one.cell not in evaluation.done
        ]:
            with monkeypatch.context() as patched:
                for module, name in ((builtins, "open"), (io, "open"), (os, "open")):
                    patched.setattr(module, name, watching(getattr(module, name)))
                made = evaluation.make(waiting[0])
            watch.cell = None
            for table in stage_of_name()[waiting[0].stage].tables:
                evaluation.publish(made, table)
    return root, watch


LEDGERS = {"contracts/contracts.lock", "contracts/accepted.yaml"}  # registries, not inputs


def test_the_record_names_the_files_that_were_opened_and_no_other(
    watched: tuple[DataRoot, Watch],
) -> None:
    root, watch = watched
    history = Warehouse(root.warehouse).history()
    assert len(watch.reads) == 52
    for cell, paths in watch.reads.items():
        for table in stage_of_name()[cell.stage].tables:
            record = history.latest_success(Place(table, *cell.home, cell.checkpoint))
            assert record is not None
            assert {file.path for file in record.inputs.files} == paths - LEDGERS, str(cell)
            for file in record.inputs.files:
                content = (root.path / file.path).read_bytes()
                assert file.bytes == len(content)
                assert file.sha256 == hashlib.sha256(content).hexdigest()


def test_trace_ends_at_the_files_that_were_really_read(watched: tuple[DataRoot, Watch]) -> None:
    root, watch = watched
    warehouse = Warehouse(root.warehouse)
    for contract in ("sums", "leaks", "talks"):
        shown = {
            file.path for step in trace(warehouse, "report", contract, 1) for file in step.files
        }
        read = {
            path
            for cell, paths in watch.reads.items()
            if cell.contract == contract
            for path in paths
        }
        assert shown == read - LEDGERS
        assert f"checkpoints/late/{'talks' if contract == 'talks' else 'sums'}.jsonl" in shown


def verdicts(root: DataRoot, *tables: str, contract: str = "sums") -> dict[str, Verified]:
    evaluation = opened(root)
    places = [
        place
        for place in evaluation.warehouse.standing()
        if place.table in tables and place.contract == contract
    ]
    return {str(one.place): one for one in verify(evaluation, places)}


@pytest.fixture(scope="module")
def computed(tmp_path_factory: pytest.TempPathFactory) -> DataRoot:
    root = three_contracts(tmp_path_factory.mktemp("computed"))
    assert not run_plainly(root).failed
    return root


def test_verify_finds_every_table_of_an_untouched_project_the_same(computed: DataRoot) -> None:
    before = Warehouse(computed.warehouse).history()
    tables = {table for stage in CHAIN for table in stage.tables}
    found = [
        one
        for contract in ("sums", "leaks", "talks")
        for one in verdicts(computed, *tables, contract=contract).values()
    ]
    assert {one.verdict for one in found} == {"same"}
    contracts = [one.contract for one in load_all(computed).contracts]
    unasked = {
        table
        for stage in CHAIN
        for table in stage.tables
        if not any(stage.wanted(contract) for contract in contracts)
    }
    assert "annotations" in unasked
    assert tables - {one.place.table for one in found} == unasked
    after = Warehouse(computed.warehouse).history()
    assert list(before.places()) == list(after.places())


@contextmanager
def changed_stage(name: str, **changes: Any) -> Iterator[None]:
    """A stage that computes otherwise; stages are frozen, so this goes past the dataclass."""
    stage = stage_of_name()[name]
    before = {field: getattr(stage, field) for field in changes}
    for field, value in changes.items():
        object.__setattr__(stage, field, value)
    try:
        yield
    finally:
        for field, value in before.items():
            object.__setattr__(stage, field, value)


def test_verify_names_the_instrument_that_computes_otherwise(computed: DataRoot) -> None:
    right = stage_of_table()["metric_estimates"].compute

    def halved(inputs: StageInputs) -> Computed:
        made = right(inputs)
        table = made.tables["metric_estimates"]
        i = table.column_names.index("value")
        table = table.set_column(i, table.schema.field(i), pc.divide(table["value"], 2.0))
        return replace(made, tables={"metric_estimates": table})

    with changed_stage("metric_estimates", version=99, compute=halved):
        found = verdicts(computed, "metric_estimates")
    assert {one.verdict for one in found.values()} == {"differs"}
    for one in found.values():
        assert one.reason.startswith("stage was metric_estimates@")
        assert one.reason.endswith("is metric_estimates@99")
    with changed_stage("metric_estimates", compute=halved):
        one = verdicts(computed, "metric_estimates").popitem()[1]
    assert one.reason == "same inputs, other values"


def altered(table: pa.Table) -> pa.Table:
    i = table.column_names.index("score")
    return table.set_column(i, table.schema.field(i), pc.subtract(1.0, table["score"]))


def test_verify_finds_a_part_that_was_altered(root: DataRoot) -> None:
    run_plainly(root)
    warehouse = Warehouse(root.warehouse)
    record = warehouse.history().latest_success(Place("verifier_scores", *HOME, "early"))
    assert record is not None
    part = pointer_to(record).part(warehouse.tables)
    table = pq.read_table(part, partitioning=None)
    pq.write_table(altered(table), part)
    written = ("verifier_scores", "metric_estimates")
    found = verdicts(root, *written)
    scores = found["verifier_scores of sums v1, checkpoint early"]
    assert scores.verdict == "differs"
    assert "was altered after it was written: delete it and run again" in scores.reason
    assert found["metric_estimates of sums v1, checkpoint early"].verdict == "cannot"
    assert found["metric_estimates of sums v1, checkpoint late"].verdict == "same"
    part.unlink()
    assert not run_plainly(root).failed
    assert {one.verdict for one in verdicts(root, *written).values()} == {"same"}


def test_verify_cannot_where_a_raw_file_is_gone_or_changed(root: DataRoot) -> None:
    run_plainly(root)
    (root.checkpoint("late") / "sums.jsonl").unlink()
    path = root.checkpoint("early") / "sums.jsonl"
    path.write_bytes(path.read_bytes().replace(b"Answer", b"answer"))
    found = verdicts(root, "generations", "verifier_scores")
    late = found["generations of sums v1, checkpoint late"]
    assert (late.verdict, late.computed) == ("cannot", None)
    assert late.reason == "checkpoints/late/sums.jsonl is gone: restore it from a copy"
    early = found["generations of sums v1, checkpoint early"]
    assert early.reason == "checkpoints/early/sums.jsonl has changed since it was read: restore it"
    assert found["verifier_scores of sums v1, checkpoint late"].verdict == "same"


def test_verify_of_a_table_that_was_never_made_says_how_to_make_it(root: DataRoot) -> None:
    with pytest.raises(LookupError, match="there is no report of sums v1: `eval-pipeline run`"):
        list(verify(opened(root), [Place("report", *HOME)]))


def test_a_check_of_one_table_keeps_all_tables_of_its_cell_back(root: DataRoot) -> None:
    run_plainly(root)
    before = Warehouse(root.warehouse).standing()
    restate(root, "late", "sums.jsonl", sums_of("another"))
    right = stage_of_table()["generations"].compute

    def losing(inputs: StageInputs) -> Computed:
        made = right(inputs)
        fewer = made.tables["generations"].slice(1)
        return replace(made, tables={**made.tables, "generations": fewer})

    with changed_stage("generations", compute=losing):
        failed = {str(cell): why for cell, why in run_plainly(root).failed.items()}
    assert "every_row_is_held" in failed["sums/v1 generations of late"]
    after = Warehouse(root.warehouse).standing()
    for table in stage_of_table()["generations"].tables:
        place = Place(table, *HOME, "late")
        assert after[place].digest == before[place].digest
