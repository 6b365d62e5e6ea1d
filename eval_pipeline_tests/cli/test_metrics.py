"""`metrics`: what a contract may ask for, told without a data folder."""

import re
from pathlib import Path

import pytest
import yaml

from eval_pipeline.cli.metrics import request
from eval_pipeline.contracts.model import MetricRequest
from eval_pipeline.metrics.registry import METRICS, ChosenMetric, asked
from eval_pipeline_tests.cli.calling import refused, succeeded


def test_each_metric_is_listed_below_its_family_with_its_whole_source(tmp_path: Path) -> None:
    lines = succeeded(tmp_path, "metrics").stdout.splitlines()
    assert max(map(len, lines)) <= 100
    heading = ""
    for i, line in enumerate(lines):
        if not line.startswith(" "):
            heading = line
        found = METRICS.get(line.split()[0]) if line.startswith("  ") else None
        if found is not None and not line.startswith("    "):
            assert heading == found.family.replace("_", " ")
            assert f" {found.unit} " in line
            assert f" {found.direction}" in line
            assert line.endswith(f"  {found.source}") or lines[i + 1] == f"    {found.source}"
    named = [line.split()[0] for line in lines if re.match(r"  \S", line)]
    assert named == list(METRICS)


def test_json_tells_all_that_an_entry_holds(tmp_path: Path) -> None:
    told = {one["name"]: one for one in succeeded(tmp_path, "metrics", "--json").json}
    assert told.keys() == METRICS.keys()
    error = told["ece_event"]
    assert error["columns"][0] == {
        "name": "generations.confidence", "kind": "share", "needed": True
    }  # fmt: skip
    assert (error["unit"], error["higher_is_better"], error["version"]) == ("share", False, 1)
    assert [option["name"] for option in error["options"]] == ["bins", "rule"]
    assert "Guo et al. 2017" in error["source"]
    assert told["pass_at_k_plugin"]["diagnostic"] is True


@pytest.mark.parametrize("said", ["ece_event", "ece_event(bins=20)"])
def test_a_name_or_a_label_is_explained(tmp_path: Path, said: str) -> None:
    shown = succeeded(tmp_path, "metrics", said).stdout
    assert shown.startswith("ece_event@1\n")
    for expected in ("generations.confidence", "option bins", "10 if not given", "lower"):
        assert expected in shown


@pytest.mark.parametrize("name", sorted(METRICS))
def test_the_example_is_what_a_contract_takes(name: str) -> None:
    made = yaml.safe_load(request(ChosenMetric(METRICS[name], None, {})))["metrics"][0]
    taken = MetricRequest.model_validate(made)
    for label in taken.labels:
        found = asked(label)
        assert (found.metric.name, dict(found.options)) == (name, made.get("options", {}))


def test_the_example_has_the_options_of_the_label(tmp_path: Path) -> None:
    shown = succeeded(tmp_path, "metrics", "rubric_score(highest=10)").stdout
    assert "  points, 1 to 10\n" in shown
    assert shown.endswith("options: {lowest: 1, highest: 10}\n")


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (("auc",), "did you mean confidence_auroc"),
        (("exact_match",), f"`eval-pipeline metrics` lists the {len(METRICS)}"),
        (("Pass@4",), "unknown metric 'Pass@4': did you mean pass_at_k"),
        (("rubric_score(highest=1)",), "highest is 1, not above lowest of 1"),
        (("ece_evnt",), "unknown metric 'ece_evnt': did you mean ece_event"),
        (("ece_event(bin=3)",), "ece_event has no option 'bin': did you mean bins?"),
        (("--family", "calib"), "there is no family 'calib'"),
    ],
)
def test_what_is_not_there_gets_the_nearest(tmp_path: Path, call: tuple[str, ...], said: str):
    assert said in refused(tmp_path, "metrics", *call)
