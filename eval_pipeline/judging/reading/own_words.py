"""Which markers in a judge's reply are its own verdict, and which only stand in it.

A judge quotes what it was shown, says what its verdict is not, and asks itself. So a marker is no
verdict where it stands
- in a quotation, a block of quoted lines or a fence, with other words that are not the judge's;
- where a candidate's text holds the same marker, unless it is the reply's first or last line, or
  the end of that line after words that announce a verdict (`My verdict:`);
- behind a negation (`not [[A]]`), or in a question (`is it [[A]]?`).
What looks at a marker looks no farther than REACH characters, or BLOCK inside of a fence, so that
cost is linear.
"""

import re
from bisect import bisect_right
from collections.abc import Sequence
from functools import cached_property
from typing import Literal, NamedTuple

Reason = Literal["quoted", "negated", "in_question"]

REACH = 200
LONGEST_QUOTE = 600
BLOCK = 2000
LONGEST_LEAD = 80


class VerdictMarker(NamedTuple):
    """A label where it stands; end: where it ends, an object's own close included.

    echoed: whether a candidate's text holds the same marker. whole: it is a JSON object or a
    line by itself, which no word beside it turns into a negation or a question.
    """

    label: str
    start: int
    end: int
    echoed: bool = False
    whole: bool = False


class Span(NamedTuple):
    """A part of a reply that may hold another's words; inner: what stands between its marks."""

    start: int
    end: int
    inner_start: int
    inner_end: int
    kind: Literal["quotes", "lines", "fence"]


_QUOTES = re.compile(
    r"""(?<![\w"])"(?=[^\s"])(?:[^"\n]|\n(?![ \t]{0,8}\n)){1,600}+"(?!\w)"""
    r"""|(?<![\w'])'(?=[^\s'])(?:[^'\n]|(?<=\w)'(?=\w)){1,600}+'(?!\w)"""
    r"|“[^“”]{1,600}+”|„[^„“”\"]{1,600}+[“”\"]|«[^«»]{1,600}+»|‹[^‹›]{1,600}+›"
    r"|‘(?:[^‘’]|’(?=\w)){1,600}+’|「[^「」]{1,600}+」|『[^『』]{1,600}+』"
    r"|(?<!`)`{1,3}+[^`\n]{1,600}+`{1,3}+|``[^`'\n]{1,600}+''"
    r"|<(?P<tag>q|blockquote)>[^<]{1,600}+</(?P=tag)>",
    re.IGNORECASE,
)
_CLOSING = re.compile("[\"'”“’»›」』`]|</")
_QUOTE_SIGNS = "\"'“”„‘’«»‹›「」『』`"
_FENCE = re.compile(r"^[ \t]{0,8}(`{3,}+|~{3,}+)[^`\n]*$", re.MULTILINE)
_QUOTED_LINES = re.compile(r"(?:^[ \t]{0,8}>[^\n]*(?:\n|\Z))++", re.MULTILINE)

_SENTENCE_END = re.compile(r"[.!?…][\"'”’)\]*_]{0,3}\s|[。！？\n]")
_MARKDOWN = re.compile(r"[*_#~|\s]+")
_WORD = re.compile(r"[^\W_]")

