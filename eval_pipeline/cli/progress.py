"""Progress of a run on stderr, and its summary on stdout."""

import sys
import time
from types import TracebackType
from typing import Self

import click

from eval_pipeline.cli.printing import print_table, terminal_width
from eval_pipeline.orchestration.cells import Cell
from eval_pipeline.orchestration.planning import Plan
from eval_pipeline.orchestration.session import SessionOutcome
from eval_pipeline.reporting.escaping import for_terminal, shortened


class Progress:
    """One line that is written over on a terminal; a line a cell elsewhere."""

    def __init__(self, quiet: bool = False) -> None:
        self._quiet = quiet
        self._live = sys.stderr.isatty() and not quiet
        self._total = 0
        self._ended = 0
        self._begun = time.monotonic()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._clear()

    def planned(self, plan: Plan) -> None:
        self._total = max(self._total, self._ended + len(plan.to_run))

    def started(self, cell: Cell) -> None:
        self._show(f"[{self._ended + 1}/{self._total}] {cell}")

    def ended(self, cell: Cell, outcome: str) -> None:
        self._ended += 1
        if not self._live and not self._quiet:
            count = f"[{self._ended}/{max(self._total, self._ended)}]"
            click.echo(f"{count} {outcome:<9} {for_terminal(str(cell))}", err=True)

    def summary(self, outcome: SessionOutcome) -> None:
        """What was done, what failed and why, what was not run and why."""
        self._clear()
        for lines in outcome.faults.values():
            for line in lines:
                click.echo(f"fault: {for_terminal(line)}", err=True)
        _listed("Not run", outcome.not_run)
        _listed("Failed", outcome.failed)
        computed = sum(how == "ok" for how in outcome.done.values())
        unchanged = len(outcome.done) - computed
        seconds = time.monotonic() - self._begun
        if not outcome.done and not outcome.failed:
            click.echo("Nothing to do: every number is up to date.")
        else:
            click.echo(
                f"{computed} cells computed, {unchanged} unchanged, {len(outcome.failed)} failed "
                f"in {seconds:.1f} s."
            )

    def _show(self, text: str) -> None:
        if self._live:
            line = shortened(for_terminal(text), terminal_width() - 1)
            click.echo(f"\r\x1b[2K{line}", nl=False, err=True)

    def _clear(self) -> None:
        if self._live:
            click.echo("\r\x1b[2K", nl=False, err=True)


def _listed(title: str, reasons: dict[str, str]) -> None:
    """Cells by reason: the first that has it, and how many more."""
    if not reasons:
        return
    by_reason: dict[str, list[str]] = {}
    for cell, reason in reasons.items():
        by_reason.setdefault(reason, []).append(cell)
    rows = [
        {"cells": cells[0] + (f" and {len(cells) - 1} more" if cells[1:] else ""), "why": reason}
        for reason, cells in by_reason.items()
    ]
    print_table(rows, {"cells": "Cells", "why": "Why"}, title=title, wide="why")
