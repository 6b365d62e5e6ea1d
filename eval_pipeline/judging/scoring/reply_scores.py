"""What each judge, and the panel of licensed judges, gives each reply: `reply_scores`.

A reply that failed has nothing to score. A judge's own failure is a missing score, never a low
one. The panel has a score only where every member gave one, so that no reply's score depends on
who happened to answer.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import pyarrow as pa

from eval_pipeline.judging.prompts.rubric import WHOLE, Rubric
from eval_pipeline.judging.rows import Floats, Ints, Strings
from eval_pipeline.judging.scoring.scored_replies import (
    ERROR,
    MISSING,
    OK,
    UNKNOWN,
    ScoredReplies,
    combine_scores,
)
from eval_pipeline.judging.standing import Panel
from eval_pipeline.layout import PANEL
from eval_pipeline.warehouse.schemas import TABLES

NO_REPLY = "no_reply"
PENDING = "pending"  # not cast yet
GRAVEST = (
    PENDING,
    MISSING,
    ERROR,
    UNKNOWN,
)  # what the panel lacks a score for, where members differ


@dataclass(frozen=True)
class Due:
    """The replies that are to be scored, one a checkpoint and item, sorted; shape (replies,).

    reply_status: of the reply, None where none is on record.
    """

    checkpoint: Strings
    item_id: Strings
    cluster_id: Strings
    reply_status: Strings

    def __len__(self) -> int:
        return len(self.checkpoint)


@dataclass(frozen=True)
class _Voice:
    """What one judge, or the panel, gives each due reply."""

    score: Floats
    status: Strings
    n_scores: Ints


def due_replies(
    clusters: Mapping[str, str], statuses: Mapping[tuple[str, str], str], checkpoints: Sequence[str]
) -> Due:
    """Each checkpoint's reply to each item of `clusters` (item -> cluster).

    statuses: (checkpoint, item) -> status of the reply that is judged.
    """
    keys = [(one, item) for one in sorted(checkpoints) for item in sorted(clusters)]
    columns = (
        [one for one, _ in keys],
        [item for _, item in keys],
        [clusters[item] for _, item in keys],
        [statuses.get(key) for key in keys],
    )
    return Due(*(np.array(column, dtype=object) for column in columns))


def reply_scores(
    scores: pa.Table,
    due: Due,
    judges: Collection[str],
    members: Panel,
    rubric: Rubric,
    waits: Collection[tuple[str, str]] = (),
) -> pa.Table:
    """The table `reply_scores`: each due reply for each judge and for the panel, sorted by key.

    scores: `judge_scores` of all checkpoints. members: of `standing`. waits: (judge, checkpoint) of
    what is pending: such a judge has no voice there until all is cast.
    """
    if PANEL in judges:
        raise ValueError(f"a judge may not be called {PANEL!r}: that is all of them; rename it")
    good = () if members.quarantined else members.members
    made = []
    for criterion in (*rubric.criteria, WHOLE):
        combined = combine_scores(scores, criterion, rubric)
        voices = {judge: _of_judge(combined, judge, due, waits) for judge in sorted(judges)}
        panel = _of_panel([voices[judge] for judge in members.members])
        quarantine = {judge: judge not in good for judge in judges}
        quarantine[PANEL] = members.quarantined
        for judge, voice in {**voices, PANEL: panel}.items():
            named = (judge, criterion, quarantine[judge])
            made.append(_table(*named, voice, due, rubric))
    keys = TABLES["reply_scores"].key
    return pa.concat_tables(made).sort_by([(name, "ascending") for name in keys])


def _of_judge(
    combined: ScoredReplies, judge: str, due: Due, waits: Collection[tuple[str, str]]
) -> _Voice:
    place = {key: i for i, key in enumerate(zip(due.checkpoint, due.item_id, strict=True))}
    mine = combined.where(combined.judge == judge)
    at = np.array([place.get(reply, -1) for reply in mine.replies], dtype=np.int64)
    mine, at = mine.where(at >= 0), at[at >= 0]
    score, n_scores = np.full(len(due), np.nan), np.zeros(len(due), dtype=np.int64)
    status = np.full(len(due), MISSING, dtype=object)
    score[at], n_scores[at], status[at] = mine.mean, mine.usable, mine.status
    awaited = np.array([(judge, one) in waits for one in due.checkpoint], dtype=bool)
    score[awaited], n_scores[awaited], status[awaited] = np.nan, 0, PENDING
    failed = due.reply_status != OK
    score[failed], n_scores[failed], status[failed] = np.nan, 0, NO_REPLY
    return _Voice(score, status, n_scores)


def _of_panel(members: Sequence[_Voice]) -> _Voice:
    """The mean of the members' scores, each with the same weight."""
    statuses = np.stack([one.status for one in members])
    status = statuses[0].copy()
    for gravest in reversed(GRAVEST):
        status[(statuses == gravest).any(axis=0)] = gravest
    score = np.stack([one.score for one in members]).mean(axis=0)  # NaN where one has none
    return _Voice(score, status, np.sum([one.n_scores for one in members], axis=0))


def _table(
    judge: str, criterion: str, quarantined: bool, voice: _Voice, due: Due, rubric: Rubric
) -> pa.Table:
    n = len(due)
    return TABLES["reply_scores"].from_columns(
        {
            "judge": [judge] * n,
            "checkpoint": due.checkpoint,
            "item_id": due.item_id,
            "cluster_id": due.cluster_id,
            "criterion": [criterion] * n,
            "reply_status": due.reply_status,
            "status": voice.status,
            "score": voice.score,
            "n_scores": voice.n_scores,
            "lowest": [rubric.low] * n,
            "highest": [rubric.high] * n,
            "quarantined": [quarantined] * n,
        }
    )
