"""Words round a label that say whether it is chosen: joined, held against, withdrawn, explained.

Pieces of regular expressions, in the languages of `answer_cues`. No piece knows a label: a rule for
one letter would give its option another chance than the rest.
"""

import re

# "B and D": two labels, one as good as the other. Of one letter only in lower case: a capital one
# is a label.
_JOIN_WORDS = (
    r"(?:and|or|und|oder|sowie|bzw\.?|et|ou|ni|oppure|ed|od|lub|oraz|albo|nebo|či|en|of"
    r"|och|eller|og|ja|tai|sekä|ve|veya|ya da|ile|dan|atau|và|hoặc|hay|și|sau|és|vagy|ili|и"
    r"|или|либо"
    r"|і|й|та|або|και|ή|או|ו|و|أو|او|یا|और|या|तथा|এবং|বা|na|au|at|plus|also|both|either"
    r"|as well as|along with|together with|and/or|followed by|as much as|así como|ainsi que"
    r"|assim como|così come|а также)"
)
_JOINED_WITHOUT_SPACES = (
    r"(?:以及|或者|或是|还是|還是|还有|還有|和|或|与|與|及|跟|同|かつ|または|又は|もしくは|と|や|か|およ?び"
    r"|또는|혹은|그리고|하고|이나|이랑|랑|와|과|나|및|และ|หรือ|กับ|و|ו-?)"
)
_HEDGES = (
    r"(?:maybe|perhaps|possibly|probably|even|also|vielleicht|auch|quizás|también|peut-être|aussi)"
)
JOIN = re.compile(
    rf"(?:\s{{0,9}}(?:[,/&+;、，；・·]|\|(?=\S)|[-–—](?=\s{{0,3}}\(?[A-Z](?![\w]))"
    rf"|(?:(?i:{_JOIN_WORDS})|[yeouia])(?!\w)|{_JOINED_WITHOUT_SPACES}"
    rf"|(?i:{_HEDGES})(?!\w))){{1,5}}+-?"
)
_BEFORE_A_LABEL = (
    r"(?:therefore|thus|hence|clearly|probably|likely|definitely|most likely|simply|indeed|both"
    r"|either|between|entweder|sowohl|beide|tanto|soit|the|correct|right|option|choice|letter"
    r"|answer"
    r"|la|le|el|il|lo|die|der|das|den|de|het|opción|lettre|letra|lettera|opzione|opção|alternativa"
    r"|buchstabe|auswahl|antwort|respuesta|réponse|correcta|вариант|буква|ответ|opcja"
    r"|odpowiedź|optie"
    r"|svar|η|το|ο)(?!\w)"
)
FILLER = re.compile(
    rf"(?:[\s*_`]{{0,20}}+(?:(?i:{_BEFORE_A_LABEL})|l['’]|a(?=\s(?:letra|opção|alternativa))"
    r"|[ao](?=\s[A-Z]\b)|选项|選項|選択肢|선택지)[ \t]?:?){0,5}+"
)

