"""Two models of one judge at equal length, from the judged pairs of each with the baseline."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

import pyarrow as pa

from eval_pipeline.length_control.between import RateBetween, rate_between
from eval_pipeline.length_control.gamed import GamedBaseline
from eval_pipeline.length_control.model import LengthControlled, length_controlled_win_rate
from eval_pipeline.length_control.rows import held_against


def rate_of_pair(
    outcomes: pa.Table,
    one: str,
    two: str,
    baseline: str,
    confidence: float,
    *,
    difficulty: Mapping[str, float] | None = None,
    gamed: GamedBaseline | None = None,
    style: Sequence[str] = (),
) -> RateBetween:
    """How often `one` beats `two` at equal length, whether they were judged together or not.

    outcomes: columns as in `pair_outcomes`, one judge. Items on which either gave no reply say
    nothing of length and are left out here, unlike in a rate against the baseline.
    Raises ValueError where the two are the same model.
    """
    if one == two:
        raise ValueError(f"{one} against itself is one half by definition: name two models")

    fits = {}
    for model in {one, two} - {baseline}:
        held = held_against(outcomes, model, baseline, difficulty, style).without_forfeits()
        fits[model] = length_controlled_win_rate(
            held.length_difference,
            held.preference,
            held.seat,
            difficulty=held.difficulty,
            style=held.style,
            weight=held.weight,
            cluster=held.cluster,
            gamed=gamed,
            confidence=confidence,
        )
    if one == baseline:
        return _turned(_plain(fits[two]))
    if two == baseline:
        return _plain(fits[one])
    hard = None if difficulty is None else [difficulty[item] for item in sorted(difficulty)]
    return rate_between(fits[one], fits[two], hard, confidence=confidence)


def _plain(fit: LengthControlled) -> RateBetween:
    """A rate against the baseline, as it is."""
    return RateBetween(
        fit.length_controlled, fit.se, fit.low, fit.high, fit.method, fit.n_clusters, fit.reason
    )


def _turned(found: RateBetween) -> RateBetween:
    return replace(found, rate=1 - found.rate, low=1 - found.high, high=1 - found.low)
