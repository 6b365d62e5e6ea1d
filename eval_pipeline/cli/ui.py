"""`ui`: the Dagster UI on this project."""

import os
import sys

import click

from eval_pipeline.cli.project import data_root


@click.command()
@click.option(
    "--port",
    type=click.IntRange(1, 65535),
    default=3000,
    show_default=True,
    help="Port on loopback.",
)
def command(port: int) -> None:
    """Open the Dagster UI (webserver and daemon) on 127.0.0.1.

    The schedule and the sensor run while it is open.
    """
    from eval_pipeline.orchestration.home import set_environment

    set_environment(data_root())
    arguments = ["-m", "dagster", "dev", "-m", "eval_pipeline.definitions"]
    arguments += ["-h", "127.0.0.1", "-p", str(port)]
    click.echo(f"Dagster UI on http://127.0.0.1:{port} (stop with Ctrl-C)", err=True)
    os.execv(sys.executable, [sys.executable, *arguments])
