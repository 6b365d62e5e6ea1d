"""The golden instruments of calibration, each answered by public functions."""

from collections.abc import Callable, Sequence
from typing import Any

from eval_pipeline.metrics.calibration.bins import Rule, bin_index
from eval_pipeline.metrics.calibration.formula_ece import calibration_error, top_label_binary
from eval_pipeline.metrics.calibration.formula_murphy import murphy_decomposition
from eval_pipeline.metrics.calibration.formula_risk_coverage import risk_coverage
from eval_pipeline.metrics.calibration.formula_scoring import (
    CLIP,
    brier_binary,
    brier_sum,
    calibration_report,
    nll_binary,
)
from eval_pipeline_tests.golden.runner import listed

RULES: dict[str, Rule] = {
    "[i/bins,(i+1)/bins), last closed": "equal_width",
    "(i/bins,(i+1)/bins], first closed": "equal_width_right",
}


def both_briers(p: Sequence[Sequence[float]], y: Sequence[int]) -> dict[str, float]:
    if not isinstance(y, list):  # one sample
        p, y = [p], [y]  # type: ignore[list-item]
    answer = {"multiclass_sum": brier_sum(p, y)}
    if all(len(row) == 2 for row in p):
        answer["binary"] = brier_binary([row[1] for row in p], y)
    return answer


def both_errors(p_class1: Sequence[float], y: Sequence[int], bins: int = 10) -> dict[str, float]:
    return {
        "event_prob": calibration_error(p_class1, y, bins),
        "top_label": calibration_error(*top_label_binary(p_class1, y), bins),
    }


def places(p: float | Sequence[float], bins: int, rule: str = next(iter(RULES))) -> int | list[int]:
    if not isinstance(rule, str) or rule not in RULES:
        raise ValueError(f"unknown rule {rule!r}")
    found: list[int] = bin_index(listed(p), bins, RULES[rule]).tolist()
    return found if isinstance(p, list) else found[0]


def terms(
    p: Sequence[float], y: Sequence[int], bins: int | Sequence[int] | Sequence[str] | None = None
) -> dict[str, float]:
    """bins: how many of equal width, or the bin of each sample, as a number or a name."""
    index: Any = bins if bins is None or isinstance(bins, Sequence) else bin_index(p, bins)
    if isinstance(index, list) and index and all(isinstance(name, str) for name in index):
        index = [sorted(set(index)).index(name) for name in index]
    found = murphy_decomposition(p, y, index)
    return vars(found) | {"three_term_sum": found.three_term_sum}


def report(p: Sequence[float], y: Sequence[int], bins: int = 10) -> dict[str, float]:
    found = calibration_report(p, y, bins)
    return {
        "brier": found.brier,
        "ece": found.ece,
        "nll": found.nll.value,
        "reliability": found.murphy.reliability,
        "resolution": found.murphy.resolution,
        "uncertainty": found.murphy.uncertainty,
    }


def curve(confidence: Sequence[float], loss: Sequence[float]) -> list[dict[str, float]]:
    found = risk_coverage(confidence, loss)
    points = zip(found.threshold, found.coverage, found.risk, strict=True)
    return [{"threshold": t, "coverage": c, "risk": r} for t, c, r in points]


INSTRUMENTS: dict[str, Callable[..., Any]] = {
    "brier_binary": lambda p, y: brier_binary(listed(p), listed(y)),
    "brier_multiclass": both_briers,
    "nll_binary": lambda p, y, eps=CLIP: nll_binary(listed(p), listed(y), eps).value,
    "murphy_decomposition": terms,
    "ece_variants": both_errors,
    "ece_bin_index": places,
    "calibration_report": report,
    "risk_coverage": curve,
}
