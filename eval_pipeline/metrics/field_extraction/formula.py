"""Fields read out of documents: how many of what was said is right, and of what was wanted found.

Per field and never per document: a field that stands in every document would hide the rare one.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np
from numpy.typing import ArrayLike

from eval_pipeline.metrics.inputs import Floats, texts
from eval_pipeline.metrics.sums import Sums, checked_cells, ratio, ratio_sums

FieldMetric = Literal["precision", "recall", "macro_f1", "micro_f1", "task_success"]


@dataclass(frozen=True)
class FieldReport:
    """precision, recall, f1: shape (fields,); precision is NaN where a field was never said,
    recall where it was never wanted, f1 where both.

    macro_f1: mean over fields; micro_f1: of all fields' counts together; task_success: share of
    documents whose every wanted field is right and where nothing else was said.
    """

    fields: tuple[str, ...]
    precision: Floats
    recall: Floats
    f1: Floats
    macro_f1: float
    micro_f1: float
    task_success: float
    n_documents: int


def field_report(
    fields: Sequence[str], said: ArrayLike, wanted: ArrayLike, right: ArrayLike
) -> FieldReport:
    """From counts of each document and field, shape (documents, fields).

    said: values that the answer gives; wanted: values that the truth has; right: values that are
    both. Raises ValueError for counts that cannot be, with document and field.
    """
    names, s, w, r = _checked(fields, said, wanted, right)
    sums = s.sum(axis=0), w.sum(axis=0), r.sum(axis=0)
    f1 = ratio(2 * sums[2], sums[0] + sums[1])
    return FieldReport(
        names,
        ratio(sums[2], sums[0]),
        ratio(sums[2], sums[1]),
        f1,
        field_sums(fields, said, wanted, right, "macro_f1").value,
        field_sums(fields, said, wanted, right, "micro_f1").value,
        field_sums(fields, said, wanted, right, "task_success").value,
        len(s),
    )


def field_sums(
    fields: Sequence[str],
    said: ArrayLike,
    wanted: ArrayLike,
    right: ArrayLike,
    metric: FieldMetric,
) -> Sums:
    """Sums of one mean of `field_report`, or of precision or recall over all fields together.

    A field that a resample lacks leaves the macro mean.
    """
    names, s, w, r = _checked(fields, said, wanted, right)
    if metric == "task_success":
        done = ((r == w) & (s == w)).all(axis=1).astype(np.float64)
        return ratio_sums(done, np.ones(len(s)))
    shares = {"precision": (r, s), "recall": (r, w), "micro_f1": (2 * r, s + w)}
    if metric in shares:
        part, whole = shares[metric]
        return ratio_sums(part.sum(axis=1), whole.sum(axis=1))
    if metric != "macro_f1":
        known = ", ".join(get_args(FieldMetric))
        raise ValueError(f"unknown metric {metric!r}: use one of {known}")
    k = len(names)
    checked_cells(len(s), 2 * k, "fields")

    def macro(sums: Floats) -> Floats:
        f1 = ratio(sums[..., :k], sums[..., k:])
        return ratio(np.nansum(f1, axis=-1), np.sum(~np.isnan(f1), axis=-1))

    return Sums(np.hstack([2 * r, s + w]), macro)


def _checked(
    fields: Sequence[str], said: ArrayLike, wanted: ArrayLike, right: ArrayLike
) -> tuple[tuple[str, ...], Floats, Floats, Floats]:
    names = texts(fields, "fields")
    tables = {"said": said, "wanted": wanted, "right": right}
    read = {name: np.asarray(table) for name, table in tables.items()}
    for name, table in read.items():
        if table.ndim != 2 or table.shape[1] != len(names) or not table.size:
            raise ValueError(f"{name} must have shape (documents, {len(names)}), got {table.shape}")
        if table.dtype.kind not in "iu" or (table < 0).any():
            raise ValueError(f"{name} must hold counts: whole numbers, 0 or more")
    s, w, r = read.values()
    if len({len(s), len(w), len(r)}) > 1:
        raise ValueError(f"{len(s)} documents in said, {len(w)} in wanted, {len(r)} in right")
    if (bad := np.argwhere(r > np.minimum(s, w))).size:
        i, j = bad[0]
        raise ValueError(
            f"document {i}, field {names[j]!r}: {r[i, j]} right of {s[i, j]} said and {w[i, j]} "
            "wanted is impossible"
        )
    s, w, r = (table.astype(np.float64) for table in (s, w, r))
    return tuple(names), s, w, r
