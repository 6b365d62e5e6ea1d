"""Numbers in English words, written in figures: twenty-one is 21, three million 3000000."""

import re

_ONES = """
zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen
sixteen seventeen eighteen nineteen
"""
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety"
_VALUES = {
    **{word: i for i, word in enumerate(_ONES.split())},
    **{word: 20 + 10 * i for i, word in enumerate(_TENS.split())},
}
_SCALES = {"thousand": 10**3, "million": 10**6, "billion": 10**9, "trillion": 10**12}
_ANY = "|".join(sorted([*_VALUES, *_SCALES, "hundred"], key=len, reverse=True))
_NUMBER = re.compile(rf"\b(?:{_ANY})(?:(?:\s+and\s+|\s*-\s*|\s+)(?:{_ANY}))*\b", re.IGNORECASE)
_SCALED = re.compile(
    r"(?<![\w.,])(\d{1,15})(?:\.(\d{1,12}))?\s+(thousand|million|billion|trillion)\b", re.IGNORECASE
)
_PARTS = {"half": 2, "third": 3, "quarter": 4, "fourth": 4, "fifth": 5, "sixth": 6, "eighth": 8,
          "tenth": 10}  # fmt: skip
_OF_ONE = "half|third|quarter|dozen|hundred|thousand|million|billion|trillion"
_ONE_OF = re.compile(rf"\ba\s+(?=(?:{_OF_ONE})\b)", re.IGNORECASE)
_HALF_A = re.compile(
    r"\bhalf\s+(?:an?|1)\s+(?=(?:dozen|million|billion|trillion)\b)", re.IGNORECASE
)
_MIXED = re.compile(rf"\b(\d+)\s+and\s+(\d+)[\s-]({'|'.join(_PARTS)})s?\b", re.IGNORECASE)


def figures(text: str) -> str:
    """The text with numbers in words replaced by digits; what is no number is left as it is."""
    text = _NUMBER.sub(
        _in_digits, _SCALED.sub(_scaled, _HALF_A.sub("0.5 ", _ONE_OF.sub("1 ", text)))
    )
    return _MIXED.sub(lambda m: f"{m[1]} {m[2]}/{_PARTS[m[3].lower()]}", text)


def _in_digits(match: re.Match[str]) -> str:
    """Digits for a run of number words; the run itself where the words make no number."""
    total, group, last = 0, 0, 10**15
    words = [w for w in re.split(r"[\s-]+", match[0].lower()) if w != "and"]
    small = 100  # below this a word may still be added: twenty-one, but not one twenty
    for word in words:
        if word == "hundred":
            if not 0 < group < 10:
                return match[0]
            group, small = group * 100, 100
        elif word in _SCALES:
            scale = _SCALES[word]
            if not group or scale >= last:
                return match[0]
            total, group, last, small = total + group * scale, 0, scale, 100
        else:
            value = _VALUES[word]
            if value >= small or (value == 0 and len(words) > 1):
                return match[0]
            group += value
            small = 10 if value >= 20 else 0
    return str(total + group)


def _scaled(match: re.Match[str]) -> str:
    whole, part, scale = match[1], match[2] or "", _SCALES[match[3].lower()]
    value = int(whole + part) * scale
    if value % 10 ** len(part):
        return match[0]
    return str(value // 10 ** len(part))
