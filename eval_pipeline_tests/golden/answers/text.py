"""The golden instruments of text overlap, each answered by public functions."""

from collections.abc import Callable, Sequence
from typing import Any

from eval_pipeline.metrics.text_overlap.formula_bertscore import bertscore
from eval_pipeline.metrics.text_overlap.formula_bleu import Smoothing, brevity_penalty, corpus_bleu
from eval_pipeline.metrics.text_overlap.formula_rouge import rouge
from eval_pipeline.verification.texts.exact import exact_match, token_f1


def bleu(cand: Any, ref: Any, N: int = 4, smoothing: Smoothing = "none") -> dict[str, Any]:
    """Of one candidate and its reference or references, or of a list of both."""
    corpus = isinstance(cand, list)
    said, wanted = (cand, ref) if corpus else ([cand], [ref])
    found = corpus_bleu(said, wanted, max_order=N, smoothing=smoothing)
    each = {f"p{n}": p for n, p in enumerate(found.precisions, start=1)}
    return each | {
        "p": list(found.precisions),
        "bp": found.brevity_penalty,
        "bleu": found.score,
        "signature": found.signature,
    }


def rouges(cand: str, ref: Any) -> dict[str, dict[str, float]]:
    found = rouge([cand], [ref], ["rouge1", "rouge2", "rouge3", "rougeL", "rougeW"])
    return {
        kind: {"precision": r.precision[0], "recall": r.recall[0], "f": r.f[0]}
        for kind, r in found.items()
    }


def matched(sim_cand_by_ref: Sequence[Sequence[float]]) -> dict[str, float]:
    found = bertscore(sim_cand_by_ref)
    return {"P": found.precision, "R": found.recall, "F1": found.f1}


INSTRUMENTS: dict[str, Callable[..., Any]] = {
    "bleu": bleu,
    "bleu_precisions": bleu,
    "brevity_penalty": lambda c, r: brevity_penalty(c, r),
    "rouge": rouges,
    "bertscore": matched,
    "exact_match": exact_match,
    "token_f1": token_f1,
}
