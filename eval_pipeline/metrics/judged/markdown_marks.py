"""How much Markdown a reply wears: headings, list entries, bold spans; what lies in code is code.

Judges and people reward such marks whatever they adorn, so rankings are read at equal marks too.
"""

import re

MARKS = ("headers", "lists", "bold")

_FENCED = re.compile(r"^ {0,3}(`{3,}|~{3,})[^\n]*\n.*?(?:^ {0,3}\1[`~]*[ \t]*$|\Z)", re.M | re.S)
_INLINE = re.compile(r"`[^`\n]+`")
_PATTERNS = {
    "headers": re.compile(r"^ {0,3}#{1,6}[ \t]+\S", re.M),
    "lists": re.compile(r"^[ \t]*(?:[-*+]|\d{1,9}[.)])[ \t]+\S", re.M),
    "bold": re.compile(r"\*\*(?=[^\s*])[^*\n]+?\*\*|(?<!\w)__(?=[^\s_])[^_\n]+?__(?!\w)"),
}


def markdown_marks(text: str) -> dict[str, int]:
    """Number of headings, of list entries and of bold spans in a text."""
    prose = _INLINE.sub(" ", _FENCED.sub("\n", text))
    return {name: len(pattern.findall(prose)) for name, pattern in _PATTERNS.items()}
