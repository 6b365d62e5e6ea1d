"""The code location as text that a person can read and compare.

After a wanted change: `python -m eval_pipeline_tests.orchestration.code_location.outline`
writes it anew.
"""

import tempfile
from collections.abc import Iterator
from pathlib import Path

import dagster as dg

from eval_pipeline.layout import DataRoot
from eval_pipeline.orchestration.code_location.location import code_location
from eval_pipeline.orchestration.evaluation import Evaluation
from eval_pipeline.orchestration.stage import Settings
from eval_pipeline_tests.integration.roots import bundled_root

OUTLINE = Path(__file__).with_name("outline.txt")
CONTRACTS = ("arithmetic_words", "helpful_replies", "python_functions")


def of_bundled_data(folder: Path) -> str:
    """The outline of the code location of a copy of the bundled data."""
    root: DataRoot = bundled_root(folder, *CONTRACTS)
    world = Evaluation(root, Settings(), "outline").world
    return "".join(f"{line}\n" for line in lines(code_location(world)))


def lines(definitions: dg.Definitions) -> Iterator[str]:
    graph = definitions.resolve_asset_graph()
    specs = sorted(definitions.resolve_all_asset_specs(), key=lambda spec: spec.key)
    for group in sorted({spec.group_name or "" for spec in specs}):
        yield f"group {group}"
        for spec in specs:
            if spec.group_name != group:
                continue
            node = graph.get(spec.key)
            each = "each checkpoint" if spec.partitions_def else "once"
            runs = "" if node.is_executable else ", never run"
            deps = ", ".join(sorted(dep.asset_key.path[-1] for dep in spec.deps)) or "nothing"
            yield f"  {'/'.join(spec.key.path)}: {each}{runs}, from {deps}"
            for check in sorted(node.check_keys):
                yield f"    check {check.name}"
    for job in sorted(definitions.jobs or (), key=lambda one: one.name):
        yield f"job {job.name}"
    for schedule in definitions.schedules or ():
        assert isinstance(schedule, dg.ScheduleDefinition)
        when = f"{schedule.cron_schedule} {schedule.execution_timezone}"
        yield f"schedule {schedule.name}: {when}, {schedule.default_status.value}"
    for sensor in definitions.sensors or ():
        every = f"every {sensor.minimum_interval_seconds} s"
        yield f"sensor {sensor.name}: {every}, {sensor.default_status.value}"
    names = {
        spec.partitions_def.name
        for spec in specs
        if isinstance(spec.partitions_def, dg.DynamicPartitionsDefinition)
    }
    yield from (f"dynamic partition {name}" for name in sorted(str(one) for one in names))


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as scratch:
        OUTLINE.write_text(of_bundled_data(Path(scratch)), encoding="utf-8")
