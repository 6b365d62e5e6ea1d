"""What a judge's reply says, and what two orders say together.

A reply is untrusted text: the answers shown to the judge may carry markers of their own, and a
judge may name both sides on its way to a verdict. So one rule holds for every form of marker. All
markers that name one label: that label. Different ones: the last on the last non-empty line, and
without one there the reply is `judge_unknown`. Nothing that cannot be read ever becomes a tie.
"""

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, NamedTuple

import orjson

UNKNOWN: Literal["judge_unknown"] = "judge_unknown"


class Verdict(NamedTuple):  # a tuple: a re-run reads as many as votes are kept
    """A verdict as read: its label, or why there is none, and what a reader should know."""

    label: str | None
    status: Literal["ok", "judge_unknown"]
    detail: str | None = None  # empty, no_marker, unknown_label or two_verdicts
    flags: tuple[str, ...] = ()  # several_verdicts, marker_in_candidate, json_repaired


@dataclass(frozen=True)
class Form:
    """How a prompt asks for the verdict: a marker with one group, and the labels it may hold.

    A form of JSON names the key instead; `number` takes any number within its ends.
    """

    labels: tuple[str, ...] = ()
    marker: str | None = None
    key: str | None = None
    number: tuple[float, float] | None = None

    @cached_property
    def by_plain(self) -> dict[str, str]:
        """Each label by the form in which labels are compared."""
        return {_plain(label): label for label in reversed(self.labels)}


# The whole word is taken: `1.5`, `1/2`, `1|2`, `1, 2` and `1 or 2` are no verdict for 1.
VERDICT_LINE = Form(
    ("1", "2", "TIE"),
    r"(?i)\bverdict\s*:\s*[*\"'(\[]*([\w<>=]+(?:[-.,:/|&+~–]+[\w<>=]+)*"
    r"(?:[ \t*_\"')\]]*(?:[,/|&]|\bor\b|\band\b)[ \t*_\"'(\[]*(?:[12]|tie)\b)*)",
)
BRACKETS = Form(("A", "B", "C"), r"\[\[([^\[\]]*)\]\]")
GRADED_BRACKETS = Form(("A>>B", "A>B", "A=B", "B>A", "B>>A"), r"\[\[([^\[\]]*)\]\]")


def json_form(key: str, *labels: str) -> Form:
    """An object whose `key` holds the label."""
    return Form(labels, key=key)


def choice_form(*labels: str) -> Form:
    """A line that holds nothing but the label, or `Grade: label` and its like.

    A label inside a sentence is no verdict: `not correct` and `INCORRECT` both hold `correct`.
    """
    words = "|".join(sorted(map(re.escape, labels), key=len, reverse=True))
    named = r"(?:(?:final\s+)?(?:grade|verdict|answer|choice|rating)\s*[:=]\s*)?"
    return Form(labels, rf"(?im)^[^\w\n]*{named}[^\w\n]*({words})[^\w\n]*$")


def score_form(low: float, high: float) -> Form:
    """`<score>7</score>` with a number within low..high."""
    return Form(marker=r"(?i)<score>\s*([^<]*?)\s*</score>", number=(low, high))


def parse_verdict(text: str, form: Form = VERDICT_LINE, shown: Sequence[str] = ()) -> Verdict:
    """The verdict in a judge's reply.

    shown: the candidate texts that the judge saw; a marker that stands in one of them is flagged,
    as the judge may have quoted it. Raises ValueError for a reply that is no text.
    """
    if not isinstance(text, str):
        raise ValueError(f"a reply must be a text, got {text!r}")
    if not text.strip():
        return Verdict(None, UNKNOWN, "empty")
    found, repaired = _labels(text, form)
    if not found:
        return Verdict(None, UNKNOWN, "no_marker")
    flags = []
    several = len(found) > 1 and len({label for label, _ in found}) > 1
    if several:
        flags.append("several_verdicts")
    if any(_may_hold(one, form) and _labels(one, form)[0] for one in shown):
        flags.append("marker_in_candidate")
    if repaired:
        flags.append("json_repaired")
    label = _deciding(found, text) if several else found[0][0]
    if label is None:
        return Verdict(None, UNKNOWN, "two_verdicts", tuple(flags))
    known = _known(label, form)
    if known is None:
        return Verdict(None, UNKNOWN, "unknown_label", tuple(flags))
    return Verdict(known, "ok", None, tuple(flags))


def parse_score(text: str, low: float, high: float, shown: Sequence[str] = ()) -> Verdict:
    """A score from low to high; the label is the number as written, for `float`."""
    return parse_verdict(text, score_form(low, high), shown)


def normalize_swapped_judgment(first: str, swapped: str) -> str:
    """What two slot labels say together: A, B, tie, inconsistent or error.

    first: the slot that won with A shown first: A, B, tie or error. swapped: the slot that won
    with the replies swapped, so that its A is our B.
    Raises ValueError for any other label.
    """
    for label in (first, swapped):
        if label not in SLOT_LABELS:
            raise ValueError(f"slot label {label!r} is unknown: use one of {list(SLOT_LABELS)}")
    if "error" in (first, swapped):
        return "error"
    return first if first == _SWAP[swapped] else "inconsistent"


