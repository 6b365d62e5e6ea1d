"""Sections that ask for tables over several checkpoints: of items, of metrics, of safety."""

from typing import Literal

from pydantic import Field

from eval_pipeline.contracts.part import Name, Part, Share


class Groups(Part):
    """Two groups of model families between which items may work differently."""

    reference: list[Name] = Field(min_length=1, description="name the families held against")
    focal: list[Name] = Field(min_length=1, description="name the families that are looked at")


class ItemAnalysis(Part):
    """What the items are worth, judged by the checkpoints that answered them.

    respondents: who counts as one who answers: a checkpoint by its first draw, or each of its
    draws. groups: asks for differential functioning between families; strata: classes of equal
    ability within which the groups are compared.
    """

    respondents: Literal["checkpoints", "draws"] = Field(
        "checkpoints", description="who answers: a checkpoint by its first draw, or each draw"
    )
    groups: Groups | None = Field(
        None, description="families between which items are held to work alike"
    )
    strata: int = Field(5, ge=2, le=100, description="classes of equal ability")


class MetricValidity(Part):
    """Whether the contract's metrics rank pairs of replies as people do.

    at_least: how high the rank correlation must be, by the lower end of its interval.
    """

    annotations: list[Name] = Field(min_length=1, description="name the sets of human labels")
    coefficient: Literal["spearman", "kendall"] = Field(
        "spearman", description="the rank correlation"
    )
    at_least: float | None = Field(
        None, gt=0, lt=1, description="least correlation, by the lower end of its interval"
    )


class SafetyFrontier(Part):
    """The least rate of attack success among checkpoints that refuse little that is benign.

    judged_by: a checkpoint keeps within the budget by its rate, or by the rate's upper end.
    """

    false_refusal_budget: Share = Field(
        description="say what share of benign requests may be refused"
    )
    judged_by: Literal["value", "upper_end"] = Field(
        "upper_end", description="whether the rate or its upper end keeps within the budget"
    )
