"""Sets of replies made with a planted answer: where it stands, what befalls it, in two habits.

The truth of a reply is what its writer means: the answer that was planted, or none where the
place is broken or absent.
"""

import json
import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from eval_pipeline.verification.choosing.reading import Reply
from eval_pipeline.verification.choosing.reference_type import Asked
from eval_pipeline.verification.verdict import Item

TERSE, WORDY = "finch", "wren"  # an answer and no more; work before it, emphasis and fences
ACCURACY = {TERSE: 0.6, WORDY: 0.75}
FATES = ("alone", "chatter", "revised", "broken", "absent 1 %", "absent 10 %", "absent 50 %")
BROKEN = 0.2  # of the replies, where the fate is `broken`


@dataclass(frozen=True)
class Planted:
    """A reply and what its writer means by it: None for no answer."""

    reply: Reply
    meant: str | None


@dataclass(frozen=True)
class MadeSet:
    """One set: the items as they were put, and the replies of both models."""

    kind: str
    place: str
    fate: str
    asked: tuple[Asked, ...]
    planted: tuple[Planted, ...]

    @property
    def is_marked(self) -> bool:
        """Whether the place is one that somebody marks."""
        return self.place in _CUT

    def __str__(self) -> str:
        return f"{self.kind}, {self.place}, {self.fate}"


_NAMES = [
    f"{given} {family}"
    for given in ("Orla", "Tamsin", "Idris", "Wendel", "Mirela", "Petrus", "Salka", "Ossian")
    for family in ("Vane", "Harrow", "Quist", "Lindqvist", "Abara", "Teodoru", "Marsh")
]


def _number(rng: random.Random) -> str:
    return str(rng.randint(20, 9_000))


def _formula(rng: random.Random) -> str:
    a, b = rng.choice((29, 31, 37, 41, 43, 47, 53, 59)), rng.randint(2, 9)
    return rng.choice(
        [rf"\frac{{{a}}}{{{2 * b + 1}}}", rf"{a}\sqrt{{{b}}}", f"{b}x+{a}", f"x^{b}-{a}"]
    )


ANSWERS: dict[str, Callable[[random.Random], str]] = {
    "number": _number,
    "letter": lambda rng: rng.choice("ABCD"),
    "closed": lambda rng: rng.choice(["yes", "no"]),
    "maths": _formula,
    "text": lambda rng: rng.choice(_NAMES),
}

# a place -> the answer as it stands there
MARKED: dict[str, Callable[[str], str]] = {
    "boxed": lambda x: rf"So it is $\boxed{{{x}}}$.",
    "hash": lambda x: f"#### {x}",
    "json": lambda x: json.dumps({"thought": "as asked", "answer": x}),
    "xml": lambda x: f"<answer>{x}</answer>",
    "marker": lambda x: f"The answer is {x}.",
    "heading": lambda x: f"**Final answer:** {x}",
}
TAG = {"tag": lambda x: f"[[{x}]]"}
WEAK: dict[str, dict[str, Callable[[str], str]]] = {
    "number": {
        "last_number": lambda x: f"That makes {x}.",
        "first_number": lambda x: f"{x}, since that is what remains.",
    },
    "letter": {
        "letter_alone": lambda x: f"{x}",
        "letter_first": lambda x: f"{x}. This one fits best.",
    },
    "closed": {
        "first_word": lambda x: f"{x.capitalize()}, that follows.",
        "last_word": lambda x: f"Taken together I say {x}.",
    },
    "maths": {
        "last_formula": lambda x: f"That makes ${x}$.",
        "short_formula": lambda x: x,
    },
    "text": {"short_whole": lambda x: x},
}
_CUT: dict[str, Callable[[str], str]] = {  # the reply ends here, with half of the answer at most
    "boxed": lambda x: rf"So it is $\boxed{{{x}",
    "hash": lambda x: "####",
    "json": lambda x: f'{{"thought": "as asked", "answer": "{x}',
    "xml": lambda x: "<answer>",
    "marker": lambda x: "The answer is",
    "heading": lambda x: "**Final answer:**",
    "tag": lambda x: f"[[{x}",
}

