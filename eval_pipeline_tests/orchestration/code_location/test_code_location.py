"""What the code location holds: for the bundled data line by line, and where files are at fault.

After a wanted change: `python -m eval_pipeline_tests.orchestration.code_location.outline`
writes the file anew.
"""

import shutil
import subprocess
import sys
from pathlib import Path

import dagster as dg

from eval_pipeline.layout import DataRoot
from eval_pipeline.orchestration.code_location.asset_metadata import plain
from eval_pipeline.orchestration.code_location.location import code_location
from eval_pipeline.orchestration.code_location.partitions import asset_key
from eval_pipeline.orchestration.evaluation import Evaluation
from eval_pipeline.orchestration.settings import settings_from_environment
from eval_pipeline_tests.conftest import PROJECT
from eval_pipeline_tests.integration.roots import bundled_root, run
from eval_pipeline_tests.orchestration.code_location.outline import (
    CONTRACTS,
    OUTLINE,
    of_bundled_data,
)
from eval_pipeline_tests.orchestration.small import add_contract, land_step, small_root


def loaded(root: DataRoot) -> dg.Definitions:
    return code_location(Evaluation(root, settings_from_environment(), "test").world)


def specs(definitions: dg.Definitions) -> dict[str, dg.AssetSpec]:
    return {"/".join(spec.key.path): spec for spec in definitions.resolve_all_asset_specs()}


def executable(definitions: dg.Definitions) -> set[str]:
    graph = definitions.resolve_asset_graph()
    return {"/".join(key.path) for key in graph.executable_asset_keys}


def test_the_bundled_data_give_the_code_location_that_is_written_down(tmp_path: Path) -> None:
    assert of_bundled_data(tmp_path) == OUTLINE.read_text(encoding="utf-8")


def test_the_code_location_validates_without_a_word_of_ours(tmp_path: Path) -> None:
    bundled_root(tmp_path, *CONTRACTS)
    command = [sys.executable, "-W", "always", "-m", "dagster", "definitions", "validate"]
    for target in (["-m", "eval_pipeline.definitions"], ["-w", "workspace.yaml"]):
        validated = subprocess.run(
            [*command, *target], capture_output=True, text=True, cwd=PROJECT, check=True
        )
        said = [line for line in validated.stderr.splitlines() if "Warning: " in line]
        dagsters_own = "SupersessionWarning: Function `definitions_validate_command`"
        assert not [line for line in said if dagsters_own not in line]


def test_a_retired_contract_is_seen_with_its_history_and_not_run(
    tmp_path: Path, instance: dg.DagsterInstance
) -> None:
    root = small_root(tmp_path, "sums", "words")
    run(root)
    root.retired.write_text(
        "- {contract: sums, version: 1, reason: its items leaked, date: 2026-02-01}\n"
    )
    definitions = loaded(root)
    assert "sums/v1/verifier_scores" in specs(definitions)
    shown = specs(definitions)["sums/v1/verifier_scores"]
    assert shown.group_name == "sums/v1"
    assert "its items leaked" in (shown.description or "")
    assert not {name for name in executable(definitions) if name.startswith("sums/")}
    assert "words/v1/verifier_scores" in executable(definitions)
    key = asset_key("sums", 1, "verifier_scores")
    assert instance.get_materialized_partitions(key) == {"owl@step1"}
    land_step(root, 2, "sums", "words")
    assert {cell.split("/")[0] for cell in run(root).done} == {"words"}


def test_a_broken_contract_is_shown_with_its_text_and_the_others_load(tmp_path: Path) -> None:
    root = small_root(tmp_path, "sums")
    broken = add_contract(root, "words")
    broken.write_text(broken.read_text(encoding="utf-8").replace("version: 1", "version: one"))
    definitions = loaded(root)
    fault = specs(definitions)["faults/contracts_words_v1_yaml"]
    assert fault.group_name == "faults"
    assert "version" in (fault.description or "")
    assert "one" in (fault.description or "")
    assert {name.split("/")[0] for name in executable(definitions)} == {"sums"}


def test_two_names_that_would_share_a_key_are_not_mixed(tmp_path: Path) -> None:
    root = small_root(tmp_path, "a-b", "a.b")
    definitions = loaded(root)
    assert {name.split("/")[0] for name in executable(definitions)} == {"a_b"}
    (fault,) = [spec for name, spec in specs(definitions).items() if name.startswith("faults/")]
    assert r"shares its asset key with a\-b" in (fault.description or "")


def test_odd_names_never_become_partitions(tmp_path: Path, instance: dg.DagsterInstance) -> None:
    root = small_root(tmp_path, "sums")
    odd = ["a|b", "a=b", "a b", ".hidden", "-dash", "na\u202eme", "n" * 129]
    for name in odd:
        shutil.copytree(root.checkpoint("owl@step1"), root.checkpoints / name)
    outcome = run(root)
    assert instance.get_dynamic_partitions("checkpoint") == ["owl@step1"]
    assert len([file for file in outcome.faults if file.startswith("checkpoints/")]) == len(odd)
    shown = specs(loaded(root))["faults/checkpoints_a_b"].description or ""
    for name in ("a|b", "a=b", "a b"):  # one key, and none of them is lost
        assert plain(f"checkpoints/{name}") in shown
