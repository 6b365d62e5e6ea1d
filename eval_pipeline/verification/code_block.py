"""`code_block@2`: the program in a reply, fenced or not."""

import ast
import html
import re
from dataclasses import dataclass

from eval_pipeline.verification.extraction import EMPTY
from eval_pipeline.verification.verdict import Found, Item

PYTHON_TAGS = ("", "py", "python", "python3")
_FENCE = re.compile(r"^ {0,3}(?P<marks>```+|~~~+)[ \t]*(?P<tag>[^\s`]*)[^\n`]*$")
_QUOTED_FENCE = re.compile(r"^ {0,3}> ?(?:```+|~~~+)")
_INDENTED_FENCE = re.compile(r"^[ \t]+(?:```+|~~~+)")
# what some models write in place of fences
_TAGGED = re.compile(
    r"<code[^>\n]{0,200}>(?P<html>.*?)(?:</code>|\Z)|\[(?P<name>PYTHON|BEGIN)\](?P<inside>.*?)"
    r"(?:\[/PYTHON\]|\[DONE\]|\[END\]|\Z)",
    re.DOTALL,
)
# marks of a turn that belong to no text, and signs of no width
_AROUND = re.compile(r"\A(?:\s|<\|\w{1,40}\|>)*<\|\w{1,40}\|>|(?:<\|\w{1,40}\|>|</s>)\s*\Z")
_NO_WIDTH = re.compile("(?m)^[\u200b\u2060\ufeff]+|[\u200b\u2060\ufeff]+$")
# a line that only a program has, or the first line of a program after words
_STATEMENT = re.compile(
    r"\s*(?:(?:async )?def \w+\s*\(|class \w+\s*[(:]|import \w|from [\w.]+ import\b|return\b|@\w"
    r"|(?:for|while|if|elif|else|with|try)\b.*:\s*(?:#.*)?$|[\w.\[\], ]+?\s*[-+*/%&|^]?=[^=]"
    r"|[\w.]+\()"
)
_BEGINNING = re.compile(
    r"(?:async )?def \w+\s*\(|class \w+\s*[(:]|import \w|from [\w.]+ import\b|@\w"
)


@dataclass(frozen=True)
class CodeBlock:
    """The last Python block that defines the item's entry point, else the first Python block.

    A fence is a whole line, so its language tag never swallows code. Without fences the whole
    reply is the program, or what follows words if that parses and the whole does not; a reply in
    which no line looks like a program has none. With a lone closing fence it is what stands before
    it; an opening fence that is never closed (a cut reply) reaches to the end. Indentation is kept,
    but that of the fence, and the marks of a quotation. Tags of HTML, [PYTHON] and [BEGIN] count as
    fences where there are none.
    """

    def extract(self, reply: str, item: Item) -> Found:
        if not reply.strip():
            return EMPTY
        blocks = [block for block in fenced_blocks(reply) if block.strip()]
        if not blocks:
            return Found(None, "no_code")
        if item.entry_point:
            defines = re.compile(rf"\b(?:def|class)\s+{re.escape(item.entry_point)}\b")
            for block in reversed(blocks):
                if defines.search(block):
                    return Found(block)
        return Found(blocks[0])


def fenced_blocks(reply: str) -> list[str]:
    """The Python blocks of a reply, in order."""
    reply = _NO_WIDTH.sub("", reply.replace("\r\n", "\n"))
    lines = _AROUND.sub("", reply).split("\n")
    if any(map(_QUOTED_FENCE.match, lines)):
        lines = [re.sub(r"^ {0,3}> ?", "", line) for line in lines]
    fences = [i for i, line in enumerate(lines) if _FENCE.match(line)]
    if not fences and any(map(_INDENTED_FENCE.match, lines)) and not _is_code(lines):
        lines = _outdented(lines)
        fences = [i for i, line in enumerate(lines) if _FENCE.match(line)]
    if not fences:
        return _tagged("\n".join(lines)) or _unfenced(lines)
    if len(fences) == 1 and not _tag(lines[fences[0]]) and _is_code(lines[: fences[0]]):
        return [_trimmed(lines[: fences[0]])]
    blocks, at = [], 0
    while at < len(fences):
        start = fences[at]
        end = fences[at + 1] if at + 1 < len(fences) else len(lines)
        if _tag(lines[start]) in PYTHON_TAGS:
            indent = re.compile(f"^ {{0,{len(lines[start]) - len(lines[start].lstrip(' '))}}}")
            blocks.append(_trimmed([indent.sub("", line) for line in lines[start + 1 : end]]))
        at += 2
    return blocks


def _tagged(text: str) -> list[str]:
    found = [
        html.unescape(block["html"]) if block["html"] is not None else block["inside"]
        for block in _TAGGED.finditer(text)
    ]
    return [_trimmed(block.split("\n")) for block in found if _is_code(block.strip().split("\n"))]


def _unfenced(lines: list[str]) -> list[str]:
    if not any(map(_STATEMENT.match, lines)):
        return []
    if not _is_code(lines):
        begins = next((i for i, line in enumerate(lines) if _BEGINNING.match(line)), 0)
        if _is_code(lines[begins:]):
            lines = lines[begins:]
    return [_trimmed(lines)]


def _outdented(lines: list[str]) -> list[str]:
    """Blocks in a list of steps: their fences and lines moved to the margin."""
    made, indent = [], ""
    for line in lines:
        if _INDENTED_FENCE.match(line):
            indent = indent or line[: len(line) - len(line.lstrip())]
            made.append(line.strip())
            continue
        made.append(line.removeprefix(indent))
    return made


def _tag(line: str) -> str:
    match = _FENCE.match(line)
    return match["tag"].lower().strip("{}.") if match else ""


def _is_code(lines: list[str]) -> bool:
    """Whether the lines are Python statements, alone or as the body of a function."""
    for source in ("\n".join(lines), "\n".join(["def _():", *lines])):
        try:
            body = ast.parse(source).body
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            continue
        inner = body[0].body if body and isinstance(body[0], ast.FunctionDef) else body
        if any(not isinstance(statement, ast.Expr) for statement in inner):
            return True
    return False


def _trimmed(lines: list[str]) -> str:
    return "\n".join(lines).strip("\n").rstrip()
