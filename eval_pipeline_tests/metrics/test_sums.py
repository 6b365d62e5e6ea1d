"""Every metric that is made of sums gives on resampled clusters what it gives on their samples."""

from collections.abc import Callable

import numpy as np
import pytest

from eval_pipeline.metrics.calibration.formula_ece import calibration_error, calibration_error_sums
from eval_pipeline.metrics.calibration.formula_murphy import murphy_decomposition, murphy_sums
from eval_pipeline.metrics.calibration.formula_scoring import (
    brier_binary,
    brier_binary_sums,
    brier_sum,
    brier_sum_sums,
    nll,
    nll_binary,
    nll_binary_sums,
    nll_sums,
)
from eval_pipeline.metrics.classification.formula_classes import class_report, classification_sums
from eval_pipeline.metrics.factuality.formula_claims import (
    CheckedClaim,
    factuality_report,
    factuality_sums,
)
from eval_pipeline.metrics.factuality.formula_faithfulness import faithfulness, faithfulness_sums
from eval_pipeline.metrics.field_extraction.formula import field_report, field_sums
from eval_pipeline.metrics.likelihood.formula_bits import (
    bits_sums,
    corpus_perplexity,
    corpus_perplexity_sums,
    document_totals,
)
from eval_pipeline.metrics.sums import Sums, mean_sums
from eval_pipeline.metrics.text_overlap.formula_bleu import bleu_sums

N, CLUSTERS = 60, 12
RNG = np.random.default_rng(5)
P = RNG.random(N)
Y = (RNG.random(N) < P).astype(int)
TABLE = RNG.dirichlet(np.ones(3), N)
CLASS = RNG.integers(0, 3, N)
ANSWER = np.where(RNG.random(N) < 0.6, CLASS, RNG.integers(0, 3, N))
WORDS = np.array(["a", "b", "c", "d", "e"])
SAID = [" ".join(RNG.choice(WORDS, RNG.integers(0, 12))) for _ in range(N)]
WANTED = [" ".join(RNG.choice(WORDS, RNG.integers(4, 12))) for _ in range(N)]
NLL = [RNG.exponential(size=RNG.integers(1, 6)) for _ in range(N)]
BYTES = RNG.integers(1, 50, N)
NATS = np.array([x.sum() for x in NLL])
BELOW = RNG.random((N, 4, 2))
FIELDS = ("name", "price", "date", "place")
S = (BELOW[..., 0] < 0.7).astype(int)
W = (BELOW[..., 1] < 0.7).astype(int)
R = S * W * (RNG.random((N, 4)) < 0.7)
CLAIMS = RNG.integers(0, 4, N)
SUPPORTED = RNG.binomial(CLAIMS, 0.6)
ANSWERS = [
    [
        CheckedClaim(v, bool(c), bool(RNG.random() < 0.5) if c and RNG.random() < 0.5 else None)
        for v, c in zip(
            RNG.choice(["supported", "unsupported", "unknown"], n), RNG.random(n) < 0.5, strict=True
        )
    ]
    for n in CLAIMS
]


def pick(values, rows):
    return [values[i] for i in rows]


def bleu_of(rows, smoothing):
    from sacrebleu.metrics import BLEU

    tool = BLEU(smooth_method=smoothing)
    return tool.corpus_score(pick(SAID, rows), [pick(WANTED, rows)]).score / 100


Made = tuple[Sums, Callable[[list[int]], float]]
SHARES = ("support_precision", "decidable_rate", "citation_completeness", "citation_precision")
MADE: dict[str, Made] = {
    "brier_binary": (brier_binary_sums(P, Y), lambda r: brier_binary(P[r], Y[r])),
    "brier_sum": (brier_sum_sums(TABLE, CLASS), lambda r: brier_sum(TABLE[r], CLASS[r])),
    "nll_binary": (nll_binary_sums(P, Y), lambda r: nll_binary(P[r], Y[r]).value),
    "nll": (nll_sums(TABLE, CLASS), lambda r: nll(TABLE[r], CLASS[r]).value),
    "ece": (calibration_error_sums(P, Y, 7), lambda r: calibration_error(P[r], Y[r], 7)),
    "accuracy": (
        classification_sums(CLASS, ANSWER, "accuracy"),
        lambda r: class_report(CLASS[r], ANSWER[r]).accuracy,
    ),
    "macro_f1": (
        classification_sums(CLASS, ANSWER, "macro_f1"),
        lambda r: class_report(CLASS[r], ANSWER[r]).macro_f1,
    ),
    "perplexity": (
        corpus_perplexity_sums(document_totals(NLL)),
        lambda r: corpus_perplexity(pick(NLL, r)).token_pooled,
    ),
    "bits": (
        bits_sums(NATS, BYTES),
        lambda r: NATS[r].sum() / np.log(2) / BYTES[r].sum(),
    ),
    "bleu": (bleu_sums(SAID, WANTED), lambda r: bleu_of(r, "none")),
    "bleu_exp": (bleu_sums(SAID, WANTED, smoothing="exp"), lambda r: bleu_of(r, "exp")),
    "faithfulness_by_claim": (
        faithfulness_sums(SUPPORTED, CLAIMS)[0],
        lambda r: faithfulness(SUPPORTED[r], CLAIMS[r]).by_claim,
    ),
    "faithfulness_by_answer": (
        faithfulness_sums(SUPPORTED, CLAIMS)[1],
        lambda r: faithfulness(SUPPORTED[r], CLAIMS[r]).by_answer,
    ),
    **{
        f"murphy_{name}": (
            murphy_sums(P, Y, name, (P * 5).astype(int)),
            lambda r, name=name: getattr(
                murphy_decomposition(P[r], Y[r], (P[r] * 5).astype(int)), name
            ),
        )
        for name in (
            "reliability",
            "resolution",
            "uncertainty",
            "within_bin_variance",
            "within_bin_covariance",
        )
    },
    **{
        f"fields_{name}": (
            field_sums(FIELDS, S, W, R, name),
            lambda r, name=name: getattr(field_report(FIELDS, S[r], W[r], R[r]), name),
        )
        for name in ("macro_f1", "micro_f1", "task_success")
    },
    **{
        name: (
            factuality_sums(ANSWERS, name),
            lambda r, name=name: getattr(factuality_report(pick(ANSWERS, r)), name),
        )
        for name in SHARES
    },
}


@pytest.mark.parametrize("name", MADE)
def test_sums_of_resampled_clusters_are_the_metric_of_their_samples(name):
    sums, by_samples = MADE[name]
    clusters = np.arange(N) % CLUSTERS
    assert sums.value == pytest.approx(by_samples(list(range(N))), abs=1e-12)
    rng = np.random.default_rng(1)
    times = rng.multinomial(CLUSTERS, np.full(CLUSTERS, 1 / CLUSTERS), size=5)
    together = sums.of(times @ sums.of_clusters(clusters, CLUSTERS))
    for drawn, found in zip(times, together, strict=True):
        rows = [i for i in range(N) for _ in range(drawn[clusters[i]])]
        assert found == pytest.approx(by_samples(rows), abs=1e-12)


def test_a_mean_leaves_out_what_is_undefined():
    assert mean_sums(np.array([1.0, np.nan, 3.0])).value == 2.0
    assert np.isnan(mean_sums(np.array([np.nan])).value)


def test_terms_that_do_not_fit_are_refused():
    names = [str(i) for i in range(6000)]
    with pytest.raises(ValueError, match="6000 samples with 12000 columns of classes are too many"):
        classification_sums(names, names, "macro_f1")
