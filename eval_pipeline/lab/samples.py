"""Draws of the lab's checkpoints, and the chances that they are drawn with."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from eval_pipeline.lab import functions, words
from eval_pipeline.lab.chance import logistic, weighted
from eval_pipeline.lab.confidences import stated_confidence
from eval_pipeline.lab.files import Line
from eval_pipeline.lab.functions import Function
from eval_pipeline.lab.planted import (
    DIFFICULTY,
    FUNCTION_SD,
    ITEM_SD,
    MEMORY,
    RETRIED,
    STORY_SD,
    Checkpoint,
)
from eval_pipeline.lab.words import WordProblem
from eval_pipeline.statistics.randomness import generator

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Sampled:
    """The rows of one checkpoint on one benchmark, and what they were drawn with.

    rows: as they are written, attempts in order. right: each item's chance that a scored draw
    (one that the failure policy does not exclude) is right, shape (items,). answered: the same of
    a draw that was answered.
    """

    rows: list[Line]
    right: Floats
    answered: Floats


def word_difficulties(asked: Sequence[WordProblem], seed: int) -> Floats:
    """Difficulty of each problem in logits: its class, its story, itself; shape (items,)."""
    rng = generator(seed, "lab", "word difficulties")
    stories = sorted({problem.template_id for problem in asked})
    of_story = dict(zip(stories, rng.normal(0.0, STORY_SD, len(stories)), strict=True))
    own = rng.normal(0.0, ITEM_SD, len(asked))
    return np.array(
        [
            DIFFICULTY[problem.difficulty] + of_story[problem.template_id] + noise
            for problem, noise in zip(asked, own, strict=True)
        ]
    )


def word_samples(
    checkpoint: Checkpoint,
    asked: Sequence[WordProblem],
    difficulties: Floats,
    leaked: Collection[str],
    draws: int,
    seed: int,
) -> Sampled:
    """All draws of a checkpoint on the word problems."""
    rng = generator(seed, "lab", "word samples", checkpoint.name)
    rates = checkpoint.failures
    scored = 1.0 - rates.infra_error  # the policy excludes these draws
    able = (scored - rates.parser_failure - rates.model_refusal - rates.timeout) / scored
    rows: list[Line] = []
    remembered = [checkpoint.remembers_leaks and one.item_id in leaked for one in asked]
    skill = checkpoint.words + np.where(remembered, MEMORY, 0.0)
    answered = np.array([logistic(x) for x in skill - difficulties])
    stated = stated_confidence(answered, checkpoint.boldness)
    for i, problem in enumerate(asked):
        for draw in range(draws):
            kind = weighted(rates.chances, "answered", rng)
            row = {"item_id": problem.item_id, "draw": draw}
            row |= _word_reply(problem, kind, float(answered[i]), checkpoint.thinks, rng)
            if kind == "answered":
                row["confidence"] = float(stated[i])
            row |= _cost(problem.question, row, rng)
            rows += _attempts(row, kind, rng)
    return Sampled(rows, able * answered, answered)


def code_difficulties(n_functions: int, seed: int) -> Floats:
    """Difficulty of each function in logits, shape (items,)."""
    return generator(seed, "lab", "code difficulties").normal(0.0, FUNCTION_SD, n_functions)


def code_samples(
    checkpoint: Checkpoint,
    asked: Sequence[tuple[str, Function]],
    difficulties: Floats,
    draws: int,
    seed: int,
) -> Sampled:
    """All draws of a checkpoint on the functions, given as (item_id, function)."""
    rng = generator(seed, "lab", "code samples", checkpoint.name)
    rates = checkpoint.code_failures.chances
    able = 1.0 - sum(rates.values())
    rows: list[Line] = []
    answered = np.array([logistic(x) for x in checkpoint.code - difficulties])
    for (item_id, function), chance in zip(asked, answered, strict=True):
        for draw in range(draws):
            kind = weighted(rates, "right" if rng.random() < chance else "wrong", rng)
            row: Line = {"item_id": item_id, "draw": draw}
            row |= {"text": functions.reply(function, kind, rng), "finish_reason": "stop"}
            rows.append(row | _cost(function.prompt, row, rng))
    return Sampled(rows, able * answered, answered)


def _word_reply(
    problem: WordProblem, kind: str, chance: float, thinks: str, rng: np.random.Generator
) -> Line:
    """Text and status of one draw; `kind` is a failure or `answered`."""
    if kind == "infra_error":
        return {"text": "", "status": kind, "detail": "connection lost"}
    if kind == "model_refusal":
        stated = {"status": kind} if rng.random() < 0.5 else {}  # the others must be recognised
        return {"text": words.refusal(rng), "finish_reason": "stop", **stated}
    if kind == "parser_failure":
        return {"text": words.unreadable_reply(problem, rng), "finish_reason": "stop"}
    is_right = rng.random() < chance
    reasoning, answer = (words.right_reply if is_right else words.wrong_reply)(problem, rng)
    if kind == "timeout":
        cut = int(rng.integers(10, len(reasoning)))
        return {"text": reasoning[:cut], "status": kind, "detail": "over the time limit"}
    if thinks == "aside":
        return {"text": answer, "reasoning": reasoning, "finish_reason": "stop"}
    if thinks == "tagged":
        return {"text": f"<think>{reasoning}</think>\n{answer}", "finish_reason": "stop"}
    return {"text": f"{reasoning} {answer}", "finish_reason": "stop"}


def _attempts(row: Line, kind: str, rng: np.random.Generator) -> list[Line]:
    """The row alone, or after a first attempt that the machinery lost."""
    if rng.random() >= RETRIED or kind == "infra_error":
        return [row]
    lost = {"item_id": row["item_id"], "draw": row["draw"], "text": "", "attempt": 1}
    return [lost | {"status": "infra_error", "detail": "connection lost"}, row | {"attempt": 2}]


def _cost(question: str, row: Line, rng: np.random.Generator) -> Line:
    """Tokens and time of a call: a token is about four characters."""
    out = (len(str(row["text"])) + len(str(row.get("reasoning", "")))) // 4
    pace = float(rng.uniform(7.0, 11.0))
    return {
        "tokens_in": len(question) // 4 + 12,
        "tokens_out": out,
        "latency_ms": round(120 + pace * out),
    }
