"""A staged benchmark that the project has already."""

from pathlib import Path

import pytest

from eval_pipeline.ingest.imports.joining import join
from eval_pipeline.ingest.imports.staging import row_text
from eval_pipeline.ingest.peers.entries import Json
from eval_pipeline.layout import DataRoot

A: dict[str, Json] = {"item_id": "a", "question": "2 + 2?", "answer": "4"}
B: dict[str, Json] = {"item_id": "b", "question": "2 + 3?", "answer": "5"}


def put(root: DataRoot, *items: dict[str, Json]) -> Path:
    path = root.items("sums@1")
    path.parent.mkdir(parents=True)
    path.write_text("".join(map(row_text, items)))
    return path


@pytest.fixture
def roots(tmp_path: Path) -> tuple[DataRoot, DataRoot]:
    return DataRoot(tmp_path / "root"), DataRoot(tmp_path / "stage")


def test_a_new_benchmark_stays_on_the_stage(roots: tuple[DataRoot, DataRoot]) -> None:
    root, stage = roots
    path = put(stage, A)
    assert not join(root, stage, "sums@1")
    assert path.exists()


@pytest.mark.parametrize(
    "staged",
    [
        (A, B),
        (B, A),
        (B,),
        ({**A, "answer": "four", "given_answer": "4"}, B),
        ({**A, "level": 2},),  # a column more is nothing that is compared
    ],
)
def test_items_that_are_there_are_taken_off(
    roots: tuple[DataRoot, DataRoot], staged: tuple[dict[str, Json], ...]
) -> None:
    root, stage = roots
    put(root, A, B)
    path = put(stage, *staged)
    assert join(root, stage, "sums@1")
    assert not path.exists()


@pytest.mark.parametrize(
    ("staged", "said"),
    [
        ({**A, "item_id": "c"}, "item c is not in it"),
        ({**A, "question": "2 + 2 = ?"}, "item a has another question"),
        ({**A, "answer": "5"}, "item a has another question, reference or options"),
        ({**A, "options": ["4", "5"]}, "item a has another"),
    ],
)
def test_other_items_are_refused(
    roots: tuple[DataRoot, DataRoot], staged: dict[str, Json], said: str
) -> None:
    root, stage = roots
    before = put(root, A, B).read_bytes()
    put(stage, staged, B)
    with pytest.raises(ValueError, match=f"sums@1 is there already, and {said}"):
        join(root, stage, "sums@1")
    assert root.items("sums@1").read_bytes() == before
