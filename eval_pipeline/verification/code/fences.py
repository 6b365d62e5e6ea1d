"""Blocks of code in a reply: between fences, between tags, or bare among sentences."""

import html
import re
import textwrap
from collections.abc import Sequence
from dataclasses import dataclass

from eval_pipeline.verification.code.program_source import (
    fault_line,
    is_body,
    is_program,
    parsed,
    without_idle_ends,
)

PYTHON = re.compile(r"i?py(?:thon)?[\d.]{0,5}|pycon|python-repl|pyrepl|tool_code|[\w./-]{1,80}\.py")
MARKDOWN = frozenset(["markdown", "md"])
ENDS_TRIED = 20  # fences that may end a block whose text holds some
BEGINNINGS_TRIED = 50  # lines at which a bare program may begin
CUTS_TRIED = 50  # lines that may follow it
_FENCE = re.compile(r"(?P<indent>[ \t]*+)(?P<marks>`{3,}+|~{3,}+)[ \t]*+(?P<info>[^`]*+)")
# a fence with code after it, with words before it, and at the end of a line of code
_BEGUN = re.compile(r"([ \t]*+`{3,9}(?:python\d?|py)?)[ \t]*+((?:def|class|import|from|@)\b[^`]*+)")
_LED = re.compile(r"([^`]*[^`\s])[ \t]*(`{3,9}(?:python|py)[\d.]*+[ \t]*+)")
_ENDED = re.compile(r"([^`]*[^`\s])[ \t]*(`{3,9})[ \t]*+")
_QUOTED_FENCE = re.compile(r" {0,3}> ?[ \t]*+(?:`{3}|~{3})")
# what some models write in place of fences
_TAGGED = re.compile(
    r"<(?P<tag>code|pre|python)\b[^>\n]{0,200}>(?P<html>.*?)(?:</(?P=tag)>|\Z)"
    r"|\[(?P<name>PYTHON|BEGIN)\](?P<inside>.*?)(?:\[/PYTHON\]|\[DONE\]|\[END\]|\Z)"
    r"|\\begin\{(?P<env>lstlisting|verbatim|minted|python|code)\}(?:\[[^\]\n]{0,200}\])?"
    r"(?:\{\w{1,20}\})?(?P<latex>.*?)(?:\\end\{(?P=env)\}|\Z)",
    re.DOTALL,
)
_TAG = re.compile(r"</?(?:code|pre)\b[^>\n]{0,200}>")
_TAGS_READ = 50
# the first line of a program after words
_BEGINNING = re.compile(
    r"(?P<indent>[ \t]*+)(?:(?:async )?def \w+\s*\(|class \w+\s*[(:]|import \w|from [\w.]+ import\b"
    r"|@\w|\w+(?:, ?\w+){0,9} ?= ?\S|if __name__ ?==|print\(|(?:for|while) .{1,200}:$)"
)
# a line at the margin that only a program has
_STATEMENT = re.compile(
    r"\s*+(?:(?:async )?def \w|class \w|import \w|from [\w.]++ import\b|(?:return|assert)\b|@|#"
    r"|(?:for|while|if|elif|else|with|try|except|finally)\b.{0,400}:\s*+(?:#.*)?$"
    r"|[\w.\[\], ]{1,200}?\s{0,9}[-+*/%&|^]?=[^=]|[\w.]{1,200}\(|[)\]}])"
)
_INLINE = re.compile(r"`{1,3}(?:py(?:thon\d?)?[ \t])?([^`\n]{3,2000})`")
_PROMPTED = re.compile(r"\s{0,20}(?:>>>|\.\.\.)(?: |$)")


@dataclass(frozen=True)
class Block:
    """A text that may be a program; `tag` names its language."""

    text: str
    tag: str = ""

    @property
    def is_python(self) -> bool:
        return not self.tag or PYTHON.fullmatch(self.tag) is not None


def on_own_lines(lines: list[str]) -> list[str]:
    """The lines of a reply, its fences apart from code or words on the same line."""
    made: list[str] = []
    for line in lines:
        if "```" not in line:
            made.append(line)
        elif (begun := _BEGUN.fullmatch(line)) or (begun := _LED.fullmatch(line)):
            made += begun.groups()
        elif (ended := _ENDED.fullmatch(line)) and not _FENCE.fullmatch(line):
            made += ended.groups()
        else:
            made.append(line)
    return made


def unquoted(lines: list[str]) -> list[str]:
    """The lines of a reply that quotes its code, without the marks of the quotation."""
    if any(map(_QUOTED_FENCE.match, lines)):
        return [re.sub(r"^ {0,3}> ?", "", line) for line in lines]
    return lines


def fenced(lines: list[str]) -> tuple[list[Block], list[str]]:
    """The blocks between fences, in order, and the lines outside of all."""
    blocks: list[Block] = []
    outside: list[str] = []
    outer: list[str] = []  # fences of Markdown around the fences of code
    at = 0
    while at < len(lines):
        fence = _FENCE.fullmatch(lines[at])
        if fence is None:
            outside.append(lines[at])
            at += 1
            continue
        tag = _tag(fence["info"])
        if outer and not tag and _closes(fence, outer[-1]):
            outer.pop()
            at += 1
        elif tag in MARKDOWN:
            outer.append(fence["marks"])
            at += 1
        elif not tag and not blocks and _ends_bare_code(outside, lines, at):
            if is_program(whole := _trimmed(outside)) or is_body(whole):
                blocks.append(Block(whole))
                outside.clear()
            at += 1  # a fence that nothing opened
        else:
            end = _end(lines, at, fence)
            inside = [_outdented(line, fence["indent"]) for line in lines[at + 1 : end]]
            blocks.append(Block(_trimmed(inside), tag))
            outside.append("")
            at = end + 1
    return blocks, outside


