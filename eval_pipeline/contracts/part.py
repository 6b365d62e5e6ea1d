"""What every part of a contract is made of: the strict model, and the types of its fields."""

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, StringConstraints

from eval_pipeline.layout import NAME_FORM

Name = Annotated[str, StringConstraints(pattern=f"^{NAME_FORM}$")]
VersionedName = Annotated[
    str, StringConstraints(pattern=r"^[A-Za-z0-9][A-Za-z0-9._@+-]{0,120}@[1-9][0-9]{0,5}$")
]
Text = Annotated[str, StringConstraints(pattern=r"\S")]
Column = Annotated[str, StringConstraints(pattern=r"\S")]
Count = Annotated[int, Field(ge=1)]
Share = Annotated[float, Field(ge=0, le=1)]
Handling = Literal["wrong", "exclude", "chance", "retry"]
TruthRule = Literal["both", "sum", "mean"]
VerdictForm = Literal[
    "models",
    "slots",
    "brackets",
    "graded_brackets",
    "verdict_line",
    "labels",
    "yes_no",
    "json",
    "preference",
    "games",
    "logprobs",
]


class Part(BaseModel):
    """A part of a contract: unknown keys are refused, values are never coerced or changed."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True, allow_inf_nan=False)
