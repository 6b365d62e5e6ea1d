"""How many tokens a text may be, without the judge's own tokenizer."""

import math

from eval_pipeline.judging.prompts.templates import Messages

BYTES_A_TOKEN = 4  # of plain English, in the usual byte-pair vocabularies
FRAME_TOKENS = 8  # what the chat protocol puts round a message


def expected_tokens(messages: Messages) -> int:
    """A fair guess: UTF-8 bytes / 4, and the frame of each message."""
    return sum(math.ceil(len(text.encode()) / BYTES_A_TOKEN) + FRAME_TOKENS for _, text in messages)


def most_tokens(messages: Messages) -> int:
    """A bound: no byte-level vocabulary makes more tokens than there are bytes."""
    return sum(len(text.encode()) + FRAME_TOKENS for _, text in messages)
