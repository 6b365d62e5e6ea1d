"""What a reader of a page sees: tags and entities of HTML, folded away where they stand.

A folded text is as long as the raw one, so every place in it is a place in the raw document. An
entity becomes its character, and what is left of it is filled. A tag that stands inside words (`b`,
`em`, `a`) is filled too, any other parts words, and so does one that closes where another opens
(`</b><b>`). Comments, scripts and style sheets are no text. In text the filling is an apostrophe,
which no word keeps; in code it is a space.

`a < b and c > d` holds no tag: a tag is a name that HTML knows, and each of its attributes has a
value or is one that needs none; or any name that is closed, or whose attributes all have quoted
values. No tag holds a second `<`, so the cost is linear. Without a semicolon only those entities
are read that browsers read so. Nothing is folded twice: `&amp;lt;` is the text `&lt;`.
"""

import re
import string
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from html.entities import html5

FILLED, PARTED = "'", " "
LONGEST_LEGACY = 6  # letters of an entity that needs no semicolon
LONGEST_NAME = 32  # of any entity
MOST_DIGITS = 8  # of a character's number
REPLACEMENT = 0xFFFD

_GLUING = (  # elements that stand inside a word without parting it
    "a abbr acronym b bdi bdo big cite code data del dfn em font i ins kbd mark nobr s samp small "
    "span strike strong sub sup time tt u var wbr"
)
SILENT = ("script", "style")  # elements whose content is no text
_PARTING = (
    "address annotation applet area article aside audio base basefont blockquote body br button "
    "canvas caption center circle col colgroup datalist dd defs desc details dialog dir div dl dt "
    "ellipse embed fieldset figcaption figure footer form frame frameset g h1 h2 h3 h4 h5 h6 head "
    "header hgroup hr html iframe img input label legend li line link main map marquee math menu "
    "menuitem meta meter mfrac mi mn mo mover mpadded mphantom mroot mrow mspace msqrt mstyle msub "
    "msubsup msup mtable mtd mtext mtr munder munderover nav noframes noscript object ol optgroup "
    "option output p param path picture polygon polyline pre progress q rect rp rt ruby search "
    "section select semantics slot source stop summary svg symbol table tbody td template textarea "
    "tfoot th thead title tr track tspan ul use video xmp"
)
_BARE = (  # which need no value
    "allowfullscreen async autofocus autoplay checked compact controls declare default defer "
    "disabled formnovalidate hidden inert ismap itemscope loop multiple muted nomodule noshade "
    "novalidate nowrap open playsinline readonly required reversed selected"
)
GLUING = frozenset(_GLUING.split())
PARTING = frozenset(_PARTING.split()).union(SILENT)
BARE_ATTRIBUTES = frozenset(_BARE.split())


def unmarked(text: str) -> str:
    """A text as it is read, as long as the raw one; it may itself hold a `<` or `&`."""
    return _folded(text, FILLED, of_code=False)


def unmarked_code(text: str) -> str:
    """As `unmarked`, of code: entities with their semicolon, and tags of the elements of HTML.

    Code has its own uses for the rest, so scripts, comments and unknown names stay.
    """
    return _folded(text, PARTED, of_code=True)


def past_entity(raw: str, shown: str, end: int) -> int:
    """Where a word that ends at a place ends in the raw text: after the entity it ends with."""
    if not 0 < end < len(raw) or raw[end - 1] == shown[end - 1]:
        return end
    while end < len(raw) and raw[end] != shown[end] and raw[end] in _OF_ENTITIES:
        end += 1
        if raw[end - 1] == ";":
            break
    return end


def character_numbered(number: int) -> str:
    """The character of a numeric entity, as browsers read it."""
    if 0x80 <= number <= 0x9F:  # which are meant as Windows has them
        return bytes([number]).decode("cp1252", "ignore") or chr(number)
    if number == 0 or 0xD800 <= number <= 0xDFFF or number > 0x10FFFF:
        return chr(REPLACEMENT)
    return chr(number)


def fitted(written: int, meant: str, filling: str) -> str:
    """What stands for an entity of so many characters; a space where UTF-8 has no room for it."""
    if len(meant.encode()) > written:
        return PARTED * written
    return meant + filling * (written - len(meant))


NAMED: Mapping[str, str] = {
    name.removesuffix(";"): meant for name, meant in html5.items() if name.endswith(";")
}
LEGACY = frozenset(name for name in html5 if not name.endswith(";"))

