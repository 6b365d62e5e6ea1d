"""Rows of the tables of `warehouse.schemas.samples`.

Generated: `python -m eval_pipeline_tests.rows` writes it anew after a change of the registry.
"""

from typing_extensions import ReadOnly, TypedDict


class ContractRow(TypedDict):
    """A row of `contract`."""

    contract: ReadOnly[str]
    version: ReadOnly[int]
    identity: ReadOnly[str]
    status: ReadOnly[str]
    question: ReadOnly[str]
    primary_endpoint: ReadOnly[str]
    body: ReadOnly[str]


class ItemsRow(TypedDict):
    """A row of `items`."""

    contract: ReadOnly[str]
    version: ReadOnly[int]
    item_id: ReadOnly[str]
    cluster_id: ReadOnly[str]
    question: ReadOnly[str]
    answer: ReadOnly[str | None]
    options: ReadOnly[list[str] | None]
    entry_point: ReadOnly[str | None]
    test: ReadOnly[str | None]
    slices: ReadOnly[list[tuple[str, str]]]
    extra: ReadOnly[str | None]


class RunManifestRow(TypedDict):
    """A row of `run_manifest`."""

    contract: ReadOnly[str]
    version: ReadOnly[int]
    checkpoint: ReadOnly[str]
    field: ReadOnly[str]
    value: ReadOnly[str | None]
    unknown: ReadOnly[str | None]


class IngestFilesRow(TypedDict):
    """A row of `ingest_files`."""

    contract: ReadOnly[str]
    version: ReadOnly[int]
    checkpoint: ReadOnly[str]
    file: ReadOnly[str]
    sha256: ReadOnly[str]
    bytes: ReadOnly[int]
    lines: ReadOnly[int]
    accepted: ReadOnly[int]
    rejected: ReadOnly[int]
    superseded: ReadOnly[int]


class GenerationsRow(TypedDict):
    """A row of `generations`."""

    contract: ReadOnly[str]
    version: ReadOnly[int]
    checkpoint: ReadOnly[str]
    item_id: ReadOnly[str]
    draw: ReadOnly[int]
    text: ReadOnly[str]
    reasoning: ReadOnly[str | None]
    n_chars: ReadOnly[int]
    status: ReadOnly[str]
    detail: ReadOnly[str | None]
    attempts: ReadOnly[int]
    finish_reason: ReadOnly[str | None]
    tokens_in: ReadOnly[int | None]
    tokens_out: ReadOnly[int | None]
    latency_ms: ReadOnly[float | None]
    cost_usd: ReadOnly[float | None]
    confidence: ReadOnly[float | None]
    token_logprobs: ReadOnly[list[float] | None]
    file: ReadOnly[str]
    line: ReadOnly[int]
    byte_offset: ReadOnly[int | None]
    extra: ReadOnly[str | None]


class RejectedLinesRow(TypedDict):
    """A row of `rejected_lines`."""

    contract: ReadOnly[str]
    version: ReadOnly[int]
    checkpoint: ReadOnly[str]
    file: ReadOnly[str]
    line: ReadOnly[int]
    byte_offset: ReadOnly[int | None]
    reason: ReadOnly[str]
    detail: ReadOnly[str]
    excerpt: ReadOnly[str]


class MissingDrawsRow(TypedDict):
    """A row of `missing_draws`."""

    contract: ReadOnly[str]
    version: ReadOnly[int]
    checkpoint: ReadOnly[str]
    item_id: ReadOnly[str]
    draw: ReadOnly[int]
    reason: ReadOnly[str]


class VerifierScoresRow(TypedDict):
    """A row of `verifier_scores`."""

    contract: ReadOnly[str]
    version: ReadOnly[int]
    checkpoint: ReadOnly[str]
    item_id: ReadOnly[str]
    draw: ReadOnly[int]
    cluster_id: ReadOnly[str]
    status: ReadOnly[str]
    detail: ReadOnly[str | None]
    extracted: ReadOnly[str | None]
    verdict: ReadOnly[float | None]
    score: ReadOnly[float | None]
    chance: ReadOnly[float | None]
    explanation: ReadOnly[str]
    verifier: ReadOnly[str]
    engine: ReadOnly[str | None]
