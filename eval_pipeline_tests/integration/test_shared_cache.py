"""What the shared cache holds is not believed: the real program makes damage anew, and says so."""

import shutil
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from eval_pipeline.layout import DataRoot
from eval_pipeline.warehouse.cache import DAMAGED
from eval_pipeline.warehouse.store import Warehouse
from eval_pipeline_tests.integration.command import Done, eval_pipeline
from eval_pipeline_tests.integration.roots import bundled_root, complete

CONTRACT = "arithmetic_words"
KINDS = ("contamination_counts", "contamination_indexes", "contamination_scans", "near_documents")


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> DataRoot:
    root = bundled_root(tmp_path_factory.mktemp("finished"), CONTRACT, checkpoints=1)
    complete(root)
    return root


def files_of(root: DataRoot, kind: str) -> list[Path]:
    return sorted(path for path in (root.warehouse / "cache" / kind).rglob("*") if path.is_file())


def of_no_rows(path: Path) -> None:
    pq.write_table(pa.table({"item_id": pa.array([], pa.string())}), path)


def run_again(finished: DataRoot, folder: Path, damage: Callable[[Path], None]) -> Done:
    """A copy whose cache is damaged and whose tables of the corpora are gone, run once more."""
    root = DataRoot(folder / "data")
    shutil.copytree(finished.path, root.path)
    for kind in KINDS:
        assert files_of(root, kind)
        for path in files_of(root, kind):
            damage(path)
    tables = root.warehouse / "tables"
    for name in ("near_duplicates", "contamination_*"):
        for table in tables.glob(name):
            shutil.rmtree(table)
    done = eval_pipeline(root, "run")
    statuses = [statuses_of(one) for one in (finished, root)]
    assert statuses[0] == statuses[1]
    assert statuses[0]["contaminated"] > 0
    for kind in KINDS:
        assert [path.relative_to(root.path) for path in files_of(root, kind)] == [
            path.relative_to(finished.path) for path in files_of(finished, kind)
        ]
    return done


def statuses_of(root: DataRoot) -> Counter[str]:
    table = Warehouse(root.warehouse).read("contamination_items", CONTRACT, 1).table()
    return Counter(table["status"].to_pylist())


def test_an_emptied_cache_changes_no_verdict_and_is_said(
    finished: DataRoot, tmp_path: Path
) -> None:
    done = run_again(finished, tmp_path, of_no_rows)
    assert done.code == 0
    said = {line.split()[1] for line in done.out.splitlines() if DAMAGED in line}
    assert said == {"contamination_index", "contamination_hits", "near_duplicates"}, done.out


def test_a_sound_cache_is_used_in_silence(finished: DataRoot, tmp_path: Path) -> None:
    done = run_again(finished, tmp_path, lambda path: None)
    assert done.code == 0
    assert DAMAGED not in done.out + done.err
