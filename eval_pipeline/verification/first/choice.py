"""`choice_letter@1` finds the option that a reply names; `choice@1` compares it with the key."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from eval_pipeline.verification.first.choice_places import (
    ENDED,
    LISTED,
    MORE,
    PLACES,
    in_plain_letters,
)
from eval_pipeline.verification.first.extraction import EMPTY, stop_pattern
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

    Markers are those of several languages; brackets and letters may be full-width or circled. A
    lower-case letter counts only where nothing follows it, and a capital A or I before a word is
    read as a word of the sentence ("Answer: A car"). Two letters side by side are a failure, and
    so are lines of different letters, or a list of options at the beginning of the reply.
    Options: `labels`, the letters in order, where items carry no options; `outside`, what a letter
    that is no option of the item is: failure (the default: nothing usable was said) or wrong (the
    reply has answered, and a policy of chance gives it no credit); `stop`, as for answer_line@1.
    """

    labels: str = ""
    outside: str = "failure"
    stop: tuple[str, ...] = ("Question:", "Q:")
    _stop: re.Pattern[str] | None = field(init=False, repr=False)

    def __post_init__(self) -> None:
        _check_outside(self.outside)
        object.__setattr__(self, "_stop", stop_pattern(self.stop))
        if not set(self.labels) <= set(LETTERS) or len(set(self.labels)) != len(self.labels):
            raise ValueError(f"labels must be different letters A to Z, got {self.labels!r}")

    def extract(self, reply: str, item: Item) -> Found:
        if not reply.strip():
            return EMPTY
        labels = labels_of(item, self.labels)
        text = in_plain_letters(reply)
        for place in PLACES:
            matches = list(place.pattern.finditer(text))
            stop = self._stop.search(text, matches[0].end()) if self._stop and matches else None
            if stop:
                matches = [match for match in matches if match.start() < stop.start()]
            if place.is_alone and _are_several(matches, labels, text):
                return Found(None, "several_choices")
            for match in reversed(matches):
                if found := _one_letter(match, labels, self.outside):
                    return replace(
                        found, detail=found.detail or ("truncated_runon" if stop else None)
                    )
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


def _check_outside(outside: str) -> None:
    if outside not in OUTSIDE:
        raise ValueError(f"outside must be one of {OUTSIDE}, got {outside!r}")


def _are_several(matches: list[re.Match[str]], labels: str, text: str) -> bool:
    """Whether letters that stand alone name different options, as a list of all options does."""
    named = {match["letter"].upper() for match in matches} & set(labels)
    if len(named) > 1:
        return True
    return any(
        other[1] in labels and other[1] not in named
        for match in matches
        if match.start() == 0 and match["rest"]
        for other in LISTED.finditer(text, match.end("letter"))
    )


def _one_letter(match: re.Match[str], labels: str, outside: str) -> Found | None:
    """None where the letter is a word of the sentence."""
    letter, rest, wrapped = match["letter"], match["rest"], bool(match["close"])
    also = MORE.match(rest)
    if also and also[1] in labels and also[1] != letter.upper():
        return Found(None, "several_choices")
    if not wrapped:
        if letter.islower() and rest.strip(" \t.*)"):
            return None
        if letter in "AI" and not ENDED.match(rest):
            return None
    letter = letter.upper()
    if letter in labels or outside == "wrong":
        return Found(letter)
    return Found(None, "not_an_option")
