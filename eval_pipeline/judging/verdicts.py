"""What a judge's reply says, and what two orders say together.

A reply is untrusted text: the answers shown to the judge may carry markers of their own, and a
judge may name both sides on its way to a verdict. So one rule holds for every form of marker.
Reasoning aloud is no verdict, and a marker that is not the judge's own (`own_words`) is none. Of
the others: all name one label: that label. Different ones: the one on the last non-empty line,
and where that line names several, the last of them if it alone is announced as the verdict; else
the reply is `judge_unknown`. Nothing that cannot be read ever becomes a tie.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, NamedTuple

from eval_pipeline.judging.reading.aloud import said_aloud
from eval_pipeline.judging.reading.deciding import decided
from eval_pipeline.judging.reading.json_values import TWICE, Held, objects_with
from eval_pipeline.judging.reading.own_words import SpokenReply, VerdictMarker
from eval_pipeline.judging.reading.spelling import folded, plain

UNKNOWN: Literal["judge_unknown"] = "judge_unknown"
READER = "verdict@2"  # goes up where a reply is read as another verdict than before


class Verdict(NamedTuple):  # a tuple: a re-run reads as many as votes are kept
    """A verdict as read: its label, or why there is none, and what a reader should know.

    detail: empty, unclosed_reasoning, no_marker, unknown_label, two_verdicts, or why no marker is
    the judge's own: quoted, negated, in_question.
    """

    label: str | None
    status: Literal["ok", "judge_unknown"]
    detail: str | None = None
    flags: tuple[str, ...] = ()  # several_verdicts, marker_in_candidate, quoted, json_repaired


@dataclass(frozen=True)
class VerdictForm:
    """How a prompt asks for the verdict: a marker whose group holds it, and the labels it may be.

    A form of JSON names the key instead; `number` takes any number within its ends. means: what
    each label stands for, where two labels may say one thing. lines: each marker is a whole line.
    """

    labels: tuple[str, ...] = ()
    marker: str | None = None
    key: str | None = None
    number: tuple[float, float] | None = None
    means: tuple[str, ...] = ()
    lines: bool = False

    @cached_property
    def by_plain(self) -> dict[str, str]:
        """Each label by the form in which labels are compared."""
        return {plain(label): label for label in reversed(self.labels)}

    @cached_property
    def meanings(self) -> Mapping[str, str]:
        """What a label in its plain form stands for."""
        means = self.means or tuple(map(plain, self.labels))
        return {plain(label): mean for label, mean in zip(self.labels, means, strict=True)}

    def meaning(self, label: str) -> str:
        """What a plain label stands for; one that was not asked for, itself."""
        return self.meanings.get(label, label)


# The whole word is taken: `1.5`, `1/2`, `1|2`, `1, 2` and `1 or 2` are no verdict for 1.
VERDICT_LINE = VerdictForm(
    ("1", "2", "TIE"),
    r"(?i)\bverdict\s{0,8}:\s{0,8}[*\"'(\[]{0,8}([\w<>=]++(?:[-.,:/|&+~–]++[\w<>=]+)*"
    r"(?:[ \t*_\"')\]]*(?:[,/|&]|\bor\b|\band\b)[ \t*_\"'(\[]*(?:[12]|tie)\b)*)",
)
DOUBLE_BRACKETS = r"\[[ \t]?\[([^\[\]]*+)\][ \t]?\]"
BRACKETS = VerdictForm(("A", "B", "C"), DOUBLE_BRACKETS)
GRADED_BRACKETS = VerdictForm(("A>>B", "A>B", "A=B", "B>A", "B>>A"), DOUBLE_BRACKETS)


def bracket_form(means: Mapping[str, str]) -> VerdictForm:
    """`[[label]]` with labels of one's own; means: what each stands for."""
    return VerdictForm(tuple(means), DOUBLE_BRACKETS, means=tuple(means.values()))


def json_form(key: str, *labels: str, means: Sequence[str] = ()) -> VerdictForm:
    """An object whose `key` holds the label."""
    return VerdictForm(labels, key=key, means=tuple(means))


def choice_form(*labels: str, means: Sequence[str] = ()) -> VerdictForm:
    """A line that holds nothing but the label, or `Grade: label` and its like.

    A label inside a sentence is no verdict: `not correct` and `INCORRECT` both hold `correct`.
    """
    words = "|".join(sorted(map(re.escape, labels), key=len, reverse=True))
    named = (
        r"(?:(?:(?:my|the)\s)?(?:(?:final|overall)\s)?(?:grade|verdict|answer|choice|rating"
        r"|decision|judge?ment|preference|winner|label)[^\w\n]{0,4}(?:[:=]|\bis\b)[^\w\n]*+)?"
    )
    marker = rf"(?im)^[^\w\n]*+{named}({words})(?!\w)[^\w\n]*+$"
    return VerdictForm(labels, marker, means=tuple(means), lines=True)


_OPENING = (  # `Yes, it does.` as the first or last line, unless the line says it a second time
    r"(?:\A[^\w\n]*+|^[^\w\n]*+(?=[^\n]*+\s{0,40}+\Z))(yes|no)(?=[ \t*_\"']*+[,.:;!—–])"
    r"(?![^\n]{0,2000}\b(?:yes|no)\s{0,4}[,.:;!?—–\n])"
)
YES_NO = VerdictForm(("yes", "no"), f"{choice_form('yes', 'no').marker}|{_OPENING}", lines=True)


