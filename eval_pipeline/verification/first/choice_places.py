"""Where a reply says which option it chose: after a marker, in a box, or a letter by itself.

Every repetition is bounded: a reply of nothing but marks must cost no more than its length.
"""

import re
import unicodedata
from dataclasses import dataclass

_BRACKETS = {**dict.fromkeys("【「『〔〖《〈«‹〚", "("), **dict.fromkeys("】」』〕〗》〉»›〛", ")")}
# full-width signs and letters, and letters in circles, squares and brackets
_WIDE = {code: chr(code - 0xFEE0) for code in range(0xFF01, 0xFF5F)}
_FRAMED = {
    first + i: chr(ord("A") + i)
    for first in (0x24B6, 0x249C, 0x24D0, 0x1F110, 0x1F130, 0x1F150, 0x1F170)
    for i in range(26)
}
_PLAIN: dict[int, str] = {
    **{ord(sign): plain for sign, plain in _BRACKETS.items()},
    **_WIDE,
    **_FRAMED,
    # bold, cursive and other letters of formulas
    **{code: unicodedata.normalize("NFKC", chr(code)) for code in range(0x1D400, 0x1D800)},
    **dict.fromkeys((0x200B, 0x200C, 0x200D, 0x2060, 0xFEFF), ""),  # of no width
    0x3000: " ",
}


def in_plain_letters(text: str) -> str:
    """The text with full-width and framed letters, and brackets of all kinds, written in ASCII."""
    return text if text.isascii() else text.translate(_PLAIN)


@dataclass(frozen=True)
class Place:
    """A pattern with the groups letter, close (marks after it) and rest (of the line).

    is_alone: nothing but its place says that the letter is the answer.
    """

    pattern: re.Pattern[str]
    is_alone: bool = False


_MARK = r"[*_`$(\[{\"'“‘<]|\\(?:boxed|fbox|text|textbf|mathrm|mathbf)(?![A-Za-z])|\\[(\[]"
_OPEN = rf"(?:\s{{0,40}}+(?:{_MARK})){{0,12}}+\s{{0,40}}+"
_CLOSE = r"[*_`$)\]}\"'”’>\\]{0,12}"
_LETTER = rf"{_OPEN}(?P<letter>[A-Za-z])(?![A-Za-z])(?P<close>{_CLOSE})(?=(?P<rest>[^\n]{{0,200}}))"
_SAYS = (
    r"(?:is|are|was|be|seems to be|would be|should be|must be|est|ist|es|é|è|является"
    r"|[-=]>|[:=→⇒–—|-])"  # a bar parts the cells of a table
)
_FILLER = (
    r"(?:[\s*_`]{1,20}(?i:therefore|thus|hence|clearly|probably|likely|definitely|the|option|choice"
    r"|letter)(?![A-Za-z])){0,4}+"
)
_ANSWER = (
    r"(?i:answer|choice|option|ans\.?|réponse|respuesta|resposta|risposta|antwort|lösung|ответ"
    r"|odpowiedź|odpověď|antwoord|svar|vastaus|cevap|jawaban|đáp án|απάντηση|תשובה|الجواب"
    r"|الإجابة|उत्तर|คำตอบ)"
)
_CJK = r"答案|正解|正答|答え|解答|정답|답"
PLACES = (
    Place(
        re.compile(
            rf"(?:\b{_ANSWER}|{_CJK})"
            r"(?:[*_`>\])}\"'”’]{0,6}[ \t]{0,20}"
            rf"(?i:{_SAYS}|是|为|為|選|选|は|은|는)[*_`]{{0,6}})"
            rf"{{1,4}}+{_FILLER}{_LETTER}"
        )
    ),
    Place(re.compile(rf"(?:{_CJK})[) \t]{{0,20}}{_LETTER}")),
    Place(re.compile(rf"(?:选|選)(?:择|擇)?[ \t]{{0,20}}:?{_LETTER}")),
    Place(re.compile(rf"(?:选项|選項)[ \t]{{0,20}}{_LETTER}(?=\s{{0,20}}是?(?:正确|正確|对|對))")),
    Place(
        re.compile(
            rf"\b(?i:option|choice|answer)[ \t]{{1,20}}{_LETTER}(?=\s{{1,20}}(?:is|seems|must be)"
            r"\s{1,20}(?:the\s{1,20})?(?:only\s{1,20})?(?:correct|right|best|true)\b)"
        )
    ),
    Place(
        re.compile(
            r"(?:\A|(?<=[.\n:,;])|(?<=\b[Ss]o)|(?<=\b[Tt]hus)|(?<=\b[Hh]ence))[ \t*_(]{0,20}"
            r"(?P<letter>[A-Z])(?P<close>[)*_]{0,6})\s{1,9}is\s{1,9}(?:the\s{1,9})?"
            r"(?:(?:only\s{1,9})?(?:correct|right|best)\b(?!\s{1,9}that\b)"
            r"|(?<=the\s)(?:final\s{1,9})?answer\b)"
            r"(?=(?P<rest>))"
        )
    ),
    Place(
        re.compile(
            rf"(?m)^[ \t*_>#-]{{0,9}}(?i:correct|selected|chosen|selection)[*_]{{0,4}}[ \t]?[:=|]"
            rf"{_LETTER}"
        )
    ),
    Place(re.compile(rf"\\f?box(?:ed)?{_LETTER}")),
    Place(re.compile(rf"(?i:<answer>){_LETTER}")),
    Place(
        re.compile(
            r"\b(?:[Ii]|[Ww]e)(?:['’](?:d|ll)| would| will| shall)? (?:choose|pick|select|go with)"
            rf"(?i:\s{{1,20}}(?:the )?(?:option|choice|letter|answer))?{_LETTER}"
        )
    ),
    Place(
        re.compile(
            r"(?m)^[ \t*_`$(\[#]{0,20}+(?:(?:(?i:answer|option|choice|ans\.)[ \t]{1,9}){1,2}+"
            r"[*_`$(\[]{0,9}+)?"
            r"(?P<letter>[A-Z])(?P<close>[*_`$)\]]{0,12}+)(?P<rest>[.:)]?[ \t]{0,40})$"
        ),
        is_alone=True,
    ),
    Place(
        re.compile(
            rf"\A{_OPEN}(?P<letter>[A-Za-z])(?P<close>[*_`$)\]}}.]{{0,12}})\s{{0,40}}\Z(?P<rest>)"
        )
    ),
    Place(  # the last words
        re.compile(
            r"\b(?i:so|thus|hence|therefore|it['’]s|it is|(?:I|we)(?:['’]d| would)? say),?"
            rf"{_OPEN}(?P<letter>[A-Z])(?P<close>[*_`$)\]}}]{{0,12}})[.!]?\s{{0,40}}\Z(?P<rest>)"
        )
    ),
    Place(
        re.compile(
            r"\A[\s*_`(\[]{0,20}+(?P<letter>[A-Z])(?P<close>[*_`)\]]{0,12})(?=[.:)]|(?<=\)) )"
            r"(?P<rest>[^\n]{0,200})"
        ),
        is_alone=True,
    ),
)
MORE = re.compile(r"\s*(?:,|/|&|\bor\b|\band\b)\s*(?:\band\b|\bor\b)?\W{0,3}([A-Z])\b")
ENDED = re.compile(r"\s*(?:[.,;:!?()\[\]*_`$-]|because\b|since\b|as\b|$)")
LISTED = re.compile(r"(?<![\w.])\(?([A-Z])[.:)]")  # a label as in a list of options
