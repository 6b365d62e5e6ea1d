"""Spellings of former releases: refused, with the one that took their place."""

from collections.abc import Callable
from typing import Any, TypeVar

import click

from eval_pipeline.cli.showing.examples import NAME

F = TypeVar("F", bound=Callable[..., Any])


def renamed(verb: str, option: str, now: str, *, is_flag: bool = False) -> Callable[[F], F]:
    """A hidden option that is refused: `verb option` is spelled `now`."""

    def refuse(context: click.Context, parameter: click.Parameter, value: object) -> None:
        if value not in (None, False):
            raise click.UsageError(f"`{verb} {option}` is `{NAME} {now}` now", context)

    return click.option(
        option, is_flag=is_flag, hidden=True, expose_value=False, is_eager=True, callback=refuse
    )
