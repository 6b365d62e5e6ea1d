"""A real `eval-pipeline ui`, started in the background as a script does, asked through GraphQL."""

import json
import os
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar

Found = TypeVar("Found")
DEADLINE_SECONDS = 240  # for a machine under load; the conditions come true in a tenth of it
BETWEEN_LOOKS = 0.5
GRACE_SECONDS = 20


class DevServer:
    """Webserver and daemon on a free port of loopback."""

    def __init__(self, port: int, process: subprocess.Popen[bytes], log: Path) -> None:
        self.url = f"http://127.0.0.1:{port}"
        self._process = process
        self._log = log

    def ask(self, query: str, **variables: Any) -> Any:
        """The data of a GraphQL answer. Raises AssertionError for one with errors."""
        body = json.dumps({"query": query, "variables": variables}).encode()
        request = urllib.request.Request(
            f"{self.url}/graphql", body, {"Content-Type": "application/json"}
        )
        with urllib.request.urlopen(request, timeout=60) as answer:
            reply = json.load(answer)
        assert "errors" not in reply, reply["errors"]
        return reply["data"]

    def wait_for(self, what: str, look: Callable[[], Found | None]) -> Found:
        """What `look` finds, as soon as it finds something; fails with the log otherwise."""
        end = time.monotonic() + DEADLINE_SECONDS
        while time.monotonic() < end:
            assert self._process.poll() is None, f"the server ended:\n{self.log()}"
            found = look()
            if found:
                return found
            time.sleep(BETWEEN_LOOKS)
        raise AssertionError(f"waited in vain for {what}:\n{self.log()}")

    def answers(self) -> bool:
        """Whether the webserver is up and has loaded the code location."""
        try:
            return bool(self.ask("{ assetNodes { id } }")["assetNodes"])
        except (urllib.error.URLError, ConnectionError):
            return False

    def log(self) -> str:
        lines = self._log.read_text(errors="replace").splitlines()
        return "\n".join(line for line in lines if " DEBUG " not in line)


@contextmanager
def dev_server(data: Path, home: Path, log: Path, **environment: str) -> Iterator[DevServer]:
    """Runs while the block runs; it ends on SIGTERM, and its webserver with it."""
    port = free_port()
    main = "from eval_pipeline.cli import main; main()"
    command = [sys.executable, "-c", main, "ui", "--port", str(port)]
    variables = {"EVAL_PIPELINE_DATA": str(data), "DAGSTER_HOME": str(home), **environment}
    with log.open("wb") as out:
        process = subprocess.Popen(
            command,
            env={**os.environ, **variables},
            stdout=out,
            stderr=subprocess.STDOUT,
            preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_IGN),
        )
    try:
        server = DevServer(port, process, log)
        server.wait_for("the webserver", server.answers)
        yield server
    finally:
        process.send_signal(signal.SIGTERM)
        code = process.wait(2 * GRACE_SECONDS)
    assert code == 0, server.log()
    with socket.socket() as probe:
        assert probe.connect_ex(("127.0.0.1", port)) != 0, "the webserver outlives the command"


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
