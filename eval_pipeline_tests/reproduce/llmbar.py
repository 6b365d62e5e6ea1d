"""LLMBar: positional agreement of 499 judge runs, from verdicts in both orders.

Published agreement takes two missing verdicts for one that agrees. Our swap report counts such a
pair as missing. Both figures are shown: the published convention, made from our categories, which
must equal the published number; and, where a cell has such pairs, agreement with missing kept
missing, which must lie below it by exactly their share.
Source: Zeng et al. 2024, arXiv:2310.07641.
"""

import os
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from eval_pipeline.judging.pairs.swap import JudgedPairs, combine_votes
from eval_pipeline.warehouse.schemas import TABLES
from eval_pipeline_tests.conftest import PROJECT
from eval_pipeline_tests.reproduce.row import Row

CELL = ("dataset", "judge", "strategy")
ALLOWED = 1e-9  # percent: both sides are ratios of the same small counts
AGREE = ("consistent_a", "consistent_b", "tie")


def rows() -> list[Row]:
    """A row a published cell; a second where two missing verdicts were published as agreeing."""
    folder = reference_folder()
    pairs = combine_votes(
        judge_votes(pq.read_table(folder / "llmbar_verdicts_both_orders.parquet"))
    )
    published = pq.read_table(folder / "llmbar_published_statistics.parquet").to_pylist()
    found = []
    for cell in sorted(published, key=cell_name):
        name, theirs = cell_name(cell), cell["positional_agreement"]
        mine = pairs.where(pairs.judge == name)
        agreeing = 100 * np.isin(mine.category, AGREE).mean()
        missing = 100 * (mine.category == "missing").mean()
        as_published = agreeing + missing
        found.append(Row(name, theirs, as_published, as_published - theirs, ALLOWED))
        if missing:
            label = f"{name}, missing kept missing"
            found.append(Row(label, theirs, agreeing, agreeing - theirs, missing + ALLOWED))
    return found


def judge_votes(verdicts: pa.Table) -> pa.Table:
    """The recorded verdicts as votes: a judge is a cell, and `winner_*` names the output."""
    n = verdicts.num_rows
    named = verdicts.select([*CELL, "item"]).to_pylist()
    judge = [cell_name(row) for row in named]
    item = [f"{row['dataset']}/{row['item']}" for row in named]
    orders = []
    for column, order in (("winner_ab", "a_first"), ("winner_ba", "b_first")):
        winner = verdicts[column].to_pylist()
        orders.append(
            TABLES["judge_votes"].from_columns(
                {
                    "judge": judge,
                    "item_id": item,
                    "cluster_id": item,
                    "model_a": ["output_1"] * n,
                    "model_b": ["output_2"] * n,
                    "slot_order": [order] * n,
                    "repeat": [0] * n,
                    "status": ["judge_unknown" if w == "nan" else "ok" for w in winner],
                    "verdict": [{"1": "model_a", "2": "model_b", "nan": None}[w] for w in winner],
                    "file": ["llmbar_verdicts_both_orders.parquet"] * n,
                    "line": list(range(1, n + 1)),
                }
            )
        )
    return pa.concat_tables(orders)


def cell_name(row: dict[str, str]) -> str:
    return " ".join(row[name] for name in CELL)


def missing_counted_as_agreeing(pairs: JudgedPairs) -> tuple[int, int]:
    """Pairs without a verdict in either order, and the cells that hold one."""
    missing = pairs.category == "missing"
    return int(missing.sum()), len(set(pairs.judge[missing]))


def reference_folder() -> Path:
    """Where the recorded verdicts lie."""
    root = os.environ.get("EVAL_PIPELINE_REFERENCE_DATA") or PROJECT / "../shared/data"
    return Path(root).resolve() / "judges"
