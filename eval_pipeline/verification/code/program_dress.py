"""What a program wears in a reply beside its code: prompts, numbers of lines, shell lines, margins.

Each piece is taken off only where the text is no Python as it stands, and is with it gone.
"""

import html
import re
import textwrap
from collections.abc import Callable
from itertools import pairwise

from eval_pipeline.verification.code.program_source import is_body, parsed

_LANGUAGE = re.compile(r"\s*(?:python\d?|py)(?:\s?copy(?: code)?)?\s*", re.IGNORECASE)
_COPY = re.compile(r"\s*(?:copy|copy code|edit)\s*", re.IGNORECASE)
_PROMPT = re.compile(r"\s{0,20}(?:>>>|\.\.\.|In \[\d{1,5}\]:|\s{0,9}\.\.\.:)(?: |$)")
_FIRST_PROMPT = re.compile(r"\s{0,20}(?:>>>|In \[\d{1,5}\]:)(?: |$)")
_SHELL = re.compile(
    r"(?P<indent>[ \t]{0,80})(?:[!%]{1,2}[A-Za-z]|\$ "
    r"|(?:sudo |python3? -m )?(?:pip3?|conda) install )"
)
_NUMBER = re.compile(r"[ \t]{0,9}(?P<number>\d{1,5})(?P<mark>[:.|)]?)(?: |\t|$)")
_MARKUP = re.compile(r"[^<&\n]{0,400}(?:<br ?/?>|</?p>|&(?:lt|gt|amp|quot);)")
_ENTITY = re.compile(r"&(?:lt|gt|amp|quot|apos|#\d{1,4});")


def without_label(text: str) -> str:
    """A block without the name of its language as a first line, as copies from pages have it."""
    lines = text.split("\n")
    first = next((i for i, line in enumerate(lines) if line.strip()), None)
    if first is None or not _LANGUAGE.fullmatch(lines[first]):
        return text
    rest = first + 1
    while rest < len(lines) and _COPY.fullmatch(lines[rest]):
        rest += 1
    return "\n".join(lines[rest:])


def undressed(text: str, is_meant: Callable[[str], bool]) -> str:
    """The program that a block holds; the block itself where none of this makes it Python.

    is_meant: whether a text that parses is what the item asks for, which tells a program at a
    margin from the body of a function.
    """
    if parsed(text) is not None:
        return text
    outdented = textwrap.dedent(text.replace("\t", "    ") if "\t" in text else text)
    if parsed(outdented) is not None and (is_meant(outdented) or not is_body(text)):
        return outdented
    if is_body(text):
        return text
    tried = text
    for step in _STEPS:
        tried = step(tried)
        if tried != text and parsed(tried) is not None:
            return tried
    return text


def is_dressed(text: str) -> bool:
    """Whether a text has lines that no Python has: then that it does not parse proves nothing."""
    lines = text.split("\n")
    strange = _FIRST_PROMPT, _SHELL, _MARKUP
    return any(pattern.match(line) for line in lines for pattern in strange)


def _with_plain_spaces(text: str) -> str:
    return re.sub("[\u00a0\u202f\u3000]", " ", text).replace("\u200b", "").replace("\ufeff", "")


def _without_entities(text: str) -> str:
    return html.unescape(text) if _ENTITY.search(text) else text


def _without_numbers(text: str) -> str:
    """Where all lines begin with their numbers."""
    lines = text.split("\n")
    found = [_NUMBER.match(line) for line in lines if line.strip()]
    numbers = [int(match["number"]) for match in found if match]
    rising = all(after == before + 1 for before, after in pairwise(numbers))
    if len(numbers) != len(found) or len(numbers) < 2 or not rising:
        return text
    return "\n".join(_NUMBER.sub("", line, count=1) for line in lines)


def _without_pluses(text: str) -> str:
    """The new lines of a difference, where all are new."""
    lines = [line for line in text.split("\n") if line.strip()]
    if not all(line.startswith("+") for line in lines):
        return text
    return "\n".join(line[1:] for line in lines)


def _without_prompts(text: str) -> str:
    """The lines after prompts, without what the interpreter answered between them."""
    lines = text.split("\n")
    if not any(map(_FIRST_PROMPT.match, lines)):
        return text
    return "\n".join(line[found.end() :] for line in lines if (found := _PROMPT.match(line)))


def _without_shell_lines(text: str) -> str:
    return "\n".join(
        f"{found['indent']}pass" if (found := _SHELL.match(line)) else line
        for line in text.split("\n")
    )


def _on_its_lines(text: str) -> str:
    """One line in which the ends of lines are spelled out."""
    return text.replace("\\n", "\n").replace('\\"', '"') if "\n" not in text.strip() else text


_STEPS: tuple[Callable[[str], str], ...] = (
    _with_plain_spaces,
    _without_entities,
    textwrap.dedent,
    _without_numbers,
    _without_pluses,
    _without_prompts,
    _without_shell_lines,
    textwrap.dedent,
    _on_its_lines,
)
