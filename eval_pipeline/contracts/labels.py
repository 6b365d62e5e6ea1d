"""A judge's own words for what it may say of a pair."""

from pydantic import Field

from eval_pipeline.contracts.part import Part, Text


class Labels(Part):
    """The judge's own words: for the reply shown first, for the second, and for a tie."""

    a: Text = Field(description="give the word for the reply that is shown first")
    b: Text = Field(description="give the word for the reply that is shown second")
    tie: Text | None = Field(None, description="the word for a tie")

    @property
    def seats(self) -> dict[str, str]:
        """Each word, and the seat that it names."""
        ties = {} if self.tie is None else {self.tie: "tie"}
        return {self.a: "first", self.b: "second", **ties}
