"""Rows of the tables of `warehouse.schemas.estimates`.

Generated: `python -m eval_pipeline_tests.rows` writes it anew after a change of the registry.
"""

from typing_extensions import ReadOnly, TypedDict


class MetricEstimatesRow(TypedDict):
    """A row of `metric_estimates`."""

    contract: ReadOnly[str]
    version: ReadOnly[int]
    checkpoint: ReadOnly[str]
    metric: ReadOnly[str]
    slice: ReadOnly[str]
    policy: ReadOnly[str]
    value: ReadOnly[float | None]
    se: ReadOnly[float | None]
    ci_low: ReadOnly[float | None]
    ci_high: ReadOnly[float | None]
    ci_method: ReadOnly[str | None]
    confidence: ReadOnly[float]
    unit: ReadOnly[str]
    n_units: ReadOnly[int]
    n_items: ReadOnly[int]
    n_samples: ReadOnly[int]
    n_excluded: ReadOnly[int]
    bound_low: ReadOnly[float | None]
    bound_high: ReadOnly[float | None]
    aggregation: ReadOnly[str]
    instrument: ReadOnly[str]
    status: ReadOnly[str]
    reason: ReadOnly[str | None]
    measured_in: ReadOnly[str | None]
    higher_is_better: ReadOnly[bool | None]


class ReliabilityBinsRow(TypedDict):
    """A row of `reliability_bins`."""

    contract: ReadOnly[str]
    version: ReadOnly[int]
    checkpoint: ReadOnly[str]
    metric: ReadOnly[str]
    bin: ReadOnly[int]
    low: ReadOnly[float]
    high: ReadOnly[float]
    n_samples: ReadOnly[int]
    mean_confidence: ReadOnly[float]
    share_right: ReadOnly[float]
    ci_low: ReadOnly[float | None]
    ci_high: ReadOnly[float | None]
    ci_method: ReadOnly[str | None]
    confidence: ReadOnly[float]


class ContaminationDeltaRow(TypedDict):
    """A row of `contamination_delta`."""

    contract: ReadOnly[str]
    version: ReadOnly[int]
    checkpoint: ReadOnly[str]
    metric: ReadOnly[str]
    n_all: ReadOnly[int]
    n_clean: ReadOnly[int]
    value_all: ReadOnly[float | None]
    value_clean: ReadOnly[float | None]
    difference: ReadOnly[float | None]
    se: ReadOnly[float | None]
    ci_low: ReadOnly[float | None]
    ci_high: ReadOnly[float | None]
    ci_method: ReadOnly[str | None]
    confidence: ReadOnly[float]
    status: ReadOnly[str]
    reason: ReadOnly[str | None]
    matched_difference: ReadOnly[float | None]
    matched_se: ReadOnly[float | None]
    matched_low: ReadOnly[float | None]
    matched_high: ReadOnly[float | None]
    matched_on: ReadOnly[str | None]
    n_flagged: ReadOnly[int | None]
    n_unmatched: ReadOnly[int | None]
    matched_reason: ReadOnly[str | None]


class PairedComparisonsRow(TypedDict):
    """A row of `paired_comparisons`."""

    contract: ReadOnly[str]
    version: ReadOnly[int]
    checkpoint: ReadOnly[str]
    baseline: ReadOnly[str]
    role: ReadOnly[str]
    metric: ReadOnly[str]
    slice: ReadOnly[str]
    difference: ReadOnly[float | None]
    se: ReadOnly[float | None]
    ci_low: ReadOnly[float | None]
    ci_high: ReadOnly[float | None]
    ci_method: ReadOnly[str | None]
    confidence: ReadOnly[float]
    p_value: ReadOnly[float | None]
    p_adjusted: ReadOnly[float | None]
    adjustment: ReadOnly[str]
    n_shared: ReadOnly[int]
    n_unshared: ReadOnly[int]
    n_clusters: ReadOnly[int]
    bound_low: ReadOnly[float | None]
    bound_high: ReadOnly[float | None]
    items_won: ReadOnly[list[str]]
    items_lost: ReadOnly[list[str]]
    status: ReadOnly[str]
    reason: ReadOnly[str | None]
    quarantined: ReadOnly[bool | None]


class DecisionsRow(TypedDict):
    """A row of `decisions`."""

    contract: ReadOnly[str]
    version: ReadOnly[int]
    checkpoint: ReadOnly[str]
    reference: ReadOnly[str | None]
    outcome: ReadOnly[str]
    reason_code: ReadOnly[str]
    reason: ReadOnly[str]
    rule: ReadOnly[str | None]
    margin: ReadOnly[float | None]
    metric: ReadOnly[str]
    difference: ReadOnly[float | None]
    se: ReadOnly[float | None]
    ci_low: ReadOnly[float | None]
    ci_high: ReadOnly[float | None]
    ci_method: ReadOnly[str | None]
    confidence: ReadOnly[float]
    n_shared: ReadOnly[int]
    n_needed: ReadOnly[int | None]
    guardrails: ReadOnly[str]
    quarantined: ReadOnly[bool]
    draft: ReadOnly[bool]
    quality: ReadOnly[float | None]
    quality_low: ReadOnly[float | None]
    quality_high: ReadOnly[float | None]
    cost_usd: ReadOnly[float | None]
    tokens_out: ReadOnly[float | None]
    latency_ms: ReadOnly[float | None]
    frontier: ReadOnly[str | None]
    frontier_reason: ReadOnly[str | None]


class ReportRow(TypedDict):
    """A row of `report`."""

    contract: ReadOnly[str]
    version: ReadOnly[int]
    title: ReadOnly[str]
    html: ReadOnly[str]
