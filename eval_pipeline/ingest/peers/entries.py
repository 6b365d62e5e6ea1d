"""What a peer's file holds, whatever its form: replies, and the numbers that were published.

Ids, names and texts are those of the file, unchanged. A verdict that the publisher did not give
is None, never 0; tokens, time and cost that the file does not state are None too.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

Json: TypeAlias = bool | int | float | str | list["Json"] | dict[str, "Json"] | None

Status = Literal["ok", "model_refusal", "timeout", "infra_error"]
EVERY_ITEM = "all"  # the slice of a number over all items


@dataclass(frozen=True, slots=True)
class PeerReply:
    """One reply of a model to one item; text: None where the call brought none.

    task: the benchmark, by the name that the file gives it. draw: from 0. references: every answer
    that counts as right; none where the file has none. said: metric -> the publisher's verdict.
    place: where it stands, such as `samples.jsonl:12`. item_columns: what belongs to the item;
    columns: what belongs to the reply.
    """

    task: str
    item_id: str
    model: str
    draw: int
    question: str
    text: str | None
    place: str
    references: tuple[str, ...] = ()
    options: tuple[str, ...] | None = None
    said: Mapping[str, float | None] = field(default_factory=dict)
    status: Status = "ok"
    detail: str | None = None
    finish_reason: str | None = None
    tokens_in: int | None = None
    tokens_out: int | None = None
    latency_ms: float | None = None
    cost_usd: float | None = None
    item_columns: Mapping[str, Json] = field(default_factory=dict)
    columns: Mapping[str, Json] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class PublishedNumber:
    """An aggregate of a task as it was published: of a metric, a model, a slice; n where stated."""

    task: str
    model: str
    metric: str
    value: float
    place: str
    n: int | None = None
    slice: str = EVERY_ITEM


@dataclass(frozen=True, slots=True)
class PeerReject:
    """What could not be taken: where it stands, the reason in one word, and what is wrong."""

    place: str
    reason: str
    detail: str


@dataclass(frozen=True, slots=True)
class PeerGuess:
    """What was assumed of the files, in a sentence. keys: part of a row -> the key taken for it."""

    text: str
    keys: Mapping[str, str] = field(default_factory=dict)


Entry: TypeAlias = PeerReply | PublishedNumber | PeerReject | PeerGuess
