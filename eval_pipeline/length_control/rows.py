"""Judged pairs against the baseline as verdicts to fit, and the fits as rows of plain values."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from eval_pipeline.length_control.gamed import GamedBaseline
from eval_pipeline.length_control.model import (
    LengthControlled,
    length_controlled_win_rate,
    rate_interval,
)
from eval_pipeline.ranking.pairs import style_differences

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]
Row = Mapping[str, object]

BY_DEFINITION = "by definition"
UNKNOWN_LENGTH = "unknown lengths: left out of the fit and counted as missing"
UNKNOWN_STYLE = "unknown styles: left out of the fit and counted as missing"
UNKNOWN_DIFFICULTY = "items without difficulty: left out of the fit and counted as missing"
DOMINATED = "one cluster makes more than half of the variance: {cluster}"


@dataclass(frozen=True)
class Refits:
    """How often each fit is refitted under resampled clusters, and a generator for each model."""

    replicates: int
    generator: Callable[[str], np.random.Generator]


def win_rate_rows(
    outcomes: pa.Table,
    baseline: str,
    confidence: float,
    *,
    difficulty: Mapping[str, float] | None = None,
    gamed: GamedBaseline | None = None,
    style: Sequence[str] = (),
    refits: Refits | None = None,
) -> list[Row]:
    """Rows of `length_controlled_win_rates` for one judge: every model that it saw.

    outcomes: columns as in `pair_outcomes`, one judge, in any order of rows.
    difficulty: of each item, by its name. style: names in the column `style` whose differences are
    held at 0 too. The baseline's own row is one half by definition,
    without an error. Forfeits count as they are, an order alone as half a comparison (a whole one
    where pairs are shown in one order by design); pairs without a vote, without lengths or
    without a difficulty are left out and counted as missing.
    """
    models = sorted({*outcomes["model_a"].to_pylist(), *outcomes["model_b"].to_pylist()})
    rows: list[Row] = []
    for model in models:
        if model == baseline:
            rows.append(_baseline_row(baseline, confidence))
            continue
        held = held_against(outcomes, model, baseline, difficulty, style)
        controlled = length_controlled_win_rate(
            held.length_difference,
            held.preference,
            held.seat,
            difficulty=held.difficulty,
            style=held.style,
            forfeit=held.forfeit,
            weight=held.weight,
            cluster=held.cluster,
            gamed=gamed,
            confidence=confidence,
            replicates=refits.replicates if refits else 0,
            rng=refits.generator(model) if refits else None,
        )
        rows.append(_model_row(model, baseline, confidence, held, controlled))
    return rows


def gamed_versions(
    outcomes: pa.Table,
    baseline: str,
    versions: Sequence[str],
    weight: float,
    difficulty: Mapping[str, float] | None = None,
) -> GamedBaseline | None:
    """The judged pairs of the baseline against gamed versions of itself; None where there are none.

    weight: of a comparison of both orders; forfeits are left out.
    """
    found = [held_against(outcomes, one, baseline, difficulty) for one in sorted(versions)]
    kept = [~one.forfeit for one in found]
    number = [int(keep.sum()) for keep in kept]
    if not sum(number):
        return None

    def joined(column: str) -> Floats:
        return np.concatenate(
            [getattr(one, column)[keep] for one, keep in zip(found, kept, strict=True)]
        )

    return GamedBaseline.from_rows(
        joined("length_difference"),
        joined("preference"),
        difficulty=None if difficulty is None else joined("difficulty"),
        version=np.repeat(np.arange(len(found)), number),
        weight=weight * joined("weight"),
    )


@dataclass(frozen=True)
class Held:
    """Verdicts on a model against the baseline, one row an order, and what was left out."""

    length_difference: Floats
    preference: Floats
    seat: Floats
    weight: Floats
    forfeit: Bools
    cluster: NDArray[np.str_]
    difficulty: Floats | None
    style: Mapping[str, Floats]
    n_items: int
    n_missing: int
    notes: tuple[str, ...]

    def without_forfeits(self) -> "Held":
        """The verdicts on two replies only."""
        kept = ~self.forfeit
        return replace(
            self,
            length_difference=self.length_difference[kept],
            preference=self.preference[kept],
            seat=self.seat[kept],
            weight=self.weight[kept],
            forfeit=self.forfeit[kept],
            cluster=self.cluster[kept],
            difficulty=None if self.difficulty is None else self.difficulty[kept],
            style={name: values[kept] for name, values in self.style.items()},
        )


def held_against(
    outcomes: pa.Table,
    model: str,
    baseline: str,
    difficulty: Mapping[str, float] | None,
    style: Sequence[str] = (),
) -> Held:
    """The verdicts of one judge on a model against the baseline."""
    first, second = sorted((model, baseline))
    of_pair = pc.and_(pc.equal(outcomes["model_a"], first), pc.equal(outcomes["model_b"], second))
    pairs = outcomes.filter(of_pair).sort_by(
        [("cluster_id", "ascending"), ("item_id", "ascending")]
    )
    turned = model == second
    forfeit = np.array(
        [category.startswith("forfeit") for category in pairs["category"].to_pylist()], dtype=bool
    )
    difference = _numbers(pairs, "n_chars_a") - _numbers(pairs, "n_chars_b")
    judged = forfeit | ~np.isnan(_numbers(pairs, "score_a_first"))
    judged |= ~np.isnan(_numbers(pairs, "score_a_second")) | ~np.isnan(_numbers(pairs, "score_a"))
    no_length = np.isnan(difference) & ~forfeit & judged
    used = judged & ~no_length
    notes = [UNKNOWN_LENGTH] if no_length.any() else []
    hard = None
    if difficulty is not None:
        hard = np.array([difficulty.get(i, np.nan) for i in pairs["item_id"].to_pylist()])
        notes += [UNKNOWN_DIFFICULTY] if (used & np.isnan(hard)).any() else []
        used &= ~np.isnan(hard)
    marks = {name: style_differences(pairs, name) for name in style}
    for values in marks.values():
        if (used & np.isnan(values) & ~forfeit).any() and UNKNOWN_STYLE not in notes:
            notes.append(UNKNOWN_STYLE)
        used &= ~np.isnan(values) | forfeit
    rows, preference, seat, weight = _verdicts(pairs, used, forfeit)
    cluster = np.asarray(pairs["cluster_id"].to_pylist(), dtype=np.str_)
    return Held(
        length_difference=(-difference if turned else difference)[rows],
        preference=1.0 - preference if turned else preference,
        seat=-seat if turned else seat,
        weight=weight,
        forfeit=forfeit[rows],
        cluster=cluster[rows],
        difficulty=None if hard is None else hard[rows],
        style={n: (-values if turned else values)[rows] for n, values in marks.items()},
        n_items=int(used.sum()),
        n_missing=int((~used).sum()),
        notes=tuple(notes),
    )


def _model_row(
    model: str, baseline: str, confidence: float, held: Held, controlled: LengthControlled
) -> Row:
    raw_low, raw_high, *_ = rate_interval(
        controlled.raw, controlled.raw_se, controlled.n_clusters, confidence
    )
    notes = [*controlled.notes, *held.notes]
    notes += [DOMINATED.format(cluster=controlled.largest_cluster)] if controlled.dominated else []
    return {
        "model": model,
        "baseline": baseline,
        "n_items": held.n_items,
        "n_clusters": controlled.n_clusters,
        "n_missing": held.n_missing,
        **_numbers_of(controlled),
        "raw_low": raw_low,
        "raw_high": raw_high,
        "ci_method": controlled.method,
        "confidence": confidence,
        "style_coefficients": dict(controlled.style_coefficients) or None,
        "extreme_change": controlled.extreme_change,
        "largest_cluster": controlled.largest_cluster,
        "notes": "; ".join(notes) or None,
        "status": "undefined" if np.isnan(controlled.length_controlled) else "ok",
        "reason": controlled.reason,
    }


def _verdicts(pairs: pa.Table, used: Bools, forfeit: Bools) -> tuple[Ints, Floats, Floats, Floats]:
    """One row an order: its pair, model_a's score, +1 or -1 for its seat, and its weight.

    An order is half a comparison. Whole ones, with seat 0, are forfeits, which have no order, and
    pairs with a score that were shown in one order by design, or in one that nobody recorded.
    """
    first, second = _numbers(pairs, "score_a_first"), _numbers(pairs, "score_a_second")
    score = _numbers(pairs, "score_a")
    whole = forfeit | (~np.isnan(score) & (np.isnan(first) | np.isnan(second)))
    blocks = [
        (np.flatnonzero(used & ~whole & ~np.isnan(first)), first, 1.0, 0.5),
        (np.flatnonzero(used & ~whole & ~np.isnan(second)), second, -1.0, 0.5),
        (np.flatnonzero(used & whole), score, 0.0, 1.0),
    ]
    return (
        np.concatenate([rows for rows, *_ in blocks]),
        np.concatenate([score[rows] for rows, score, _, _ in blocks]),
        np.concatenate([np.full(len(rows), seat) for rows, _, seat, _ in blocks]),
        np.concatenate([np.full(len(rows), weight) for rows, _, _, weight in blocks]),
    )


def _baseline_row(baseline: str, confidence: float) -> Row:
    return {
        "model": baseline,
        "baseline": baseline,
        "n_items": 0,
        "n_clusters": 0,
        "n_missing": 0,
        "raw": 0.5,
        "length_controlled": 0.5,
        "ci_method": BY_DEFINITION,
        "confidence": confidence,
        "extreme_change": False,
        "status": "ok",
    }


def _numbers(table: pa.Table, name: str) -> Floats:
    column = pc.cast(table[name], pa.float64())
    return np.asarray(column.to_numpy(), dtype=np.float64)  # null is NaN


def _numbers_of(controlled: LengthControlled) -> dict[str, float]:
    return {
        "raw": controlled.raw,
        "raw_se": controlled.raw_se,
        "length_controlled": controlled.length_controlled,
        "se": controlled.se,
        "ci_low": controlled.low,
        "ci_high": controlled.high,
        "se_bootstrap": controlled.se_bootstrap,
        "largest_share": controlled.largest_share,
        "length_coefficient": controlled.length_coefficient,
        "difficulty_coefficient": controlled.difficulty_coefficient,
        "position_coefficient": controlled.position_coefficient,
        "theta": controlled.theta,
        "length_sd": controlled.length_sd,
    }
