"""The metrics that a contract may ask for, each said once.

Reads nothing and imports nothing heavy: contracts look names up here while they are validated.
"""

import re
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Literal

Source = Literal["verifier", "status", "judge"]


@dataclass(frozen=True)
class Metric:
    """One metric: what it means, from what it is made, and which way is better.

    `made_from` says which stage it rests on: the verifier's scores, the statuses of the samples,
    or a judge. `columns` are the columns of `verifier_scores` (or of the judge's table) that it
    reads. Values lie in [0, 1].
    """

    name: str
    version: int
    meaning: str
    made_from: Source
    columns: tuple[str, ...]
    higher_is_better: bool
    needs_k: bool = False
    counts: str = ""  # the sample status that a failure rate counts
    unit: str = "share"
    source: str = ""

    @property
    def instrument(self) -> str:
        """`name@version`, as lineage and tables carry it."""
        return f"{self.name}@{self.version}"


def _rate(name: str, status: str, meaning: str) -> Metric:
    return Metric(name, 1, meaning, "status", ("status",), higher_is_better=False, counts=status)


STATUS_RATES = (
    _rate("refusal_rate", "model_refusal", "Share of draws that the model refused."),
    _rate("parser_failure_rate", "parser_failure", "Share of draws without a readable answer."),
    _rate("timeout_rate", "timeout", "Share of draws that ran out of time."),
    _rate("permission_denied_rate", "permission_denied", "Share of draws denied a permission."),
    _rate("infra_error_rate", "infra_error", "Share of draws lost to the infrastructure."),
    _rate("invalid_sample_rate", "invalid_sample", "Share of draws that are no valid sample."),
)

METRICS: dict[str, Metric] = {
    metric.name: metric
    for metric in (
        Metric(
            "pass_at_k",
            1,
            "Chance that at least one of k draws is right.",
            "verifier",
            ("score",),
            higher_is_better=True,
            needs_k=True,
            source="Chen et al. 2021, arXiv:2107.03374, equation 1",
        ),
        Metric(
            "pass_hat_k",
            1,
            "Chance that all of k draws are right.",
            "verifier",
            ("score",),
            higher_is_better=True,
            needs_k=True,
            source="Yao et al. 2024, arXiv:2406.12045",
        ),
        Metric(
            "majority_vote",
            1,
            "Expected credit of the most frequent answer of k draws.",
            "verifier",
            ("score", "extracted"),
            higher_is_better=True,
            needs_k=True,
            source="Wang et al. 2022, arXiv:2203.11171; ties share the credit",
        ),
        Metric(
            "accuracy",
            1,
            "Share of draws that are right; verdicts must be right or wrong.",
            "verifier",
            ("score",),
            higher_is_better=True,
        ),
        Metric(
            "mean_score",
            1,
            "Mean score of the draws; partial credit is allowed.",
            "verifier",
            ("score",),
            higher_is_better=True,
        ),
        *STATUS_RATES,
        Metric(
            "win_rate",
            1,
            "Mean score against the baseline, both seating orders; a tie is one half.",
            "judge",
            ("score_a",),
            higher_is_better=True,
        ),
        Metric(
            "length_controlled_win_rate",
            1,
            "Win rate against the baseline at equal length.",
            "judge",
            ("length_controlled",),
            higher_is_better=True,
            source="Dubois et al. 2024, arXiv:2404.04475",
        ),
    )
}

LABEL_STEMS = {"pass@": "pass_at_k", "pass^": "pass_hat_k", "majority@": "majority_vote"}
_LABEL = re.compile(r"(pass@|pass\^|majority@)([1-9][0-9]*)")


def metric(name: str) -> Metric:
    """The metric of that name; raises ValueError that names the nearest known ones."""
    if name in METRICS:
        return METRICS[name]
    near = get_close_matches(name, METRICS, n=3, cutoff=0.5)
    known = f"did you mean {', '.join(near)}?" if near else f"known are {', '.join(METRICS)}"
    raise ValueError(f"unknown metric {name!r}: {known}")


def from_label(label: str) -> tuple[Metric, int | None]:
    """The metric and the k behind a label: `pass@4` is (pass_at_k, 4), `accuracy` has no k.

    Raises ValueError where no metric has that label.
    """
    if found := _LABEL.fullmatch(label):
        return METRICS[LABEL_STEMS[found[1]]], int(found[2])
    known = metric(label)
    if known.needs_k:
        stem = next(stem for stem, name in LABEL_STEMS.items() if name == label)
        raise ValueError(f"metric {label!r} needs a k: write it as {stem}1")
    return known, None
