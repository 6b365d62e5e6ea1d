"""The golden instruments of images, alone and beside text, each answered by public functions."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from typing import Any

import numpy as np

from eval_pipeline.metrics.images.formula_clip import clip_scores
from eval_pipeline.metrics.images.formula_frechet import frechet_distance, given_moments, moments
from eval_pipeline.metrics.images.formula_inception import inception_score
from eval_pipeline.metrics.images.formula_neighbours import PUBLISHED_K, precision_recall
from eval_pipeline.metrics.inputs import numbers, rows, whole
from eval_pipeline.metrics.vision_language.formula_pope import pope, pope_from_counts
from eval_pipeline.metrics.vision_language.formula_vqa import vqa_official, vqa_scores, vqa_simple
from eval_pipeline_tests.golden.runner import listed

Matrix = Sequence[Sequence[float]]
NETWORK = "as given"
PROBED = ("present_yes", "present_n", "absent_yes", "absent_n")


def distance(
    mu1: Sequence[float] | None = None,
    S1: Matrix | None = None,
    mu2: Sequence[float] | None = None,
    S2: Matrix | None = None,
    real: Matrix | None = None,
    fake: Matrix | None = None,
) -> dict[str, float]:
    """From means and covariances, or from the features themselves."""
    if real is not None and fake is not None:
        real, fake = columns(real), columns(fake)
        found = frechet_distance(moments(real), moments(fake), NETWORK)
    else:
        one = given_moments(listed(mu1), covariance(S1))
        other = given_moments(listed(mu2), covariance(S2))
        found = frechet_distance(one, other, NETWORK)
    return {"fid": found.value, "mean": found.mean_part, "trace": found.trace_part}


def covariance(given: Any) -> Any:
    """A matrix; the variances of uncorrelated features, or that of one."""
    flat = listed(given)
    several = any(isinstance(row, list) for row in flat)
    return flat if several else np.diag(numbers(flat, "variances", least=0.0))


def columns(features: Any) -> Any:
    """A row an image, where each has one feature that stands by itself."""
    return [listed(row) for row in rows(features, "features")]


def clip(img: Any, txt: Any, w: Any = None) -> float | list[float]:
    scores = clip_scores(img, txt, w)
    return scores.tolist() if np.ndim(txt) > 1 else float(scores[0])


def neighbours(real: Matrix, fake: Matrix, k: int = PUBLISHED_K) -> dict[str, float]:
    found = precision_recall(columns(real), columns(fake), NETWORK, k)
    return {"precision": found.precision, "recall": found.recall}


def probes(
    said_yes: Sequence[bool] | None = None, present: Sequence[bool] | None = None, **counts: int
) -> Mapping[str, float]:
    if said_yes is not None and present is not None:
        return asdict(pope(said_yes, present))
    if counts.keys() == {"tp", "fn", "fp", "tn"}:
        tp, fn, fp, tn = (whole(counts[name], name, 0) for name in ("tp", "fn", "fp", "tn"))
        return asdict(pope_from_counts(tp, tp + fn, fp, fp + tn))
    if counts.keys() != set(PROBED):
        raise ValueError(f"give {', '.join(PROBED)}, not {', '.join(counts) or 'nothing'}")
    return asdict(pope_from_counts(**counts))


def credit(rule: Callable[..., Any], matches: Any, **settings: Any) -> float | list[float]:
    """One answer's matches, or those of several."""
    several = isinstance(matches, list)
    found = rule(matches if several else [matches], **settings)
    return found.tolist() if several else float(found[0])


def official(
    matches: Any = None,
    annotators: int = 10,
    answer: str | None = None,
    human_answers: Sequence[str] | None = None,
) -> float | list[float]:
    if answer is not None and human_answers is not None:
        return float(vqa_scores([answer], [human_answers], "official")[0])
    return credit(vqa_official, matches, annotators=annotators)


INSTRUMENTS: dict[str, Callable[..., Any]] = {
    "fid": distance,
    "inception_score": lambda pyx, splits=1: inception_score(pyx, splits).value,
    "clipscore": clip,
    "precision_recall_knn": neighbours,
    "pope": probes,
    "vqa_accuracy_simple": lambda matches: credit(vqa_simple, matches),
    "vqa_accuracy_official": official,
}
