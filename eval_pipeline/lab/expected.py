"""What the pipeline should find: planted values in the places of their estimates."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from eval_pipeline.lab.confidences import (
    expected_auroc,
    expected_brier,
    expected_ece,
    stated_confidence,
)
from eval_pipeline.lab.planted import (
    BASELINE,
    CHECKPOINTS,
    JUDGES,
    MARKERS,
    RATERS,
    REFERENCE,
    Checkpoint,
)
from eval_pipeline.lab.truth import Planted
from eval_pipeline.lab.votes import ComparedPair, expected_flip_excess
from eval_pipeline.lab.words import DIFFICULTIES, WordProblem

Floats = NDArray[np.float64]

EXTREMES = 3  # problems at each end of the planted difficulty
BINS = 10  # of ece_event where a contract does not say


def expected_pass_at_k(right: Floats, k: int) -> float:
    """Mean over items of 1 - (1 - right)^k: at least one of k draws is right.

    right: chance that a scored draw of the item is right, shape (items,).
    """
    return float(np.mean(1.0 - (1.0 - right) ** k))


def word_values(
    asked: Sequence[WordProblem], right: Mapping[str, Floats], leaked: Mapping[str, str]
) -> list[Planted]:
    """Scores, failure rates, what the leaks are worth, and gains over the reference."""
    contract = "arithmetic_words"
    clean = np.array([problem.item_id not in leaked for problem in asked])
    difficulty = np.array([problem.difficulty for problem in asked])
    values: list[Planted] = []
    for checkpoint in CHECKPOINTS:
        name, chances = checkpoint.name, right[checkpoint.name]
        values += _scores(contract, name, chances, (1, 4, 8))
        values += (
            _score(contract, name, chances[difficulty == each], 1, f"difficulty={each}")
            for each in DIFFICULTIES
        )
        values += _rates(contract, checkpoint)
        gain = expected_pass_at_k(chances, 1) - expected_pass_at_k(chances[clean], 1)
        where = {**_version(contract), "checkpoint": name, "metric": "pass@1"}
        title = f"{contract}: pass@1 of {name}, all items minus clean"
        values.append(Planted(title, gain, "contamination_delta", where, "difference"))
    for checkpoint in CHECKPOINTS:
        if checkpoint.name != REFERENCE:
            values.append(_gain(contract, checkpoint.name, right))
    return values


def facility_values(asked: Sequence[WordProblem], right: Mapping[str, Floats]) -> Iterator[Planted]:
    """The shares of right answers to the easiest and to the hardest problems, by what was planted.

    Each problem's is the mean over checkpoints of the chance that a scored draw is right.
    """
    contract = "arithmetic_words"
    facility = np.mean([right[checkpoint.name] for checkpoint in CHECKPOINTS], axis=0)
    order = np.argsort(facility, kind="stable")
    for which, places in (("easiest", order[::-1][:EXTREMES]), ("hardest", order[:EXTREMES])):
        for i in places:
            item = asked[i].item_id
            where = {**_version(contract), "item_id": item}
            title = f"{contract}: facility of {item}, one of the {which}"
            yield Planted(title, float(facility[i]), "item_analysis", where, "facility")


def confidence_values(answered: Mapping[str, Floats]) -> Iterator[Planted]:
    """What stated confidences should be found to be worth.

    answered: chance that an answered draw of the item is right, shape (items,), by checkpoint. The
    calibration error of those who state their chance is left out: its estimate is above 0 by luck.
    """
    contract = "arithmetic_words"
    for checkpoint in CHECKPOINTS:
        chance = answered[checkpoint.name]
        stated = stated_confidence(chance, checkpoint.boldness)
        values = {
            "brier_binary": expected_brier(chance, stated),
            "confidence_auroc": expected_auroc(chance, stated),
        }
        if checkpoint.boldness:
            values["ece_event"] = expected_ece(chance, stated, BINS)
        for metric, value in values.items():
            yield _estimate(contract, checkpoint.name, metric, value)


def code_values(right: Mapping[str, Floats]) -> list[Planted]:
    """Scores at functions."""
    return [
        value
        for checkpoint in CHECKPOINTS
        for value in _scores("python_functions", checkpoint.name, right[checkpoint.name], (1, 4))
    ]


def reply_values(pairs: Sequence[ComparedPair]) -> list[Planted]:
    """Biases of every judge; win rates and strengths as the licensed judge should see them."""
    contract = "helpful_replies"
    values: list[Planted] = []
    for judge in JUDGES:
        biases = {
            "position_effect": judge.bias.position,
            "verbosity_per_100_tokens": judge.bias.verbosity_per_100_tokens,
            "self_preference": judge.bias.self_preference,
            "flip_excess": expected_flip_excess(judge, pairs),
        }
        for audit, value in biases.items():
            where = {**_version(contract), "judge": judge.name, "slice": "all", "audit": audit}
            title = f"{contract}: {audit} of {judge.name}"
            values.append(Planted(title, value, "judge_audits", where, "estimate"))
    for judge in JUDGES:
        if judge.deserves_licence:
            values += _strengths(contract, judge.name, pairs)
    return values


def background() -> dict[str, object]:
    """The planted parameters, as plain mappings."""
    return {
        "checkpoints": [asdict(checkpoint) for checkpoint in CHECKPOINTS],
        "judges": [asdict(judge) for judge in JUDGES],
        "markers": [asdict(marker) for marker in MARKERS],
        "raters": [asdict(rater) for rater in RATERS],
    }


def _version(contract: str) -> dict[str, str | int]:
    return {"contract": contract, "version": 1}


def _scores(contract: str, checkpoint: str, right: Floats, ks: Sequence[int]) -> Iterator[Planted]:
    for k in ks:
        yield _score(contract, checkpoint, right, k)


def _score(contract: str, checkpoint: str, right: Floats, k: int, part: str = "all") -> Planted:
    where = {
        **_version(contract),
        "checkpoint": checkpoint,
        "metric": f"pass@{k}",
        "slice": part,
        "policy": "primary",
    }
    among = "" if part == "all" else f", {part}"
    title = f"{contract}: pass@{k} of {checkpoint}{among}"
    return Planted(title, expected_pass_at_k(right, k), "metric_estimates", where, "value")


def _rates(contract: str, checkpoint: Checkpoint) -> Iterator[Planted]:
    metrics = {
        "parser_failure_rate": checkpoint.failures.parser_failure,
        "refusal_rate": checkpoint.failures.model_refusal,
        "timeout_rate": checkpoint.failures.timeout,
        "infra_error_rate": checkpoint.failures.infra_error,
    }
    for metric, value in metrics.items():
        yield _estimate(contract, checkpoint.name, metric, value)


def _estimate(contract: str, checkpoint: str, metric: str, value: float) -> Planted:
    """The row of `metric_estimates` over all items, under the contract's failure policy."""
    where = {
        **_version(contract),
        "checkpoint": checkpoint,
        "metric": metric,
        "slice": "all",
        "policy": "primary",
    }
    title = f"{contract}: {metric} of {checkpoint}"
    return Planted(title, value, "metric_estimates", where, "value")


