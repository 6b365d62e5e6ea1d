"""One spelling for what marks a verdict: escapes, entities and full-width signs are folded."""

import re
import unicodedata

_ESCAPES = re.compile(r"\\{1,4}(?=[\[\]<>(){}*_=~`|:])")  # of markdown, or of JSON inside JSON
_ENTITIES = {
    **dict.fromkeys(("&lt;", "&#60;", "&#x3c;"), "<"),
    **dict.fromkeys(("&gt;", "&#62;", "&#x3e;"), ">"),
    **dict.fromkeys(("&#91;", "&#x5b;", "&lbrack;", "&lsqb;"), "["),
    **dict.fromkeys(("&#93;", "&#x5d;", "&rbrack;", "&rsqb;"), "]"),
}
_ENTITY = re.compile("|".join(_ENTITIES), re.IGNORECASE)
_DOUBLE = re.compile("【【|】】")
_BRACKETS = str.maketrans(
    {"［": "[", "］": "]", "⟦": "[[", "⟧": "]]", "〚": "[[", "〛": "]]", "＜": "<", "＞": ">"}
    | {"：": ":", "＝": "="}
)

# Letters that look like Latin ones in every type face, and signs that say `better than`.
_LOOKALIKES = str.maketrans("АВСΑΒ", "ABCAB")
_SIGNS = str.maketrans({"≫": ">>", "»": ">>", "≪": "<<", "«": "<<", "≻": ">", "≺": "<"})
_INVISIBLE = re.compile("[\u00ad\u200b-\u200f\u2060\ufeff]")
_ROUND_SIGNS = re.compile(r"\s*([<>=]+)\s*")
_LESS = re.compile(r"(\w+)(<{1,2})(\w+)")
_EQUAL = re.compile(r"(\w+)==?(\w+)")


def folded(text: str) -> str:
    r"""The text with `\[\[A\]\]`, `&#91;` and `［［A］］` written as `[[A]]`, and `＞` as `>`."""
    if "\\" in text:
        text = _ESCAPES.sub("", text)
    if "&" in text:
        text = _ENTITY.sub(lambda found: _ENTITIES[found[0].lower()], text)
    if text.isascii():
        return text
    text = text.translate(_BRACKETS)
    return _DOUBLE.sub(lambda found: "[[" if found[0] == "【【" else "]]", text)


def plain(label: str) -> str:
    """A label in the form in which labels are compared: capitals, no emphasis, `B>A` for `A<B`."""
    if not label.isascii():
        label = _INVISIBLE.sub("", unicodedata.normalize("NFKC", label).translate(_SIGNS))
    label = label.strip(" \t\r\n*_`\"'“”‘’.").upper()
    if not label.isascii():
        label = label.translate(_LOOKALIKES)
    if "<" not in label and ">" not in label and "=" not in label:
        return label
    label = _ROUND_SIGNS.sub(r"\1", label)
    if less := _LESS.fullmatch(label):
        return f"{less[3]}{'>' * len(less[2])}{less[1]}"
    if equal := _EQUAL.fullmatch(label):
        return "=".join(sorted(equal.groups()))
    return label
