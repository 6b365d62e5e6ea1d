"""A checkpoint whose folder vanished after its results were made, and came back."""

import shutil
from pathlib import Path

import pytest

from eval_pipeline.ingest.checkpoint import MARKER
from eval_pipeline.orchestration.planning.cells import Cell
from eval_pipeline.orchestration.planning.plan import NotThereError, open_cell
from eval_pipeline.orchestration.planning.world import read_world
from eval_pipeline_tests.orchestration.desk import Desk
from eval_pipeline_tests.orchestration.small import small_root

LOST = "owl@step2"
CELLS = {f"sums/v1 {stage} of {LOST}" for stage in ("generations", "verifier_scores")}


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    found = Desk(small_root(tmp_path, "sums", checkpoints=2))
    found.settle()
    return found


def became(desk: Desk) -> str:
    world = read_world(desk.root, desk.digests, lambda *_: None, desk.books.with_results)
    return world.gone[LOST]


def test_its_cells_are_gone_and_what_rests_on_it_is_made_again(desk: Desk) -> None:
    shutil.rmtree(desk.root.checkpoint(LOST))
    states = desk.states()
    assert {states[cell] for cell in CELLS} == {"gone"}
    assert states["sums/v1 verifier_scores of owl@step1"] == "current"
    assert states["sums/v1 leaderboard"] == "upstream"
    desk.settle()
    assert set(desk.states().values()) == {"current", "gone"}
    assert became(desk) == "its folder is gone"


def test_the_leaderboard_still_reads_what_stands_of_it_and_says_that_it_is_gone(desk: Desk) -> None:
    before = dict(desk.books.parts)
    aside = shutil.move(desk.root.checkpoint(LOST), desk.root.path / "aside")
    desk.settle()
    board = Cell("sums", 1, "leaderboard")
    (active,) = desk.active
    opened = open_cell(desk.root, active, desk.books, desk.digests, desk.settings, board)
    assert opened.facts == {"gone": LOST}
    assert set(opened.reads["metric_estimates"]) == {"owl@step1", LOST}
    decided = Cell("sums", 1, "decisions")
    opened = open_cell(desk.root, active, desk.books, desk.digests, desk.settings, decided)
    assert set(opened.reads["metric_estimates"]) == {"owl@step1"}
    shutil.move(aside, desk.root.checkpoint(LOST))
    desk.settle()
    assert desk.books.parts == before


def test_to_run_it_says_that_it_is_not_there(desk: Desk) -> None:
    shutil.rmtree(desk.root.checkpoint(LOST))
    (active,) = desk.active
    for name, said in ((LOST, "put its folder back"), ("never@seen", "sums/v1 is about")):
        cell = Cell("sums", 1, "generations", name)
        with pytest.raises(NotThereError, match=said):
            open_cell(desk.root, active, desk.books, desk.digests, desk.settings, cell)


def test_without_its_marker_it_is_no_complete_checkpoint_any_more(desk: Desk) -> None:
    (desk.root.checkpoint(LOST) / MARKER).unlink()
    assert became(desk) == "its _SUCCESS is gone"
    assert desk.states()[f"sums/v1 generations of {LOST}"] == "gone"


def test_one_that_never_had_a_result_is_not_missed(tmp_path: Path) -> None:
    desk = Desk(small_root(tmp_path, "sums", checkpoints=2))
    shutil.rmtree(desk.root.checkpoint(LOST))
    assert not any(LOST in cell for cell in desk.states())
