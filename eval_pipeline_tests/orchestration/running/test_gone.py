"""What a run, Dagster and the leaderboard make of a checkpoint that is gone from disk."""

import shutil
from pathlib import Path

import dagster as dg
import pytest

from eval_pipeline.layout import DataRoot
from eval_pipeline.orchestration.boards import board
from eval_pipeline.orchestration.code_location.location import code_location
from eval_pipeline.orchestration.code_location.partitions import asset_key
from eval_pipeline.orchestration.evaluation import Evaluation
from eval_pipeline.orchestration.recomputation import verify
from eval_pipeline.orchestration.settings import settings_from_environment
from eval_pipeline.rows.leaderboard import LeaderboardRow
from eval_pipeline.warehouse.place import Place
from eval_pipeline_tests.integration.roots import run
from eval_pipeline_tests.orchestration.small import small_root

LOST = "owl@step2"
BOARD = Place("leaderboard", "sums", 1)


def evaluation(root: DataRoot) -> Evaluation:
    return Evaluation(root, settings_from_environment(), "test")


def rows(root: DataRoot) -> dict[str, LeaderboardRow]:
    found = evaluation(root)
    made = board(root, found.warehouse, found.world.active[0].contract)
    assert made is not None
    assert not made.composed
    return {row["checkpoint"]: row for row in made.rows}


def digests(root: DataRoot) -> dict[Place, str | None]:
    standing = evaluation(root).warehouse.standing()
    return {place: record.digest for place, record in standing.items()}


@pytest.fixture
def root(tmp_path: Path) -> DataRoot:
    made = small_root(tmp_path, "sums", checkpoints=2)
    run(made)
    return made


def test_its_numbers_stay_and_are_marked_until_it_comes_back(root: DataRoot) -> None:
    before, board_before = digests(root), rows(root)
    aside = shutil.move(root.checkpoint(LOST), root.path / "aside")
    outcome = run(root)
    assert outcome.notes == (
        f"checkpoint {LOST} is gone from disk (its folder is gone); its results stay as history",
    )
    then = rows(root)
    assert {name: row["gone"] for name, row in then.items()} == {"owl@step1": False, LOST: True}
    assert then[LOST]["value"] == board_before[LOST]["value"]
    assert then[LOST]["outcome"] is None
    (again,) = verify(evaluation(root), [BOARD])
    assert again.verdict == "same"
    with pytest.raises(ValueError, match=f"checkpoint {LOST} is gone from disk"):
        run(root, checkpoint=LOST)
    shutil.move(aside, root.checkpoint(LOST))
    assert not run(root).failed
    assert digests(root) == before


def test_a_reference_that_is_gone_is_said(root: DataRoot) -> None:
    shutil.rmtree(root.checkpoint("owl@step1"))  # the oldest: the others were held against it
    run(root)
    board_now = rows(root)
    assert board_now[LOST]["outcome"] == "reference"
    assert "owl@step1, older than it and gone from disk" in " ".join(board_now[LOST]["remarks"])
    assert board_now["owl@step1"]["gone"]


def test_a_renamed_checkpoint_is_a_twin_of_the_one_that_is_gone(root: DataRoot) -> None:
    shutil.move(root.checkpoint(LOST), root.checkpoint("owl@step3"))
    run(root)
    assert rows(root)["owl@step3"]["twins"] == ["owl@step1", LOST]  # they answer alike
    assert f"the same reply to every item as {LOST}" in rows(root)["owl@step3"]["remarks"]


def test_back_filling_it_is_a_skip_with_a_sentence(
    root: DataRoot, instance: dg.DagsterInstance
) -> None:
    shutil.rmtree(root.checkpoint(LOST))
    instance.add_dynamic_partitions("checkpoint", [LOST])
    definitions = code_location(evaluation(root).world)
    job = definitions.resolve_implicit_global_asset_job_def()
    key = asset_key("sums", 1, "verifier_scores")
    result = job.execute_in_process(
        instance=instance,
        partition_key=LOST,
        asset_selection=list(
            dg.AssetSelection.assets(key)
            .required_multi_asset_neighbors()
            .resolve(definitions.resolve_asset_graph())
        ),
        raise_on_error=False,
    )
    assert result.success
    assert not result.get_asset_materialization_events()
    (seen,) = result.get_asset_observation_events()
    why = seen.asset_observation_data.asset_observation.metadata["not made"].value
    assert f"sums/v1 verifier_scores of {LOST}" in str(why)
    assert "no longer a complete checkpoint on disk" in str(why)


def test_what_a_person_should_know_of_the_board_is_a_warning_and_stops_nothing(
    root: DataRoot, instance: dg.DagsterInstance
) -> None:
    shutil.rmtree(root.checkpoint(LOST))
    run(root)
    records = instance.get_event_records(
        dg.EventRecordsFilter(dg.DagsterEventType.ASSET_CHECK_EVALUATION)
    )
    latest = {}
    for record in reversed(records):
        event = record.event_log_entry.dagster_event
        assert event is not None
        latest[event.asset_check_evaluation_data.check_name] = event.asset_check_evaluation_data
    warned = latest["every_checkpoint_is_on_disk"]
    assert (warned.passed, warned.severity) == (False, dg.AssetCheckSeverity.WARN)
    assert warned.metadata["finding"].value == LOST
    assert latest["nothing_is_quarantined"].passed
    assert latest["every_vote_is_cast"].passed
