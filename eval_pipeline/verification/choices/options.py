"""The options of an item as a reply may name them: by a label, by a text, or by both."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from eval_pipeline.verification.choices.plain_letters import in_plain_letters
from eval_pipeline.verification.choices.words import ENDED, ENDED_SMALL, ENDED_TEXT, FILLER

_MARK = (
    r"[*_`$(\[{\"'“‘„<]|\\(?:boxed|fbox|text|textbf|mathrm|mathbf|textrm)(?![A-Za-z])|\\[(\[]"
    r"|</?[A-Za-z]{1,10}>"
)
OPEN = rf"(?:\s{{0,40}}+(?:{_MARK})){{0,12}}+\s{{0,40}}+"
CLOSE = r"(?:[*`$)\]}\"”>\\]|[_'’](?![A-Za-z0-9])| \\?[)}\]]|</?[A-Za-z]{1,10}>){0,12}+"
_LABEL = re.compile(rf"{OPEN}(?P<letter>[A-Za-z])(?![A-Za-z0-9À-ɏ])(?P<close>{CLOSE})")
_OPENED = re.compile(OPEN)
_CLOSED = re.compile(CLOSE)
_TO_TEXT = re.compile(r"[.,:)\]}*_`]{0,6}[ \t]{0,9}(?:[-–—:=]{1,2}[ \t]{1,9})?[(*_`\"'“$]{0,6}")
_BETWEEN_WORDS = re.compile(r"[\s*_`]{1,9}")
ARTICLES = frozenset(("a", "an", "the"))
_ARTICLE = re.compile(
    r"\s{0,9}(?:(?:(?i:the|an|der|die|das|eine?|el|la|los|las|una?|les?|une|il|lo|os|as)|[aio])\s"
    r"|l['’])\s{0,9}"
)
# a label that shares its bracket: (A, B); anything else in it makes a formula of it
_IN_BRACKETS = re.compile(
    r"[*_`\"'”’$\\}]{0,6}(?:[)\]]|\s*\Z)|\s{0,3}[,;/&:|+–—.-]|\s{1,3}(?:and|or|und|oder|y|o|et|ou|e|или|и)(?!\w)"
)
_ITS_LABEL = re.compile(
    r"\s{0,3}\(\s?(?:(?i:option|choice|answer|letter)\s)?[*_]{0,3}([A-Z])[*_]{0,3}\s?\)[*_]{0,3}"
)
_OPERATOR = re.compile(r"\s{0,3}(?:[+×÷/^%°‰]|[-*=<>]\s{0,3}[\w(])")


@dataclass(frozen=True)
class Mention:
    """One option named in a text, from `start` up to `end`.

    `label` is its letter; of no option where the reply made one up. `is_text`: named by its text
    alone; `has_text`: label and text. `is_small`: a lower-case label.
    `other`: the option whose text follows a label that is not its own.
    """

    label: str
    start: int
    end: int
    is_text: bool = False
    has_text: bool = False
    is_small: bool = False
    other: str | None = None


@dataclass(frozen=True)
class Options:
    """Labels and texts of an item's options; texts that name no single option are left out."""

    labels: str
    texts: tuple[tuple[str, tuple[str, ...]], ...]  # label and words, the longest text first
    doubtful: frozenset[str] = frozenset()  # labels that are another option's text

    def mention(self, text: str, at: int) -> Mention | None:
        """The option that stands at a place, after marks and words such as "option"."""
        filler = FILLER.match(text, at)
        starts = dict.fromkeys((at, filler.end() if filler else at))
        for start in starts:
            if named := self._by_text(text, start):
                return named
        return self.labelled(text, max(starts))

    def labelled(self, text: str, at: int) -> Mention | None:
        """The option whose label stands at a place, None where the letter is a word of a sentence.

        A lone letter is a label where it is wrapped, where its sentence does not go on with an
        ordinary word, or where the option's text follows it.
        """
        match = _LABEL.match(text, at)
        if match is None:
            return None
        letter, end = match["letter"], match.end()
        label, is_small = letter.upper(), letter.islower()
        start = match.start("letter")
        follows = _TO_TEXT.match(text, end)
        text_at = follows.end() if follows else end
        own = self.text_at(text, text_at) if text_at > end or match["close"] else None
        if own and own[0] == label:
            closed = _CLOSED.match(text, own[1])
            return Mention(
                label, start, closed.end() if closed else own[1], has_text=True, is_small=is_small
            )
        is_wrapped = bool(match["close"].strip("'’\\\"")) or (
            bool(match["close"]) and text[start - 1 : start] in ("'", '"', "“", "‘")
        )
        if not is_wrapped and not (ENDED_SMALL if is_small else ENDED).match(text, end):
            return None
        if text[start - 1 : start] == "(" and not _IN_BRACKETS.match(text, match.end("letter")):
            return None
        if letter in self.doubtful and not match["close"].startswith((")", "]")):
            return Mention(label, start, end, other=label)
        is_contrary = own is not None and ENDED_TEXT.match(text, own[1]) is not None
        return Mention(
            label,
            start,
            end,
            is_small=is_small,
            other=own[0] if own and is_contrary else None,
        )

    def text_at(self, text: str, at: int) -> tuple[str, int] | None:
        """Label and end of the longest option text at a place."""
        for label, words in self.texts:
            end = _end_of(words, text, at)
            if end is not None:
                return label, end
        return None

    def _by_text(self, text: str, at: int) -> Mention | None:
        """The option whose text stands at a place and ends there with its clause."""
        if not self.texts:
            return None
        opened = _OPENED.match(text, at)
        last = opened.end() if opened else at
        for place in range(at, last + 1):
            if place < last and text[place].isspace():
                continue
            if named := self._ended_text(text, place):
                return named
        article = _ARTICLE.match(text, last)
        return self._ended_text(text, article.end()) if article else None

    def _ended_text(self, text: str, at: int) -> Mention | None:
        found = self.text_at(text, at)
        if found is None or not ENDED_TEXT.match(text, found[1]):
            return None
        closed = _CLOSED.match(text, found[1])
        end = closed.end() if closed else found[1]
        beside = _ITS_LABEL.match(text, end)  # marble (B)
        begun = _LABEL.match(text, at)  # a text that begins with (A)
        for letter in (beside and beside[1], begun and begun["close"] and begun["letter"]):
            if letter and letter in self.labels and letter != found[0]:
                return Mention(found[0], at, end, is_text=True, other=letter)
        return Mention(found[0], at, beside.end() if beside else end, is_text=True)


