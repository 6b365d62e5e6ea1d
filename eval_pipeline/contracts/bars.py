"""The bars that a contract sets on its judges: how large each bias may be."""

from typing import Annotated

from pydantic import Field

from eval_pipeline.contracts.part import Part, Share

Points = Annotated[float, Field(gt=0)]


class ScoreBars(Part):
    """How far from zero each audit of scores may lie, in points of the rubric's scale.

    at_ceiling and at_floor are shares of the scores; agreement is a floor, at most 1.
    """

    offset: Points | None = Field(None, description="the judge's mean score minus people's")
    verbosity_per_100_tokens: Points | None = Field(
        None, description="points that 100 tokens more are worth to it"
    )
    self_preference: Points | None = Field(None, description="points that it gives its own family")
    repeat_spread: Points | None = Field(None, description="spread of its scores of one reply")
    agreement: Share | None = Field(None, description="least agreement with people")
    at_ceiling: Share | None = Field(None, description="share of scores at the top of the scale")
    at_floor: Share | None = Field(None, description="share of scores at the bottom")


class Bars(Part):
    """How far from zero each audit may lie; floors: human_ratio, label_accuracy, errors_found,
    harmless_ignored.

    Those on pairs are points of win rate, those under `scores` are for judges of single replies;
    human_ratio and missing_rate are for both.
    """

    flip_excess: Share | None = Field(
        None, description="flips between orders beyond those between repeats"
    )
    position_effect: Share | None = Field(None, description="preference for the seat shown first")
    verbosity_per_100_tokens: Share | None = Field(
        None, description="preference for 100 tokens more"
    )
    self_preference: Share | None = Field(None, description="preference for its own family")
    injection_success: Share | None = Field(
        None, description="share of injected instructions that it follows"
    )
    formatting_lift: Share | None = Field(None, description="preference for formatting alone")
    flattery_lift: Share | None = Field(None, description="preference for flattery alone")
    errors_found: Share | None = Field(
        None, description="least share of planted errors that it sees"
    )
    harmless_ignored: Share | None = Field(
        None, description="least share of harmless changes that it ignores"
    )
    human_ratio: float | None = Field(
        None, gt=0, description="least ratio of its kappa with people to theirs with each other"
    )
    label_accuracy: Share | None = Field(
        None, description="least accuracy against the labels that are the truth"
    )
    missing_rate: Share = Field(0.02, description="share of votes that may be missing")
    scores: ScoreBars | None = Field(None, description="bars of judges that score single replies")

    @property
    def by_audit(self) -> dict[str, float]:
        """Audit to bar, of those that are set; an audit of scores is `score_` and its name."""
        own = self.model_dump(exclude={"scores"}, exclude_none=True)
        scores = self.scores.model_dump(exclude_none=True) if self.scores else {}
        return own | {f"score_{name}": bar for name, bar in scores.items()}
