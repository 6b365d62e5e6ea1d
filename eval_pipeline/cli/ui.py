"""`ui`: the Dagster UI on this project."""

import socket
import sys

import click

from eval_pipeline.cli.reading.project import data_root
from eval_pipeline.cli.showing.examples import example

LOOPBACK = "127.0.0.1"


@click.command(epilog=example("ui --port 3001"))
@click.option(
    "--port",
    type=click.IntRange(1, 65535),
    default=3000,
    show_default=True,
    help="Port on loopback.",
)
def command(port: int) -> None:
    """Open the Dagster UI (webserver and daemon) on 127.0.0.1.

    The schedules and the sensor run while it is open. It ends, with all that it started, on
    Ctrl-C, SIGTERM or SIGHUP.
    """
    from contextlib import ExitStack

    from eval_pipeline.cli.showing.supervised import supervise
    from eval_pipeline.orchestration.running.home import prepared_home, set_environment
    from eval_pipeline.warehouse.lock import ui_lock

    root = data_root()
    set_environment(root)
    with ExitStack() as held:
        for folder in (root.warehouse, prepared_home(root)):  # two daemons would start runs twice
            held.enter_context(ui_lock(folder, port))
        _check_free(port)
        click.echo(f"Dagster UI on http://{LOOPBACK}:{port} (stop with Ctrl-C)", err=True)
        arguments = ["-m", "dagster", "dev", "-m", "eval_pipeline.definitions"]
        code = supervise([sys.executable, *arguments, "-h", LOOPBACK, "-p", str(port)])
    if code is not None:
        raise ValueError(f"the UI ended by itself (exit code {code}): its last lines say why")


def _check_free(port: int) -> None:
    """Raises ValueError where another program listens."""
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)  # as the webserver does
        try:
            probe.bind((LOOPBACK, port))
        except OSError:
            raise ValueError(
                f"port {port} is in use by another program: choose another, such as "
                f"--port {port % 65535 + 1}"
            ) from None
