"""Calls of the command that a page shows, with what they print on the bundled data."""

import re
import shlex
import textwrap
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from eval_pipeline_tests.cli.calling import called

WIDTH = 100
_BLOCK = re.compile(r"^```\n\$ eval-pipeline (?P<all>.*?)^```$", re.MULTILINE | re.DOTALL)
_MOMENT = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\dZ")


@dataclass(frozen=True)
class Shown:
    """A call as it is written, what stands below it, and where that is in the page."""

    call: str
    answer: str
    place: tuple[int, int]

    @property
    def words(self) -> list[str]:
        return shlex.split(self.call.replace("\\\n", " "))

    def printed(self, root: Path) -> str:
        """What the call prints on the data: the answer, then the notes, no line too long."""
        done = called(root, *self.words)
        lines = "\n".join(line.rstrip() for line in (done.stdout + done.stderr).splitlines())
        return "".join(
            f"{part}\n" for line in lines.strip("\n").split("\n") for part in _wrapped(line)
        )


def shown(text: str) -> Iterator[Shown]:
    for block in _BLOCK.finditer(text):
        lines = block["all"].splitlines(keepends=True)
        size = next(n for n in range(1, len(lines) + 1) if _is_whole("".join(lines[:n])))
        call = "".join(lines[:size])
        yield Shown(
            call.rstrip(), "".join(lines[size:]), (block.start(1) + len(call), block.end(1))
        )


def with_answers(text: str, root: Path) -> str:
    """The page with what the calls print now."""
    made, done = [], 0
    for one in shown(text):
        start, end = one.place
        made += [text[done:start], one.printed(root)]
        done = end
    return "".join([*made, text[done:]])


def timeless(answer: str) -> list[str]:
    """The words of an answer, without the moments that it names."""
    return _MOMENT.sub("MOMENT", answer).split()


def _is_whole(call: str) -> bool:
    try:
        shlex.split(call)
    except ValueError:
        return False
    return not call.endswith("\\\n")


def _wrapped(line: str) -> list[str]:
    if len(line) <= WIDTH or not line.startswith("note:"):
        return [line]
    return textwrap.wrap(line, WIDTH, break_long_words=False, break_on_hyphens=False)
