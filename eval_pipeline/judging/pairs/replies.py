"""The replies that judges compare: draw 0 of each model on each item."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Literal

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from eval_pipeline.judging.pairs.swap import JudgedPairs
from eval_pipeline.judging.rows import Bools
from eval_pipeline.metrics.judged.markdown_marks import markdown_marks

Failure = Literal["forfeits", "left_out"]


@dataclass(frozen=True)
class JudgedReply:
    """What a model answered to an item: its length in code points, and how it failed, if it did.

    A failure that the contract counts as wrong forfeits the pair; any other leaves it out.
    marks: of Markdown, by kind, where they were counted.
    """

    n_chars: int | None
    failure: Failure | None = None
    marks: Mapping[str, int] | None = None


Replies = Mapping[tuple[str, str], JudgedReply]  # (model, item)


def replies_of(
    generations: pa.Table, handling: Mapping[str, str], marks: Collection[str] = ()
) -> dict[tuple[str, str], JudgedReply]:
    """Draw 0 of each (checkpoint, item) of a `generations` table.

    handling: what the contract makes of each failed status, such as wrong or exclude.
    marks: kinds of Markdown marks to count in the replies' texts.
    """
    judged = generations.filter(pc.equal(generations["draw"], 0))
    names = ("checkpoint", "item_id", "n_chars", "status")
    columns = (judged[name].to_pylist() for name in names)
    texts = judged["text"].to_pylist() if marks else [""] * judged.num_rows
    return {
        (model, item): JudgedReply(n_chars, _failure(status, handling), _marks(text, marks))
        for model, item, n_chars, status, text in zip(*columns, texts, strict=True)
    }


def _marks(text: str, wanted: Collection[str]) -> dict[str, int] | None:
    if not wanted:
        return None
    return {name: n for name, n in markdown_marks(text).items() if name in wanted}


def lengths_of(replies: Replies) -> dict[tuple[str, str], int]:
    """Length of each reply that was judged and is known, code points."""
    return {
        key: reply.n_chars
        for key, reply in replies.items()
        if reply.failure is None and reply.n_chars is not None
    }


def has_both_replies(pairs: JudgedPairs, replies: Replies) -> Bools:
    """Whether neither side is known to have failed: only such pairs tell of the judge."""
    failed = {key for key, reply in replies.items() if reply.failure is not None}
    columns = (pairs.item_id, pairs.model_a, pairs.model_b)
    return np.array(
        [
            (a, item) not in failed and (b, item) not in failed
            for item, a, b in zip(*columns, strict=True)
        ],
        dtype=bool,
    )


def families_of(run_manifest: pa.Table) -> dict[str, str]:
    """Family of each checkpoint whose manifest tells it."""
    stated = run_manifest.filter(
        pc.and_(pc.equal(run_manifest["field"], "family"), pc.is_valid(run_manifest["value"]))
    )
    return dict(zip(stated["checkpoint"].to_pylist(), stated["value"].to_pylist(), strict=True))


def _failure(status: str, handling: Mapping[str, str]) -> Failure | None:
    if status == "ok":
        return None
    return "forfeits" if handling[status] == "wrong" else "left_out"
