"""Full-width, framed and mathematical letters, and brackets of all kinds, written in ASCII."""

import unicodedata

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
    **dict.fromkeys((0xAD, 0x200B, 0x200C, 0x200D, 0x2060, 0xFEFF), ""),  # of no width
    **dict.fromkeys((0xA0, 0x2007, 0x2009, 0x202F, 0x3000), " "),
}


def in_plain_letters(text: str) -> str:
    """The text with full-width and framed letters, and brackets of all kinds, written in ASCII."""
    return text if text.isascii() else text.translate(_PLAIN)
