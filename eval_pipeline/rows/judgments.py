"""Rows of the tables of `warehouse.schemas.judgments`.

Generated: `python -m eval_pipeline_tests.rows` writes it anew after a change of the registry.
"""

from typing_extensions import ReadOnly, TypedDict


class PairPlanRow(TypedDict):
    """A row of `pair_plan`."""

    contract: ReadOnly[str]
    version: ReadOnly[int]
    checkpoint: ReadOnly[str]
    item_id: ReadOnly[str]
    model_a: ReadOnly[str]
    model_b: ReadOnly[str]
    chosen_by: ReadOnly[str]


class JudgeVotesRow(TypedDict):
    """A row of `judge_votes`."""

    contract: ReadOnly[str]
    version: ReadOnly[int]
    checkpoint: ReadOnly[str]
    judge: ReadOnly[str]
    item_id: ReadOnly[str]
    cluster_id: ReadOnly[str]
    model_a: ReadOnly[str]
    model_b: ReadOnly[str]
    slot_order: ReadOnly[str]
    repeat: ReadOnly[int]
    status: ReadOnly[str]
    verdict: ReadOnly[str | None]
    prob_a: ReadOnly[float | None]
    file: ReadOnly[str]
    line: ReadOnly[int]
    detail: ReadOnly[str | None]


class RejectedVotesRow(TypedDict):
    """A row of `rejected_votes`."""

    contract: ReadOnly[str]
    version: ReadOnly[int]
    checkpoint: ReadOnly[str]
    file: ReadOnly[str]
    line: ReadOnly[int]
    byte_offset: ReadOnly[int | None]
    reason: ReadOnly[str]
    detail: ReadOnly[str]
    excerpt: ReadOnly[str]


class AnnotationsRow(TypedDict):
    """A row of `annotations`."""

    contract: ReadOnly[str]
    version: ReadOnly[int]
    annotation_set: ReadOnly[str]
    item_id: ReadOnly[str]
    cluster_id: ReadOnly[str]
    model_a: ReadOnly[str]
    model_b: ReadOnly[str]
    rater: ReadOnly[str]
    label: ReadOnly[str]
    honeypot: ReadOnly[bool]
    file: ReadOnly[str]
    line: ReadOnly[int]
    expected: ReadOnly[str | None]


class RejectedAnnotationsRow(TypedDict):
    """A row of `rejected_annotations`."""

    contract: ReadOnly[str]
    version: ReadOnly[int]
    file: ReadOnly[str]
    line: ReadOnly[int]
    byte_offset: ReadOnly[int | None]
    reason: ReadOnly[str]
    detail: ReadOnly[str]
    excerpt: ReadOnly[str]


class JudgeAuditsRow(TypedDict):
    """A row of `judge_audits`."""

    contract: ReadOnly[str]
    version: ReadOnly[int]
    judge: ReadOnly[str]
    slice: ReadOnly[str]
    audit: ReadOnly[str]
    estimate: ReadOnly[float | None]
    se: ReadOnly[float | None]
    ci_low: ReadOnly[float | None]
    ci_high: ReadOnly[float | None]
    ci_method: ReadOnly[str | None]
    confidence: ReadOnly[float]
    p_value: ReadOnly[float | None]
    bar: ReadOnly[float | None]
    outcome: ReadOnly[str]
    n_units: ReadOnly[int]
    n_votes: ReadOnly[int]
    n_needed: ReadOnly[int | None]
    status: ReadOnly[str]
    reason: ReadOnly[str | None]


class LabelAccuraciesRow(TypedDict):
    """A row of `label_accuracies`."""

    contract: ReadOnly[str]
    version: ReadOnly[int]
    judge: ReadOnly[str]
    slice: ReadOnly[str]
    reading: ReadOnly[str]
    value: ReadOnly[float | None]
    se: ReadOnly[float | None]
    ci_low: ReadOnly[float | None]
    ci_high: ReadOnly[float | None]
    ci_method: ReadOnly[str | None]
    confidence: ReadOnly[float]
    kappa: ReadOnly[float | None]
    n_units: ReadOnly[int]
    n_pairs: ReadOnly[int]
    n_right: ReadOnly[float]
    n_split: ReadOnly[int | None]
    decides: ReadOnly[bool]
    status: ReadOnly[str]
    reason: ReadOnly[str | None]


class LabelConfusionsRow(TypedDict):
    """A row of `label_confusions`."""

    contract: ReadOnly[str]
    version: ReadOnly[int]
    judge: ReadOnly[str]
    slot_order: ReadOnly[str]
    label: ReadOnly[str]
    verdict: ReadOnly[str]
    n_votes: ReadOnly[int]


class JudgeLicencesRow(TypedDict):
    """A row of `judge_licences`."""

    contract: ReadOnly[str]
    version: ReadOnly[int]
    judge: ReadOnly[str]
    slice: ReadOnly[str]
    outcome: ReadOnly[str]
    reason: ReadOnly[str]
    failed_audits: ReadOnly[str]
    n_labels: ReadOnly[int]
    n_needed: ReadOnly[int | None]
    reaudit_by: ReadOnly[str | None]
    suspended_on: ReadOnly[str | None]


class AwaitedVotesRow(TypedDict):
    """A row of `awaited_votes`."""

    contract: ReadOnly[str]
    version: ReadOnly[int]
    judge: ReadOnly[str]
    checkpoint: ReadOnly[str]
    form: ReadOnly[str]
    n_due: ReadOnly[int]
    n_cast: ReadOnly[int]
    n_unanswered: ReadOnly[int]
    pending: ReadOnly[bool]


class PairOutcomesRow(TypedDict):
    """A row of `pair_outcomes`."""

    contract: ReadOnly[str]
    version: ReadOnly[int]
    judge: ReadOnly[str]
    item_id: ReadOnly[str]
    cluster_id: ReadOnly[str]
    model_a: ReadOnly[str]
    model_b: ReadOnly[str]
    category: ReadOnly[str]
    score_a: ReadOnly[float | None]
    score_a_first: ReadOnly[float | None]
    score_a_second: ReadOnly[float | None]
    half_counts: ReadOnly[int | None]
    n_orders: ReadOnly[int]
    n_votes: ReadOnly[int]
    n_votes_first: ReadOnly[int | None]
    n_chars_a: ReadOnly[int | None]
    n_chars_b: ReadOnly[int | None]
    style: ReadOnly[list[tuple[str, float]] | None]
    quarantined: ReadOnly[bool]
