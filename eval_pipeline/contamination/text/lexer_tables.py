"""All tables by which the lexers read, made once a process."""

from functools import cache
from typing import NamedTuple

from eval_pipeline.contamination.arrays import Bytes, Hashes, Points
from eval_pipeline.contamination.text.folding import code_classes, text_folding
from eval_pipeline.contamination.text.lexing import ascii_hashes


class LexerTables(NamedTuple):
    """What `lexing` makes of bytes and code points, under both normalisers."""

    ascii: Hashes
    text: Points
    expansions: Points
    code: Bytes


@cache
def lexer_tables() -> LexerTables:
    """The tables, as `folding` makes them of the normalisers."""
    text, expansions = text_folding()
    return LexerTables(ascii_hashes(text), text, expansions, code_classes())
