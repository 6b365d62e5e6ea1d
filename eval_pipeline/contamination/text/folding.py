"""The normalisers as tables of code points, for machines that read bytes.

Made from `normalise` itself, so that what a table says of a code point is what the normaliser
says of the character.
"""

import re
import unicodedata
from functools import cache

import numpy as np

from eval_pipeline.contamination.arrays import Bytes, Points
from eval_pipeline.contamination.text.normalise import folded, stands_alone

POINTS = 0x110000
SEPARATOR, IGNORED = 0, 1
ALONE = 1 << 31  # the character is a word of its own
SEVERAL = 1 << 30  # not a code point but a place in the list of expansions

SPACE, LETTER, DIGIT, OTHER = 0, 1, 2, 3  # classes of code_v2


@cache
def text_folding() -> tuple[Points, Points]:
    """What text_v2 makes of each code point, shape (POINTS,), and the list of expansions.

    An entry is `SEPARATOR`, `IGNORED`, a code point, a code point | `ALONE`, or a place |
    `SEVERAL`. At a place stands a count, then that many entries of the first four kinds.
    """
    table = np.zeros(POINTS, np.uint32)
    expansions: list[int] = []
    for point in range(POINTS):
        character = chr(point)
        category = unicodedata.category(character)
        if category in ("Cn", "Co", "Cs"):  # unassigned, private, surrogate: they part words
            continue
        if category == "Lo" and _is_plain(character):  # most are, and folding them takes long
            table[point] = point | (ALONE if stands_alone(character) else 0)
            continue
        pieces = _pieces(folded(character))
        if len(pieces) == 1:
            table[point] = pieces[0]
        elif not pieces:
            table[point] = IGNORED
        else:
            table[point] = SEVERAL | len(expansions)
            expansions += [len(pieces), *pieces]
    return table, np.array(expansions or [0], np.uint32)


@cache
def code_classes() -> Bytes:
    """The class of each code point under code_v2, shape (POINTS,)."""
    table = np.full(POINTS, OTHER, np.uint8)
    every = "".join(map(chr, range(POINTS)))
    for pattern, kind in ((r"\s+", SPACE), (r"\d+", DIGIT), (r"[^\W\d]+", LETTER)):
        for run in re.finditer(pattern, every):
            table[run.start() : run.end()] = kind
    return table


def _is_plain(letter: str) -> bool:
    """Whether folding leaves a letter as it is."""
    return unicodedata.is_normalized("NFKD", letter) and letter.casefold() == letter


def _pieces(text: str) -> list[int]:
    """The folded text of one character as entries; spaces around a word of its own are in it."""
    if text == " ":
        return [SEPARATOR]
    pieces: list[int] = []
    for word in re.findall(r" |[^ ]+", text):
        if word == " ":
            pieces.append(SEPARATOR)
        else:
            pieces += [ord(c) | (ALONE if stands_alone(c) else 0) for c in word]
    if any(piece & ALONE for piece in pieces):  # it parts the words beside it by itself
        pieces = [p for p in pieces if p != SEPARATOR] if _only_alone(pieces) else pieces
    return pieces


def _only_alone(pieces: list[int]) -> bool:
    return all(piece == SEPARATOR or piece & ALONE for piece in pieces)
