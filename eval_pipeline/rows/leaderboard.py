"""Rows of the tables of `warehouse.schemas.leaderboard`.

Generated: `python -m eval_pipeline_tests.rows` writes it anew after a change of the registry.
"""

from typing_extensions import ReadOnly, TypedDict


class LeaderboardRow(TypedDict):
    """A row of `leaderboard`."""

    contract: ReadOnly[str]
    version: ReadOnly[int]
    checkpoint: ReadOnly[str]
    place: ReadOnly[int]
    metric: ReadOnly[str]
    quantity: ReadOnly[str]
    reference: ReadOnly[str | None]
    value: ReadOnly[float | None]
    se: ReadOnly[float | None]
    ci_low: ReadOnly[float | None]
    ci_high: ReadOnly[float | None]
    ci_method: ReadOnly[str | None]
    confidence: ReadOnly[float]
    measured_in: ReadOnly[str | None]
    higher_is_better: ReadOnly[bool | None]
    n_total: ReadOnly[int]
    n_items: ReadOnly[int | None]
    n_units: ReadOnly[int | None]
    n_samples: ReadOnly[int | None]
    n_excluded: ReadOnly[int | None]
    bound_low: ReadOnly[float | None]
    bound_high: ReadOnly[float | None]
    parser_failure: ReadOnly[float | None]
    undecided: ReadOnly[float | None]
    rejected: ReadOnly[float]
    reading: ReadOnly[str | None]
    status: ReadOnly[str]
    reason: ReadOnly[str | None]
    terms: ReadOnly[str]
    read_from: ReadOnly[str]
    jury: ReadOnly[str | None]
    recorded_by: ReadOnly[str | None]
    votes_pending: ReadOnly[str | None]
    quarantined: ReadOnly[bool]
    quarantine_scope: ReadOnly[str | None]
    quarantine_reason: ReadOnly[str | None]
    draft: ReadOnly[bool]
    outcome: ReadOnly[str | None]
    reason_code: ReadOnly[str | None]
    decision_reason: ReadOnly[str | None]
    worst_slice: ReadOnly[str | None]
    worst_value: ReadOnly[float | None]
    worst_low: ReadOnly[float | None]
    worst_high: ReadOnly[float | None]
    leak_note: ReadOnly[str | None]
    remarks: ReadOnly[list[str]]
    twins: ReadOnly[list[str]]
    gone: ReadOnly[bool]
