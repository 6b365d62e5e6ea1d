"""The golden instruments of metrics, each answered by public functions."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from eval_pipeline.metrics.draws.formula_at_k import pass_at_k, pass_at_k_unbiased, pass_hat_k
from eval_pipeline.metrics.draws.formula_majority import majority_credit, majority_vote
from eval_pipeline.metrics.draws.theory_at_k import (
    direct_variance,
    plugin_expectation,
    plugin_pass_at_k,
    plugin_worst_k,
    true_pass_at_k,
    unbiased_expectation,
    unbiased_variance,
)
from eval_pipeline.metrics.estimates.aggregate import micro_macro
from eval_pipeline.metrics.estimates.missing import missing_report
from eval_pipeline.metrics.inputs import mapping, rows, whole


def unbiased(
    n: int | None = None,
    c: int | None = None,
    k: int | None = None,
    cases: Sequence[Sequence[int]] | None = None,
) -> float | list[float]:
    if cases is not None:
        return [pass_at_k_unbiased(*triple(case)) for case in rows(cases, "cases")]
    return pass_at_k_unbiased(n, c, k)  # type: ignore[arg-type]  # bad types are the case


def triple(case: Any) -> list[int]:
    """n, c and k, in this order or by name."""
    named = [case.get(key) for key in ("n", "c", "k")] if isinstance(case, Mapping) else case
    if len(rows(named, "a case")) != 3:
        raise ValueError(f"a case is n, c and k, not {case!r:.60}")
    return list(named)


def over_items(
    items: Sequence[Mapping[str, int]], k: int, rule: Callable[..., Any] = pass_at_k
) -> float:
    if not rows(items, "items"):
        raise ValueError("no items")
    values = rule([item["n"] for item in items], [item["c"] for item in items], k)
    if np.isnan(values).any():
        raise ValueError(f"an item has fewer than {k} draws: its value is undefined")
    return float(np.mean(values))


def of_tasks(
    tasks: Sequence[Mapping[str, int]] | None = None,
    k: int = 1,
    n: int | None = None,
    c: int | None = None,
) -> float:
    """pass^k of several tasks, or of the counts of one."""
    counts = [{"n": n, "c": c}] if tasks is None else tasks
    named(counts, "n", "c")
    return over_items(counts, k, pass_hat_k)  # type: ignore[arg-type]  # bad types are the case


def named(given: Sequence[Mapping[str, Any]], *keys: str) -> None:
    """ValueError for the first row without one of the whole numbers that it must have."""
    for i, row in enumerate(rows(given, "rows")):
        for key in keys:
            if key not in mapping(row, f"row {i}"):
                raise ValueError(f"row {i} has no {key}: {row!r:.60}")
            whole(row[key], f"{key} of row {i}", 0)


def dataset_pass_at_k(items: Sequence[Mapping[str, int]], k: int) -> dict[str, float]:
    named(items, "n", "c")
    n, c = (sum(item[key] for item in items) for key in ("n", "c"))
    return {
        "correct_per_item_mean": over_items(items, k),
        "wrong_pooled_combinatorial": pass_at_k_unbiased(n, c, k),
        "wrong_pooled_plugin": plugin_pass_at_k(n, c, k),
    }


def every_run_passes(episodes: Sequence[Sequence[bool]]) -> float:
    """pass^k by run: the share of tasks whose every recorded run passes."""
    for i, runs in enumerate(rows(episodes, "episodes")):
        if not rows(runs, f"episode {i}") or not all(run in (0, 1) for run in runs):
            raise ValueError(f"episode {i} is {runs}: give each run as true or false")
    return over_items([{"n": 1, "c": int(all(runs))} for runs in episodes], 1, pass_hat_k)


def plugin_expected(n: int, p: float, k: int) -> dict[str, float]:
    truth, plugin = true_pass_at_k(p, k), plugin_expectation(n, p, k)
    answer = {"true": truth, "E_plugin": plugin, "bias": plugin - truth}
    return answer | ({"E_unbiased": unbiased_expectation(n, p, k)} if n >= k else {})


def worst_k(n: int, p: float | Sequence[float]) -> int | dict[str, int]:
    if not isinstance(p, Sequence):
        return plugin_worst_k(n, p)
    return {str(chance): plugin_worst_k(n, chance) for chance in p}


def vote(
    answers: Sequence[str | None], ref: str, tie_rule: str = "expected_credit"
) -> dict[str, Any]:
    if tie_rule != "expected_credit":
        raise ValueError(f"unknown tie rule {tie_rule}")
    found = majority_vote(abstaining(answers), ref)
    answer = {"modes": list(found.modes), "score": found.score, "unparsed": found.n_unparsed}
    return answer | ({"mode": found.modes[0]} if len(found.modes) == 1 else {})


def abstaining(answers: Any) -> list[Any]:
    """The answers; a null among numbers has become NaN, and abstains as any other."""
    return [None if a != a else a for a in rows(answers, "answers")]


def headroom(answers: Sequence[str | None], ref: str, k: int) -> dict[str, float]:
    said = abstaining(answers)
    majority_vote(said, ref)  # refuses what are no answers
    right = sum(answer == ref for answer in said)
    wrong = [said.count(a) for a in set(said) - {ref, None}]
    passed = pass_at_k_unbiased(len(said), right, k)
    majority = majority_credit(right, wrong, said.count(None), k)
    return {"pass_at_k": passed, "maj": majority, "gap": passed - majority}


def micro_and_macro(groups: Mapping[str, Mapping[str, int]]) -> dict[str, float]:
    named(list(mapping(groups, "groups").values()), "n", "correct")
    found = micro_macro({name: (g["n"], g["correct"]) for name, g in groups.items()})
    return {"micro": found.micro, "macro": found.macro}


def missing_values(rows: Mapping[str, int], n: int) -> dict[str, Any]:
    counted = {s: whole(count, s, 0) for s, count in mapping(rows, "rows").items()}
    failed = {s: count for s, count in counted.items() if s not in ("correct", "wrong")}
    if sum(counted.values()) != whole(n, "n", 0):
        raise ValueError(f"the statuses add up to {sum(counted.values())}, not {n}")
    found = missing_report(counted.get("correct", 0), counted.get("wrong", 0), failed)
    return {
        "primary_fail_closed": found.primary,
        "conditional_valid": found.valid_only,
        "bounds": [found.bound_low, found.bound_high],
        "counts": found.counts,
    }


INSTRUMENTS: dict[str, Callable[..., Any]] = {
    "pass_at_k_unbiased": unbiased,
    "pass_at_k_true": lambda p, k: (
        [true_pass_at_k(chance, k) for chance in p] if isinstance(p, list) else true_pass_at_k(p, k)
    ),
    "pass_at_k_plugin": plugin_pass_at_k,
    "pass_at_k_plugin_expectation": plugin_expected,
    "pass_at_k_plugin_bias_k2": lambda n, p: plugin_expectation(n, p, 2) - true_pass_at_k(p, 2),
    "pass_at_k_plugin_worst_k": worst_k,
    "pass_at_k_unbiased_expectation": unbiased_expectation,
    "pass_at_k_unbiased_variance": unbiased_variance,
    "pass_at_k_direct_variance": direct_variance,
    "pass_at_k_dataset": dataset_pass_at_k,
    "pass_hat_k": of_tasks,
    "pass_hat_k_all": every_run_passes,
    "majority_vote": vote,
    "passk_minus_maj": headroom,
    "macro_micro_accuracy": micro_and_macro,
    "missing_value_report": missing_values,
}
