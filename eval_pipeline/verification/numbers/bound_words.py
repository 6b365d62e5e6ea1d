"""Words at a number's side that say it is not the value, in the languages that answers come in.

Each table is one regular expression: a line break means nothing, and a space any white space.
"""

# it is denied: not 7
NEGATIONS = r"""
not|never|neither|nor|cannot(?: be)?|without|except(?: for)?|other than|instead of|rather than
|unlike|nicht|kein(?:e[nrms]?)?|niemals|statt|n'est pas|pas|jamais|au lieu de|sauf|ni|nunca|jamás
|en vez de|no (?:es|son)|não|nunca|em vez de|exceto|non(?: è)?|invece di|tranne|не|никогда|нет
|кроме|nie|nigdy|zamiast|není|nikoliv|niet|geen|inte|icke|ikke|ej|ei ole|değil|bukan|tidak
|không(?: phải)?|όχι|δεν(?: είναι)?
"""
# it is a bound: at most 7
BOUNDS = r"""
(?:at|the) (?:most|least|minimum|maximum)|(?:more|less|fewer|greater|larger|smaller|bigger|higher
|lower|other|better|worse|older|younger|longer|shorter|taller|later
|earlier) than(?: or equal to)?|(?:greater|less) or equal to|up to|no more than|over|under|above
|below|beyond|exceed(?:s|ing)?|almost|nearly|barely|not quite|just (?:over|under|above|below
|short of)|close to|min(?:imum)?|max(?:imum)?|minimum of|maximum of|as (?:many|much|few
|little) as|from|starting at|beginning at|approaching|within|mindestens|höchstens|maximal|minimal
|mehr als|weniger als|größer als|kleiner als|über|unter|fast|bis zu|beinahe|au moins|au plus
|plus (?:de|que)|moins (?:de|que)|supérieure? à|inférieure? à|jusqu'à|presque|(?:au )?maximum
|al menos|por lo menos|a lo sumo|como máximo|como mínimo|más (?:de|que)|menos (?:de|que)
|mayor(?:es)? (?:de|que|a)|menor(?:es)? (?:de|que|a)|hasta|casi|superior a|inferior a|pelo menos
|ao menos|no máximo|no mínimo|mais (?:de|que|do que)|maior(?:es)? (?:do )?que|até|quase|almeno
|al massimo|al minimo|più di|meno di|maggiore di|minore di|fino a|quasi|oltre|superiore a
|inferiore a|не (?:менее|более|меньше|больше)(?: чем)?|минимум|максимум|как минимум
|по крайней мере|более(?: чем)?|менее(?: чем)?|больше(?: чем)?|меньше(?: чем)?|свыше|до|почти
|co najmniej|co najwyżej|najwyżej|przynajmniej|więcej niż|mniej niż|ponad|poniżej|prawie|alespoň
|nejvýše|nejméně|více než|méně než|přes|téměř|skoro|minstens|hoogstens|ten minste|ten hoogste
|meer dan|minder dan|groter dan|kleiner dan|bijna|maximaal|minimaal|minst|högst|mer än|mindre än
|större än|nästan|högst|mere end|mindre end|mer enn|mindre enn|nesten|næsten|vähintään|enintään
|yli|enemmän kuin|vähemmän kuin|lähes|melkein|korkeintaan|en az|en fazla|en çok|setidaknya
|paling (?:banyak|sedikit)|lebih dari|kurang dari|hampir|minimal|maksimal|ít nhất|nhiều nhất|hơn
|dưới|trên|tối đa|tối thiểu|gần|τουλάχιστον|το πολύ|πάνω από|κάτω από|περισσότερ\w{1,3} από
|λιγότερ\w{1,3} από|σχεδόν
"""
# the same in scripts that set no space before a number, or have words of their own
UNSPACED = r"""
不是|并非|並非|而非|不等于|不等於|不为|不為|不|非|未|没有|沒有|不到|不足|不超过|不超過|不少于
|不多于|不大于|不小于|至少|至多|最多|最少|超过|超過|多于|少于|大于|小于|大於|小於|高于|低于|接近
|将近|百分之|千分之|除以|乘以|减去|加上|模|ではなく|ではない|最大で?|最小で?|少なくとも|多くとも
|百分の|아니라|아닌|최소|최대|적어도|많아야|거의|백분의|ไม่ใช่|ไม่|อย่างน้อย|มากที่สุด|มากกว่า
|น้อยกว่า|ไม่เกิน|เกิน|เกือบ|ร้อยละ|รากที่สองของ|ليس(?:ت)?|لا|غير|على الأقل|على الأكثر|أكثر من
|أقل من|לא|לפחות|לכל היותר|יותר מ-?|פחות מ-?|כמעט|नहीं|कम से कम|अधिक से अधिक|से अधिक|से कम
"""
# something is done with it: the root of 7
OPERATIONS = r"""
plus|minus|times|divided by|multiplied by|mod(?:ulo|ulus)?|base|power(?: of)?
|log(?:arithm)?(?: of)?|ln|lg|exp|sin|cos|tan|cot|sec|csc|arcsin|arccos|arctan|gcd|lcm|det|floor
|ceil(?:ing)?|(?:square|cube|fourth|[A-Za-z]th)? ?roots?(?: of)?|sqrt|cbrt|factorial(?: of)?
|(?:half|third|quarter|double|twice|triple|thrice|square|cube|percent|reciprocal|inverse
|absolute value|negation|opposite|logarithm)s?(?: of)|twice|double|triple|half|pi|modulus
|wurzel(?: aus)?|mal|geteilt durch|racine(?: carrée)? de|fois|divisé par|multiplié par
|raíz(?: cuadrada)? de|dividido (?:entre|por)|multiplicado por|raiz(?: quadrada)? de|vezes
|radice(?: quadrata)? di|per cento di|diviso|корень(?: из)?|разделить на|умножить на
|pierwiastek(?: z)?|odmocnina(?: z)?|yüzde
"""
# after it: 7 or more
MORE = r"""
below (?:zero|freezing)|under zero|bajo cero|unter null|sous zéro|abaixo de zero|sotto zero
|ниже нуля|(?:or|and|oder|und|ou|et|o|y|e|или|и|lub|i|nebo|a|of|en|eller|och|og|tai|ja|veya|ve
|atau|dan|hoặc|ή|או|أو|या)\s(?:more|less|fewer|greater|higher|lower|larger|smaller|over|under
|above|below|up|upwards?|older|younger|counting|mehr|weniger|größer|kleiner|höher|plus|moins
|davantage|más|menos|mayor|menor|mais|maior|più|meno|oltre|больше|меньше|более|менее|выше|więcej
|mniej|více|méně|meer|minder|mer|fler|færre|flere|mere|mindre|enemmän|vähemmän|daha (?:fazla|az)
|fazlası|lebih|kurang|(?:nhiều|ít) hơn|περισσότερ\w{1,3}|λιγότερ\w{1,3}|יותר|פחות|أكثر|أقل|अधिक
|कम)|at (?:most|least|the (?:most|least|latest|earliest))|(?:min(?:imum)?|max(?:imum)?|tops)
|mindestens|höchstens|au (?:moins|plus)|como (?:máximo|mínimo)|no (?:máximo|mínimo)|al (?:massimo
|minimo)|trở lên|trở xuống|या अधिक|से अधिक|से कम
"""
# after it, with at most two letters between: 7个以上
MORE_UNSPACED = r"""
(?:\s?[^\W\d_A-Za-z]{0,2}?)(?:半|以上|以下|未満|未满|以内|以外|不足|余り|多个|多|余|이상|이하
|미만|초과|이내|ขึ้นไป|หรือมากกว่า|หรือน้อยกว่า|ではない|ではありません|じゃない|이 아니|가 아니
|아닙니다|是错|不对|不是|不正确|是錯|不對)
"""
# after it: 7 is wrong
DENIED = r"""
(?:is|was|are|were|would be|seems|looks)(?:\sdefinitely|\sclearly|\salso|\stherefore
|\sthus)?(?:n't|\snot|\snever)?\s(?:an?\s|the\s)?(?:wrong|incorrect|false|impossible|invalid
|mistaken|untrue|(?:in)?correct|right|true|possible|valid|answer|case|result|solution)|(?:is|was
|are|were)(?:n't|\snot)\s{0,9}[.!?]?$|does(?:n't|\snot) (?:work|hold|equal|satisfy|fit)|can(?:'t
|\s?not) be|ist (?:nicht|falsch)|n'est pas|est (?:faux|incorrect)|no es|es (?:incorrect[oa]
|fals[oa])|não é|está errad[oa]|non è|è sbagliat[oa]|не(?:верно|правильно)|неверный|nie jest|není
|is niet|är inte|er ikke|ei ole|değil|bukan|không (?:phải|đúng)|δεν είναι
"""
# after it: 7 squared
OPERATED = r"""
and (?:an?|one|two|three) (?:half|halves|third|quarter|fourth|fifth|eighth|tenth)s?
|point (?:zero|oh|one|two|three|four|five|six|seven|eight|nine)
|et demie?|y medi[oa]|e mei[oa]|e mezz[oa]|с половиной|und ein(?:e
|en)? (?:halb\w{0,2}|viertel)|squared|cubed|factorial|mod(?:ulo|ulus)?|base|choose|plus|minus
|divided by|multiplied by|times [b-z]|times pi|over [a-z]|to the (?:power|[A-Za-z0-9]{1,6}th)
|raised to|pi|elevado|al cuadrado|au carré|hoch|al quadrato
"""