# what begins a reason or a side remark: the label before it stands
_REASONS = (
    r"because|since|as|due|given|for|which|by|if|though|although|when|while|whereas|where|with"
    r"|based"
    r"|according|per|from|not|rather than|instead of|only|weil|da|denn|porque|ya que|pues"
    r"|parce|puisque|pois"
    r"|perché|poiché|omdat|want|eftersom|för|fordi|ponieważ|bo|gdyż|protože|neboť|koska|sillä|çünkü"
    r"|karena|sebab|vì|bởi|pentru|deoarece|mert|jer"
    r"|car(?=\s(?:les?|la|l['’]|ils?|elles?|c['’]|une?|on|cette|ce|nous)\b)"
)
_BECAUSE = (
    rf"(?:{_REASONS}|so|therefore|thus|hence|but|however|in|on|at|of|aber|pero|mais|mas|ma|maar"
    r")(?!\w)"
)
_VERBS = r"(?:is|are|was|ist|es|est|é|è|är|er|jest|je|on)(?!\w)"
_SURELY = (
    r"(?:obviously|clearly|definitely|certainly|surely|probably|likely|indeed|again|here)"
    rf"(?=\s{{0,9}}(?:[.,!?;:]|\Z|{_BECAUSE}))"
)
_OPENING = (
    r"(?:The|This|That|These|It|Its|In|As|Since|Because|Explanation|Reason|Reasoning|Option|Note"
    r"|Here|Why|We|There|By|When|For|Given|Both|Only|All|Other|Others|Let|To|From|Using|If)(?!\w)"
)
_OTHER_SCRIPT = r"(?:(?![\x00-\u024f])\w)"
_SUFFIX = r"['’](?=(?:[dt][ıiuü]r|[dt][ea]n?|[ny][ıiuüea]|s[ıi])\b)"
TICKS = "✅✓✔☑🎯⭐"  # beside what is right
ENDED = re.compile(
    r"[ \t]{0,9}(?:\Z|\n|[,;!?)\]}`$–—|/\"”&。，；！？、…]|[:*_](?!\w)"
    r"|-(?![A-Za-z])|\.(?![A-Za-z]\b)"
    r"|(?<=[ \t])[(\[]|(?:→|⇒|⟶|=>)(?=\s{0,3}\(?[A-Z](?![A-Za-z]))"
    rf"|{_SUFFIX}|{_OTHER_SCRIPT}|[{TICKS}]|(?<=[ \t])(?:[A-Z](?![A-Za-z0-9])|{_BECAUSE}|{_VERBS}"
    rf"|{_SURELY}|{_OPENING}"
    rf"|(?:(?i:{_JOIN_WORDS})|[yeouia])(?!\w)))"
)
ENDED_SMALL = re.compile(
    r"[ \t]{0,9}(?:[.)]{0,2}[ \t]{0,9}(?:\n|\Z)|[,;:.](?=\s)"
    rf"|{_OTHER_SCRIPT}|(?<=[ \t])(?!(?:is|in|on|for|of|at|from|as|o|i|e)\b)(?:{_BECAUSE}"
    rf"|{_SURELY}))"
)
ENDED_TEXT = re.compile(
    r"[*_`$)\]}\"'”’>\\]{0,9}[ \t]{0,9}(?:\Z|\n|[.!?;,:](?=[\s*_`\"'”’)}\]<]|\Z)|[(–—|<]|-(?=\s)"
    rf"|[。，；！？、{TICKS}]|{_SUFFIX}|(?<=[ \t])(?!(?:of|in|on|at|for|with|and|or|per|from)\b)"
    rf"{_BECAUSE})"
)

# "B, not D", "B since D ...": the second is no choice
IN_OTHER_SCRIPT = re.compile(rf"[ \t]{{0,2}}{_OTHER_SCRIPT}")
HELD_AGAINST = re.compile(
    r"(?<!\w)(?i:not|n['’]t|never|nor|than|over|unlike|except|besides|versus|vs|instead of|why"
    r"|means"
    r"|nicht|kein|keine|statt|no|non|pas|sans|não|nie|není|niet|inte|ikke|ei|değil|bukan|tidak"
    r"|không"
    r"|не|ні|όχι|לא|ليس|لا|नहीं"
    rf"|{_REASONS}"
    r"|während|mientras|tandis|enquanto|mentre|потому|так как|поскольку|لأن|क्योंकि|כי)(?!\w)"
    r"|不|非|因|由于|由於|ではなく|じゃな|아니|왜냐|ไม่|เพราะ|~~"
)