SLOT_LABELS = ("A", "B", "tie", "error")
_SWAP = {"A": "B", "B": "A", "tie": "tie"}


def _labels(text: str, form: Form) -> tuple[list[tuple[str, int]], bool]:
    """Every marker's label with the place of its end, and whether JSON had to be repaired."""
    if form.key is not None:
        found, repaired = json_values(text, form.key)
        return [(_plain(str(value)), end) for value, end in found], repaired
    if form.marker is None:
        raise ValueError("a form needs a marker or a key")
    return [(_plain(m.group(1)), m.end()) for m in re.finditer(form.marker, text)], False


def _may_hold(text: str, form: Form) -> bool:
    """False where the text cannot hold a marker, at a glance: most candidates hold none."""
    return form.key is None or f'"{form.key}"' in text or "\\" in text


def _plain(label: str) -> str:
    return label.strip().upper()


def _deciding(found: list[tuple[str, int]], text: str) -> str | None:
    """Which of different labels counts: None where they stand before the last non-empty line."""
    label, end = found[-1]
    return label if end > last_line_start(text) else None


def last_line_start(text: str) -> int:
    """Where the last non-empty line begins: a marker counts that ends after it."""
    return text.rstrip().rfind("\n") + 1


def _known(label: str, form: Form) -> str | None:
    """The label as the form writes it, None where the form lacks it."""
    if form.number is None:
        return form.by_plain.get(label)
    if not re.fullmatch(r"[+-]?\d+(\.\d+)?", label, re.ASCII):
        return None
    low, high = form.number
    return label if low <= float(label) <= high else None


def json_values(text: str, key: str) -> tuple[list[tuple[object, int]], bool]:
    """Values under `key` in the objects of the text, an ill-formed or cut one included.

    Each with the place of its end; then whether what holds one had to be repaired. What follows
    a cut object may lie inside it, so it is not read.
    """
    if f'"{key}"' not in text and "\\" not in text:  # no escape can spell it either
        return [], False
    at = text.find("{")
    if at >= 0 and (value := _only_value(text[at:], text, key)) is not _NONE:
        return [(value, len(text))], False
    found: list[tuple[object, int]] = []
    repaired = False
    while at >= 0:
        entries, end, closed = _object(text, at)
        mine = [(value, place) for name, value, place in entries if name == key]
        found += mine
        repaired |= bool(mine) and not (closed and _well_formed(text[at:end]))
        if not closed and text.startswith('"', _skip(text, at + 1)):
            break
        at = text.find("{", end)
    return found, repaired


_NONE = object()


def _only_value(tail: str, text: str, key: str) -> object:
    """The value of a reply that ends in one well-formed object with the key once, as most do.

    Else _NONE, and the careful reader decides. An escape could spell the key a second time.
    """
    if text.count(f'"{key}"') != 1 or "\\u" in text:
        return _NONE
    try:
        said = orjson.loads(tail)
    except orjson.JSONDecodeError:
        return _NONE
    value = said.get(key, _NONE) if isinstance(said, dict) else _NONE
    return _NONE if isinstance(value, dict) else value  # it may hold a name twice


def _well_formed(text: str) -> bool:
    try:
        json.loads(text, parse_int=_whole)
    except json.JSONDecodeError:
        return False
    return True


TWICE = object()  # the value of a name that an object gives two different values


def _whole(digits: str) -> int | float:
    """A number of more digits than any count has is no whole one, and int() refuses the longest."""
    return int(digits) if len(digits) <= MOST_DIGITS else float(digits)


def _unambiguous(entries: list[tuple[str, object]]) -> dict[str, object]:
    """An object as a mapping, in which the last of two values does not simply win."""
    found: dict[str, object] = {}
    for name, value in entries:
        found[name] = TWICE if name in found and found[name] != value else value
    return found


MOST_DIGITS = 20
_DECODER = json.JSONDecoder(
    parse_int=_whole,
    object_pairs_hook=_unambiguous,
    strict=False,  # raw line breaks inside strings are common slips
)


def _object(text: str, at: int) -> tuple[list[tuple[str, object, int]], int, bool]:
    """The object that opens at `at`, as far as it can be read: entries, end, whether it closes.

    Each entry is (name, value, place after it).
    """
    entries: list[tuple[str, object, int]] = []
    at = _skip(text, at + 1)
    while text.startswith('"', at):
        try:
            name, after = _DECODER.raw_decode(text, at)
            colon = _skip(text, after)
            if not text.startswith(":", colon):
                break
            value, after = _DECODER.raw_decode(text, _skip(text, colon + 1))
        except (json.JSONDecodeError, RecursionError):  # cut, or nested to exhaust us
            break
        at = _skip(text, after)
        if at == len(text) and type(value) in (int, float):  # 1 may be what is left of 10
            break
        entries.append((name, value, after))
        if text.startswith("}", at):
            return entries, at + 1, True
        if not text.startswith(",", at):
            break
        at = _skip(text, at + 1)
    return entries, at, False


def _skip(text: str, at: int) -> int:
    while at < len(text) and text[at].isspace():
        at += 1
    return at
