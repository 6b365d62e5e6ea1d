"""Answers about an image, held against several human ones.

Two numbers go by the name of VQA accuracy, and they differ: for 2 matches of 10 the simple one is
0.667 and the official one 0.600. They are kept apart. Answers are compared under a named policy,
which belongs to the contract.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from eval_pipeline.metrics.inputs import Floats, counts, same_length, whole

Rule = Literal["simple", "official"]

ENOUGH = 3  # human matches that make an answer fully right
ANNOTATORS = 10  # of the published data sets

_NUMBER_WORDS = {
    word: str(number)
    for number, word in enumerate(
        ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
    )
} | {"none": "0"}
_ARTICLES = {"a", "an", "the"}
# Only those that are no other word without the apostrophe: "were" and "well" stay as they are.
_WITH_APOSTROPHE = """
    ain't aren't can't could've couldn't didn't doesn't don't hadn't hasn't haven't he'd he's
    how'd how's i'm i've isn't it'd it'll let's ma'am might've must've mustn't needn't
    o'clock should've shouldn't that's there's they'd they'll they're they've wasn't weren't
    we've what'll what's when's where'd where's who'd who's who've why's won't would've
    wouldn't y'all you'd you'll you're you've
"""
_CONTRACTIONS = {word.replace("'", ""): word for word in _WITH_APOSTROPHE.split()}
_DIGIT_COMMA = re.compile(r"(?<=\d),(?=\d)")
_LOOSE_POINT = re.compile(r"(?<!\d)\.|\.(?!\d)")
_PUNCTUATION = re.compile(r"[;/\[\]\"{}()=+\\_\-<>@`,?!:]")


def vqa_v1(text: str) -> str:
    """Lower case; no punctuation or articles; number words to ten as digits; known contractions.

    A point between digits stays, a comma between digits goes. An answer of nothing but articles
    (the letter A) stays as it is. Applied to every answer, also where all humans agree.
    After: Antol et al. 2015, arXiv:1505.00468, and the evaluation that goes with its data.
    """
    plain = _LOOSE_POINT.sub(" ", _DIGIT_COMMA.sub("", text.casefold().replace("’", "'")))
    words = [_NUMBER_WORDS.get(word, word) for word in _PUNCTUATION.sub(" ", plain).split()]
    kept = [word for word in words if word not in _ARTICLES] or words
    return " ".join(_CONTRACTIONS.get(word, word) for word in kept)


POLICIES: Mapping[str, Callable[[str], str]] = {"vqa@1": vqa_v1, "verbatim@1": str}


def vqa_simple(matches: ArrayLike) -> Floats:
    """min(matches / 3, 1): credit of answers that so many humans gave, shape (answers,).

    Raises ValueError that names the first entry that is no count.
    Source: Antol et al. 2015, arXiv:1505.00468, section 5.
    """
    return np.minimum(counts(matches, "matches") / ENOUGH, 1.0)


def vqa_official(matches: ArrayLike, annotators: int | ArrayLike = ANNOTATORS) -> Floats:
    """Mean of min(matches / 3, 1) over the ways to leave one human out, shape (answers,).

    Humans are left out by place: leaving out one of the m who agree leaves m - 1, and there are
    m such ways; by value, all equal answers would vanish together.
    Raises ValueError for fewer than two annotators and for more matches than annotators.
    Source: the evaluation published with the VQA data, visualqa.org/evaluation.
    """
    m = counts(matches, "matches")
    n = counts(np.broadcast_to(np.asarray(annotators), m.shape), "annotators")
    if (bad := np.flatnonzero(n < 2)).size:
        raise ValueError(
            f"answer {bad[0]}: leaving one out needs two annotators, got {n[bad[0]]:g}"
        )
    if (bad := np.flatnonzero(m > n)).size:
        i = bad[0]
        raise ValueError(f"answer {i}: {m[i]:g} matches of {n[i]:g} annotators are impossible")
    without = np.minimum(np.maximum(m - 1, 0) / ENOUGH, 1.0)
    return (m * without + (n - m) * np.minimum(m / ENOUGH, 1.0)) / n


def vqa_scores(
    answers: Sequence[str],
    human_answers: Sequence[Sequence[str]],
    rule: Rule = "official",
    policy: str = "vqa@1",
) -> Floats:
    """Credit of each answer, in [0, 1], shape (samples,); the metric is their mean.

    human_answers: one list a sample. Raises ValueError that names the sample whose answers are
    missing or no text, and for an unknown rule or policy.
    """
    if rule not in ("simple", "official"):
        raise ValueError(f"unknown VQA rule {rule!r}: simple or official")
    if policy not in POLICIES:
        raise ValueError(f"unknown policy of answers {policy!r}: known are {', '.join(POLICIES)}")
    whole(same_length(answers=answers, human_answers=human_answers), "samples", 1)
    normal = cache(POLICIES[policy])  # most human answers occur again and again
    matches, annotators = [], []
    for i, (answer, humans) in enumerate(zip(answers, human_answers, strict=True)):
        if isinstance(humans, str) or not humans:
            raise ValueError(f"sample {i}: human_answers must be a list of at least one text")
        for text in (answer, *humans):
            if not isinstance(text, str):
                raise ValueError(f"sample {i}: an answer must be text, got {text!r:.60}")
        said = normal(answer)
        matches.append(sum(normal(human) == said for human in humans))
        annotators.append(len(humans))
    return vqa_simple(matches) if rule == "simple" else vqa_official(matches, annotators)
