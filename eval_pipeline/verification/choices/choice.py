"""`choice_letter@2` finds the option that a reply names; `choice@2` compares it with the key."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from eval_pipeline.reply_text import without_turn_tokens
from eval_pipeline.verification.choices.options import options_of
from eval_pipeline.verification.choices.plain_letters import in_plain_letters, unmarked
from eval_pipeline.verification.choices.reading import chosen
from eval_pipeline.verification.extractions.stop_words import stop_pattern
from eval_pipeline.verification.verdict import EMPTY, Found, Item, Verdict

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
    """The option after the last answer marker, else a boxed one, else a line that is an option.

    An option is named by its label, by its text, or by both; markers are those of several
    languages; brackets and letters may be full-width or circled. No letter is read in another way
    than the rest: one before an ordinary word is a word of the sentence ("Answer: A car") and no
    label. Several options, a label with the text of another, and an option that is taken back
    ("B? No.") are failures; one that is named in its place is the answer ("B? No, C.").
    Options: `labels`, the letters in order, where items carry no options; `outside`, what a letter
    that is no option of the item is: failure (the default: nothing usable was said) or wrong (the
    reply has answered, and a policy of chance gives it no credit); `stop`, as for answer_line@2.
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
        options = options_of(labels_of(item, self.labels), item.options or ())
        text = unmarked(in_plain_letters(without_turn_tokens(reply))).strip()
        stop = self._run_on(text, item)
        claim = chosen(text[:stop], options)
        if claim.label is None:
            return Found(None, claim.detail)
        if claim.label not in options.labels and self.outside == "failure":
            return Found(None, "not_an_option")
        return Found(claim.label, "truncated_runon" if stop < len(text) else None)

    def _run_on(self, text: str, item: Item) -> int:
        """Where a question of the model's own begins, not the item's at its head; else the end."""
        said, question = 0, " ".join(item.question.split())[:40]
        for match in self._stop.finditer(text) if self._stop else ():
            before = text[said : match.start()].rstrip()
            asked = " ".join(text[match.end() : match.end() + 200].split())
            is_restated = bool(question) and asked.startswith(question)
            is_announced = before.endswith(":") and len(before.split()) > 2
            if before and not is_announced and not is_restated:
                return match.start()
            said = match.end() if before else said
        return len(text)


@dataclass(frozen=True)
class Choice:
    """1 where the letter is the key's.

    The key (`answer` of the item) is a letter, or the text of exactly one option.
    Options: `labels` and `outside`, as for choice_letter@2.
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
