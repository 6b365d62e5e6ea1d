"""The UI as people run it: webserver and daemon, a checkpoint that lands, a back-fill by hand."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from eval_pipeline.layout import DataRoot
from eval_pipeline.orchestration.chain import stage_of_table
from eval_pipeline.orchestration.evaluation import Evaluation
from eval_pipeline.orchestration.settings import SENSOR_VARIABLE
from eval_pipeline.orchestration.stage import Settings
from eval_pipeline_tests.cli.calling import refused
from eval_pipeline_tests.orchestration.dev_server import DevServer, dev_server
from eval_pipeline_tests.orchestration.small import land_step, small_root

LOCATION = {
    "repositoryName": "__repository__",
    "repositoryLocationName": "eval_pipeline.definitions",
}
NODES = "{ assetNodes { assetKey { path } groupName isPartitioned } }"
MATERIALISED = """
query($key: AssetKeyInput!, $partitions: [String!]) {
  assetNodeOrError(assetKey: $key) {
    ... on AssetNode {
      assetMaterializations(partitions: $partitions, limit: 1) { timestamp runId partition }
    }
  }
}
"""
STOP_SENSOR = """
mutation($id: String!) {
  stopSensor(id: $id) { __typename ... on StopSensorMutationResult { instigationState { status } } }
}
"""
ADD_PARTITION = """
mutation($key: String!, $selector: RepositorySelector!) {
  addDynamicPartition(
    partitionsDefName: "checkpoint", partitionKey: $key, repositorySelector: $selector
  ) { __typename }
}
"""
BACK_FILL = """
mutation($params: LaunchBackfillParams!) {
  launchPartitionBackfill(backfillParams: $params) {
    __typename
    ... on LaunchBackfillSuccess { backfillId }
    ... on Error { message }
  }
}
"""
BACK_FILLED = """
query($id: String!) {
  partitionBackfillOrError(backfillId: $id) {
    ... on PartitionBackfill { status runs(limit: 20) { status tags { key value } } }
  }
}
"""
TICKS = """
query($selector: SensorSelector!) {
  sensorOrError(sensorSelector: $selector) {
    ... on Sensor { id sensorState { status ticks(limit: 1) { status skipReason } } }
  }
}
"""


@pytest.fixture
def root(tmp_path: Path) -> DataRoot:
    return small_root(tmp_path, "sums")


@pytest.fixture
def server(root: DataRoot, dagster_home: Path, tmp_path: Path) -> Iterator[DevServer]:
    variables = {SENSOR_VARIABLE: "1"}
    with dev_server(root.path, dagster_home, tmp_path / "log", **variables) as running:
        yield running


def key(table: str) -> dict[str, list[str]]:
    return {"path": ["sums", "v1", table]}


def last(server: DevServer, table: str, checkpoint: str | None = None) -> dict[str, Any] | None:
    """The latest materialisation of a table, of one checkpoint where it is named."""
    partitions = None if checkpoint is None else [checkpoint]
    answer = server.ask(MATERIALISED, key=key(table), partitions=partitions)
    found = answer["assetNodeOrError"]["assetMaterializations"]
    return found[0] if found else None


def tick(server: DevServer) -> dict[str, Any]:
    selector = {**LOCATION, "sensorName": "new_checkpoints"}
    sensor = server.ask(TICKS, selector=selector)["sensorOrError"]
    ticks = sensor["sensorState"]["ticks"]
    return {"id": sensor["id"], **(ticks[0] if ticks else {"status": None, "skipReason": None})}


def rests(server: DevServer) -> bool:
    return tick(server)["skipReason"] == "every number is up to date"


def back_fill(server: DevServer, tables: Sequence[str], checkpoints: Sequence[str]) -> list[str]:
    """Back-fills as a person does in the UI; the partitions of its runs, which all succeeded."""
    params = {"assetSelection": [key(table) for table in tables], "partitionNames": checkpoints}
    launched = server.ask(BACK_FILL, params=params)["launchPartitionBackfill"]
    assert "backfillId" in launched, launched

    def runs() -> list[dict[str, Any]] | None:
        answer = server.ask(BACK_FILLED, id=launched["backfillId"])["partitionBackfillOrError"]
        statuses = [run["status"] for run in answer["runs"]]
        assert "FAILURE" not in statuses, server.log()
        return answer["runs"] if statuses == ["SUCCESS"] * len(checkpoints) else None

    tags = [
        {tag["key"]: tag["value"] for tag in run["tags"]}
        for run in server.wait_for("the back-fill", runs)
    ]
    return sorted(one["dagster/partition"] for one in tags)


def states(root: DataRoot, checkpoint: str | None) -> set[str]:
    """Of the cells of a checkpoint, or of contract scope."""
    plan = Evaluation(root, Settings(), "look").plan()
    return {one.state for one in plan.cells if one.cell.checkpoint == checkpoint}


def test_a_checkpoint_that_lands_is_evaluated_and_a_back_fill_runs_each_checkpoint(
    server: DevServer, root: DataRoot
) -> None:
    assert "is held open by process" in refused(root.path, "ui")  # one daemon a warehouse
    nodes = server.ask(NODES)["assetNodes"]
    paths = [node["assetKey"]["path"] for node in nodes]
    assert {node["groupName"] for node in nodes} == {"sums/v1"}
    assert ["sums", "v1", "decisions"] in paths
    for node in nodes:
        stage = stage_of_table()[node["assetKey"]["path"][-1]]
        assert node["isPartitioned"] == (stage.scope == "checkpoint")

    server.wait_for("the first checkpoint", lambda: last(server, "report"))
    server.wait_for("the sensor at rest", lambda: rests(server))
    first = last(server, "decisions")
    assert first is not None

    land_step(root, 2, "sums", wrong=2)
    second = server.wait_for(
        "the aggregates of the second checkpoint",
        lambda: (found := last(server, "decisions")) and found != first and found,
    )
    cell = last(server, "verifier_scores", "owl@step2")
    assert cell is not None
    assert cell["runId"] == second["runId"]  # its cells and the aggregates, in one run
    server.wait_for("the sensor at rest", lambda: rests(server))
    assert states(root, "owl@step2") == states(root, None) == {"current"}
    earlier = last(server, "verifier_scores", "owl@step1")
    assert earlier is not None
    assert earlier["runId"] == first["runId"]

    stopped = server.ask(STOP_SENSOR, id=tick(server)["id"])["stopSensor"]
    assert stopped["instigationState"]["status"] == "STOPPED"
    late = ["owl@step3", "owl@step4"]
    for step, name in enumerate(late, start=3):
        land_step(root, step, "sums")
        server.ask(ADD_PARTITION, key=name, selector=LOCATION)
    cells = [
        table
        for table, stage in stage_of_table().items()
        if stage.scope == "checkpoint" and ["sums", "v1", table] in paths
    ]
    assert back_fill(server, cells, late) == late
    assert states(root, "owl@step3") == states(root, "owl@step4") == {"current"}
    warned = [line for line in server.log().splitlines() if "Warning: " in line]
    assert not [line for line in warned if "SupersessionWarning" not in line]
