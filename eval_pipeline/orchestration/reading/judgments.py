"""The files of judges whose votes or scores are recorded, each under its judge and checkpoint."""

from collections.abc import Iterable
from pathlib import Path

from eval_pipeline.contracts.judging import Judge
from eval_pipeline.contracts.model import Contract
from eval_pipeline.layout import DataRoot


def recorded_files(
    root: DataRoot, contract: Contract, judges: Iterable[Judge], checkpoint: str
) -> list[tuple[Judge, Path]]:
    """Judge and file of each of the judges that is recorded, whether the file is there or not."""
    return [
        (judge, root.judgments(judge.name, contract.benchmark, checkpoint))
        for judge in judges
        if judge.source == "recorded"
    ]