_WORK = {
    "number": ["First 12 + 7 = 19, then 3 of them go.", "Each of the 4 holds 15, as 60 / 4 = 15."],
    "letter": ["Option B is too small, as 3 < 5.", "Neither A nor D fits the second sentence."],
    "closed": ["The text says so in line 3.", "There is no other reading, and yes is common."],
    "maths": ["Take $x = 3$ at first.", "From $a^2 = 16$ we get $a = 4$ here."],
    "text": ["Two of them are named in 1998.", "The register names Orla Vane on page 3."],
}
_CHATTER = {
    "number": ["I checked it in 3 ways, which took 12 minutes.", "About 95 of 100 would agree."],
    "letter": ["Option A looked close too.", "If you ask me about C, I can say more."],
    "closed": ["There is no doubt here.", "Ask again if yes or no is too short for you."],
    "maths": ["I checked it with $x = 3$.", "It holds for 12 values, e.g. $y = 7$."],
    "text": ["I looked at 3 sources of 1998.", "Petrus Marsh is meant by some, wrongly."],
}
_NOTHING = {
    "number": ["I am not able to work this out.", "There are 3 cases and I cannot go on."],
    "letter": ["I cannot choose here.", "Both A and D could be meant, I cannot tell."],
    "closed": ["There is no way to tell.", "I cannot say."],
    "maths": ["I am not able to solve this.", "With $x = 3$ it fails, and I cannot go on."],
    "text": ["I am not able to say who it was.", "It may be in the register of 1998."],
}


def places(kind: str) -> dict[str, Callable[[str], str]]:
    """All places that answers of the kind are planted at."""
    return {**MARKED, **(TAG if kind == "closed" else {}), **WEAK[kind]}


def made_set(kind: str, place: str, fate: str, n_items: int = 100, seed: int = 7) -> MadeSet:
    """The set of a kind, a place and a fate; the same for the same seed."""
    rng = random.Random(f"{kind} {place} {fate} {seed}")
    asked, planted = [], []
    for number in range(n_items):
        right = ANSWERS[kind](rng)
        name, question = f"q{number:03d}", f"Question {number} of the sheet: what holds?"
        asked.append(Asked(name, question, (right,)))
        for model in (TERSE, WORDY):
            said = right if rng.random() < ACCURACY[model] else _another(kind, right, rng)
            text, meant = _reply(kind, place, fate, model, said, rng)
            planted.append(Planted(Reply(Item(name, question, right), model, text), meant))
    return MadeSet(kind, place, fate, tuple(asked), tuple(planted))


def made_sets() -> Iterator[tuple[str, str, str]]:
    """Every kind, place and fate; a mere position cannot be broken."""
    for kind in ANSWERS:
        for place in places(kind):
            for fate in FATES:
                if fate != "broken" or place in _CUT:
                    yield kind, place, fate


def _another(kind: str, answer: str, rng: random.Random) -> str:
    while (other := ANSWERS[kind](rng)) == answer:
        pass
    return other


def _reply(
    kind: str, place: str, fate: str, model: str, said: str, rng: random.Random
) -> tuple[str, str | None]:
    """The text of a reply, and what is meant."""
    write = places(kind)[place]
    work = rng.choice(_WORK[kind])
    parts = [] if model == TERSE or place in ("short_whole", "short_formula") else [work]
    first = place.startswith(("first", "letter_first", "letter_alone"))
    if fate.startswith("absent") and rng.random() < float(fate.split()[1]) / 100:
        return " ".join([*parts, rng.choice(_NOTHING[kind])]), None
    if fate == "broken" and rng.random() < BROKEN:
        return "\n".join([*parts, _CUT[place](said[: len(said) // 2])]), None
    here = write(said)
    if model == WORDY and place == "json":
        here = f"```json\n{here}\n```"
    if model == WORDY and place in ("marker", "letter_alone") and "$" not in here:
        here = here.replace(said, f"**{said}**")
    if fate == "revised":
        before = write(_another(kind, said, rng))
        here = f"{before}\nWait, that is not right: a term was left out.\n{here}"
    if fate == "chatter":
        parts = [here, *parts] if first else [*parts, here]
        return "\n".join([*parts, rng.choice(_CHATTER[kind])]), said
    return "\n".join([here, *parts] if first else [*parts, here]), said
