import os
import signal
import subprocess
import sys
import threading

import pytest

from eval_pipeline.warehouse.errors import WarehouseBusy
from eval_pipeline.warehouse.lock import lock_holder, warehouse_lock

HOLD = """
import sys
from pathlib import Path
from eval_pipeline.warehouse.lock import warehouse_lock
with warehouse_lock(Path(sys.argv[1])):
    print("held", flush=True)
    sys.stdin.read()
"""
FORK_AND_HOLD = """
import os, sys, time
from pathlib import Path
from eval_pipeline.warehouse.lock import warehouse_lock
with warehouse_lock(Path(sys.argv[1])):
    child = os.fork()
    if child == 0:
        print(os.getpid(), flush=True)
        os.read(int(sys.argv[2]), 1)
        os._exit(0)
    sys.stdin.read()
"""


@pytest.fixture
def folder(tmp_path):
    return tmp_path / "warehouse"


def start(script, *arguments, **options):
    return subprocess.Popen(
        [sys.executable, "-c", script, *map(str, arguments)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        **options,
    )


def test_a_second_process_is_told_at_once_who_holds_it(folder):
    with start(HOLD, folder) as holder:
        assert holder.stdout.readline() == "held\n"
        with pytest.raises(WarehouseBusy) as caught, warehouse_lock(folder):
            pass
        message = str(caught.value)
        assert f"warehouse {folder} is in use by process {holder.pid} on " in message
        assert "wait until it has ended" in message
        assert "\n" not in message
    with warehouse_lock(folder):
        pass


def test_the_lock_dies_with_its_process(folder):
    with start(HOLD, folder) as holder:
        assert holder.stdout.readline() == "held\n"
        holder.send_signal(signal.SIGKILL)
        holder.wait()
        with warehouse_lock(folder) as taken_here:
            assert taken_here


def test_it_may_be_taken_again_inside_itself_and_by_other_threads(folder):
    taken = []

    def take():
        with warehouse_lock(folder) as taken_here:
            taken.append(taken_here)

    with warehouse_lock(folder) as outer:
        with warehouse_lock(folder / "..") as parent, warehouse_lock(folder) as inner:
            assert (outer, parent, inner) == (True, True, False)
        thread = threading.Thread(target=take)
        thread.start()
        thread.join()
    take()
    assert taken == [False, True]


def test_it_is_released_by_an_error_inside(folder):
    with pytest.raises(KeyError), warehouse_lock(folder):
        raise KeyError
    with start(HOLD, folder) as other:
        assert other.stdout.readline() == "held\n"
        other.stdin.close()


def test_a_forked_child_that_outlives_its_parent_does_not_hold_it(folder):
    ours, theirs = os.pipe()
    try:
        with start(FORK_AND_HOLD, folder, ours, pass_fds=(ours,)) as holder:
            child = int(holder.stdout.readline())
            holder.send_signal(signal.SIGKILL)
            holder.wait()
            os.kill(child, 0)  # it is alive
            with warehouse_lock(folder) as taken_here:
                assert taken_here
            os.write(theirs, b".")
    finally:
        os.close(ours)
        os.close(theirs)


def test_a_forked_child_is_kept_out_while_its_parent_holds_it(folder):
    with warehouse_lock(folder):
        child = os.fork()
        if child == 0:
            code = 1
            try:
                with warehouse_lock(folder):
                    code = 2
            except WarehouseBusy:
                code = 0
            finally:
                os._exit(code)
        _, status = os.waitpid(child, 0)
    assert os.waitstatus_to_exitcode(status) == 0


LOOKER = """
import sys
from pathlib import Path
from eval_pipeline.warehouse.lock import lock_holder
print("looking", flush=True)
while True:
    lock_holder(Path(sys.argv[1]))
"""


def test_who_only_looks_at_the_lock_keeps_nobody_from_it(tmp_path):
    with warehouse_lock(tmp_path):
        holder = lock_holder(tmp_path)
        assert holder is not None
        assert f"process {os.getpid()} on " in holder
    assert lock_holder(tmp_path) is None
    assert lock_holder(tmp_path / "absent") is None
    looker = subprocess.Popen(
        [sys.executable, "-c", LOOKER, str(tmp_path)], stdout=subprocess.PIPE, text=True
    )
    try:
        assert looker.stdout is not None
        assert looker.stdout.readline() == "looking\n"
        for _ in range(500):
            with warehouse_lock(tmp_path):
                pass
    finally:
        looker.kill()
        looker.communicate()
