"""`choice_letter@1` finds the option that a reply names; `choice@1` compares it with the key."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from eval_pipeline.verification.extraction import EMPTY
from eval_pipeline.verification.verdict import Found, Item, Verdict

OUTSIDE = ("failure", "wrong")
LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"


def labels_of(item: Item, declared: str = "") -> str:
    """The letters of an item's options, A first; raises ValueError where there is no saying."""
    if item.options is not None:
        count = len(item.options)
        if declared and len(declared) < count:
            raise ValueError(
                f"item {item.item_id!r} has {count} options, and labels declares {declared!r}"
            )
        return (declared or LETTERS)[:count]
    if not declared:
        raise ValueError(
            f"item {item.item_id!r} has no options: add them to items.jsonl, "
            "or declare verification.options.labels"
        )
    return declared


def chance(item: Item) -> float | None:
    """Expected credit of a guess, 1 / options; None where the item is no choice item."""
    return 1 / len(item.options) if item.options else None


@dataclass(frozen=True)
class ChoiceLetter:
    """The letter after the last answer marker, else a boxed letter, else a line that is a letter.

    A lower-case letter counts only where nothing follows it, and a capital A or I before a word
    is read as a word of the sentence ("Answer: A car"). Two letters side by side are a failure.
    Options: `labels`, the letters in order, where items carry no options; `outside`, what a letter
    that is no option of the item is: failure (the default: nothing usable was said) or wrong (the
    reply has answered, and a policy of chance gives it no credit).
    """

    labels: str = ""
    outside: str = "failure"

    def __post_init__(self) -> None:
        _check_outside(self.outside)
        if not set(self.labels) <= set(LETTERS) or len(set(self.labels)) != len(self.labels):
            raise ValueError(f"labels must be different letters A to Z, got {self.labels!r}")

    def extract(self, reply: str, item: Item) -> Found:
        if not reply.strip():
            return EMPTY
        labels = labels_of(item, self.labels)
        for pattern in _PLACES:
            for match in reversed(list(pattern.finditer(reply))):
                if found := _one_letter(match, labels, self.outside):
                    return found
        return Found(None, "no_choice")


@dataclass(frozen=True)
class Choice:
    """1 where the letter is the key's.

    The key (`answer` of the item) is a letter, or the text of exactly one option.
    Options: `labels` and `outside`, as for choice_letter@1.
    """

    labels: str = ""
    outside: str = "failure"

    def __post_init__(self) -> None:
        _check_outside(self.outside)

    def check(self, item: Item) -> None:
        self.key(item)

    def key(self, item: Item) -> str:
        """The letter of the right option; raises ValueError that names the item without one."""
        labels = labels_of(item, self.labels)
        answer = item.reference.strip()
        named = [labels[i] for i, option in enumerate(item.options or ()) if option == answer]
        if len(answer) == 1 and answer in labels:
            named.append(answer)
        if len(set(named)) != 1:
            raise ValueError(
                f"item {item.item_id!r}: its answer {answer!r} names "
                f"{'several options' if named else 'no option'} of {labels}"
            )
        return named[0]

    def verify_all(self, answers: Sequence[tuple[Item, str]], workers: int) -> list[Verdict]:
        return [self.verify(item, answer) for item, answer in answers]

    def verify(self, item: Item, answer: str) -> Verdict:
        key = self.key(item)
        if answer not in labels_of(item, self.labels):
            if self.outside == "wrong" and answer in LETTERS and len(answer) == 1:
                return Verdict.judged(0.0, answer, f"chose {answer}, no option; the key is {key}")
            return Verdict.unreadable("not_an_option", f"{answer[:200]!r} is no option", answer)
        return Verdict.judged(float(answer == key), answer, f"chose {answer}; the key is {key}")


# Every repetition is bounded: a reply of nothing but marks must cost no more than its length.
_MARK = r"[*_`$(\[{\"'“‘<]|\\(?:boxed|fbox|text|textbf|mathrm|mathbf)(?![A-Za-z])|\\[(\[]"
_OPEN = rf"(?:\s{{0,40}}+(?:{_MARK})){{0,12}}+\s{{0,40}}+"
_CLOSE = r"[*_`$)\]}\"'”’>\\]{0,12}"
_LETTER = rf"{_OPEN}(?P<letter>[A-Za-z])(?![A-Za-z])(?P<close>{_CLOSE})(?=(?P<rest>[^\n]{{0,200}}))"
_SAYS = r"(?:is|are|was|be|seems to be|would be|should be|must be|[:：=])"
_FILLER = (
    r"(?:[\s*_`]{1,20}(?i:therefore|thus|hence|clearly|probably|likely|definitely|the|option|choice"
    r"|letter)(?![A-Za-z])){0,4}+"
)
_PLACES = (
    re.compile(
        rf"(?:\b(?i:answer|choice|option)|答案)"
        rf"(?:[*_`>\])}}]{{0,6}}[ \t]{{0,20}}(?i:{_SAYS}|是|为|選|选)[*_`]{{0,6}}){{1,4}}+"
        rf"{_FILLER}{_LETTER}"
    ),
    re.compile(
        rf"\b(?i:option|choice|answer)[ \t]{{1,20}}{_LETTER}(?=\s{{1,20}}(?:is|seems|must be)"
        r"\s{1,20}(?:the\s{1,20})?(?:only\s{1,20})?(?:correct|right|best|true)\b)"
    ),
    re.compile(rf"\\f?box(?:ed)?{_LETTER}"),
    re.compile(rf"(?i:<answer>){_LETTER}"),
    re.compile(
        rf"\b(?:[Ii]|we) (?:choose|pick|select|go with)(?i:\s{{1,20}}(?:option|choice|letter))?"
        rf"{_LETTER}"
    ),
    re.compile(
        r"(?m)^[ \t*_`$(\[]{0,20}+(?P<letter>[A-Z])(?P<close>[*_`$)\]]{0,12}+)"
        r"(?P<rest>[.:)]?[ \t]{0,40})$"
    ),
    re.compile(
        r"\A[\s*_`(\[]{0,20}+(?P<letter>[A-Z])(?P<close>[*_`)\]]{0,12})(?=[.:)]|(?<=\)) )"
        r"(?P<rest>[^\n]{0,200})"
    ),
)
_MORE = re.compile(r"\s*(?:,|/|&|\bor\b|\band\b)\s*(?:\band\b|\bor\b)?\W{0,3}([A-Z])\b")
_ENDED = re.compile(r"\s*(?:[.,;:!?()\[\]*_`$-]|because\b|since\b|as\b|$)")


def _check_outside(outside: str) -> None:
    if outside not in OUTSIDE:
        raise ValueError(f"outside must be one of {OUTSIDE}, got {outside!r}")


def _one_letter(match: re.Match[str], labels: str, outside: str) -> Found | None:
    """None where the letter is a word of the sentence."""
    letter, rest, wrapped = match["letter"], match["rest"], bool(match["close"])
    also = _MORE.match(rest)
    if also and also[1] in labels and also[1] != letter.upper():
        return Found(None, "several_choices")
    if not wrapped:
        if letter.islower() and rest.strip(" \t.*)"):
            return None
        if letter in "AI" and not _ENDED.match(rest):
            return None
    letter = letter.upper()
    if letter in labels or outside == "wrong":
        return Found(letter)
    return Found(None, "not_an_option")
