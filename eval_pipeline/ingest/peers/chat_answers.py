"""Answers of Arena-Hard and of FastChat: a dialogue a line, with the model that spoke in it.

The last turn of the model is the reply, and what the person asked last is the question; earlier
turns stand beside it. An answer is a text, or an object with the key `answer`.
Source: the model_answer files of lmarena/arena-hard-auto, and those of FastChat in that shape.
"""

from collections.abc import Iterator, Mapping, Sequence

from eval_pipeline.ingest.peers.entries import Entry, Json, PeerReject, PeerReply
from eval_pipeline.ingest.peers.form import Claimed, PeerForm
from eval_pipeline.ingest.peers.glance import Glance
from eval_pipeline.ingest.peers.reading import a_count, a_list, a_text, an_object, written
from eval_pipeline.ingest.peers.rows import first_row, rows_of

ANSWERS = "answers"
TASK = "chat_answers"  # a file is a model, and names no benchmark
_IDS, _MODELS = ("uid", "question_id"), ("model", "model_id")


def _claims(glance: Glance) -> str | None:
    row = first_row(glance)
    turns = [an_object(one) for one in a_list(row.get("messages"))]
    named = row.keys() & set(_IDS) and row.keys() & set(_MODELS)
    return ANSWERS if named and any(turn.get("role") == "assistant" for turn in turns) else None


def _read(files: Claimed) -> Iterator[Entry]:
    for glance in files[ANSWERS]:
        for row in rows_of(glance):
            yield row if isinstance(row, PeerReject) else _reply(*row)


def _reply(place: str, row: Mapping[str, Json]) -> PeerReply | PeerReject:
    item = next((row[key] for key in _IDS if key in row), None)
    model = next((text for key in _MODELS if (text := a_text(row.get(key)))), None)
    turns = [an_object(one) for one in a_list(row.get("messages"))]
    if item is None or model is None or not turns or turns[-1].get("role") != "assistant":
        detail = "the line needs an id, a model, and messages that end with the model's own"
        return PeerReject(place, "missing_key", detail)
    told = an_object(row.get("metadata"))
    return PeerReply(
        task=TASK,
        item_id=written(item),
        model=model,
        draw=0,
        question=_last_asked(turns),
        text=_spoken(turns[-1].get("content")),
        place=place,
        tokens_out=a_count(told.get("token_len")),
        item_columns={"history": [dict(turn) for turn in turns[:-2]]} if turns[2:] else {},
    )


def _last_asked(turns: Sequence[Mapping[str, Json]]) -> str:
    asked = [turn for turn in turns if turn.get("role") == "user"]
    return written(asked[-1].get("content")) if asked else ""


def _spoken(content: Json) -> str | None:
    if isinstance(content, dict):
        return a_text(content.get("answer"))
    return a_text(content)


FORM = PeerForm(
    "chat_answers", "answers of Arena-Hard or FastChat, a dialogue a line", _claims, _read
)