_W = r"[ \t\n\f\r]"
_NOT_W = r" \t\n\f\r"
_OF_ENTITIES = frozenset(f"#;{string.ascii_letters}{string.digits}")
_MARK = re.compile("[<&]")
_ENTITY = re.compile(
    rf"&(?:#(?:[xX](?P<hex>[0-9a-fA-F]{{1,{MOST_DIGITS}}}+)(?![0-9a-fA-F])"
    rf"|(?P<decimal>[0-9]{{1,{MOST_DIGITS}}}+)(?![0-9]))"
    rf"|(?P<name>[A-Za-z][A-Za-z0-9]{{1,{LONGEST_NAME - 1}}}+))(?P<end>;?)"
)
_ATTRIBUTE = (
    rf"(?P<key>[^{_NOT_W}\"'<>/=]++)"
    rf"(?:{_W}*+={_W}*+(?P<value>\"[^\"<]*+\"|'[^'<]*+'|[^{_NOT_W}\"'<>]++))?+"
)
_ATTRIBUTES = re.compile(_ATTRIBUTE)
_OPENING = re.compile(
    r"<(?P<name>[A-Za-z][A-Za-z0-9:._-]*+)(?P<attributes>(?:(?:[ \t\n\f\r/]++)(?:"
    + re.sub(r"\?P<\w+>", "?:", _ATTRIBUTE)
    + r")?+)*+)>"
)
_CLOSING = re.compile(rf"</(?P<name>[A-Za-z][A-Za-z0-9:._-]*+){_W}*+>")
_OPENS = re.compile("<[A-Za-z]")
_DECLARATION = re.compile(r"<(?:![A-Za-z]|\?xml)[^<>]*+>|<!\[CDATA\[")
_ENDS: Mapping[str, re.Pattern[str]] = {
    name: re.compile(rf"</{name}{_W}*+>", re.IGNORECASE | re.ASCII) for name in SILENT
}


@dataclass
class _Page:
    """A text that is being read, and which ends it is known not to hold any more."""

    text: str
    filling: str
    of_code: bool
    endless: set[str] = field(default_factory=set)

    def end_after(self, name: str, find: Callable[[], int]) -> int:
        """Where something ends, -1 for nowhere; what once was not found is not looked for again."""
        if name in self.endless:
            return -1
        if (end := find()) < 0:
            self.endless.add(name)
        return end


def _folded(text: str, filling: str, of_code: bool) -> str:
    if "<" not in text and "&" not in text:
        return text
    page = _Page(text, filling, of_code)
    pieces: list[str] = []
    done = 0
    start = _MARK.search(text)
    while start is not None:
        at = start.start()
        read = _entity(page, at) if text[at] == "&" else _tag(page, at)
        if read:
            pieces += text[done:at], read
            done = at + len(read)
        start = _MARK.search(text, max(done, at + 1))
    return "".join([*pieces, text[done:]])


def _entity(page: _Page, at: int) -> str:
    """What stands for the entity at a place; nothing where there is none."""
    entity = _ENTITY.match(page.text, at)
    if entity is None or (page.of_code and not entity["end"]):
        return ""
    if entity["name"] is None:
        number = int(entity["hex"], 16) if entity["hex"] else int(entity["decimal"])
        return fitted(len(entity[0]), character_numbered(number), page.filling)
    name = entity["name"]
    if entity["end"] and name in NAMED:
        return fitted(len(entity[0]), NAMED[name], page.filling)
    if page.of_code:
        return ""
    for size in range(min(len(name), LONGEST_LEGACY), 1, -1):
        if name[:size] in LEGACY:
            return fitted(size + 1, html5[name[:size]], page.filling)
    return ""


def _tag(page: _Page, at: int) -> str:
    """What stands for the tag, comment or declaration at a place; nothing where there is none."""
    text = page.text
    if (closing := _CLOSING.match(text, at)) is not None:
        name = _lower(closing["name"])
        if page.of_code and name not in GLUING | PARTING:
            return ""
        glues = name in GLUING and _OPENS.match(text, closing.end()) is None
        return (page.filling if glues else PARTED) * len(closing[0])
    if (opening := _OPENING.match(text, at)) is not None:
        return _opened(page, opening)
    if page.of_code:
        return ""
    if text.startswith("<!--", at):
        end = page.end_after("-->", lambda: text.find("-->", at + 4))
        return page.filling * (end + 3 - at) if end >= 0 else ""
    declaration = _DECLARATION.match(text, at)
    return PARTED * len(declaration[0]) if declaration else ""


def _opened(page: _Page, opening: re.Match[str]) -> str:
    name = _lower(opening["name"])
    if not _is_tag(name, opening["attributes"], page.of_code):
        return ""
    size = len(opening[0])
    if name in SILENT and not page.of_code:
        ends = page.end_after(name, lambda: _end(_ENDS[name], page.text, opening.end()))
        return PARTED * (ends - opening.start() if ends >= 0 else size)
    return (page.filling if name in GLUING else PARTED) * size


def _is_tag(name: str, attributes: str, of_code: bool) -> bool:
    """Whether what has the form of a tag is one: a known name, or quoted values throughout."""
    pairs = [
        (attribute["key"], attribute["value"]) for attribute in _ATTRIBUTES.finditer(attributes)
    ]
    if name in GLUING or name in PARTING:
        return all(value is not None or _lower(key) in BARE_ATTRIBUTES for key, value in pairs)
    quoted = (value is not None and value[0] in "\"'" for _, value in pairs)
    return not of_code and bool(pairs) and all(quoted)


def _end(pattern: re.Pattern[str], text: str, start: int) -> int:
    closing = pattern.search(text, start)
    return closing.end() if closing else -1


def _lower(name: str) -> str:
    """Of ASCII alone, as HTML reads names."""
    return name.lower() if name.isascii() else name
