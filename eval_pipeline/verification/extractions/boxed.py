r"""`boxed@2`: what stands in the last \boxed{...} of a reply, with what beside it changes it."""

import re
from dataclasses import dataclass, field

from eval_pipeline.verification.extractions.stop_words import stop_pattern
from eval_pipeline.verification.numbers.scale import is_factor
from eval_pipeline.verification.numbers.units import leading_unit
from eval_pipeline.verification.verdict import EMPTY, Found, Item

_BOX = re.compile(r"\\(?:f?boxed|fbox)(?![A-Za-z])[ \t]*")
# without braces: a number (LaTeX takes one sign; who writes 12 means 12) or a command
_NUMBER = re.compile(r"[-+−]?\d+(?:[.,/]\d+)*")
_COMMAND = re.compile(r"[-+−]?\\(?P<name>[A-Za-z]+)")
_OPERANDS = {"frac": 2, "dfrac": 2, "tfrac": 2, "binom": 2, "sqrt": 1, "text": 1, "mathrm": 1,
             "textbf": 1, "mathbf": 1}  # fmt: skip
_NO_ANSWER = frozenset(
    ["begin", "end", "left", "right", "item", "section", "quad", "qquad", "text"]
) - {"text"}
_OPERAND = re.compile(r"\s*(?:\{|\d|[A-Za-z](?![A-Za-z])|\\[A-Za-z]+)")
_GOES_ON = re.compile(r"[ \t]*(?:[\w^_!/*+({\[<>=≤≥≠-]|\\(?![)\],;:!. ]))")
_PROSE = re.compile(
    r"[ \t]+(?:is|as|so|for|and|which|because|since|that|was|here|at|here's)\b", re.IGNORECASE
)
_JOINS = re.compile(
    r"[\s$]*(?:,|\\text\s*\{\s*(?:and|or)\s*\}|\b(?:and|or)\b)[\s$]*(?:and\b|or\b)?[\s$]*"
)
_SIGN_BEFORE = re.compile(
    r"(?:^|[=$({\[:]|\\[(\[]|\\(?:quad|text\s*\{[^{}]{0,40}\}))\s{0,9}[-−–]\s{0,9}$"
)
_RELATION_BEFORE = re.compile(
    r"(\\(?:not\s*=|n?leq?(?:slant|q)?|n?geq?(?:slant|q)?|neq?|lt|gt|notin|pm)(?![A-Za-z])"
    r"|[<>≤≥≠±]=?|!=)\s{0,9}$"
)
# `>` that ends a tag or quotes a line, and relates nothing
_TAG_BEFORE = re.compile(r"(?:</?[A-Za-z]\w{0,20}\s?/?>|(?:\A|\n)[ \t]{0,9}>)\s{0,9}\Z")
_WORDS_BEFORE = re.compile(
    r"\b(?:(?P<negated>not|never|isn't|cannot\s+be|can't\s+be)(?:\s+(?:equal\s+to|just|be))?"
    r"|(?P<bound>at\s+least|at\s+most|more\s+than|less\s+than|fewer\s+than|greater\s+than"
    r"|no\s+more\s+than|no\s+less\s+than|up\s+to))[\s$*:]{1,9}$",
    re.IGNORECASE,
)
_SHARE_BEHIND = re.compile(r"[\s$*]{0,9}(?:\\?%|\^\s{0,3}\{?\s{0,3}\\circ\s{0,3}\}?|°)")
_FACTOR_BEHIND = re.compile(r"[ \t]{0,9}(\\pi(?![A-Za-z])|\\sqrt\s?\{[^{}]{1,40}\})")
_BOUND_BEHIND = re.compile(
    r"[\s$*]{0,9}(?P<bound>(?:or|and)\s+(?:more|less|fewer|greater|larger|smaller|higher|lower"
    r"|above|below|up|under|over))\b",
    re.IGNORECASE,
)
_WORDS_BEHIND = re.compile(
    r"[\s$*]{0,9}(?:\\[,;:! ]|~)*[\s$*]{0,9}"
    r"(?:\\(?:text|mathrm|textrm|mbox)\s{0,3}\{\s{0,9}(?P<dressed>[^{}\n]{1,40}?)\s{0,9}\}"
    r"(?P<power>\^\s{0,3}\{?[1-9]\}?)?"
    r"|(?P<plain>[A-Za-zµμΩ/²³^2-3]{1,20}(?![A-Za-z])))"
)
_ONE_LETTER = frozenset("mgshLl")  # a unit where it stands alone behind a box


