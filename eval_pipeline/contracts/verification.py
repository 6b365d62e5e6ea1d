"""What judges a reply against its reference, and whose verdicts stand beside it."""

from typing import Annotated, Literal

from pydantic import Field

from eval_pipeline.contracts.part import Part, Share, Text, VersionedName

Reading = Literal["read", "read, in part", "unsure", "cannot tell"]
DOUBTFUL: tuple[Reading, ...] = ("unsure", "cannot tell")


class PublishedVerdicts(Part):
    """A publisher's verdicts in the rows, to be held against those of the contract's verifier.

    field, values, grader, metric: as the options of recorded@1. threshold: a score at or above it
    counts as right; without it only 0 and 1 say who is right.
    """

    field: Text = Field(description="name the key of the rows that holds the verdict")
    grader: Text = Field(description="say who graded, and with what")
    metric: Text | None = Field(None, description="the publisher's name of the verdict")
    values: dict[str, Share] = Field({}, description="what each of its words is worth, from 0 to 1")
    threshold: Annotated[float, Field(gt=0, le=1)] | None = Field(
        None, description="a score at or above it counts as right; only 0 and 1 say else"
    )


class Verification(Part):
    """reading: how far the replies were read by the instruments when a program chose them; a person
    who has looked takes it away. It stands outside the identity, as it changes no number.
    """

    verifier: VersionedName = Field(description="name the verifier and its version")
    extraction: VersionedName = Field(description="name the extraction and its version")
    options: dict[str, object] = Field({}, description="options of both instruments")
    recorded: PublishedVerdicts | None = Field(
        None, description="a publisher's verdicts, to be held against ours"
    )
    reading: Reading | None = Field(
        None, description="how sure a program was that chose the instruments; none once looked at"
    )
