"""A judge's votes on probes, as pairs judged in both orders: model_a is the original."""

from dataclasses import dataclass, fields

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from eval_pipeline.judging.pairs.swap import JudgedPairs, combine_votes
from eval_pipeline.judging.rows import Bools, Floats, Strings, words_of

ORIGINAL, VARIANT = "original", "variant"
_SIDE = {"original": "model_a", "variant": "model_b", "tie": "tie"}
_ORDER = {"original_first": "a_first", "variant_first": "b_first"}


@dataclass(frozen=True)
class ProbedPairs:
    """One row a probe that a judge voted on, sorted by judge and probe."""

    pairs: JudgedPairs  # item_id names the probe
    item_id: Strings  # whose question was asked
    kind: Strings
    detail: Strings
    added_tokens: Floats

    def __len__(self) -> int:
        return len(self.pairs)

    def where(self, mask: Bools) -> "ProbedPairs":
        """The rows that the mask keeps."""
        others = {f.name: getattr(self, f.name)[mask] for f in fields(self) if f.name != "pairs"}
        return ProbedPairs(pairs=self.pairs.where(mask), **others)

    @property
    def variant_score(self) -> Floats:
        """The variant's mean score, NaN unless both orders have a vote."""
        return np.asarray(1.0 - self.pairs.score)


def combine_probe_votes(votes: pa.Table) -> ProbedPairs:
    """The votes of a `judge_probe_votes` table, one row a judged probe."""
    n = votes.num_rows
    sets = pc.binary_join_element_wise(votes["probe_set"], votes["probe"], "/")
    pairs = combine_votes(
        pa.table(
            {
                "judge": votes["judge"],
                "item_id": sets,
                "cluster_id": votes["cluster_id"],
                "model_a": pa.repeat(ORIGINAL, n),
                "model_b": pa.repeat(VARIANT, n),
                "slot_order": _renamed(votes["slot_order"], _ORDER),
                "status": votes["status"],
                "verdict": _renamed(votes["verdict"], _SIDE),
            }
        )
    )
    named = {key: i for i, key in enumerate(sets.to_pylist())}
    rows = np.array([named[key] for key in pairs.item_id], dtype=np.int64)
    item, kind, detail = (words_of(votes, name).of(rows) for name in ("item_id", "kind", "detail"))
    added = votes["added_tokens"].to_numpy()[rows].astype(np.float64)
    return ProbedPairs(pairs, item, kind, detail, added)


def _renamed(column: pa.ChunkedArray, names: dict[str, str]) -> pa.Array:
    """Each word under its other name; null stays null."""
    known, others = pa.array(list(names)), pa.array(list(names.values()))
    return others.take(pc.index_in(column, value_set=known).combine_chunks())
