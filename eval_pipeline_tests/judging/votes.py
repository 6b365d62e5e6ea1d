"""Votes and labels for tests, as tables."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import pyarrow as pa

from eval_pipeline.warehouse.schemas import TABLES

A, B, TIE, UNKNOWN = "model_a", "model_b", "tie", None


def vote_rows(
    judge: str,
    item: str,
    first: Sequence[str | None],
    second: Sequence[str | None],
    pair: tuple[str, str] = ("heron@1", "tern@1"),
    cluster: str | None = None,
) -> list[Mapping[str, Any]]:
    """One judge's votes on one pair: those with model_a shown first, and those with it second."""
    return [
        {
            "judge": judge,
            "item_id": item,
            "cluster_id": cluster or item,
            "model_a": pair[0],
            "model_b": pair[1],
            "slot_order": order,
            "repeat": repeat,
            "status": "judge_unknown" if verdict is None else "ok",
            "verdict": verdict,
            "file": "votes.jsonl",
            "line": 1,
        }
        for order, verdicts in (("a_first", first), ("b_first", second))
        for repeat, verdict in enumerate(verdicts)
    ]


def label_rows(
    item: str,
    labels: Sequence[str],
    pair: tuple[str, str] = ("heron@1", "tern@1"),
    cluster: str | None = None,
    honeypot: bool = False,
) -> list[Mapping[str, Any]]:
    """The labels of one rater after the other on one pair."""
    return [
        {
            "annotation_set": "panel",
            "item_id": item,
            "cluster_id": cluster or item,
            "model_a": pair[0],
            "model_b": pair[1],
            "rater": f"r{i}",
            "label": label,
            "honeypot": honeypot,
            "file": "panel.jsonl",
            "line": 1,
        }
        for i, label in enumerate(labels)
    ]


def vote_table(rows: Iterable[Iterable[Mapping[str, Any]]]) -> pa.Table:
    return TABLES["judge_votes"].from_rows([row for some in rows for row in some])


def label_table(rows: Iterable[Iterable[Mapping[str, Any]]]) -> pa.Table:
    return TABLES["annotations"].from_rows([row for some in rows for row in some])
