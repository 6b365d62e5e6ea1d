"""The `eval-pipeline` command: a door to each verb, which imports what it needs, inside."""

from eval_pipeline.cli.command import main

__all__ = ["main"]
