r"""`boxed@2`: what stands in the last \boxed{...} of a reply."""

import re
from dataclasses import dataclass, field

from eval_pipeline.verification.extraction import EMPTY, stop_pattern
from eval_pipeline.verification.verdict import Found, Item

_BOX = re.compile(r"\\(?:f?boxed|fbox)(?![A-Za-z])[ \t]*")

_BARE = re.compile(
    r"-?\d+(?:[.,/]\d+)*|[A-Za-z]|\Z"
)  # LaTeX takes one sign; who writes 12 means 12
_JOINS = re.compile(
    r"[\s$]*(?:,|\\text\s*\{\s*(?:and|or)\s*\}|\b(?:and|or)\b)[\s$]*(?:and\b|or\b)?[\s$]*"
)


@dataclass(frozen=True)
class Boxed:
    r"""The content of the last box, braces within it balanced; of a box in a box, the inner one.

    A reply that boxes an answer, revises it and boxes another has given the last one; two equal
    boxes are one answer, and different ones with only a comma, `and` or `or` between them are its
    parts. A last box that is never closed (a cut reply) or holds nothing is a failure: no earlier
    box is taken. Options: `stop`, as for answer_line@2, but none unless declared: boxes after such
    a line are not read.
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
        starts = [box.end() for box in boxes if stop is None or box.start() < stop.start()]
        content = _content(reply, starts[-1])
        if content is None:
            return Found(None, "unclosed_box")
        if not content.strip():
            return Found(None, "empty_box")
        parts = [content.strip()]
        for box, after in zip(reversed(boxes[: len(starts)]), reversed(starts[:-1]), strict=False):
            part = _content(reply, after)
            if part is None or not _JOINS.fullmatch(reply, after + len(part) + 2, box.start()):
                break
            parts.insert(0, part.strip())
        answer = ", ".join(dict.fromkeys(parts))
        return Found(answer, "truncated_runon" if stop else None)


def _content(text: str, start: int) -> str | None:
    r"""What stands in the braces at `start`, or the number or letter there; None if unclosed."""
    if not text.startswith("{", start):
        bare = _BARE.match(text, start)
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
