"""OpenCompass: predictions by number, `{"0": {prediction, gold or refr}}`; nothing is graded there.

The keys are numbers written as text, and sorted as numbers. A list of predictions are draws. Lines
of long texts name the model in a key, `<model>_pred`, beside `gt`: an item is a line of the file.
Source: the predictions folder of open-compass/opencompass, and the files of L-Eval.
"""

from collections.abc import Iterator, Mapping

from eval_pipeline.ingest.peers.entries import Entry, Json, PeerReject, PeerReply
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
from eval_pipeline.ingest.peers.rows import rows_of

PREDICTIONS, LONG = "predictions", "long_texts"
PRED = "_pred"


def _claims(glance: Glance) -> str | None:
    row = an_object(glance.object.get("0"))
    graded = row.keys() & {"gold", "refr", "reference"}
    if "prediction" in row and graded:
        return PREDICTIONS
    first = glance.first
    return LONG if "gt" in first and sum(key.endswith(PRED) for key in first) == 1 else None


def _read(files: Claimed) -> Iterator[Entry]:
    for glance in files.get(LONG, ()):
        yield from _long(glance)
    for glance in files.get(PREDICTIONS, ()):
        task, model = glance.path.stem, glance.path.parent.name  # predictions/<model>/<task>.json
        numbered = [key for key in glance.object if key.isdecimal()]
        for key in sorted(numbered, key=int):
            row = an_object(glance.object[key])
            yield from _replies(row, task, (key, model), f"{glance.name}: {key}")


def _long(glance: Glance) -> Iterator[Entry]:
    for number, row in enumerate(rows_of(glance), start=1):
        if isinstance(row, PeerReject):
            yield row
            continue
        place, values = row
        named = [key for key in values if key.endswith(PRED)]
        if len(named) != 1 or "gt" not in values:
            detail = f"the line needs gt and one key that ends in {PRED}"
            yield PeerReject(place, "missing_key", detail)
            continue
        yield PeerReply(
            task=glance.path.name.removesuffix(".gz").removesuffix(".jsonl").removesuffix(".pred"),
            item_id=str(number),
            model=named[0].removesuffix(PRED),
            draw=0,
            question=a_text(values.get("query")) or a_text(values.get("prompt")) or "",
            text=a_text(values[named[0]]),
            place=place,
            references=texts(values["gt"]),
            item_columns={key: values[key] for key in ("prompt", "evaluation") if key in values},
        )


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
