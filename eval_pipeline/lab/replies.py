"""Prompts that ask for help, and brief or thorough replies to them."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from eval_pipeline.lab.advice import CLOSINGS, GENERAL, OPENERS, TOPICS, Topic
from eval_pipeline.lab.chance import pick
from eval_pipeline.lab.planted import Checkpoint
from eval_pipeline.statistics.randomness import generator

BRIEF = (35, 95)  # wanted length of a brief reply, tokens, half-open
THOROUGH = (235, 310)
CHARACTERS_PER_TOKEN = 4


@dataclass(frozen=True)
class HelpPrompt:
    """A request for help; replies to it draw on its topic's tips."""

    item_id: str
    topic: Topic
    subject: str
    text: str


def prompts() -> list[HelpPrompt]:
    """Every question of every topic about each of its subjects, subjects turning fastest."""
    asked = [
        (topic, subject, question)
        for topic in TOPICS
        for question in topic.questions
        for subject in topic.subjects
    ]
    return [
        HelpPrompt(f"hr-{n:03d}", topic, subject, question.format(subject=subject))
        for n, (topic, subject, question) in enumerate(asked)
    ]


def replies(checkpoint: Checkpoint, asked: list[HelpPrompt], seed: int) -> list[str]:
    """One reply to every prompt, thorough with the checkpoint's chance, else brief."""
    rng = generator(seed, "lab", "helpful replies", checkpoint.name)
    thorough = rng.random(len(asked)) < checkpoint.thorough
    return [
        _reply(prompt, int(rng.integers(*(THOROUGH if long else BRIEF))), rng)
        for prompt, long in zip(asked, thorough, strict=True)
    ]


def tokens(texts: list[str]) -> NDArray[np.float64]:
    """Length of each text in tokens, of four characters each; shape (texts,)."""
    return np.array([len(text) for text in texts]) / CHARACTERS_PER_TOKEN


def _reply(prompt: HelpPrompt, wanted: int, rng: np.random.Generator) -> str:
    """Sentences until the wanted number of tokens is reached, none twice."""
    sentences = [pick(OPENERS, rng).format(subject=prompt.subject)]
    tips = [*prompt.topic.tips, *GENERAL]
    left = [tips[i] for i in rng.permutation(len(tips))]
    while left and sum(map(len, sentences)) < wanted * CHARACTERS_PER_TOKEN:
        sentences.append(left.pop())
    return " ".join([*sentences, pick(CLOSINGS, rng)])
