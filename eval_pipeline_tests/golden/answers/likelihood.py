"""The golden instruments of likelihood, each answered by public functions."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from eval_pipeline.metrics.inputs import mapping, numbers, rows
from eval_pipeline.metrics.likelihood.formula_bits import (
    bits_per_byte,
    bits_per_character,
    corpus_perplexity,
    masked_perplexity,
    perplexity,
    perplexity_from_nats,
    uniform_nats,
)


def of_tokens_or_vocabulary(
    token_probs: Sequence[float] | None = None,
    vocab: int | None = None,
    token_logprobs: Sequence[float] | None = None,
    token_nll: Sequence[float] | None = None,
) -> Any:
    if token_logprobs is not None:
        token_nll = (-numbers(token_logprobs, "token_logprobs", most=0.0)).tolist()
    if token_nll is not None:
        return masked_perplexity(token_nll, [True] * len(rows(token_nll, "token_nll")))
    if token_probs is not None:
        return perplexity(token_probs)
    nats = uniform_nats(vocab)  # type: ignore[arg-type]  # a bad one is the case
    return {"nats": nats, "ppl": perplexity_from_nats(nats)}


def masked(
    token_nll: Sequence[float] | None = None,
    mask: Sequence[bool] | None = None,
    docs: Sequence[Mapping[str, Any]] | None = None,
    agg: str = "",
) -> Any:
    if docs is None:
        return masked_perplexity(token_nll, kept(mask))  # type: ignore[arg-type]  # a bad one
    for i, doc in enumerate(rows(docs, "docs")):
        if "nll" not in mapping(doc, f"document {i}"):
            raise ValueError(f"document {i} has no nll")
        rows(doc["nll"], f"nll of document {i}")
    masks = [kept(doc["mask"]) if "mask" in doc else [True] * len(doc["nll"]) for doc in docs]
    found = corpus_perplexity([doc["nll"] for doc in docs], masks)
    return {"token_pooled": found.token_pooled, "mean_of_doc": found.mean_of_documents}


def kept(mask: Any) -> Any:
    """Which tokens count; the weights 0 and 1 say the same as false and true."""
    ones = isinstance(mask, list) and all(type(m) is int and m in (0, 1) for m in mask)
    return [bool(m) for m in mask] if ones else mask


def bits(text: str, total_nats: float) -> dict[str, float]:
    found = bits_per_byte(text, total_nats)
    return {
        "bytes": found.n_bytes,
        "chars": found.n_characters,
        "bpb": found.bits_per_byte,
        "bpc": found.bits_per_character,
    }


INSTRUMENTS: dict[str, Callable[..., Any]] = {
    "perplexity": of_tokens_or_vocabulary,
    "perplexity_from_nats": lambda mean_nll_nats: (
        [perplexity_from_nats(nats) for nats in mean_nll_nats]
        if isinstance(mean_nll_nats, list)
        else perplexity_from_nats(mean_nll_nats)
    ),
    "masked_perplexity": masked,
    "bits_per_byte": bits,
    "bits_per_character": lambda nats_per_token, chars_per_token: bits_per_character(
        nats_per_token, chars_per_token
    ),
}
