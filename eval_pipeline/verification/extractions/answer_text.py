"""Where the answer ends that begins after a marker: at the end of its line, sentence or clause.

Mathematics is never cut, and neither is a bracket that changes the answer: 3 (mod 5), 5 (or 6).
Every repetition is bounded.
"""

import re

from eval_pipeline.verification.numbers.factorials import is_factorial

MAX_CHARACTERS = 4_000  # of one answer
MAX_LINES = 40  # of a list of answers

_CLAUSE = (
    r"(?:because|since|as|so|which|where|thus|hence|therefore|after|given|meaning|i\.e\."
    r"|that is|weil|da|denn|car|parce que|puisque|porque|ya que|pois|perché|потому|так как|因为"
    r"|因為|なので)"
)
_CHANGES = (  # a bracket that begins so belongs to the answer
    r"(?:or|and|mod|modulo|pmod|if|when|where|for|in|per|each|every|not|plus|minus|times|base"
    r"|give or|thousands?|millions?|billions?|negative|excluding|including"
    r"|approx\w*|about|oder|ou|o|или)"
)
_ENDS = re.compile(
    r"(?P<whole>\$\$(?:[^$\\]|\\.){0,2000}\$\$|\\\[(?:(?!\\[\]\[]).){0,2000}\\\]"
    r"|\\\((?:(?!\\[)(]).){0,1000}\\\)|\$\s{0,5}\\f?boxed(?:[^$\\]|\\.){0,400}\$"
    r"|\$(?=\S)(?:[^$\\\n]|\\[^\n]){0,400}(?<=\S)\$(?!\d)|`[^`\n]{1,400}`)"
    r"|(?P<sentence>\.(?=[A-Z][a-z])|[.!?]{1,9}(?=[*_\"'”’)\]`]{0,6}(?:\s|\Z))|[。！？।؟۔])"
    rf"|(?P<bracket>[ \t][*_]{{0,3}}[(\[](?!\s?{_CHANGES}\b)(?=[^()\[\]\n]{{0,200}}[^\W\d_]{{3}})"
    r"(?=[^()\[\]\n]{0,200}[ \t:]))"
    rf"|(?P<clause>[,;]?[ \t]{{1,9}}{_CLAUSE}\b(?![ \t]?[=(])|[,;][ \t]{{0,9}}(?:and )?not\b"
    r"|[ \t]-[ \t](?=[A-Z][a-z])|[ \t][—–][ \t](?!(?:sin|cos|tan|log|ln|exp|sqrt)\b)[^\W\d_]{2})"
    r"|(?P<tag></(?P<name>[A-Za-z]\w{0,20}))|(?P<line>[\r\n])",
    re.DOTALL,
)
_ABBREVIATED = re.compile(
    r"(?:^|[^\w])(?:approx|ca|no|nr|st|dr|mr|mrs|ms|prof|jr|sr|sq|cu|vs|e\.g|i\.e|fig|eq|max|min|ft|mt"
    r"|u\.s|p|pp|vol|inc|co|ltd|bzw|z\.b|env)\Z",
    re.IGNORECASE,
)
_MONTH = re.compile(r"(?i:jan|feb|mär|mar|apr|mai|may|jun|jul|aug|sep|okt|oct|nov|dez|dec)")
_BULLET = re.compile(r"[ \t]{0,9}(?:[-*•+]|\d{1,2}[.)])[ \t]{1,9}(?=\S)")
_BLANK = re.compile(r"[ \t*_:#>]{0,20}(?:\r?\n[ \t>]{0,20}){1,4}(?=\S)")
_RULE = re.compile(r"(?:[-=*_]{3,80}|(?:`{3,9}|~{3,9})[\w+-]{0,20})[ \t]{0,9}(?:\n\s{0,20}|\Z)")
_GOES_ON = re.compile(
    r"(?:\r?\n[ \t]{0,9}[-+*/×÷=^]?[ \t]{0,3}[$€]?\d[\d.,]{0,30}%?[ \t]{0,9}(?=[\r\n]|\Z)){1,9}"
)
_CLOSED_EMPHASIS = re.compile(r"[*_]{1,3}(?=\s)")
_OPEN_EMPHASIS = re.compile(r"(\*{1,3}|_{1,3})(?=[^\s*_])")
_SPACE = re.compile(r"[ \t\u00a0\u3000]{1,40}")
_QUOTES = {'"': '"', "“": "”", "„": "“", "«": "»", "「": "」", "'": "'", "‘": "’"}
_LAST_WORDS = re.compile(  # of a sentence that says what the answer is: 18です
    r"(?:です|でした|である|だ|입니다|이다|[ \t](?:है|हैं|ہے|است)|['’]?(?:dir|dır|dur|dür|tir|tır))\Z"
)