@dataclass(frozen=True)
class Boxed:
    r"""The content of the last box, braces within it balanced; of a box in a box, the inner one.

    A reply that boxes an answer, revises it and boxes another has given the last one; two equal
    boxes are one answer, and different ones with only a comma, `and` or `or` between them are its
    parts. A last box that is never closed (a cut reply) or holds nothing is a failure: no earlier
    box is taken. Without braces a box takes a number or a command, never a letter of the next word;
    a box in braces counts before one without. A sign, a relation or a unit beside the box goes
    with its content. Options: `stop`, as for answer_line@2, but none unless declared: boxes after
    such a line are not read.
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
        boxes = [box for box in boxes if stop is None or box.start() < stop.start()]
        braced = [box for box in boxes if reply.startswith("{", box.end())]
        if not braced:
            return _unbraced(reply, boxes)
        parts: list[str] = []
        place = braced[-1]
        content = content_of_braces(reply, place.end())
        if content is None:
            return Found(None, "unclosed_box")
        if not content.strip():
            return Found(None, "empty_box")
        end = place.end() + len(content) + 2
        parts = [content.strip()]
        for box in reversed(braced[:-1]):
            part = content_of_braces(reply, box.end())
            if part is None or not _JOINS.fullmatch(
                reply, box.end() + len(part) + 2, place.start()
            ):
                break
            parts.insert(0, part.strip())
            place = box
        answer = ", ".join(dict.fromkeys(parts))
        if len(parts) == 1:
            found = _beside(reply, place.start(), end, answer)
            if found is None:
                return Found(None, "negated_box")
            answer = found
        return Found(answer, "truncated_runon" if stop else None)


def content_of_braces(text: str, start: int) -> str | None:
    """What stands in the braces at `start`; None if they are not closed."""
    depth, at = 0, start
    while at < len(text):
        sign = text[at]
        if sign == "\\":  # an escaped brace is a sign of the answer: \\{1, 2\\}
            at += 2
            continue
        depth += (sign == "{") - (sign == "}")
        if depth == 0:
            return text[start + 1 : at]
        at += 1
    return None


def _unbraced(reply: str, boxes: list[re.Match[str]]) -> Found:
    """The last box without braces that holds a number or a command."""
    for box in reversed(boxes):
        end = _bare_end(reply, box.end())
        if end is None:
            continue
        if _GOES_ON.match(reply, end) and not _PROSE.match(reply, end):
            return Found(None, "unbraced_box")  # \boxed 5x: where it ends cannot be told
        return Found(reply[box.end() : end].strip())
    return Found(None, "no_box")


def _bare_end(text: str, start: int) -> int | None:
    if number := _NUMBER.match(text, start):
        return number.end()
    command = _COMMAND.match(text, start)
    if command is None or command["name"] in _NO_ANSWER:
        return None
    at = command.end()
    for _ in range(_OPERANDS.get(command["name"], 0)):
        operand = _OPERAND.match(text, at)
        if operand is None:
            return None
        at = operand.end()
        if text[at - 1] == "{":
            inside = content_of_braces(text, at - 1)
            if inside is None:
                return None
            at += len(inside) + 1
    return at


def _beside(reply: str, start: int, end: int, content: str) -> str | None:
    """The content with a sign, a relation, a bound or a unit beside the box; None if negated."""
    before, behind = reply[max(0, start - 60) : start], reply[end : end + 80]
    if tag := _TAG_BEFORE.search(before):
        before = before[: tag.start()]
    if words := _WORDS_BEFORE.search(before):
        return None if words["negated"] else f"{words['bound'].lower()} {content}"
    if relation := _RELATION_BEFORE.search(before):
        return f"{relation[1]} {content}"
    if _SIGN_BEFORE.search(before):
        content = f"-{content}" if re.fullmatch(r"[\w.,\\{}]+", content) else f"-({content})"
    if share := _SHARE_BEHIND.match(behind):
        return content + share[0].strip("$ *\n")
    if (factor := _FACTOR_BEHIND.match(behind)) and re.fullmatch(r"[-+]?[\d.,]+", content):
        return content + factor[1]  # \boxed{2}\pi
    if bound := _BOUND_BEHIND.match(behind):
        return f"{content} {bound['bound'].lower()}"
    words = _WORDS_BEHIND.match(behind)
    if words is None or not re.fullmatch(r"[-+]?[\d.,\s/]+|.*\\[A-Za-z].*", content):
        return content
    said = words["dressed"] or words["plain"]
    if is_factor(said):
        return f"{content} {said}"
    if leading_unit(said) is None or (said in ("in", "a", "A", "day", "cup") and words["plain"]):
        return content
    if words["plain"] and len(said) == 1 and said not in _ONE_LETTER:
        return content
    return f"{content}\\text{{ {said}}}{words['power'] or ''}"