def score_form(low: float, high: float) -> VerdictForm:
    """`<score>7</score>` with a number within low..high."""
    return VerdictForm(marker=r"(?i)<score>([^<]*+)</score>", number=(low, high))


def parse_verdict(
    text: str, form: VerdictForm = VERDICT_LINE, shown: Sequence[str] = ()
) -> Verdict:
    """The verdict in a judge's reply.

    shown: the candidate texts that the judge saw; a marker that stands in one of them is flagged,
    and counts only where it is plainly the judge's own. Raises ValueError for a reply that is no
    text.
    """
    if not isinstance(text, str):
        raise ValueError(f"a reply must be a text, got {text!r}")
    if (said := said_aloud(text)) is None:
        return Verdict(None, UNKNOWN, "unclosed_reasoning")
    if not said.strip():
        return Verdict(None, UNKNOWN, "empty")
    if form.key is None:
        said = folded(said)
    there = frozenset().union(*(_labels_in(one, form) for one in shown))
    markers, repaired = _markers(said, form, there, shown)
    if not markers:
        return Verdict(None, UNKNOWN, "no_marker")
    place, detail, flags = decided(SpokenReply(said, shown), markers, bool(there), form.meaning)
    if repaired:
        flags += ("json_repaired",)
    if place is None:
        return Verdict(None, UNKNOWN, detail, flags)
    label = markers[place].label
    if label == AMBIGUOUS:
        return Verdict(None, UNKNOWN, "two_verdicts", flags)
    known = _known(label, form)
    if known is None:
        return Verdict(None, UNKNOWN, "unknown_label", flags)
    return Verdict(known, "ok", None, flags)


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

AMBIGUOUS = "\0"  # stands for the label of an object that says two things

# Names under which an object may say its verdict a second time.
_ALSO = frozenset(
    [
        "verdict",
        "final_verdict",
        "label",
        "winner",
        "choice",
        "preferred",
        "preference",
        "decision",
        "judgment",
        "judgement",
        "better",
        "best",
        "better_reply",
        "preferred_reply",
        "better_response",
        "preferred_response",
        "selection",
        "vote",
        "pick",
        "selected",
    ]
)
_SEAT = re.compile(
    r"(?:REPLY|RESPONSE|ANSWER|ASSISTANT|OUTPUT|CANDIDATE|MODEL|OPTION|NOTE|TEXT)[ _-]?(\w{1,8})"
)
_NUMBERS = re.compile(r"[\d\s.,;:+-]*+")


def _markers(
    text: str, form: VerdictForm, there: frozenset[str], shown: Sequence[str]
) -> tuple[list[VerdictMarker], bool]:
    """Every marker of the text, and whether JSON had to be repaired.

    there: labels whose markers stand in the shown texts.
    """
    if form.key is not None:
        found, repaired = objects_with(text, form.key)
        return [_of_object(one, text, form, there, shown) for one in found], repaired
    if form.marker is None:
        raise ValueError("a form needs a marker or a key")
    markers = [
        VerdictMarker(label, found.start(), found.end(), label in there, form.lines)
        for found in re.finditer(form.marker, text)
        for label in [_label(_held(found), form)]
    ]
    if any(label.isdigit() for label in form.labels) or form.number is not None:
        return markers, False
    verdicts = [one for one in markers if not _NUMBERS.fullmatch(one.label)]  # not [[1, 2]]
    return verdicts or markers, False


def _of_object(
    held: Held, text: str, form: VerdictForm, there: frozenset[str], shown: Sequence[str]
) -> VerdictMarker:
    label = _label_of(held, form)
    written = text[held.start : held.closes]
    echoed = label in there and (len(held.entries) == 1 or any(written in one for one in shown))
    return VerdictMarker(label, held.start, held.closes, echoed, whole=True)


def _label_of(held: Held, form: VerdictForm) -> str:
    """What an object says under the form's key; AMBIGUOUS where it says something else as well."""
    key = form.key or ""
    value = held.entries[key]
    if value is TWICE:
        return AMBIGUOUS
    label = _label(str(value), form)
    said = form.meaning(label)
    for name, other in held.entries.items():
        also = name.casefold()
        if name == key or not (also in _ALSO or also == key.casefold()):
            continue
        if other is TWICE:
            return AMBIGUOUS
        told = _label(str(other), form)
        if (seat := _SEAT.fullmatch(told)) is not None:
            told = seat[1]
        if told in form.meanings and form.meaning(told) != said:
            return AMBIGUOUS
    return label


def _labels_in(text: str, form: VerdictForm) -> frozenset[str]:
    """The labels whose markers a candidate's text holds."""
    if form.key is not None:
        if f'"{form.key}"' not in text and "\\" not in text:  # as most do
            return frozenset()
        return frozenset(_label_of(one, form) for one in objects_with(text, form.key)[0])
    found = re.finditer(form.marker or "", folded(text))
    return frozenset(_label(_held(one), form) for one in found)


def _held(found: re.Match[str]) -> str:
    return found[found.lastindex or 0]


def _label(written: str, form: VerdictForm) -> str:
    return written.strip() if form.number is not None else plain(written)


def _known(label: str, form: VerdictForm) -> str | None:
    """The label as the form writes it, None where the form lacks it."""
    if form.number is None:
        return form.by_plain.get(label)
    if not re.fullmatch(r"[+-]?\d{1,20}+(?:\.\d{1,20}+)?", label, re.ASCII):
        return None
    low, high = form.number
    return label if low <= float(label) <= high else None
