"""What people's labels are worth: agreement with each other, honeypots, disputes.

Which coefficient is right depends on who labelled what, so a rule picks it (`measures_for`):
    two raters, each unit labelled by both: Cohen's kappa, and weighted kappa, as a tie lies
        between the two models;
    more raters, the same number on each unit: Fleiss' kappa;
    anything else (gaps): Krippendorff's alpha.
Raw agreement stands beside it always. Intervals are percentiles of a bootstrap over the items'
clusters: raters are taken as they are.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from eval_pipeline.judging.pairs.swap import TIE, VERDICTS, A, B
from eval_pipeline.judging.rows import (
    Bools,
    Floats,
    Ints,
    Strings,
    WordColumn,
    grouped,
    places,
    words_of,
)
from eval_pipeline.metrics.agreement.formula import (
    cohen_kappa,
    fleiss_kappa,
    krippendorff_alpha,
    weighted_kappa,
)
from eval_pipeline.statistics.bootstrap import percentile_interval
from eval_pipeline.statistics.clusters import cluster_codes
from eval_pipeline.statistics.intervals import clopper_pearson
from eval_pipeline.statistics.randomness import generator

PAIR = ("item_id", "model_a", "model_b")
SCALE = (A, TIE, B)  # the verdicts in their order, for near misses
ONE_VALUE = "only one label occurs: chance explains full agreement"
NO_OVERLAP = "no pair was labelled by two raters"


@dataclass(frozen=True)
class Ratings:
    """Labels of one set as a table of raters x pairs: the verdict's number, -1 where none."""

    raters: Strings
    item_id: Strings
    model_a: Strings
    model_b: Strings
    cluster_id: Strings
    verdict: Ints  # shape (raters, pairs)

    @property
    def counts(self) -> Ints:
        """How many raters gave each verdict, shape (pairs, 3)."""
        return np.stack([(self.verdict == v).sum(axis=0) for v in (A, B, TIE)], axis=1)


def ratings_of(annotations: pa.Table) -> Ratings:
    """The labels of one annotation set; honeypots are left out.

    Raises ValueError for an unknown label, or two labels of a rater on one pair.
    """
    kept = annotations.filter(pc.invert(annotations["honeypot"]))
    named = {name: words_of(kept, name) for name in (*PAIR, "cluster_id", "rater")}
    label = places(kept["label"], VERDICTS, "label", named)
    firsts, pair = grouped([named[name].codes for name in PAIR])
    raters, rater = np.unique(named["rater"].codes, return_inverse=True)
    _refuse_second_labels(rater, pair, named)
    verdict = np.full((len(raters), len(firsts)), -1, dtype=np.int64)
    verdict[rater, pair] = label
    first = {name: column.of(firsts) for name, column in named.items()}
    return Ratings(
        named["rater"].words[raters],
        first["item_id"],
        first["model_a"],
        first["model_b"],
        first["cluster_id"],
        verdict,
    )


def measures_for(ratings: Ratings) -> tuple[tuple[str, ...], str]:
    """The coefficients that the design of the labels asks for, and the rule in a sentence."""
    per_pair = (ratings.verdict >= 0).sum(axis=0)
    twice = per_pair[per_pair >= 2]
    n_raters, ragged = len(ratings.raters), len(set(per_pair.tolist())) > 1
    if not twice.size:
        return ("krippendorff_alpha",), NO_OVERLAP
    if n_raters == 2 and not ragged:
        why = "two raters labelled every pair: each has marginals of their own"
        return ("cohen_kappa", "weighted_kappa"), why
    if not ragged:
        return ("fleiss_kappa",), f"every pair has the labels of {twice[0]} of {n_raters} raters"
    why = f"pairs have {per_pair.min()} to {per_pair.max()} labels of {n_raters} raters"
    return ("krippendorff_alpha",), why


def agreement_rows(
    annotations: pa.Table, seed: int, replicates: int, confidence: float
) -> list[dict[str, object]]:
    """Rows of `rater_agreement`, sorted by set and measure."""
    rows: list[dict[str, object]] = []
    for name in sorted(set(annotations["annotation_set"].to_pylist())):
        mine = ratings_of(annotations.filter(pc.equal(annotations["annotation_set"], name)))
        chosen, why = measures_for(mine)
        for measure in sorted(("raw", *chosen)):
            because = "stands beside every coefficient" if measure == "raw" else why
            rng = generator(seed, "rater agreement", name, measure)
            found = _agreement(mine, measure, rng, replicates, confidence)
            rows.append({"annotation_set": name, "chosen_because": because, **found})
    return rows


