"""What a judge says aloud: its reply without reasoning and without the tokens that end a turn."""

import re

import orjson

from eval_pipeline.reply_text import spoken, without_turn_tokens

_TAG = re.compile(r"(?<![`\"'“‘«])<(/?)(think|thinking|thought|reasoning)>", re.IGNORECASE)


def said_aloud(reply: str) -> str | None:
    """The reply without its reasoning, wherever that stands; None where it is never closed.

    A reply that is one JSON object is left alone: a tag there is inside of a string.
    """
    if _is_object(reply):
        return reply
    said = spoken(reply)
    if not said.is_closed:
        return None
    text = without_turn_tokens(said.text)
    return _without_blocks(text) if "<" in text else text


def _is_object(text: str) -> bool:
    text = text.strip()
    if not (text.startswith("{") and text.endswith("}")):
        return False
    try:
        orjson.loads(text)
    except orjson.JSONDecodeError:
        return False
    return True


def _without_blocks(text: str) -> str | None:
    """The text without blocks of reasoning inside it, None where one is left open.

    A tag in quotation marks is spoken of and opens nothing; nor does one behind a word that is
    never closed (`the reply holds a <think> tag`).
    """
    kept: list[str] = []
    at = 0
    opened: re.Match[str] | None = None
    for tag in _TAG.finditer(text):
        if opened is None and not tag[1]:
            kept.append(text[at : tag.start()])
            at, opened = tag.start(), tag
        elif opened is not None and tag[1] and opened[2].lower() == tag[2].lower():
            at, opened = tag.end(), None
    if opened is not None and not kept[-1].rstrip()[-1:].isalnum():
        return None
    return "".join([*kept, text[at:]])
