"""What is made of judged pairs: a win rate at equal length, and strengths."""

from typing import Literal

from pydantic import Field

from eval_pipeline.contracts.part import Column, Name, Part


class GamedStatistics(Part):
    """Gamed versions of the baseline whose judgments are known by their sums only.

    baseline_length, lengths: keys of the items that hold the length of the baseline's reply and of
    each gamed version's, characters. weight: of each row, where a comparison weighs 1.
    won_length, won_difficulty: sums of weight x term x preference for the gamed version.
    """

    baseline_length: Column = Field(description="name the items' key with the baseline's length")
    lengths: list[Column] = Field(
        min_length=1, description="name the items' keys with the length of each gamed version"
    )
    weight: float = Field(gt=0, description="say how much a gamed row weighs")
    won_length: float = Field(description="give the weighted sum of length term x preference")
    won_difficulty: float = Field(
        0.0, description="the weighted sum of difficulty term x preference"
    )


class LengthControl(Part):
    """difficulty: key of the items that holds each item's difficulty.

    gamed: checkpoints that are the baseline told to be long or short; their pairs against it hold
    back the length coefficient, each comparison with gamed_weight. gamed_statistics: the same
    where only sums are known. style: what else replies are held equal in, as by length.
    """

    baseline: Name = Field(description="name the checkpoint that the others are held against")
    difficulty: Column | None = Field(
        None, description="the key of the items that holds each item's difficulty"
    )
    gamed: list[Name] = Field(
        [], description="checkpoints that are the baseline told to be long or short"
    )
    gamed_weight: float | None = Field(
        None, gt=0, description="how much a comparison with one of them weighs"
    )
    gamed_statistics: GamedStatistics | None = Field(
        None, description="the same, where only sums are known"
    )
    style: list[Literal["headers", "lists", "bold"]] = Field(
        [], description="what else replies are held equal in"
    )


class Ranking(Part):
    """How strengths are fitted and printed; the anchor moves the printed scale only.

    weigh: `votes` makes each vote a battle, for crowds of which some pairs saw more than others;
    otherwise each judged pair is one. covariates: what replies differ in; strengths at equal
    covariates then stand beside the plain ones.
    """

    anchor: Name | None = Field(
        None, description="the checkpoint that stands at 1,000 on the printed scale"
    )
    prior_sd: float | None = Field(
        None, gt=0, description="standard deviation of a prior on strengths, logits; none else"
    )
    order_effect: bool = Field(True, description="whether the seat has an effect of its own")
    weigh: Literal["votes"] | None = Field(
        None, description="votes: each vote is a battle; each judged pair is one else"
    )
    covariates: list[Literal["length", "headers", "lists", "bold"]] = Field(
        [], description="what replies are held equal in, beside the plain strengths"
    )