def tagged(text: str) -> list[Block]:
    """The blocks between tags of HTML, LaTeX, and the tags of some models."""
    found = []
    for number, match in enumerate(_TAGGED.finditer(text)):
        if number == _TAGS_READ:
            break
        if match["html"] is not None:
            inside = html.unescape(_TAG.sub("", match["html"]))
        else:
            inside = match["inside"] if match["inside"] is not None else match["latex"]
        block = _trimmed(inside.split("\n"))
        if is_program(textwrap.dedent(block)) or is_body(block):
            found.append(Block(block))
    return found


def bare(lines: Sequence[str]) -> list[Block]:
    """Programs that stand among sentences without a mark."""
    found, at, tried = [], 0, 0
    while at < len(lines) and tried < BEGINNINGS_TRIED:
        begins = _BEGINNING.match(lines[at])
        if begins is None:
            at += 1
            continue
        tried += 1
        reach = _reach(lines, at, len(begins["indent"]))
        text, taken = _longest_program(lines[at:reach])
        if text:
            found.append(Block(text))
        at += max(taken, 1)
    prompted = [line for line in lines if _PROMPTED.match(line)]
    return found or [Block("\n".join(prompted))] * bool(prompted)


def body(lines: Sequence[str]) -> list[Block]:
    """The body of a function that a reply begins with, up to a sentence; not up to broken code."""
    end = next((i for i, line in enumerate(lines) if line and not line[0].isspace()), len(lines))
    if end < len(lines) and (_STATEMENT.match(lines[end]) or lines[end][0] in "'\""):
        return []
    text = _trimmed(lines[:end])
    return [Block(text)] if is_body(text) else []


def inline(text: str) -> list[Block]:
    """Programs on one line between single backticks."""
    return [Block(each) for each in _INLINE.findall(text)[:_TAGS_READ] if is_program(each)]


def is_all_code(lines: Sequence[str]) -> bool:
    """Whether every line at the margin looks like one of a program, right or not."""
    margin = [line for line in lines if line.strip() and not line[0].isspace()]
    return bool(margin) and all(map(_STATEMENT.match, margin))


def _tag(info: str) -> str:
    word = re.match(r"[\s{.]*+([^\s},:=`]*+)", info)
    return word[1].lower().rstrip(".") if word else ""


def _closes(fence: re.Match[str], marks: str) -> bool:
    same = fence["marks"][0] == marks[0] and len(fence["marks"]) >= len(marks)
    return same and not fence["info"].strip()


def _end(lines: list[str], start: int, fence: re.Match[str]) -> int:
    """The line of the fence that ends a block: the first with which it is Python, else the first.

    A text within the code may hold fences of its own.
    """
    ends: list[int] = []
    for at in range(start + 1, len(lines)):
        other = _FENCE.fullmatch(lines[at])
        if other and _closes(other, fence["marks"]):
            ends.append(at)
            if len(ends) == ENDS_TRIED:
                break
    if not ends:
        return len(lines)
    for end in ends:
        text = textwrap.dedent("\n".join(lines[start + 1 : end]))
        if parsed(text) is not None:
            return end
        if '"""' not in text and "'''" not in text:
            break  # nothing holds a fence
    return ends[0]


def _ends_bare_code(before: list[str], lines: list[str], at: int) -> bool:
    """Whether a fence without a tag stands after code, and not before it."""
    after = lines[at + 1 :]
    next_fence = next((i for i, line in enumerate(after) if _FENCE.fullmatch(line)), len(after))
    follows = "\n".join(after[:next_fence])
    if is_program(textwrap.dedent(follows)) or is_body(follows):
        return False
    text = "\n".join(before)
    return bool(bare(before)) or is_body(text) or is_program(text)


def _reach(lines: Sequence[str], start: int, indent: int) -> int:
    """Up to where lines may belong to a program that begins at a margin."""
    if not indent:
        return len(lines)
    for at in range(start, len(lines)):
        line = lines[at]
        if line.strip() and len(line) - len(line.lstrip()) < indent:
            return at
    return len(lines)


def _longest_program(lines: Sequence[str]) -> tuple[str, int]:
    """The lines up to where they stop being Python, and how many they are; "" for none."""
    kept = textwrap.dedent("\n".join(lines)).split("\n")
    for _ in range(CUTS_TRIED):
        text = "\n".join(kept)
        fault = fault_line(text)
        if fault is None:
            break
        at = min(fault, len(kept)) - 1
        while at > 0 and (not kept[at].strip() or kept[at][0].isspace() or kept[at][0] in ")]}"):
            at -= 1
        del kept[at:]
        if not kept:
            return "", 0
    else:
        return "", 0
    if not is_program(text):
        return "", len(kept)
    return _trimmed(without_idle_ends(text).split("\n")), len(kept)


def _outdented(line: str, indent: str) -> str:
    return line.removeprefix(indent) if line.startswith(indent) else line.lstrip(" \t")


def _trimmed(lines: Sequence[str]) -> str:
    return "\n".join(lines).strip("\n").rstrip()
