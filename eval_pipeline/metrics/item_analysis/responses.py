"""Who answered what, over several checkpoints: the tables that items are judged by."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from eval_pipeline.metrics.measures.item_values import item_values
from eval_pipeline.metrics.registry import METRICS
from eval_pipeline.metrics.samples import Floats, Items, Labels, Samples

LEAST_SHARE = 0.9  # of the items; a checkpoint that answered fewer would cost the others items

Respondents = Literal["checkpoints", "draws"]


@dataclass(frozen=True)
class ItemScores:
    """Mean score of each item by each checkpoint, shape (items, checkpoints); NaN where none.

    left_out: checkpoints that answered too few items to be held against the others.
    """

    table: Floats
    checkpoints: tuple[str, ...]
    left_out: tuple[str, ...]


@dataclass(frozen=True)
class ItemAnswers:
    """Right (1) or wrong (0), shape (items, respondents); NaN where nothing came back.

    checkpoint: of each respondent, shape (respondents,). graded: verdicts between wrong and right,
    which no curve of a right answer can hold; where there are any the table is empty.
    """

    table: Floats
    checkpoint: Labels
    graded: int


def scores_of(items: Items, samples: Mapping[str, Samples]) -> ItemScores:
    """Under the contract's failure policy, each item's mean over its draws."""
    names = sorted(samples)
    mean = METRICS["mean_score"]
    columns = [
        item_values(mean, None, items, samples[name], draws_per_item=None).value for name in names
    ]
    table = np.stack(columns, axis=1) if names else np.zeros((len(items), 0))
    enough = np.mean(~np.isnan(table), axis=0) >= LEAST_SHARE
    return ItemScores(
        table[:, enough],
        tuple(name for name, kept in zip(names, enough, strict=True) if kept),
        tuple(name for name, kept in zip(names, enough, strict=True) if not kept),
    )


def answers_of(
    items: Items, samples: Mapping[str, Samples], checkpoints: Sequence[str], who: Respondents
) -> ItemAnswers:
    """Each checkpoint's first draw, or each of its draws as a respondent, in the order of names."""
    columns, names, graded = [], [], 0
    for name in checkpoints:
        own = samples[name]
        score = own.under("primary")
        graded += int(np.sum((score > 0) & (score < 1)))
        draws = np.unique(own.draw)
        for draw in draws[:1] if who == "checkpoints" else draws:
            of_draw = own.draw == draw
            column = np.full(len(items), np.nan)
            column[own.item[of_draw]] = score[of_draw]
            columns.append(column)
            names.append(name)
    table = np.stack(columns, axis=1) if columns and not graded else np.zeros((len(items), 0))
    return ItemAnswers(table, np.array(names if not graded else [], dtype=object), graded)