def quality_rows(annotations: pa.Table, at_least: float | None) -> list[dict[str, object]]:
    """Rows of `rater_quality`, sorted by set and rater.

    at_least: share of honeypots that a rater must label rightly for their labels to count; None
    where the contract does not ask. A rater is left out where the share of those labelled lies
    below it; one who met no honeypot is not tested, and counts.
    """
    rows: list[dict[str, object]] = []
    for name in sorted(set(annotations["annotation_set"].to_pylist())):
        own = annotations.filter(pc.equal(annotations["annotation_set"], name))
        ratings = ratings_of(own)
        pool = {rater: _with_pool(ratings, i) for i, rater in enumerate(ratings.raters)}
        right = _honeypots(own)
        for rater in sorted({*pool, *right}):
            n_right, n = right.get(rater, (0, 0))
            quality = _quality(n_right, n, at_least)
            rows.append(
                {"annotation_set": name, "rater": rater, **quality, **pool.get(rater, NO_POOL)}
            )
    return rows


def dispute_rows(annotations: pa.Table) -> list[dict[str, object]]:
    """Rows of `label_disputes`: pairs on which raters differ, the most divided of a set first."""
    rows: list[dict[str, object]] = []
    for name in sorted(set(annotations["annotation_set"].to_pylist())):
        ratings = ratings_of(annotations.filter(pc.equal(annotations["annotation_set"], name)))
        counts = ratings.counts
        n = counts.sum(axis=1)
        with np.errstate(invalid="ignore", divide="ignore"):
            split = 1.0 - (counts * (counts - 1)).sum(axis=1) / (n * (n - 1))
        disputed = np.flatnonzero((n >= 2) & (split > 0))
        order = disputed[np.argsort(-split[disputed], kind="stable")]
        rows += [
            {
                "annotation_set": name,
                "item_id": ratings.item_id[i],
                "model_a": ratings.model_a[i],
                "model_b": ratings.model_b[i],
                "n_model_a": int(counts[i, A]),
                "n_model_b": int(counts[i, B]),
                "n_tie": int(counts[i, TIE]),
                "split": float(split[i]),
            }
            for i in order
        ]
    return rows


def without_raters(annotations: pa.Table, quality: Sequence[Mapping[str, object]]) -> pa.Table:
    """The labels less those of raters whose outcome in `rater_quality` is left_out."""
    out = {(row["annotation_set"], row["rater"]) for row in quality if row["outcome"] == "left_out"}
    if not out:
        return annotations
    named = zip(
        annotations["annotation_set"].to_pylist(), annotations["rater"].to_pylist(), strict=True
    )
    return annotations.filter(pa.array([key not in out for key in named]))


NO_POOL = {"n_labels": 0, "pool_agreement": np.nan, "pool_kappa": np.nan, "n_pool": 0}


def _agreement(
    ratings: Ratings, measure: str, rng: np.random.Generator, replicates: int, confidence: float
) -> dict[str, object]:
    per_pair = (ratings.verdict >= 0).sum(axis=0)
    used = np.flatnonzero(per_pair >= 2)
    verdict = ratings.verdict[:, used]
    statistic = _STATISTICS[measure]
    value = statistic(verdict) if used.size else np.nan
    low = high = se = np.nan
    method, reason = None, _undefined(verdict, used.size, value)
    codes, n_clusters = cluster_codes(ratings.cluster_id[used])
    if reason is None and n_clusters < 2:
        reason = "no interval: one cluster"
    elif reason is None:
        drawn = _resampled(statistic, verdict, codes, n_clusters, rng, replicates)
        interval = percentile_interval(drawn, confidence)
        reason = interval.reason
        if reason is None:
            low, high, method = interval.low, interval.high, "cluster_bootstrap_percentile"
            se = float(np.nanstd(drawn, ddof=1))
            if np.ptp(drawn) == 0:  # a width of zero says nothing of spread
                low = high = se = np.nan
                method, reason = None, "no interval: no resample differs from another"
    return {
        "measure": measure,
        "estimate": value,
        "se": se,
        "ci_low": low,
        "ci_high": high,
        "ci_method": method,
        "confidence": confidence,
        "n_raters": len(ratings.raters),
        "n_units": int(used.size),
        "n_single": int((per_pair == 1).sum()),
        "n_labels": int(per_pair[used].sum()),
        "status": "undefined" if np.isnan(value) else "ok",
        "reason": reason,
    }


def _undefined(verdict: Ints, n_units: int, value: float) -> str | None:
    if not n_units:
        return "one rater: nobody to agree with" if len(verdict) == 1 else NO_OVERLAP
    return ONE_VALUE if np.isnan(value) else None


