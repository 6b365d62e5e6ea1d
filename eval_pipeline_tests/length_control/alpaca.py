"""The public AlpacaEval annotations, and what regularises their fits."""

import csv
import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

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
    with (folder / "lc_reference_DERIVED.csv").open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    derived = json.loads((folder / "lc_reference_DERIVED.json").read_text(encoding="utf-8"))
    columns = {
        name: np.array([float(row[name]) for row in rows])
        for name in ("len_baseline", "len_verbose", "len_concise", "difficulty_recovered_strict")
    }
    difficulty = columns["difficulty_recovered_strict"]
    won = derived["sufficient_statistics_weighted"]
    plain = columns["len_baseline"]
    gamed = GamedBaseline.from_statistics(
        np.concatenate([columns["len_verbose"] - plain, columns["len_concise"] - plain]),
        difficulty=np.tile(difficulty, 2),
        version=np.repeat(["verbose", "concise"], len(difficulty)),
        weight=derived["weight_of_each_gamed_row"],
        won_length=-won["tanh_len_term"],  # published for baseline minus gamed length
        won_difficulty=won["difficulty_term"],
    )
    board = pq.read_table(folder / "leaderboard_published.parquet").to_pylist()
    return Reference(
        difficulty,
        gamed,
        tuple(sorted(derived["held_out_models"])),
        {row["model"]: row["length_controlled_winrate"] for row in board},
        {row["model"]: row["win_rate"] for row in board},
    )
