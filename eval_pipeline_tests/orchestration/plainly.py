"""The plan executed cell by cell, without Dagster: for tests of what a cell comes to."""

from eval_pipeline.layout import DataRoot
from eval_pipeline.orchestration.evaluation import Evaluation
from eval_pipeline.orchestration.stage import Settings


def run_plainly(root: DataRoot, settings: Settings | None = None) -> Evaluation:
    """Computes all that the plan asks for; cells that fail are tried once."""
    evaluation = Evaluation(root, settings or Settings(), "plain")
    with evaluation.exclusive():
        while waiting := [
            one.cell for one in evaluation.plan().to_run if one.cell not in evaluation.done
        ]:
            try:
                evaluation.run_cell(waiting[0])
            except Exception:
                if waiting[0] not in evaluation.failed:
                    raise
        evaluation.finish()
    return evaluation
