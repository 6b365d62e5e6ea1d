"""The golden instruments of item analysis, each answered by public functions."""

from collections.abc import Callable, Sequence
from typing import Any

from eval_pipeline.metrics.inputs import rows
from eval_pipeline.metrics.item_analysis.classical import classical_items
from eval_pipeline.metrics.item_analysis.curves import item_curve, slope_at_difficulty
from eval_pipeline.metrics.item_analysis.differential import mantel_haenszel


def classical(item_by_model: Sequence[Sequence[float]]) -> dict[str, list[float]]:
    found = classical_items(item_by_model)
    return {
        "facility": found.facility.tolist(),
        "discrimination": found.discrimination.tolist(),
        "item_total": found.item_total.tolist(),
    }


def curve(a: float, b: float, theta: Any, c: float = 0.0) -> dict[str, Any]:
    """One ability, or several."""
    several = isinstance(theta, list)
    chances = item_curve(theta if several else [theta], a, b, c).tolist()
    return {"p": chances if several else chances[0], "slope_at_b": slope_at_difficulty(a, c)}


def functioning(
    strata_ref_correct_ref_wrong_focal_correct_focal_wrong: Sequence[Sequence[int]],
) -> dict[str, float | None]:
    strata = rows(strata_ref_correct_ref_wrong_focal_correct_focal_wrong, "strata")
    one = strata and not any(isinstance(row, list) for row in strata)
    found = mantel_haenszel([strata] if one else strata)
    return {
        "odds_ratio": found.odds_ratio,
        "ets_delta": found.ets_delta,
        "chi2": found.chi_squared,
        "p": found.p_value,
    }


INSTRUMENTS: dict[str, Callable[..., Any]] = {
    "ctt": classical,
    "irt_2pl": lambda a, b, theta: curve(a, b, theta),
    "irt_3pl": curve,
    "dif_mh": functioning,
}
