"""What a reply makes of an option that it has named: chosen, one of several, or taken back."""

import re
from dataclasses import dataclass
from itertools import islice

from eval_pipeline.verification.choices.options import Mention, Options
from eval_pipeline.verification.choices.words import (
    AFTER_A_TURN,
    ASKED_AND_DENIED,
    BUT,
    CALLED_RIGHT,
    DENIED_AFTER,
    ENDED_TEXT,
    HELD_AGAINST,
    IN_OTHER_SCRIPT,
    JOIN,
    NEW_CLAUSE,
    NO_CLAIM,
    NOT,
    SUPPOSED,
    TURN,
    WITHDRAWN,
    WOULD,
)

_LABEL = re.compile(r"(?<![A-Za-z0-9À-ɏ'’])[(*_`]{0,4}[A-Z](?![A-Za-z0-9À-ɏ])")
_LINE_LABEL = re.compile(r"\s{1,9}[(*_`-]{0,4}[A-Z](?![A-Za-z0-9À-ɏ])")
_JOIN_ENDS = re.compile(rf"(?:{JOIN.pattern})\s*\Z")
_SENTENCE_END = re.compile(r"[!?。！？]|\.(?=\s|\Z)|\n")
_WORDS = re.compile(r"(?:(?![A-Z])[^\W_]){1,12}(?:[\s'’-]{1,3}(?:(?![A-Z])[^\W_]){1,12}){0,2}")
_ENDS = re.compile(
    r"[*_`)\]\"'”’]{0,6}[ \t]{0,9}(?:[.,;:!?)。，；！？、]|\n|\Z|[*_`)]{1,6}(?=\s|\Z))"
)
# of a question or a heading, not of an answer
_STANDS = re.compile(r"[*_`)\]\"'”’]{0,6}\s{0,3}[?:]")
_CALLED = re.compile(r"(?<![A-Za-z0-9À-ɏ'’])[(*_`]{0,4}(?P<letter>[A-Z])(?![A-Za-z0-9À-ɏ])")
_TURNED = re.compile(
    r"(?i:but|however|no|actually|instead|rather|sondern|aber|sino|pero|mais)\W{1,3}\Z"
)
_DENIED_BEFORE = re.compile(
    r"(?<!\w)(?i:is|it['’]s|be|was|ist)(?:n['’]t|[ \t]{1,3}(?i:not|nicht|never))[ \t]{1,3}"
    r"(?i:option[ \t]{1,3})?\Z|不是[ \t]{0,3}\Z"
)
STEPS = 8  # from one option to the next that takes its place: B -> C -> D
TURNS = 40  # that are looked at after one claim
LATER = 400  # labels that are looked at after one claim
REACH = 40  # characters from a claim to a "no" that denies it


@dataclass(frozen=True)
class ChoiceClaim:
    """An option that a reply settles on, or None with the reason why it names none."""

    label: str | None
    end: int
    detail: str | None = None


def is_claimed(text: str, start: int, end: int | None = None) -> bool:
    """Whether the words before a marker, in its clause, leave it a claim: "the answer is B"."""
    is_conditional = end is not None and WOULD.search(text, start, end)
    if is_conditional and SUPPOSED.search(text, max(0, start - 130), start):
        return False
    before = NO_CLAIM.search(text, max(0, start - 60), start)
    return before is None or NEW_CLAUSE.search(before[0]) is not None


def claim_at(text: str, at: int, options: Options) -> ChoiceClaim | None:
    """What is claimed at a place where an option should be named; None where none is."""
    denied = NOT.match(text, at)
    if denied:
        first = options.mention(text, denied.end())
        instead = BUT.match(text, first.end) if first else None
        named = options.mention(text, instead.end()) if instead else None
        return _followed(text, named, options) if named else None
    named = options.mention(text, at)
    return _followed(text, named, options) if named else None


def _followed(text: str, named: Mention, options: Options) -> ChoiceClaim:
    """The claim that a mention begins, read on through the labels joined to it."""
    if not options.texts and _heads_a_list(text, named, options):
        return ChoiceClaim(None, named.end, "several_choices")
    for _ in range(STEPS):
        if named.other is not None:
            return ChoiceClaim(None, named.end, "label_and_text_differ")
        kind, other = _next(text, named, options)
        if other is None or kind == "apart":
            return ChoiceClaim(named.label, named.end)
        if kind == "joined":
            return ChoiceClaim(None, other.end, "several_choices")
        named = other
    return ChoiceClaim(None, named.end, "several_choices")


