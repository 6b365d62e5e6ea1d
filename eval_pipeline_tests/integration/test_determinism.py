"""Same inputs, same digests: whatever the folder, the hash seed, the order of rows, the workers."""

import random
from collections.abc import Mapping
from pathlib import Path

import pytest

from eval_pipeline.ingest.checkpoint import write_success
from eval_pipeline.layout import DataRoot
from eval_pipeline.warehouse.place import Place
from eval_pipeline.warehouse.store import Warehouse
from eval_pipeline_tests.integration.command import eval_pipeline
from eval_pipeline_tests.integration.roots import bundled_root
from eval_pipeline_tests.integration.three_contracts import three_contracts
from eval_pipeline_tests.orchestration.plainly import run_plainly

# Tables that hold the place of a line, or the digest of a file: other bytes, other values.
OF_THE_FILES = {"generations", "rejected_lines", "ingest_files"}


def digests(root: DataRoot) -> Mapping[Place, str | None]:
    standing = Warehouse(root.warehouse).standing()
    return {place: record.digest for place, record in standing.items()}


def shuffle_rows(root: DataRoot) -> None:
    """Puts the rows of every plain generation file into another order, and states them anew."""
    order = random.Random(5)
    shuffled = 0
    for folder in sorted(root.checkpoints.iterdir()):
        for path in sorted(folder.glob("*.jsonl")):
            lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
            order.shuffle(lines)
            path.write_text("".join(lines), encoding="utf-8")
            shuffled += len(lines) > 1
        write_success(folder)
    assert shuffled > 1


def compare(one: DataRoot, other: DataRoot) -> None:
    """All tables are alike; those of the files differ for the rows that were shuffled."""
    left, right = digests(one), digests(other)
    assert left.keys() == right.keys()
    differing = {place for place in left if left[place] != right[place]}
    assert {place.table for place in differing} <= OF_THE_FILES
    assert any(place.table == "generations" for place in differing)


def test_a_run_elsewhere_of_shuffled_rows_gives_the_same_numbers(tmp_path: Path) -> None:
    one = three_contracts(tmp_path / "one")
    assert not run_plainly(one).failed
    other = three_contracts(tmp_path / "elsewhere" / "and deeper")
    shuffle_rows(other)
    done = eval_pipeline(other, "run", "--workers", "2", PYTHONHASHSEED="12345")
    assert done.code == 0, done.err
    compare(one, other)


@pytest.mark.slow
def test_the_bundled_numbers_come_out_alike_in_two_processes(tmp_path: Path) -> None:
    names = ("arithmetic_words", "helpful_replies")
    one, other = (bundled_root(tmp_path / folder, *names) for folder in ("one", "other"))
    shuffle_rows(other)
    for root, seed, workers in ((one, "1", "1"), (other, "999", "2")):
        done = eval_pipeline(root, "run", "--workers", workers, PYTHONHASHSEED=seed)
        assert done.code == 0, done.err
    compare(one, other)
