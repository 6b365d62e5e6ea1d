"""A small function to be written: what is asked, ways to get it right and wrong, and its tests."""

from dataclasses import dataclass
from textwrap import indent


@dataclass(frozen=True)
class Function:
    """A function and its solutions.

    `right` and `wrong` are bodies without indentation; every wrong one fails a check.
    `checks` are expressions over `candidate` that hold for a right one.
    """

    name: str
    signature: str
    wanted: str
    right: tuple[str, ...]
    wrong: tuple[str, ...]
    checks: tuple[str, ...]

    @property
    def prompt(self) -> str:
        """The head of the function with its docstring, as the model is shown it."""
        return f'def {self.name}{self.signature}:\n    """{self.wanted}"""\n'

    @property
    def test(self) -> str:
        """`check(candidate)`, which raises AssertionError where a check fails."""
        lines = "\n".join(f"    assert {check}" for check in self.checks)
        return f"def check(candidate):\n{lines}\n"

    def source(self, body: str) -> str:
        """A whole definition with this body."""
        return f"def {self.name}{self.signature}:\n{indent(body, '    ')}\n"