def answer_after(text: str, at: int) -> tuple[int, int]:
    """The span of the answer that follows a marker which ends at `at`; an empty one for none."""
    begin = _begin(text, at)
    if blank := _BLANK.match(text, begin):
        begin = blank.end()
        if rule := _RULE.match(text, begin):
            begin = rule.end()
        if _BULLET.match(text, begin):
            return begin, _end_of_list(text, begin)
        begin = _begin(text, begin)
    return begin, _end(text, begin)


def bare(answer: str, listed: bool = False) -> str:
    """An answer without emphasis, quotes, and the last words of its sentence.

    listed: it stands on lines of its own, where a bullet is no sign of it.
    """
    lines = answer.strip().splitlines() if listed else ()
    if lines and all(bullets := [_BULLET.match(line) for line in lines]):
        return ", ".join(
            bare(line[bullet.end() :])
            for line, bullet in zip(lines, bullets, strict=True)
            if bullet
        )
    answer = _without_emphasis(answer.strip().rstrip(",;:").strip())
    if len(answer) > 1 and _QUOTES.get(answer[0]) == answer[-1]:
        answer = answer[1:-1].strip()
    if not answer.isascii():
        answer = _LAST_WORDS.sub("", answer) or answer
    return answer.strip()


def _begin(text: str, at: int) -> int:
    """Where the answer begins on the line: after white space and the end of an emphasis."""
    for _ in range(4):
        skipped = _SPACE.match(text, at) or _CLOSED_EMPHASIS.match(text, at)
        if skipped is None:
            break
        at = skipped.end()
    return at


def _end(text: str, begin: int) -> int:
    limit = min(len(text), begin + MAX_CHARACTERS)
    for found in _ENDS.finditer(text, begin, limit):
        if found["whole"]:
            continue
        before = text[begin : found.start()]
        if found["line"]:
            more = _GOES_ON.match(text, found.start())  # a column of numbers is no single one
            return more.end() if more and before.strip() else found.start()
        if found["tag"]:
            if f"<{found['name']}>" in before:  # opened within the answer
                continue
            return found.start()
        if not before.strip(" *_"):
            continue
        if found["sentence"] and not _is_end(text, begin, found):
            continue
        if not found["sentence"]:
            return found.start()
        if found[0].startswith("!."):  # a factorial, and the end of its sentence
            return found.start() + 1
        goes_on = found[0].startswith("..") or (
            found[0] == "!" and is_factorial(text, found.start())
        )
        return found.end() if goes_on else found.start()
    return limit


def _is_end(text: str, begin: int, found: re.Match[str]) -> bool:
    """Whether a full stop ends the sentence, and no abbreviation, initial or date."""
    after = text[found.end() : found.end() + 40].lstrip("*_\"'”’)]` \t")
    if not found[0].startswith(".") or not after or after[0] in "\r\n":
        return True
    word = text[max(begin, found.start() - 10) : found.start()]
    if word[-1:].isdigit():
        return _MONTH.match(after) is None
    if _ABBREVIATED.search(word):
        return False
    last = re.split(r"\W", word)[-1]
    if len(last) == 1 and last.isupper():  # J. K.
        return re.match(r"[A-Z]\.", after) is None
    return not (len(last) < 4 and after[0].islower())


def _end_of_list(text: str, begin: int) -> int:
    end = begin
    for _ in range(MAX_LINES):
        bullet = _BULLET.match(text, end)
        if bullet is None:
            break
        stop = _end(text, bullet.end())
        line_end = text.find("\n", stop)
        if line_end < 0 or _BULLET.match(text, line_end + 1) is None:
            return stop
        end = line_end + 1
    return end


def _without_emphasis(answer: str) -> str:
    if opened := _OPEN_EMPHASIS.match(answer):
        head, mark, tail = answer[opened.end() :].partition(opened[1])
        if mark:
            return (head + tail).strip()
    for mark in ("**", "__", "*", "_", "`"):
        if answer.count(mark) == 1:
            answer = answer.removeprefix(mark).removesuffix(mark).strip()
    if len(answer) > 1 and answer[0] == answer[-1] == "`" and answer.count("`") == 2:
        return answer[1:-1].strip()
    return answer
