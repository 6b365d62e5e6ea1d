"""A memory group ends what takes too much, is left by nobody inside, and leaves nothing behind."""

import os
import select
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

from eval_pipeline.verification.code import cgroup, level
from eval_pipeline.verification.code.limits import Limits
from eval_pipeline.verification.code.worker import Outcome, Worker
from eval_pipeline_tests.verification.code.sandboxed import enter_private_mounts

LIMITS = Limits(cpu_seconds=5, wall_seconds=30, memory_mb=512)
MODES = (*level.SANDBOXES, "limits")
ESCAPE = """
import os
def f():
    groups = {groups!r}
    done = []
    for folder in groups:
        for name, text in (("cgroup.procs", "0"), ("cgroup.procs", str(os.getpid())),
                           ("tasks", "0"), ("memory.limit_in_bytes", "-1"), ("memory.max", "max"),
                           ("memory.oom_control", "1"), ("cgroup.subtree_control", "+memory")):
            try:
                with open(folder + "/" + name, "w") as file:
                    file.write(text)
                done.append(folder + "/" + name)
            except OSError:
                pass
        try:
            os.mkdir(folder + "/made-inside")
            done.append(folder)
        except OSError:
            pass
    for descriptor in range(4, 256):  # 3 is its channel
        try:
            os.write(descriptor, b"")
            done.append(descriptor)
        except OSError:
            pass
    return done
"""


def here() -> list[str]:
    """Groups of this product that are there now, at every place where it may make one."""
    places = {parent for _, parent, _ in cgroup._places(Path("/proc"))}
    mine = f"-{os.getpid()}-"
    return [str(g) for p in places for g in p.glob("eval-pipeline-*") if mine in g.name]


@pytest.fixture
def group() -> Iterator[cgroup.Group]:
    enter_private_mounts()
    group = cgroup.made()
    if group is None:
        pytest.skip("no memory group may be made here")
    yield group
    group.remove()
    assert here() == []


@pytest.fixture(params=MODES)
def worker(request: pytest.FixtureRequest, group: cgroup.Group) -> Iterator[Worker]:
    mode = str(request.param)
    if mode != "limits" and isinstance(reason := level.tested(mode), str):
        pytest.skip(reason)
    with Worker(mode, LIMITS) as worker:
        yield worker


def run(worker: Worker, code: str, test: str = "assert f() == 7") -> Outcome:
    job = {"kind": "tests", "code": code, "helpers": "", "test": test, "entry_point": "f"}
    return worker.run(job)


def narrowed(worker: Worker, megabytes: int) -> Path:
    """The worker's group, held to so little more that no look of the watch is what ends a run."""
    group = worker._group
    assert group is not None
    group.hold(megabytes)
    return group._folder


def in_a_child(group: cgroup.Group, megabytes: int) -> int:
    """How a process in the group ended that took so much memory."""
    if (pid := os.fork()) == 0:
        cgroup.enter([os.dup(door) for door in group.doors])
        assert group.hold(16)
        held = b"x" * (megabytes << 20)
        os._exit(len(held) & 1)
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])


def test_a_group_ends_what_takes_more_and_counts_it(group: cgroup.Group):
    assert in_a_child(group, 20) == 0
    assert not group.starved()
    assert in_a_child(group, 600) == -signal.SIGKILL
    assert group.starved()
    assert not group.starved()


def test_nobody_in_a_group_is_no_group(group: cgroup.Group):
    assert not group.hold(16)


def test_a_process_that_leaves_is_not_held(group: cgroup.Group):
    if (pid := os.fork()) == 0:
        door = cgroup.enter([os.dup(door) for door in group.doors])
        assert group.hold(1)
        cgroup.leave(door)
        os._exit(len(b"x" * (300 << 20)) & 1)
    assert os.waitpid(pid, 0)[1] == 0
    assert not group.starved()


def test_more_than_the_group_holds_is_called_memory(worker: Worker):
    assert worker.memory_of_a_run.startswith("cgroup v")
    narrowed(worker, 40)
    said = Outcome("memory", "took more than 512 MiB at once")
    assert run(worker, "def f():\n    held = b'x' * (300 << 20)\n    return 7") == said
    assert run(worker, "held = b'x' * (300 << 20)\ndef f(): return 7") == said
    # of its children one is ended, and it would go on as if nothing had been
    code = (
        "import os\ndef f():\n    if os.fork() == 0:\n        held = b'x' * (300 << 20)\n"
        "        os._exit(0)\n    os.wait()\n    return 7"
    )
    assert run(worker, code) == said
    assert run(worker, "def f(): return 7") == Outcome("pass", "1 calls")


def test_the_process_with_the_tests_is_no_part_of_the_group(worker: Worker):
    assert run(worker, "def f(): return 7").status == "pass"
    narrowed(worker, 40)
    test = "held = b'x' * (300 << 20)\nassert f() == 7"
    assert run(worker, "def f(): return 7", test) == Outcome("pass", "1 calls")


