"""`code@1`: the same sandbox, and verdicts by the rules that frozen contracts were made with."""

from dataclasses import dataclass
from typing import ClassVar

from eval_pipeline.verification.code import cases, verifier


@dataclass(frozen=True)
class Code(verifier.Code):
    """As `code@2`, but outputs are compared as `first_cases` does, and tests are what stands at the
    top of their source and in `check(candidate)`: forms of unittest and pytest are not run."""

    rules: ClassVar[int] = 1

    def _fault(self, tests: cases.Tests) -> str | None:
        return None
