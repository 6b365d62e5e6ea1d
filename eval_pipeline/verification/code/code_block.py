"""`code_block@2`: the program in a reply, in whatever form the reply has it."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial

from eval_pipeline.reply_text import without_turn_tokens
from eval_pipeline.verification.code.fences import (
    Block,
    bare,
    body,
    fenced,
    inline,
    is_all_code,
    on_own_lines,
    tagged,
    unquoted,
)
from eval_pipeline.verification.code.program_dress import is_dressed, undressed, without_label
from eval_pipeline.verification.code.program_source import (
    defined,
    defines,
    has_method,
    is_body,
    is_program,
    needed,
    parsed,
    talks,
    without_idle_ends,
)
from eval_pipeline.verification.verdict import EMPTY, Found, Item

NO_CODE = Found(None, "no_code")
# a program may be there, in a form that is not read: nobody can say that it is wrong
UNREAD = Found(None, "unread_code")
# marks of a turn that belong to no text, and signs of no width
_OPENED = re.compile(r"\A(?:\s{0,99}<\|\w{1,40}\|>){1,9}")
_CLOSED = re.compile(r"(?:<\|\w{1,40}\|>|</s>)\s*+\Z")
_OTHER_ENDS = str.maketrans("\x85\u2028\u2029", "\n\n\n")
_NO_WIDTH = re.compile("(?m)^[\u200b\u2060\ufeff]++|[\u200b\u2060\ufeff]++$")


@dataclass(frozen=True)
class CodeBlock:
    """The last block that defines the item's entry point, with the blocks that it needs.

    Blocks stand between fences (of backticks or tildes, in a list, a quotation or a fence of
    Markdown, never closed in a reply that is cut, or only closed), between tags (HTML, LaTeX,
    [PYTHON], [BEGIN]), or bare among sentences. Prompts, numbers of lines, shell lines, margins and
    a language as first line are no code. A block that uses what only another defines is joined with
    it, in their order; a sketch (a head with no body) defines nothing. Where an item names no entry
    point, the last block that reads or prints and stands alone is the program, else the last with
    what it needs. A fenced block that is no Python is a wrong program; but where what does not
    parse is not seen to be the whole program, none was found (`unread_code`).
    """

    def extract(self, reply: str, item: Item) -> Found:
        if not reply.strip():
            return EMPTY
        text = _plain(reply)
        if is_program(text):
            return Found(without_idle_ends(text))
        if is_body(text):
            return Found(undressed(text, partial(_is_meant, item=item)))
        blocks = [_read(block, item) for block in _blocks(text, item)]
        if item.entry_point:
            return _of_function(blocks, item.entry_point, text)
        return _of_program(blocks, text)


def _plain(reply: str) -> str:
    """A reply with one kind of line ends, and without marks of a turn."""
    text = without_turn_tokens(reply).replace("\r\n", "\n").replace("\r", "\n")
    if "\n" not in text:
        text = text.translate(_OTHER_ENDS)
    if "\n" not in text and parsed(text) is None:
        text = text.replace("\\n", "\n")  # ends of lines that are spelled out
    text = _CLOSED.sub("", _OPENED.sub("", _NO_WIDTH.sub("", text)))
    return text.strip("\n").rstrip()


def _blocks(text: str, item: Item) -> list[Block]:
    """The blocks of a reply, in the first form in which there are some that may be the program."""
    blocks, outside = fenced(on_own_lines(unquoted(text.split("\n"))))
    blocks = [replace(block, text=without_label(block.text)) for block in blocks]
    found = [block for block in blocks if block.text.strip() and block.is_python]
    if not any(_is_meant(block.text, item) or _names(block.text, item) for block in found):
        bare_ones = tagged("\n".join(outside)) or bare(outside) or inline("\n".join(outside))
        if item.entry_point and not any(_is_meant(block.text, item) for block in bare_ones):
            bare_ones = body(outside) + bare_ones
        found += bare_ones
    if not found:  # of a language that is not known, but Python all the same
        found = [b for b in blocks if b.text.strip() and _is_meant(_read(b, item).text, item)]
    return found


def _read(block: Block, item: Item) -> Block:
    """A block without what is no code; of prose with a program in it, the program."""
    text = undressed(block.text, partial(_is_meant, item=item))
    if parsed(text) is None and not is_body(text):
        within = [each for each in bare(text.split("\n")) if _is_meant(each.text, item)]
        if within and not is_all_code(text.split("\n")):
            return replace(block, text=within[-1].text)
    return replace(block, text=text)


def _is_meant(text: str, item: Item) -> bool:
    """Whether a text is a program that the item could ask for."""
    if item.entry_point:
        return defines(text, item.entry_point) or has_method(text, item.entry_point)
    return is_program(text) and talks(text)


def _names(text: str, item: Item) -> bool:
    """Whether a text means to define the entry point, right or not."""
    name = re.escape(item.entry_point or "")
    return bool(name) and re.search(rf"\b(?:def|class)\s+{name}\b", text) is not None


def _of_function(blocks: list[Block], name: str, reply: str) -> Found:
    item = Item("", entry_point=name)
    meant = [i for i, block in enumerate(blocks) if _is_meant(block.text, item)]
    broken = [
        i
        for i, block in enumerate(blocks)
        if parsed(block.text) is None and _names(block.text, item) and "\n" in block.text
    ]
    if broken and broken[-1] > max(meant, default=-1):
        return _unparsed(blocks[broken[-1]])
    if meant:
        return Found(_joined(blocks, meant[-1]))
    named = [block for block in blocks if _names(block.text, item)]
    bodies = [block for block in blocks if parsed(block.text) is None and is_body(block.text)]
    for block in (*reversed(named), *bodies, *[b for b in blocks if parsed(b.text) is not None]):
        return Found(block.text)
    return _nothing(blocks, reply, is_function=True)


def _of_program(blocks: list[Block], reply: str) -> Found:
    read = [i for i, block in enumerate(blocks) if parsed(block.text) is not None]
    talking = [i for i in read if talks(blocks[i].text)]
    tagged_ones = [i for i in talking if blocks[i].tag]
    for chosen in (tagged_ones, talking):
        others = {name for block in blocks for name in defined(block.text)}
        alone = [i for i in chosen if not needed(blocks[i].text) & others]
        if alone or chosen:
            last = (alone or chosen)[-1]
            later = [b for b in blocks[last + 1 :] if b.tag and parsed(b.text) is None]
            return _unparsed(later[-1]) if later else Found(_joined(blocks, last))
    tagged_blocks = [block for block in blocks if block.tag and parsed(block.text) is None]
    if tagged_blocks:
        return _unparsed(tagged_blocks[-1])
    return Found(blocks[read[0]].text) if read else _nothing(blocks, reply, is_function=False)


def _unparsed(block: Block) -> Found:
    """A block that is no Python: a wrong program, where it is seen that the reply means it so."""
    return UNREAD if is_dressed(block.text) else Found(block.text)


def _nothing(blocks: Sequence[Block], reply: str, is_function: bool) -> Found:
    """What there is where no block is Python: a program that is broken, or none."""
    for block in blocks:
        if block.tag:
            return _unparsed(block)
    lines = reply.split("\n")
    if not blocks and is_all_code(lines):
        return _unparsed(Block(reply))  # broken, and shown as it is
    if not is_function and (meant := [b for b in blocks if is_all_code(b.text.split("\n"))]):
        return _unparsed(meant[-1])
    hints = re.search(r"(?m)^\s{0,80}(?:def|class|import|from) \w", reply)
    return UNREAD if hints else NO_CODE


def _joined(blocks: Sequence[Block], chosen: int) -> str:
    """The chosen block with those that define what it lacks, in their order."""
    taken, waiting = {chosen}, [chosen]
    while waiting:
        at = waiting.pop()
        for name in sorted(needed(blocks[at].text)):
            if any(name in defined(blocks[i].text) for i in taken):
                continue
            holders = [i for i, block in enumerate(blocks) if name in defined(block.text)]
            if holders:
                # the last version that stands before, else the first after
                found = max((i for i in holders if i < chosen), default=holders[0])
                taken.add(found)
                waiting.append(found)
    return "\n\n".join(blocks[i].text for i in sorted(taken))
