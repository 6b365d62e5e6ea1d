"""A benchmark whose leaks are known: items, documents, and which document holds which item.

Clean and leaked items come from one generator (Markov chains of order 2 over installed
documentation, chains of characters for Chinese), so nothing but the planting tells them apart.
Some share an instruction, and some documents carry the instruction alone.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np

from eval_pipeline.contamination.near_duplicates.banding import CORPORA
from eval_pipeline.contamination.near_duplicates.pairs import near_duplicates
from eval_pipeline.contamination.text.normalise import text_words
from eval_pipeline.contamination.validation.planting import MECHANISMS, Hosts
from eval_pipeline_tests.benchmarks.installed_texts import varied_documents

PLANTED: Mapping[str, int] = {
    "verbatim": 300,
    "splice": 300,
    "edit_5": 300,
    "edit_15": 200,
    "format": 150,
    "short": 100,
    "cjk": 60,
    "template": 100,
}
CLEAN: Mapping[str, int] = {"plain": 1200, "template": 300, "cjk": 60}
INSTRUCTION_DOCUMENTS = 300
HOSTS = 3000
HOST_CHARACTERS = 2500
INSTRUCTION = (
    "Read the following question carefully, think about it step by step, and give the final "
    "answer on a line of its own after the word Answer. Question: "
)
COPIED = 2  # steps in a row that a chain may be forced to: more would quote a document
SENTENCE = (14, 60)  # words of an item
SHORT = (6, 11)
CHARACTERS = (25, 60)  # of an item in Chinese


@dataclass(frozen=True)
class Suite:
    """texts: of each item; kind: how it leaked, or `clean`; documents: with the items they hold."""

    texts: Sequence[str]
    kinds: Sequence[str]
    documents: Sequence[str]
    holds: Sequence[int]  # place of the item that a document was planted with, or -1


def suite(seed: int) -> Suite:
    """One planted benchmark and its corpus."""
    rng = np.random.default_rng([20260202, seed])
    order = rng.permutation(len(_documents())).tolist()
    hosts = [_documents()[i][:HOST_CHARACTERS] for i in sorted(order[:HOSTS])]
    # items are made of other documents than those that hide them: a chain repeats what it saw
    words = _Chain([_prose(_documents()[i]) for i in sorted(order[HOSTS:])], 2)
    characters = _Chain(_chinese(rng), 1)
    chinese = ["".join(characters.draw(400, rng)) for _ in range(200)]
    makers: dict[str, Callable[[], str]] = {
        "plain": lambda: " ".join(words.draw(int(rng.integers(*SENTENCE)), rng)),
        "short": lambda: " ".join(words.draw(int(rng.integers(*SHORT)), rng)),
        "cjk": lambda: "".join(characters.draw(int(rng.integers(*CHARACTERS)), rng)),
    }
    makers["template"] = lambda: INSTRUCTION + makers["plain"]()
    texts, kinds, planted, holds = [], [], [], []
    english, other = Hosts.of(hosts), Hosts.of(chinese)
    for kind, count in PLANTED.items():
        for _ in range(count):
            text = makers.get(kind, makers["plain"])()
            holds.append(len(texts))
            texts.append(text)
            kinds.append(kind)
            planted.append(_planted(kind, text, other if kind == "cjk" else english, rng))
    for kind, count in CLEAN.items():
        texts += [makers[kind]() for _ in range(count)]
        kinds += ["clean"] * count
    bare = [english.around(INSTRUCTION, rng) for _ in range(INSTRUCTION_DOCUMENTS)]
    alone = [*hosts, *chinese, *bare]
    return Suite(texts, kinds, [*planted, *alone], [*holds, *[-1] * len(alone)])


def _planted(kind: str, text: str, hosts: Hosts, rng: np.random.Generator) -> str:
    if kind == "template":
        return hosts.around(text.removeprefix(INSTRUCTION), rng)  # leaks lose their instruction
    return MECHANISMS[kind if kind in MECHANISMS else "verbatim"](text, hosts, rng)


@cache
def _documents() -> list[str]:
    """Installed documents of many families, each nearly the same text once."""
    texts = [_without_markup(text) for text in varied_documents(300)]
    texts = [text for text in texts if len(text.split()) > 50]
    firsts = near_duplicates(texts, banding=CORPORA, kind="one").clusters(len(texts))
    return [text for i, text in enumerate(texts) if firsts[i] == i]


def _without_markup(text: str) -> str:
    """The text of a manual page: its lines of commands are no text of anybody's."""
    lines = text.split("\n")
    return "\n".join(line for line in lines if not line.startswith((".", "'", "\\")))


def _prose(text: str) -> list[str]:
    """The parts between white space that are one word each: no address, path or table cell."""
    return [part for part in text.split() if len(text_words(part)) == 1]


def _chinese(rng: np.random.Generator) -> list[list[str]]:
    """Sequences of Han characters in which each is followed by few others, as in a language."""
    after = rng.integers(0, 1200, (1200, 25))
    weights = 1.0 / np.arange(1, 26)
    weights /= weights.sum()
    lines = []
    for _ in range(400):
        at = int(rng.integers(1200))
        line = []
        for _ in range(200):
            line.append(chr(0x4E00 + at))
            at = int(after[at, rng.choice(25, p=weights)])
        lines.append(line)
    return lines


class _Chain:
    """What may follow what, as seen in some texts."""

    def __init__(self, texts: Sequence[Sequence[str]], order: int) -> None:
        self._order = order
        self._follows: dict[tuple[str, ...], list[str]] = {}
        for text in texts:
            for i in range(len(text) - order):
                state = tuple(text[i : i + order])
                self._follows.setdefault(state, []).append(text[i + order])
        self._states = list(self._follows)

    def draw(self, count: int, rng: np.random.Generator) -> list[str]:
        """So many words; a chain that ends, or merely repeats one text, goes on elsewhere."""
        words: list[str] = []
        while len(words) < count:
            state = self._states[int(rng.integers(len(self._states)))]
            words += state
            forced = 0
            while len(words) < count and (choices := self._follows.get(state)):
                forced = forced + 1 if len(set(choices)) == 1 else 0
                if forced > COPIED:
                    break
                words.append(choices[int(rng.integers(len(choices)))])
                state = tuple(words[-self._order :])
        return words[:count]
