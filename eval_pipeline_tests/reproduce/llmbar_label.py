"""LLMBar: accuracies and kappas of all 499 published cells, and where a kappa is another thing.

Accuracy needs no convention: it is the share of items whose verdict is the label, and a missing
verdict is wrong. The published kappas do. Two were found, and both reproduce every cell:
    between the orders, a missing verdict is taken for one for output 2;
    against the label, only agreement on output 1 is counted, in what is observed and in what is
    expected by chance: (p_11 - p_1 q_1) / (1 - p_1 q_1).
Beside them stands Cohen's kappa with missing verdicts left out, for each cell where it differs.
Source: Zeng et al. 2024, arXiv:2310.07641, statistics.json beside each result.json.
"""

from typing import Any

import numpy as np
import pyarrow.parquet as pq
from numpy.typing import NDArray

from eval_pipeline.metrics.agreement.formula import cohen_kappa, confusion
from eval_pipeline_tests.reproduce.llmbar import CELL, cell_name, reference_folder
from eval_pipeline_tests.reproduce.row import Row

EXACT = 1e-9
MISSING_ROOM = 0.06  # how far a missing verdict moves a kappa between the orders, at most
ACCURACIES = ("acc_ab", "acc_ba", "acc_average", "acc_both")
KAPPAS = ("kappa_ab", "kappa_ba", "kappa_average", "kappa_agreement")
OTHER_FORMULA = 0.7  # how far apart the two kappas against the label lie, at most
OUTPUTS = ("1", "2")
Words = NDArray[np.object_]


def rows() -> list[Row]:
    """Each published number by its own convention; then ours where it is another."""
    found: list[Row] = []
    for name, published, label, verdicts in cells():
        ours = as_published(label, *verdicts)
        found += [
            Row(f"{name} {key}", published[key], ours[key], ours[key] - published[key], EXACT)
            for key in (*ACCURACIES, *KAPPAS)
        ]
        if any("nan" in one for one in verdicts):
            theirs, kappa = published["kappa_agreement"], cohen(*verdicts)
            named = f"{name} kappa between the orders, missing left out"
            found.append(Row(named, theirs, kappa, kappa - theirs, MISSING_ROOM))
        against = cohen(verdicts[0], label)
        if abs(against - published["kappa_ab"]) > EXACT:
            named = f"{name} Cohen's kappa against the label"
            difference = against - published["kappa_ab"]
            found.append(Row(named, published["kappa_ab"], against, difference, OTHER_FORMULA))
    return found


def cells() -> list[tuple[str, dict[str, Any], Words, tuple[Words, Words]]]:
    """Name, published numbers, labels and the verdicts of both orders of each cell, sorted."""
    folder = reference_folder()
    verdicts = pq.read_table(folder / "llmbar_verdicts_both_orders.parquet").to_pylist()
    published = pq.read_table(folder / "llmbar_published_statistics.parquet").to_pylist()
    by_cell: dict[str, list[dict[str, Any]]] = {}
    for row in verdicts:
        by_cell.setdefault(cell_name({name: row[name] for name in CELL}), []).append(row)
    found = []
    for cell in sorted(published, key=cell_name):
        mine = by_cell[cell_name(cell)]
        label, ab, ba = (
            np.array([str(row[name]) for row in mine], dtype=object)
            for name in ("label", "winner_ab", "winner_ba")
        )
        found.append((cell_name(cell), cell, label, (ab, ba)))
    return found


def as_published(label: Words, ab: Words, ba: Words) -> dict[str, float]:
    """All eight numbers of a cell by the published conventions; accuracies in percent."""
    right = [ab == label, ba == label]
    kappas = [_on_output_1(ab, label), _on_output_1(ba, label)]
    accuracy = [100 * float(one.mean()) for one in right]
    first = [np.where(one == "1", "1", "2").astype(object) for one in (ab, ba)]
    return {
        "acc_ab": accuracy[0],
        "acc_ba": accuracy[1],
        "acc_average": sum(accuracy) / 2,
        "acc_both": 100 * float((right[0] & right[1]).mean()),
        "kappa_ab": kappas[0],
        "kappa_ba": kappas[1],
        "kappa_average": sum(kappas) / 2,
        "kappa_agreement": cohen(*first),
    }


def cohen(one: Words, other: Words) -> float:
    """Cohen's kappa over the items on which both gave a verdict."""
    both = np.isin(one, OUTPUTS) & np.isin(other, OUTPUTS)
    table = confusion(one[both].tolist(), other[both].tolist(), OUTPUTS)
    return cohen_kappa(table).coefficient


def _on_output_1(verdict: Words, label: Words) -> float:
    """The published kappa against the label: agreement on output 1 alone."""
    chance = float((verdict == "1").mean() * (label == "1").mean())
    return (float(((verdict == "1") & (label == "1")).mean()) - chance) / (1 - chance)
