"""Rows of the tables of `warehouse.schemas.agreement`.

Generated: `python -m eval_pipeline_tests.rows` writes it anew after a change of the registry.
"""

from typing_extensions import ReadOnly, TypedDict


class RecordedVerdictsRow(TypedDict):
    """A row of `recorded_verdicts`."""

    contract: ReadOnly[str]
    version: ReadOnly[int]
    checkpoint: ReadOnly[str]
    item_id: ReadOnly[str]
    draw: ReadOnly[int]
    cluster_id: ReadOnly[str]
    relation: ReadOnly[str]
    ours: ReadOnly[float | None]
    ours_status: ReadOnly[str]
    ours_detail: ReadOnly[str | None]
    extracted: ReadOnly[str | None]
    explanation: ReadOnly[str]
    recorded: ReadOnly[float | None]
    recorded_detail: ReadOnly[str | None]
    recorded_explanation: ReadOnly[str]


class VerdictAgreementRow(TypedDict):
    """A row of `verdict_agreement`."""

    contract: ReadOnly[str]
    version: ReadOnly[int]
    checkpoint: ReadOnly[str]
    slice: ReadOnly[str]
    metric: ReadOnly[str]
    grader: ReadOnly[str]
    threshold: ReadOnly[float | None]
    n_samples: ReadOnly[int]
    n_compared: ReadOnly[int]
    n_only_ours: ReadOnly[int]
    n_only_recorded: ReadOnly[int]
    n_neither: ReadOnly[int]
    n_between: ReadOnly[int]
    both_right: ReadOnly[int]
    only_ours_right: ReadOnly[int]
    only_recorded_right: ReadOnly[int]
    both_wrong: ReadOnly[int]
    ours: ReadOnly[float | None]
    recorded: ReadOnly[float | None]
    recorded_all: ReadOnly[float | None]
    n_recorded: ReadOnly[int]
    agreement: ReadOnly[float | None]
    agreement_se: ReadOnly[float | None]
    agreement_low: ReadOnly[float | None]
    agreement_high: ReadOnly[float | None]
    agreement_method: ReadOnly[str | None]
    agreement_reason: ReadOnly[str | None]
    kappa: ReadOnly[float | None]
    kappa_se: ReadOnly[float | None]
    kappa_low: ReadOnly[float | None]
    kappa_high: ReadOnly[float | None]
    kappa_method: ReadOnly[str | None]
    kappa_reason: ReadOnly[str | None]
    confidence: ReadOnly[float]
    n_units: ReadOnly[int]
