"""A small training corpus of our own text, with leaks planted in it."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from eval_pipeline.lab.chance import pick
from eval_pipeline.lab.planted import HARD_NEGATIVES, LEAKS, PLAIN_DOCUMENTS
from eval_pipeline.lab.stories import NAMES
from eval_pipeline.lab.words import WordProblem, unpublished
from eval_pipeline.statistics.randomness import generator

SENTENCES = (
    "{name} opened the {place} early because {weather}.",
    "By the {place} stood a {adjective} {object}, and nobody knew whose it was.",
    "In {season} the {place} smells of {smell} and wet wood.",
    "The children had left a {adjective} {object} on the bench near the {place}.",
    "{name} says that {weather}, and {name} is seldom wrong about such things.",
    "We moved the {object} into the {place}, where it stays dry all through {season}.",
    "There was {smell} in the air and a {adjective} light over the {place}.",
    "Last {season} {name} mended the {object} with a bit of wire and much patience.",
    "It is said that a {adjective} {object} brings luck to a {place}.",
    "{name} and {other} swept the {place} and sang the long song about the {object}.",
    "When {weather}, the door of the {place} stayed shut and we drank tea.",
    "The newspaper wrote about our {place} and called it {adjective}.",
    "Nobody in the {place} minded that the {object} was {adjective}.",
    "{other} carried the {object} home, thinking of {smell}.",
    "After the fair the {place} was quiet, as it is in {season}.",
    "A {adjective} dog slept under the {object} while {weather}.",
    "{name} keeps notes on every {object} that passes through the {place}.",
    "Our teacher asked for a drawing of the {place}, with the {object} in the middle.",
)
WORDS = {
    "place": ("nursery", "boathouse", "reading room", "greenhouse", "old mill", "schoolyard",
              "workshop", "tram stop", "meadow", "bakery", "music hall", "ferry landing"),
    "object": ("ladder", "lantern", "wheelbarrow", "clock", "piano", "kite", "weather vane",
               "rowing boat", "loom", "globe", "kettle", "swing"),
    "adjective": ("crooked", "bright blue", "patient", "half-finished", "polished", "sleepy",
                  "borrowed", "narrow", "cheerful", "dusty", "well-known", "hand-painted"),
    "weather": ("rain was on its way", "the fog would not lift", "the wind had turned",
                "it had snowed in the night", "the sun stood low", "thunder rolled over the hill",
                "the frost came early", "the air was still"),
    "season": ("spring", "summer", "autumn", "winter"),
    "smell": ("apples", "fresh paint", "smoke", "thyme", "chalk", "warm bread", "seaweed", "resin"),
}  # fmt: skip
BEFORE_PUZZLE = (
    "From the homework sheet:",
    "One of the puzzles that we liked best this week:",
    "Somebody pinned this to the board:",
    "A question for the evening:",
)
SWAPPED = {
    "how": "so how", "many": "many whole", "the": "that", "and": "and so", "in": "inside",
    "of": "from", "is": "was", "then": "later", "with": "and with", "each": "every",
    "all": "all the", "from": "out of", "to": "over to", "a": "some", "has": "owns",
    "on": "upon", "by": "near",
}  # fmt: skip


@dataclass(frozen=True)
class PlantedDocument:
    """A document, and what was planted in it: `plain`, a kind of leak, or `hard_negative`.

    item_id: the item that leaked; of a hard negative, an item of the same story.
    """

    name: str
    text: str
    planted: str
    item_id: str | None = None


def leaked_items(asked: Sequence[WordProblem], seed: int) -> dict[str, str]:
    """Which items leak and how: item_id to kind of leak, in the order of the items."""
    rng = generator(seed, "lab", "leaked items")
    kinds = [kind for kind, count in LEAKS.items() for _ in range(count)]
    chosen = rng.choice(len(asked), len(kinds), replace=False)
    return {asked[i].item_id: kind for i, kind in sorted(zip(chosen, kinds, strict=True))}


def documents(
    asked: Sequence[WordProblem], leaks: dict[str, str], seed: int
) -> list[PlantedDocument]:
    """Plain documents, leaks and hard negatives, shuffled and numbered."""
    rng = generator(seed, "lab", "corpus")
    by_id = {problem.item_id: problem for problem in asked}
    made: list[tuple[str, str | None, str]] = [
        ("plain", None, plain_text(rng)) for _ in range(PLAIN_DOCUMENTS)
    ]
    for item_id, kind in leaks.items():
        question = leaked_text(by_id[item_id].question, kind, rng)
        made.append((kind, item_id, _around(question, rng)))
    for item_id, question in _hard_negatives(asked, seed, rng):
        made.append(("hard_negative", item_id, _around(question, rng)))
    return [
        PlantedDocument(f"nw-{n:04d}", text, planted, item_id)
        for n, (planted, item_id, text) in enumerate(made[i] for i in rng.permutation(len(made)))
    ]


def plain_text(rng: np.random.Generator) -> str:
    """A page of sentences that no item shares."""
    chosen = rng.choice(len(SENTENCES), int(rng.integers(6, 12)), replace=False)
    return " ".join(_sentence(SENTENCES[i], rng) for i in chosen)


def leaked_text(question: str, kind: str, rng: np.random.Generator) -> str:
    """The question as it stands in a leaking document.

    verbatim: as it is. format: other case, marks, spacing and line breaks, every word kept.
    light_edit: two words are swapped for others.
    """
    if kind == "verbatim":
        return question
    words = question.split()
    if kind == "format":
        return _reformatted(words, rng)
    if kind == "light_edit":
        places = [i for i, word in enumerate(words) if word.lower() in SWAPPED]
        for i in rng.choice(places, 2, replace=False):
            words[i] = SWAPPED[words[i].lower()]
        return " ".join(words)
    raise ValueError(f"leak {kind!r} is unknown: use one of {sorted(LEAKS)}")


def _hard_negatives(
    asked: Sequence[WordProblem], seed: int, rng: np.random.Generator
) -> list[tuple[str, str]]:
    """Problems that no benchmark holds, told in its stories: (item of the same story, text)."""
    first = {problem.template_id: problem.item_id for problem in reversed(asked)}
    others = unpublished(seed)
    chosen = rng.choice(len(others), HARD_NEGATIVES, replace=False)
    return [(first[others[i].template_id], others[i].question) for i in chosen]


def _around(question: str, rng: np.random.Generator) -> str:
    """The question in the middle of a page."""
    return f"{plain_text(rng)}\n\n{pick(BEFORE_PUZZLE, rng)} {question}\n\n{plain_text(rng)}"


def _reformatted(words: list[str], rng: np.random.Generator) -> str:
    style = pick(("shouted", "marked", "broken"), rng)
    if style == "shouted":
        return "  ".join(words).upper()
    if style == "marked":
        return " ".join(re.sub(r"(\d+)", r"**\1**", word) for word in words).replace(". ", ".\n> ")
    return "\n".join(" ".join(words[i : i + 6]) for i in range(0, len(words), 6)) + " !"


def _sentence(template: str, rng: np.random.Generator) -> str:
    name, other = (NAMES[i] for i in rng.choice(len(NAMES), 2, replace=False))
    filled = template.format(
        name=name, other=other, **{slot: pick(words, rng) for slot, words in WORDS.items()}
    )
    return filled[0].upper() + filled[1:]
