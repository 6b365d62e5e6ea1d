"""The golden instruments of contamination, each answered by our public functions."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from eval_pipeline.contamination.comparing import ngram_overlap, same_text, shingle_jaccard
from eval_pipeline.contamination.evidence.log_probabilities import order_p, sharded_order_p
from eval_pipeline.contamination.near_duplicates.banding import Banding, meeting_probability


def exact_hash(a: str, b: str) -> dict[str, bool]:
    return {"equal": same_text(a, b)}


def overlap(item: str, corpus: str, n: int) -> dict[str, float]:
    return dict(ngram_overlap(item, corpus, n)._asdict())


def likeness(a: str, b: str, n: int) -> dict[str, float]:
    found = shingle_jaccard(a, b, n)
    return {"inter": found.shared, "union": found.union, "j": found.jaccard}


def minhash_lsh_probability(s: float | Sequence[float], b: int, r: int) -> Any:
    return meeting_probability(s, Banding(b, r)).tolist()


def exchangeability_test(
    logp_canonical: float | None = None,
    logp_permutations: Sequence[float] | None = None,
    shard_diffs: Sequence[float] | None = None,
) -> dict[str, float]:
    if shard_diffs is not None:
        found = sharded_order_p(shard_diffs)
        return {"t": found.t, "p": found.p}
    if logp_canonical is None or logp_permutations is None:
        raise ValueError("give the canonical log-probability with those of permutations")
    return {"p": order_p(logp_canonical, logp_permutations).p}


INSTRUMENTS: Mapping[str, Callable[..., Any]] = {
    "exact_hash": exact_hash,
    "ngram_overlap": overlap,
    "shingle_jaccard": likeness,
    "minhash_lsh_probability": minhash_lsh_probability,
    "exchangeability_test": exchangeability_test,
}
