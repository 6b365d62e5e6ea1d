"""Who is told how a run goes on: the progress line of the command, or nobody."""

from typing import Protocol

from eval_pipeline.orchestration.planning.cells import Cell
from eval_pipeline.orchestration.planning.plan import Plan


class Observer(Protocol):
    """Who is told how a run goes on."""

    def planned(self, plan: Plan) -> None:
        """A plan was made; its cells are about to run."""

    def started(self, cell: Cell) -> None:
        """A cell is being computed."""

    def ended(self, cell: Cell, outcome: str) -> None:
        """A cell has ended: ok, unchanged, failed or at budget."""


class Silent:
    """Nobody is told."""

    def planned(self, plan: Plan) -> None:
        pass

    def started(self, cell: Cell) -> None:
        pass

    def ended(self, cell: Cell, outcome: str) -> None:
        pass
