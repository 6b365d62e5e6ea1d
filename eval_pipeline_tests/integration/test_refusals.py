"""A run that cannot begin, or cannot go on: one line with the mend, another exit code than 0."""

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from eval_pipeline.layout import DataRoot
from eval_pipeline.orchestration.evaluation import Silent
from eval_pipeline.orchestration.running.session import bring_up_to_date
from eval_pipeline.warehouse.lock import warehouse_lock
from eval_pipeline_tests.integration.command import START, Done, environment, eval_pipeline
from eval_pipeline_tests.integration.full_disk import digests
from eval_pipeline_tests.integration.three_contracts import (
    land_answers,
    three_contracts,
    write_contract,
)
from eval_pipeline_tests.orchestration.plainly import run_plainly

CELLS = 12  # of the contract sums with its two checkpoints


def refused(done: Done, *words: str) -> None:
    """One line on stderr, with these words, and exit code 1."""
    assert done.code == 1
    assert len(done.told) == 1, done.err
    assert done.tells(*words), done.err


def test_a_data_root_that_is_not_there_is_named(tmp_path: Path) -> None:
    absent = tmp_path / "nowhere"
    done = eval_pipeline(absent, "run")
    refused(done, f"error: there is no data folder {absent}", "or set EVAL_PIPELINE_DATA")
    assert not absent.exists()
    done = eval_pipeline(None, "run", folder=tmp_path)
    refused(done, f"error: there is no data folder {tmp_path / 'data'}", "eval-pipeline init")


def test_a_project_without_contracts_is_no_success(tmp_path: Path) -> None:
    root = DataRoot(tmp_path)
    refused(eval_pipeline(root, "run"), "fault: contracts: is not a folder", "eval-pipeline init")
    root.contracts.mkdir()
    refused(eval_pipeline(root, "run"), "fault: contracts: there is none", "eval-pipeline init")


def test_a_project_without_checkpoints_is_no_success(tmp_path: Path) -> None:
    root = three_contracts(tmp_path, "sums", checkpoints=())
    run_plainly(root)  # what rests on no checkpoint is computed already
    words = ("fault: checkpoints: none has landed", "put one into checkpoints/<name>/")
    refused(eval_pipeline(root, "run"), *words)


@pytest.mark.parametrize(
    ("kind", "name", "says"),
    [
        ("contract", "sum", "there is no contract 'sum' to run: did you mean sums?"),
        ("contract", "talks", "contracts/talks/v1.yaml:2: version: "),
        ("checkpoint", "latest", "there is no checkpoint 'latest' to run: did you mean late?"),
        ("checkpoint", "landing", "checkpoints/landing waits for its _SUCCESS: write that"),
        ("checkpoint", "linked", "checkpoints/linked: sums.jsonl is a symbolic link"),
    ],
)
def test_a_name_that_cannot_be_run_is_told_why(
    flawed: DataRoot, kind: str, name: str, says: str
) -> None:
    with pytest.raises(ValueError, match=re.escape(says)):
        bring_up_to_date(flawed, Silent(), **{kind: name})


@pytest.fixture(scope="module")
def flawed(tmp_path_factory: pytest.TempPathFactory) -> DataRoot:
    root = three_contracts(tmp_path_factory.mktemp("flawed"), "sums")
    write_contract(root, "talks", {"version: 1": "version: one"})
    (land_answers(root, "landing", "2026-01-03") / "_SUCCESS").unlink()
    link = land_answers(root, "linked", "2026-01-03") / "sums.jsonl"
    link.unlink()
    link.symlink_to("talks.jsonl")
    return root


def test_a_second_run_ends_at_once_and_names_the_first(tmp_path: Path) -> None:
    root = three_contracts(tmp_path, "sums")
    with warehouse_lock(root.warehouse):
        started = time.monotonic()
        done = eval_pipeline(root, "run")
        seconds = time.monotonic() - started
    refused(done, f"is in use by process {os.getpid()}", "wait until it has ended")
    assert seconds < 10  # it does not wait; the machine may be busy


def test_of_two_runs_at_once_one_computes_all_and_the_other_nothing(tmp_path: Path) -> None:
    root = three_contracts(tmp_path, "sums")
    command = [*START, "run", "--json"]
    both = [
        subprocess.Popen(
            command,
            env=environment(root),
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        for _ in range(2)
    ]
    ends = [(*process.communicate(), process.returncode) for process in both]
    (won,) = [out for out, _, code in ends if code == 0]
    (lost,) = [err for _, err, code in ends if code != 0]
    assert len(json.loads(won)["computed"]) == CELLS
    assert lost.count("\n") == 1
    assert "is in use by process" in lost


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str | None]:
    root = three_contracts(tmp_path_factory.mktemp("undisturbed"), "sums")
    assert not run_plainly(root).failed
    return digests(root)


