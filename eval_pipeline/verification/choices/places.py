"""Where a reply says which option it chose: after a marker, in a box, or an option by itself.

Every repetition is bounded: a reply of nothing but marks must cost no more than its length.
"""

import re

from eval_pipeline.verification.choices.words import CALLED_RIGHT, JOIN, TICKS
from eval_pipeline.verification.extractions.answer_cues import (
    NOUNS,
    NOUNS_WITHOUT_SPACES,
    OPTION_NOUNS,
    cue,
)

# ends where the option is named
DECLARED = re.compile(
    rf"{cue(f'{NOUNS}|{OPTION_NOUNS}')}[,、]?|(?:{NOUNS_WITHOUT_SPACES})[) \t]{{0,20}}"
    r"|(?:选|選)(?:择|擇)?(?!项|項)[ \t]{0,20}:?|\\f?box(?:ed)?(?![A-Za-z])|(?i:<answer>)"
    # a heading, and what is said before the noun: ist die richtige Antwort B
    r"|(?m:^[ \t#>*_]{0,12}+(?:[^\W\d_]{1,12}[ \t]{1,3}){0,2}"
    rf"(?!(?i:solution|result|soluzione|lösung))(?i:{NOUNS})[ \t*_:]{{0,9}}(?=\n))"
    r"|(?<!\w)(?i:richtige|korrekte)[ \t](?i:antwort)"
    r"(?=[ \t]{1,9}[*_(]{0,4}[A-Z][)*_]{0,4}(?:[.,!\n]|\Z))"
    r"|(?:正确|正確|正しい|最佳|옳은)的? ?"
    r"(?:选项|選項|选择|選擇|選択肢|선택지)[是为為は은는: ]{1,3}"
    r"|(?<!\w)(?:(?i:cevap|cevabı|yanıt)|उत्तर|जवाब)(?=[ \t]{1,9}\(?[A-Z](?![A-Za-z0-9]))"
    r"|(?<![^\W_])(?:(?i:answer)[ \t]{1,9}(?i:choice|option|letter)(?=[ \t]{1,9}\(?[A-Z]\b))"
)
# "(B) is the correct answer": the option is named within it
CALLED = re.compile(
    r"(?:\A|(?<=[.\n:,;])|(?<=\b[Ss]o)|(?<=\b[Tt]hus)|(?<=\b[Hh]ence))[ \t*_(>#•+-]{0,20}"
    r"(?P<letter>[A-Z])[)*_]{0,6}\s{1,9}is\s{1,9}(?:the\s{1,9})?"
    r"(?:(?:only\s{1,9})?(?:correct|right|best|(?<=the\s)most\s{1,9}(?:accurate|appropriate"
    r"|likely|plausible|suitable|probable|reasonable)(?=\s{0,3}[.!]|\s{1,9}(?:answer|option|choice)\b))\b"
    r"(?!\s{1,9}that\b)"
    r"|(?<=the\s)(?:final\s{1,9})?answer\b(?!\s{1,9}that\b))"
    rf"|(?<!\w)(?i:{NOUNS}|{OPTION_NOUNS})[ \t]{{1,20}}[*_(]{{0,6}}(?P<named>[A-Z])(?![A-Za-z0-9])"
    rf"(?=[)*_]{{0,6}}(?:{CALLED_RIGHT.pattern}|\s{{1,20}}(?:is|seems"
    rf"|must be)\s{{1,20}}(?:the\s{{1,20}})?"
    r"(?:only\s{1,20})?(?:correct|right|best|true)\b))"
    r"|(?<![A-Za-z0-9])(?P<asian>[A-Z])(?:选项|選項|项|項)?是?(?:正确|正確|对的|對的)(?![吗性与的地])"
    r"|(?<![A-Za-z0-9])(?P<japanese>[A-Z])[がは](?:正解|正しい|正答)"
    r"|(?<![A-Za-z0-9])(?P<korean>[A-Z])[번]?[가이은는]{0,2} ?(?:정답|맞)"
)
SELECTED = re.compile(
    r"(?m)^[ \t*_>#-]{0,9}(?i:correct|final|selected|chosen|selection)[*_]{0,4}[ \t]?[:=|]"
    r"|\b[Ll]et['’]s (?:choose|pick|select|go with)\b|\b(?:I['’]m|I am) going with\b"
    r"|\b(?i:my) (?:pick|guess|vote|selection|bet) (?:is|would be)\b"
    r"|\b(?:[Ii]|[Ww]e)(?:['’](?:d|ll)| would| will| shall)? (?:choose|pick|select|go with)\b"
    r"|(?<!\w)(?i:wähle|choisis|elijo|escojo|escolho|scelgo|выбираю|обираю|wybieram|vybírám|kies"
    r"|väljer|vælger|valitsen|seçiyorum|pilih|chọn|επιλέγω)(?!\w)|ตอบ|เลือก"
    r"|(?<!\w)(?i:richtig|korrekt)[ \t]{1,3}(?:ist|wäre)(?!\w)"
    r"|(?<!\w)(?i:doğru seçenek|doğru şık)(?!\w)"
)
_TICKED = rf"(?:[{TICKS}👉➡→∴]\ufe0f?[ \t]{{0,3}})"
# a line of its own: what stands before and after an option there
LINE_OPENS = re.compile(
    rf"[ \t>#]{{0,20}}+(?:[-*+•][ \t]{{1,9}})?{_TICKED}?(?:(?i:assistant|response|model)[ \t]?:)?"
    r"(?:[ \t]{0,9}(?:(?i:answer|option|choice"
    r"|ans\.)[ \t]{1,9}){1,2}+)?"
)
LINE_ENDS = re.compile(rf"[ \t.:;,!。*_`$)\]{TICKS}\ufe0f]{{0,40}}+(?=\n|\Z)")
TEXT_BELOW = re.compile(r"\n[ \t>]{0,9}[^\s*_=~`#>-]")
LAST_WORDS = re.compile(
    r"(?<!\w)(?i:so|thus|hence|therefore|it['’]s|it is|(?:I|we)(?:['’]d| would)? (?:say|think"
    r"|believe|"
    r"guess)|(?:it )?(?:must|would|should) be"
    r"|(?:is|corresponds? to|match(?:es)?)(?= (?:option|choice)\b)"
    r"|es ist|c['’]est|es la|è la|это|это|是|就是|は),?"
)
LISTED = re.compile(
    r"(?<![\w.])\(?([A-Z])[.:)]|(?<![\w.])\(?([a-z])\)"
)  # a label as in a list of options
SENTENCE_ENDS = re.compile(r"[*_`$)\]}]{0,12}[ \t]{0,9}(?:[.!](?=\s|\Z)|\n|\Z)")
_LABEL_BEGINS = r"[\s*_`(\[>#]{0,20}+(?:[-•][ \t])?[*_(]{0,4}[A-Z][*_`)\]]{0,12}"
_BECAUSE = (
    r"(?:;?\s*\Z|\s{1,3}[–—-]\s|,?\s{1,3}(?i:because|since|as|weil|porque|parce|pois|perché|потому"
    r"|i think|i believe|i guess)(?!\w)|[,\s]{0,3}因[为為])"
)
BEGINNING = re.compile(rf"{_LABEL_BEGINS}(?:[.:)]|(?<=\)) |{_BECAUSE})")
BEGINNING_OF_A_PARAGRAPH = re.compile(_LABEL_BEGINS + _BECAUSE)
BECAUSE = re.compile(_BECAUSE)
# one point of several: (i), a), (b)
ENUMERATED = re.compile(r"(?m)^[ \t]{0,9}\(?(?:[a-z]|i{2,3}|iv|vi{1,3})\)")
PARAGRAPH = re.compile(r"\n(?=[^\s])")
# between two markers that are one list: "\\boxed{A} and \\boxed{B}"
JOINED = re.compile(
    rf"[\s*_`$)}}\]]{{0,9}}+(?:{JOIN.pattern})?+[\s*_`$({{\[]{{0,9}}(?:(?i:the)\s)?"
)
ALSO = re.compile(
    r"[\s*_]{0,9}(?:(?i:also|auch|también|aussi|também|anche|также)(?!\w)|也[是为]?|も|또한)"
)
NONE = re.compile(
    r"[\s*_(\"'“$]{0,9}(?:\\text\{)?(?i:none(?!\w)|neither(?!\w)|not (?:listed|given|among"
    r"|available|provided)"
    r"|no (?:correct )?(?:option|answer|choice)|keine[rs]?(?!\w)|aucune?(?!\w)|ningun[oa]"
    r"|nenhum|nessun"
    r"|ни одн|żadn)|以上(?:都|皆)(?:不|非)|都不"
)
