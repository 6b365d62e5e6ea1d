"""`validate`: every fault of contracts, items and checkpoint folders."""

import sys

import click

from eval_pipeline.cli.reading.project import data_root
from eval_pipeline.cli.showing.examples import example
from eval_pipeline.cli.showing.printing import counted, print_json


@click.command(epilog=example("validate"))
@click.option("--files/--no-files", default=True, help="Hash every file of every checkpoint too.")
@click.option("--json", "as_json", is_flag=True, help="JSON for programs.")
def command(files: bool, as_json: bool) -> None:
    """Check contracts, items and checkpoint folders; name every fault with its mend.

    Exits 1 where there is one. Nothing is written.
    """
    from eval_pipeline.orchestration.inspection import inspect
    from eval_pipeline.reporting.escaping import for_terminal

    found = inspect(data_root(), hash_files=files)
    if as_json:
        print_json({"faults": found.faults, "notes": found.notes, "checked": found.checked})
    else:
        for note in found.notes:
            click.echo(f"note: {for_terminal(note)}")
        for fault in found.faults:
            click.echo(for_terminal(fault), err=True)
        summary = ", ".join(f"{n} {what}" for what, n in found.checked.items())
        click.echo(f"checked {summary}: {counted(len(found.faults), 'fault')}")
    sys.exit(1 if found.faults else 0)