def test_a_run_that_is_stopped_says_so_and_the_next_goes_on_from_there(
    tmp_path: Path, undisturbed: dict[str, str | None]
) -> None:
    root = three_contracts(tmp_path, "sums")
    child = subprocess.Popen(
        [*START, "run"], env=environment(root), stderr=subprocess.PIPE, text=True
    )
    assert child.stderr is not None
    told = []
    for line in child.stderr:
        told.append(line)
        if line.startswith("[4/"):
            child.send_signal(signal.SIGINT)
    assert child.wait() == 130
    assert told[-1].startswith("stopped; what was finished is kept")
    assert "Traceback" not in "".join(told)
    kept = digests(root)
    assert kept
    evaluation = run_plainly(root)
    assert not evaluation.failed
    assert len(evaluation.done) < CELLS - 3
    assert digests(root) == undisturbed


def without_privilege() -> list[str]:
    """What starts a command for whom permissions hold, even if this process is root's."""
    if os.geteuid() != 0:
        return []
    drop = ["setpriv", "--bounding-set", "-dac_override,-dac_read_search"]
    if shutil.which("setpriv") is None or subprocess.run([*drop, "true"]).returncode:
        pytest.skip("this is root, whom no permission stops, and setpriv cannot give that up")
    return drop


@pytest.mark.parametrize(
    ("place", "says"),
    [
        ("", ("error: ", "data/warehouse: permission denied: mend its permissions")),
        ("contracts", ("error: ", "data/contracts: permission denied: mend its permissions")),
        ("contracts/sums", ("fault: contracts/sums: cannot be read", "mend its permissions")),
        ("benchmarks/sums/v1/items.jsonl", ("fault: ", "items.jsonl: permission denied: mend")),
        ("checkpoints", ("error: ", "data/checkpoints: permission denied: mend its permissions")),
        ("warehouse", ("error: ", "/warehouse/.lock: permission denied: mend its permissions")),
    ],
)
def test_what_may_not_be_read_is_named(tmp_path: Path, place: str, says: tuple[str, ...]) -> None:
    root = three_contracts(tmp_path, "sums")
    root.warehouse.mkdir()
    path = root.path / place
    mode = path.stat().st_mode
    path.chmod(0)
    try:
        done = eval_pipeline(root, "run", within=without_privilege())
    finally:
        path.chmod(mode)
    refused(done, *says)


def test_a_checkpoint_that_may_not_be_read_is_no_waiting_one(tmp_path: Path) -> None:
    root = three_contracts(tmp_path, "sums")
    run_plainly(root)
    land_answers(root, "sealed", "2026-01-03")
    root.checkpoint("sealed").chmod(0)
    try:
        done = eval_pipeline(root, "run", within=without_privilege())
    finally:
        root.checkpoint("sealed").chmod(0o755)
    refused(done, "fault: checkpoints/sealed: ", "permission denied: mend its permissions")


def own_mounts() -> list[str]:
    """What starts a command in a mount namespace of its own."""
    for way in (["unshare", "-m"], ["unshare", "-rm"]):
        if shutil.which("unshare") and not subprocess.run([*way, "true"]).returncode:
            return way
    pytest.skip("a private mount namespace, for a small disk, cannot be made here (unshare -m)")


# Too small for Dagster's databases; too small for the tables.
@pytest.mark.parametrize("kibibytes", [200, 700])
def test_a_full_disk_is_said_in_one_line_and_costs_nothing_but_time(
    tmp_path: Path, kibibytes: int, undisturbed: dict[str, str | None]
) -> None:
    root = three_contracts(tmp_path, "sums")
    command = [sys.executable, "-m", "eval_pipeline_tests.integration.full_disk"]
    child = subprocess.run(
        [*own_mounts(), *command, str(root.path), str(kibibytes)],
        env=environment(None),
        capture_output=True,
        text=True,
    )
    assert child.returncode == 0, child.stderr
    ends = json.loads(child.stdout)
    full, grown = Done(**ends["full"]), Done(**ends["grown"])
    assert full.code == 1
    assert "Traceback" not in full.err
    assert full.told[-1].startswith("error: no room to write in ")
    assert full.told[-1].endswith(
        "the results there are as they were; free some space and run again"
    )
    assert grown.code == 0, grown.err
    assert not json.loads(grown.out)["failed"]
    assert ends["kept"].items() <= ends["digests"].items()
    assert ends["digests"] == undisturbed
