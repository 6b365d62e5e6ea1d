"""Where a reply says which option it chose: after a marker, in a box, or an option by itself.

Every repetition is bounded: a reply of nothing but marks must cost no more than its length.
"""

import re

from eval_pipeline.verification.answer_cues import (
    NOUNS,
    NOUNS_WITHOUT_SPACES,
    OPTION_NOUNS,
    cue,
)

# ends where the option is named
DECLARED = re.compile(
    rf"{cue(f'{NOUNS}|{OPTION_NOUNS}')}|(?:{NOUNS_WITHOUT_SPACES})[) \t]{{0,20}}"
    r"|(?:选|選)(?:择|擇)?(?!项|項)[ \t]{0,20}:?|\\f?box(?:ed)?(?![A-Za-z])|(?i:<answer>)"
    r"|(?<!\w)(?:(?i:cevap|cevabı|yanıt)|उत्तर|जवाब)(?=[ \t]{1,9}\(?[A-Z](?![A-Za-z0-9]))"
    r"|(?<![^\W_])(?:(?i:answer)[ \t]{1,9}(?i:choice|option|letter)(?=[ \t]{1,9}\(?[A-Z]\b))"
)
# "(B) is the correct answer": begins where the option is named, which ends before the second
CALLED = re.compile(
    r"(?:\A|(?<=[.\n:,;])|(?<=\b[Ss]o)|(?<=\b[Tt]hus)|(?<=\b[Hh]ence))[ \t*_(>#•+-]{0,20}"
    r"(?P<letter>[A-Z])[)*_]{0,6}\s{1,9}is\s{1,9}(?:the\s{1,9})?"
    r"(?:(?:only\s{1,9})?(?:correct|right|best)\b(?!\s{1,9}that\b)"
    r"|(?<=the\s)(?:final\s{1,9})?answer\b(?!\s{1,9}that\b))"
    r"|\b(?i:option|choice|answer)[ \t]{1,20}[*_(]{0,6}(?P<named>[A-Z])[)*_]{0,6}"
    r"(?=\s{1,20}(?:is|seems|must be)\s{1,20}(?:the\s{1,20})?(?:only\s{1,20})?"
    r"(?:correct|right|best|true)\b)"
    r"|(?:选项|選項)[ \t]{0,20}(?P<chinese>[A-Z])\s{0,20}是?(?=正确|正確|对|對)"
)
SELECTED = re.compile(
    r"(?m)^[ \t*_>#-]{0,9}(?i:correct|selected|chosen|selection)[*_]{0,4}[ \t]?[:=|]"
    r"|\b(?:[Ii]|[Ww]e)(?:['’](?:d|ll)| would| will| shall)? (?:choose|pick|select|go with)\b"
)
# a line of its own: what stands before and after an option there
LINE_OPENS = re.compile(
    r"[ \t>#]{0,20}+(?:[-*+•][ \t]{1,9})?(?:[ \t]{0,9}(?:(?i:answer|option|choice|ans\.)[ \t]{1,9}){1,2}+)?"
)
LINE_ENDS = re.compile(r"[ \t.:!。*_`$)\]]{0,40}+(?=\n|\Z)")
LAST_WORDS = re.compile(
    r"(?<!\w)(?i:so|thus|hence|therefore|it['’]s|it is|(?:I|we)(?:['’]d| would)? (?:say|think|believe|"
    r"guess)|(?:it )?(?:must|would|should) be|es ist|c['’]est|es la|è la|это|это|是|就是|は),?"
)
LISTED = re.compile(r"(?<![\w.])\(?([A-Z])[.:)]|(?<![\w.])\(?([a-z])\)")  # a label as in a list of options
SENTENCE_ENDS = re.compile(r"[*_`$)\]}]{0,12}[ \t]{0,9}(?:[.!](?=\s|\Z)|\n|\Z)")
BEGINNING = re.compile(
    r"[\s*_`(\[]{0,20}+(?:[A-Z][*_`)\]]{0,12}(?:[.:)]|(?<=\)) )|[a-z][*_]{0,3}\))"
)
