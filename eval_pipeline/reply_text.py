"""What a reply holds beside its answer: reasoning before it, and tokens that end a turn.

Cut in the same way wherever a reply is read: at ingest, by `check`, and before a judge's verdict.
"""

import re
from dataclasses import dataclass

_OPENED = re.compile(r"[ \t\r\n]*<think>")
_CLOSED = "</think>"

# Special tokens of the usual families: Llama, Mistral, Qwen, Gemma, DeepSeek, Phi, GLM, InternLM,
# Baichuan, Command, Granite, EXAONE, Kimi, gpt-oss, and of BERT and T5. Each begins with < or [.
_OPENS_A_TURN = (
    r"(?:<\|(?:im_start|im_user|im_system|im_assistant|start|start_header_id|header_start"
    r"|start_of_role|START_OF_TURN_TOKEN)\|>|<start_of_turn>)"
)
_OTHERS_TURN = (
    rf"{_OPENS_A_TURN}\s{{0,3}}(?:(?:user|human|system|developer|tool|ipython)(?![A-Za-z])"
    r"|<\|(?:USER|SYSTEM)_TOKEN\|>)|<[|｜](?i:user|human|system|prompter|observation)[|｜]>"
    r"|\[INST\]|\[\|(?:user|system)\|\]|<reserved_106>|<用户>"
)
_TOKEN = (
    rf"{_OPENS_A_TURN}\s{{0,3}}(?:(?:assistant|model|bot)(?![A-Za-z]))?+"
    r"|<\|channel\|>(?:analysis|commentary|final)?+"
    r"|<[|｜][A-Za-z▁][\w▁ :.-]{1,40}+[|｜]>"
    r"|</?+s>|<(?i:[bes]o[sdpt]|eo[achmr]|pad|sep|cls|end_?of_?(?:turn|text|sentence|utterance)"
    r"|beginning_of_sentence|(?:bos|eos|pad)_token|seed:(?:bos|eos|pad)"
    r"|(?:tokens_unused|reserved|extra_id)_\d{1,4})>|<AI>"
    r"|\[/?+INST\]|\[/?+SYSTEM_PROMPT\]|<</?+SYS>>|\[(?:BOS|EOS|EOT|EOD|PAD|SEP|CLS|[gs]MASK)\]"
    r"|\[\|[a-z]{3,20}\|\]"
)
_TOKENS = re.compile(
    # in quotes or in a closed fence it is spoken of; <s>struck</s> is markup
    rf"(?P<kept>```(?:(?!```).)*+```|(?P<quote>[\"'`])(?:{_TOKEN})(?P=quote)"
    r"|<s>[^<\n]{1,200}</s>(?=[ \t]{0,9}[^\W_])|(?<=[^\s>\ufeff])[ \t]?<s>[^<\n]{1,200}</s>)"
    rf"|(?P<other>{_OTHERS_TURN})|{_TOKEN}",
    re.DOTALL,
)
_LOST = re.compile(r"(?:\s*+(?i:<unk>|\[unk\]))++\s*+\Z")  # within a text it says that some is lost


@dataclass(frozen=True)
class Spoken:
    """A reply in two parts.

    text: what is said to the reader. reasoning: what was thought aloud before, None where nothing
    was. is_closed: whether the reasoning ended; where it did not, no answer came and text is empty.
    """

    text: str
    reasoning: str | None = None
    is_closed: bool = True


def spoken(reply: str) -> Spoken:
    """A reply without its reasoning."""
    opened = _OPENED.match(reply)
    if opened is None:
        return Spoken(reply)
    reasoning, closed, text = reply[opened.end() :].partition(_CLOSED)
    return Spoken(text.lstrip(), reasoning.strip(), bool(closed))


def without_turn_tokens(text: str) -> str:
    """A text without the special tokens of the usual model families, which are no text.

    What follows where another speaker's turn begins after the reply is not the reply's. Tokens in
    quotes or in a closed fence are spoken of and stay, as does an <unk> within the text.
    """
    if "<" not in text and "[" not in text:
        return text
    kept, at, has_begun, is_echo = [""], 0, False, False
    for found in _TOKENS.finditer(text):
        if found["kept"]:
            continue
        kept.append(text[at : found.start()])
        at = found.end()
        has_begun = has_begun or bool(kept[-1].strip())
        if found["other"] and not has_begun:  # the prompt stands before the reply
            is_echo = True
        if found["other"] and not is_echo:
            return "".join(kept).rstrip()
        if has_begun and text[at : at + 1].isalnum():
            kept.append("\n")  # words of two turns are not one word
    last = text[at:]
    if at and not last.strip():
        return "".join(kept).rstrip()
    return _without_lost_end("".join(kept) + last)


def _without_lost_end(text: str) -> str:
    lost = _LOST.search(text, max(0, len(text) - 200))
    return text[: lost.start()] if lost else text
