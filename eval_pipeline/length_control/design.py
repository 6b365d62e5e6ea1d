"""Verdicts as rows of a logistic model, and the terms that the data can tell apart."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from eval_pipeline.statistics.clustered import FEW_CLUSTERS, standard_error
from eval_pipeline.statistics.clusters import cluster_codes
from eval_pipeline.statistics.given import vector

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]

LEAST_SPREAD = 0.01
"""Least range of a term (tanh, seat, or difficulty in standard deviations) that the other terms
leave to it; below, it is as good as constant, and its coefficient stretched a hundredfold."""
LENGTH_DROPPED = "length_not_identifiable"
POSITION_DROPPED = "position_not_identifiable"
EXTRAPOLATED = "extrapolated: the longer reply is always of the same side"
STYLE = "style:"
"""Begins the name of each further term, such as `style:n_lists`."""


@dataclass(frozen=True)
class VerdictRows:
    """Checked rows, one a verdict; see `length_controlled_win_rate` for what the columns mean.

    cluster_names: of each number in `cluster`, as text.
    """

    length_difference: Floats
    preference: Floats
    seat: Floats | None
    difficulty: Floats | None
    style: Mapping[str, Floats]
    forfeit: Bools
    weight: Floats
    cluster: Ints
    cluster_names: tuple[str, ...]

    @classmethod
    def checked(
        cls,
        length_difference: ArrayLike,
        preference: ArrayLike,
        seat: ArrayLike | None,
        difficulty: ArrayLike | None,
        style: Mapping[str, ArrayLike] | None,
        forfeit: ArrayLike | None,
        weight: ArrayLike | None,
        cluster: ArrayLike | None,
    ) -> "VerdictRows":
        """Raises ValueError that names the first row with a value out of range or not finite."""
        y = vector(preference, "preference")
        n = len(y)
        lost = np.zeros(n, dtype=bool) if forfeit is None else np.asarray(forfeit, dtype=bool)
        delta = vector(length_difference, "length_difference")
        share = 1.0 if seat is None else 0.5
        w = np.full(n, share) if weight is None else vector(weight, "weight")
        side = None if seat is None else vector(seat, "seat")
        hard = None if difficulty is None else vector(difficulty, "difficulty")
        marks = {k: vector(v, k) for k, v in sorted((style or {}).items())}
        units = np.arange(n) if cluster is None else np.asarray(cluster)
        codes, _ = cluster_codes(units)
        given = [("length_difference", delta), ("forfeit", lost), ("weight", w), ("cluster", codes)]
        given += [(k, v) for k, v in (("seat", side), ("difficulty", hard)) if v is not None]
        given += [(f"style {name!r}", values) for name, values in marks.items()]
        for name, column in given:
            if column.shape != (n,):
                raise ValueError(
                    f"{name} must have shape {(n,)} like preference, not {column.shape}"
                )
        refuse(~((y >= 0) & (y <= 1)), "preference must lie in 0 to 1", y)
        refuse(~np.isfinite(delta) & ~lost, "length_difference must be finite", delta)
        refuse(~(np.isfinite(w) & (w > 0)), "weight must be positive", w)
        if side is not None:
            refuse(~np.isin(side, (-1.0, 0.0, 1.0)), "seat must be +1, -1 or 0", side)
        if hard is not None:
            refuse(~np.isfinite(hard), "difficulty must be finite", hard)
        for name, values in marks.items():
            refuse(~np.isfinite(values) & ~lost, f"style {name!r} must be finite", values)
        numbers = units.dtype.kind in "iuf"  # they sort as numbers, not as text
        names = tuple(map(str, np.unique(units if numbers else units.astype(str)).tolist()))
        return cls(delta, y, side, hard, marks, lost, w, codes, names)

    @property
    def n_clusters(self) -> int:
        return len(self.cluster_names)

    def clustered_se(self, influence: Floats) -> float:
        """CR1 standard error from each row's influence; NaN below `FEW_CLUSTERS`."""
        if self.n_clusters < FEW_CLUSTERS:
            return np.nan
        return standard_error(influence, self.cluster, self.n_clusters)


@dataclass(frozen=True)
class DesignMatrix:
    """Columns of the model for the rows that are no forfeit.

    matrix: shape (rows, columns); names: of the columns, `theta` first. at_equal: the same with
    length, style and seat taken out. dropped: notes on terms that the data cannot tell apart.
    length_sd: scale of the length difference, 0 where it does not vary.
    """

    matrix: Floats
    names: tuple[str, ...]
    at_equal: Floats
    dropped: tuple[str, ...]
    length_sd: float


def design(rows: VerdictRows) -> DesignMatrix:
    """The design of the rows that are no forfeit.

    Difficulty, seat and style come first: where terms cannot be told apart, length is dropped.
    """
    held = ~rows.forfeit
    weight = rows.weight[held]
    delta = rows.length_difference[held]
    sd = standard_deviation(delta, weight)
    columns, names, notes = [np.ones(len(delta))], ["theta"], []
    if sd > 0 and (delta.min() > 0 or delta.max() < 0):
        notes.append(EXTRAPOLATED)
    for name, values, dropped in (
        ("difficulty", None if rows.difficulty is None else rows.difficulty[held], "difficulty"),
        ("position", None if rows.seat is None else rows.seat[held], "position"),
        *(
            (STYLE + name, squashed(values[held], weight), STYLE + name)
            for name, values in rows.style.items()
        ),
        ("length", squashed(delta, weight), "length"),
    ):
        if values is None:
            continue
        scale = float(np.std(values)) if name == "difficulty" else 1.0
        before = np.column_stack(columns)
        own = values - before @ np.linalg.lstsq(before, values, rcond=None)[0]
        if np.ptp(own) >= LEAST_SPREAD * scale > 0:
            columns.append(values)
            names.append(name)
        else:
            notes.append(f"{dropped}_not_identifiable")
    matrix = np.column_stack(columns)
    kept = [name in ("theta", "difficulty") for name in names]
    return DesignMatrix(matrix, tuple(names), matrix * np.array(kept), tuple(notes), sd)


def squashed(difference: Floats, weight: Floats) -> Floats:
    """tanh(difference / sd), never centred; zeros where the differences do not vary."""
    sd = standard_deviation(difference, weight)
    return np.tanh(difference / sd) if sd > 0 else np.zeros(len(difference))


def standard_deviation(values: Floats, weight: Floats) -> float:
    """With ddof 1, each value counted by its weight; 0 where all are equal or one is there."""
    total = float(weight.sum())
    if total <= 1.0 or (values == values[0]).all():
        return 0.0
    return float(np.sqrt(weight @ (values - weight @ values / total) ** 2 / (total - 1.0)))


def refuse(bad: Bools, what: str, values: Floats) -> None:
    """Raises ValueError that names the first bad row."""
    if bad.any():
        i = int(np.flatnonzero(bad)[0])
        raise ValueError(f"row {i}: {what}, got {values[i]} ({int(bad.sum())} such rows)")
