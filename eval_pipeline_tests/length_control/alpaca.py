"""The public AlpacaEval annotations, and what regularises their fits."""

import csv
import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow.parquet as pq
from numpy.typing import NDArray

from eval_pipeline.length_control.gamed import GamedBaseline

BASELINE = "gpt4_1106_preview"
Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Annotations:
    """One model against the baseline; arrays of shape (rows,)."""

    instruction: NDArray[np.int64]
    preference: Floats  # for the model, 0 to 1
    n_chars: NDArray[np.int64]
    n_chars_baseline: NDArray[np.int64]

    @property
    def length_difference(self) -> Floats:
        return (self.n_chars - self.n_chars_baseline).astype(np.float64)


@dataclass(frozen=True)
class Reference:
    """Recovered difficulties of the 805 instructions, the gamed rows, and the published numbers."""

    difficulty: Floats
    gamed: GamedBaseline
    held_out: tuple[str, ...]
    length_controlled: Mapping[str, float]  # percent
    raw: Mapping[str, float]  # percent


def annotations(reference_data: Path) -> dict[str, Annotations]:
    """All models in the file, by name."""
    table = pq.read_table(
        reference_data / "alpaca_eval/annotations_weighted_gpt4_turbo_58_models.parquet"
    )
    names = np.array(table["model"].to_pylist())
    columns = {
        name: table[name].to_numpy() for name in ("instruction_id", "preference", "len_1", "len_2")
    }
    found = {}
    for model in sorted(set(names.tolist())):
        instruction, preference, baseline, own = (c[names == model] for c in columns.values())
        found[model] = Annotations(instruction.astype(np.int64), preference - 1.0, own, baseline)
    return found


def reference(reference_data: Path) -> Reference:
    """What `lc_reference_DERIVED` holds, and the published leaderboard."""
    folder = reference_data / "alpaca_eval"
    difficulty = _recovered(reference_data)["difficulty_recovered_strict"]
    lengths = lengths_of_gamed_replies(reference_data)
    weight, won_length, won_difficulty = statistics_of_gamed_replies(reference_data)
    gamed = GamedBaseline.from_statistics(
        np.concatenate(
            [lengths[key] - lengths["len_baseline"] for key in ("len_verbose", "len_concise")]
        ),
        difficulty=np.tile(difficulty, 2),
        version=np.repeat(["verbose", "concise"], len(difficulty)),
        weight=weight,
        won_length=won_length,
        won_difficulty=won_difficulty,
    )
    board = pq.read_table(folder / "leaderboard_published.parquet").to_pylist()
    return Reference(
        difficulty,
        gamed,
        tuple(sorted(_derived(reference_data)["held_out_models"])),
        {row["model"]: row["length_controlled_winrate"] for row in board},
        {row["model"]: row["win_rate"] for row in board},
    )


def lengths_of_gamed_replies(reference_data: Path) -> dict[str, Floats]:
    """Characters of the baseline's 805 replies, and of its verbose and concise ones."""
    found = _recovered(reference_data)
    return {key: found[key] for key in ("len_baseline", "len_verbose", "len_concise")}


def statistics_of_gamed_replies(reference_data: Path) -> tuple[float, float, float]:
    """Weight of a row, and its two sums, for gamed minus baseline length."""
    derived = _derived(reference_data)
    won = derived["sufficient_statistics_weighted"]
    # Published for baseline minus gamed length.
    return derived["weight_of_each_gamed_row"], -won["tanh_len_term"], won["difficulty_term"]


def _recovered(reference_data: Path) -> dict[str, Floats]:
    path = reference_data / "alpaca_eval/lc_reference_DERIVED.csv"
    with path.open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    return {name: np.array([float(row[name]) for row in rows]) for name in rows[0]}


def _derived(reference_data: Path) -> dict[str, Any]:
    path = reference_data / "alpaca_eval/lc_reference_DERIVED.json"
    found: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return found