_JUDGEMENT = (
    r"(?:verdict|judge?ment|decision|choice|preference|pick|vote|winner|conclusion|rating|grade"
    r"|score|answer|assessment|evaluation|ruling)"
)
_ANNOUNCED = re.compile(
    rf"\b(?:(?:my|our|the|final|overall)\s+)*{_JUDGEMENT}\s*"
    r"(?:is|would be|goes to|stands at)?\s*(?::|=|-|–|—|->|→)?\s*$",
    re.IGNORECASE,
)
_MINE = re.compile(
    rf"\b(?:my|our)\s+(?:\w+\s+){{0,2}}?{_JUDGEMENT}\s*(?:is|would be|stands at)?\s*:?\s*$",
    re.IGNORECASE,
)
_CHOSEN = re.compile(
    r"\b(?:I|we)(?:['’](?:d|ll|m|ve))?\s+(?:\w+\s+){0,2}?(?:choose|chose|pick|picked|prefer|select"
    r"|selected|say|vote|vote for|go with|going with|judge|rate|give|find|call it|award|decide on"
    r"|settle on|conclude)(?:\s+(?:it|with|that|for|on))?\s*:?\s*$",
    re.IGNORECASE,
)
_CONNECTED = re.compile(
    r"(?:so|thus|hence|therefore|overall|finally|accordingly|ultimately|consequently|all in all"
    r"|in (?:conclusion|sum|short|total|the end)|to conclude|on balance|also|donc|ainsi|daher"
    r"|por (?:lo )?tanto)\W*",
    re.IGNORECASE,
)
_REPORTED = re.compile(
    r"\b(?:end(?:s|ed|ing)?|clos(?:es|ed|ing)|conclud(?:es|ed|ing)|sa(?:ys|id|ying)|stat(?:es|ed)"
    r"|writ(?:es|ing|ten)|wrote|reads?|claim(?:s|ed)|contain(?:s|ed)|includ(?:es|ed|ing)|tells?"
    r"|told|instruct(?:s|ed)?|asks|tr(?:ies|ied)|attempt(?:s|ed)?|insert(?:s|ed)?|add(?:s|ed)"
    r"|append(?:s|ed)?|declar(?:es|ed)|demand(?:s|ed)?|quot(?:es|ed)|repeat(?:s|ed)?|prints"
    r"|mention(?:s|ed)?|carr(?:ies|ied)|shows?|begins?|starts?|finish(?:es|ed)|inject(?:s|ed)"
    r"|tacks?|puts?|holds|endet|sagt|schreibt|behauptet|steht|dit|écrit|termine|finit|contient"
    r"|dice|termina|escribe|contiene|afirma)\b|[写説说書言]|末尾|结尾|結尾|声称|声稱",
    re.IGNORECASE,
)
_NEGATED = re.compile(
    r"(?:\b(?:not|never|neither|nor|cannot|without|nicht|kein(?:e|en)?|weder|noch|jamais|pas|non"
    r"|ni|nunca)|n['’]t|不是|并非|並非|而非|ではなく)"
    r"(?:\s+(?:say|pick|choose|select|prefer|give|award|go|going|with|for|to|be|call|it|the|a|an"
    r"|my|verdict|answer|accept|declare|vote|clearly|really|necessarily|quite|think|conclude"
    r"|recommend|as|is|output|label|choice)){0,5}[\s\"'“‘«*_(`]*$",
    re.IGNORECASE,
)
_DENIED = re.compile(
    r"[\s\"'”’»*_)`]*(?:(?:is|was|would|does|can|could)\s*(?:n['’]t|not|never)\s+(?:be\s+)?"
    r"(?:my|the|right|correct|justified|it|warranted|possible|what|deserved?)\b"
    r"|cannot\s+be\b|(?:is|was|would\s+be)\s+(?:wrong|incorrect|false|premature|unfair"
    r"|unjustified|a\s+mistake)\b)",
    re.IGNORECASE,
)
_OR = re.compile(r"\W*(?:or|and|oder|und|ou|et|o|y|или|或者?|または|또는)\W*", re.IGNORECASE)
_ASKED = re.compile(r"[^.!?。！？;(—–\n]{0,120}+[?？]")


class SpokenReply:
    """A judge's reply with the parts of it that may be another's words.

    text: with its marks folded. shown: the candidates' texts, folded likewise.
    """

    def __init__(self, text: str, shown: Sequence[str] = ()) -> None:
        self.text = text
        self.shown = shown

    @cached_property
    def first_line_end(self) -> int:
        begun = len(self.text) - len(self.text.lstrip())
        end = self.text.find("\n", begun)
        return len(self.text) if end < 0 else end

    @cached_property
    def last_line_start(self) -> int:
        """Where the last non-empty line begins; a fence that only closes is no line."""
        text = self.text.rstrip()
        while (closing := text.rfind("\n") + 1) and text[closing:].strip() in ("```", "~~~"):
            text = text[:closing].rstrip()
        return text.rfind("\n") + 1

    @cached_property
    def quotations(self) -> list[Span]:
        return _quotations(self.text)

    @cached_property
    def blocks(self) -> tuple[list[Span], list[Span]]:
        """Fences, and blocks of quoted lines."""
        return _fences(self.text), _quoted_lines(self.text)

    def why_not(self, marker: VerdictMarker) -> Reason | None:
        """Why a marker is no verdict of the judge; None where it is."""
        if self._is_all_of_it(marker):
            return None
        if self._is_quoted(marker):
            return "quoted"
        if marker.whole:
            return None
        before = self.text[max(0, marker.start - REACH) : marker.start]
        after = self.text[marker.end : marker.end + REACH]
        if _NEGATED.search(_last_sentence(before)) or _DENIED.match(after):
            return "negated"
        return "in_question" if _ASKED.match(after) else None

    def _is_all_of_it(self, marker: VerdictMarker) -> bool:
        """Whether the reply holds nothing else, as most replies of JSON do."""
        around = self.text[: marker.start] + self.text[marker.end :]
        return len(around) < REACH and not around.strip()

    def announces(self, marker: VerdictMarker) -> bool:
        """Whether the words before a marker say that the verdict follows."""
        before = _last_sentence(self.text[max(0, marker.start - REACH) : marker.start])
        return _ANNOUNCED.search(before.rstrip(_QUOTE_SIGNS + "*_ (")) is not None

    def are_alternatives(self, one: VerdictMarker, other: VerdictMarker) -> bool:
        """Whether nothing but an `or` stands between two markers, on whatever lines."""
        between = self.text[one.end : other.start]
        return len(between) < REACH and _OR.fullmatch(between) is not None

    def _is_quoted(self, marker: VerdictMarker) -> bool:
        start, end = marker.start, marker.end
        if (span := self._quotation(start, end)) is not None:
            before = self._before(span.start)
            others = self.text[span.inner_start : start] + self.text[end : span.inner_end]
            bare = not _has_words(others)
            if _is_report(before):
                return True
            if not bare and (marker.echoed or not self._is_all(span, before)):
                return True
            if bare:
                start, end = span.start, span.end
        for blocks in self.blocks:
            span = _around(blocks, start, end)
            if span is not None and self._is_block_quoted(span, marker):
                return True
        return marker.echoed and not self._stands_alone(start, end)

    def _quotation(self, start: int, end: int) -> Span | None:
        """The quotation around a place; none is looked for where nothing near could close it."""
        if _CLOSING.search(self.text, end, end + LONGEST_QUOTE + 16) is None:
            return None
        return _around(self.quotations, start, end)

    def _is_all(self, span: Span, before: str) -> bool:
        """Whether a quotation is all that its line says: a judge that quotes its own verdict."""
        after = self.text[span.end : span.end + REACH].partition("\n")[0]
        return _is_lead(before) and not _has_words(after)

    def _is_block_quoted(self, span: Span, marker: VerdictMarker) -> bool:
        if _is_report(self._before(span.start)):
            return True
        above = self.text[max(span.inner_start, marker.start - BLOCK) : marker.start]
        above, _, lead = above.rpartition("\n")
        below = self.text[marker.end : min(span.inner_end, marker.end + BLOCK)]
        others = f"{above}\n{'' if _is_lead(lead) else lead}\n{below}"
        if not _has_words(others):
            around = self.text[max(0, span.start - BLOCK) : span.start]
            around += self.text[span.end : span.end + BLOCK]
            return marker.echoed and span.kind == "lines" and _has_words(around)
        return _has_words(self.text[span.end : span.end + BLOCK]) or (
            marker.echoed and self._is_shown(others)
        )

    def _is_shown(self, words: str) -> bool:
        """Whether a line of the words stands in a candidate's text."""
        lines = {line.strip(" \t>") for line in words.splitlines()}
        return any(line in text for line in lines if len(line) > 2 for text in self.shown)

    def _stands_alone(self, start: int, end: int) -> bool:
        """Whether a marker is the verdict that the reply begins or ends with."""
        if end <= self.last_line_start and start > self.first_line_end:
            return False
        after = self.text[end : end + REACH].partition("\n")[0]
        return _is_lead(self._before(start)) and not _has_words(after)

    def _before(self, at: int) -> str:
        """The sentence up to a place; at the head of a line, the line before that leads to it."""
        sentence = _last_sentence(self.text[max(0, at - REACH) : at])
        if _has_words(sentence) or at == 0:
            return sentence
        above = self.text[max(0, at - REACH) : at].rstrip(" \t\r\n>*_`~#")
        return _last_sentence(above) if above.endswith((":", "：", ",", "，")) else sentence


