"""The registry of tables: what each one holds, said once."""

from eval_pipeline.warehouse.schemas.across import ACROSS
from eval_pipeline.warehouse.schemas.agreement import AGREEMENT
from eval_pipeline.warehouse.schemas.calibration import CALIBRATION
from eval_pipeline.warehouse.schemas.contamination import CONTAMINATION
from eval_pipeline.warehouse.schemas.estimates import ESTIMATES
from eval_pipeline.warehouse.schemas.judgments import JUDGMENTS
from eval_pipeline.warehouse.schemas.leaderboard import LEADERBOARD
from eval_pipeline.warehouse.schemas.model import STAMPS, Column, Scope, Table
from eval_pipeline.warehouse.schemas.rankings import RANKINGS
from eval_pipeline.warehouse.schemas.samples import SAMPLES
from eval_pipeline.warehouse.schemas.scores import SCORES

TABLES: dict[str, Table] = {
    table.name: table
    for table in (
        *SAMPLES,
        *AGREEMENT,
        *CONTAMINATION,
        *JUDGMENTS,
        *SCORES,
        *CALIBRATION,
        *RANKINGS,
        *ESTIMATES,
        *LEADERBOARD,
        *ACROSS,
    )
}

__all__ = ["STAMPS", "TABLES", "Column", "Scope", "Table"]
