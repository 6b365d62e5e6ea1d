"""American football: the Brier score of 1,889 real forecasts, and what their diagram shows.

0.2201 counts each of seven draws as an outcome of one half. That the forecasts were calibrated is
held to the diagram of the decided games: their calibration error is what chance alone makes of
forecasts that are exactly right.
Source: FiveThirtyEight, checking-our-work-data, nfl_games.csv; the score as recorded with the file.
"""

import os
from pathlib import Path

import numpy as np
import pyarrow.parquet as pq

from eval_pipeline.metrics.calibration.formula_ece import calibration_error, reliability
from eval_pipeline.metrics.calibration.formula_scoring import brier_binary
from eval_pipeline.metrics.inputs import Floats
from eval_pipeline_tests.reproduce.row import Row

FILE = "calibration/fivethirtyeight_nfl_games.parquet"
PUBLISHED = 0.2201
HALF_A_DIGIT = 0.00005
DRAWS = 7
BINS = 10
STANDARD_ERRORS = 3


def rows() -> list[Row]:
    """The Brier score, the draws, and the calibration error beside what chance makes of it."""
    p, y = forecasts()
    brier = brier_binary(p, y, graded=True)
    decided = y != 0.5
    diagram = reliability(p[decided], y[decided], BINS)
    drawn = len(p) - int(diagram.n.sum())
    error = float(np.nansum(diagram.n * np.abs(diagram.confidence - diagram.accuracy))) / sum(
        diagram.n
    )
    expected, spread = chance_error(p[decided])
    return [
        Row(
            "nfl Brier score, a draw is one half", PUBLISHED, brier, brier - PUBLISHED, HALF_A_DIGIT
        ),
        Row("nfl draws, outside the diagram", DRAWS, drawn, drawn - DRAWS, 0),
        Row(
            "nfl event ECE of ten bins, by chance alone",
            expected,
            error,
            error - expected,
            STANDARD_ERRORS * spread,
        ),
    ]


def forecasts() -> tuple[Floats, Floats]:
    """Chance of the first team, and 1 where it won, one half where nobody did."""
    folder = Path(os.environ.get("EVAL_PIPELINE_REFERENCE_DATA") or "../shared/data")
    table = pq.read_table(folder / FILE, columns=["prob1", "prob1_outcome"])
    return table["prob1"].to_numpy(), table["prob1_outcome"].to_numpy()


def chance_error(p: Floats, draws: int = 200) -> tuple[float, float]:
    """Mean and spread of the ECE where every forecast is exactly right."""
    rng = np.random.default_rng(0)
    errors = [
        calibration_error(p, (rng.random(len(p)) < p).astype(float), BINS) for _ in range(draws)
    ]
    return float(np.mean(errors)), float(np.std(errors))
