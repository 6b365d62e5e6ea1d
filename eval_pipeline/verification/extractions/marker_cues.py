"""Where a reply announces its answer: words in many languages, a heading, ####, <answer>."""

import re
from dataclasses import dataclass

from eval_pipeline.verification.extractions.answer_cues import (
    ANSWER_CUE,
    NOUNS,
    NOUNS_WITHOUT_SPACES,
)

DRESS = " *_`"
# how a marker of words may begin, as plain text, which is found faster than a pattern
_STEMS = tuple(
    sorted(
        {
            re.sub(r"\(.*|.\?", "", noun)
            for nouns in (NOUNS, NOUNS_WITHOUT_SPACES)
            for noun in nouns.removeprefix("(?:").removesuffix(")").split("|")
        }
    )
)
_ASCII_STEMS = tuple(stem for stem in _STEMS if stem.isascii())
_NAMED = rf"(?:(?<![^\W_])(?i:{NOUNS})(?!\w)|{NOUNS_WITHOUT_SPACES})"
_SAID = re.compile(  # as the cues of choices, and what is said of other answers only
    rf"{ANSWER_CUE.pattern}"
    r"|(?<!\w)(?i:answer)s?[*_]{0,3}[ \t]{0,3}\([^()\n]{1,60}\)[*_]{0,3}[ \t]{0,3}"
    r"(?:[:=]|(?i:is|are)(?!\w))"
    r"|(?<!\w)(?i:answer)s?[*_]{0,3}(?:,(?:[ \t]\w{1,12}){1,3},|[ \t](?i:then|therefore))?[ \t]"
    r"(?i:is|are|(?:comes|turns|works)(?: out)?(?: to be| to| as)|(?:must|should|can|will)(?:[ \t]"
    r"(?:then|thus|therefore|only))? be|of(?=[ \t]{0,3}[$\\−-]{0,3}\d))(?!\w)"
    rf"|(?:{NOUNS_WITHOUT_SPACES}|(?<!\w)(?i:उत्तर|जवाब|cevap|yanıt))[ \t]{{0,4}}"
    r"(?=[$\\−-]{0,3}\d)"
    r"|(?:उत्तर|जवाब)[ \t]{1,4}(?=[^\n।]{1,80}[ \t]है)"
)
_HEADING = re.compile(rf"{_NAMED}[ \t*_:]{{0,9}}(?=[\r\n])")
_BEFORE_HEADING = re.compile(r"(?:\A|\n)[ \t#>*_]{0,12}+(?:[^\W\d_]{1,12}[ \t]{1,3}){0,2}\Z")
_HASHES = re.compile(r"(?<!#)####(?!#)")
_TAG = re.compile(r"<(?:final_)?answer>|\[answer\](?=[^\n]{0,400}\[/answer\])", re.IGNORECASE)
TAG_END = re.compile(r"</(?:final_)?answer>|\[/answer\]", re.IGNORECASE)
_ANY = re.IGNORECASE | re.DOTALL
# verbs of other languages that mean another thing here: an answer to a question, on a page
_NO_VERB = re.compile(
    r"(?:answers?|ans|result|solution)\b(?!\s(?:comes|turns|works)\s).*\s(?:to|on|es|son|ni|je)",
    _ANY,
)
MAYBE = re.compile(
    # nobody can tell
    r"answer\s{1,3}(?:could|might|may|cannot|can['’]t|couldn['’]t)\s{1,3}be\b",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Cue:
    """A marker; the answer begins after its end, but for white space and emphasis."""

    start: int
    end: int
    kind: str  # words, hashes or tag


def cues_of(text: str, words_only: bool) -> list[Cue]:
    """All places where an answer may be announced, in order."""
    found = [cue for at in _nouns(text) if (cue := _in_words(text, at))]
    if not words_only and "####" in text:
        found += [Cue(one.start(), one.end(), "hashes") for one in _HASHES.finditer(text)]
    if not words_only and ("<" in text or "[" in text):
        found += [Cue(one.start(), one.end(), "tag") for one in _TAG.finditer(text)]
    return sorted(found, key=lambda cue: cue.end)


def _nouns(text: str) -> list[int]:
    """Where words for an answer may begin."""
    lowered = text.lower()
    if len(lowered) != len(text):
        lowered = text
    found = set()
    for stem in _ASCII_STEMS if text.isascii() else _STEMS:
        at = lowered.find(stem)
        while at >= 0:
            found.add(at)
            at = lowered.find(stem, at + 1)
    return sorted(found)


def _in_words(text: str, at: int) -> Cue | None:
    """The marker that begins at a noun."""
    said = _SAID.match(text, at) or MAYBE.match(text, at)
    if said and (_NO_VERB.fullmatch(said[0].rstrip(DRESS)) or _is_bar(text, said)):
        return None
    if said is None and _BEFORE_HEADING.search(text[max(0, at - 60) : at]):
        said = _HEADING.match(text, at)
    return Cue(at, said.end(), "words") if said else None


def _is_bar(text: str, said: re.Match[str]) -> bool:
    """Whether the marker ends with a bar that parts no cells of a table."""
    line = text[max(0, said.start() - 80) : said.start()].rpartition("\n")[2]
    return said[0].rstrip(DRESS).endswith("|") and not line.lstrip().startswith("|")
