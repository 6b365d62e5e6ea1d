"""Where in a reply an answer may stand: places that somebody marked, and mere positions.

A place is an extraction with its options. Explicit places are ordered from what is hardest to
write by accident; weak ones by how much of a reply must be passed over. A witness is never read
for an answer: where it says otherwise than a mere position, the reply holds several candidates,
and that one of them could be read proves nothing.
"""

import re
from dataclasses import dataclass, field

from eval_pipeline.verification.choosing.reference_type import KNOWN_LABELS, ReferenceType
from eval_pipeline.verification.registry import Options

ANSWER_KEYS = ("answer", "final_answer", "result")

_NUMBER = (
    r"([-−]?\d[\d,]{0,30}(?<!,)(?:\.\d{1,30})?(?:/\d{1,30})?%?"
    r"(?:[ \t](?:hundred|thousand|million|billion|trillion)\b)?)"
)
_BECAUSE = r"(?:because|since|as|so|for|it|he|she|they|we|that|this|the)\b"
_FORMULA = r"\$([^$\n]{1,400})\$"
# where a clause ends: "no", and not "no doubt"; "yes", and not "yes is common"
_CLAUSE_ENDS = (
    r"(?=[*_\"'`)\]]{0,9}(?:[.,;:!?]|\s{0,9}\Z|[ \t]{0,9}[\n(–—-]"
    rf"|[ \t]{_BECAUSE}))"
)
# a reply that begins with its answer, and neither with a point of a list nor with a calculation
_LEADING_NUMBER = (
    rf"(?i)\A[\s*_\"'`($]{{0,9}}{_NUMBER}"
    rf"(?=[*_\"'`)$]{{0,9}}(?:[,;:!?](?!\s{{0,9}}\d)|\.?\s{{0,9}}(?:\n|\Z)|[ \t]{_BECAUSE}))"
)


@dataclass(frozen=True)
class AnswerPlace:
    """A place by its name, its extraction and options.

    explicit: whether somebody marked it. asks: how a question asks for it, where it can. witness:
    whether it only speaks against another position, and is no step.
    """

    name: str
    extraction: str
    options: Options = field(default_factory=dict)
    explicit: bool = False
    asks: re.Pattern[str] | None = None
    witness: bool = False

    @property
    def step(self) -> dict[str, Options]:
        """The place as a step of a chain."""
        return {self.extraction: self.options}


def places_of(kind: ReferenceType) -> tuple[AnswerPlace, ...]:
    """The places that answers of this type may stand at, explicit ones first."""
    if kind.kind == "choice":
        letters = {"labels": kind.options["labels"]} if "labels" in kind.options else {}
        return (*_json(), AnswerPlace("choice_letter", "choice_letter@2", letters))
    boxed = AnswerPlace("boxed", "boxed@2", explicit=True, asks=re.compile(r"\\boxed"))
    hashes = AnswerPlace(
        "hash", "answer_line@2", {"pattern": "gsm8k"}, explicit=True, asks=re.compile("####")
    )
    marker = AnswerPlace(
        "marker",
        "marker@1",
        explicit=True,
        asks=re.compile(r"<answer>|[\"'“*`](?:the )?(?:final )?answer(?: is)?:?[\"'”*`]", re.I),
    )
    if kind.kind == "closed":
        return (*_tagged(kind.labels), boxed, hashes, *_json(), marker, *_worded(kind.labels))
    explicit = (boxed, hashes, *_json(), marker)
    if kind.kind == "number":
        return (
            *explicit,
            _witness("first_number", rf"(?i)(?<![\w.,]){_NUMBER}"),
            AnswerPlace("leading_number", "answer_line@2", _first(_LEADING_NUMBER)),
            AnswerPlace("last_number", "last_number@2", dict(kind.options)),
        )
    if kind.kind == "maths":
        formula = {"pattern": _FORMULA, "occurrence": "last"}
        return (
            *explicit,
            _witness("first_formula", _FORMULA),
            _witness("first_line", r"\A\s{0,9}([^\n]{1,200})\n"),
            AnswerPlace("last_formula", "answer_line@2", formula),
            AnswerPlace("last_number", "last_number@2", {"thousands": ","}),
            AnswerPlace("short_whole", "whole_text@2"),
        )
    return (*explicit, AnswerPlace("short_whole", "whole_text@2"))


def _json() -> tuple[AnswerPlace, ...]:
    asks = re.compile(r"\bjson\b", re.I)
    return tuple(
        AnswerPlace(f"json {key}", "json_field@2", {"field": key}, explicit=True, asks=asks)
        for key in ANSWER_KEYS
    )


def _one_of(labels: tuple[str, ...]) -> str:
    return "|".join(re.escape(label) for label in sorted(labels, key=lambda one: (-len(one), one)))


def _tagged(labels: tuple[str, ...]) -> tuple[AnswerPlace, ...]:
    """A label in square brackets, as judges are asked to write it."""
    said = _one_of(labels)
    pattern = {"pattern": rf"(?i)\[{{1,2}}[ \t]?({said})[ \t]?\]{{1,2}}", "occurrence": "last"}
    asks = re.compile(rf"\[{{1,2}}(?:{said})\]{{1,2}}", re.I)
    return (AnswerPlace("tag", "answer_line@2", pattern, explicit=True, asks=asks),)


def _worded(labels: tuple[str, ...]) -> tuple[AnswerPlace, ...]:
    """A label as the first word of a reply, or as the last one that stands in it.

    Yes, no and the like are also words of sentences: the last one must end a clause.
    """
    said = _one_of(labels)
    anywhere = rf"(?i)(?<!\w)({said})(?!\w)" + (_CLAUSE_ENDS if set(labels) & KNOWN_LABELS else "")
    first = _first(rf"(?i)\A[\s*_\"'`(]{{0,9}}({said})(?!\w)")
    last = {"pattern": anywhere, "occurrence": "last"}
    return (
        _witness("first_label", anywhere),
        AnswerPlace("first_word", "answer_line@2", first),
        AnswerPlace("last_word", "answer_line@2", last),
    )


def _witness(name: str, pattern: str) -> AnswerPlace:
    """What fits first, whatever follows."""
    return AnswerPlace(name, "answer_line@2", _first(pattern), witness=True)


def _first(pattern: str) -> Options:
    return {"pattern": pattern, "occurrence": "first"}
