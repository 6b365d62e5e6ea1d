"""Six acts of judging: the same contest, made less wrong step by step.

Each act reads what the pipeline's own tables say of it, and is held against the truth that was
planted: CONFIDENTLY WRONG where the interval names the worse model, NOISY where it names none,
TRUSTWORTHY where it names the better one.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from eval_pipeline.lab.acts_world import BETTER, BIASED, CONTEST, PILOT, TRUE_WIN_RATE
from eval_pipeline.lab.bias_lab import Standing, standing
from eval_pipeline.layout import PANEL
from eval_pipeline.rows.judgments import JudgeAuditsRow, JudgeLicencesRow, PairOutcomesRow
from eval_pipeline.rows.rankings import LengthControlledWinRatesRow
from eval_pipeline.rows.reading import rows_of
from eval_pipeline.statistics.clustered import Estimate, mean
from eval_pipeline.statistics.power import items_for_share
from eval_pipeline.statistics.randomness import generator

if TYPE_CHECKING:
    import pyarrow as pa

TABLES = ("pair_outcomes", "judge_audits", "judge_licences", "length_controlled_win_rates")
WORDS: dict[Standing, str] = {
    "confidently_wrong": "CONFIDENTLY WRONG",
    "noisy": "NOISY",
    "trustworthy": "TRUSTWORTHY",
}
EXPECTED = (  # what each act should print
    "CONFIDENTLY WRONG",
    "CONFIDENTLY WRONG",
    "CONFIDENTLY WRONG",
    "NOISY",
    "TRUSTWORTHY",
    "NOISY",
)
Tables = Mapping[str, "pa.Table"]  # by name


@dataclass(frozen=True)
class Act:
    """One act: what was done, the better model's win rate by it, and what it is worth."""

    number: int
    name: str
    estimate: float
    ci_low: float
    ci_high: float
    says: str  # CONFIDENTLY WRONG, NOISY or TRUSTWORTHY
    lesson: str


def six_acts(tables: Mapping[str, Tables], seed: int) -> list[Act]:
    """The acts in order, from the tables of the contracts `contest` and `pilot`."""
    contest, pilot = tables[CONTEST], tables[PILOT]
    outcomes = _outcomes(contest, BIASED)
    first = np.array([row["score_a_first"] for row in outcomes], dtype=np.float64)
    second = np.array([row["score_a_second"] for row in outcomes], dtype=np.float64)
    both = np.array([row["score_a"] for row in outcomes], dtype=np.float64)
    seats = generator(seed, "acts", "seats").random(len(first)) < 0.5
    clusters = [row["cluster_id"] for row in outcomes]
    length = _controlled(contest, BIASED)
    jury = _controlled(contest, PANEL)
    small = _outcomes(pilot, PANEL)
    scores = np.array([row["score_a"] for row in small], dtype=np.float64)
    pilot_mean = mean(scores, [row["cluster_id"] for row in small])
    needed = int(np.ceil(items_for_share(TRUE_WIN_RATE)))
    return [
        _act(1, "Naive", mean(second, clusters), "the better model always sits second"),
        _act(2, "Swap audit", mean(both, clusters), _audit(contest)),
        _act(
            3,
            "Random order",
            mean(np.where(seats, first, second), clusters),
            "half the price, the seat cancels; length and family do not",
        ),
        _act(4, "Length control", length, "at equal length the judge's own family still gains"),
        _act(5, "Jury", jury, _jury(contest)),
        _act(
            6,
            "Sample size",
            pilot_mean,
            f"{len(small)} items by honest judges; a true {TRUE_WIN_RATE:g} needs {needed}",
        ),
    ]


def _act(number: int, name: str, estimate: Estimate, lesson: str) -> Act:
    word = WORDS[standing(TRUE_WIN_RATE, estimate.low, estimate.high)]
    return Act(number, name, estimate.value, estimate.low, estimate.high, word, lesson)


def _outcomes(tables: Tables, judge: str) -> list[PairOutcomesRow]:
    rows = rows_of(PairOutcomesRow, tables["pair_outcomes"])
    return [row for row in rows if row["judge"] == judge]


def _controlled(tables: Tables, judge: str) -> Estimate:
    """The better model's win rate at equal length, by one judge."""
    row = next(
        row
        for row in rows_of(LengthControlledWinRatesRow, tables["length_controlled_win_rates"])
        if (row["judge"], row["model"]) == (judge, BETTER)
    )
    value, se, low, high = (
        math.nan if number is None else number
        for number in (row["length_controlled"], row["se"], row["ci_low"], row["ci_high"])
    )
    n = row["n_clusters"]
    return Estimate(value, se, low, high, row["ci_method"], row["confidence"], n, n - 1)


def _audit(tables: Tables) -> str:
    seat = next(
        row
        for row in rows_of(JudgeAuditsRow, tables["judge_audits"])
        if (row["judge"], row["slice"], row["audit"]) == (BIASED, "all", "position_effect")
    )
    outcome = _licences(tables)[BIASED].replace("_", " ")
    return (
        f"position effect {seat['estimate']:+.2f}, {seat['outcome']} its bar of {seat['bar']:g}: "
        f"{outcome}"
    )


def _jury(tables: Tables) -> str:
    licensed = sorted(judge for judge, what in _licences(tables).items() if what == "licensed")
    return f"mean vote of the licensed judges: {', '.join(licensed) or 'none'}"


def _licences(tables: Tables) -> dict[str, str]:
    rows = rows_of(JudgeLicencesRow, tables["judge_licences"])
    return {row["judge"]: row["outcome"] for row in rows if row["slice"] == "all"}
