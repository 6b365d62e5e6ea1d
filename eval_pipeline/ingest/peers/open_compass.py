"""OpenCompass: predictions by number, `{"0": {prediction, gold or refr}}`; nothing is graded there.

The keys are numbers written as text, and sorted as numbers. A list of predictions are draws.
Source: the predictions folder of open-compass/opencompass.
"""

from collections.abc import Iterator, Mapping

from eval_pipeline.ingest.peers.entries import Entry, Json, PeerReply
from eval_pipeline.ingest.peers.form import Claimed, PeerForm
from eval_pipeline.ingest.peers.glance import Glance
from eval_pipeline.ingest.peers.reading import (
    a_list,
    a_text,
    an_object,
    conversation,
    texts,
    written,
)

PREDICTIONS = "predictions"


def _claims(glance: Glance) -> str | None:
    row = an_object(glance.object.get("0"))
    graded = row.keys() & {"gold", "refr", "reference"}
    return PREDICTIONS if "prediction" in row and graded else None


def _read(files: Claimed) -> Iterator[Entry]:
    for glance in files[PREDICTIONS]:
        task, model = glance.path.stem, glance.path.parent.name  # predictions/<model>/<task>.json
        numbered = [key for key in glance.object if key.isdecimal()]
        for key in sorted(numbered, key=int):
            row = an_object(glance.object[key])
            yield from _replies(row, task, (key, model), f"{glance.name}: {key}")


def _replies(
    row: Mapping[str, Json], task: str, named: tuple[str, str], place: str
) -> Iterator[Entry]:
    key, model = named
    gold = next((row[name] for name in ("gold", "refr", "reference") if name in row), None)
    given = row.get("prediction")
    predictions = given if isinstance(given, list) else [given]
    for draw, prediction in enumerate(predictions):
        yield PeerReply(
            task=task,
            item_id=key,
            model=model,
            draw=draw,
            question=_asked(row.get("origin_prompt")),
            text=None if prediction is None else written(prediction),
            place=place,
            references=texts(gold) if not isinstance(gold, dict) else (written(gold),),
            status="ok" if prediction is not None else "infra_error",
        )


def _asked(prompt: Json) -> str:
    """The last turn of the person; the whole text where no roles are told apart."""
    turns = [an_object(one) for one in a_list(prompt)]
    people = [turn for turn in turns if a_text(turn.get("role")) == "HUMAN"]
    return conversation([dict(people[-1])]) if people else conversation(prompt)


FORM = PeerForm("opencompass", "OpenCompass: predictions by number", _claims, _read)
