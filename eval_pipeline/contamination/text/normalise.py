"""What counts as a word: the same text in another dress has the same words.

Both normalisers first read a page as `markup` does, without its tags and entities. Then `text_v2`
works code point by code point, so that any text folds piecewise: compatibility decomposition
(NFKD) and case folding; marks and format characters are dropped, letters and numbers kept,
apostrophes deleted, and all else separates words. In scripts that are written without spaces every
character is a word. Accents are lost by design. `code_v2` keeps case and operators, and drops white
space only.
"""

import re
import unicodedata
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from eval_pipeline.contamination.text.markup import past_entity, unmarked, unmarked_code

APOSTROPHES = frozenset("'‘’‛ʼ＇")
UNSPACED = (  # scripts written without spaces between words
    (0x0E00, 0x0EFF),  # Thai, Lao
    (0x1000, 0x109F),  # Myanmar
    (0x1780, 0x17FF),  # Khmer
    (0x3040, 0x312F),  # Hiragana, Katakana, Bopomofo
    (0x31F0, 0x31FF),  # Katakana extensions
    (0x3400, 0x4DBF),  # Han
    (0x4E00, 0x9FFF),
    (0xF900, 0xFAFF),
    (0x20000, 0x3FFFF),
)

Span = tuple[int, int]


@dataclass(frozen=True)
class Normaliser:
    """A named way from text to words.

    shown: a raw text as it is read, as long as it was; words_shown, spans_shown: the words of
    that, and where each stands.
    """

    name: str
    shown: Callable[[str], str]
    words_shown: Callable[[str], list[str]]
    spans_shown: Callable[[str], list[Span]]

    def words(self, text: str) -> list[str]:
        """The words of a raw text."""
        return self.words_shown(self.shown(text))

    def spans(self, text: str) -> list[Span]:
        """Where in a raw text each word stands: (start, end) in characters."""
        return self.spans_shown(self.shown(text))

    @property
    def version(self) -> str:
        """Its name with the version of Unicode that folding and classes rest on."""
        return f"{self.name}, Unicode {unicode_version()}"


def unicode_version() -> str:
    """The version of the Unicode tables that folding rests on."""
    return unicodedata.unidata_version


def folded(character: str) -> str:
    """What one character becomes: letters and digits, nothing, or a space where words part."""
    if character in APOSTROPHES:
        return ""
    plain = unicodedata.normalize("NFKD", character).casefold()
    return "".join(_part(c) for c in unicodedata.normalize("NFKD", plain))


def stands_alone(character: str) -> bool:
    """Whether a letter is of a script written without spaces, so that it is a word itself."""
    point = ord(character)
    return point >= UNSPACED[0][0] and any(low <= point <= high for low, high in UNSPACED)


def is_unspaced(words: Sequence[str]) -> bool:
    """Whether at least half of the words are single characters of scripts without spaces."""
    alone = sum(len(word) == 1 and stands_alone(word) for word in words)
    return 2 * alone >= len(words) > 0


def place_of(normaliser: Normaliser, text: str, first: int, last: int) -> tuple[int, int]:
    """Where the words `first` to `last` stand, in characters; the text's end where it has fewer.

    Line by line, as words end with their line: finding places is slower than counting words.
    """
    start, seen, offset = 0, 0, 0
    shown = normaliser.shown(text)
    for line in shown.split("\n"):
        count = len(normaliser.words_shown(line))
        if seen <= first < seen + count:
            start = offset + normaliser.spans_shown(line)[first - seen][0]
        if last < seen + count:
            end = offset + normaliser.spans_shown(line)[last - seen][1]
            return start, past_entity(text, shown, end)
        seen += count
        offset += len(line) + 1
    return start, len(text)


def text_words(text: str) -> list[str]:
    """The words of a text without markup under text_v2."""
    if text.isascii():  # the same folding as a table of bytes, eight times as fast
        return text.encode().translate(_ASCII, b"'").decode().split()
    return text.translate(_FOLDING).split()


def text_spans(text: str) -> list[Span]:
    """Where the words of `text_words` stand: (start, end) in characters, one a word."""
    spans: list[Span] = []
    start, end = -1, -1
    for i, character in enumerate(text):
        for c in _FOLDING[ord(character)]:
            if c == " ":
                if start >= 0:
                    spans.append((start, end))
                start = -1
                continue
            if start < 0:
                start = i
            end = i + 1
    if start >= 0:
        spans.append((start, end))
    return spans


def code_words(text: str) -> list[str]:
    """The words of a text without markup under code_v2: identifiers, numbers, single operators."""
    return _CODE.findall(text)


def code_spans(text: str) -> list[Span]:
    """Where the words of `code_words` stand: (start, end) in characters, one a word."""
    return [match.span() for match in _CODE.finditer(text)]


TEXT = Normaliser("text_v2", unmarked, text_words, text_spans)
CODE = Normaliser("code_v2", unmarked_code, code_words, code_spans)

_CODE = re.compile(r"[^\W\d]\w*|\d+(?:\.\d+)?|[^\w\s]|\w")


def _part(character: str) -> str:
    category = unicodedata.category(character)
    if category in ("Mn", "Me", "Cf") or character in APOSTROPHES:
        return ""
    if category[0] not in "LN":
        return " "
    return f" {character} " if stands_alone(character) else character


class _Folding(dict[int, str]):
    """`folded` by code point, filled as characters are met."""

    def __missing__(self, point: int) -> str:
        self[point] = piece = folded(chr(point))
        return piece


_FOLDING = _Folding()
_ASCII = bytes(ord(folded(chr(i)) or "'") if i < 128 else i for i in range(256))
