"""Quality against cost and latency: what is left to choose from once guardrails have spoken.

By point estimates, as a picture of the choice; whether a difference in quality is real is the
rule's question.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from eval_pipeline.decision.frontier import Better, pareto_frontier

Standing = Literal["frontier", "dominated", "disqualified", "unplaced"]

COSTS = ("cost_usd", "tokens_out")  # the first that is known of all: tokens stand in for a price
QUALITY, LATENCY = "quality", "latency_ms"
MEASURED = (*COSTS, LATENCY)


@dataclass(frozen=True)
class Offer:
    """A checkpoint: its quality with its interval, and means of one sample; NaN where unknown.

    violated: whether a guardrail is shown to be violated.
    """

    checkpoint: str
    quality: float
    quality_low: float
    quality_high: float
    cost_usd: float
    tokens_out: float
    latency_ms: float
    violated: bool


@dataclass(frozen=True)
class Placed:
    """Where a checkpoint stands, and why in a sentence."""

    standing: Standing
    reason: str


def mean_costs(
    checkpoints: Sequence[str], recorded: Mapping[str, ArrayLike]
) -> dict[str, dict[str, float]]:
    """Mean of each measure over the samples that record it, by checkpoint; NaN where none does.

    recorded: measure -> its value a sample, shape (samples,), NaN where not recorded.
    """
    names, codes = np.unique(np.asarray(checkpoints, dtype=str), return_inverse=True)
    means: dict[str, dict[str, float]] = {str(name): {} for name in names}
    for measure, values in recorded.items():
        x = np.asarray(values, dtype=np.float64)
        known = ~np.isnan(x)
        counts = np.bincount(codes[known], minlength=len(names))
        sums = np.bincount(codes[known], x[known], len(names))
        for name, total, n in zip(names, sums, counts, strict=True):
            means[str(name)][measure] = float(total / n) if n else math.nan
    return means


def placed(offers: Sequence[Offer], *, higher_is_better: bool) -> dict[str, Placed]:
    """Each checkpoint's place among those whose guardrails hold and whose quality is known.

    Cost and latency enter where they are known of every one of those; with neither, nothing is
    placed: the best quality alone is no trade-off.
    """
    found = {
        one.checkpoint: Placed("disqualified", "a guardrail is violated")
        for one in offers
        if one.violated
    }
    found |= {
        one.checkpoint: Placed("unplaced", "its quality is unknown")
        for one in offers
        if not one.violated and math.isnan(one.quality)
    }
    rest = [one for one in offers if one.checkpoint not in found]
    objectives = _objectives(rest, higher_is_better)
    if len(objectives) < 2:
        reason = "neither cost nor latency is recorded of every checkpoint"
        return found | {one.checkpoint: Placed("unplaced", reason) for one in rest}
    measures = {
        one.checkpoint: {name: float(getattr(one, name)) for name in objectives} for one in rest
    }
    sides = " and ".join(_SAID[name] for name in objectives)
    split = pareto_frontier(measures, objectives, {})
    found |= {name: Placed("frontier", f"nothing is better in {sides}") for name in split.frontier}
    return found | {
        name: Placed("dominated", f"another is no worse in {sides}, and better in one")
        for name in split.dominated
    }


_SAID = {QUALITY: "quality", "cost_usd": "cost", "tokens_out": "tokens", LATENCY: "latency"}


def _objectives(offers: Sequence[Offer], higher_is_better: bool) -> dict[str, Better]:
    objectives: dict[str, Better] = {QUALITY: "higher" if higher_is_better else "lower"}
    cost = next((name for name in COSTS if _known(offers, name)), None)
    for name in (cost, LATENCY):
        if name is not None and _known(offers, name):
            objectives[name] = "lower"
    return objectives


def _known(offers: Sequence[Offer], name: str) -> bool:
    return bool(offers) and all(not math.isnan(getattr(one, name)) for one in offers)
