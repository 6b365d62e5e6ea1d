"""`land`: completes a checkpoint folder."""

import click

from eval_pipeline.cli.reading.project import data_root
from eval_pipeline.cli.showing.examples import example


@click.command(epilog=example("land heron@step2000"))
@click.argument("checkpoint")
def command(checkpoint: str) -> None:
    """Write the `_SUCCESS` of a checkpoint folder, with the size and sha256 of each of its files.

    To be called when all files are there: from then on they are a checkpoint, and a file that
    changes is refused by name. Called again, it states the folder as it is now.
    """
    from eval_pipeline.contracts.targets import checkpoint_facts
    from eval_pipeline.ingest.checkpoint import landed_checkpoint, write_success

    root = data_root()
    folder = root.checkpoint(checkpoint)
    if not folder.is_dir():
        raise ValueError(f"{folder} is not there: put the checkpoint's files into it first")
    facts = checkpoint_facts(root, checkpoint)
    write_success(folder)
    landed_checkpoint(root, checkpoint)
    click.echo(f"{checkpoint} (family {facts.family or 'unknown'}) has landed: `eval-pipeline run`")
