"""LightEval: the details of a task in Parquet, newer ones with `doc`, older with `full_prompt`.

There are no ids: a row is known by its place. A response may hold several texts, which are draws.
The model is the folder above that of the date, the task stands in the file's name.
Source: the details of huggingface/lighteval.
"""

import re
from collections.abc import Iterator, Mapping

from eval_pipeline.ingest.peers.entries import Entry, Json, PeerReject, PeerReply
from eval_pipeline.ingest.peers.form import Claimed, PeerForm
from eval_pipeline.ingest.peers.glance import Glance
from eval_pipeline.ingest.peers.reading import a_list, a_number, a_text, an_object, texts
from eval_pipeline.ingest.peers.rows import first_row, rows_of

DETAILS = "details"
_NEW = {"doc", "model_response", "metric"}
_OLD = {"full_prompt", "predictions", "metrics"}
_DATED = re.compile(r"_?\d{4}-\d\d-\d\dT.*$")


def _claims(glance: Glance) -> str | None:
    keys = first_row(glance).keys()
    return DETAILS if keys >= _NEW or keys >= _OLD else None


def _read(files: Claimed) -> Iterator[Entry]:
    for glance in files[DETAILS]:
        stem = glance.path.name.removesuffix(".parquet").removeprefix("details_")
        task = _DATED.sub("", stem) or stem
        folder = glance.path.parent
        model = (folder.parent if _DATED.fullmatch(folder.name) else folder).name or task
        for number, row in enumerate(rows_of(glance)):
            if isinstance(row, PeerReject):
                yield row
                continue
            place, values = row
            read = _new if "doc" in values else _old
            yield from read(values, (task, model, str(number)), place)


def _new(row: Mapping[str, Json], named: tuple[str, str, str], place: str) -> Iterator[Entry]:
    doc, response = an_object(row.get("doc")), an_object(row.get("model_response"))
    choices = texts(doc.get("choices")) if doc.get("choices") else ()
    given = doc.get("gold_index")
    gold = [one for one in (given if isinstance(given, list) else [given]) if type(one) is int]
    references = tuple(choices[one] for one in gold if 0 <= one < len(choices))
    texts_ = list(a_list(response.get("text")))
    tokens = [len(a_list(one)) for one in a_list(response.get("output_tokens"))]
    yield from _replies(
        named,
        place,
        a_text(doc.get("query")) or "",
        (references, choices if len(choices) > len(references) else None),
        (texts_, tokens),
        an_object(row.get("metric")),
    )


def _old(row: Mapping[str, Json], named: tuple[str, str, str], place: str) -> Iterator[Entry]:
    given = row.get("predictions")
    predictions = list(a_list(given)) if isinstance(given, list) else [given]
    # log-likelihoods of options are no reply
    said: list[Json] = [one for one in predictions if isinstance(one, str)]
    gold = texts(row.get("gold"))
    prompt = a_text(row.get("example")) or a_text(row.get("full_prompt")) or ""
    metrics = an_object(row.get("metrics"))
    yield from _replies(named, place, prompt, (gold, None), (said, []), metrics)


def _replies(
    named: tuple[str, str, str],
    place: str,
    question: str,
    right: tuple[tuple[str, ...], tuple[str, ...] | None],
    drawn: tuple[list[Json], list[int]],
    metrics: Mapping[str, Json],
) -> Iterator[Entry]:
    task, model, item = named
    said = {key: number for key, one in metrics.items() if (number := a_number(one)) is not None}
    found, tokens = drawn
    for draw, text in enumerate(found or [""]):
        yield PeerReply(
            task=task,
            item_id=item,
            model=model,
            draw=draw,
            question=question,
            text=a_text(text) or "",
            place=place,
            references=right[0],
            options=right[1],
            said=said if len(found) < 2 else {},  # a verdict over draws is no draw's
            tokens_out=tokens[draw] if draw < len(tokens) else None,
        )


FORM = PeerForm("lighteval", "LightEval: details in Parquet", _claims, _read)
