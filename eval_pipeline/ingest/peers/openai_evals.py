"""OpenAI evals: the lines of its recorder, a spec, a final report, and events a sample.

A sample that a model graded has two sampling events: the first is the reply, the second the
judge's. Source: the recorder of openai/evals.
"""

from collections.abc import Iterator, Mapping

import orjson

from eval_pipeline.ingest.peers.entries import Entry, Json, PeerReject, PeerReply, PublishedNumber
from eval_pipeline.ingest.peers.form import Claimed, PeerForm
from eval_pipeline.ingest.peers.glance import Glance
from eval_pipeline.ingest.peers.reading import (
    a_list,
    a_number,
    a_text,
    an_object,
    conversation,
    texts,
)
from eval_pipeline.ingest.peers.sources import lines_of

RECORD = "record"
MATCH, ACCURACY = "match", "accuracy"


def _claims(glance: Glance) -> str | None:
    return RECORD if "completion_fns" in an_object(glance.first.get("spec")) else None


def _read(files: Claimed) -> Iterator[Entry]:
    for glance in files[RECORD]:
        asked: dict[str, tuple[str, Mapping[str, Json]]] = {}
        matched: dict[str, Mapping[str, Json]] = {}
        report: tuple[str, Mapping[str, Json]] | None = None
        model, task = "model", glance.path.stem
        for number, line in lines_of(glance.source):
            place = f"{glance.name}:{number}"
            try:
                row = an_object(orjson.loads(line))
            except orjson.JSONDecodeError as error:
                yield PeerReject(place, "not_json", str(error))
                continue
            if "spec" in row:
                functions = a_list(an_object(row["spec"]).get("completion_fns"))
                model = ",".join(texts(list(functions))) or model
                task = a_text(an_object(row["spec"]).get("base_eval")) or task
            elif "final_report" in row:
                report = place, an_object(row["final_report"])
            elif sample := a_text(row.get("sample_id")):
                data = an_object(row.get("data"))
                if row.get("type") == "sampling":
                    asked.setdefault(sample, (place, data))
                elif row.get("type") == MATCH:
                    matched[sample] = data
        for sample, (place, data) in asked.items():
            yield _reply(sample, task, model, place, data, matched.get(sample, {}))
        value = None if report is None else a_number(report[1].get(ACCURACY))
        if report is not None and value is not None:
            yield PublishedNumber(task, model, MATCH, value, report[0], len(matched) or None)


def _reply(
    sample: str,
    task: str,
    model: str,
    place: str,
    data: Mapping[str, Json],
    match: Mapping[str, Json],
) -> PeerReply:
    """One reply; what was sampled may be a list of one."""
    sampled = texts(data.get("sampled"))
    return PeerReply(
        task=task,
        item_id=sample,
        model=model,
        draw=0,
        question=conversation(data.get("prompt")),
        text=sampled[0] if sampled else None,
        place=place,
        references=texts(match.get("expected")),
        said={MATCH: a_number(match.get("correct"))} if match else {},
        status="ok" if sampled else "infra_error",
        columns={"picked": match.get("picked")} if match else {},
    )


FORM = PeerForm("openai_evals", "OpenAI evals: the lines of its recorder", _claims, _read)
