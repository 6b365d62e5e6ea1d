"""Progress of a run on stderr, and its summary on stdout."""

import sys
import time
from collections.abc import Mapping
from types import TracebackType
from typing import Self

import click

from eval_pipeline.cli.showing.printing import print_table, terminal_width
from eval_pipeline.orchestration.planning.cells import Cell
from eval_pipeline.orchestration.planning.plan import Plan
from eval_pipeline.orchestration.running.session import SessionOutcome
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
        self._total = self._ended + len(plan.to_run)  # fewer than before, where a cell has failed

    def started(self, cell: Cell) -> None:
        self._show(f"[{self._ended + 1}/{self._total}] {cell}")

    def ended(self, cell: Cell, outcome: str) -> None:
        self._ended += 1
        if not self._live and not self._quiet:
            count = f"[{self._ended}/{max(self._total, self._ended)}]"
            click.echo(f"{count} {outcome:<9} {for_terminal(str(cell))}", err=True)

    def summary(self, outcome: SessionOutcome) -> None:
        """What was done and set aside, what failed and why, what was not run and why."""
        self._clear()
        for lines in outcome.faults.values():
            for line in lines:
                _told("fault", line)
        for line in outcome.notes:
            _told("note", line)
        for kind, reasons in (
            ("failed", outcome.failed),
            ("parked", outcome.parked),
            ("stopped at the budget", outcome.at_budget),
        ):
            for reason, cells in _by_reason(reasons).items():
                _told(kind, f"{cells}: {reason}")
        aside = {cell: _counts(found) for cell, found in outcome.set_aside.items()}
        _listed("Set aside", "What", aside)
        _listed("Not run", "Why", outcome.withheld)
        computed = sum(how == "ok" for how in outcome.done.values())
        unchanged = len(outcome.done) - computed
        seconds = time.monotonic() - self._begun
        if not (outcome.done or outcome.failed or outcome.at_budget):
            click.echo(
                "Nothing to do: every number is up to date."
                if outcome.complete
                else "Nothing was computed: see what must be mended."
            )
        else:
            stopped = f", {len(outcome.at_budget)} stopped at the budget"
            click.echo(
                f"{computed} cells computed, {unchanged} unchanged, {len(outcome.failed)} failed"
                f"{stopped if outcome.at_budget else ''} in {seconds:.1f} s."
            )

    def _show(self, text: str) -> None:
        if self._live:
            line = shortened(for_terminal(text), terminal_width() - 1)
            click.echo(f"\r\x1b[2K{line}", nl=False, err=True)

    def _clear(self) -> None:
        if self._live:
            click.echo("\r\x1b[2K", nl=False, err=True)


def _counts(found: Mapping[str, int]) -> str:
    return ", ".join(f"{what} {n}" for what, n in found.items())


def _listed(title: str, heading: str, reasons: Mapping[str, str]) -> None:
    rows = [{"cells": cells, "why": reason} for reason, cells in _by_reason(reasons).items()]
    if rows:
        print_table(rows, {"cells": "Cells", "why": heading}, title=title, wide="why")


def _by_reason(reasons: Mapping[str, str]) -> dict[str, str]:
    """Reason to the first cell that has it, and how many more have."""
    cells: dict[str, list[str]] = {}
    for cell, reason in reasons.items():
        cells.setdefault(reason, []).append(cell)
    return {
        reason: found[0] + (f" and {len(found) - 1} more" if found[1:] else "")
        for reason, found in cells.items()
    }


def _told(kind: str, line: str) -> None:
    """One line on stderr, whatever the text holds."""
    click.echo(f"{kind}: {for_terminal(line)}", err=True)
