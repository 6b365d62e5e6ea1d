"""Rows of the tables of `warehouse.schemas.scores`.

Generated: `python -m eval_pipeline_tests.rows` writes it anew after a change of the registry.
"""

from typing_extensions import ReadOnly, TypedDict


class JudgeScoresRow(TypedDict):
    """A row of `judge_scores`."""

    contract: ReadOnly[str]
    version: ReadOnly[int]
    checkpoint: ReadOnly[str]
    judge: ReadOnly[str]
    item_id: ReadOnly[str]
    cluster_id: ReadOnly[str]
    repeat: ReadOnly[int]
    criterion: ReadOnly[str]
    status: ReadOnly[str]
    score: ReadOnly[float | None]
    detail: ReadOnly[str | None]
    file: ReadOnly[str]
    line: ReadOnly[int]


class RejectedScoresRow(TypedDict):
    """A row of `rejected_scores`."""

    contract: ReadOnly[str]
    version: ReadOnly[int]
    checkpoint: ReadOnly[str]
    file: ReadOnly[str]
    line: ReadOnly[int]
    byte_offset: ReadOnly[int | None]
    reason: ReadOnly[str]
    detail: ReadOnly[str]
    excerpt: ReadOnly[str]


class AnnotationScoresRow(TypedDict):
    """A row of `annotation_scores`."""

    contract: ReadOnly[str]
    version: ReadOnly[int]
    annotation_set: ReadOnly[str]
    item_id: ReadOnly[str]
    cluster_id: ReadOnly[str]
    checkpoint: ReadOnly[str]
    rater: ReadOnly[str]
    criterion: ReadOnly[str]
    score: ReadOnly[float]
    file: ReadOnly[str]
    line: ReadOnly[int]


class ReplyScoresRow(TypedDict):
    """A row of `reply_scores`."""

    contract: ReadOnly[str]
    version: ReadOnly[int]
    judge: ReadOnly[str]
    checkpoint: ReadOnly[str]
    item_id: ReadOnly[str]
    cluster_id: ReadOnly[str]
    criterion: ReadOnly[str]
    reply_status: ReadOnly[str | None]
    status: ReadOnly[str]
    score: ReadOnly[float | None]
    n_scores: ReadOnly[int]
    lowest: ReadOnly[int]
    highest: ReadOnly[int]
    quarantined: ReadOnly[bool]


class JudgeScoreEstimatesRow(TypedDict):
    """A row of `judge_score_estimates`."""

    contract: ReadOnly[str]
    version: ReadOnly[int]
    judge: ReadOnly[str]
    checkpoint: ReadOnly[str]
    criterion: ReadOnly[str]
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
    n_failed: ReadOnly[int]
    n_unknown: ReadOnly[int]
    n_error: ReadOnly[int]
    n_missing: ReadOnly[int]
    quarantined: ReadOnly[bool]