def _gain(contract: str, checkpoint: str, right: Mapping[str, Floats]) -> Planted:
    where = _against(contract, checkpoint, REFERENCE, "pass@1")
    gain = expected_pass_at_k(right[checkpoint], 1) - expected_pass_at_k(right[REFERENCE], 1)
    title = f"{contract}: pass@1 of {checkpoint} minus {REFERENCE}"
    return Planted(title, gain, "paired_comparisons", where, "difference")


def _strengths(contract: str, judge: str, pairs: Sequence[ComparedPair]) -> Iterator[Planted]:
    mean = float(np.mean([checkpoint.strength for checkpoint in CHECKPOINTS]))
    by_name = sorted(CHECKPOINTS, key=lambda checkpoint: checkpoint.name)
    for model in by_name:
        where = {**_version(contract), "judge": judge, "model": model.name}
        title = f"{contract}: strength of {model.name} by {judge}"
        yield Planted(title, model.strength - mean, "ratings", where, "theta")
    for one, other in combinations(by_name, 2):
        where = {
            **_version(contract),
            "judge": judge,
            "model_i": one.name,
            "model_j": other.name,
        }
        title = f"{contract}: strength of {one.name} over {other.name} by {judge}"
        yield Planted(title, one.strength - other.strength, "contrasts", where, "difference")
    for name, rate in _win_rates(pairs):
        where = {**_version(contract), "judge": judge, "model": name}
        title = f"{contract}: win rate of {name} over {BASELINE} by {judge}"
        yield Planted(title, rate, "length_controlled_win_rates", where, "length_controlled")
    for name, rate in _win_rates(pairs):
        where = _against(contract, name, BASELINE, "win_rate")
        title = f"{contract}: win rate of {name} over {BASELINE} less one half"
        yield Planted(title, rate - 0.5, "paired_comparisons", where, "difference")


def _win_rates(pairs: Sequence[ComparedPair]) -> Iterator[tuple[str, float]]:
    """Every model that is judged against the baseline, and how often it deserves to win."""
    for pair in pairs:
        if pair.model_b.name == BASELINE:
            yield pair.model_a.name, pair.win_rate
        elif pair.model_a.name == BASELINE:
            yield pair.model_b.name, 1.0 - pair.win_rate


def _against(contract: str, checkpoint: str, baseline: str, metric: str) -> dict[str, str | int]:
    """The row of `paired_comparisons` against the reference, over all items."""
    return {
        **_version(contract),
        "checkpoint": checkpoint,
        "baseline": baseline,
        "role": "reference",
        "metric": metric,
        "slice": "all",
    }
