r"""`boxed@1`: what stands in the last \boxed{...} of a reply."""

import re
from dataclasses import dataclass, field

from eval_pipeline.verification.extraction import EMPTY, stop_pattern
from eval_pipeline.verification.verdict import Found, Item

_BOX = re.compile(r"\\(?:f?boxed|fbox)(?![A-Za-z])[ \t]*")


@dataclass(frozen=True)
class Boxed:
    r"""The content of the last box, braces within it balanced; of a box in a box, the inner one.

    A reply that boxes an answer, revises it and boxes another has given the last one; two equal
    boxes are one answer. A last box that is never closed (a cut reply) or holds nothing is a
    failure: no earlier box is taken. Options: `stop`, as for answer_line@1, but none unless
    declared: boxes after such a line are not read.
    """

    stop: tuple[str, ...] = ()
    _stop: re.Pattern[str] | None = field(init=False, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_stop", stop_pattern(self.stop))

    def extract(self, reply: str, item: Item) -> Found:
        if not reply.strip():
            return EMPTY
        boxes = list(_BOX.finditer(reply))
        if not boxes:
            return Found(None, "no_box")
        stop = self._stop.search(reply, boxes[0].end()) if self._stop else None
        last = [box for box in boxes if stop is None or box.start() < stop.start()][-1]
        content = _content(reply, last.end())
        if content is None:
            return Found(None, "unclosed_box")
        if not content.strip():
            return Found(None, "empty_box")
        return Found(content.strip(), "truncated_runon" if stop else None)


def _content(text: str, start: int) -> str | None:
    r"""What stands in the braces at `start`, or the one sign there (\boxed 5); None if unclosed."""
    if not text.startswith("{", start):
        bare = re.compile(r"[A-Za-z0-9]|\Z").match(text, start)
        return bare[0] if bare else None
    depth, at = 0, start
    while at < len(text):
        sign = text[at]
        if sign == "\\":  # an escaped brace is a sign of the answer: \{1, 2\}
            at += 2
            continue
        depth += (sign == "{") - (sign == "}")
        if depth == 0:
            return text[start + 1 : at]
        at += 1
    return None
