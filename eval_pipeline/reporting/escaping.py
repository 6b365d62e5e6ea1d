"""The one door through which untrusted text reaches a person.

Replies of models, item texts, names and judge outputs are hostile on every surface. Each function
here makes text harmless for one surface and keeps it readable; nothing else in the project may
print such text.
"""

import html
import json
import re
import unicodedata

_FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")
# Where a reader that splits at `;` or a tab, as many locales do, would begin a cell or a row.
_CELL_WITHIN = re.compile(r"([;\t\n][\s\"]*+)([=+\-@＝＋－＠]?)")
_MARKDOWN = re.compile(r"([\\`*_{}\[\]()#+\-.!|<>~&$:/@])")
# What makes a link of plain text, escaped or not: an address's mark, kept apart as code.
_LINKING = re.compile(r"(://|(?<=www)\.|@(?=[-\w]+\.))", re.IGNORECASE)
# Controls, marks that reorder or hide what stands beside them, line and paragraph separators.
_INVISIBLE = {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}


def visible(text: str, keep: str = "\n\t") -> str:
    """The text with every control, format and unassigned character shown as its escape.

    keep: control characters that stay. Zero-width joiners and direction marks are shown too:
    they can make one name look like another.
    """
    if text.isascii() and text.isprintable():
        return text
    return "".join(
        c if c in keep or unicodedata.category(c) not in _INVISIBLE else _escape(c) for c in text
    )


def shortened(text: str, width: int) -> str:
    """The text on one line, cut to `width` characters with an ellipsis."""
    line = " ".join(text.split())
    return line if len(line) <= width else line[: width - 1] + "…"


def for_html(text: str) -> str:
    """Safe as the content of an element and inside a quoted attribute."""
    return html.escape(visible(text), quote=True)


def for_markdown(text: str) -> str:
    """Safe in Dagster's markdown: no markup, no link, no HTML, one table cell.

    Addresses would become links even where each character is escaped, so their mark is a code
    span of its own.
    """
    parts = _LINKING.split(" ".join(visible(text, keep="").split()))
    escaped = [_MARKDOWN.sub(r"\\\1", part).replace("\\<", "&lt;") for part in parts[::2]]
    marks = [f"`{mark}`" for mark in parts[1::2]]
    return "".join(one for pair in zip(escaped, [*marks, ""], strict=True) for one in pair)


def for_terminal(text: str, keep: str = "") -> str:
    """Safe to print: no escape sequence, no carriage return, no hidden character.

    Print it as plain text (`rich.text.Text`), never as rich markup.
    """
    return visible(text, keep)


def for_json(document: str) -> str:
    """A JSON document, safe to print: hidden characters are shown as JSON's own escapes.

    What the document means stays the same. Line feeds stand between values only.
    """
    if document.isascii() and "\x7f" not in document:
        return document
    return "".join(
        c if c == "\n" or unicodedata.category(c) not in _INVISIBLE else _json_escape(c)
        for c in document
    )


def for_csv(text: str) -> str:
    """Safe in a spreadsheet: what would start a formula is led by an apostrophe.

    Within the text too, where a reader with another separator than the comma would cut it.
    """
    shown = _CELL_WITHIN.sub(lambda m: f"{m[1]}'{m[2]}" if m[2] else m[1], visible(text))
    if shown.lstrip(" \u00a0\u3000").startswith(_FORMULA_STARTS):
        return "'" + shown
    return shown


def _json_escape(character: str) -> str:
    return "\\u007f" if character == "\x7f" else json.dumps(character)[1:-1]


def _escape(character: str) -> str:
    code = ord(character)
    if code <= 0xFF:
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code <= 0xFFFF else f"\\U{code:08x}"
