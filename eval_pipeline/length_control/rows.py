"""Judged pairs against the baseline as verdicts to fit, and the fits as rows of plain values."""

from collections.abc import Mapping
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from eval_pipeline.length_control.model import LengthControlled, length_controlled_win_rate

Floats = NDArray[np.float64]
Row = Mapping[str, Any]

BY_DEFINITION = "by definition"
UNKNOWN_LENGTH = "unknown lengths: left out of the fit and counted as missing"


def win_rate_rows(outcomes: pa.Table, baseline: str, confidence: float) -> list[Row]:
    """Rows of `length_controlled_win_rates` for one judge: every model that it saw.

    outcomes: columns as in `pair_outcomes`, one judge, in any order of rows.
    The baseline's own row is one half by definition, without an error. Forfeits count as they
    are, an order alone as half a comparison; pairs without a vote or without lengths are left out
    and counted as missing.
    """
    models = sorted({*outcomes["model_a"].to_pylist(), *outcomes["model_b"].to_pylist()})
    by_item = [(name, "ascending") for name in ("cluster_id", "item_id", "model_a", "model_b")]
    ordered = outcomes.sort_by(by_item)
    return [
        _baseline_row(baseline, confidence)
        if model == baseline
        else _model_row(ordered, model, baseline, confidence)
        for model in models
    ]


def _model_row(outcomes: pa.Table, model: str, baseline: str, confidence: float) -> Row:
    first, second = sorted((model, baseline))
    of_pair = pc.and_(pc.equal(outcomes["model_a"], first), pc.equal(outcomes["model_b"], second))
    pairs = outcomes.filter(of_pair)
    turned = model == second
    forfeit = np.array(
        [category.startswith("forfeit") for category in pairs["category"].to_pylist()], dtype=bool
    )
    difference = _numbers(pairs, "n_chars_a") - _numbers(pairs, "n_chars_b")
    judged = forfeit | ~np.isnan(_numbers(pairs, "score_a_first"))
    judged |= ~np.isnan(_numbers(pairs, "score_a_second"))
    no_length = np.isnan(difference) & ~forfeit & judged
    used = judged & ~no_length
    rows, preference, seat, weight = _verdicts(pairs, used, forfeit)
    cluster = np.asarray(pairs["cluster_id"].to_pylist(), dtype=np.str_)
    found = length_controlled_win_rate(
        (-difference if turned else difference)[rows],
        1.0 - preference if turned else preference,
        -seat if turned else seat,
        forfeit=forfeit[rows],
        weight=weight,
        cluster=cluster[rows],
        confidence=confidence,
    )
    notes = [*found.notes, *([UNKNOWN_LENGTH] if no_length.any() else [])]
    return {
        "model": model,
        "baseline": baseline,
        "n_items": int(used.sum()),
        "n_clusters": found.n_clusters,
        "n_missing": int((~used).sum()),
        **_numbers_of(found),
        "ci_method": found.method,
        "confidence": confidence,
        "extreme_change": found.extreme_change,
        "notes": "; ".join(notes) or None,
        "status": "undefined" if np.isnan(found.length_controlled) else "ok",
        "reason": found.reason,
    }


def _verdicts(
    pairs: pa.Table, used: NDArray[np.bool_], forfeit: NDArray[np.bool_]
) -> tuple[NDArray[np.int64], Floats, Floats, Floats]:
    """One row an order: its pair, model_a's score, +1 or -1 for its seat, and its weight.

    An order is half a comparison; a forfeit, which has no order and so seat 0, is a whole one.
    """
    first, second = _numbers(pairs, "score_a_first"), _numbers(pairs, "score_a_second")
    blocks = [
        (np.flatnonzero(used & ~forfeit & ~np.isnan(first)), first, 1.0, 0.5),
        (np.flatnonzero(used & ~forfeit & ~np.isnan(second)), second, -1.0, 0.5),
        (np.flatnonzero(used & forfeit), _numbers(pairs, "score_a"), 0.0, 1.0),
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


def _numbers_of(found: LengthControlled) -> dict[str, float]:
    return {
        "raw": found.raw,
        "raw_se": found.raw_se,
        "length_controlled": found.length_controlled,
        "se": found.se,
        "ci_low": found.low,
        "ci_high": found.high,
        "length_coefficient": found.length_coefficient,
        "position_coefficient": found.position_coefficient,
        "theta": found.theta,
        "length_sd": found.length_sd,
    }
