"""The golden instruments of classification, factuality and cost."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from eval_pipeline.judging.licences.cost import cost_ratio, judging_cost
from eval_pipeline.metrics.classification.formula_classes import class_report
from eval_pipeline.metrics.classification.formula_ranks import discrimination
from eval_pipeline.metrics.factuality.formula_claims import CheckedClaim, factuality_report
from eval_pipeline.metrics.inputs import rows


def classified(
    y_true: Sequence[Any] | None = None,
    y_pred: Sequence[Any] | None = None,
    y: Sequence[int] | None = None,
    score: Sequence[float] | None = None,
) -> dict[str, float]:
    if y is not None or score is not None:
        return vars(discrimination(y, score))  # type: ignore[arg-type]  # a bad one is the case
    found = class_report(y_true, y_pred)  # type: ignore[arg-type]  # a bad one is the case
    return {
        "accuracy": found.accuracy,
        "macro_f1": found.macro_f1,
        "micro_f1": found.micro_f1,
        "auprc_random_baseline": dict(zip(found.classes, found.prevalence, strict=True)).get(
            1, 0.0
        ),
    }


def factuality(claims: Sequence[Sequence[Any] | Mapping[str, Any]]) -> dict[str, float]:
    return vars(factuality_report([[claimed(claim) for claim in rows(claims, "claims")]]))


def claimed(claim: Sequence[Any] | Mapping[str, Any]) -> CheckedClaim:
    """Named fields, or verdict, cited and perhaps link_supports in this order."""
    try:
        return (
            CheckedClaim(**claim)
            if isinstance(claim, Mapping)
            else CheckedClaim(*rows(claim, "a claim"))
        )
    except TypeError as error:
        raise ValueError(f"claim {claim}: {error}") from None


def cost(
    pairs: int | None = None,
    raters: int | None = None,
    usd: float | None = None,
    human: float | None = None,
    judge: float | None = None,
) -> float:
    if human is not None or judge is not None:
        return cost_ratio(human, judge)  # type: ignore[arg-type]  # a bad one is the case
    return judging_cost(pairs, raters, usd)  # type: ignore[arg-type]  # a bad one is the case


INSTRUMENTS: dict[str, Callable[..., Any]] = {
    "classification": classified,
    "factuality_report": factuality,
    "cost": cost,
}