def test_no_program_leaves_its_group_or_widens_it(worker: Worker):
    folder = narrowed(worker, 40)
    limit = {name: (folder / name).read_text() for name in cgroup_limits(folder)}
    groups = [str(folder), str(folder.parent), "/sys/fs/cgroup", "/sys/fs/cgroup/memory"]
    test = "found = f()\nassert found == [], found"
    assert run(worker, ESCAPE.format(groups=groups), test) == Outcome("pass", "1 calls")
    assert {name: (folder / name).read_text() for name in cgroup_limits(folder)} == limit
    assert not (folder / "made-inside").exists()


def cgroup_limits(folder: Path) -> list[str]:
    return [n for n in ("memory.limit_in_bytes", "memory.max") if (folder / n).exists()]


def test_a_spike_between_two_looks_is_memory(worker: Worker):
    code = (
        "import os\ndef f():\n    for _ in range(2):\n        if os.fork() == 0:\n"
        "            held = b'x' * (1 << 30)\n            os._exit(0)\n"
        "    os.wait(), os.wait()\n    return 7"
    )
    assert run(worker, code).status == "memory"


def test_no_group_is_left_by_a_worker_nor_by_one_that_was_killed(group: cgroup.Group):
    mode = next((m for m in level.SANDBOXES if not isinstance(level.tested(m), str)), "limits")
    reading, writing = os.pipe()
    if (pid := os.fork()) == 0:
        worker = Worker(mode, LIMITS)
        os.write(writing, str(worker._group._folder if worker._group else "").encode())
        signal.pause()
    left = Path(os.read(reading, 4096).decode())
    assert left.name.startswith("eval-pipeline-")
    assert left.is_dir()
    cgroup.made().remove()  # type: ignore[union-attr]  # the fixture made one
    assert left.is_dir(), "its maker lives"
    servers = [int(p) for p in (left / "cgroup.procs").read_text().split()]
    watched = [os.pidfd_open(server) for server in servers]
    os.kill(pid, signal.SIGKILL)
    os.waitpid(pid, 0)
    for descriptor in watched:
        end = select.poll()
        end.register(descriptor, select.POLLIN)
        assert end.poll(60_000), "a server outlives its starter"
        os.close(descriptor)
    cgroup.made().remove()  # type: ignore[union-attr]
    assert not left.exists()


def test_what_others_made_is_not_touched(group: cgroup.Group):
    others = group._folder.parent / "eval-pipeline-1-99999999-1-0"  # of another PID space
    others.mkdir()
    try:
        cgroup.made().remove()  # type: ignore[union-attr]
        assert others.is_dir()
    finally:
        others.rmdir()


def fake_proc(folder: Path, own: str, mounts: str) -> Path:
    (folder / "proc/self/ns").mkdir(parents=True)
    (folder / "proc/self/cgroup").write_text(own)
    (folder / "proc/self/mountinfo").write_text(mounts)
    (folder / "proc/self/ns/pid").symlink_to("pid:[4026531836]")
    return folder / "proc"


def test_version_two_makes_groups_beside_its_own(tmp_path: Path):
    own = tmp_path / "mounted tree/user/a.scope"
    own.mkdir(parents=True)
    mounted = str(tmp_path / "mounted tree").replace(" ", r"\040")
    line = f"41 31 0:38 / {mounted} rw,relatime shared:4 - cgroup2 cgroup2 rw\n"
    proc = fake_proc(tmp_path, "1:name=systemd:/elsewhere\n0::/user/a.scope\n", line)
    assert list(cgroup._places(proc)) == []
    (own.parent / "cgroup.subtree_control").write_text("cpu memory pids\n")
    assert [(v.name, p, o) for v, p, o in cgroup._places(proc)] == [("cgroup v2", own.parent, own)]
    assert cgroup.made(proc) is None  # no files of a group are in the folder
    assert [p.name for p in own.parent.iterdir()] == ["a.scope", "cgroup.subtree_control"]


def test_a_container_sees_its_own_part_of_version_one(tmp_path: Path):
    line = f"35 31 0:32 /docker/7 {tmp_path} rw - cgroup cgroup rw,memory\n"
    proc = fake_proc(tmp_path, "4:cpu,memory:/docker/7/inner\n", line)
    assert [(v.name, p) for v, p, _ in cgroup._places(proc)] == [("cgroup v1", tmp_path / "inner")]
    (proc / "self/cgroup").write_text("4:memory:/elsewhere\n")
    assert list(cgroup._places(proc)) == []


def test_where_no_group_may_be_made_the_watch_says_so(monkeypatch: pytest.MonkeyPatch):
    enter_private_mounts()
    monkeypatch.setattr(cgroup, "_places", lambda proc: iter(()))
    with Worker("limits", LIMITS) as worker:
        assert worker.memory_of_a_run == "watch"
        assert run(worker, "def f(): return 7").status == "pass"
