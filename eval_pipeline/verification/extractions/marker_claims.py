"""What is said beside a marker: whose answer it is, whether it holds, whether it is one at all."""

import re

FILLER = re.compile(  # between the marker and the answer
    r"(?:(?i:therefore|thus|hence|then|clearly|simply|just|indeed|obviously|exactly|so|also|now"
    r"|equal to|given by|definitely|certainly|still|the following|as follows|below|here)"
    r"(?![^\W_])[ \t,:=*_]{0,9}|[:：=][ \t]{0,9}){1,4}+"
)
_DETERMINED = r"(?:(?:that|the|my|our|a|its)\s{1,3}|(?:final|correct|right|true)\s{1,3}){0,3}\Z"
ANOTHERS = re.compile(  # before the marker: no answer of the reply
    r"(?:\b(?:wrong|incorrect|false|previous|earlier|old|his|her|their|your|another|other|second"
    r"|third|fourth|fifth|submitted|expert|reference|intermediate|if|whether|suppose|assum\w{1,4}"
    rf"|unless|until|once|\w{{1,20}}['’]s)\s{{1,3}}{_DETERMINED}|/\Z)",
    re.IGNORECASE,
)
_SAY = r"(?:say|says|said|think|thinks|thought|claim|claims|claimed|believe|believes|guess|assume)"
DENIED = re.compile(  # before the marker
    r"(?:(?:n['’]t|\bnot|\bnever|\bcannot)\s{1,3}(?:think|believe|mean|say|see|true|the case"
    r"|certain|sure|agree|imply|guarantee|clear|possible)\w{0,4}\s{1,3}"
    r"(?:if\s{1,3}|how\s{1,3}|whether\s{1,3})?"
    r"|\bdoubt\w{0,4}\s{1,3}|\bno\s{1,3}"
    rf"|\b(?:wrong|incorrect|mistake|tempting|false|easy) to {_SAY}\s{{1,3}}"
    r"|\b(?:nobody|no one|few|some|many|others|people|students|one|you|they|he|she)\s{1,3}"
    rf"(?:[^\W\d_]{{1,12}}\s{{1,3}}){{0,2}}{_SAY}\s{{1,3}}){_DETERMINED}",
    re.IGNORECASE,
)
NEGATED = re.compile(  # where the answer begins
    r"(?:not|never|neither|no longer|nicht|pas|non|不是|не)(?![^\W_])[ \t]", re.IGNORECASE
)
INSTEAD = re.compile(
    r"(?:not|nicht)\s[^\n]{1,80}?,?\s(?:but|sondern)\s(?:rather\s)?(.{1,400})", re.IGNORECASE
)
PROSE = re.compile(  # how the answer was found or what form it has, and not what it is
    r"(?:(?:let(?:['’]?s| us| me| [a-z] be)|in order|using|consider|recall|suppose"
    r"|to (?:find|solve|determine|calculate|compute|get|answer)"
    r"|(?:we|i|you) (?:need|know|first|start|can|will|are given|must|should|compute|calculate|add)"
    r"|obtained|found|given|derived|computed|calculated|reached|determined|based|shown|supposed"
    r"|required|expected|asked|rounded|likely"
    r"|in (?:terms|form|cents|dollars|units|fact|the form|the table|the text)|by \w{1,20}ing"
    r"|(?:clear|obvious) (?:from|that|by)|an? (?:integer|number|whole number|fraction|decimal))\b"
    r"[ \t]{0,9}(?=[^\W\d_]|\Z)|first, |step \d{1,2}[:,] )",
    re.IGNORECASE,
)
WITHDRAWN = re.compile(  # after the answer
    r"[.!?…\s*]{0,9}(?:(?:hm{1,5}|uh|oh|ah)[,.…]{0,3}\s)?"
    r"(?:wait|no[,.!] (?:wait|that|actually|sorry|it|the|\d)|correction|oops"
    r"|scratch that|on second thoughts?"
    r"|(?:but |hmm,? )?(?:wait,? )?that(?:['’]s| is)"
    r" (?:wrong|not right|incorrect|not correct))(?![^\W_])",
    re.IGNORECASE,
)
_PLACEHOLDER = (
    r"(?:answer|number|value|result|letter|integer|choice|option|text|response|solution|insert"
    r"|your|here|expression|word|final|réponse|respuesta|antwort|ответ|答案)"
)
TEMPLATE = re.compile(
    rf"[.…_\s*?-]{{1,80}}|[<\[{{(]{{1,2}}[^<>\[\]{{}}()\n]{{0,80}}\b{_PLACEHOLDER}"
    r"[^<>\[\]{}()\n]{0,80}[>\]})]{1,2}|<[A-Za-z_ ]{1,40}>"
    r"|(?:your|the) (?:final )?answer(?: here)?",
    re.IGNORECASE,
)
BOX = re.compile(r"[$\s]*+(?:\\[(\[]\s*+)?\\f?boxed\b[^\n]*\}[$\s]*+(?:\\[)\]])?", re.DOTALL)
STEP = re.compile(  # a heading of the work
    r"\W{0,6}(?:step|part|case|explanation|solution|reasoning|note|verification|check|calculation"
    r"|given|section|question|problem|phase|schritt|étape|paso|passo|шаг|步骤|问题)\b",
    re.IGNORECASE,
)
WORK = re.compile(r"(?:result|solution|soluzione|lösung|lösningen|oplossing)", re.IGNORECASE)
KEY = re.compile(r'[^"\n]{1,40}"\s{0,9}:.{0,9}', re.DOTALL)  # of JSON
