"""The calls that a live judge is due, each under a key of all that could change its reply.

The key covers judge, model, prompt, the messages to the letter, decoding, order and repeat; the
endpoint is no part of it. A reply kept under a key answers that call for ever, and a changed
prompt or text is another call. What is asked anew each night has the night in its key as well.
"""

import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from eval_pipeline.judging.collector import at_rest
from eval_pipeline.judging.pairs.swap import ORDERS
from eval_pipeline.judging.prompts.templates import JudgePrompt, Messages, messages_sha256

ALGORITHM = "call@1"

Decoding = Mapping[str, int | float]
Texts = Mapping[tuple[str, str], str]  # (model, item) -> the reply to judge


@dataclass(frozen=True)
class LiveJudge:
    """What shapes a judge's replies. decoding: as the chat protocol names its fields."""

    name: str
    model: str
    prompt: JudgePrompt
    decoding: Decoding

    @cached_property
    def signature(self) -> str:
        """All of it that could change a reply, as JSON."""
        prompt = (self.prompt.name, self.prompt.sha256)
        return json.dumps(
            [ALGORITHM, self.name, self.model, *prompt, sorted(self.decoding.items())]
        )


class Ask(NamedTuple):  # a tuple: a re-run makes as many as votes are kept
    """One call: its key, what it is about, and the texts that are shown."""

    key: str
    judge: LiveJudge
    subject: Mapping[str, str | int]  # the vote's, or the score's, own key columns
    question: str
    replies: tuple[str, ...]  # in the order in which they are shown

    def messages(self) -> Messages:
        return _rendered(self.judge.prompt, self.question, self.replies)


@at_rest()
def pair_asks(
    judge: LiveJudge,
    planned: Iterable[tuple[str, str, str]],
    questions: Mapping[str, str],
    texts: Texts,
    repeats: int,
    night: str | None = None,
) -> list[Ask]:
    """Each planned (item, model_a, model_b) in both orders, `repeats` times in each.

    A pair that lacks a reply is left out: there is nothing to judge. night: the date of calls
    that no reply of another night answers.
    """
    asks = []
    for item, model_a, model_b in planned:
        if (model_a, item) not in texts or (model_b, item) not in texts:
            continue
        a, b = texts[model_a, item], texts[model_b, item]
        for order, shown in zip(ORDERS, ((a, b), (b, a)), strict=True):
            subject = {"item_id": item, "model_a": model_a, "model_b": model_b, "slot_order": order}
            asks += _repeated(judge, subject, questions[item], shown, repeats, night)
    return asks


@at_rest()
def single_asks(
    judge: LiveJudge,
    checkpoint: str,
    items: Iterable[str],
    questions: Mapping[str, str],
    texts: Texts,
    repeats: int,
) -> list[Ask]:
    """Each item's reply of the checkpoint, `repeats` times; items without a reply are left out."""
    asks = []
    for item in items:
        if (checkpoint, item) in texts:
            subject = {"item_id": item, "checkpoint": checkpoint}
            shown = (texts[checkpoint, item],)
            asks += _repeated(judge, subject, questions[item], shown, repeats)
    return asks


def _repeated(
    judge: LiveJudge,
    subject: Mapping[str, str | int],
    question: str,
    replies: tuple[str, ...],
    repeats: int,
    night: str | None = None,
) -> list[Ask]:
    asked = messages_sha256(_rendered(judge.prompt, question, replies))
    order = str(subject.get("slot_order", ""))
    return [
        Ask(
            call_key(judge, asked, order, repeat, night),
            judge,
            {**subject, "repeat": repeat},
            question,
            replies,
        )
        for repeat in range(repeats)
    ]


def call_key(
    judge: LiveJudge, messages: str, order: str, repeat: int, night: str | None = None
) -> str:
    """sha256 (hex) of all that could change the reply; `messages` is their digest."""
    parts = f"{judge.signature}\n{messages}\n{order}\n{repeat}"
    if night is not None:
        parts += f"\n{night}"
    return hashlib.sha256(parts.encode()).hexdigest()


def _rendered(prompt: JudgePrompt, question: str, replies: tuple[str, ...]) -> Messages:
    if len(replies) == 1:
        return prompt.single(question, replies[0])
    return prompt.pair(question, replies[0], replies[1])
