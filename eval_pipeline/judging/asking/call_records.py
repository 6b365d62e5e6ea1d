"""What came of a call, as it is kept: the raw reply or why there is none."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any, NamedTuple

from eval_pipeline.judging.asking.asks import Ask


class EndpointReply(NamedTuple):  # a tuple: a re-run makes as many as votes are kept
    """A judge's reply as the endpoint gave it; tokens are those that it counted, if it did."""

    text: str
    finish_reason: str | None = None
    refusal: str | None = None
    tokens_in: int | None = None
    tokens_out: int | None = None
    served_model: str | None = None


@dataclass(frozen=True, slots=True)
class CallFailed:
    """A call without a reply after all its attempts.

    lasting: the endpoint refuses this very call, so that it is not sent again by a later run.
    """

    reason: str
    lasting: bool


Outcome = EndpointReply | CallFailed


def record_of(ask: Ask, outcome: Outcome, attempts: int, latency_ms: float) -> dict[str, object]:
    """The JSON object that is kept under the call's key; latency is of the last attempt."""
    judge = ask.judge
    return {
        "call": ask.key,
        **ask.subject,
        "judge": judge.name,
        "model": judge.model,
        "prompt": judge.prompt.name,
        "prompt_sha256": judge.prompt.sha256,
        "decoding": dict(judge.decoding),
        "attempts": attempts,
        "latency_ms": round(latency_ms, 3),
        "reply" if isinstance(outcome, EndpointReply) else "failure": _fields(outcome),
    }


def _fields(outcome: Outcome) -> dict[str, object]:
    return outcome._asdict() if isinstance(outcome, EndpointReply) else asdict(outcome)


def outcome_of(record: Mapping[str, object]) -> Outcome:
    """What a kept record says. Raises ValueError for one that was not written by `record_of`."""
    try:
        if "reply" not in record:
            return CallFailed(**_mapping(record["failure"]))
        reply = EndpointReply(**_mapping(record["reply"]))
        if not isinstance(reply.text, str):
            raise TypeError("the text of a reply is a string")
        return reply
    except (KeyError, TypeError) as error:
        call = record.get("call")
        raise ValueError(
            f"the record of call {call!r:.80} is damaged: take its line out"
        ) from error


def _mapping(value: object) -> dict[str, Any]:
    """The fields of a kept outcome, whatever they hold: the caller's names are checked by it."""
    if not isinstance(value, dict):
        raise TypeError("an outcome is an object")
    return value


def is_settled(outcome: Outcome) -> bool:
    """Whether a later run need not ask again."""
    return isinstance(outcome, EndpointReply) or outcome.lasting
