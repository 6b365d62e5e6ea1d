"""The Python blocks of a page, with the output that stands below each."""

import contextlib
import io
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

_BLOCK = re.compile(r"^```python\n(?P<code>.*?)^```\n(?:\n```\n(?P<shown>.*?)^```\n)?", re.M | re.S)


@dataclass(frozen=True)
class Example:
    """One block: its code, the output that is shown, and where that stands in the page."""

    code: str
    shown: str
    place: tuple[int, int]

    def printed(self, names: dict[str, Any]) -> str:
        """What the code prints, run with the names that blocks before it made."""
        out = io.StringIO()
        with contextlib.redirect_stdout(out):
            exec(compile(self.code, "<example>", "exec"), names)
        return out.getvalue()


def examples(text: str) -> Iterator[Example]:
    for block in _BLOCK.finditer(text):
        yield Example(block["code"], block["shown"] or "", block.span("shown"))


def with_outputs(text: str) -> str:
    """The page with what its blocks print now below each of them."""
    names: dict[str, Any] = {}
    made, done = [], 0
    for example in examples(text):
        printed = example.printed(names)
        start, end = example.place
        if start < 0:
            continue
        made += [text[done:start], printed]
        done = end
    return "".join([*made, text[done:]])
