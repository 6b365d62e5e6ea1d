"""Scores of the lab's markers and raters as the tables that ingest would publish."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa

from eval_pipeline.judging.audits.pair_audits import Rules
from eval_pipeline.judging.audits.score_audits import ScoreEvidence, score_audit_rows
from eval_pipeline.judging.prompts.rubric import Rubric, given_scores
from eval_pipeline.judging.reading.recorded_scores import recorded_scores
from eval_pipeline.lab import scores as lab
from eval_pipeline.lab.planted import CHECKPOINTS, MARKERS
from eval_pipeline.lab.truth import Planted
from eval_pipeline.warehouse.schemas import TABLES

RUBRIC = Rubric(tuple(lab.WEIGHTS.items()), lab.LOWEST, lab.HIGHEST)
FAMILY = {one.name: one.family for one in CHECKPOINTS}
BARS = {
    "score_offset": 0.1,
    "score_verbosity_per_100_tokens": 0.05,
    "score_self_preference": 0.1,
    "human_ratio": 0.9,
    "missing_rate": 0.02,
}


@dataclass(frozen=True)
class Scored:
    """What the markers and people gave, how long the replies are, and what was planted."""

    scores: pa.Table
    people: pa.Table
    n_chars: Mapping[tuple[str, str], int]
    planted: Sequence[Planted]

    @property
    def due(self) -> dict[tuple[str, str], str]:
        """Every reply, its item its own cluster."""
        return {key: key[1] for key in self.n_chars}

    def evidence(self, people: pa.Table | None = None) -> ScoreEvidence:
        return ScoreEvidence(
            self.scores,
            self.people if people is None else people,
            self.due,
            self.n_chars,
            {},
            FAMILY,
            RUBRIC,
            repeats=1,
        )


def scored(seed: int, n_items: int = 300) -> Scored:
    items = [f"i{i:03d}" for i in range(n_items)]
    rng = np.random.default_rng(seed)
    tokens = {one.name: rng.integers(35, 310, n_items).astype(np.float64) for one in CHECKPOINTS}
    every = lab.by_checkpoint(items, tokens, seed)
    rows, given, by_people = [], [], {}
    for replies in every:
        name = replies.checkpoint.name
        for marker in MARKERS:
            for row in lab.marks(marker, replies, seed):
                key = {"judge": marker.name, "checkpoint": name, "repeat": row["repeat"]}
                rows += [key | named(row) | one for one in recorded_scores(row, RUBRIC)]
        told = lab.people(replies, seed)
        by_people[name] = [row["item_id"] for row in told]
        for row in told:
            key = {"checkpoint": name, "rater": row["rater"], "annotation_set": "s"}
            given += [
                key | named(row) | {"criterion": criterion, "score": score}
                for criterion, score in given_scores(row["scores"], RUBRIC).items()
            ]
    lengths = {
        (name, item): int(4 * n)
        for name, each in tokens.items()
        for item, n in zip(items, each, strict=True)
    }
    planted = lab.score_values("helpful_replies", every, by_people)
    people = TABLES["annotation_scores"].from_rows(given)
    return Scored(judge_scores(rows), people, lengths, planted)


def named(row: Mapping[str, object]) -> dict[str, object]:
    return {"item_id": row["item_id"], "cluster_id": row["item_id"], "file": "f", "line": 1}


def judge_scores(rows: Sequence[Mapping[str, object]]) -> pa.Table:
    """A `judge_scores` table with its stamp of the checkpoint."""
    plain = [{k: v for k, v in row.items() if k != "checkpoint"} for row in rows]
    names = pa.array([row["checkpoint"] for row in rows], pa.string())
    return TABLES["judge_scores"].from_rows(plain).append_column("checkpoint", names)


def audits(
    evidence: ScoreEvidence, families: Mapping[str, str] | None = None
) -> dict[tuple[Any, str, str], dict[str, Any]]:
    """The audit rows of the markers by (judge, slice, audit)."""
    known = {one.name: one.family for one in MARKERS} | dict(families or {})
    rules = Rules(known, BARS, 0.95)
    rows = score_audit_rows(evidence, rules)
    return {(row["judge"], row["slice"], row["audit"]): row for row in rows}
