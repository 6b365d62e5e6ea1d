"""AlpacaEval: the seating order, recovered from log-probabilities, and what it does to the judge.

The judge saw each pair once, in an order that nobody recorded. Its two log-probabilities say it:
the published preference is the chance of one of the two tokens, and which one tells whether the
model's reply stood under the first token (m) or the second (M). Held against what the recorded
token says, then: mean preference by seat, over all judged replies, and the direction in every
model that has both seats.
Source: Dubois et al. 2024, arXiv:2404.04475, annotations of weighted_alpaca_eval_gpt4_turbo.
"""

import os
from pathlib import Path

import numpy as np
import pyarrow.parquet as pq
from numpy.typing import NDArray

from eval_pipeline.judging.audits.single_order import seat_effect
from eval_pipeline.statistics.clustered import Estimate
from eval_pipeline.statistics.clusters import cluster_codes
from eval_pipeline_tests.conftest import PROJECT
from eval_pipeline_tests.reproduce.row import Row

SHOWN_FIRST, SHOWN_SECOND = 3.8, 11.9  # mean preference for the model, percent
ROUNDING = 0.05  # percent: they are given with one decimal
EQUAL = 1e-9  # the published preference carries ten decimals
COLUMNS = ("model", "instruction_id", "preference", "logprob_m", "logprob_M", "output_2_token")


def rows() -> list[Row]:
    """Mean preference by recovered seat; votes whose order is told; models of each direction."""
    votes = annotations()
    score, first = votes["score"], recovered_first(votes)
    told = first >= 0
    means = {seat: 100 * float(score[first == seat].mean()) for seat in (0, 1)}
    both, against = directions(votes["model"], score, first)
    room = {seat: _room(score, first, seat) for seat in (0, 1)}
    wrong = int((told & ((first == 1) != votes["recorded_first"])).sum())
    return [
        _row("mean preference, model shown first", SHOWN_FIRST, means[1], ROUNDING + room[1]),
        _row("mean preference, model shown second", SHOWN_SECOND, means[0], ROUNDING + room[0]),
        _row("models with both seats that gain in the second", both, both - against, 0),
        _row("recovered orders that differ from the recorded token", 0, wrong, 0),
    ]


def annotations() -> dict[str, NDArray[np.generic]]:
    """The judged pairs that have log-probabilities, as columns; score: of the model, 0 to 1."""
    table = pq.read_table(
        _folder() / "annotations_weighted_gpt4_turbo_58_models.parquet", columns=list(COLUMNS)
    ).drop_null()
    column = {name: table[name].to_numpy() for name in COLUMNS}
    chance = {token: np.exp(column[f"logprob_{token}"]) for token in ("m", "M")}
    return {
        "model": column["model"].astype(str),
        "instruction": column["instruction_id"],
        "score": column["preference"] - 1.0,
        "chance_second": chance["M"] / (chance["m"] + chance["M"]),
        "recorded_first": column["output_2_token"].astype(str) == "m",
    }


def recovered_first(votes: dict[str, NDArray[np.generic]]) -> NDArray[np.int64]:
    """1 where the model was shown first, 0 where second, -1 where both tokens fit the preference.

    Raises ValueError where neither token does.
    """
    score, second = votes["score"], votes["chance_second"]
    as_second = np.abs(score - second) < EQUAL
    as_first = np.abs(score - (1 - second)) < EQUAL
    if not (as_second | as_first).all():
        raise ValueError("a preference is the chance of neither token: the file is another one")
    return np.where(as_second & as_first, -1, np.where(as_first, 1, 0)).astype(np.int64)


def directions(
    model: NDArray[np.generic], score: NDArray[np.generic], first: NDArray[np.int64]
) -> tuple[int, int]:
    """Models that were shown in both seats, and of these the ones that gain in the first."""
    both = against = 0
    for name in sorted(set(model)):
        mine = model == name
        seats = [score[mine & (first == seat)] for seat in (0, 1)]
        if seats[0].size and seats[1].size:
            both += 1
            against += bool(seats[1].mean() >= seats[0].mean())
    return both, against


def position_effect(votes: dict[str, NDArray[np.generic]]) -> Estimate:
    """What the first seat adds to a model's score, within models, clustered by instruction."""
    first = recovered_first(votes)
    told = first >= 0
    block, _ = cluster_codes(votes["model"][told])
    clusters = votes["instruction"][told]
    return seat_effect(votes["score"][told], first[told] == 1, block, clusters, 0.95)[0]


def _room(score: NDArray[np.generic], first: NDArray[np.int64], seat: int) -> float:
    """How far a seat's mean would move, percent, if all votes that fit either seat were its own."""
    own = score[first == seat]
    joined = np.concatenate([own, score[first < 0]])
    return 100 * abs(float(joined.mean()) - float(own.mean()))


def _row(name: str, published: float, ours: float, allowed: float) -> Row:
    return Row(name, published, ours, ours - published, allowed)


def _folder() -> Path:
    root = os.environ.get("EVAL_PIPELINE_REFERENCE_DATA") or PROJECT / "../shared/data"
    return Path(root).resolve() / "alpaca_eval"
