"""The golden instruments of statistics, each answered by public functions."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from eval_pipeline.metrics.inputs import mapping, number, numbers, probabilities, whole
from eval_pipeline.statistics.bootstrap import (
    Bootstrap,
    bootstrap_difference,
    bootstrap_mean,
    enumerated_means,
    percentile_interval,
)
from eval_pipeline.statistics.clustered import influence, item_weights, standard_error
from eval_pipeline.statistics.clusters import cluster_codes
from eval_pipeline.statistics.given import vector
from eval_pipeline.statistics.intervals import (
    normal_quantile,
    score_interval,
    share_standard_error,
)
from eval_pipeline.statistics.margins import margin_tests
from eval_pipeline.statistics.multiplicity import adjusted
from eval_pipeline.statistics.paired import (
    mcnemar_chi_squared,
    mcnemar_exact,
    paired_difference,
    paired_standard_error,
    sign_test,
)
from eval_pipeline.statistics.power import (
    items_for_half_width,
    items_for_share,
    items_per_arm,
    items_per_arm_for_half_width,
    paired_items,
    win_probability,
)
from eval_pipeline.statistics.randomness import generator
from eval_pipeline.statistics.sequential import peeking_error_rate
from eval_pipeline.statistics.variance import variance_components
from eval_pipeline_tests.golden.runner import listed, sequence

Z95 = 1.96  # as the half-width cases print it


def bootstrapped(
    data: Sequence[float],
    clusters: Sequence[Any] | None = None,
    samples: int = 2000,
    strata: Sequence[Any] | None = None,
    confidence: float = 0.95,
) -> dict[str, Any]:
    units = list(range(len(sequence(data, "data")))) if clusters is None else clusters
    found = bootstrap_mean(
        data,
        units,
        generator(1, "golden"),
        replicates=samples,
        strata=strata,
        confidence=confidence,
    )
    return resampled(found) | {"fallback": "wilson" if found.fallback else None}


def resampled(found: Bootstrap) -> dict[str, Any]:
    """What an interval from resamples says."""
    ends = [found.percentiles.low, found.percentiles.high]
    silent = found.percentiles.reason is not None or found.degenerate
    return {
        "effect": found.value,
        "ci": None if found.percentiles.reason else ends,
        "degenerate": found.degenerate,
        "significant": None if silent else not ends[0] <= 0 <= ends[1],
        "status": "undefined" if found.percentiles.reason else "ok",
    }


def bootstrapped_difference(
    candidate: Sequence[float] | None = None,
    baseline: Sequence[float] | None = None,
    a: Sequence[float] | None = None,
    b: Sequence[float] | None = None,
    clusters: Sequence[Any] | None = None,
    samples: int = 2000,
) -> dict[str, Any]:
    first, second = (candidate, baseline) if a is None or b is None else (a, b)
    first, second = sequence(first, "candidate"), sequence(second, "baseline")
    if len(first) != len(second):
        raise ValueError("two lists of one length are needed")
    units = list(range(len(first))) if clusters is None else clusters
    found = bootstrap_difference(first, second, units, generator(1, "golden"), replicates=samples)
    return resampled(found) | {"fallback": "constant" if found.fallback else None}


def enumeration(d: Sequence[float]) -> dict[str, float]:
    means = enumerated_means(d)
    return {"n": len(means), "mean": float(np.mean(means))}


def cluster_enumeration(prompt_values: Sequence[float]) -> dict[str, Any]:
    means = enumerated_means(prompt_values)
    found = percentile_interval(means)
    return {"n": len(means), "ci": [found.low, found.high]}


def flattened(clusters: Mapping[str, Sequence[float]]) -> tuple[list[float], list[str]]:
    for name, scores in mapping(clusters, "clusters").items():
        if not listed(scores):
            raise ValueError(f"cluster {name!r} holds no score: leave it out")
    values = numbers([x for scores in clusters.values() for x in listed(scores)], "scores").tolist()
    return values, [name for name, scores in clusters.items() for _ in listed(scores)]


def percentiles(values: Sequence[float], q: Any) -> Any:
    levels = probabilities(listed(q), "q")
    found = np.quantile(numbers(values, "values"), levels).tolist()
    return found if isinstance(q, list) else found[0]


def two_weightings(clusters: Mapping[str, Sequence[float]]) -> dict[str, float]:
    values, names = flattened(clusters)
    by_item, by_cluster = item_weights(None, len(values))[0], item_weights(names, len(values))[0]
    return {
        "item_weighted": float(by_item @ values),
        "cluster_weighted": float(by_cluster @ values),
    }


def robust_errors(clusters: Mapping[str, Sequence[float]]) -> dict[str, float]:
    values, names = flattened(clusters)
    x = vector(values, "scores")
    weights, group, n_groups = item_weights(None, len(x))
    apart = influence(x, weights, group, n_groups)
    codes, n_clusters = cluster_codes(names)
    alone = np.arange(len(x))
    return {
        "mean": float(weights @ x),
        "se_iid": standard_error(apart, alone, len(x)),
        "se_cluster_CR0": standard_error(apart, codes, n_clusters, correction="CR0"),
    }


def effect(candidate: Sequence[float], baseline: Sequence[float]) -> dict[str, float]:
    found = paired_difference(
        candidate, baseline, list(range(len(sequence(candidate, "candidate"))))
    )
    return {"candidate_minus_baseline": found.estimate.value}


def wald(n: int, p: float | None = None, x: int | None = None, z: float = Z95) -> dict[str, float]:
    if not number(z, "z") > 0:
        raise ValueError(f"z must be above 0, got {z}")
    share = _share(n, p, x)
    se = share_standard_error(share, n)
    return {"se": se, "lo": share - z * se, "hi": share + z * se}


def peeking(looks: int, alpha: float = 0.05, sims: int = 4000, rng: int = 1) -> dict[str, float]:
    draws = generator(whole(rng, "rng", 0), "peeking")
    return {"fpr": peeking_error_rate(looks, alpha, draws, sims)}


def wilson_of(
    n: int,
    x: int | None = None,
    p: float | None = None,
    z: float | None = None,
    confidence: float = 0.95,
) -> list[float]:
    quantile = normal_quantile(confidence) if z is None else z
    return list(score_interval(_share(n, p, x), n, quantile))


def _share(n: int, p: float | None, x: int | None) -> float:
    if (p is None) == (x is None):
        raise ValueError("give a share or a count of successes")
    trials = number(n, "n", least=1.0)
    if p is not None:
        return number(p, "p", 0.0, 1.0)
    return number(x, "x", 0.0, trials) / trials


def of_each(
    formula: Callable[[float], float], discordant: float | Sequence[float]
) -> float | list[float]:
    """One number for one discordant share, a list for a list."""
    if isinstance(discordant, Sequence):
        return [formula(psi) for psi in discordant]
    return formula(discordant)


def error_of_share(n: int, p: float | None = None, x: int | None = None) -> float:
    """Of a share, given as such or as a count of successes."""
    return share_standard_error(_share(n, p, x), n)


def items_for_margin(
    margin: float | None = None, p: float = 0.5, elo_gap: float | None = None
) -> float | dict[str, float]:
    """The classic planning number: how many items make a half-width, which is no power."""
    if elo_gap is not None:
        chance = win_probability(elo_gap)
        return {"p": chance, "n": items_for_half_width(chance - 0.5, 0.5, z=Z95)}
    return items_for_half_width(number(margin, "margin"), p)


def power_of_share(
    p1: float, alpha: float, power: float, test: str = "one-sample two-sided", p0: float = 0.5
) -> float:
    if test != "one-sample two-sided":
        raise ValueError(f"unknown test {test}")
    return items_for_share(p1, p0, alpha, power)


def two_arms(d: float, p: float = 0.5, alpha: float = 0.05, power: float = 0.8) -> dict[str, float]:
    return {
        "ci_only": items_per_arm_for_half_width(d, p, 1 - alpha),
        f"power{round(100 * power)}_per_arm": items_per_arm(d, p, alpha, power),
    }


def all_rules(p: Sequence[float], alpha: float = 0.05) -> dict[str, dict[str, list[Any]]]:
    if not 0 < number(alpha, "alpha") < 1:
        raise ValueError(f"alpha must lie between 0 and 1, got {alpha}")
    found = {rule: adjusted(p, rule) for rule in ("bonferroni", "holm", "bh", "by")}
    return {
        rule: {"reject": (values <= alpha).tolist(), "adj": values.tolist()}
        for rule, values in found.items()
    }


def margins(diff: float, se: float, margin: float, alpha: float = 0.05) -> dict[str, Any]:
    if not 0 < number(alpha, "alpha") < 1:
        raise ValueError(f"alpha must lie between 0 and 1, got {alpha}")
    found = margin_tests(number(diff, "diff"), number(se, "se"), number(margin, "margin"))
    return {
        "superiority_p_one_sided": found.superiority,
        "noninferiority_p": found.non_inferiority,
        "equivalence_p": found.equivalence,
        "noninferior_95": found.non_inferiority < alpha,
    }


def components(scores_item_by_rep: Sequence[Sequence[float]]) -> dict[str, float]:
    found = variance_components(scores_item_by_rep)
    return {
        "within_MS": found.within_mean_square,
        "between_MS": found.between_mean_square,
        "sigma2_between": found.between,
        "sigma2_within": found.within,
        "se_mean": found.se_mean,
    }


INSTRUMENTS: dict[str, Callable[..., Any]] = {
    "bootstrap_ci": bootstrapped,
    "bootstrap_diff": bootstrapped_difference,
    "paired_cluster_bootstrap": bootstrapped_difference,
    "bootstrap_enumeration": enumeration,
    "cluster_bootstrap_enumeration": cluster_enumeration,
    "percentile_linear": percentiles,
    "cluster_estimand": two_weightings,
    "cluster_robust_se": robust_errors,
    "paired_effect": effect,
    "paired_binary_se": lambda n, d, discordant: of_each(
        lambda psi: paired_standard_error(d, psi, n), discordant
    ),
    "mcnemar_exact": lambda b, c: {"p": mcnemar_exact(b, c), "chi2": mcnemar_chi_squared(b, c)},
    "sign_test": lambda consistent_A, consistent_B: {"p": sign_test(consistent_A, consistent_B)},
    "wilson_ci": wilson_of,
    "proportion_ci": wald,
    "proportion_se": error_of_share,
    "proportion_half_width": lambda p, n, z=Z95: (
        number(z, "z", least=0.0) * share_standard_error(number(p, "p"), number(n, "n"))
    ),
    "n_for_margin": items_for_margin,
    "n_for_gap_2se": lambda gap, p=0.5: items_for_half_width(gap, p, z=2.0),
    "n_for_power": power_of_share,
    "n_for_power_two_sample": two_arms,
    "n_for_power_paired": lambda d, discordant, alpha=0.05, power=0.8: of_each(
        lambda psi: paired_items(d, psi, alpha, power), discordant
    ),
    "multiple_comparisons": all_rules,
    "tost": margins,
    "sequential_fpr": peeking,
    "variance_decomposition": components,
}
