"""Rows of the tables of `warehouse.schemas.calibration`.

Generated: `python -m eval_pipeline_tests.rows` writes it anew after a change of the registry.
"""

from typing_extensions import ReadOnly, TypedDict


class JudgeProbeVotesRow(TypedDict):
    """A row of `judge_probe_votes`."""

    contract: ReadOnly[str]
    version: ReadOnly[int]
    judge: ReadOnly[str]
    probe_set: ReadOnly[str]
    probe: ReadOnly[str]
    item_id: ReadOnly[str]
    cluster_id: ReadOnly[str]
    kind: ReadOnly[str]
    detail: ReadOnly[str]
    added_tokens: ReadOnly[float]
    slot_order: ReadOnly[str]
    repeat: ReadOnly[int]
    status: ReadOnly[str]
    verdict: ReadOnly[str | None]
    file: ReadOnly[str]
    line: ReadOnly[int]


class RejectedProbeVotesRow(TypedDict):
    """A row of `rejected_probe_votes`."""

    contract: ReadOnly[str]
    version: ReadOnly[int]
    file: ReadOnly[str]
    line: ReadOnly[int]
    byte_offset: ReadOnly[int | None]
    reason: ReadOnly[str]
    detail: ReadOnly[str]
    excerpt: ReadOnly[str]


class JudgeSentinelVotesRow(TypedDict):
    """A row of `judge_sentinel_votes`."""

    contract: ReadOnly[str]
    version: ReadOnly[int]
    judge: ReadOnly[str]
    night: ReadOnly[str]
    item_id: ReadOnly[str]
    cluster_id: ReadOnly[str]
    model_a: ReadOnly[str]
    model_b: ReadOnly[str]
    slot_order: ReadOnly[str]
    repeat: ReadOnly[int]
    status: ReadOnly[str]
    verdict: ReadOnly[str | None]
    file: ReadOnly[str]
    line: ReadOnly[int]


class RejectedSentinelVotesRow(TypedDict):
    """A row of `rejected_sentinel_votes`."""

    contract: ReadOnly[str]
    version: ReadOnly[int]
    file: ReadOnly[str]
    line: ReadOnly[int]
    byte_offset: ReadOnly[int | None]
    reason: ReadOnly[str]
    detail: ReadOnly[str]
    excerpt: ReadOnly[str]


class JudgeDriftRow(TypedDict):
    """A row of `judge_drift`."""

    contract: ReadOnly[str]
    version: ReadOnly[int]
    judge: ReadOnly[str]
    night: ReadOnly[str]
    measure: ReadOnly[str]
    estimate: ReadOnly[float | None]
    se: ReadOnly[float | None]
    ci_low: ReadOnly[float | None]
    ci_high: ReadOnly[float | None]
    ci_method: ReadOnly[str | None]
    confidence: ReadOnly[float]
    outcome: ReadOnly[str]
    n_units: ReadOnly[int]
    n_pairs: ReadOnly[int]
    n_excluded: ReadOnly[int | None]
    status: ReadOnly[str]
    reason: ReadOnly[str | None]


class RaterAgreementRow(TypedDict):
    """A row of `rater_agreement`."""

    contract: ReadOnly[str]
    version: ReadOnly[int]
    annotation_set: ReadOnly[str]
    measure: ReadOnly[str]
    chosen_because: ReadOnly[str]
    estimate: ReadOnly[float | None]
    se: ReadOnly[float | None]
    ci_low: ReadOnly[float | None]
    ci_high: ReadOnly[float | None]
    ci_method: ReadOnly[str | None]
    confidence: ReadOnly[float]
    n_raters: ReadOnly[int]
    n_units: ReadOnly[int]
    n_single: ReadOnly[int]
    n_labels: ReadOnly[int]
    status: ReadOnly[str]
    reason: ReadOnly[str | None]


class RaterQualityRow(TypedDict):
    """A row of `rater_quality`."""

    contract: ReadOnly[str]
    version: ReadOnly[int]
    annotation_set: ReadOnly[str]
    rater: ReadOnly[str]
    n_labels: ReadOnly[int]
    n_honeypots: ReadOnly[int]
    n_right: ReadOnly[int]
    accuracy: ReadOnly[float | None]
    accuracy_low: ReadOnly[float | None]
    accuracy_high: ReadOnly[float | None]
    bar: ReadOnly[float | None]
    pool_agreement: ReadOnly[float | None]
    pool_kappa: ReadOnly[float | None]
    n_pool: ReadOnly[int]
    outcome: ReadOnly[str]
    reason: ReadOnly[str | None]


class LabelDisputesRow(TypedDict):
    """A row of `label_disputes`."""

    contract: ReadOnly[str]
    version: ReadOnly[int]
    annotation_set: ReadOnly[str]
    item_id: ReadOnly[str]
    model_a: ReadOnly[str]
    model_b: ReadOnly[str]
    n_model_a: ReadOnly[int]
    n_model_b: ReadOnly[int]
    n_tie: ReadOnly[int]
    split: ReadOnly[float]
