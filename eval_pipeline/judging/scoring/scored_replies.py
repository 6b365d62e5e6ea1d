"""Scores of single replies on one criterion, over repeats or over people: a row a reply.

Everything that audits and estimates need of a reply's scores is their mean, their variance, and
how many there are. A score that could not be used is missing; it is never the lowest.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from eval_pipeline.judging.prompts.rubric import WHOLE, Rubric
from eval_pipeline.judging.rows import Bools, Floats, Ints, Strings, grouped, ratio, words_of

KEY = ("judge", "checkpoint", "item_id")
PEOPLE = "people"
MISSING, OK, UNKNOWN, ERROR = "missing", "ok", "judge_unknown", "judge_error"


@dataclass(frozen=True)
class ScoredReplies:
    """One row a reply and judge, sorted by judge, checkpoint, item; people are one judge.

    mean: of the usable scores, NaN where there is none; variance: of the sample, NaN with fewer
    than two; usable, asked: how many scores there are and should be; at_low, at_high: share of the
    scores at the scale's ends (of the criteria's, for their mean), NaN without one; status: ok
    where a score is usable, else why none is.
    """

    judge: Strings
    checkpoint: Strings
    item_id: Strings
    cluster_id: Strings | Ints  # names, or their numbers
    mean: Floats
    variance: Floats
    usable: Ints
    asked: Ints
    at_low: Floats
    at_high: Floats
    status: Strings

    def __len__(self) -> int:
        return len(self.judge)

    def where(self, mask: Bools | Ints) -> "ScoredReplies":
        """The rows that the mask keeps, or those of the given places in that order."""
        return ScoredReplies(**{f.name: getattr(self, f.name)[mask] for f in fields(self)})

    @property
    def square(self) -> Floats:
        """Mean of the squared scores."""
        apart = np.where(self.usable > 1, self.variance * (1 - 1 / np.maximum(self.usable, 1)), 0.0)
        return np.asarray(self.mean**2 + apart)

    @property
    def replies(self) -> list[tuple[str, str]]:
        """(checkpoint, item) of each row."""
        return list(zip(self.checkpoint.tolist(), self.item_id.tolist(), strict=True))


def combine_scores(scores: pa.Table, criterion: str, rubric: Rubric) -> ScoredReplies:
    """The scores of a `judge_scores` table on a criterion, all judges, checkpoints and repeats."""
    named = {name: words_of(scores, name) for name in (*KEY, "cluster_id")}
    firsts, reply = grouped([named[name].codes for name in KEY])
    points = scores["score"].to_numpy(zero_copy_only=False).astype(np.float64)
    own, good = _equal(scores, "criterion", criterion), _equal(scores, "status", OK)
    single = ~own if criterion == WHOLE else own
    asked = np.bincount(reply[own], minlength=len(firsts)).astype(np.int64)
    lost = own & _equal(scores, "status", UNKNOWN)
    unknown = np.bincount(reply[lost], minlength=len(firsts))
    first = {name: column.of(firsts) for name, column in named.items()}
    made = _moments(reply[own & good], points[own & good], len(firsts))
    ends = _ends(reply[single & good], points[single & good], len(firsts), rubric)
    why = np.where(unknown > 0, UNKNOWN, ERROR)
    return ScoredReplies(
        first["judge"],
        first["checkpoint"],
        first["item_id"],
        first["cluster_id"],
        *made,
        asked,
        *ends,
        np.where(made[2] > 0, OK, why).astype(object),
    ).where(asked > 0)


def combine_people(scores: pa.Table, criterion: str, rubric: Rubric) -> ScoredReplies:
    """The scores of an `annotation_scores` table on a criterion, over people: one row a reply."""
    rows = scores.filter(pc.equal(scores["criterion"], criterion))
    people = pa.array([PEOPLE] * rows.num_rows, pa.string())
    usable = pa.array([OK] * rows.num_rows, pa.string())
    told = rows.append_column("judge", people).append_column("status", usable)
    return combine_scores(told, criterion, rubric)


def with_due(
    scored: ScoredReplies,
    judges: Sequence[str],
    due: Mapping[tuple[str, str], str],
    repeats: int,
) -> ScoredReplies:
    """The scores of the replies that are due, with a row for each that a judge said nothing on.

    due: (checkpoint, item) of each reply to be scored -> the item's cluster. What nobody recorded
    lacks `repeats` scores.
    """
    kept = scored.where(np.array([reply in due for reply in scored.replies], dtype=bool))
    there = set(zip(kept.judge.tolist(), kept.replies, strict=True))
    lacking = [
        (judge, *reply, due[reply])
        for judge in judges
        for reply in due
        if (judge, reply) not in there
    ]
    n = len(lacking)
    names = np.array(lacking, dtype=object).reshape(-1, 4)
    nothing, none = np.full(n, np.nan), np.zeros(n, dtype=np.int64)
    asked, status = np.full(n, repeats, dtype=np.int64), np.full(n, MISSING, dtype=object)
    added = (*names.T, nothing, nothing, none, asked, nothing, nothing, status)
    columns = {
        f.name: np.concatenate([getattr(kept, f.name), values])
        for f, values in zip(fields(kept), added, strict=True)
    }
    both = ScoredReplies(**columns)
    return both.where(grouped([columns[name] for name in KEY])[0])


def _equal(scores: pa.Table, name: str, value: str) -> Bools:
    """Which rows hold the value; Arrow compares a million strings in no time."""
    return np.asarray(pc.equal(scores[name], value).to_numpy(), dtype=bool)


def _moments(reply: Ints, points: Floats, n: int) -> tuple[Floats, Floats, Ints]:
    usable = np.bincount(reply, minlength=n).astype(np.int64)
    mean = ratio(np.bincount(reply, points, n), usable)
    apart = np.bincount(reply, (points - mean[reply]) ** 2, n)
    return mean, ratio(apart, np.maximum(usable - 1, 0)), usable


def _ends(reply: Ints, points: Floats, n: int, rubric: Rubric) -> tuple[Floats, Floats]:
    scores = np.bincount(reply, minlength=n).astype(np.int64)
    low, high = (
        ratio(np.bincount(reply, points == end, n), scores) for end in (rubric.low, rubric.high)
    )
    return low, high
