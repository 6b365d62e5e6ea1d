"""`marker@1`: what stands after the last marker of a reply: "the answer is", "Answer:", ####.

Markers are those of the languages that choices know. They are searched in this process: the cost
is linear.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from eval_pipeline.reply_text import without_turn_tokens
from eval_pipeline.verification.answer_cues import ANSWER_CUE, NOUNS, NOUNS_WITHOUT_SPACES
from eval_pipeline.verification.answer_text import answer_after, bare
from eval_pipeline.verification.stop_words import stop_pattern
from eval_pipeline.verification.verdict import EMPTY, Found, Item

_DRESS = " *_`"
LOOKED_AT = 100  # markers, from the last one back, that say nothing

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
    r"|(?<!\w)(?i:answer)s?[*_]{0,3}[ \t]{0,3}\([^()\n]{1,60}\)[*_]{0,3}[ \t]{0,3}[:=]"
    r"|(?<!\w)(?i:answer)s?[*_]{0,3}(?:,(?:[ \t]\w{1,12}){1,3},|[ \t](?i:then|therefore))?[ \t]"
    r"(?i:is|are|(?:comes|turns|works)(?: out)?(?: to be| to| as)|(?:must|should|can|will)(?:[ \t]"
    r"(?:then|thus|therefore|only))? be|of(?=[ \t]{0,3}[$\\−-]{0,3}\d))(?!\w)"
    rf"|(?:{NOUNS_WITHOUT_SPACES}|(?<!\w)(?i:उत्तर|जवाब|cevap|yanıt))[ \t]{{0,4}}"
    r"(?=[$\\−-]{0,3}\d)"
)
_HEADING = re.compile(rf"{_NAMED}[ \t*_:]{{0,9}}(?=[\r\n])")
_BEFORE_HEADING = re.compile(r"(?:\A|\n)[ \t#>*_]{0,12}+(?:[^\W\d_]{1,12}[ \t]{1,3}){0,2}\Z")
_HASHES = re.compile(r"(?<!#)####(?!#)")
_TAG = re.compile(r"<(?:final_)?answer>|\[answer\](?=[^\n]{0,400}\[/answer\])", re.IGNORECASE)
_TAG_END = re.compile(r"</(?:final_)?answer>|\[/answer\]", re.IGNORECASE)

_FILLER = re.compile(
    r"(?:(?i:therefore|thus|hence|then|clearly|simply|just|indeed|obviously|exactly|so|also|now"
    r"|equal to|given by|definitely|certainly|still|the following|as follows|below|here)"
    r"(?![^\W_])[ \t,:=*_]{0,9}|[:：=][ \t]{0,9}){1,4}+"
)
_DETERMINED = r"(?:(?:that|the|my|our|a|its)\s{1,3}|(?:final|correct|right|true)\s{1,3}){0,3}\Z"
_ANOTHERS = re.compile(  # no answer of the reply
    r"(?:\b(?:wrong|incorrect|false|previous|earlier|old|his|her|their|your|no|another|other|second"
    r"|third|fourth|fifth|submitted|expert|reference|intermediate|if|whether|suppose|assum\w{1,4}"
    rf"|unless|until|once|\w{{1,20}}['’]s)\s{{1,3}}{_DETERMINED}|/\Z)",
    re.IGNORECASE,
)
# of other languages: an answer to a question, on a page
_KEY = re.compile(r'[^"\n]{1,40}"\s{0,9}:.{0,9}', re.DOTALL)  # of JSON
_NO_VERB = re.compile(r"(?:answers?|ans|result|solution)\b.*\s(?:to|on|es|son|ni|je)", re.I | re.S)
_DENIED = re.compile(
    r"(?:n['’]t|\bnot|\bnever|\bcannot)\s{1,3}(?:think|believe|mean|say|see|true|the case|certain"
    r"|sure|agree|imply|guarantee|clear|possible)\w{0,4}\s{1,3}(?:if\s{1,3}|how\s{1,3}|whether\s{1,3})?"
    rf"{_DETERMINED}|\bdoubt\w{{0,4}}\s{{1,3}}{_DETERMINED}",
    re.IGNORECASE,
)
_NEGATED = re.compile(
    r"(?:not|never|neither|no longer|nicht|pas|non|不是|не)(?![^\W_])[ \t]", re.IGNORECASE
)
_PROSE = re.compile(  # how it was found or what form it has, and not what it is
    r"(?:(?:let(?:['’]?s| us| me| [a-z] be)|step \d|in order|using|consider|recall|suppose"
    r"|to (?:find|solve|determine|calculate|compute|get|answer)"
    r"|(?:we|i|you) (?:need|know|first|start|can|will|are given|must|should|compute|calculate|add)"
    r"|obtained|found|given|derived|computed|calculated|reached|determined|based|shown|supposed"
    r"|required|expected|asked|rounded|likely|known|unknown"
    r"|in (?:terms|form|cents|dollars|units|fact|the form|the table|the text)|by \w{1,20}ing"
    r"|(?:clear|obvious) (?:from|that|by)|an? (?:integer|number|whole number|fraction|decimal))\b"
    r"[ \t]{0,9}(?=[^\W\d_]|\Z)|first, )",
    re.IGNORECASE,
)
_WITHDRAWN = re.compile(
    r"[.!?\s*]{0,9}(?:wait|no[,.] (?:wait|that|actually|sorry|it)|correction|oops"
    r"|scratch that|on second thoughts?"
    r"|(?:but |hmm,? )?that(?:['’]s| is) (?:wrong|not right|incorrect|not correct))(?![^\W_])",
    re.IGNORECASE,
)
_TEMPLATE = re.compile(
    r"[.…_\s*?-]{1,80}|[<\[{(]{1,2}[^<>\[\]{}()\n]{0,80}"
    r"\b(?:answer|number|value|result|letter|integer|choice|option|text|response|solution|insert|your"
    r"|here|expression|word|final|réponse|respuesta|antwort|ответ|答案)[^<>\[\]{}()\n]{0,80}[>\]})]{1,2}"
    r"|<[A-Za-z_ ]{1,40}>|(?:your|the) (?:final )?answer(?: here)?",
    re.IGNORECASE,
)
_BOX = re.compile(r"[$\s]*+(?:\\[(\[]\s*+)?\\f?boxed\b[^\n]*\}[$\s]*+(?:\\[)\]])?", re.DOTALL)
_STEP = re.compile(  # a heading of the work
    r"\W{0,6}(?:step|part|case|explanation|solution|reasoning|note|verification|check|calculation|given"
    r"|section|question|problem|phase|schritt|étape|paso|passo|шаг|步骤|问题)\b",
    re.IGNORECASE,
)
_WORK = re.compile(r"(?:result|solution|soluzione|lösung|lösningen|oplossing)", re.IGNORECASE)
_WORDS_OF_A_RESULT = 6


@dataclass(frozen=True)
class Marked:
    """What a marker announces, with its span.

    denied: the reply says that it is not the answer. withdrawn: it takes it back.
    """

    answer: str
    start: int
    end: int
    denied: bool = False
    withdrawn: bool = False


@dataclass(frozen=True)
class _Cue:
    start: int
    end: int
    kind: str  # words, hashes or tag


@dataclass(frozen=True)
class Marker:
    """What the last marker announces, to the end of its sentence; an echoed template is nothing.

    A marker is looked for anew on the line of another ("The answer: 15 + 2. The answer is 17").
    A last marker with nothing after it is a failure, and so is one that is taken back ("The answer
    is 5. Wait, no"), or denied ("I don't think the answer is 7") where no other says more.
    Options: `words_only`, true where #### and <answer> are no markers; `stop`, as for
    answer_line@2.
    """

    words_only: bool = False
    stop: tuple[str, ...] = ("Question:", "Q:")
    _stop: re.Pattern[str] | None = field(init=False, repr=False)

    def __post_init__(self) -> None:
        if not isinstance(self.words_only, bool):
            raise ValueError(f"words_only must be true or false, got {self.words_only!r}")
        object.__setattr__(self, "_stop", stop_pattern(self.stop))

    def extract(self, reply: str, item: Item) -> Found:
        text = without_turn_tokens(reply)
        if not text.strip():
            return EMPTY
        cues = _cues(text, self.words_only)
        if not cues:
            return Found(None, "no_marker")
        stop = self._run_on(text, cues)
        if stop is not None:
            text = text[:stop]
            cues = [cue for cue in cues if cue.end <= stop]
        if not text[cues[-1].end :].strip(" \t\r\n*_`$"):
            return Found(None, "empty_marker")
        denied = None
        for marked in _marked(text, cues):
            if marked.withdrawn:
                return Found(None, "withdrawn_marker")
            if not marked.denied:
                note = None if stop is None else "truncated_runon"
                return Found(marked.answer, note, place=(marked.start, marked.end))
            denied = denied or marked
        return Found(None, "denied_marker" if denied else "no_marker")

    def _run_on(self, text: str, cues: list[_Cue]) -> int | None:
        """Where a question of the model's own begins after the first answer."""
        if self._stop is None:
            return None
        answers = (found for cue in cues[:LOOKED_AT] if (found := _announced(text, cue)))
        first = next(answers, None)
        stop = self._stop.search(text, first.end) if first else None
        return stop.start() if stop else None


def after_marker(answer: str) -> str:
    """An answer without a marker of words within it: `The answer is 27` is 27."""
    cues = _cues(answer, words_only=True)
    found = next(_marked(answer, cues), None)
    return found.answer if found and not found.denied else answer


def _cues(text: str, words_only: bool) -> list[_Cue]:
    """All places where an answer may be announced, in order."""
    found = [cue for at in _nouns(text) if (cue := _in_words(text, at))]
    if not words_only and "####" in text:
        found += [_Cue(one.start(), one.end(), "hashes") for one in _HASHES.finditer(text)]
    if not words_only and ("<" in text or "[" in text):
        found += [_Cue(one.start(), one.end(), "tag") for one in _TAG.finditer(text)]
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


def _in_words(text: str, at: int) -> _Cue | None:
    """The marker that begins at a noun."""
    said = _SAID.match(text, at)
    if said and (_NO_VERB.fullmatch(said[0].rstrip(_DRESS)) or _is_bar(text, said)):
        return None
    if said is None and _BEFORE_HEADING.search(text[max(0, at - 60) : at]):
        said = _HEADING.match(text, at)
    return _Cue(at, said.end(), "words") if said else None


def _is_bar(text: str, said: re.Match[str]) -> bool:
    """Whether the marker ends with a bar that parts no cells of a table."""
    line = text[max(0, said.start() - 80) : said.start()].rpartition("\n")[2]
    return said[0].rstrip(_DRESS).endswith("|") and not line.lstrip().startswith("|")


def _marked(text: str, cues: list[_Cue]) -> Iterator[Marked]:
    """What the markers announce, from the last one back; results of work come after answers."""
    work = []
    for cue in reversed(cues[-LOOKED_AT:]):
        found = _announced(text, cue)
        if found is None:
            continue
        if cue.kind == "words" and _WORK.match(text, cue.start):
            work.append(found)
        else:
            yield found
    yield from (one for one in work if len(one.answer.split()) <= _WORDS_OF_A_RESULT)


def _announced(text: str, cue: _Cue) -> Marked | None:
    """The answer at one marker; None where it announces none of the reply's own."""
    before = text[max(0, cue.start - 80) : cue.start]
    is_key = before[-1:] == '"' and _KEY.fullmatch(text, cue.start, cue.end) is not None
    if cue.kind == "words" and (is_key or _ANOTHERS.search(before)):
        return None
    filler = _FILLER.match(text, _after_space(text, cue.end)) if cue.kind == "words" else None
    start, end = answer_after(text, filler.end() if filler else cue.end)
    if cue.kind == "tag" and (closed := _TAG_END.search(text, cue.end)):
        start, end = cue.end, closed.start()
    answer = text[start:end]
    if text[cue.start : cue.end].rstrip(_DRESS).endswith("|"):  # a cell of a table
        answer = answer.partition("|")[0]
    answer = _unboxed(bare(answer, listed="\n" in text[cue.end : start]))
    if not answer or _TEMPLATE.fullmatch(answer):
        return None
    if cue.kind == "hashes" and (_STEP.match(answer) or not re.search(r"[\d\\$]", answer)):
        return None
    if cue.kind == "words" and (_PROSE.match(answer) or text[end : end + 1] in ("?", "\uff1f")):
        return None
    denied = cue.kind == "words" and bool(_DENIED.search(before) or _NEGATED.match(answer))
    return Marked(answer, start, end, denied, _WITHDRAWN.match(text, end) is not None)


def _unboxed(answer: str) -> str:
    """What stands in a box that is the whole answer."""
    if not _BOX.fullmatch(answer):
        return answer
    from eval_pipeline.verification.boxed import Boxed

    return Boxed().extract(answer, Item("")).answer or answer


def _after_space(text: str, at: int) -> int:
    while at < len(text) and text[at] in " \t*_":
        at += 1
    return at
