"""From names and labels to the arrays that a fit reads.

A label that is not known is an error. It is never a tie: twenty failed verdicts read as ties
would pull two models together by a hundred Elo points.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

import numpy as np
import pyarrow as pa
from numpy.typing import ArrayLike, NDArray

from eval_pipeline.statistics.given import vector

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]
Names: TypeAlias = Sequence[str] | pa.Array | pa.ChunkedArray


@dataclass(frozen=True)
class Battles:
    """Judged pairs, one row a battle (or one row an order, where both orders were judged).

    models: names; the arrays hold their positions.
    first, second: who met whom, shape (rows,).
    score: what `first` took, 0 to 1; 0.5 is a tie.
    weight: battles that the row stands for, above 0; an order of a pair is half a battle.
    seated: whether `first` was also shown first; False where no order was seen.
    cluster: sampling unit of the row, 0 to n_clusters - 1. cluster_names: of each unit; none
    where each row is a unit of its own.
    judge: who judged, 0 to n_judges - 1; None where that is not told apart.
    covariates: what the reply of `first` has more of than that of `second`, by name; shape (rows,).
    """

    models: tuple[str, ...]
    first: Ints
    second: Ints
    score: Floats
    weight: Floats
    seated: Bools
    cluster: Ints
    n_clusters: int
    cluster_names: tuple[str, ...] = ()
    judge: Ints | None = None
    n_judges: int = 0
    covariates: Mapping[str, Floats] = field(default_factory=dict)

    def cluster_name(self, number: int) -> str:
        return self.cluster_names[number] if self.cluster_names else str(number)


def outcome_scores(labels: Sequence[str], meaning: Mapping[str, float]) -> Floats:
    """Scores of outcome labels, shape (rows,), by the meaning given to each label.

    Raises ValueError that names the first label without a meaning and the labels that have one.
    """
    unknown = [i for i, label in enumerate(labels) if label not in meaning]
    if unknown:
        i = unknown[0]
        raise ValueError(
            f"row {i}: outcome {labels[i]!r} is not one of {sorted(meaning)} "
            f"({len(unknown)} such rows); drop and count what is no outcome, it is never a tie"
        )
    return np.array([meaning[label] for label in labels], dtype=np.float64)


def encode_battles(
    first: Names,
    second: Names,
    score: ArrayLike,
    *,
    cluster: Names | None = None,
    weight: ArrayLike | None = None,
    seated: ArrayLike | None = None,
    judge: Names | None = None,
    covariates: Mapping[str, ArrayLike] | None = None,
    models: Sequence[str] = (),
) -> Battles:
    """Battles between named models, rows sorted so that sums do not depend on their order.

    first, second: names, one a row, as a list or an Arrow column. score: what `first` took, 0 to 1.
    cluster: name of each row's sampling unit; without it each row is a unit of its own.
    weight: battles a row stands for, default 1. seated: whether `first` was shown first,
    default no. judge: who judged each row. covariates: first minus second, by name, NaN where
    unknown. models: further names that must be listed although they never met anyone.
    Raises ValueError that names the first row with unequal lengths, a model without a name, a
    score outside 0 to 1, a model against itself, a weight that is not positive, or no cluster.
    """
    rows = len(first)
    scores = vector(score, "score")
    weights = np.ones(rows) if weight is None else vector(weight, "weight")
    seats = np.zeros(rows, dtype=bool) if seated is None else np.asarray(seated, dtype=bool)
    units = rows if cluster is None else len(cluster)
    voices = rows if judge is None else len(judge)
    shown = {k: np.asarray(v, dtype=np.float64) for k, v in sorted((covariates or {}).items())}
    lengths = {
        "first": rows,
        "second": len(second),
        "score": len(scores),
        "weight": len(weights),
        "seated": len(seats),
        "cluster": units,
        "judge": voices,
        **{f"covariate {name}": len(values) for name, values in shown.items()},
    }
    if set(lengths.values()) != {rows}:
        listed = ", ".join(f"{name} {length}" for name, length in lengths.items())
        raise ValueError(f"columns differ in length: {listed}")
    one, two = encoded(first), encoded(second)
    names = tuple(sorted({*one.names, *two.names, *models}))
    place = {name: i for i, name in enumerate(names)}
    left, right = one.placed(place), two.placed(place)
    unit, unit_names = (np.arange(rows), ()) if cluster is None else _numbered(cluster)
    voice, voice_names = (None, ()) if judge is None else _numbered(judge)
    _refuse((left < 0) | (right < 0), "a model without a name", left)
    _refuse(left == right, "a model against itself", [names[i] for i in left[left == right][:1]])
    _refuse(~((scores >= 0) & (scores <= 1)), "a score outside 0 to 1", scores)
    _refuse(~((weights > 0) & np.isfinite(weights)), "a weight that is not positive", weights)
    _refuse(unit < 0, "no cluster; name it or drop the row", [names[i] for i in left[unit < 0][:1]])
    if voice is not None:
        _refuse(voice < 0, "no judge; name it or drop the row", voice)
    if voice is None and not shown:
        order = _order(len(names), unit, left, right, seats, scores, weights)
    else:
        further = [] if voice is None else [voice]
        keys = (*shown.values(), weights, scores, seats, right, left, *further, unit)
        order = np.lexsort(keys)
    return Battles(
        models=names,
        first=left[order],
        second=right[order],
        score=scores[order],
        weight=weights[order],
        seated=seats[order],
        cluster=unit[order],
        n_clusters=rows if cluster is None else len(unit_names),
        cluster_names=unit_names,
        judge=None if voice is None else voice[order],
        n_judges=len(voice_names),
        covariates={name: values[order] for name, values in shown.items()},
    )


def _numbered(column: Names) -> tuple[Ints, tuple[str, ...]]:
    """Each row's place among the sorted names (-1 without one), and the names."""
    found = encoded(column)
    names = tuple(sorted(found.names))
    return found.placed({name: i for i, name in enumerate(names)}), names


