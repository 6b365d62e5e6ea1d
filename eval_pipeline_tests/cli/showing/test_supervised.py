"""Services end with the process that supervises them, in each way in which it can end."""

import os
import signal
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from eval_pipeline.warehouse.lock import ui_lock
from eval_pipeline_tests.cli.calling import refused
from eval_pipeline_tests.conftest import PROJECT

# A service with a child of its own, which is deaf to what ends most; both hold standard output.
SERVICE = """
import signal, subprocess, sys, time
deaf = "import signal; [signal.signal(n, signal.SIG_IGN) for n in (1, 2, 15)]; signal.pause()"
child = subprocess.Popen([sys.executable, "-c", deaf])
try:
    print("up", flush=True)
    while True:
        time.sleep(0.1)  # a pause that began as the signal came would not end
except KeyboardInterrupt:
    print("interrupted", flush=True)
"""
SUPERVISOR = """
import sys
from eval_pipeline.cli.showing.supervised import supervise
print(supervise([sys.executable, "-c", sys.argv[1]]))
"""


def started(*ignored: signal.Signals, service: str = SERVICE) -> "subprocess.Popen[str]":
    """A supervisor, as a shell starts it that has it ignore these signals."""

    def before() -> None:
        signal.signal(signal.SIGHUP, signal.SIG_DFL)  # the tests may run below nohup
        for one in ignored:
            signal.signal(one, signal.SIG_IGN)

    return subprocess.Popen(
        [sys.executable, "-c", SUPERVISOR, service],
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": str(PROJECT)},
        preexec_fn=before,
    )


def first_line(process: "subprocess.Popen[str]") -> str:
    assert process.stdout is not None
    return process.stdout.readline().strip()


@pytest.mark.parametrize("ending", [signal.SIGTERM, signal.SIGINT, signal.SIGHUP])
def test_all_that_was_started_ends_with_it_also_in_the_background(ending: signal.Signals) -> None:
    process = started(signal.SIGINT)
    assert first_line(process) == "up"
    process.send_signal(ending)
    said, _ = process.communicate(timeout=60)  # the output is open as long as one of them lives
    assert said.split() == ["interrupted", "None"]
    assert process.returncode == 0


def test_a_killed_supervisor_leaves_no_service() -> None:
    process = started(service="import signal; print('up', flush=True); signal.pause()")
    assert first_line(process) == "up"
    process.kill()
    process.communicate(timeout=60)


def test_a_service_that_ends_by_itself_gives_its_code() -> None:
    process = started(service="raise SystemExit(3)")
    assert process.communicate(timeout=60)[0].strip() == "3"


def test_a_second_ui_and_a_port_in_use_are_refused_in_a_line(tmp_path: Path) -> None:
    with ui_lock(tmp_path / "warehouse", 3456):
        line = refused(tmp_path, "ui")
    assert f"the UI of {tmp_path / 'warehouse'} is held open by process {os.getpid()} on " in line
    assert line.endswith(", http://127.0.0.1:3456: stop it first")
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        line = refused(tmp_path, "ui", "--port", str(port))
    assert f"port {port} is in use by another program: choose another, such as --port" in line
