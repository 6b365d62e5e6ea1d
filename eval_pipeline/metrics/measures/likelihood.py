"""Likelihood of the replies. A failed sample is left out: its reply is none.

A likelihood near 1 on items that are known to be contaminated is said beside every value.
"""

from collections.abc import Callable

import numpy as np

from eval_pipeline.metrics.likelihood import (
    UnicodeForm,
    bits_sums,
    corpus_perplexity_sums,
    document_totals,
    text_sizes,
)
from eval_pipeline.metrics.measures.form import Measure, OfSums, Options
from eval_pipeline.metrics.memorisation import memorisation_alarm
from eval_pipeline.metrics.samples import Bools, Floats
from eval_pipeline.metrics.sums import Sums, ratio_sums
from eval_pipeline.metrics.view import View

CLEAN = "clean"
CONTAMINATED = ("contaminated", "source_overlap", "short_exact")


def totals(view: View) -> Floats:
    """Nats and number of the kept tokens of each reply, shape (samples, 2).

    Raises ValueError that names a sample with a log-probability above 0, without tokens, or with a
    mask of another length.
    """
    logprobs = view["generations.token_logprobs"]
    for i, row in enumerate(logprobs):
        if not len(row):
            raise ValueError(f"{view.name(i)}: token_logprobs is empty")
        if row.max() > 0:
            raise ValueError(f"{view.name(i)}: a log-probability of {row.max():g} is above 0")
    nats = [-row for row in logprobs]
    if "generations.token_mask" not in view:
        return document_totals(nats)
    masks = view["generations.token_mask"]
    every = [
        np.ones(len(row), bool) if m is None else m for row, m in zip(nats, masks, strict=True)
    ]
    return document_totals(nats, every)


def _perplexity(view: View, options: Options) -> Sums:
    return corpus_perplexity_sums(totals(view))


def _bits(column: int) -> Callable[[View, Options], Sums]:
    """Per byte (0) or per character (1)."""

    def sums(view: View, options: Options) -> Sums:
        form: UnicodeForm = options["unicode_form"]  # type: ignore[assignment]  # a choice of it
        sizes = text_sizes(view["generations.text"].tolist(), form)[:, column]
        return bits_sums(totals(view)[:, 0], sizes)

    return sums


def _stored(view: View, options: Options) -> Sums:
    flagged = np.isin(_verdicts(view), CONTAMINATED)
    return ratio_sums(
        (flagged & _near_one(view, options)).astype(np.float64), flagged.astype(np.float64)
    )


def _near_one(view: View, options: Options) -> Bools:
    found = totals(view)
    return np.asarray(np.exp(-found[:, 0] / found[:, 1]) >= float(options["near_one"]))


def _verdicts(view: View) -> list[str]:
    return [verdict or "untestable" for verdict in view["contamination_items.status"]]


def _alarm(view: View, options: Options) -> str | None:
    """Why the likelihoods may not be shown as quality; None where no item was examined."""
    if not any(view["contamination_items.status"]):
        return None
    found = totals(view)
    likelihood = np.exp(-found[:, 0] / found[:, 1])
    return memorisation_alarm(
        likelihood, _verdicts(view), flagged=CONTAMINATED, near_one=float(options["near_one"])
    ).reason


MEASURES: dict[str, Measure] = {
    "perplexity": OfSums(_perplexity, pooled=True, on_failure="left_out", remark=_alarm),
    "bits_per_byte": OfSums(
        _bits(0), "the replies have no bytes", pooled=True, on_failure="left_out", remark=_alarm
    ),
    "bits_per_character": OfSums(
        _bits(1), "the replies have no text", pooled=True, on_failure="left_out", remark=_alarm
    ),
    "stored_share": OfSums(
        _stored, "no item is contaminated", pooled=True, on_failure="left_out", remark=_alarm
    ),
}
