"""Each checkpoint's drop under perturbation beside that of the other checkpoints.

What the others lose on the same items is the difficulty of the perturbation; what one loses beyond
it is its own frailty. A pair is a perturbed item with its original.
"""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from eval_pipeline.metrics.estimates.row import Row, interval_columns, status_of
from eval_pipeline.metrics.registry import METRICS
from eval_pipeline.metrics.robustness.formula import calibrated_drop, relative_drop
from eval_pipeline.metrics.robustness.measure import PairScores, pair_scores
from eval_pipeline.metrics.samples import Floats, Ints, Items, Samples
from eval_pipeline.metrics.view import participation, view_of
from eval_pipeline.statistics.clustered import Estimate, undefined
from eval_pipeline.statistics.jackknife import blocks_of_clusters, jackknife

METRIC = "robustness_drop"
LEAST_SHARE = 0.9  # of the pairs; a checkpoint that answered fewer would cost the others pairs


@dataclass(frozen=True)
class Panel:
    """Checkpoints on the pairs that each of them answered; before, after: (checkpoints, pairs).

    cluster: of each pair, numbers from 0.
    """

    names: tuple[str, ...]
    before: Floats
    after: Floats
    cluster: Ints

    @property
    def n_clusters(self) -> int:
        return int(self.cluster.max(initial=-1)) + 1


def robustness_rows(
    items: Items, samples: Mapping[str, Samples], rng: np.random.Generator, confidence: float
) -> list[Row]:
    """A row a checkpoint: its drop, the mean drop of the others, and the excess with its interval.

    One that answered too few pairs, or had no original right, stands beside no other. The interval
    leaves out blocks of clusters, in which all checkpoints move together.
    """
    read = {name: _read(samples[name]) for name in sorted(samples)}
    lacking = {name: _lacking(pairs) for name, pairs in read.items()}
    pairs = {name: scores for name, scores in read.items() if isinstance(scores, PairScores)}
    panel = _panel(items, {name: pairs[name] for name in pairs if lacking[name] is None})
    right = panel.before.sum(axis=1) > 0
    for name in np.array(panel.names, dtype=object)[~right]:
        lacking[name] = "none of its originals was right: a drop from nothing is undefined"
    panel = Panel(
        tuple(name for name in panel.names if lacking[name] is None),
        panel.before[right],
        panel.after[right],
        panel.cluster,
    )
    block = blocks_of_clusters(panel.n_clusters, rng)[panel.cluster]
    return [
        {"checkpoint": name, **_undefined(reason, confidence)}
        if (reason := lacking[name]) is not None
        else {"checkpoint": name, **_row(panel, panel.names.index(name), block, confidence)}
        for name in read
    ]


def _read(samples: Samples) -> PairScores | str:
    """The pairs of a checkpoint; why there are none where its columns cannot be read."""
    metric = METRICS[METRIC]
    try:
        who = participation(metric, samples, "primary", "scored")
        return pair_scores(view_of(metric, samples, "primary", who))
    except ValueError as unreadable:
        return str(unreadable)


def _lacking(pairs: PairScores | str) -> str | None:
    """Why a checkpoint cannot be held against others; None where it can."""
    if isinstance(pairs, str):
        return pairs
    if not pairs.n_versions:
        return "no item names its original: record items.original"
    if len(pairs.item) < LEAST_SHARE * pairs.n_versions:
        return (
            f"{len(pairs.item)} of {pairs.n_versions} perturbed items have a scored draw beside "
            f"their original's: {LEAST_SHARE:.0%} are needed"
        )
    return None


def _panel(items: Items, pairs: Mapping[str, PairScores]) -> Panel:
    """The pairs that all of them answered, in one order."""
    answered = np.zeros(len(items), dtype=np.int64)
    for one in pairs.values():
        answered[one.item] += 1
    common = np.flatnonzero(answered == max(1, len(pairs)))
    tables = []
    for side in ("before", "after"):
        rows = [getattr(one, side)[np.isin(one.item, common)] for one in pairs.values()]
        tables.append(np.array(rows, dtype=np.float64).reshape(len(pairs), len(common)))
    cluster = np.unique(items.clusters[common], return_inverse=True)[1]
    return Panel(tuple(pairs), tables[0], tables[1], cluster.astype(np.int64))


def _row(panel: Panel, i: int, block: Ints, confidence: float) -> Row:
    others = np.arange(len(panel.names)) != i
    counts = {"n_panel": int(others.sum()), "n_pairs": len(block), "n_units": panel.n_clusters}
    if not others.any():
        own = _drops(panel.before[i : i + 1].sum(axis=1), panel.after[i : i + 1].sum(axis=1))
        row = _undefined("no other checkpoint to hold it against", confidence)
        return row | {**counts, "own_drop": float(own[0])}
    before, after = panel.before, panel.after
    drop = calibrated_drop(before[i], after[i], before[others], after[others])
    # shape (checkpoints, blocks): the drop of each without each block
    left = _drops(_without(before, block), _without(after, block))
    excess = left[i] - left[others].mean(axis=0)
    estimate = jackknife(drop.excess, excess, n_clusters=panel.n_clusters, confidence=confidence)
    drops = {"own_drop": drop.own, "panel_drop": drop.difficulty}
    return {**counts, **drops, **_standing(estimate)}


def _drops(before: Floats, after: Floats) -> Floats:
    return relative_drop(np.stack([before, after], axis=-1))


def _without(scores: Floats, block: Ints) -> Floats:
    """Sums without each block, shape (checkpoints, blocks)."""
    n_blocks = int(block.max()) + 1
    within = np.stack([np.bincount(block, row, n_blocks) for row in scores])
    return np.asarray(scores.sum(axis=1, keepdims=True) - within)


def _undefined(reason: str, confidence: float) -> Row:
    nothing = {"n_panel": 0, "n_pairs": 0, "n_units": 0}
    return {**nothing, **_standing(undefined(reason, confidence))}


def _standing(excess: Estimate) -> Row:
    return {
        "excess": excess.value,
        **interval_columns(excess),
        "status": status_of(excess.value),
        "reason": excess.reason,
    }