def _last_sentence(text: str) -> str:
    """What stands after the last end of a sentence, or of a line."""
    start = 0
    for found in _SENTENCE_END.finditer(text):
        start = found.end()
    return text[start:]


def _is_report(before: str) -> bool:
    """Whether the words before a quotation say that somebody else says it."""
    before = before.rstrip()
    own = _MINE.search(before) or _CHOSEN.search(before)
    return own is None and _REPORTED.search(before) is not None


def _is_lead(before: str) -> bool:
    """Whether nothing stands before a marker but words that announce a verdict."""
    words = _MARKDOWN.sub(" ", before).strip(" >-–—•(`")
    if any(sign in words for sign in '"“”„«»「」'):
        return False
    if not _has_words(words):
        return True
    if len(words) > LONGEST_LEAD:
        return False
    if _CHOSEN.search(words) or _CONNECTED.fullmatch(words):
        return True
    if _is_report(words):
        return False
    return words.endswith((":", "=", "→")) or _ANNOUNCED.search(words) is not None


def _has_words(text: str) -> bool:
    return _WORD.search(text) is not None


def _around(spans: Sequence[Span], start: int, end: int) -> Span | None:
    """The span of a sorted list that holds a place; spans of one list do not overlap."""
    i = bisect_right(spans, start, key=lambda span: span.start) - 1
    return spans[i] if i >= 0 and spans[i].start < start and end <= spans[i].inner_end else None


def _quotations(text: str) -> list[Span]:
    return [
        Span(found.start(), found.end(), found.start() + 1, found.end() - 1, "quotes")
        for found in _QUOTES.finditer(text)
    ]


def _quoted_lines(text: str) -> list[Span]:
    if ">" not in text:
        return []
    return [
        Span(found.start(), found.end(), found.start(), found.end(), "lines")
        for found in _QUOTED_LINES.finditer(text)
    ]


def _fences(text: str) -> list[Span]:
    """Fenced blocks; one that is never closed goes to the end."""
    if "```" not in text and "~~~" not in text:
        return []
    spans = []
    opened: re.Match[str] | None = None
    for found in _FENCE.finditer(text):
        if opened is None:
            opened = found
        elif found[1].startswith(opened[1]) and not _has_words(found[0]):
            spans.append(Span(opened.start(), found.end(), opened.end(), found.start(), "fence"))
            opened = None
    if opened is not None:
        spans.append(Span(opened.start(), len(text), opened.end(), len(text), "fence"))
    return spans
