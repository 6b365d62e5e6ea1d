"""Leaks that we plant ourselves, each by a mechanism that real corpora show."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from eval_pipeline.contamination.text.normalise import UNSPACED

HOST_WORDS = 60  # of a host's text before, and as many after, a leak
LONG_WORDS = 1000  # of the host of an embedded leak
SPLICE = (0.55, 0.85)  # share of an item's words that a splice keeps, in one run
FULL_WIDTH = {i: i + 0xFEE0 for i in range(0x21, 0x7F)}
LINE = 6  # words
LINE_OF_SCRIPT = 20  # characters, where each is a word

Plant = Callable[[str, "Hosts", np.random.Generator], str]


@dataclass(frozen=True)
class Hosts:
    """Clean text to hide leaks in: documents, each with at least one word."""

    texts: tuple[str, ...]

    @classmethod
    def of(cls, texts: Sequence[str]) -> "Hosts":
        return cls(tuple(text for text in texts if text.split()))

    def words(self, count: int, rng: np.random.Generator) -> str:
        """A run of so many words of one document, or all of it where it is shorter."""
        if not self.texts:
            return ""
        words = self.texts[int(rng.integers(len(self.texts)))].split()
        start = int(rng.integers(max(1, len(words) - count + 1)))
        return " ".join(words[start : start + count])

    def around(self, text: str, rng: np.random.Generator) -> str:
        """The text as a paragraph between two runs of host words."""
        before, after = self.words(HOST_WORDS, rng), self.words(HOST_WORDS, rng)
        return f"{before}\n\n{text}\n\n{after}"


def verbatim(text: str, hosts: Hosts, rng: np.random.Generator) -> str:
    """The item as it is, a paragraph of its own."""
    return hosts.around(text, rng)


def splice(text: str, hosts: Hosts, rng: np.random.Generator) -> str:
    """A run of 55 to 85 % of the item's words."""
    words = units(text)
    kept = max(1, round(float(rng.uniform(*SPLICE)) * len(words)))
    start = int(rng.integers(len(words) - kept + 1))
    return hosts.around("".join(words[start : start + kept]).strip(), rng)


def edited(share: float) -> Plant:
    """The mechanism that changes a share of the item's words, at least one.

    A third each is replaced by a word of a host, left out, or followed by a word of a host; where
    a character is a word, by the first character of one.
    """

    def plant(text: str, hosts: Hosts, rng: np.random.Generator) -> str:
        words = units(text)
        count = max(1, round(share * len(words)))
        for i in rng.choice(len(words), min(count, len(words)), replace=False):
            other = hosts.words(1, rng) or "other"
            other = other[0] if _OF_SCRIPT.match(words[i]) else f"{other} "
            words[i] = (other, "", f"{words[i].rstrip()} {other}")[int(rng.integers(3))]
        return hosts.around("".join(words).strip() or text, rng)

    return plant


def formatted(text: str, hosts: Hosts, rng: np.random.Generator) -> str:
    """The same words in another dress: case, white space, quotes, markdown, or full width."""
    words = text.split()
    ways: tuple[Callable[[], str], ...] = (
        text.upper,
        lambda: "\n".join(" ".join(words[i : i + 7]) for i in range(0, len(words), 7)),
        lambda: "\u00a0 ".join(words).replace("'", "’"),
        lambda: "> **" + "** _".join(words[:2]) + "_ " + " ".join(f"*{w}*" for w in words[2:]),
        lambda: text.translate(FULL_WIDTH),
    )
    return hosts.around(ways[int(rng.integers(len(ways)))](), rng)


def embedded(text: str, hosts: Hosts, rng: np.random.Generator) -> str:
    """The item inside a sentence in the middle of a long document."""
    before = " ".join(hosts.words(LONG_WORDS // 5, rng) for _ in range(5))
    after = " ".join(hosts.words(LONG_WORDS // 5, rng) for _ in range(5))
    return f"{before} {text} {after}"


def wrapped(text: str, hosts: Hosts, rng: np.random.Generator) -> str:
    """The item in short lines, each led by the mark of a quote or a comment."""
    words = units(text)
    mark = ("> ", "# ", "  * ", "// ")[int(rng.integers(4))]
    of_script = sum(_OF_SCRIPT.match(word) is not None for word in words)
    width = LINE_OF_SCRIPT if 2 * of_script > len(words) else LINE
    lines = ["".join(words[i : i + width]).strip() for i in range(0, len(words), width)]
    return hosts.around("\n".join(mark + line for line in lines), rng)


def in_code(text: str, hosts: Hosts, rng: np.random.Generator) -> str:
    """The item in a fenced block, indented otherwise, with a comment above each function."""
    indent = ("", "    ", "\t")[int(rng.integers(3))]
    lines = [indent + line.rstrip() for line in text.split("\n")]
    return hosts.around("```python\n# an answer\n" + "\n".join(lines) + "\n```", rng)


MECHANISMS: dict[str, Plant] = {
    "verbatim": verbatim,
    "splice": splice,
    "edit_5": edited(0.05),
    "edit_15": edited(0.15),
    "edit_25": edited(0.25),
    "format": formatted,
    "embedded": embedded,
    "wrapped": wrapped,
}
OF_SCRIPTS: dict[str, Plant] = {"cjk": wrapped}  # items in scripts without spaces alone
OF_CODE: dict[str, Plant] = {"code": in_code}  # fields of code alone


def units(text: str) -> list[str]:
    """What an edit changes, with all up to the next: words, or single characters where a script
    has no spaces. Joined, they are the text without white space around it.
    """
    return _UNIT.findall(text.strip())


_SCRIPT = "".join(f"{chr(low)}-{chr(high)}" for low, high in UNSPACED)
_OF_SCRIPT = re.compile(f"[{_SCRIPT}]")
_UNIT = re.compile(rf"(?:[{_SCRIPT}]|[^\s{_SCRIPT}]+)\W*")
