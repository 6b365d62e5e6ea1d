"""The bundled data under the newest instruments: what flipped from version 1, and why."""

import re
import shutil
from pathlib import Path
from typing import Any

import pytest

from eval_pipeline.lab.contracts import CONTRACTS
from eval_pipeline.layout import DataRoot
from eval_pipeline.verification.registry import VERIFIERS
from eval_pipeline_tests.cli.calling import succeeded
from eval_pipeline_tests.cli.project import put
from eval_pipeline_tests.conftest import PROJECT

CHECKPOINT = "tern@step2000"
RENEWED = {"arithmetic_words": "numeric_answer@2", "python_functions": "tested_code@2"}

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def renewed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the bundled data with a second version of both verified contracts, run once."""
    path = tmp_path_factory.mktemp("renewed") / "data"
    shutil.copytree(PROJECT / "data", path, ignore=shutil.ignore_patterns("warehouse"))
    root = DataRoot(path)
    for name, preset in RENEWED.items():
        text = re.sub(r"(?m)^version: 1$", "version: 2", CONTRACTS[name])
        text = re.sub(r"(?m)^extends: .*$", f"extends: presets/{preset}", text)
        if preset == "tested_code@2" and "code@2" not in VERIFIERS:
            text += "verification: {verifier: code@1}\n"
        put(root.contract_file(name, 2), text)
    for name in RENEWED:
        succeeded(path, "run", "--contract", name, "--checkpoint", CHECKPOINT)
    return path


def flips(root: Path, contract: str) -> dict[str, Any]:
    told: dict[str, Any] = succeeded(
        root,
        *("compare", CHECKPOINT, CHECKPOINT, "--contract", f"{contract}@2"),
        *("--against", f"{contract}@1", "--json"),
    ).json
    return told


@pytest.mark.parametrize("contract", RENEWED)
def test_what_flipped_adds_up_and_each_has_its_cause(renewed: Path, contract: str) -> None:
    told = flips(renewed, contract)
    assert told["other_reply"] == told["alone"] == 0
    assert told["compared"] > 0
    moved = [*told["flips"], *told["same_score"]]
    assert sum(move["n"] for move in told["by_status"]) == len(moved)
    assert sum(move["flipped"] for move in told["by_status"]) == told["flipped"]
    assert told["gained"] + told["lost"] == told["flipped"] == sum(told["by_cause"].values())
    for ends in told["ends"].values():
        assert sum(ends.values()) == told["compared"]
    was, now = (told["ends"][f"{contract}/v{version}"] for version in (1, 2))
    for end in {*was, *now}:
        left = sum(move["n"] for move in told["by_status"] if move["was"] == end)
        came = sum(move["n"] for move in told["by_status"] if move["now"] == end)
        assert now.get(end, 0) - was.get(end, 0) == came - left
    for flip in moved:
        assert flip["cause"] in ("extraction", "verdict", "policy")
        assert flip["why"]
        assert (flip["was"] != flip["now"]) or (flip["ended"] != flip["ends"])
    assert "@1" in told["verifiers"][f"{contract}/v1"]
    assert "@2" in told["verifiers"][f"{contract}/v2"]


def test_what_is_shown_is_what_is_asked_for(renewed: Path) -> None:
    told = flips(renewed, "arithmetic_words")
    call = ("compare", CHECKPOINT, CHECKPOINT, "--contract", "arithmetic_words@2")
    shown = succeeded(renewed, *call, "--against", "arithmetic_words@1", "--show", "0").stdout
    assert f"{told['flipped']} sample" in shown
    assert "numeric@2" in shown
    assert "numeric@1" in shown
    for flip in (*told["flips"], *told["same_score"]):
        assert flip["item_id"] in shown


def test_the_items_and_replies_of_both_versions_are_the_same(renewed: Path) -> None:
    told = succeeded(renewed, "diff", "arithmetic_words@1", "arithmetic_words@2", "--json").json
    fields = {one["field"] for one in told["fields"]}
    assert {field for field in fields if not field.startswith(("verification.", "failures."))} == {
        "version"
    }
