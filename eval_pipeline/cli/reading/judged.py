"""The contract of a verb about judges: it must have some."""

from typing import TYPE_CHECKING

import click

from eval_pipeline.cli.reading.project import chosen

if TYPE_CHECKING:
    from eval_pipeline.cli.reading.project import Chosen
    from eval_pipeline.orchestration.evaluation import Evaluation

VERSION = click.option("--version", type=click.IntRange(1), help="Version; the highest one else.")


def judged(found: "Evaluation", contract: str, version: int | None) -> "Chosen":
    """The contract that is named; raises ValueError for one that no judge takes part in."""
    one = chosen(found.world, contract, version)
    if one.contract.judging is None:
        raise ValueError(f"{one.title} has no judging, so no pairs of replies: choose another")
    return one
