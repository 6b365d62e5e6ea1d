"""Rows of the tables of `warehouse.schemas.contamination`.

Generated: `python -m eval_pipeline_tests.rows` writes it anew after a change of the registry.
"""

from typing_extensions import ReadOnly, TypedDict


class ContaminationIndexRow(TypedDict):
    """A row of `contamination_index`."""

    contract: ReadOnly[str]
    version: ReadOnly[int]
    item_id: ReadOnly[str]
    field: ReadOnly[str]
    ngram: ReadOnly[str]
    n: ReadOnly[int]
    position: ReadOnly[int]
    item_df: ReadOnly[int]
    masked: ReadOnly[bool]
    corpus_df: ReadOnly[int | None]
    idf: ReadOnly[float | None]
    normaliser: ReadOnly[str | None]
    shared: ReadOnly[bool | None]


class ContaminationHitsRow(TypedDict):
    """A row of `contamination_hits`."""

    contract: ReadOnly[str]
    version: ReadOnly[int]
    corpus: ReadOnly[str]
    shard: ReadOnly[str]
    document: ReadOnly[int]
    item_id: ReadOnly[str]
    field: ReadOnly[str]
    match_type: ReadOnly[str]
    hits: ReadOnly[int]
    ratio: ReadOnly[float]
    window_ratio: ReadOnly[float]
    longest_span: ReadOnly[int]
    excerpt_document: ReadOnly[str]
    excerpt_item: ReadOnly[str]
    verified: ReadOnly[bool]
    idf_ratio: ReadOnly[float | None]
    token_coverage: ReadOnly[float | None]
    item_start: ReadOnly[int | None]
    item_end: ReadOnly[int | None]
    document_start: ReadOnly[int | None]
    document_end: ReadOnly[int | None]
    unspaced: ReadOnly[bool | None]
    other_numbers: ReadOnly[int | None]
    whole_ratio: ReadOnly[float | None]


class ContaminationShardsRow(TypedDict):
    """A row of `contamination_shards`."""

    contract: ReadOnly[str]
    version: ReadOnly[int]
    corpus: ReadOnly[str]
    shard: ReadOnly[str]
    documents: ReadOnly[int]
    text_bytes: ReadOnly[int]
    unread: ReadOnly[int]
    first_unread: ReadOnly[str | None]
    status: ReadOnly[str]
    reason: ReadOnly[str | None]


class ContaminationItemsRow(TypedDict):
    """A row of `contamination_items`."""

    contract: ReadOnly[str]
    version: ReadOnly[int]
    item_id: ReadOnly[str]
    field: ReadOnly[str]
    status: ReadOnly[str]
    max_ratio: ReadOnly[float]
    max_span: ReadOnly[int]
    n_documents: ReadOnly[int]
    rule: ReadOnly[str]
    reason: ReadOnly[str]
    rule_status: ReadOnly[str | None]
    evidence: ReadOnly[str | None]
    review: ReadOnly[str | None]
    reviewer: ReadOnly[str | None]
    reviewed_at: ReadOnly[str | None]
    text_digest: ReadOnly[str | None]


class ContaminationValidationRow(TypedDict):
    """A row of `contamination_validation`."""

    contract: ReadOnly[str]
    version: ReadOnly[int]
    mechanism: ReadOnly[str]
    n_planted: ReadOnly[int]
    n_found: ReadOnly[int]
    miss_rate: ReadOnly[float | None]
    miss_low: ReadOnly[float | None]
    miss_high: ReadOnly[float | None]
    n_negatives: ReadOnly[int]
    n_false: ReadOnly[int]
    false_rate: ReadOnly[float | None]
    false_high: ReadOnly[float | None]
    rule: ReadOnly[str]
    confidence: ReadOnly[float]
    calibrated: ReadOnly[bool]
    status: ReadOnly[str]
    reason: ReadOnly[str | None]
    threshold: ReadOnly[float | None]


class NearDuplicatesRow(TypedDict):
    """A row of `near_duplicates`."""

    contract: ReadOnly[str]
    version: ReadOnly[int]
    relation: ReadOnly[str]
    item_id: ReadOnly[str]
    field: ReadOnly[str]
    source: ReadOnly[str]
    other: ReadOnly[str]
    estimate: ReadOnly[float]
    jaccard: ReadOnly[float]
    bands: ReadOnly[int]
    cluster: ReadOnly[str | None]
    excerpt_item: ReadOnly[str]
    excerpt_other: ReadOnly[str]
    status: ReadOnly[str]
    reason: ReadOnly[str | None]


class ContaminationEvidenceRow(TypedDict):
    """A row of `contamination_evidence`."""

    contract: ReadOnly[str]
    version: ReadOnly[int]
    checkpoint: ReadOnly[str]
    test: ReadOnly[str]
    subject: ReadOnly[str]
    grade: ReadOnly[str]
    value: ReadOnly[float | None]
    unit: ReadOnly[str]
    se: ReadOnly[float | None]
    ci_low: ReadOnly[float | None]
    ci_high: ReadOnly[float | None]
    ci_method: ReadOnly[str | None]
    confidence: ReadOnly[float]
    p_value: ReadOnly[float | None]
    n: ReadOnly[int]
    status: ReadOnly[str]
    reason: ReadOnly[str | None]
