"""Every way to hold a program withstands the same attacks, for root and for an ordinary user."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from eval_pipeline.verification.code import landlock
from eval_pipeline.verification.code.server import GRANTS
from eval_pipeline_tests.verification.code.attacks import ATTACKS, ON_HOST

ROOT = Path(__file__).resolve().parents[3]
PYTHONS = (os.path.realpath(sys.executable), "/usr/bin/python3")
MODES = ("namespaces", "bubblewrap", "landlock", "limits")
LATEST = 4 * (GRANTS + 2) + 30  # seconds: the wall limit, what it may wait for, and the driver
FEW = (
    "exits_well_when_called", "writes_verdicts_to_the_channel", "deletes_all_files",
    "ends_all_it_can_see", "leaves_a_grandchild_behind", "leaves_threads_behind",
    "forks_up_to_the_limit", "takes_memory_with_its_children", "fills_the_scratch",
    "digs_deep_and_locks_up", "signals_by_a_descriptor", "opens_a_socket",
    "spoils_the_folder_above",
)  # fmt: skip
AS_ROOT = ("poisons_the_library", "forks_up_to_the_limit", "becomes_root", "links_to_the_root")


def python_of_an_ordinary_user() -> str | None:
    """An interpreter that nobody can read, with the project in reach."""
    for python in PYTHONS:
        code = (
            "import os; os.setresgid(65534, 65534, 65534); os.setresuid(65534, 65534, 65534); "
            "import resource, ctypes; open('eval_pipeline/__init__.py').close()"
        )
        tried = subprocess.run([python, "-c", code], cwd=ROOT, capture_output=True, check=False)
        if tried.returncode == 0:
            return python
    return None


def attacked(user: str, mode: str, names: tuple[str, ...]) -> dict[str, Any]:
    if os.geteuid() != 0:
        pytest.skip("needs root, to become an ordinary user in namespaces of its own")
    if mode == "bubblewrap" and shutil.which("bwrap") is None:
        pytest.skip("bubblewrap is not installed")
    if mode == "landlock":
        try:
            landlock.version()
        except OSError as error:
            pytest.skip(f"no Landlock here: {error}")
    # of an environment below /tmp, which is covered, only its interpreter is there
    python = os.path.realpath(sys.executable) if user == "root" else python_of_an_ordinary_user()
    if python is None:
        pytest.skip("an ordinary user can read no interpreter, or not the project's folder")
    # /tmp is covered below, and the project may lie there
    command = [
        "unshare", "--mount", "sh", "-c",
        'mount --bind "$0" /mnt && cd /mnt && exec "$@"',
        str(ROOT), python, "-B", "-m", "eval_pipeline_tests.verification.code.attacked", user, mode,
        *names,
    ]  # fmt: skip
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd="/")
    if "mount:" in done.stderr or "unshare:" in done.stderr:
        pytest.skip(f"no namespaces for the test: {done.stderr.strip()[:200]}")
    assert done.returncode == 0, done.stderr
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def faults(mode: str, found: dict[str, Any]) -> list[str]:
    faults = [f"left: {found['left']}"] if any(found["left"]) else []
    faults += [] if found["honest"] == "pass" else ["an honest program fails afterwards"]
    for name, (status, message, seconds) in found["outcomes"].items():
        right = ATTACKS[name][1]
        if mode in ("landlock", "limits"):
            right = right | ON_HOST.get(name, set())
        if status not in right or seconds > LATEST:
            faults.append(f"{name}: {status} ({message}) after {seconds:.1f} s, not {right}")
    return faults


@pytest.mark.parametrize("mode", MODES)
def test_a_few_attacks_on_every_layer_fail_and_leave_nothing(mode: str):
    assert faults(mode, attacked("nobody", mode, FEW)) == []


def test_root_becomes_a_user_whom_landlock_holds():
    assert faults("landlock", attacked("root", "landlock", AS_ROOT)) == []


@pytest.mark.slow
@pytest.mark.parametrize("user", ["nobody", "root"])
@pytest.mark.parametrize("mode", MODES)
def test_all_attacks_fail_and_leave_nothing(mode: str, user: str):
    assert faults(mode, attacked(user, mode, ())) == []
