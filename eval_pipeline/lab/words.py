"""Word problems from stories, and replies that reason their way to a right or a wrong number."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from eval_pipeline.lab.chance import pick
from eval_pipeline.lab.stories import NAMES, STORIES
from eval_pipeline.statistics.randomness import generator

DIFFICULTIES = ("easy", "medium", "hard")
# Half-open ranges of the numbers, by difficulty: sums and differences; numbers of groups; group
# sizes and shares.
AMOUNT = {"easy": (6, 25), "medium": (25, 120), "hard": (120, 900)}
COUNT = {"easy": (3, 10), "medium": (8, 20), "hard": (15, 40)}
SMALL = {"easy": (2, 7), "medium": (5, 12), "hard": (9, 20)}

APPLY: dict[str, Callable[[int, int], int]] = {
    "+": lambda x, y: x + y,
    "-": lambda x, y: x - y,
    "*": lambda x, y: x * y,
    "/": lambda x, y: x // y,
}
MOST_TRIES = 100_000  # draws of numbers before a story is given up
MISTAKEN = {"+": "-", "-": "+", "*": "+", "/": "-"}  # the operation that a hasty reader takes


@dataclass(frozen=True)
class WordProblem:
    """A word problem with one whole number as its answer: (a first b) second c."""

    item_id: str
    template_id: str
    operation: str
    difficulty: str
    question: str
    counted: str
    steps: str
    numbers: tuple[int, int, int]

    @property
    def halfway(self) -> int:
        a, b, _ = self.numbers
        return APPLY[self.steps[0]](a, b)

    @property
    def answer(self) -> int:
        return APPLY[self.steps[1]](self.halfway, self.numbers[2])


def problems(seed: int, per_story: int) -> list[WordProblem]:
    """`per_story` tellings of every story, difficulties in turn.

    Each telling has its own people, thing and numbers: those of a story share its frame, no more.
    """
    most = min(len(story.things) for story in STORIES) - 1
    if not 1 <= per_story <= most:
        raise ValueError(f"per_story={per_story}: the stories have things for 1 to {most}")
    told = [problem for place in range(len(STORIES)) for problem in _told(place, seed)[:per_story]]
    return [replace(problem, item_id=f"aw-{n:04d}") for n, problem in enumerate(told)]


def unpublished(seed: int) -> list[WordProblem]:
    """The last telling of every story, which `problems` leaves out."""
    return [_told(place, seed)[-1] for place in range(len(STORIES))]


def right_reply(problem: WordProblem, rng: np.random.Generator) -> tuple[str, str]:
    """Reasoning and last sentence of a reply that ends in the answer."""
    return _reply(problem, problem.halfway, problem.answer, rng)


def wrong_reply(problem: WordProblem, rng: np.random.Generator) -> tuple[str, str]:
    """Reasoning and last sentence of a reply that ends in another number than the answer.

    The mistakes are those of pupils: stopping halfway, the wrong operation, a slip.
    """
    halfway, answer = pick(list(_mistakes(problem, rng)), rng)
    return _reply(problem, halfway, answer, rng)


def unreadable_reply(problem: WordProblem, rng: np.random.Generator) -> str:
    """A reply that talks about the question and never gives a number."""
    return pick(UNREADABLE, rng).format(counted=problem.counted)


def refusal(rng: np.random.Generator) -> str:
    """A reply that declines."""
    return pick(REFUSALS, rng)


UNREADABLE = (
    "This can be read in different ways, so the number of {counted} stays open.",
    "Let me think about the {counted} again. They come, they go, and then they are counted.",
    "We would have to add and take away with care here, and the {counted} follow from that.",
    "The {counted} can be found by working through the story from start to end.",
)
REFUSALS = (
    "I am not able to answer this question.",
    "Sorry, I cannot help with that.",
    "I can't assist with this request.",
)
OPENINGS = (
    "Let us go step by step.",
    "I work through the story in order.",
    "We need the number of {counted}.",
    "Start with what is known.",
    "Take the story apart.",
)
FIRST_STEPS = ("At first", "To begin with", "The story starts with", "Working that out:")
SECOND_STEPS = ("After that", "Then", "From there", "Next,", "And so")
CLOSINGS = (
    "The answer is {answer}.",
    "So the answer is {answer} {counted}.",
    "That makes {answer} {counted}.",
    "Answer: {answer}",
    "Hence **{answer}** {counted}.",
)


def _told(place: int, seed: int) -> list[WordProblem]:
    """The story at this place, once for each of its things."""
    story, template_id = STORIES[place], f"t{place:02d}"
    rng = generator(seed, "lab", "word problems", template_id)
    cast = rng.permutation(NAMES).tolist()
    used: list[tuple[int, int, int]] = []
    told: list[WordProblem] = []
    for telling, thing in enumerate(story.things):
        last = telling == len(story.things) - 1
        difficulty = "hard" if last else DIFFICULTIES[telling % len(DIFFICULTIES)]
        numbers = _numbers(story.steps, difficulty, used, rng)
        used.append(numbers)
        slots = dict(zip("abc", numbers, strict=True))
        people = {"name": cast[2 * telling], "other": cast[2 * telling + 1]}
        told.append(
            WordProblem(
                item_id=f"{template_id}-{telling}",
                template_id=template_id,
                operation=story.operation,
                difficulty=difficulty,
                question=story.text.format(thing=thing, **people, **slots),
                counted=story.counted.format(thing=thing),
                steps=story.steps,
                numbers=numbers,
            )
        )
    return told


def _numbers(
    steps: str,
    difficulty: str,
    used: Sequence[tuple[int, int, int]],
    rng: np.random.Generator,
) -> tuple[int, int, int]:
    """Numbers by which both steps stay whole and above one, and no given number is the answer.

    None stands in the place that it had in one of the used triples.
    """
    first, second = steps[0], steps[1]
    for _ in range(MOST_TRIES):
        b = _within(SMALL if first in "*/" else AMOUNT, difficulty, rng)
        c = _within(SMALL if second in "*/" else AMOUNT, difficulty, rng)
        if first == "*":
            a = _within(COUNT, difficulty, rng)
        elif first == "/":
            a = b * _within(AMOUNT, difficulty, rng)
        else:
            a = _within(AMOUNT, difficulty, rng) + (b if first == "-" else 0)
        halfway = APPLY[first](a, b)
        answer = APPLY[second](halfway, c)
        whole = second != "/" or halfway % c == 0
        new = all(x != y for other in used for x, y in zip((a, b, c), other, strict=True))
        if whole and new and answer > 1 and answer not in (a, b, c, halfway):
            return a, b, c
    raise ValueError(f"no {difficulty} numbers are left for {steps!r}: widen their ranges")


def _within(ranges: dict[str, tuple[int, int]], difficulty: str, rng: np.random.Generator) -> int:
    low, high = ranges[difficulty]
    return int(rng.integers(low, high))


def _mistakes(problem: WordProblem, rng: np.random.Generator) -> Iterator[tuple[int, int]]:
    """(halfway, answer) pairs as plausible mistakes leave them, all wrong and all positive."""
    a, b, c = problem.numbers
    first, second = problem.steps[0], problem.steps[1]
    halfway, answer = problem.halfway, problem.answer
    slip = int(pick((-10, -2, -1, 1, 2, 10), rng))
    tried = (
        (halfway, halfway),  # stops after the first step
        (halfway, APPLY[MISTAKEN[second]](halfway, c)),
        (APPLY[MISTAKEN[first]](a, b), APPLY[second](APPLY[MISTAKEN[first]](a, b), c)),
        (halfway, answer + slip),
        (halfway + slip, APPLY[second](halfway + slip, c)),
    )
    for mistaken, result in tried:
        if mistaken > 0 and result > 0 and result != answer:
            yield mistaken, result
    yield halfway, answer + 3  # one that always is there


def _reply(
    problem: WordProblem, halfway: int, answer: int, rng: np.random.Generator
) -> tuple[str, str]:
    a, b, c = problem.numbers
    first, second = problem.steps[0], problem.steps[1]
    counted = problem.counted
    reasoning = (
        f"{pick(OPENINGS, rng).format(counted=counted)} "
        f"{pick(FIRST_STEPS, rng)} {a} {first} {b} = {halfway}."
    )
    if answer != halfway:
        reasoning += f" {pick(SECOND_STEPS, rng)} {halfway} {second} {c} = {answer}."
    shown = f"{answer:,}" if rng.random() < 0.5 else str(answer)
    return reasoning, pick(CLOSINGS, rng).format(answer=shown, counted=counted)
