"""Digests of many texts at once: of the fields of items, and of whole columns."""

from collections.abc import Sequence
from typing import Any

from eval_pipeline.contamination.text.exact import text_digest
from eval_pipeline.contamination.text.fields import Field
from eval_pipeline.contamination.text.normalise import CODE, TEXT


def field_digests(fields: Sequence[Field], fast: bool) -> list[str | None]:
    """The digest of each field's own words; None for no words. fast: by the kernel.

    Both ways give the same digests.
    """
    if not fast:
        return [text_digest(field.text or "", field.normaliser) for field in fields]
    import pyarrow as pa

    texts = [
        (field.text or "").encode("utf-8", "replace").decode()
        for field in fields
        if field.normaliser is TEXT
    ]
    quick = iter(text_digests(pa.array(texts, pa.large_string())))
    return [
        next(quick) if field.normaliser is TEXT else text_digest(field.text or "", CODE)
        for field in fields
    ]


def text_digests(texts: Any) -> list[str | None]:
    """As `exact.text_digest` under text_v2, of each text of an Arrow array of large strings."""
    from eval_pipeline.contamination.text.exact_kernel import kernel_digests

    return [f"{a:016x}{b:016x}" if a | b else None for a, b in kernel_digests(texts).tolist()]
