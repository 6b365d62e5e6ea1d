"""What single replies are scored by: the criteria with their weights, and the scale's ends."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from eval_pipeline.judging.prompts.templates import JudgePrompt
from eval_pipeline.metrics.rubric.formula import rubric_score

WHOLE = "all"  # stands for the weighted mean of the criteria


@dataclass(frozen=True)
class Rubric:
    """Criteria in their order with weights that sum to 1; whole points from low to high."""

    weights: tuple[tuple[str, float], ...]
    low: int
    high: int

    @property
    def criteria(self) -> tuple[str, ...]:
        return tuple(name for name, _ in self.weights)

    @property
    def width(self) -> int:
        """The largest difference of two scores."""
        return self.high - self.low

    def whole(self, scores: Sequence[float]) -> float:
        """The weighted mean of scores in the order of the criteria."""
        weights = [weight for _, weight in self.weights]
        mean = rubric_score(weights, scores, (self.low, self.high))
        return min(max(mean, float(self.low)), float(self.high))  # thirds may round past an end


def rubric_of(prompt: JudgePrompt) -> Rubric:
    """The rubric of a pointwise prompt; raises ValueError for a pairwise one."""
    if prompt.scale is None:
        raise ValueError(f"judge prompt {prompt.name} has no scale: it is pairwise")
    weights = tuple((one.name, one.weight) for one in prompt.criteria)
    return Rubric(weights, prompt.scale.low, prompt.scale.high)


def shared_rubric(by_judge: Mapping[str, Rubric]) -> Rubric:
    """The one rubric of all judges, whose wording may differ.

    Raises ValueError where two judges' rubrics differ: points on different scales, or of
    different criteria, have no mean.
    """
    (first, rubric), *others = sorted(by_judge.items())
    for judge, other in others:
        if sorted(other.weights) != sorted(rubric.weights):
            what = "criteria or weights"
        elif (other.low, other.high) != (rubric.low, rubric.high):
            what = "scales"
        else:
            continue
        raise ValueError(
            f"judges {first} and {judge} score by rubrics of different {what}, whose points have "
            "no mean: give both one rubric"
        )
    return rubric


def given_scores(given: Mapping[str, object], rubric: Rubric) -> dict[str, float]:
    """A person's scores by criterion with the whole, or the whole alone, in points.

    People may stand between two points. Raises KeyError where criteria lack or are none of the
    rubric's, and ValueError for what is no number on the scale; both say which.
    """
    wanted = (WHOLE,) if set(given) == {WHOLE} else rubric.criteria
    if odd := sorted(set(given) ^ set(wanted)):
        what = "is no criterion" if odd[0] in given else "has no score"
        raise KeyError(f"{odd[0]!r:.80} {what}: score each of {', '.join(rubric.criteria)}")
    points: dict[str, float] = {}
    for name, score in given.items():
        number = score if isinstance(score, int | float) and not isinstance(score, bool) else None
        if number is None or not rubric.low <= number <= rubric.high:
            raise ValueError(
                f"{name} is {score!r:.40}, no number from {rubric.low} to {rubric.high}"
            )
        points[name] = float(number)
    scores = {name: points[name] for name in wanted}  # in the order of the rubric's weights
    return scores if WHOLE in scores else scores | {WHOLE: rubric.whole(list(scores.values()))}