def _resampled(
    statistic: Callable[[Ints], float],
    verdict: Ints,
    codes: Ints,
    n_clusters: int,
    rng: np.random.Generator,
    replicates: int,
) -> Floats:
    members = np.split(np.argsort(codes, kind="stable"), np.cumsum(np.bincount(codes))[:-1])
    drawn = np.empty(replicates)
    for r in range(replicates):
        chosen = rng.integers(0, n_clusters, n_clusters)
        drawn[r] = statistic(verdict[:, np.concatenate([members[c] for c in chosen])])
    return drawn


def _counts(verdict: Ints) -> Ints:
    return np.stack([(verdict == v).sum(axis=0) for v in SCALE], axis=1)


def _raw(verdict: Ints) -> float:
    """Share of agreeing pairs of raters, mean over units."""
    counts = _counts(verdict)
    n = counts.sum(axis=1)
    return float(((counts * (counts - 1)).sum(axis=1) / (n * (n - 1))).mean())


def _square(verdict: Ints) -> Ints:
    place = np.argsort(SCALE)[verdict]
    return np.bincount(place[0] * 3 + place[1], minlength=9).reshape(3, 3).astype(np.int64)


_STATISTICS: dict[str, Callable[[Ints], float]] = {
    "raw": _raw,
    "cohen_kappa": lambda verdict: cohen_kappa(_square(verdict)).coefficient,
    "weighted_kappa": lambda verdict: weighted_kappa(_square(verdict)).coefficient,
    "fleiss_kappa": lambda verdict: fleiss_kappa(_counts(verdict)).coefficient,
    "krippendorff_alpha": lambda verdict: krippendorff_alpha(
        np.where(verdict < 0, np.nan, verdict.astype(np.float64))
    ),
}


def _with_pool(ratings: Ratings, i: int) -> dict[str, object]:
    """Agreement of one rater with all others, each pair of replies with the same weight."""
    mine = ratings.verdict[i]
    others = np.delete(ratings.verdict, i, axis=0)
    counts = _counts(others)
    both = (mine >= 0) & (counts.sum(axis=1) > 0)
    n_labels = int((mine >= 0).sum())
    if not both.any():
        return {**NO_POOL, "n_labels": n_labels}
    shares = counts[both] / counts[both].sum(axis=1, keepdims=True)
    own = np.eye(3)[np.argsort(SCALE)[mine[both]]]
    observed = float((own * shares).sum(axis=1).mean())
    expected = float(own.mean(axis=0) @ shares.mean(axis=0))
    kappa = (observed - expected) / (1 - expected) if expected < 1 else np.nan
    return {
        "n_labels": n_labels,
        "pool_agreement": observed,
        "pool_kappa": kappa,
        "n_pool": int(both.sum()),
    }


def _honeypots(annotations: pa.Table) -> dict[str, tuple[int, int]]:
    """Honeypots labelled rightly, and honeypots with a known answer, by rater."""
    known: Bools = pc.and_(annotations["honeypot"], pc.is_valid(annotations["expected"])).to_numpy()
    tested = annotations.filter(pa.array(known))
    found: dict[str, tuple[int, int]] = {}
    columns = (tested[name].to_pylist() for name in ("rater", "label", "expected"))
    for rater, label, expected in zip(*columns, strict=True):
        right, n = found.get(rater, (0, 0))
        found[rater] = (right + (label == expected), n + 1)
    return found


def _quality(n_right: int, n: int, at_least: float | None) -> dict[str, object]:
    low, high = clopper_pearson(n_right, n) if n else (np.nan, np.nan)
    share = n_right / n if n else np.nan
    if not n:
        outcome, reason = "not_tested", "labelled no honeypot with a known answer"
    elif at_least is not None and share < at_least:
        outcome, reason = "left_out", f"{n_right} of {n} honeypots right, below {at_least:g}"
    else:
        outcome, reason = "kept", None
    return {
        "n_honeypots": n,
        "n_right": n_right,
        "accuracy": share,
        "accuracy_low": low,
        "accuracy_high": high,
        "bar": at_least,
        "outcome": outcome,
        "reason": reason,
    }


def _refuse_second_labels(rater: Ints, pair: Ints, named: Mapping[str, WordColumn]) -> None:
    _, first, counts = np.unique(
        rater * (pair.max(initial=0) + 1) + pair, return_index=True, return_counts=True
    )
    if (twice := np.flatnonzero(counts > 1)).size:
        i = int(first[twice[0]])
        raise ValueError(
            f"rater {named['rater'][i]!r} has {counts[twice[0]]} labels on item "
            f"{named['item_id'][i]!r}: keep one"
        )