@lru_cache(maxsize=4096)
def options_of(labels: str, texts: tuple[str, ...]) -> Options:
    """The options with these labels and texts, in order."""
    named: dict[tuple[str, ...], list[str]] = {}
    for label, option in zip(labels, texts, strict=False):
        named.setdefault(_words(option), []).append(label)
    for words, owners in list(named.items()):
        if len(words) == 1 and words[0].upper() in labels:
            del named[words]
        elif len(words) > 1 and words[0] in ARTICLES:
            named.setdefault(words[1:], []).extend(owners)
    single = [(owners[0], words) for words, owners in named.items() if words and len(owners) == 1]
    by_length = tuple(sorted(single, key=lambda one: -sum(map(len, one[1]))))
    letters = {text.strip(): label for label, text in zip(labels, texts, strict=False)}
    doubtful = {text for text, label in letters.items() if len(text) == 1 and text != label}
    return Options(labels, by_length, frozenset(doubtful))


def _words(option: str) -> tuple[str, ...]:
    plain = in_plain_letters(option).strip().rstrip(".").strip("$*`").strip()
    return tuple(word.casefold() for word in plain.split())


def _end_of(words: Sequence[str], text: str, at: int) -> int | None:
    """Where the words end that stand at a place one after the other, None where they do not."""
    for i, word in enumerate(words):
        if i:
            gap = _BETWEEN_WORDS.match(text, at)
            if gap is None:
                return None
            at = gap.end()
        if text[at : at + len(word)].casefold() != word:
            return None
        at += len(word)
    after = text[at : at + 2]
    if after[:1].isalnum() or (after[:1] in "-.,:'’" and after[1:].isalnum()):
        return None
    if words[-1][-1].isdigit() and _OPERATOR.match(text, at):
        return None
    return at
