"""Likelihood of the replies. A failed sample is left out: its reply is none.

A likelihood near 1 on items that are known to be contaminated is said beside every value.
"""

from collections.abc import Callable

import numpy as np

from eval_pipeline.metrics.likelihood.formula_bits import (
    UnicodeForm,
    bits_sums,
    corpus_perplexity_sums,
    text_sizes,
)
from eval_pipeline.metrics.likelihood.formula_memorisation import memorisation_alarm
from eval_pipeline.metrics.measures.column_values import once
from eval_pipeline.metrics.measures.forms import Measure, OfSums, Options
from eval_pipeline.metrics.samples import Bools, Floats, Ints
from eval_pipeline.metrics.sums import Sums, ratio_sums
from eval_pipeline.metrics.view import View

CLEAN = "clean"
CONTAMINATED = ("contaminated", "source_overlap", "short_exact")


def totals(view: View) -> Floats:
    """Nats and number of the kept tokens of each reply, shape (samples, 2).

    Raises ValueError that names a sample with a log-probability above 0, without a kept token, or
    with a mask of another length.
    """
    return once(view, {}, "token totals", lambda: _totals(view))


def _totals(view: View) -> Floats:
    """All tokens at once: a loop over replies would take most of the time."""
    logprobs = view["generations.token_logprobs"]
    sizes = np.array([len(row) for row in logprobs])
    flat = np.concatenate([*logprobs, np.empty(0)])
    kept = np.ones(len(flat), dtype=bool)
    if "generations.token_mask" in view:
        kept = np.concatenate([kept[:0], *_masks(view, sizes)])
    owner = np.repeat(np.arange(len(view)), sizes)
    if (bad := np.flatnonzero(kept & (flat > 0))).size:
        where = view.name(int(owner[bad[0]]))
        raise ValueError(f"{where}: a log-probability of {flat[bad[0]]:g} is above 0")
    found = np.column_stack(
        [np.bincount(owner, -flat * kept, len(view)), np.bincount(owner, kept, len(view))]
    )
    if (bad := np.flatnonzero(found[:, 1] == 0)).size:
        raise ValueError(f"{view.name(int(bad[0]))}: token_logprobs keep no token")
    return found.astype(np.float64)


def _masks(view: View, sizes: Ints) -> list[Bools]:
    """Which tokens of each reply count; all where no mask was recorded."""
    masks = []
    for i, mask in enumerate(view["generations.token_mask"]):
        if mask is not None and len(mask) != sizes[i]:
            raise ValueError(f"{view.name(i)}: {sizes[i]} tokens but a mask of {len(mask)}")
        masks.append(np.ones(sizes[i], dtype=bool) if mask is None else mask)
    return masks


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
