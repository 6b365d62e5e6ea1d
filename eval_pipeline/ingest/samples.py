"""Rows of a generation file as samples: what each key means, and which status a sample gets.

Status: the row's own `status`, else ok. A reply that was cut at the token limit stays ok, since
what stands in it may still be right; its detail says `cut_at_max_tokens`. A failed sample may
lack a text; its text is then empty, and its detail says `no_text`.

Reasoning is kept apart: the row's own `reasoning`, else what `reply_text.spoken` cuts: blocks of
`<think> ... </think>` in all their spellings, and what stands before a lone closing tag. A block
that is never closed is reasoning to its end, and the reply is empty: the answer never came.

Keys that are not known here are kept as `extra`. What a publisher said of the reply may stand
among them, as `published: {metric: value}` or a key of its own such as `passed`: `recorded@1` reads
it.

A lone surrogate (half of a character that was cut in two) cannot be stored as UTF-8; in texts
U+FFFD takes its place, and the detail says `lone_surrogate_replaced`.
"""

import json
import re
from typing import Any

import orjson

from eval_pipeline.ingest.forms import (
    EXACT,
    INT32,
    INT64,
    Bounded,
    Form,
    Numbers,
    Text,
    Whole,
    Word,
    faults_of,
)
from eval_pipeline.ingest.objects import Batch, Columns, Object
from eval_pipeline.ingest.rejects import RowFault
from eval_pipeline.reply_text import spoken
from eval_pipeline.warehouse.schemas.vocabulary import GENERATION_STATUSES

FORMS: dict[str, Form] = {
    "item_id": Text(required=True),
    "draw": Whole(0, INT32, required=True),
    "text": Text(whole=False),
    "attempt": Whole(1, INT32),
    "status": Word(GENERATION_STATUSES, "unknown_status"),
    "detail": Text(),
    "finish_reason": Text(),
    "tokens_in": Whole(0, INT64),
    "tokens_out": Whole(0, INT64),
    "latency_ms": Bounded(0, EXACT),
    "cost_usd": Bounded(0, EXACT),
    "confidence": Bounded(0, 1),
    "token_logprobs": Numbers(-EXACT, 0),
    "reasoning": Text(whole=False),
}

ENCODED = ("text", "reasoning")  # the columns that `finished` gives as UTF-8

_CUT_REASONS = frozenset({"length", "max_tokens", "MAX_TOKENS"})
_LONE_SURROGATE = re.compile("[\ud800-\udfff]")


def columns_of(batch: Batch) -> tuple[Columns, list[Object]]:
    """The values of each known key, None where it is left out; and of each row the unknown keys."""
    if batch.columns is not None:
        given = dict(batch.columns)
        absent: list[Any] = [None] * len(batch)
        columns = {key: given.pop(key, absent) for key in FORMS}
        if not given:
            return columns, [{}] * len(batch)
        unknown = zip(*given.values(), strict=True)
        return columns, [dict(zip(given, values, strict=True)) for values in unknown]
    left = [row.copy() for row in batch.objects]
    return {key: [row.pop(key, None) for row in left] for key in FORMS}, left


def sample_faults(columns: Columns) -> dict[int, RowFault]:
    """The first fault of each row that is no sample, by the row's place in the columns."""
    faults = faults_of(columns, FORMS)
    if None in columns["text"]:
        for i, (text, status) in enumerate(zip(columns["text"], columns["status"], strict=True)):
            if text is None and status in (None, "ok"):
                why = "text is absent or null, and no failure status says why"
                faults.setdefault(i, RowFault("missing_key", why))
    return faults


def finished(columns: Columns, left: list[Object]) -> Columns:
    """Faultless columns as the generations table wants them, ENCODED ones as UTF-8.

    `left`: of each row the unknown keys, which become `extra`.
    """
    texts, thoughts, details = (list(columns[key]) for key in ("text", "reasoning", "detail"))
    statuses = [status or "ok" for status in columns["status"]]
    for i, reason in enumerate(columns["finish_reason"]):
        if reason in _CUT_REASONS and statuses[i] == "ok":
            details[i] = _noted(details[i], "cut_at_max_tokens")
    for i, text in enumerate(texts):
        if text is None:
            texts[i], details[i] = "", _noted(details[i], "no_text")
        elif thoughts[i] is None and (said := spoken(text)).reasoning is not None:
            texts[i], thoughts[i] = said.text, said.reasoning
            if not said.is_closed:
                details[i] = _noted(details[i], "reasoning_not_closed")
    return {
        **columns,
        "text": _encoded(texts, details),
        "reasoning": _encoded(thoughts, details),
        "n_chars": list(map(len, texts)),
        "status": statuses,
        "detail": details,
        "extra": [json_text(row) if row else None for row in left],
    }


def json_text(value: object) -> str:
    """The value as compact JSON with sorted keys: exact integers, lone surrogates as escapes."""
    try:
        return orjson.dumps(value, option=orjson.OPT_SORT_KEYS).decode()
    except TypeError:  # a lone surrogate, or an integer beyond 64 bits
        return json.dumps(value, sort_keys=True, separators=(",", ":"), allow_nan=False)


def _encoded(texts: list[str | None], details: list[str | None]) -> list[bytes | None]:
    """The texts as UTF-8; where a lone surrogate was replaced, the details say so."""
    try:
        return [None if text is None else text.encode() for text in texts]
    except UnicodeEncodeError:
        repaired = [None if text is None else _LONE_SURROGATE.sub("\ufffd", text) for text in texts]
    for i, (before, after) in enumerate(zip(texts, repaired, strict=True)):
        if before != after:
            details[i] = _noted(details[i], "lone_surrogate_replaced")
    return _encoded(repaired, details)


def _noted(detail: str | None, note: str) -> str:
    return f"{detail}, {note}" if detail else note
