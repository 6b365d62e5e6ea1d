"""`freeze`: a draft becomes a frozen contract."""

import click

from eval_pipeline.cli.reading.project import chosen, evaluation
from eval_pipeline.cli.showing.examples import example
from eval_pipeline.cli.showing.printing import print_json


@click.command(epilog=example("freeze first --accept-guesses"))
@click.argument("contract")
@click.option("--version", type=click.IntRange(1), help="Version; the highest one else.")
@click.option("--accept-guesses", is_flag=True, help="Freeze what is still guessed as it stands.")
@click.option(
    "--confirm-instruments", is_flag=True, help="Keep instruments that were chosen in doubt."
)
@click.option("--json", "as_json", is_flag=True, help="JSON for programs.")
def command(
    contract: str,
    version: int | None,
    accept_guesses: bool,
    confirm_instruments: bool,
    as_json: bool,
) -> None:
    """Write `frozen` for `draft` in the contract's file, after everything was checked.

    Lines that are still marked `# guessed` are listed and nothing is frozen, exit 1, unless
    --accept-guesses is given: then their marks go. Instruments that a program chose in doubt
    need --confirm-instruments.

    From then on its numbers decide and gate. Once it has results it cannot be edited: a change
    is a new version.
    """
    from eval_pipeline.contracts.freezing import freeze
    from eval_pipeline.orchestration.planning.world import instruments_exist

    found = evaluation("freeze")
    name, number = chosen(found.world, contract, version).home
    identity = freeze(
        found.root, name, number, (instruments_exist,), accept_guesses, confirm_instruments
    )
    if as_json:
        print_json({"contract": name, "version": number, "identity": identity})
        return
    click.echo(f"{name}/v{number} is frozen, identity {identity}")
    click.echo(f"`eval-pipeline run --contract {name}` computes what it decides")
