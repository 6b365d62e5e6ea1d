"""Words that multiply the number before them, in the languages that answers come in."""

from fractions import Fraction

_POWERS = {  # power of ten: its names
    2: "hundred honderd hundert hundra hundre ร้อย trăm सौ מאה 百 백 百",
    3: """
    thousand thousands tausend duizend tusen tusind tuhat tuhatta tys tsd тыс тысяч тысяча тысячи
    tysiąc tysiące tysięcy tisíc tisíce mila milhar nghìn ngàn ribu χιλιάδες χίλια พัน हज़ार हजार
    אלף אלפים ألف آلاف الف 千 천 仟
    """,
    4: "หมื่น vạn 万 萬 만",
    5: "lakh lakhs แสน लाख",
    6: """
    million millions mn mio mln millionen millones millón milhões milhão milhoes milioni milione
    миллион миллиона миллионов млн milion miliony milionů milionów miljoen miljoner miljon
    millioner miljoona miljoonaa milyon juta triệu εκατομμύρια εκατομμύριο ล้าน
    מיליון ملايين مليون मिलियन
    """,
    7: "crore crores करोड़ करोड",
    8: "亿 億 억",
    9: """
    billion billions bn bln milliarde milliarden milliard milliards mrd mld mlrd miliardi miliardo
    миллиард миллиарда миллиардов млрд miliard miliardy miliardů miliardów miljard miljarder
    miljardi miljardia milliarder milyar miliar bilhão bilhões bilhoes tỷ tỉ δισεκατομμύρια
    δισεκατομμύριο מיליארד مليار مليارات अरब
    """,
    12: """
    trillion trillions tn trn трлн триллион триллиона триллионов billones billón billionen trilhão
    trilhões trilhoes trilyon triliun τρισεκατομμύρια טריליון تريليون 조
    """,
}
# a name that is another number in another place, or another word
_SEVERAL_MEANINGS = "mil bin mille billon bilioni biliões bilion biljoen biljoner 兆 京"
_DOZENS = """
dozen dozens dutzend docena docenas douzaine douzaines dúzia dúzias dozzina dozzine дюжина дюжины
дюжин tucet tucty tucetů tuzin tuziny tuzinów dozijn dussin düzine lusin 打
"""
_PARTS = {"third": 3, "fifth": 5, "sixth": 6, "seventh": 7, "eighth": 8, "ninth": 9, "tenth": 10,
          "twelfth": 12, "hundredth": 100, "thousandth": 1000}  # fmt: skip

FACTORS: dict[str, Fraction] = {
    **{name: Fraction(10**power) for power, names in _POWERS.items() for name in names.split()},
    **dict.fromkeys(_DOZENS.split(), Fraction(12)),
    "mil millones": Fraction(10**9),
    **dict.fromkeys(("half", "halves"), Fraction(1, 2)),
    **dict.fromkeys(("quarter", "fourth"), Fraction(1, 4)),
    **{name: Fraction(1, number) for name, number in _PARTS.items()},
}
OF_PERCENT = {  # shares, as a number with a percent sign is
    **dict.fromkeys(("basis point", "bps", "bp", "‱"), Fraction(1, 100)),
    **dict.fromkeys(("per mille", "per mil", "‰"), Fraction(1, 10)),
    **dict.fromkeys(
        ("prozent", "pour cent", "por ciento", "por cento", "per cento", "процентов", "процента",
         "процент", "procent", "procenta", "prosenttia", "persen", "phần trăm", "τοις εκατό",
         "เปอร์เซ็นต์", "퍼센트", "प्रतिशत", "אחוז", "אחוזים", "بالمئة", "بالمائة", "パーセント"),
        Fraction(1),
    ),
}  # fmt: skip
UNSETTLED = frozenset(_SEVERAL_MEANINGS.split())
# what else sounds like one: quadrillion, zillions, Trilliarde
SOUNDS_LIKE_ONE = r"[^\W\d_]{0,12}(?:illi[oó]n|illiard|иллион|иллиард)[^\W\d_]{0,5}"
# 3千克 is three kilograms, and 3百 a hundred times three
IDEOGRAMS = frozenset("十百千仟万萬亿億兆京垓")
_OTHER_WORDS = "千克 千米 千瓦 千卡 千焦 千伏 千赫 千字 百分 百帕 천장 조각 만에 만큼 천천"
NO_MULTIPLE = frozenset(_OTHER_WORDS.split())
