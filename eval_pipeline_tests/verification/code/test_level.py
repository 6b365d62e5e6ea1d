"""Which sandbox is taken, and that none is taken for one that does not hold."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from eval_pipeline.verification.code import level
from eval_pipeline.verification.code.level import Sandbox, absent, chosen
from eval_pipeline.verification.code.limits import Limits
from eval_pipeline.verification.code.packages import folders, mentioned
from eval_pipeline.verification.code.pool import outcomes
from eval_pipeline.verification.code.selftest import ATTACKS
from eval_pipeline.verification.code.verifier import Code
from eval_pipeline.verification.code.worker import SandboxError, Worker
from eval_pipeline.verification.verdict import Item
from eval_pipeline_tests.verification.code.sandboxed import enter_private_mounts

ROOT = Path(__file__).resolve().parents[3]
SYSTEM_PYTHON = "/usr/bin/python3"
needs_sandbox = pytest.mark.skipif(absent() is not None, reason="no sandbox here")


@pytest.fixture(autouse=True)
def _private_mounts() -> None:
    enter_private_mounts()


@needs_sandbox
def test_the_self_test_says_how_much_holds():
    with Worker("namespaces", Limits(1, 3, 512)) as worker:
        memory = worker.memory_of_a_run
    assert level.tested("namespaces") == Sandbox("namespaces", "full", (), memory)
    assert chosen().notes() == {
        "sandbox": "namespaces",
        "sandbox_level": "full",
        "sandbox_memory_of_a_run": memory,
    }
    unheld = Sandbox("namespaces", "partial", ("memory_together",), memory)
    assert unheld.notes()["sandbox_memory_of_a_run"] == "none"
    assert Code().notes()["sandbox_level"] == "full"


@pytest.mark.skipif(shutil.which("bwrap") is None, reason="bubblewrap is not installed")
def test_bubblewrap_holds_the_essential_layers():
    sandbox = level.tested("bubblewrap")
    assert isinstance(sandbox, Sandbox), sandbox
    assert (sandbox.level, sandbox.failed) == ("partial", ())
    job = {"kind": "tests", "helpers": "", "test": "assert f() == 3", "entry_point": "f"}
    with Worker("bubblewrap", Limits(1, 5, 512)) as worker:
        for code, status in (
            ("def f(): return 3", "pass"),
            ("def f(): return 4", "wrong"),
            ("import os\ndef f(): os._exit(0)", "no_verdict"),
            ("def f():\n    while True: pass", "timeout_cpu"),
            ("import time\ndef f(): time.sleep(99)", "timeout_wall"),
            ("import os\ndef f():\n    while True: os.fork()", "pids"),
        ):
            assert worker.run({**job, "code": code}).status == status, code


def test_a_verdict_does_not_depend_on_the_sandbox():
    programs = [
        "def f(x): return x + 1", "def f(x): return x", "def f(x): return 1 / 0", "def f(x) 3",
        "def g(x): return x", "def f(x): return 'x' * 2**23", "def f(x): return 'x' * 2**40",
        "import os\ndef f(x): os._exit(0)", "def f(x): raise ValueError(object())",
    ]  # fmt: skip
    test = {"kind": "tests", "helpers": "", "test": "assert f(1) == 2", "entry_point": "f"}
    orders = [[{**test, "code": code}] for code in programs]
    modes = [m for m in level.SANDBOXES if isinstance(level.tested(m), Sandbox)] + ["limits"]
    found = [outcomes(orders, 1, mode, Limits(2, 20, 512), ()) for mode in modes]
    assert [one.status for one in found[0]] == [
        "pass", "wrong", "exception", "syntax", "missing_entry_point", "output_limit", "memory",
        "no_verdict", "exception",
    ]  # fmt: skip
    assert found == found[:1] * len(modes)


def test_with_limits_alone_an_honest_program_is_judged_too():
    job = {"kind": "tests", "helpers": "", "test": "assert f() == 3", "entry_point": "f"}
    with Worker("limits", Limits(1, 3, 256)) as worker:
        assert worker.run({**job, "code": "def f(): return 3"}).status == "pass"
        assert worker.run({**job, "code": "def f(): return 4"}).status == "wrong"


def test_without_a_sandbox_nothing_runs_unless_a_person_allowed_it(monkeypatch):
    weak = Sandbox("bubblewrap", "none", ("network",))
    answers = {"namespaces": "no user namespaces", "bubblewrap": weak, "landlock": "no Landlock"}
    monkeypatch.setattr(level, "tested", answers.__getitem__)
    said = "no user namespaces; bubblewrap does not hold network; no Landlock"
    with pytest.raises(SandboxError, match=said):
        chosen()
    with pytest.raises(SandboxError, match="--allow-unsafe-code"):
        Code().verify_all([(Item("i", entry_point="f", test="f()"), "def f(): pass")], 1)
    assert chosen(allow_unsafe_code=True) == Sandbox("limits", "none")
    answers["bubblewrap"] = Sandbox("bubblewrap", "partial", ("memory", "memory_together"))
    assert chosen(allow_unsafe_code=True).notes() == {
        "sandbox": "bubblewrap",
        "sandbox_level": "partial",
        "sandbox_memory_of_a_run": "none",
        "sandbox_lacks": "memory, memory_together",
    }


def test_the_first_sandbox_that_holds_is_taken_and_no_other_tried(monkeypatch):
    tried = []

    def tested(mode: str) -> Sandbox:
        tried.append(mode)
        return Sandbox(mode, "none" if mode == "namespaces" else "partial")

    monkeypatch.setattr(level, "tested", tested)
    assert (chosen().mode, tried) == ("bubblewrap", ["namespaces", "bubblewrap"])


def test_every_layer_that_a_level_needs_is_attacked():
    assert {*ATTACKS, "runs"} >= level.ESSENTIAL


@needs_sandbox
def test_a_package_that_the_contract_allows_is_there_and_no_other():
    item = Item("i", entry_point="f", test="assert f() == 6")
    uses = "import numpy as np\ndef f(): return int(np.arange(4).sum())"
    other = "import scipy\ndef f(): return 6"
    with_numpy = Code(cpu_seconds=5, wall_seconds=15, packages=("numpy",))
    assert with_numpy.verify_all([(item, uses)], 1)[0].score == 1.0
    for verifier, code in ((with_numpy, f"import numpy\n{other}"), (Code(), uses)):
        assert "ModuleNotFoundError" in verifier.verify_all([(item, code)], 1)[0].explanation
    assert mentioned("import numpy", ("numpy", "pandas")) == ("numpy", "pandas")
    assert mentioned("numpyx = 1", ("numpy",)) == ()
    with pytest.raises(ValueError, match="'no_such_package' is not installed"):
        folders(["no_such_package"])
    with pytest.raises(ValueError, match="no name of a package"):
        Code(packages=("a b",))


@needs_sandbox
@pytest.mark.skipif(os.geteuid() != 0, reason="needs root, to become an ordinary user")
@pytest.mark.skipif(not Path(SYSTEM_PYTHON).exists(), reason="needs the system's python3")
def test_it_holds_for_an_ordinary_user_as_well():
    code = (
        "import os, sys\n"
        "os.setgroups([]); os.setresgid(65534, 65534, 65534); os.setresuid(65534, 65534, 65534)\n"
        f"sys.path.insert(0, {str(ROOT)!r})\n"
        "from eval_pipeline.verification.code.level import tested\n"
        "print(tested('namespaces'))"
    )
    done = subprocess.run(
        [SYSTEM_PYTHON, "-B", "-c", code], capture_output=True, text=True, cwd="/", check=False
    )
    if "ModuleNotFoundError" in done.stderr or "PermissionError" in done.stderr:
        pytest.skip("an ordinary user cannot read the project's folder")
    assert done.stdout.strip() == str(Sandbox("namespaces", "full")), done.stderr
