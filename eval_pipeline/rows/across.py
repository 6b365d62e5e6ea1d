"""Rows of the tables of `warehouse.schemas.across`.

Generated: `python -m eval_pipeline_tests.rows` writes it anew after a change of the registry.
"""

from typing_extensions import ReadOnly, TypedDict


class ItemAnalysisRow(TypedDict):
    """A row of `item_analysis`."""

    contract: ReadOnly[str]
    version: ReadOnly[int]
    item_id: ReadOnly[str]
    n_checkpoints: ReadOnly[int]
    facility: ReadOnly[float | None]
    discrimination: ReadOnly[float | None]
    item_total: ReadOnly[float | None]
    status: ReadOnly[str]
    reason: ReadOnly[str | None]
    n_respondents: ReadOnly[int]
    slope: ReadOnly[float | None]
    slope_se: ReadOnly[float | None]
    difficulty: ReadOnly[float | None]
    difficulty_se: ReadOnly[float | None]
    curve_status: ReadOnly[str]
    curve_reason: ReadOnly[str | None]


class DifferentialFunctioningRow(TypedDict):
    """A row of `differential_functioning`."""

    contract: ReadOnly[str]
    version: ReadOnly[int]
    item_id: ReadOnly[str]
    reference: ReadOnly[str]
    focal: ReadOnly[str]
    n_reference: ReadOnly[int]
    n_focal: ReadOnly[int]
    odds_ratio: ReadOnly[float | None]
    ets_delta: ReadOnly[float | None]
    ets_delta_se: ReadOnly[float | None]
    chi_squared: ReadOnly[float | None]
    p_value: ReadOnly[float | None]
    p_adjusted: ReadOnly[float | None]
    adjustment: ReadOnly[str]
    size: ReadOnly[str | None]
    n_strata: ReadOnly[int]
    n_strata_used: ReadOnly[int]
    status: ReadOnly[str]
    reason: ReadOnly[str | None]


class MetricValidityRow(TypedDict):
    """A row of `metric_validity`."""

    contract: ReadOnly[str]
    version: ReadOnly[int]
    metric: ReadOnly[str]
    coefficient: ReadOnly[str]
    value: ReadOnly[float | None]
    ci_low: ReadOnly[float | None]
    ci_high: ReadOnly[float | None]
    ci_method: ReadOnly[str | None]
    confidence: ReadOnly[float]
    n_pairs: ReadOnly[int]
    n_unscored: ReadOnly[int]
    n_units: ReadOnly[int]
    at_least: ReadOnly[float | None]
    outcome: ReadOnly[str]
    status: ReadOnly[str]
    reason: ReadOnly[str | None]


class SafetyFrontierRow(TypedDict):
    """A row of `safety_frontier`."""

    contract: ReadOnly[str]
    version: ReadOnly[int]
    checkpoint: ReadOnly[str]
    attack_success_rate: ReadOnly[float | None]
    attack_low: ReadOnly[float | None]
    attack_high: ReadOnly[float | None]
    false_refusal_rate: ReadOnly[float | None]
    false_refusal_high: ReadOnly[float | None]
    budget: ReadOnly[float]
    judged_by: ReadOnly[str]
    within_budget: ReadOnly[bool | None]
    best: ReadOnly[bool | None]
    status: ReadOnly[str]
    reason: ReadOnly[str | None]


class RobustnessDropsRow(TypedDict):
    """A row of `robustness_drops`."""

    contract: ReadOnly[str]
    version: ReadOnly[int]
    checkpoint: ReadOnly[str]
    own_drop: ReadOnly[float | None]
    panel_drop: ReadOnly[float | None]
    excess: ReadOnly[float | None]
    se: ReadOnly[float | None]
    ci_low: ReadOnly[float | None]
    ci_high: ReadOnly[float | None]
    ci_method: ReadOnly[str | None]
    confidence: ReadOnly[float]
    n_panel: ReadOnly[int]
    n_pairs: ReadOnly[int]
    n_units: ReadOnly[int]
    status: ReadOnly[str]
    reason: ReadOnly[str | None]