# "B -> C", "B or rather C": the second takes the place of the first
_TURNS = (
    r"(?:or rather|rather(?! than)|or better|i mean|i meant|make that|make it|wait|hold on|actually"
    r"|hm{1,5}|sorry|oops|instead(?! of)|on second thoughts?|correction|eigentlich"
    r"|oder besser|besser|vielmehr|warte|moment|korrektur|doch|mejor dicho|más bien"
    r"|en realidad|perdón"
    r"|espera|digo|en fait|plutôt|attends|attendez|pardon|na verdade|aliás|quer dizer|melhor"
    r"|in realtà|anzi|piuttosto|aspetta|cioè|точнее|вернее|скорее|на самом деле|подождите|właściwie"
    r"|raczej|czekaj|to znaczy|spíše|vlastně|eigenlijk|liever|wacht|egentligen|snarare|itse asiassa"
    r"|aslında|daha doğrusu|bekle|sebenarnya|maksud saya|thực ra|à không|đợi đã|μάλλον|בעצם"
    r"|في الواقع|عفوا|بل|असल में|बल्कि)(?!\w)"
)
_TURNS_WITHOUT_SPACES = (
    r"(?:(?<![\w)])(?:不对|不對|等等|等一下)|更正|应该是|應該是|应为|應為|其实是?|其實是?|而是|改选|改選|いや|いえ|違う|違います|待って"
    r"|訂正|やっぱり|実は|むしろ|아니요?|잠깐|정정|사실은?|ที่จริง|เดี๋ยว)"
)
_DENIES = (  # before a pause
    r"(?:no|nope|nein|nee|nej|nei|non|não|nie|ne|нет|не|ні|ei|hayır|bukan|tidak|không|لا|नहीं"
    r"|ไม่|不|不是"
    r"|いいえ|아니요?|לא|όχι|nem|nu)(?=\s{0,9}(?:[,.!:;–—،，。、-]|\Z))"
)
TURN = re.compile(
    rf"(?<![^\W_])(?i:{_TURNS}|(?P<denial>{_DENIES}))|{_TURNS_WITHOUT_SPACES}"
    rf"|(?P<arrow>[-=]{{1,2}}>|→|⇒|⟶)"
)
# between a turn and the label that takes the place
AFTER_A_TURN = re.compile(
    r"(?:[\s.,;:!?…–—*_，。、；！？-]{0,12}+(?i:no|nope|wait|so|thus|hence|therefore|then|but|and|now"
    r"|it['’]?s|it is|it was|that['’]s|i think|i believe|i mean|it should be|it must be"
    r"|it has to be"
    r"|should be|must be|would be|is|be|es ist|ist|es|c['’]est|est|é|è|это|to jest|jest|het is"
    r"|det är"
    r"|的?是|应该是|應該是|应为|選|选|nein|non|não|нет|nie|also|de|richtig|correct"
    r"|make it|actually|rather|instead|sorry|the right one is|the correct one is)(?![A-Za-z])"
    r"){0,6}+[\s.,;:!?…–—，。、；！？-]{0,12}+"
)
# the reply takes back what it said
WITHDRAWN = re.compile(
    r"(?<![^\W_])(?i:wait,? no|no,? wait|scratch that|strike that|i (?:was|am) (?:wrong|mistaken)"
    r"|i made an? (?:mistake|error)|let me correct|(?:my|a) (?:mistake|bad)(?=[.,:!])"
    r"|i take (?:that|it)"
    r" back|i misspoke|correction(?=:)|on second thoughts?|nein,? warte|warte,? nein|korrektur"
    r"|ich habe"
    r" mich geirrt|no,? espera|espera,? no|me equivoqué|non,? attend\w{1,3}"
    r"|attend\w{1,3},? non|je me"
    r" suis trompée?|não,? espera|espera,? não|me enganei|no,? aspetta|aspetta,? no|mi sono"
    r" sbagliat[oa]|нет,? подождите|подождите,? нет|я ошиб(?:ся|лась)|nie,? czekaj|czekaj,? nie"
    r"|pomyłka|nee,? wacht|wacht,? nee)(?!\w)|(?<![\w)])(?:不对|不對)[,，。]"
    r"|我错了|我錯了|搞错了|更正|訂正|間違えました"
)
_IS = (
    r"(?:is|was|are|would be|seems|looks|must be|ist|war|wäre|es|está|est|é|está|è|jest|je|är"
    r"|er|on|adalah"
    r"|là|είναι|является)"
)
_BAD = (
    r"(?:wrong|incorrect|false|impossible|untrue|mistaken|out|eliminated|ruled out|excluded|falsch"
    r"|unrichtig|incorrect[oae]|fals[oa]|faux|fausse|errad[oa]|sbagliat[oa]|errat[oa]|неверн\w{1,3}"
    r"|неверно|неправильн\w{1,3}|błędn[aey]|zł[aey]|nieprawidłow[aey]|chybn[áéě]|nesprávn[áéě]|fout"
    r"|onjuist|fel|felaktigt|väärin|yanlış|salah|sai|λάθος|שגוי|خطأ|خاطئ|गलत|ผิด)(?!\w)"
)
_GOOD = (
    r"(?:right|correct|best|true|it|possible|the answer|an answer|richtig|correct[oae]?"
    r"|juste|cert[oa])"
)
_NOT = r"(?:not|never|nicht|pas|não|non|не|nie|niet|inte|ikke)"
DENIED_AFTER = re.compile(
    rf"[*_`)\s,]{{0,9}}+(?i:(?:(?:which|that|but (?:it|this"
    rf"|that)) )?(?:{_IS}[ \t]{{1,3}}(?:(?!not)\w{{1,12}}[ \t]{{1,3}}){{0,2}}?{_BAD}"
    rf"|(?:{_IS}(?:n['’]t|[ \t]{{1,3}}{_NOT})"
    rf"|ain['’]t)[ \t]{{1,3}}(?:(?!not)\w{{1,12}}[ \t]{{1,3}}){{0,2}}?"
    rf"{_GOOD}(?!\w)|can(?:not|['’]t| not) be(?!\w)|does(?:n['’]t| not) (?:fit|work|hold)"
    rf"|fails(?!\w)"
    rf"|(?:no|non) (?:es|è) {_GOOD}|n['’]est pas {_GOOD}|{_NOT}(?=\s{{0,9}}(?:[.!,]|\Z)))"
    r"|(?:是|も|は|이|가)?(?:错|錯|不对|不對|不正确|不正確|不可能|不是|ではな|じゃな|間違|틀|아니|아닙)|ผิด|ไม่ใช่)"
)
# "B? No": the reply answers its own question
ASKED_AND_DENIED = re.compile(
    rf"[*_`)\]\"'”’]{{0,6}}\s{{0,3}}[?？]\s{{0,9}}(?i:{_DENIES}|not|nicht|不是)(?!\w)"
)
CALLED_RIGHT = re.compile(
    r"[*_`)]{0,6}[ \t]{1,9}(?i:is|must be|would be|seems|ist|es|est|é|è|jest|är|is)[ \t]{1,9}"
    r"(?i:(?:the|indeed|clearly|actually|la|le|die|a)[ \t]{1,9}){0,3}(?:only[ \t]{1,9})?"
    r"(?i:right|correct|best|richtig|correct[oae]|corrett[oa]|corret[oa]|juste|prawidłowa|rätt)"
    r"(?:[ \t]{1,9}(?i:answer|option|choice|one))?(?=[*_`)]{0,4}[ \t]{0,9}(?:[.,;!\n]|\Z))"
)
# said of a claim by what stands before it in its clause
NO_CLAIM = re.compile(
    r"(?:(?<!\w)(?i:(?:do|did|does|ca|wo|would|could|is|was)(?:n['’]t| not)|cannot|not|never|doubt"
    r"|wrong|incorrect|false|worst|if|whether|suppose|supposing|unless|assuming|assume|imagine"
    r"|pretend"
    r"|first|initially|originally|earlier|previously|might|may|could|would|one|another|other|next"
    r"|each|every|any|nicht|falsche|wenn|falls|ob|zuerst|anfangs|no|si|primero|incorrecta|falsa"
    r"|pas|mauvaise|d['’]abord|fausse|não|se|errada|primeiro|non|sbagliata|не|если|неправильный"
    r"|неверный|сначала|nie|jeśli|niet|als|eerst|inte|om|först)"
    r"(?!\w)[^.,;:!?\n–—]{0,40}|(?:不|非|错误的?|錯誤的?|如果|若|假设|不是|もし|만약)[^。，；,.\n]{0,8})\Z"
)
# parts the words before a marker from the marker: "we cannot tell, and the answer is B"
NEW_CLAUSE = re.compile(
    r"(?<!\w)(?i:and|so|but|hence|therefore|thus|then|und|also|aber|y|pero|et|donc|mais|e|mas|и|но)"
    r"(?!\w)|--"
)
# "if it were hard, the answer would be B": of another question
WOULD = re.compile(
    r"(?<!\w)(?i:would|could|might|wäre|sería|serait|seria|sarebbe|была? бы|byłaby)(?!\w)"
)
SUPPOSED = re.compile(
    r"(?:\A|[.!?\n])[\s*_>-]{0,9}(?i:if|were|had|suppose|wenn|falls|si|se|если|jeśli|als|om)(?!\w)"
    r"[^.!?\n]{0,120}\Z"
)
NOT = re.compile(
    r"[\s*_`]{0,9}(?:(?i:definitely|certainly|clearly|probably)\s{1,9})?(?:(?i:not|never|nicht"
    r"|no|non|pas"
    r"|não|не|nie|niet|inte|ikke|ei|bukan|không phải)(?!\w)|不是|不)"
)
BUT = re.compile(
    r"[\s*_`,;)]{0,9}(?:(?i:but(?: rather)?|sondern|sino|mais|mas|bensì|ma|а|но|lecz|ale|maar"
    r"|utan|vaan"
    r"|rather|instead)(?!\w)|而是|-|—|–|→)"
)