def _next(text: str, named: Mention, options: Options) -> tuple[str, Mention | None]:
    """How the next option in the sentence stands to one: joined, apart, or in its place."""
    join = JOIN.match(text, named.end)
    if join:
        other = options.mention(text, join.end())
        if other and other.label != named.label and other.label in options.labels:
            is_list = any(sign in join[0] for sign in ",;") and len(join[0].strip()) == 1
            if not DENIED_AFTER.match(text, other.end) and (
                not is_list or _ENDS.match(text, other.end) or JOIN.match(text, other.end)
            ):
                return "joined", other
            return "apart", None
    stop = _SENTENCE_END.search(text, named.end, named.end + 200)
    limit = stop.end() if stop else min(len(text), named.end + 200)
    at = named.end
    while match := _LABEL.search(text, at, limit):
        other = options.labelled(text, match.start())
        at = match.end()
        gap = text[named.end : match.start()].strip(" \t*_`()[]\"'“”.:")
        if other is None:
            if len(gap) > 40:
                return "apart", None
            continue
        if other.label == named.label or other.label not in options.labels:
            continue
        if HELD_AGAINST.search(gap) or DENIED_AFTER.match(text, other.end):
            return "apart", None
        if TURN.search(gap):
            return "instead", other
        if not gap or JOIN.fullmatch(gap) or _is_listed(text, named, other):
            return "joined", other
        is_last = _ENDS.match(text, other.end) or text.startswith(" (", other.end)
        is_joined = is_last and (_WORDS.fullmatch(gap) or _JOIN_ENDS.search(gap[-20:]))
        return ("joined" if is_joined else "apart"), other
    return "apart", None


def _is_listed(text: str, named: Mention, other: Mention) -> bool:
    """Whether two labels carry the same marks, as in "A. one B. two"."""
    marks = text[named.start + 1 : named.start + 2], text[other.start + 1 : other.start + 2]
    return marks[0] == marks[1] and marks[0] in tuple(".:)")


def _heads_a_list(text: str, named: Mention, options: Options) -> bool:
    """Whether labels with the same marks follow in the line, or begin the lines below it.

    Only this tells a list of options where their texts are not known.
    """
    line_end = text.find("\n", named.end)
    line_end = len(text) if line_end < 0 else line_end
    below = _LINE_LABEL.match(text, line_end)
    others = [*_LABEL.finditer(text, named.end, line_end), *([below] if below else ())]
    ends = [match.end() for match in others[:100]]
    listed = [Mention(text[end - 1], end - 1, end) for end in ends]
    return any(
        other.label in options.labels.replace(named.label, "") and _is_listed(text, named, other)
        for other in listed
    )


def settled(text: str, claim: ChoiceClaim, options: Options) -> ChoiceClaim:
    """The claim after all that follows it: the option that took its place, or none."""
    for _ in range(STEPS):
        denied = DENIED_AFTER.match(text, claim.end) if claim.label else None
        if denied is None:
            break
        named = _in_its_place(text, denied.end(), options)
        if named is None:
            return ChoiceClaim(None, claim.end, "withdrawn")
        claim = _followed(text, named, options)
    if claim.label is None:
        return claim
    label, at = claim.label, claim.end
    last: ChoiceClaim | None = None
    for turn in islice(TURN.finditer(text, at), TURNS):
        if turn["arrow"] or (turn["denial"] and turn.start() - (last or claim).end > REACH):
            continue
        named = _in_its_place(text, turn.end(), options)
        if named and named.label != label:
            last = _followed(text, named, options)
    taken_back = list(WITHDRAWN.finditer(text, last.end if last else at))
    asked = None if last else ASKED_AND_DENIED.match(text, at)
    if taken_back or asked:
        end = max(match.end() for match in (*taken_back, asked) if match)
        return ChoiceClaim(None, end, "withdrawn")
    if last is not None:
        return last
    return _against_later(text, claim, options)


def _in_its_place(text: str, at: int, options: Options) -> Mention | None:
    """The option named right after a turn, unless it is denied in its turn."""
    after = AFTER_A_TURN.match(text, at)
    named = options.mention(text, after.end() if after else at)
    if named is None or named.other or DENIED_AFTER.match(text, named.end):
        return None
    if _STANDS.match(text, named.end):
        return None
    goes_on = (ENDED_TEXT, IN_OTHER_SCRIPT, JOIN, CALLED_RIGHT)
    if not any(pattern.match(text, named.end) for pattern in goes_on):
        return None
    return named


def _against_later(text: str, claim: ChoiceClaim, options: Options) -> ChoiceClaim:
    """The claim, unless a later sentence calls another option right or this one wrong."""
    for match in islice(_CALLED.finditer(text, claim.end), LATER):
        label, (start, end) = match["letter"], match.span()
        if label == claim.label:
            if DENIED_AFTER.match(text, end) or _is_denied(text, start, end):
                return ChoiceClaim(None, match.end(), "withdrawn")
        elif label in options.labels and CALLED_RIGHT.match(text, match.end()):
            if not is_claimed(text, match.start()):
                continue
            if _TURNED.search(text, max(0, match.start() - 12), match.start()):
                return ChoiceClaim(label, match.end())
            return ChoiceClaim(None, match.end(), "several_choices")
    return claim


def _is_denied(text: str, start: int, end: int) -> bool:
    """Whether a sentence ends with its denial: "so it is not B."."""
    before = _DENIED_BEFORE.search(text, max(0, start - 30), start)
    return before is not None and _ENDS.match(text, end) is not None
