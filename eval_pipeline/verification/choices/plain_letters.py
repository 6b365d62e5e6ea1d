"""Full-width, framed and mathematical letters, and brackets of all kinds, written in ASCII."""

import re
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
_STRUCK = re.compile(r"~~[^~\n]{1,200}~~|<(s|del|strike)>[^<\n]{1,200}</\1>")
_BREAK = re.compile(r"\r\n?|(?i:<br ?/?>|</?(?:p|div|li|ul|ol|h[1-6]|pre|td|tr|table)>)")
_TAG = re.compile(r"</?(?:b|i|u|em|strong|span|code|tt|font|mark|center)>")


def in_plain_letters(text: str) -> str:
    """The text with full-width and framed letters, and brackets of all kinds, written in ASCII."""
    return text if text.isascii() else text.translate(_PLAIN)


def unmarked(text: str) -> str:
    r"""The text without tags of HTML and without what it strikes out, its lines ended by \n."""
    if "~~" in text or "</" in text:
        text = _TAG.sub("", _STRUCK.sub("", text))
    return _BREAK.sub("\n", text) if "\r" in text or "<" in text else text
