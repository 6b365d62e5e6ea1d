"""Replies to questions with options, and the option that a careful reader finds in each.

Where several are given, any of them may be said; None is "no single choice".
"""

import json
import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from eval_pipeline.verification.verdict import Item

LETTERS = "ABCDEFGHIJ"
OPTIONS = {
    "rocks": ("granite", "marble", "slate", "basalt"),
    "five": ("granite", "marble", "slate", "basalt", "chalk"),
    "numbers": ("4", "42", "-4", "4.5"),
    "wines": ("red", "red wine", "None of the above", "Both A and B"),
    "vehicles": ("A car", "A bus", "The bike", "a boat"),
    "letters": ("C", "B", "D", "A"),
    "years": ("1789", "1848", "1914", "1945", "1066", "1492", "1815", "1871", "1917"),
}
_LABEL = re.compile(
    r"(?<![A-Za-z0-9])(?P<capital>[A-J])(?![A-Za-z0-9]|['’](?:d|ll|est)\b)"
    r"|(?:(?<=\()|(?<=: )|(?<=is )|(?<=ption )|\A)(?P<small>[a-j])(?=[).:,<]|\s*\Z|</|\n)"
)
# letters that are words here, articles, formulas or names: a letter there is no label
_WORDS = re.compile(
    r"A car|A resposta|A alternativa|A opção|A helyes|C12|C\+\+|A lot|I |[=^(]?\bE\b"
)


@dataclass(frozen=True)
class Case:
    """One reply; `right` holds the labels that may be found in it, None for no single choice."""

    reply: str
    options: tuple[str, ...]
    right: tuple[str | None, ...]

    @property
    def item(self) -> Item:
        return Item("i", answer="A", options=self.options)

    def relabelled(self, labels: Mapping[str, str]) -> "Case | None":
        """The case with other letters for its labels; None where letters of it are words too."""
        framed = unicodedata.normalize("NFKC", self.reply)
        is_plain = _LABEL.findall(framed) == _LABEL.findall(self.reply)
        if not is_plain or any(_LABEL.search(text) for text in self.options):
            return None
        if _WORDS.search(self.reply):
            return None

        def renamed(match: re.Match[str]) -> str:
            if match["capital"]:
                return labels[match["capital"]]
            return labels[match["small"].upper()].lower()

        texts = {labels[old]: text for old, text in zip(LETTERS, self.options, strict=False)}
        options = tuple(texts.get(label, f"filler {label * 3}") for label in LETTERS)
        right = tuple(label and labels[label] for label in self.right)
        return Case(_LABEL.sub(renamed, self.reply), options, right)


def _cases() -> list[Case]:
    lines = Path(__file__).with_suffix(".jsonl").read_text(encoding="utf-8").splitlines()
    rows = [json.loads(line) for line in lines]
    return [Case(row["reply"], OPTIONS[row["options"]], tuple(row["right"])) for row in rows]


CASES = _cases()
