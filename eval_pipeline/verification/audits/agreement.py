"""Our verdicts beside recorded ones: how each pair stands, and how far they agree."""

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from eval_pipeline.metrics.agreement.kappas import kappa_estimate, verdict_kappa
from eval_pipeline.statistics.clustered import Estimate, mean, undefined
from eval_pipeline.statistics.clusters import cluster_codes
from eval_pipeline.verification.recorded import RecordedVerdicts

OUR_COLUMNS = (
    "item_id",
    "draw",
    "cluster_id",
    "status",
    "detail",
    "extracted",
    "verdict",
    "explanation",
)
NOTHING_SHARED = "no sample was judged by both"
ONE_SIDED = "no interval: one side has but one verdict, so that kappa is 0 whatever the other says"

Row = Mapping[str, Any]


def relation(ours: float | None, recorded: float | None, threshold: float | None = None) -> str:
    """How two verdicts stand: agrees, differs, only_ours, only_recorded, neither or between.

    threshold: a score at or above it is right; without it 1 is right, 0 is wrong, and what lies
    between is neither.
    """
    if ours is None or recorded is None:
        if ours is None and recorded is None:
            return "neither"
        return "only_recorded" if ours is None else "only_ours"
    sides = is_right(ours, threshold), is_right(recorded, threshold)
    if None in sides:
        return "between"
    return "agrees" if sides[0] == sides[1] else "differs"


def is_right(score: float, threshold: float | None = None) -> bool | None:
    """Whether a score counts as right; None where it lies between and no threshold is declared."""
    if threshold is not None:
        return score >= threshold
    return {0.0: False, 1.0: True}.get(score)


def recorded_rows(
    ours: Sequence[Row],
    extras: Mapping[tuple[str, int], str | None],
    reader: RecordedVerdicts,
    threshold: float | None = None,
) -> list[dict[str, object]]:
    """Rows of `recorded_verdicts`, one a sample of `verifier_scores` (OUR_COLUMNS).

    extras: further keys of each sample's row, JSON, by item and draw. A sample without our verdict
    may well have a recorded one.
    """
    rows = []
    for row in ours:
        theirs = reader.verdict_of(extras[row["item_id"], row["draw"]], None)
        rows.append(
            {
                "item_id": row["item_id"],
                "draw": row["draw"],
                "cluster_id": row["cluster_id"],
                "relation": relation(row["verdict"], theirs.score, threshold),
                "ours": row["verdict"],
                "ours_status": row["status"],
                "ours_detail": row["detail"],
                "extracted": row["extracted"],
                "explanation": row["explanation"],
                "recorded": theirs.score,
                "recorded_detail": theirs.detail,
                "recorded_explanation": theirs.explanation,
            }
        )
    return rows


def agreement_rows(
    rows: Sequence[Row],
    reader: RecordedVerdicts,
    threshold: float | None,
    confidence: float,
    by_step: bool = False,
) -> list[dict[str, object]]:
    """Rows of `verdict_agreement`: of all samples, and by the step of a chain that read the answer.

    by_step: whether the extraction is a chain, whose step begins the detail of each verdict.
    """
    found = [agreement_row(rows, reader, threshold, confidence)]
    steps: dict[str, list[Row]] = {}
    for row in rows if by_step else ():
        if row["ours_status"] == "ok" and row["ours_detail"]:
            steps.setdefault(row["ours_detail"].partition(";")[0], []).append(row)
    for step, read in sorted(steps.items()):
        row = agreement_row(read, reader, threshold, confidence)
        found.append({**row, "slice": f"step={step}"})
    return found


def agreement_row(
    rows: Sequence[Row], reader: RecordedVerdicts, threshold: float | None, confidence: float
) -> dict[str, object]:
    """The row of `verdict_agreement` for rows of `recorded_verdicts`.

    Agreement and Cohen's kappa rest on the samples that both judged, each weighing the same; their
    intervals know the clusters. Kappa is undefined where chance alone explains all: where both
    sides have the same one verdict.
    """
    relations = Counter(row["relation"] for row in rows)
    compared = [row for row in rows if row["relation"] in ("agrees", "differs")]
    sides = [
        (bool(is_right(row["ours"], threshold)), bool(is_right(row["recorded"], threshold)))
        for row in compared
    ]
    cells = Counter(sides)
    recorded = [row["recorded"] for row in rows if row["recorded"] is not None]
    agreement, kappa = _coefficients(sides, [row["cluster_id"] for row in compared], confidence)
    return {
        "slice": "all",
        "metric": reader.name,
        "grader": reader.grader,
        "threshold": threshold,
        "n_samples": len(rows),
        "n_compared": len(compared),
        **{f"n_{name}": relations[name] for name in _APART},
        "both_right": cells[True, True],
        "only_ours_right": cells[True, False],
        "only_recorded_right": cells[False, True],
        "both_wrong": cells[False, False],
        "ours": _mean([row["ours"] for row in compared]),
        "recorded": _mean([row["recorded"] for row in compared]),
        "recorded_all": _mean(recorded),
        "n_recorded": len(recorded),
        **_named("agreement", agreement),
        **_named("kappa", kappa),
        "confidence": confidence,
        "n_units": agreement.n_clusters,
    }


_APART = ("only_ours", "only_recorded", "neither", "between")


def _coefficients(
    sides: Sequence[tuple[bool, bool]], clusters: Sequence[str], confidence: float
) -> tuple[Estimate, Estimate]:
    if not sides:
        nothing = undefined(NOTHING_SHARED, confidence)
        return nothing, nothing
    right = np.array(sides, dtype=np.float64)
    same = (right[:, 0] == right[:, 1]).astype(np.float64)
    ours, recorded = (np.column_stack([side, 1.0 - side]) for side in right.T)
    codes, n_clusters = cluster_codes(clusters)
    kappa = kappa_estimate(verdict_kappa(same, ours, recorded), codes, n_clusters, confidence)
    if np.ptp(right, axis=0).min() == 0 and not math.isnan(kappa.value):
        kappa = undefined(ONE_SIDED, confidence, n_clusters, kappa.value)
    share = mean(same, clusters, confidence=confidence)
    return replace(share, value=float(same.mean())), kappa  # of counts, so that all is 1 exactly


def _named(of: str, estimate: Estimate) -> dict[str, object]:
    return {
        of: estimate.value,
        f"{of}_se": estimate.se,
        f"{of}_low": estimate.low,
        f"{of}_high": estimate.high,
        f"{of}_method": estimate.method,
        f"{of}_reason": estimate.reason,
    }


def _mean(values: Sequence[float]) -> float:
    """Summed exactly, so that no order of rows changes it; NaN of nothing."""
    return math.fsum(values) / len(values) if values else math.nan
