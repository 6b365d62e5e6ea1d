"""The usual ways to say "the answer is", in the languages that extractions know.

Pieces of regular expressions. Each repetition is bounded, so that a search costs no more than the
text is long. All but `SIGNS` and the nouns written without spaces are words with an end.
"""

import re

NOUNS = (
    r"(?:answer|ans|result|solution|réponse|respuesta|resposta|gabarito|risposta|soluzione"
    r"|antwort|lösung|ответ(?:ом)?|відповідь|отговор|odpowiedź|odpověď|odpoveď|odgovor"
    r"|antwoord|oplossing"
    r"|svar|svaret|lösningen|vastaus|cevap|cevabı|yanıt|jawaban(?:nya)?|jawapan|đáp án|câu trả lời"
    r"|răspuns(?:ul)?|válasz|απάντηση|התשובה|תשובה|الجواب|الإجابة|جواب|پاسخ|उत्तर|जवाब|উত্তর"
    r"|பதில்|సమాధానం|jibu|sagot)"
)
OPTION_NOUNS = (
    r"(?:option|choice|letter|opción|opção|opzione|alternativa?|alternative|letra|lettera|lettre"
    r"|buchstabe|auswahl|вариант|буква|варіант|opcja|možnost|optie|alternativet|vaihtoehto"
    r"|seçenek|şık|pilihan|lựa chọn|επιλογή|אפשרות|الخيار|विकल्प|ตัวเลือก)"
)
NOUNS_WITHOUT_SPACES = r"(?:答案|正解|正答|答え|解答|回答|答|정답|답변|답|คำตอบ)"
# words between the noun and what says that the answer follows
_QUALITIES = (
    r"(?:here|now|then|therefore|thus|hence|finally|correcte?s?|correcta|correta|corretta"
    r"|corecta?|exacte"
    r"|juste|certa|giusta|exact[ae]|exata|finale?|definitiva|richtig|yang|benar|tepat|akhir"
    r"|đúng|cuối cùng|chính xác"
    r"|הנכונה|הסופית|الصحيحة|الصحيح|النهائية|النهائي|صحیح)"
)
_ABOUT = r"(?:[ \t]{1,9}(?:to|for|among|of|from|in)[ \t](?:[\w'’()+×*/^-]{1,20}[ \t]{1,3}){0,8}?)"
VERBS = (
    r"(?:is|are|was|were|be|seems to be|appears to be|would be|will be|should be|must be|has to be"
    r"|equals|est|sont|serait|doit être|ist|sind|lautet|wäre|es|son|sería|debe ser|é|são|seria|è"
    r"|sono|sarebbe|является|будет|рав(?:ен|на|но|ны)|это|є|це|(?<=ź[ \t])to|je|jest|brzmi|zijn"
    r"|är|er"
    r"|(?<=vastaus[ \t])on|olan|adalah|ialah|là|este|είναι"
    r"|היא|הוא|هي|هو|है|ہے|است|คือ|ni)(?!\w)"
)
SIGNS = r"(?:[-=]{1,2}>|⇒|→|[:：]|=|\|)"
_DASH = r"[ \t]{1,9}+[-–—](?=[ \t])"  # parts noun and answer; anywhere else it is a minus sign
_VERBS_WITHOUT_SPACES = r"(?:应该是|應該是|应为|應為|应是|应选|是|为|為|選|选|は|이|가|은|는|คือ)"
MARKS = r"[*_`>\])}\"'”’」』】]{0,6}"
_SAYS = (
    rf"(?:{MARKS}(?:{_DASH}|\s{{0,9}}+(?:(?i:{VERBS})|{SIGNS}|{_VERBS_WITHOUT_SPACES}))[*_`]{{0,6}}"
    rf"(?:{MARKS}\s{{0,9}}+(?:(?i:{VERBS})|{SIGNS}|{_VERBS_WITHOUT_SPACES})[*_`]{{0,6}}){{0,3}}+)"
)


def cue(nouns: str) -> str:
    """A piece that stands for one of the nouns, what qualifies it, and a word or sign for "is"."""
    named = rf"(?:(?<![^\W_])(?i:{nouns})(?!\w)(?:(?<=[Aa]ns)\.)?|{NOUNS_WITHOUT_SPACES})"
    quality = rf"(?:(?i:{_QUALITIES})(?!\w)|ที่ถูก(?:ต้อง)?)"
    return rf"{named}(?:{MARKS}[ \t]{{0,9}}{quality}){{0,3}}{_ABOUT}?{_SAYS}"


# ends where the answer begins, but for white space and marks of emphasis
ANSWER_CUE = re.compile(cue(NOUNS))
