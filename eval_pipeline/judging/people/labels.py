"""What people say of the judged pairs: their labels, one row a pair."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from eval_pipeline.judging.pairs.swap import TIE, VERDICTS, A, JudgedPairs
from eval_pipeline.judging.rows import (
    Floats,
    Ints,
    Strings,
    grouped,
    places,
    words_of,
)

PAIR = ("item_id", "model_a", "model_b")


@dataclass(frozen=True)
class LabelledPairs:
    """One row a pair of replies that people labelled, sorted by item, model_a, model_b."""

    item_id: Strings
    cluster_id: Strings
    model_a: Strings
    model_b: Strings
    counts: Ints  # labels, shape (pairs, 3 verdicts)

    def __len__(self) -> int:
        return len(self.item_id)

    @property
    def n_labels(self) -> Ints:
        """Labels on each pair."""
        return np.asarray(self.counts.sum(axis=1))

    @property
    def score(self) -> Floats:
        """model_a's mean score by the raters: win 1, tie 1/2, loss 0."""
        return np.asarray((self.counts[:, A] + 0.5 * self.counts[:, TIE]) / self.n_labels)

    def matched(self, pairs: JudgedPairs) -> tuple[Ints, Ints]:
        """Rows of `pairs`, of one judge, that people labelled, and the rows here that hold them."""
        items = set(self.item_id)  # most items have no label, and looking for an item is quick
        near = [i for i, item in enumerate(pairs.item_id) if item in items]
        rows = np.array(near, dtype=np.int64)
        theirs = zip(*(getattr(pairs, name)[rows] for name in PAIR), strict=True)
        places = [self._place.get(key, -1) for key in theirs]
        place = np.array(places, dtype=np.int64)
        return rows[place >= 0], place[place >= 0]

    @cached_property
    def _place(self) -> dict[tuple[str, str, str], int]:
        """(item, model_a, model_b) to its row."""
        names = zip(self.item_id, self.model_a, self.model_b, strict=True)
        return {key: i for i, key in enumerate(names)}


def combine_labels(annotations: pa.Table) -> LabelledPairs:
    """The labels of an `annotations` table, one row a pair; honeypots test raters, not judges."""
    kept = annotations.filter(pc.invert(annotations["honeypot"]))
    named = {name: words_of(kept, name) for name in (*PAIR, "cluster_id", "rater")}
    label = places(kept["label"], VERDICTS, "label", named)
    firsts, group = grouped([named[name].codes for name in PAIR])
    n = len(firsts)
    first = {name: column.of(firsts) for name, column in named.items()}
    return LabelledPairs(
        first["item_id"],
        first["cluster_id"],
        first["model_a"],
        first["model_b"],
        counts=np.bincount(group * 3 + label, minlength=n * 3).reshape(n, 3).astype(np.int64),
    )
