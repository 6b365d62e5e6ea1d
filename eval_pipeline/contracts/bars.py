"""The bars that a contract sets on its judges: how large each bias may be."""

from typing import Annotated

from pydantic import Field

from eval_pipeline.contracts.part import Part, Share

Points = Annotated[float, Field(gt=0)]


class ScoreBars(Part):
    """How far from zero each audit of scores may lie, in points of the rubric's scale.

    at_ceiling and at_floor are shares of the scores; agreement is a floor, at most 1.
    """

    offset: Points | None = None
    verbosity_per_100_tokens: Points | None = None
    self_preference: Points | None = None
    repeat_spread: Points | None = None
    agreement: Share | None = None
    at_ceiling: Share | None = None
    at_floor: Share | None = None


class Bars(Part):
    """How far from zero each audit may lie; floors: human_ratio, errors_found, harmless_ignored.

    Those on pairs are points of win rate, those under `scores` are for judges of single replies;
    human_ratio and missing_rate are for both.
    """

    flip_excess: Share | None = None
    position_effect: Share | None = None
    verbosity_per_100_tokens: Share | None = None
    self_preference: Share | None = None
    injection_success: Share | None = None
    formatting_lift: Share | None = None
    flattery_lift: Share | None = None
    errors_found: Share | None = None
    harmless_ignored: Share | None = None
    human_ratio: float | None = Field(None, gt=0)
    missing_rate: Share = 0.02
    scores: ScoreBars | None = None

    @property
    def by_audit(self) -> dict[str, float]:
        """Audit to bar, of those that are set; an audit of scores is `score_` and its name."""
        own = self.model_dump(exclude={"scores"}, exclude_none=True)
        scores = self.scores.model_dump(exclude_none=True) if self.scores else {}
        return own | {f"score_{name}": bar for name, bar in scores.items()}
