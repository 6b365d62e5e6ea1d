"""Inspect: `.eval` archives and `.json` logs. Epochs are draws, errors are statuses.

Source: the log format of inspect_ai, versions 2. A run that failed has samples with an error and
no score: every one is kept as infra_error, and there is no number.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from eval_pipeline.ingest.peers.entries import Entry, Json, PeerReject, PeerReply, PublishedNumber
from eval_pipeline.ingest.peers.form import Claimed, PeerForm
from eval_pipeline.ingest.peers.glance import Glance
from eval_pipeline.ingest.peers.reading import (
    a_count,
    a_list,
    a_number,
    a_text,
    an_object,
    content_of,
    conversation,
    texts,
    written,
)
from eval_pipeline.ingest.peers.sources import document_of

LOG = "log"
HEADER, STARTED = "header.json", "_journal/start.json"
GRADES = {"C": 1.0, "I": 0.0, "P": 0.5, "N": 0.0}  # correct, incorrect, partial, no answer
_ATTACHED = "attachment://"


@dataclass(frozen=True)
class _Log:
    """A log's head, and its samples with the place of each."""

    glance: Glance
    head: Mapping[str, Json]

    def samples(self) -> Iterator[tuple[str, Mapping[str, Json]]]:
        if not self.glance.members:
            for number, sample in enumerate(a_list(self.head.get("samples")), start=1):
                yield f"{self.glance.name}: samples[{number - 1}]", an_object(sample)
            return
        for name in sorted(self.glance.members):
            if name.startswith("samples/") and name.endswith(".json"):
                member = self.glance.members[name]
                yield member.name, an_object(document_of(member))


def _claims(glance: Glance) -> str | None:
    inside = glance.members.keys()
    if HEADER in inside or STARTED in inside:
        return LOG
    return LOG if glance.object.keys() >= {"version", "eval", "status"} else None


def _read(files: Claimed) -> Iterator[Entry]:
    for glance in files[LOG]:
        log = _Log(glance, _head(glance))
        run = an_object(log.head.get("eval"))
        model, task = a_text(run.get("model")) or "model", a_text(run.get("task")) or "task"
        taken = 0
        for place, sample in log.samples():
            entry = _reply(sample, task, model, place)
            taken += isinstance(entry, PeerReply)
            yield entry
        if not taken:
            status = written(log.head.get("status"))
            raise ValueError(f"{glance.name} holds no sample (its run ended as {status})")
        yield from _published(glance, log.head, task, model)


def _head(glance: Glance) -> Mapping[str, Json]:
    if not glance.members:
        return glance.object
    name = HEADER if HEADER in glance.members else STARTED
    return an_object(document_of(glance.members[name]))


def _reply(sample: Mapping[str, Json], task: str, model: str, place: str) -> PeerReply | PeerReject:
    if sample.get("id") is None:
        return PeerReject(place, "missing_key", "the sample has no id")
    attached = an_object(sample.get("attachments"))
    output = an_object(sample.get("output"))
    choices = a_list(output.get("choices"))
    chosen = an_object(choices[0]) if choices else {}
    usage = an_object(output.get("usage"))
    error = an_object(sample.get("error"))
    text = _resolved(content_of(chosen.get("message")), attached) if choices else None
    seconds = a_number(output.get("time"))
    return PeerReply(
        task=task,
        item_id=written(sample["id"]),
        model=model,
        draw=(a_count(sample.get("epoch")) or 1) - 1,
        question=_resolved(_asked(sample.get("input"), attached), attached),
        text=text if not error else None,
        place=place,
        references=tuple(one.strip() for one in texts(sample.get("target"))),
        options=tuple(texts(sample.get("choices"))) or None,
        said=_verdicts(an_object(sample.get("scores") or _only(sample.get("score")))),
        status="infra_error" if error or text is None else "ok",
        detail=_first_line(a_text(error.get("message"))) if error else None,
        finish_reason=a_text(chosen.get("stop_reason")),
        tokens_in=a_count(usage.get("input_tokens")),
        tokens_out=a_count(usage.get("output_tokens")),
        latency_ms=None if seconds is None else 1000 * seconds,
        item_columns=_flat(an_object(sample.get("metadata"))),
    )


def _asked(value: Json, attached: Mapping[str, Json]) -> str:
    if not isinstance(value, list):
        return conversation(value)
    messages: list[Json] = [
        {"role": an_object(one).get("role"), "content": _resolved(content_of(one), attached)}
        for one in value
    ]
    return conversation(messages)


def _only(score: Json) -> Json:
    """The one score of an old log, under the name that it has there."""
    return {"score": score} if score is not None else None


def _resolved(text: str, attached: Mapping[str, Json]) -> str:
    """A text that is kept beside the sample, put back in its place."""
    if not text.startswith(_ATTACHED):
        return text
    return a_text(attached.get(text.removeprefix(_ATTACHED))) or text


def _first_line(message: str | None) -> str | None:
    return message.strip().split("\n", 1)[0][:200] if message and message.strip() else None


def _flat(metadata: Mapping[str, Json]) -> dict[str, Json]:
    return {key: value for key, value in metadata.items() if not isinstance(value, dict | list)}


def _verdicts(scores: Mapping[str, Json]) -> dict[str, float | None]:
    """scorer -> value; a scorer that gives several values has one verdict for each."""
    said: dict[str, float | None] = {}
    for scorer, score in scores.items():
        value = an_object(score).get("value")
        if isinstance(value, dict):
            said |= {f"{scorer}.{part}": _grade(one) for part, one in value.items()}
        else:
            said[scorer] = _grade(value)
    return said


def _grade(value: Json) -> float | None:
    return GRADES.get(value) if isinstance(value, str) else a_number(value)


def _published(glance: Glance, head: Mapping[str, Json], task: str, model: str) -> Iterator[Entry]:
    """The mean of each scorer, named as the scorer's verdicts are."""
    results = an_object(head.get("results"))
    scores = [an_object(one) for one in a_list(results.get("scores"))]
    parts: dict[str, int] = defaultdict(int)
    for score in scores:
        parts[a_text(score.get("scorer")) or ""] += 1
    for score in scores:
        scorer, name = a_text(score.get("scorer")) or "", a_text(score.get("name")) or ""
        label = f"{scorer}.{name}" if parts[scorer] > 1 or name != scorer else scorer
        for metric in ("accuracy", "mean"):
            value = a_number(an_object(an_object(score.get("metrics")).get(metric)).get("value"))
            if value is not None:
                place = f"{glance.name}: results.scores.{name}.{metric}"
                n = a_count(results.get("completed_samples"))
                yield PublishedNumber(task, model, label, value, place, n)
                break


FORM = PeerForm("inspect", "Inspect: an .eval archive, or a .json log", _claims, _read)
