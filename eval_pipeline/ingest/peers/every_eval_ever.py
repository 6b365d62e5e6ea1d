"""Every Eval Ever: the record of an evaluation, and the rows of its samples.

The publisher's verdict is `evaluation.score`. A list in `output.raw` are draws, which share it.
Source: the schemas of evaleval/every_eval_ever (0.2).
"""

from collections.abc import Iterator, Mapping

from eval_pipeline.ingest.peers.entries import Entry, Json, PeerReject, PeerReply, PublishedNumber
from eval_pipeline.ingest.peers.form import Claimed, PeerForm
from eval_pipeline.ingest.peers.glance import Glance
from eval_pipeline.ingest.peers.reading import (
    a_count,
    a_list,
    a_number,
    a_text,
    an_object,
    conversation,
    texts,
    written,
)
from eval_pipeline.ingest.peers.rows import first_row, rows_of

RECORD, SAMPLES = "record", "samples"
SCORE = "score"


def _claims(glance: Glance) -> str | None:
    if glance.object.keys() >= {"schema_version", "evaluation_id", "evaluation_results"}:
        return RECORD
    row = first_row(glance)
    return SAMPLES if row.keys() >= {"evaluation_id", "sample_id", "interaction_type"} else None


def _read(files: Claimed) -> Iterator[Entry]:
    if SAMPLES not in files:
        raise ValueError(
            f"{files[RECORD][0].name} is the record of an evaluation: it holds numbers and no "
            "replies: import the file that its detailed_evaluation_results name too"
        )
    met: set[tuple[str, str]] = set()
    for glance in files[SAMPLES]:
        for row in rows_of(glance):
            if isinstance(row, PeerReject):
                yield row
                continue
            place, values = row
            task, model = _task(values), a_text(values.get("model_id")) or "model"
            met.add((task, model))
            yield from _replies(values, (task, model, place))
    for glance in files.get(RECORD, ()):
        model = a_text(an_object(glance.object.get("model_info")).get("id")) or "model"
        for result in map(an_object, a_list(glance.object.get("evaluation_results"))):
            details = an_object(result.get("score_details"))
            value, task = a_number(details.get(SCORE)), _task(result)
            if value is not None and (task, model) in met:
                n = a_count(an_object(details.get("uncertainty")).get("num_samples"))
                yield PublishedNumber(task, model, SCORE, value, f"{glance.name}: {task}", n)


def _task(values: Mapping[str, Json]) -> str:
    return a_text(values.get("evaluation_name")) or a_text(values.get("evaluation_id")) or "task"


def _replies(row: Mapping[str, Json], named: tuple[str, str, str]) -> Iterator[Entry]:
    task, model, place = named
    asked, usage = an_object(row.get("input")), an_object(row.get("token_usage"))
    raw = an_object(row.get("output")).get("raw")
    drawn: list[Json] = list(raw) if isinstance(raw, list) else [raw]
    if isinstance(row.get("output"), str):
        drawn = [row["output"]]
    if drawn == [None] and isinstance(row.get("messages"), list):
        drawn = [conversation(row["messages"])]
    choices = texts(asked.get("choices")) if asked.get("choices") else None
    failed = a_text(row.get("error")) if drawn == [None] else None
    reference = asked.get("reference")
    for draw, text in enumerate(drawn):
        yield PeerReply(
            task=task,
            item_id=written(row.get("sample_id")),
            model=model,
            draw=draw,
            question=conversation(asked.get("raw")),
            text=None if text is None else written(text),
            place=place,
            references=() if reference is None else texts(reference),
            options=choices if choices and len(choices) > 1 else None,
            said={SCORE: a_number(an_object(row.get("evaluation")).get(SCORE))},
            status="ok" if text is not None else "infra_error",
            detail=failed,
            tokens_in=a_count(usage.get("input_tokens")),
            tokens_out=a_count(usage.get("output_tokens")),
            latency_ms=a_number(an_object(row.get("performance")).get("latency_ms")),
            columns={"answer_attribution": row.get("answer_attribution")},
        )


FORM = PeerForm("every_eval_ever", "Every Eval Ever: samples, with their record", _claims, _read)