@dataclass(frozen=True)
class Encoded:
    """A column of names as the names that occur and each row's position among them; -1: none."""

    names: Sequence[str]
    codes: Ints

    def placed(self, place: Mapping[str, int]) -> Ints:
        """Each row's place; -1 for a row without a name."""
        table = np.array([*(place[name] for name in self.names), -1], dtype=np.int64)
        return table[self.codes]


def encoded(column: Names) -> Encoded:
    """The names of a column: of a list or an Arrow array, dictionary-coded or not."""
    if isinstance(column, pa.Array | pa.ChunkedArray):
        strings = column
    else:
        strings = pa.array([None if one is None else str(one) for one in column], pa.string())
    chunked = strings if isinstance(strings, pa.ChunkedArray) else pa.chunked_array([strings])
    if not pa.types.is_dictionary(chunked.type):
        chunked = chunked.dictionary_encode()
    whole = chunked.unify_dictionaries().combine_chunks()
    names = whole.dictionary.cast(pa.string()).to_pylist() if len(whole) else []
    codes = whole.indices.fill_null(-1).to_numpy(zero_copy_only=False)
    return Encoded(names, codes.astype(np.int64))


def _order(
    n: int, unit: Ints, one: Ints, two: Ints, seats: Bools, scores: Floats, weights: Floats
) -> Ints:
    """Rows sorted by unit, models, seat, score and weight: by one key, as quick as it gets."""
    if not len(unit):
        return np.arange(0)
    levels, loads = np.unique(scores), np.unique(weights)
    kinds = 2 * n * n * len(levels) * len(loads)
    if (int(unit.max()) + 1) * kinds >= 2**62:
        return np.lexsort((weights, scores, seats, two, one, unit))
    key = unit * n  # built in place: ten copies of two million rows would be most of the memory
    for size, part in ((1, one), (n, two), (2, seats)):
        key *= size
        key += part
    for values, column in ((levels, scores), (loads, weights)):
        if len(values) > 1:
            key *= len(values)
            key += np.searchsorted(values, column)
    return np.argsort(key, kind="stable")


def _refuse(bad: Bools, what: str, values: Sequence[str] | Floats | Ints) -> None:
    """values: one a row, or the value of the first bad row alone."""
    if bad.any():
        i = int(np.flatnonzero(bad)[0])
        value = values[i] if len(values) == len(bad) else values[0]
        raise ValueError(f"battle {i}: {what} ({value}; {int(bad.sum())} such battles)")
